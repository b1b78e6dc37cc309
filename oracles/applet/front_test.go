//go:build linux && (amd64 || arm64)

package applet

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// file opens a file for a test.
func file(t *testing.T, name string, flags int) *os.File {
	t.Helper()
	f, err := os.OpenFile(name, flags, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestCatCopies is cat without arguments, from files and pipes to such.
func TestCatCopies(t *testing.T) {
	real, dir := machine(t, "cat"), files(t)
	large := bytes.Repeat([]byte("0123456789abcdef\x00\xff\n"), 10<<20/19+1)
	if err := os.WriteFile(filepath.Join(dir, "large"), large, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]func() io.Reader{
		"a large pipe":        func() io.Reader { return bytes.NewReader(large) },
		"a pipe":              func() io.Reader { return strings.NewReader("abc\n") },
		"an empty pipe":       func() io.Reader { return strings.NewReader("") },
		"a large file":        func() io.Reader { return file(t, filepath.Join(dir, "large"), os.O_RDONLY) },
		"a file":              func() io.Reader { return file(t, filepath.Join(dir, "a"), os.O_RDONLY) },
		"a folder":            func() io.Reader { return file(t, dir, os.O_RDONLY) },
		"a file for writing":  func() io.Reader { return file(t, filepath.Join(dir, "b"), os.O_WRONLY) },
		"the file itself":     func() io.Reader { return file(t, filepath.Join(dir, "out"), os.O_RDONLY) },
		"a terminal's master": func() io.Reader { return hungUp(t) },
	} {
		for _, to := range []struct {
			name  string
			flags int
		}{{"", 0}, {"out", os.O_WRONLY | os.O_APPEND}, {"a", os.O_RDONLY}, {"/dev/full", os.O_WRONLY}, {"/dev/null", os.O_WRONLY}} {
			compare(t, fmt.Sprintf("cat from %s to %q", name, to.name), real, func(program string) string {
				out := filepath.Join(dir, "out")
				if err := os.WriteFile(out, []byte("before\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				c := command(t, program, "C", dir, "", "cat")
				c.Stdin = in()
				switch {
				case to.name == "":
				case filepath.IsAbs(to.name):
					c.Stdout = file(t, to.name, to.flags)
				default:
					c.Stdout = file(t, filepath.Join(dir, to.name), to.flags)
				}
				r := run(t, c)
				text, err := os.ReadFile(out)
				if err != nil {
					t.Fatal(err)
				}
				text = append(text, r.out...)
				r.out = ""
				return fmt.Sprintf("%v, %d bytes, %x", r, len(text), sha256.Sum256(text))
			})
		}
	}
}

// hungUp is a terminal whose other end is closed.
func hungUp(t *testing.T) *os.File {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	slave.Close()
	t.Cleanup(func() { master.Close() })
	return master
}

// TestCatFails is an output that takes something and then no more.
func TestCatFails(t *testing.T) {
	compare(t, "cat to a pipe that fills", machine(t, "cat"), func(program string) string {
		var ends [2]int
		if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
			t.Fatal(err)
		}
		r, w := os.NewFile(uintptr(ends[0]), "r"), os.NewFile(uintptr(ends[1]), "w")
		defer r.Close()
		defer w.Close()
		if err := unix.SetNonblock(ends[1], true); err != nil {
			t.Fatal(err)
		}
		c := command(t, program, "C", "", strings.Repeat("x", 70_000), "cat")
		c.Stdout = w
		said := run(t, c)
		w.Close()
		text, err := io.ReadAll(r)
		return fmt.Sprint(said, len(text), err)
	})
}

// TestFrontAlone is what a front does without its program, and what not.
func TestFrontAlone(t *testing.T) {
	image, err := Front("/nonexistent/program")
	if err != nil {
		t.Fatal(err)
	}
	front := filepath.Join(t.TempDir(), "front")
	if err := os.WriteFile(front, image, 0o755); err != nil {
		t.Fatal(err)
	}
	master, slave, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	defer master.Close()
	defer slave.Close()
	const none = 127
	for _, test := range []struct {
		line   []string
		status int
	}{
		{[]string{"true"}, 0}, {[]string{"/a/b//true", "x", ""}, 0}, {[]string{"false"}, 1}, {[]string{"./false", "--help"}, 1},
		{[]string{"stty", "-echo"}, 0}, {[]string{"/bin/stty", "echo"}, 0}, {[]string{"cat"}, 0}, {[]string{"x/cat"}, 0},
		{[]string{"true/"}, none}, {[]string{"truex"}, none}, {[]string{"tru"}, none}, {[]string{"fals"}, none}, {[]string{"falsehood"}, none}, {[]string{"fals\x80"}, none}, {[]string{"cats"}, none}, {[]string{"/"}, none}, {[]string{"-cat"}, none},
		{[]string{"stty"}, none}, {[]string{"sttyx", "echo"}, none}, {[]string{"stty", "echo", "echo"}, none}, {[]string{"stty", "--echo"}, none}, {[]string{"stty", "echoe"}, none}, {[]string{"stty", ""}, none}, {[]string{"stty", "-"}, none}, {[]string{"stty", "-ech"}, none},
		{[]string{"cat", ""}, none}, {[]string{"cat", "-"}, none}, {[]string{"cat", "x"}, none}, {[]string{"sleep", "0"}, none}, {[]string{"cmp"}, none},
	} {
		c := command(t, front, "C", "", "", test.line[0], test.line[1:]...)
		if strings.HasSuffix(test.line[0], "stty") {
			c.Stdin = slave
		}
		if got := run(t, c); got != (result{status: test.status}) {
			t.Errorf("%q: %v, want status %d", test.line, got, test.status)
		}
		if echoes := look(t, slave).term.Lflag&unix.ECHO != 0; c.Stdin == slave && test.status == 0 && echoes != (test.line[1] == "echo") {
			t.Errorf("%q: the terminal echoes: %v", test.line, echoes)
		}
	}
	// Where there is no terminal it needs the program.
	if got := run(t, command(t, front, "C", "", "", "stty", "echo")); got.status != none {
		t.Errorf("stty echo without a terminal: %v", got)
	}
}

func TestFrontNeedsAPath(t *testing.T) {
	for _, program := range []string{"", "x", "./x", "/" + strings.Repeat("x", mostPath-1)} {
		if _, err := Front(program); err == nil {
			t.Errorf("a front for %.20q was made", program)
		}
	}
}

// BenchmarkFront is what it costs to start true: the front's, the applet, and the
// machine's.
func BenchmarkFront(b *testing.B) {
	for i, program := range []string{tools[1], tools[0], machine(b, "true")} {
		b.Run([]string{"front", "applet", "machine"}[i], func(b *testing.B) {
			for b.Loop() {
				c := command(b, program, "C", "", "", "true")
				c.Stdin = nil
				if err := c.Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
