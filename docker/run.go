package docker

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// A Container says what is to run, shut off from everything: no network, a
// read-only root, no capabilities, no new privileges, the engine's own filter of
// system calls, and bounds on processes, memory and processors.
type Container struct {
	Image string
	// Name is the container's, by which it can be removed.
	Name string
	// Entry is the program inside, and its arguments.
	Entry []string
	// Kit is a folder of this machine that is mounted, read-only, at At; "" for
	// none.
	Kit, At string
	// Scratch is the size of the only place for files, /tmp, in bytes.
	Scratch int64
}

// NewName returns a name that no other container has.
func NewName() string {
	return fmt.Sprintf("argvdiff-%d-%s", os.Getpid(), strings.ToLower(rand.Text()[:8]))
}

// Command returns the command that runs the container with its standard streams
// attached. The end of its input is the end of the container.
func (r Runtime) Command(c Container) *exec.Cmd {
	args := []string{
		"run", "--rm", "-i", "--name", c.Name, "--hostname", "argvdiff", "--label", OwnerLabel + "=" + owner(),
		"--pull", "never", "--network", "none", "--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges",
		"--user", "1000:1000", "--pids-limit", "160", "--memory", "1g", "--cpus", "1", "--log-driver", "none",
		"--tmpfs", fmt.Sprintf("/tmp:rw,nosuid,nodev,noexec,mode=1777,size=%d,nr_inodes=1024", c.Scratch),
	}
	if c.Kit != "" {
		args = append(args, "-v", c.Kit+":"+c.At+":ro")
	}
	args = append(args, "--entrypoint", c.Entry[0], c.Image)
	return exec.Command(r.path, append(args, c.Entry[1:]...)...)
}

// owner names this process so that one with the same number, later, is told
// from it.
func owner() string {
	host, _ := os.Hostname()
	return host + "/" + strconv.Itoa(os.Getpid()) + "/" + startOf(os.Getpid())
}

// startOf returns when a process of this machine was started, in the kernel's
// own unit, or "" where there is none.
func startOf(pid int) string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	if len(fields) < 20 {
		return ""
	}
	return fields[19]
}

// lives reports whether the process that was started then is still there.
func lives(pid int, start string) bool {
	if start == "" { // a system without /proc
		return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
	}
	return startOf(pid) == start
}

// Sweep removes containers of ours whose owner, a process of this machine, is
// dead, and returns how many.
func (r Runtime) Sweep(ctx context.Context) (int, error) {
	out, err := r.output(ctx, "ps", "-a", "--filter", "label="+OwnerLabel, "--format", `{{.Names}} {{.Label "`+OwnerLabel+`"}}`)
	if err != nil {
		return 0, err
	}
	host, _ := os.Hostname()
	n := 0
	for line := range strings.Lines(string(out)) {
		name, who, _ := strings.Cut(strings.TrimSpace(line), " ")
		parts := strings.Split(who, "/")
		if len(parts) != 3 || parts[0] != host {
			continue
		}
		pid, err := strconv.Atoi(parts[1])
		if err != nil || lives(pid, parts[2]) {
			continue
		}
		if err := r.Remove(ctx, name); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
