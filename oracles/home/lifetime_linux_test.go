//go:build amd64 || arm64

package home

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

// TestNeighbours runs harm in one home beside a case in another.
func TestNeighbours(t *testing.T) {
	watchHost(t)
	bad, good := open(t, Namespaces), open(t, Namespaces)
	done := make(chan error)
	go func() {
		var err error
		for range 3 {
			for _, text := range []string{`:(){ :|:& };:`, `kill -9 -1`, big + `for i in {1..20}; do while :; do printf %s "$x" >&2; done & done; wait`, `while :; do probe bad; done`, `while >f$((i++)); do :; done`} {
				if _, e := bad.Run(context.Background(), request(text)); e != nil {
					err = e
				}
			}
		}
		done <- err
	}()
	n := 0
	for busy := true; busy || n < 20; n++ {
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
			busy = false
		default:
		}
		arg := strings.Repeat("é", n)
		got := run(t, good, request("probe good "+arg+" | probe; >f; exit 3"))[0]
		if len(got.Records) != 2 || got.Status != 3 || got.Ended != wire.Itself || len(got.Stdout) != 0 {
			t.Fatalf("run %d beside harm: %s %q", n, short(got.Observation), got.Stderr)
		}
	}
	expectOrder(t, bad)
	expectOrder(t, good)
}

// sleepy is a case that only its end from outside ends.
func sleepy() wire.Request {
	r := request(`set -m; for i in 1 2 3; do (read x </dev/pts/ptmx) & done; disown -a; read x </dev/pts/ptmx`)
	r.Limits = wire.Limits{Quiet: time.Hour, Wall: time.Hour}
	return r
}

// await waits until there are as many processes of a parent as told.
func await(t *testing.T, of, want int) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		found := strays(t, of)
		if len(found) == want {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("want %d processes, there are %+v", want, found)
		}
	}
}

// TestAgentKilled kills an agent in the middle of a case.
func TestAgentKilled(t *testing.T) {
	watchHost(t)
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		h := open(t, Namespaces)
		agent := h.(*link).cmd.Process
		done := make(chan error, 1)
		go func() {
			_, err := h.Run(context.Background(), sleepy())
			done <- err
		}()
		await(t, os.Getpid(), 5)
		if agent.Signal(sig); sig != syscall.SIGKILL {
			// Its signals lead to nothing: it may be anybody's Control-C.
			time.Sleep(20 * time.Millisecond)
			await(t, os.Getpid(), 5)
			agent.Kill()
		}
		err := <-done
		var fault *Fault
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), "the home namespaces failed") {
			t.Errorf("the error is %v, want a Fault", err)
		}
		if _, again := h.Run(context.Background(), request("probe")); again != err {
			t.Errorf("the next run says %v, want %v", again, err)
		}
		if found := strays(t, os.Getpid()); len(found) > 0 {
			t.Errorf("left: %+v", found)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}
	// Between two cases.
	h := open(t, Namespaces)
	run(t, h, request("probe"))
	h.(*link).cmd.Process.Kill()
	var fault *Fault
	if _, err := h.Run(context.Background(), request("probe")); !errors.As(err, &fault) {
		t.Errorf("the error is %v, want a Fault", err)
	}
}

// TestCancel ends cases through their context.
func TestCancel(t *testing.T) {
	for _, k := range Kinds {
		t.Run(k.Name, func(t *testing.T) {
			watchHost(t)
			h := open(t, k)
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan error, 1)
			req := sleepy()
			if k.Name == bareHost {
				// Harmless, and at its end by itself.
				req = request(`read -t 9 x < <(read -t 9 y <>/dev/ptmx)`)
				req.Limits.Quiet = time.Hour
			}
			go func() {
				_, err := h.Run(ctx, req)
				done <- err
			}()
			shell := hostShell(t)
			if k.Name == containers {
				shell = imaged(t)
				defer expectNone(t)
				time.Sleep(200 * time.Millisecond) // its processes are the engine's
			} else {
				await(t, os.Getpid(), map[bool]int{true: 5, false: 3}[k.Name != bareHost])
			}
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("the error is %v", err)
			}
			if _, err := h.Run(context.Background(), request("probe")); !errors.Is(err, context.Canceled) {
				t.Errorf("the next run says %v", err)
			}
			if _, err := k.Open(ctx, shell); !errors.Is(err, context.Canceled) {
				t.Errorf("opening says %v", err)
			}
		})
	}
}

