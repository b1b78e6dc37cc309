package applet

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// variable makes the test binary an applet. It holds the name.
const variable = "APPLET_TEST"

// emulator runs programs of another architecture, if set, and is found in the
// environment.
var emulator = os.Getenv("ARGVDIFF_EMULATOR")

// tools are the programs that have to do as the machine's tools do: "", which is an
// applet, and the path of a front to it where there are fronts.
var tools = []string{""}

func TestMain(m *testing.M) {
	if os.Getenv(variable) != "" {
		os.Exit(Main(os.Args[0], os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "applet-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		program, err := os.Executable()
		if err == nil && emulator != "" {
			script := fmt.Sprintf("#!/bin/sh\nexec '%s' -0 \"$%s\" '%s' \"$@\"\n", emulator, variable, program)
			program = filepath.Join(dir, "emulated")
			err = os.WriteFile(program, []byte(script), 0o755)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		if image, err := Front(program); err == nil {
			front := filepath.Join(dir, "front")
			if err := os.WriteFile(front, image, 0o755); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
			tools = append(tools, front)
		}
		return m.Run()
	}())
}

// command runs a program as the tool of that name: the machine's tool, one of tools,
// or another front.
func command(t testing.TB, program, locale, dir, stdin, name string, args ...string) *exec.Cmd {
	t.Helper()
	c := &exec.Cmd{Path: program, Args: append([]string{name}, args...), Dir: dir}
	c.Env = []string{"LC_ALL=" + locale, "PATH=/nonexistent", variable + "=" + name}
	if program == "" {
		var err error
		if c.Path, err = os.Executable(); err != nil {
			t.Fatal(err)
		}
	}
	if emulator != "" && (program == "" || strings.HasPrefix(filepath.Base(program), "front")) {
		c.Path, c.Args = emulator, append([]string{emulator, "-0", name, c.Path}, args...)
	}
	c.Stdin = strings.NewReader(stdin)
	return c
}

// machine returns the path of the machine's tool. It skips the test where that is
// not of the versions whose words the applets use.
func machine(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skip(err)
	}
	said, _ := exec.Command(path, "--version").Output()
	first, _, _ := strings.Cut(string(said), "\n")
	if !strings.HasSuffix(first, "(GNU coreutils) 9.1") && !strings.HasSuffix(first, "(GNU diffutils) 3.8") {
		t.Skipf("%s is %q", name, first)
	}
	return path
}

// result is how a command ends.
type result struct {
	out, err string
	status   int
	signal   syscall.Signal
}

func (r result) String() string {
	return fmt.Sprintf("%.2000q, %.2000q, status %d, signal %d", r.out, r.err, r.status, r.signal)
}

func run(t testing.TB, c *exec.Cmd) (r result) {
	t.Helper()
	var out, problems bytes.Buffer
	if c.Stdout == nil {
		c.Stdout = &out
	}
	c.Stderr = &problems
	err := c.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{out.String(), problems.String(), c.ProcessState.ExitCode(), signal(c)}
}

// signal is what ended a command.
func signal(c *exec.Cmd) syscall.Signal {
	if w := c.ProcessState.Sys().(syscall.WaitStatus); w.Signaled() {
		return w.Signal()
	}
	return 0
}

// compare tries the machine's tool and all of ours, and compares what comes of it.
func compare[R comparable](t *testing.T, what, real string, try func(program string) R) {
	t.Helper()
	want := try(real)
	for _, tool := range tools {
		if got := try(tool); got != want {
			t.Errorf("%s with %q:\ngot  %v\nwant %v", what, tool, got, want)
		}
	}
}

// same compares what the machine's tool and ours say.
func same(t *testing.T, real, dir, stdin, name string, args ...string) {
	t.Helper()
	for _, locale := range []string{"C", "C.UTF-8"} {
		want := run(t, command(t, real, locale, dir, stdin, name, args...))
		for _, tool := range tools {
			if tool != "" && locale == "C" {
				continue // a front knows no locales
			}
			if got := run(t, command(t, tool, locale, dir, stdin, name, args...)); got != want {
				t.Errorf("%s: %s %q of %q with %.40q:\ngot  %v\nwant %v", locale, name, args, tool, stdin, got, want)
			}
		}
	}
}
