//go:build linux && (amd64 || arm64)

package probe

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

var sockets atomic.Int64

// install writes a probe and returns its path and the listening socket to which
// it reports.
func install(t testing.TB) (path string, listener int) {
	t.Helper()
	return installed(t, Image)
}

// installed is install of the executable that a function makes.
func installed(t testing.TB, executable func(socket string) ([]byte, error)) (path string, listener int) {
	t.Helper()
	name := fmt.Sprintf("argvdiff-probe-test-%d-%d", os.Getpid(), sockets.Add(1))
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Bind(fd, &unix.SockaddrUnix{Name: "@" + name}); err != nil {
		t.Fatal(err)
	}
	if err := unix.Listen(fd, 16); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	image, err := executable(name)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "probe")
	if err := os.WriteFile(path, image, 0o755); err != nil {
		t.Fatal(err)
	}
	return path, fd
}

// command runs the probe with any argv, under $ARGVDIFF_EMULATOR where that is
// set, as for another architecture.
func command(path string, argv ...string) *exec.Cmd {
	c := exec.Command(path)
	c.Args = argv
	if emulator := os.Getenv("ARGVDIFF_EMULATOR"); emulator != "" {
		c = exec.Command(emulator, append([]string{"-0", argv[0], path}, argv[1:]...)...)
	}
	return c
}

