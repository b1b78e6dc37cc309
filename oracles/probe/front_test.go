//go:build linux && (amd64 || arm64)

package probe

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// terminal opens a terminal.
func terminal(t *testing.T) *os.File {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { master.Close(); slave.Close() })
	return slave
}

func TestTerminals(t *testing.T) {
	path, listener := install(t)
	slave := terminal(t)
	for _, test := range []struct{ in, out bool }{{false, false}, {false, true}, {true, false}, {true, true}} {
		c := command(path, "probe")
		if c.Stdin = strings.NewReader("x"); test.in {
			c.Stdin = slave
		}
		if test.out {
			c.Stdout = slave
		}
		if err := c.Run(); err != nil {
			t.Fatal(err)
		}
		r := receive(t, listener)
		if r.InTTY != test.in || r.OutTTY != test.out || (r.Stdin == nil) != test.in || !test.in && string(r.Stdin) != "x" {
			t.Errorf("%+v: %+v", test, r)
		}
	}
}

// TestFront is a front of another probe, which gets all that the front was given.
func TestFront(t *testing.T) {
	path, listener := install(t)
	slave := terminal(t)
	for _, test := range []struct {
		argv         []string
		shell, in, a bool
	}{
		{argv: []string{"x"}, a: true},
		{argv: []string{"x", "", "a b", "\n"}, a: true},
		{argv: []string{"x", strings.Repeat("y", 100_000)}, in: true, a: true},
		{argv: []string{"sh"}, in: true, a: true},
		{argv: []string{"sh"}, shell: true, a: true},
		{argv: []string{"sh"}, shell: true, in: true},
		{argv: []string{"sh", "-i"}, shell: true, in: true, a: true},
	} {
		front, first := installed(t, func(socket string) ([]byte, error) { return Front(socket, path, test.shell) })
		c := command(front, test.argv...)
		c.Env = []string{"A=1", "ARGDIFF=7"}
		if c.Stdin = strings.NewReader("text"); test.in {
			c.Stdin = slave
		}
		err := c.Run()
		emulated := os.Getenv("ARGVDIFF_EMULATOR") != ""
		if executes := emulated && test.a; executes && c.ProcessState.ExitCode() != 127 || !executes && err != nil {
			t.Fatalf("%.50q: %v", test.argv, err)
		}
		r := receive(t, first)
		if fmt.Sprintf("%q", r.Argv) != fmt.Sprintf("%q", test.argv) || r.Stdin != nil || r.Number != 7 || r.InTTY != test.in || r.OutTTY {
			t.Errorf("%.50q: %.200q", test.argv, fmt.Sprint(r))
		}
		if emulated {
			continue // the kernel has no emulator for the other probe: see TestFrontOfScript
		}
		poll := []unix.PollFd{{Fd: int32(listener), Events: unix.POLLIN}}
		if n, _ := unix.Poll(poll, 0); (n == 1) != test.a {
			t.Errorf("%.50q: executed %v, want %v", test.argv, n == 1, test.a)
			continue
		}
		if !test.a {
			continue
		}
		r = receive(t, listener)
		want := []byte("text")
		if test.in {
			want = nil
		}
		if fmt.Sprintf("%q", r.Argv) != fmt.Sprintf("%q", test.argv) || !bytes.Equal(r.Stdin, want) || r.Number != 7 {
			t.Errorf("%.50q: behind it %.200q", test.argv, fmt.Sprint(r))
		}
	}
}

// TestFrontOfScript is a front of what runs on every architecture.
func TestFrontOfScript(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nprintf '<%s>' \"$@\" \"$A\" \"$(cat)\"\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	path, listener := installed(t, func(socket string) ([]byte, error) { return Front(socket, script, true) })
	c := command(path, "sh", "a b", "", "c")
	c.Env, c.Stdin = []string{"A=1", "PATH=" + os.Getenv("PATH")}, strings.NewReader("text")
	out, _ := c.Output()
	if string(out) != "<a b><><c><1><text>" || c.ProcessState.ExitCode() != 3 {
		t.Errorf("%q, %v", out, c.ProcessState)
	}
	if r := receive(t, listener); len(r.Argv) != 4 || r.Stdin != nil {
		t.Errorf("%q", r.Argv)
	}
}

func TestFrontNeedsAPath(t *testing.T) {
	for _, program := range []string{"", "x", "./x", "/" + strings.Repeat("x", mostPath-1)} {
		if _, err := Front("socket", program, false); err == nil {
			t.Errorf("a front for %.20q was made", program)
		}
	}
	path, listener := installed(t, func(socket string) ([]byte, error) {
		return Front(socket, filepath.Join(t.TempDir(), "nosuch"), false)
	})
	c := command(path, "x")
	if c.Run(); c.ProcessState.ExitCode() != 127 {
		t.Errorf("without its program it ends with %v", c.ProcessState)
	}
	receive(t, listener)
}
