package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/home"
)

func init() {
	// argvdiff on a machine without namespaces.
	roles["argvdiff-without-namespaces"] = func() {
		must(os.WriteFile("/proc/sys/user/max_user_namespaces", []byte("0"), 0))
		roles["argvdiff"]()
	}
	// argvdiff on a machine without any bash.
	roles["argvdiff-without-bash"] = func() {
		const more = "/opt/argvdiff-shells"
		if _, err := os.Stat(more); err == nil {
			must(mountTmpfs(more, "size=4k"))
		}
		must(os.Setenv("PATH", "/nonexistent"))
		must(os.Unsetenv(home.ShellsVariable))
		roles["argvdiff"]()
	}
	// A campaign on a disk that is full, and once more when there is room. The
	// arguments are the folder that becomes the disk, the one for copies of it,
	// and the flags.
	roles["full-disk"] = func() {
		disk, copies, flags := os.Args[1], os.Args[2], os.Args[3:]
		must(mountTmpfs(disk, "size=32k"))
		var runs []fullRun
		for i, size := range []string{"32k", "16m"} {
			must(unix.Mount("none", disk, "tmpfs", unix.MS_REMOUNT, "size="+size))
			cmd := as("argvdiff", flags...)
			var stdout, stderr strings.Builder
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
				must(err)
			}
			runs = append(runs, fullRun{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()})
			must(os.CopyFS(filepath.Join(copies, fmt.Sprint(i)), os.DirFS(disk)))
		}
		must(json.NewEncoder(os.Stdout).Encode(runs))
		os.Exit(0)
	}
}

// fullRun is an answer on its way between two processes.
type fullRun struct {
	Stdout, Stderr string
	Code           int
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}

// mountTmpfs mounts a file system where nobody else sees it.
func mountTmpfs(at, options string) error {
	if err := unix.Mount("none", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	return unix.Mount("none", at, "tmpfs", 0, options)
}

// apart gives a role its own mounts. An ordinary user needs a user namespace for
// that, in which it stays that user.
func apart(cmd *exec.Cmd) *exec.Cmd {
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Getuid() != 0 {
		inUserNamespace(cmd, os.Getuid(), os.Getgid())
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWNS
		cmd.SysProcAttr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN}
	}
	return cmd
}

// inUserNamespace gives a role a user namespace in which this user has the ids.
func inUserNamespace(cmd *exec.Cmd, uid, gid int) *exec.Cmd {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: uid, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: gid, HostID: os.Getgid(), Size: 1}},
	}
	return cmd
}

// Where the kernel grants no namespaces nothing runs, least of all on the host.
func TestNoNamespaces(t *testing.T) {
	t.Parallel()
	ran := filepath.Join(t.TempDir(), "ran")
	out := filepath.Join(t.TempDir(), "out")
	for _, args := range [][]string{
		{"run", "echo >" + ran},
		{"run", "--shell", "bash-5.2.15", "--path", "argv", "--json", "echo >" + ran},
		{"run", "--payload", "x"},
		{"fuzz", "--cases", "4", "--out", out},
		{"replay", "testdata/replay.txt"},
		{"shells"},
		{"shells", "--json"},
	} {
		if args[0] == "replay" {
			file := filepath.Join(t.TempDir(), "faults.txt")
			fault := "name: one\npath: argv\ninput: \"echo >" + ran + "\"\nreference: none\nwhy: none\n"
			if err := os.WriteFile(file, []byte(fault), 0o666); err != nil {
				t.Fatal(err)
			}
			args[1] = file
		}
		a := ask(t, inUserNamespace(as("argvdiff-without-namespaces", args...), 0, 0))
		err := expectError(a.stderr, `^argvdiff: no home of the kind namespaces here: .*; sysctl -w user\.max_user_namespaces=10000, or run argvdiff under sudo, .*docker run --privileged.*; --unsandboxed `)
		if a.code != exitFailed || err != nil || a.stdout != "" {
			t.Errorf("%q: exit code %d, %v, stdout %q", args, a.code, err, a.stdout)
		}
	}
	for _, file := range []string{ran, out} {
		if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s was made on the host: %v", file, err)
		}
	}
	// What needs no shell works all the same.
	if a := ask(t, inUserNamespace(as("argvdiff-without-namespaces", "paths"), 0, 0)); a.code != exitNothing || a.stdout == "" {
		t.Errorf("paths: exit code %d, %s", a.code, a.stderr)
	}
}

func TestNoBash(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"shells"}, {"run", ":"}, {"fuzz", "--cases", "1"}} {
		a := ask(t, apart(as("argvdiff-without-bash", args...)))
		err := expectError(a.stderr, `^argvdiff: no bash found on PATH, in \$ARGVDIFF_SHELLS or in /opt/argvdiff-shells/\*/bin/bash: install one or name it there$`)
		if a.code != exitFailed || err != nil || a.stdout != "" {
			t.Errorf("%q: exit code %d, %v, stdout %q", args, a.code, err, a.stdout)
		}
	}
}

// A full disk ends a campaign with one line that says so. What it has announced
// is there, and once there is room it goes on to the end that it would have had.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	want := reference(t)
	disk, copies := t.TempDir(), t.TempDir()
	out := filepath.Join(disk, "out")
	a := ask(t, apart(as("full-disk", append([]string{disk, copies}, fuzz(t, out).Args[1:]...)...)))
	if a.code != 0 {
		t.Fatalf("exit code %d: %s", a.code, a.stderr)
	}
	var runs []fullRun
	if err := json.Unmarshal([]byte(a.stdout), &runs); err != nil {
		t.Fatal(err)
	}
	full, room := runs[0], runs[1]
	lines := strings.SplitAfter(full.Stderr, "\n")
	last := lines[max(0, len(lines)-2)]
	if err := expectError(last, `^argvdiff: writing `+out+`/\S+: no space left on device; what was announced is kept: make room, then the same flags continue$`); err != nil {
		t.Error(err)
	}
	for _, line := range lines[:len(lines)-2] {
		if !ordinary(line) {
			t.Errorf("it says %q", line)
		}
	}
	held, err := finding.Load(filepath.Join(copies, "0", "out"))
	if err != nil {
		t.Fatal(err)
	}
	announced, code := 0, exitFailed
	for line := range strings.Lines(full.Stdout) {
		var f finding.Finding
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		announced++
		if f.Known == nil {
			code = exitFound // beats that it could not go on
		}
		at := slices.IndexFunc(held, func(h finding.Finding) bool { return h.ID == f.ID })
		if at < 0 {
			t.Errorf("the finding %s was announced and is lost", f.ID)
		} else if b, err := os.ReadFile(filepath.Join(copies, "0", "out", f.Repro)); err != nil || !strings.HasPrefix(string(b), "#!/bin/sh\n") {
			t.Errorf("the script of %s: %q, %v", f.ID, b, err)
		}
	}
	if full.Code != code {
		t.Errorf("exit code %d, want %d", full.Code, code)
	}
	if announced == 0 || announced >= len(want.findings) {
		t.Errorf("%d of %d findings had room: that is no test", announced, len(want.findings))
	}
	got := read(t, filepath.Join(copies, "1", "out"))
	expectEnd(t, answer{room.Stdout, room.Stderr, room.Code}, got)
	got.expectEqual(t, want)
}
