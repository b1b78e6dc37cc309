// Package applet is a few small GNU tools inside the argvdiff binary: started in
// a home under the name of one of them, the binary is that tool.
//
// Commands that are typed into an interactive shell need these tools to be real.
// What they print, and the status with which they end, is what GNU coreutils 9.1
// and GNU diffutils 3.8 print and end with.
package applet

import (
	"os"
	"path"
	"runtime"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/argvdiff/argvdiff/targets/program"
)

// Names are the applets that do their work, besides the wrappers of package program,
// of which only that is left that they execute what they wrap.
var Names = []string{"stty", "cat", "sleep", "cmp", "true", "false"}

// executable is the file as which the binary lies in a home.
const executable = "argvdiff-agent"

// Is returns the applet as which a process was started. It needs both argv[0]
// and the path of the executable, so that nothing happens where a user merely
// gives the binary such a name.
func Is(argv0, executablePath string) (name string, ok bool) {
	name = path.Base(argv0)
	if !slices.Contains(Names, name) && !slices.Contains(program.Wrappers, name) || path.Base(executablePath) != executable {
		return "", false
	}
	return name, true
}

// Main runs one applet and returns its exit status. The name may be all of
// argv[0]: its last element chooses the applet, and messages begin with all of it,
// as those of the GNU tools do.
//
// It takes over the process: signals that the Go runtime would catch end it from
// then on, and the caller is expected to exit with the status.
func Main(name string, args []string, stdin, stdout, stderr *os.File) (status int) {
	t := &tool{name: name, in: int(stdin.Fd()), out: int(stdout.Fd()), err: int(stderr.Fd())}
	switch path.Base(name) {
	case "true":
		return 0
	case "false":
		return 1
	}
	defaultSignals()
	switch path.Base(name) {
	case "cat":
		status = t.cat(args)
	case "cmp":
		status = t.cmp(args)
	case "sleep":
		status = t.sleep(args)
	case "stty":
		status = t.stty(args)
	default:
		status = t.wrap(args)
	}
	runtime.KeepAlive(stdin)
	runtime.KeepAlive(stdout)
	runtime.KeepAlive(stderr)
	return status
}

// A tool is a running applet: what its messages begin with, and its descriptors.
// They are used as they are, since os.File would wait for a descriptor that does
// not block.
type tool struct {
	name         string
	in, out, err int
}

// warn writes one message.
func (t *tool) warn(message string) {
	writeAll(t.err, []byte(t.name+": "+message+"\n"))
}

// fail writes one message and returns the status of failure.
func (t *tool) fail(message string) int {
	t.warn(message)
	return 1
}

// misused is fail with the pointer to the help.
func (t *tool) misused(message string) int {
	if message != "" {
		message = t.name + ": " + message + "\n"
	}
	writeAll(t.err, []byte(message+"Try '"+t.name+" --help' for more information.\n"))
	return 1
}

// tell writes the help, or the version, and returns the status.
func (t *tool) tell(option, usage string) int {
	text := "Usage: " + t.name + " " + usage + "\n"
	if option == "version" {
		text = path.Base(t.name) + " (argvdiff)\n"
	}
	return t.print([]byte(text))
}

// print writes the whole output of a tool and returns the status.
func (t *tool) print(b []byte) int {
	if err := writeAll(t.out, b); err != nil {
		return t.fail("write error: " + problem(err))
	}
	return 0
}

// problem is the text of an error of the system as the C library has it.
func problem(err error) string {
	s := []byte(err.Error())
	if len(s) > 0 && 'a' <= s[0] && s[0] <= 'z' {
		s[0] -= 'a' - 'A'
	}
	return string(s)
}

// open opens a file for reading.
func open(name string, flags int) (fd int, err error) {
	return again(func() (int, error) {
		return unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC|flags, 0)
	})
}

// read reads what there is.
func read(fd int, b []byte) (n int, err error) {
	return again(func() (int, error) { return unix.Read(fd, b) })
}

// writeAll writes all of b.
func writeAll(fd int, b []byte) error {
	for len(b) > 0 {
		n, err := again(func() (int, error) { return unix.Write(fd, b) })
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

// again repeats a call that a signal interrupts.
func again(call func() (int, error)) (n int, err error) {
	for {
		if n, err = call(); err != unix.EINTR {
			return n, err
		}
	}
}

// appendVisible appends a byte as ^X and M-X notation has it.
func appendVisible(b []byte, c byte) []byte {
	if c >= 0x80 {
		b = append(b, "M-"...)
		c -= 0x80
	}
	switch {
	case c < ' ':
		return append(b, '^', c+'@')
	case c == 0x7f:
		return append(b, "^?"...)
	}
	return append(b, c)
}
