package applet

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// files are in the folder of a test.
func files(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	long := strings.Repeat("0123456789abcde\n", 2000)
	for name, text := range map[string]string{
		"a": "abc\ndef\n", "b": "abc\ndeF\n", "part": "abc\nde", "line": "abc\n", "empty": "",
		"every": string(every) + "\n" + string(every), "back": string(every[128:]) + string(every[:128]) + "\n\x80",
		"blank": "\n\n\na\n\n\n\nb\n\n", "blank2": "\n\n\tx\r\n\r\ny\r", "cr": "\r", "lf": "\nz\r", "long": long, "long2": long[:20000] + "X" + long[20001:] + "more",
		"tail": long[1:], "a b": "space\n", "-n": "dash\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "d"), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestIs(t *testing.T) {
	for _, c := range []struct {
		argv0, executable, name string
	}{
		{"cat", "/x/argvdiff-agent", "cat"},
		{"/bin/stty", "argvdiff-agent", "stty"},
		{"cat", "/usr/bin/argvdiff", ""},
		{"dog", "/x/argvdiff-agent", ""},
		{"argvdiff-agent", "/x/argvdiff-agent", ""},
		{"/usr/bin/timeout", "/x/argvdiff-agent", "timeout"},
		{"timeout", "/usr/bin/argvdiff", ""},
		{"", "/x/argvdiff-agent", ""},
		{"-cat", "/x/argvdiff-agent", ""},
	} {
		if name, ok := Is(c.argv0, c.executable); name != c.name || ok != (c.name != "") {
			t.Errorf("Is(%q, %q) = %q, %v", c.argv0, c.executable, name, ok)
		}
	}
}

func TestTrueAndFalse(t *testing.T) {
	for status, name := range []string{"true", "false"} {
		for _, args := range [][]string{nil, {"x"}, {"--help"}, {"-x", "--version"}} {
			for _, tool := range tools {
				if got := run(t, command(t, tool, "C", "", "", name, args...)); got != (result{status: status}) {
					t.Errorf("%s %s %q: %v", tool, name, args, got)
				}
			}
		}
	}
}

func TestCat(t *testing.T) {
	real, dir := machine(t, "cat"), files(t)
	cases := [][]string{
		nil, {"a"}, {"-"}, {"a", "-", "b"}, {"-", "-"}, {"nosuch"}, {"a", "nosuch", "b"}, {"d"}, {"a", "d", "b"}, {"a/x"},
		{"-u", "a"}, {"-x"}, {"-nx", "a"}, {"a", "-n"}, {"--", "-n"}, {"-n", "--", "-n", "a"}, {"a", "--", "-n"},
		{"--nosuch"}, {"--nu", "a"}, {"--numbe", "a"}, {"--number", "a"}, {"--number=1"}, {"--show", "a"}, {"--show-a", "every"},
		{"--nosuch=1"}, {"--v=1"}, {"--s", "a"}, {"--number-nonblank", "blank"}, {"--squeeze-blank", "blank"},
		{"--show-ends", "every"}, {"--show-tabs", "every"}, {"--show-nonprinting", "every"}, {"-é"}, {"-\x01"}, {"-:"},
		{""}, {"a b x"}, {"\x01"}, {"é"}, {"\u00a0"}, {"\u200d"}, {"\u4e2d\u6587'"}, {"it's"}, {"it's a:b"}, {"it's\n"}, {"a\nb\tc\x7f"}, {"\xff\xfe"}, {"é\n"}, {"'\"'"}, {"\n'\n'x"}, {"\n'\n"}, {"'\n"}, {"'\nx\n\n"}, {"x'@\x80"},
		{"{"}, {"}x"}, {"#"}, {"x#"}, {"~"}, {"x~"}, {"'~"}, {"~'"}, {"'#"}, {"'{"}, {"'}x"}, {"e\u0301"}, {"\U0010ffff"}, {"\ue000"}, {"\u2028"}, {"\u0085"},
		{"-s", "blank", "blank"}, {"-n", "a", "part", "a"}, {"-b", "part", "blank"}, {"-E", "cr", "lf"}, {"-E", "cr", "a"}, {"-E", "cr", "cr"}, {"-E", "cr"}, {"-nE", "cr", "lf", "d", "a"},
		{"-n", "long"}, {"long"}, {"-A", "long", "every"}, {"-v", "-"}, {"-nbs", "blank"},
	}
	for _, o := range []string{"-n", "-b", "-s", "-v", "-e", "-t", "-A", "-E", "-T", "-bE", "-sn", "-sb", "-sE", "-sbA", "-nv", "-nT"} {
		cases = append(cases, []string{o, "every"}, []string{o, "blank", "blank2", "part", "blank"})
	}
	for c := 1; c < 256; c++ {
		cases = append(cases, []string{string([]byte{'y', byte(c)})}, []string{string([]byte{'\'', byte(c)})})
	}
	for _, args := range cases {
		same(t, real, dir, "in\n\xc3\t1\r\nend", "cat", args...)
	}
}

// TestCatOntoItself is a file that cat would fill for ever.
func TestCatOntoItself(t *testing.T) {
	real, dir := machine(t, "cat"), files(t)
	for _, args := range [][]string{{"a"}, {"part", "a", "line"}, {"-n", "a"}, {"nosuch", "a"}} {
		compare(t, fmt.Sprintf("cat %q >>a", args), real, func(program string) (r result) {
			path := filepath.Join(dir, "a")
			if err := os.WriteFile(path, []byte("abc\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			c := command(t, program, "C", dir, "", "cat", args...)
			c.Stdout = out
			r = run(t, c)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			r.out = string(text)
			return r
		})
	}
}

// TestFull is an output that takes nothing.
func TestFull(t *testing.T) {
	dir := files(t)
	for _, line := range [][]string{{"cat", "a"}, {"cat", "-n", "a"}, {"cat", "empty"}, {"cat", "nosuch", "a", "b"}, {"cmp", "a", "b"}, {"cmp", "-l", "a", "b"}, {"cmp", "-s", "a", "b"}, {"cmp", "a", "part"}} {
		compare(t, fmt.Sprintf("%q >/dev/full", line), machine(t, line[0]), func(program string) result {
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Skip(err)
			}
			defer full.Close()
			c := command(t, program, "C", dir, "", line[0], line[1:]...)
			c.Stdout = full
			return run(t, c)
		})
	}
}

func TestCmp(t *testing.T) {
	real, dir := machine(t, "cmp"), files(t)
	cases := [][]string{
		nil, {"a"}, {"-"}, {"a", "-"}, {"-", "a"}, {"-", "-"}, {"-s"}, {"-x"}, {"--nosuch"}, {"-s", "-l", "a", "b"}, {"-l", "-s", "a", "b"}, {"-ll", "a", "b"},
		{"--quiet", "--silent", "a", "b"}, {"nosuch", "a"}, {"a", "nosuch"}, {"nosuch", "nosuch"}, {"-s", "nosuch", "a"}, {"-s", "a", "nosuch"}, {"nosuch", "-"}, {"a", "d"}, {"d", "a"}, {"d", "d"}, {"-s", "d", "a"},
		{"a", "b", "1"}, {"a", "b", "1", "1"}, {"a", "b", "1", "1", "1"}, {"a", "b", "x"}, {"a", "b", "1", "x"}, {"a", "b", "9"}, {"a", "b", "9", "99"},
		{"-i", "6", "a", "b"}, {"-i", "7", "a", "b"}, {"-i", "1:2", "a", "b"}, {"-i1:x", "a", "b"}, {"-ix:1", "a", "b"}, {"-i", "", "a", "b"}, {"-i", ":", "a", "b"}, {"-i", "1:", "a", "b"}, {"-i", "2", "a", "-"}, {"-i", "2:1", "-", "a"},
		{"-i", "1", "-i", "2:0", "a", "b"}, {"-n", "6", "a", "b"}, {"-n", "7", "a", "b"}, {"-n", "0", "a", "b"}, {"-n", "", "a", "b"}, {"-n", "x", "a", "b"}, {"-n", "-1", "a", "b"}, {"-n", "0x7", "a", "b"}, {"-n", "08", "a", "b"},
		{"-n", "1kB", "a", "b"}, {"-n", "1KiB", "a", "b"}, {"-n", "k", "a", "b"}, {"-n", "1kb", "a", "b"}, {"-n", "1b", "a", "b"}, {"-n", "1Y", "a", "b"}, {"-n", "99999999999999999999", "a", "b"}, {"-n", " +7", "a", "b"},
		{"--bytes=6", "a", "b"}, {"--bytes", "6", "a", "b"}, {"--bytes"}, {"-n"}, {"--ignore-initial=6", "a", "b"}, {"--verb", "a", "b"}, {"--print-bytes", "a", "b"}, {"--pr", "a", "b"}, {"--s=1"}, {"a b", "a"}, {"a b", "no such"}, {"a", "b", "-l"}, {"--", "-n", "a"},
		{"-l", "-n", "6", "every", "back"}, {"-l", "-n", "300", "-", "back"}, {"-l", "-i", "250", "every", "back"}, {"-l", "-n4500", "-", "-"},
	}
	names := []string{"a", "b", "part", "line", "empty", "every", "back", "long", "long2", "-", "/dev/null"}
	for _, o := range []string{"", "-s", "-l", "-b", "-lb", "-c"} {
		for _, x := range names {
			for _, y := range names {
				args := []string{o, x, y}
				if o == "" {
					args = args[1:]
				}
				cases = append(cases, args)
			}
		}
	}
	for _, args := range cases {
		same(t, real, dir, "abc\ndeX", "cmp", args...)
	}
}

// TestOutputGoesNowhere is a null device, by which cmp says less.
func TestOutputGoesNowhere(t *testing.T) {
	real, dir := machine(t, "cmp"), files(t)
	for _, args := range [][]string{{"a", "b"}, {"a", "part"}, {"-l", "a", "part"}, {"-l", "every", "back"}, {"-l", "b", "part"}, {"long", "long2"}} {
		compare(t, fmt.Sprintf("cmp %q >/dev/null", args), real, func(program string) result {
			null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer null.Close()
			c := command(t, program, "C", dir, "", "cmp", args...)
			c.Stdout = null
			return run(t, c)
		})
	}
}

// TestOneStream is a standard error that goes where the output goes.
func TestOneStream(t *testing.T) {
	dir := files(t)
	for _, line := range [][]string{{"cmp", "-l", "every", "back"}, {"cmp", "-l", "long2", "long"}, {"cmp", "-lb", "long2", "every"}, {"cmp", "-lb", "tail", "long"}, {"cat", "a", "nosuch", "b"}, {"cat", "-n", "a", "d", "b"}} {
		compare(t, fmt.Sprintf("%q 2>&1", line), machine(t, line[0]), func(program string) string {
			out, _ := command(t, program, "C", dir, "", line[0], line[1:]...).CombinedOutput()
			return string(out)
		})
	}
}

func TestSleep(t *testing.T) {
	real := machine(t, "sleep")
	for _, args := range [][]string{
		nil, {"0"}, {"0.01"}, {".01s"}, {"1e-2"}, {"0x1p-6"}, {"0x.1p-3s"}, {"0", "0.01"}, {"0.0001m"}, {"0.000001h"}, {"0.0000001d"}, {" 0"}, {"+0"}, {"0."}, {"-0"}, {"--", "-0"}, {"0x0"},
		{"x"}, {""}, {"1x"}, {"1x", "0", "2y"}, {"-1"}, {"--", "-1"}, {"-x"}, {"1", "-x"}, {"nan"}, {"s"}, {"."}, {"1_0"}, {"0 "}, {"0 s"}, {"0ss"}, {"0S"}, {"1e"}, {"1es"}, {"0e5s"}, {"0x"}, {"0xs"}, {"++0"}, {"-inf"}, {"infx"}, {"--nosuch"}, {"--help=1"}, {"it's"}, {"a\\b\n"}, {"é\x01"}, {"’"}, {"--vers=1"},
	} {
		same(t, real, "", "", "sleep", args...)
	}
}

func TestSleepLength(t *testing.T) {
	for _, args := range [][]string{{"0.2"}, {"0.1", "0.1"}, {"200e-3s"}} {
		begin := time.Now()
		if got := run(t, command(t, "", "C", "", "", "sleep", args...)); got != (result{}) {
			t.Errorf("sleep %q: %v", args, got)
		}
		if took := time.Since(begin); took < 200*time.Millisecond || took > 5*time.Second {
			t.Errorf("sleep %q took %v", args, took)
		}
	}
	for _, arg := range []string{"infinity", "inf", "INFd", "1e999", "9e99d", "1e10"} {
		c := command(t, "", "C", "", "", "sleep", arg)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
		c.Process.Kill()
		c.Wait()
		if signal(c) != syscall.SIGKILL {
			t.Errorf("sleep %s ended: %v", arg, c.ProcessState)
		}
	}
}

// TestBrokenPipe is an output that nobody reads.
func TestBrokenPipe(t *testing.T) {
	dir := files(t)
	for _, line := range [][]string{{"cat"}, {"cat", "long"}, {"cat", "-n", "long"}, {"cmp", "-l", "long", "every"}, {"cmp", "a", "b"}} {
		for _, tool := range tools {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			c := command(t, tool, "C", dir, "in", line[0], line[1:]...)
			c.Stdout = w
			if got := run(t, c); got.signal != syscall.SIGPIPE || got.err != "" {
				t.Errorf("%q with %q: %v", line, tool, got)
			}
			w.Close()
		}
	}
}

// TestSignals is what ends an applet as the system does, without a word.
func TestSignals(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGABRT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGALRM, syscall.SIGPIPE} {
		for _, tool := range tools {
			for _, args := range [][]string{nil, {"-", "-"}} {
				c := command(t, tool, "C", t.TempDir(), "", "cat", args...)
				in, out := pipes(t, c)
				var problems bytes.Buffer
				c.Stderr = &problems
				if err := c.Start(); err != nil {
					t.Fatal(err)
				}
				// What it answers shows that it runs.
				io.WriteString(in, "x")
				if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
					t.Fatal(err)
				}
				c.Process.Signal(s)
				c.Wait()
				if signal(c) != s || problems.Len() > 0 {
					t.Errorf("%v with %q: %v, %q", s, tool, c.ProcessState, problems.String())
				}
			}
		}
	}
}

// pipes makes the pipes to and from a command.
func pipes(t *testing.T, c *exec.Cmd) (in io.Writer, out io.Reader) {
	t.Helper()
	c.Stdin = nil
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if out, err = c.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	return in, out
}

// TestTold is what the applets say of themselves.
func TestTold(t *testing.T) {
	for _, name := range Names {
		if slices.Contains([]string{"true", "false"}, name) {
			continue
		}
		if got := run(t, command(t, "", "C", "", "", name, "--help")); got.status != 0 || !strings.HasPrefix(got.out, "Usage: "+name+" ") {
			t.Errorf("%s --help: %v", name, got)
		}
		if got := run(t, command(t, "", "C", "", "", "/bin/"+name, "--vers")); got != (result{out: name + " (argvdiff)\n"}) {
			t.Errorf("%s --version: %v", name, got)
		}
	}
	if got := run(t, command(t, "", "C", "", "", "/bin/cat", "-x")); !strings.HasPrefix(got.err, "/bin/cat: invalid") {
		t.Errorf("%s", strconv.Quote(got.err))
	}
}