// TestClose closes homes in the middle of nothing and twice.
func TestClose(t *testing.T) {
	watchHost(t)
	for range 3 {
		h := open(t, Namespaces)
		run(t, h, request("probe"))
		for range 2 {
			if err := h.Close(); err != nil {
				t.Error(err)
			}
		}
		if found := strays(t, os.Getpid()); len(found) > 0 {
			t.Errorf("left: %+v", found)
		}
	}
}

func init() {
	roles["hold"] = func() error {
		h, err := Namespaces.Open(context.Background(), Shell{Path: os.Getenv("SHELL_PATH")})
		if err != nil {
			return err
		}
		fmt.Println("ready")
		_, err = h.Run(context.Background(), sleepy())
		return err
	}
	roles["unavailable"] = func() error {
		if err := os.WriteFile("/proc/sys/user/max_user_namespaces", []byte("0"), 0); err != nil {
			return err
		}
		h, err := Namespaces.Open(context.Background(), Shell{Path: os.Getenv("SHELL_PATH")})
		var missing *Unavailable
		if !errors.As(err, &missing) {
			return fmt.Errorf("opening gives %v, %v; want *Unavailable", h, err)
		}
		fmt.Println(err)
		return nil
	}
	roles["private"] = func() error {
		h, err := Namespaces.Open(context.Background(), Shell{Path: os.Getenv("SHELL_PATH")})
		if err != nil {
			return err
		}
		defer h.Close()
		r, err := h.Run(context.Background(), request("probe x"))
		if err == nil && len(r[0].Records) != 1 {
			err = fmt.Errorf("the result is %+v", r)
		}
		return err
	}
}

// again returns this test binary in a role.
func again(t *testing.T, role string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), roleVar+"="+role, "SHELL_PATH="+hostShell(t).Path)
	cmd.Stderr = os.Stderr
	return cmd
}

// TestParentKilled kills the owner of a home: its agent has to see that, also
// in the middle of a case.
func TestParentKilled(t *testing.T) {
	watchHost(t)
	cmd := again(t, "hold")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, len("ready\n"))); err != nil {
		t.Error(err)
	}
	owner := cmd.Process.Pid
	await(t, owner, 5)
	below := strays(t, owner)
	cmd.Process.Kill()
	cmd.Wait()
	expectGone(t, below)
}

// expectGone waits until none of the processes lives.
func expectGone(t *testing.T, below []process) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		all := processes(t)
		left := slices.DeleteFunc(slices.Clone(below), func(p process) bool {
			q, lives := all[p.pid]
			// The host's init may take its time to bury it.
			return !lives || q.state == "Z" || q.name != p.name || q.uid != p.uid
		})
		if len(left) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("left: %+v", left)
		}
	}
}

// TestUnavailable takes the namespaces away. There must be no home then, least
// of all the host.
func TestUnavailable(t *testing.T) {
	watchHost(t)
	cmd := again(t, "unavailable")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	said, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"no home of the kind namespaces here", "sysctl -w user.max_user_namespaces=10000", "sudo", "docker"} {
		if !strings.Contains(string(said), want) {
			t.Errorf("%q does not tell of %q", said, want)
		}
	}
	if n := bytes.Count(said, []byte("\n")); n != 1 {
		t.Errorf("%q is not one line", said)
	}
}

// TestPrivateBinary runs from a binary that only its owner may read, as after
// an installation with a narrow umask.
func TestPrivateBinary(t *testing.T) {
	watchHost(t)
	dir := t.TempDir()
	file := copySelf(t, dir, 0o700)
	cmd := again(t, "private")
	cmd.Path, cmd.Args[0] = file, file
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
}

// copySelf copies this test binary.
func copySelf(t *testing.T, dir string, mode os.FileMode) string {
	t.Helper()
	data, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "home.test")
	if err := os.WriteFile(file, data, mode); err != nil {
		t.Fatal(err)
	}
	return file
}