// receive takes one record. It fails where none comes within ten seconds.
func receive(t testing.TB, listener int) Record {
	t.Helper()
	poll := []unix.PollFd{{Fd: int32(listener), Events: unix.POLLIN}}
	if n, err := unix.Poll(poll, 10_000); n != 1 {
		t.Fatalf("no probe has reported: %v", err)
	}
	fd, _, err := unix.Accept4(listener, unix.SOCK_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	f := os.NewFile(uintptr(fd), "record")
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Decode(b)
	if err != nil {
		t.Fatalf("%v: %q", err, b)
	}
	return r
}

func TestArgv(t *testing.T) {
	path, listener := install(t)
	every := make([]byte, 255)
	for i := range every {
		every[i] = byte(i + 1)
	}
	for _, argv := range [][]string{
		{"probe"},
		{""},
		{"", "", ""},
		{"git", "rebase", "-i"},
		{"probe", "", "a b", "", "\n", "!", string(every), ""},
		{"probe", strings.Repeat("x", 128<<10-1)},
		append([]string{"probe"}, strings.Fields(strings.Repeat("word ", 20_000))...),
	} {
		c := command(path, argv...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		r := receive(t, listener)
		if err := c.Wait(); err != nil {
			t.Errorf("the probe failed: %v", err)
		}
		got := make([]string, len(r.Argv))
		for i, a := range r.Argv {
			got[i] = string(a)
		}
		if fmt.Sprint(len(got), got) != fmt.Sprint(len(argv), argv) {
			t.Errorf("argv = %.200q, want %.200q", got, argv)
		}
		if r.Stdin == nil || len(r.Stdin) != 0 || r.Cut {
			t.Errorf("an empty stdin came as %.50q, cut %v", r.Stdin, r.Cut)
		}
	}
}

func TestStdin(t *testing.T) {
	path, listener := install(t)
	pattern := bytes.Repeat([]byte("0123456789abcdef"), StdinBound/16)
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	writeOnly, err := os.OpenFile(filepath.Join(t.TempDir(), "w"), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		stdin io.Reader
		want  []byte
		cut   bool
	}{
		{"empty", strings.NewReader(""), []byte{}, false},
		{"bytes", strings.NewReader("a\x00b\xff"), []byte("a\x00b\xff"), false},
		{"to the bound", bytes.NewReader(pattern), pattern, false},
		{"one more", bytes.NewReader(append(pattern[:len(pattern):len(pattern)], 'x')), pattern, true},
		{"endless", endless{}, bytes.Repeat([]byte("y"), StdinBound), true},
		{"a folder", dir, nil, false},
		{"not readable", writeOnly, nil, false},
	} {
		c := command(path, "probe")
		c.Stdin = test.stdin
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		r := receive(t, listener)
		c.Wait()
		if !bytes.Equal(r.Stdin, test.want) || (r.Stdin == nil) != (test.want == nil) || r.Cut != test.cut {
			t.Errorf("%s: %d bytes (nil: %v), cut %v; want %d, cut %v", test.name, len(r.Stdin), r.Stdin == nil, r.Cut, len(test.want), test.cut)
		}
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'y'
	}
	return len(b), nil
}

// The record arrives before the parent sees the end of the child, and the
// order of records is the order of the children.
func TestOrder(t *testing.T) {
	path, listener := install(t)
	for i := range 10 {
		if err := command(path, "probe", fmt.Sprint(i)).Run(); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 10 {
		if r := receive(t, listener); string(r.Argv[1]) != fmt.Sprint(i) {
			t.Errorf("record %d is of child %s", i, r.Argv[1])
		}
	}
}

// The number in the environment tells which part of a script a child is of.
func TestNumber(t *testing.T) {
	path, listener := install(t)
	for _, test := range []struct {
		env  []string
		want uint64
	}{
		{nil, 0},
		{[]string{"A=1", "ARGDIFFER=2", "XARGDIFF=3"}, 0},
		{[]string{"ARGDIFF=7"}, 7},
		{[]string{"A=", "", "ARGDIFF=65536", "B=2"}, 65536},
		{[]string{"ARGDIFF=12x"}, 12},
		{[]string{"ARGDIFF="}, 0},
	} {
		c := command(path, "probe", "a")
		c.Env = append([]string{"PATH=/none"}, test.env...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		r := receive(t, listener)
		c.Wait()
		if r.Number != test.want || len(r.Argv) != 2 {
			t.Errorf("%q: number %d, want %d", test.env, r.Number, test.want)
		}
	}
}

// As a cleaner it removes files and leaves no record.
func TestCleaner(t *testing.T) {
	path, listener := install(t)
	dir := t.TempDir()
	for _, name := range []string{"a", "b c", "-n", "kept"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := command(path, Cleaner, "a", "b c", "none", "-n")
	c.Dir = dir
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 || left[0].Name() != "kept" {
		t.Errorf("left: %v, %v", left, err)
	}
	poll := []unix.PollFd{{Fd: int32(listener), Events: unix.POLLIN}}
	if n, _ := unix.Poll(poll, 0); n != 0 {
		t.Error("it has reported")
	}
}

// Without an agent the probe ends with a status of its own instead of hanging.
func TestNobodyListens(t *testing.T) {
	path, listener := install(t)
	unix.Close(listener)
	start := time.Now()
	err := command(path, "probe").Run()
	var exit *exec.ExitError
	if e, ok := err.(*exec.ExitError); ok {
		exit = e
	}
	if exit == nil || exit.ExitCode() != 125 {
		t.Errorf("ended with %v after %v, want status 125", err, time.Since(start))
	}
}

func TestDecodeRejects(t *testing.T) {
	head := func(argc, argvLen, state, stdinLen byte, rest string) []byte {
		b := make([]byte, recordHead)
		b[0], b[8], b[16], b[24] = argc, argvLen, state, stdinLen
		return append(b, rest...)
	}
	for _, b := range [][]byte{
		nil,
		head(1, 2, 1, 0, "a"),       // too short
		head(1, 2, 1, 0, "a\x00bc"), // too long
		head(2, 2, 1, 0, "a\x00"),   // an argument is missing
		head(1, 2, 1, 0, "ab"),      // no end
		head(1, 2, 3, 0, "a\x00"),   // unknown state
		head(1, 2, 7, 0, "a\x00"),
		head(1, 2, 32, 0, "a\x00"),
	} {
		if r, err := Decode(b); err == nil {
			t.Errorf("Decode(%q) = %v", b, r)
		}
	}
}

func TestSocketName(t *testing.T) {
	if _, err := Image(strings.Repeat("x", 101)); err == nil {
		t.Error("a name that does not fit was accepted")
	}
}

func BenchmarkStart(b *testing.B) {
	path, listener := install(b)
	for b.Loop() {
		if err := command(path, "probe", "a", "b c").Run(); err != nil {
			b.Fatal(err)
		}
		receive(b, listener)
	}
}
