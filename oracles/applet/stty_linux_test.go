package applet

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// state is what stty can change.
type state struct {
	term unix.Termios
	size unix.Winsize
}

// begin are the states in which the terminals of the tests begin.
func begin(t *testing.T) map[string]state {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	defer master.Close()
	defer slave.Close()
	fresh := look(t, slave)
	fresh.size = unix.Winsize{Row: 24, Col: 80}
	other := fresh
	other.term.Iflag ^= 0x7fff
	other.term.Oflag ^= 0xff
	other.term.Lflag ^= 0x1ffff
	for i := range other.term.Cc {
		other.term.Cc[i] ^= 0x81
	}
	other.size = unix.Winsize{}
	return map[string]state{"fresh": fresh, "other": other}
}

func look(t *testing.T, f *os.File) (s state) {
	t.Helper()
	term, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		t.Fatal(err)
	}
	return state{*term, *size}
}

// sttyTest is a terminal on which the machine's stty and ours run.
type sttyTest struct {
	real  string
	slave *os.File
	begin map[string]state
}

func newSttyTest(t *testing.T) *sttyTest {
	t.Helper()
	s := &sttyTest{real: machine(t, "stty"), begin: begin(t)}
	master, slave, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	s.slave = slave
	// Nothing is written, but a change of packets could block otherwise.
	go io.Copy(io.Discard, master)
	t.Cleanup(func() {
		slave.Close()
		master.Close()
	})
	return s
}

// same runs all, from all beginnings, and compares all that they leave.
func (s *sttyTest) same(t *testing.T, env []string, args ...string) {
	t.Helper()
	type left struct {
		Result result
		State  state
	}
	for name, begin := range s.begin {
		compare(t, fmt.Sprintf("stty %q from %s", args, name), s.real, func(program string) left {
			if err := unix.IoctlSetTermios(int(s.slave.Fd()), unix.TCSETS, &begin.term); err != nil {
				t.Fatal(err)
			}
			if err := unix.IoctlSetWinsize(int(s.slave.Fd()), unix.TIOCSWINSZ, &begin.size); err != nil {
				t.Fatal(err)
			}
			c := command(t, program, "C.UTF-8", "", "", "stty", args...)
			c.Stdin = s.slave
			c.Env = append(c.Env, env...)
			return left{run(t, c), look(t, s.slave)}
		})
	}
}

func TestSttyModes(t *testing.T) {
	s := newSttyTest(t)
	names := []string{"sane"}
	for i := range modes {
		names = append(names, modes[i].name)
	}
	for i := range combinations {
		names = append(names, combinations[i].name)
	}
	for _, name := range names {
		s.same(t, nil, name)
		s.same(t, nil, "-"+name)
	}
}

func TestSttyValues(t *testing.T) {
	s := newSttyTest(t)
	for i := range specials {
		for _, v := range []string{"^C", "^-", "undef", "x", "7"} {
			s.same(t, nil, specials[i].name, v)
		}
		s.same(t, nil, specials[i].name)
		s.same(t, nil, "-"+specials[i].name, "x")
	}
	for _, v := range []string{"", "^?", "^", "^^", "^a", "^é", "^ab", "^[", "^@", "^ ", "\\", "-", "\x01", "\xff", "é", "abc", "10", "010", "0x41", "255", "256", "0377", "-1", "1b", "1B", "b", "99999999999999999999", " 65", "+65", "^1"} {
		s.same(t, nil, "intr", v)
		s.same(t, nil, "min", v)
		s.same(t, nil, "rows", v)
		s.same(t, nil, "columns", v)
	}
	for _, args := range [][]string{
		{"rows"}, {"rows", "70000"}, {"rows", "2147483647"}, {"rows", "2147483648"}, {"cols", "3", "rows", "4", "size"}, {"columns", "5", "-echo", "size"}, {"rows", "9", "nosuch"}, {"rows", "9", "rows", "x"}, {"-rows", "3"}, {"min", "3", "time", "4", "-icanon"}, {"time"}, {"cols", "1", "intr", "abc"},
		{"line", "0"}, {"line", "900"}, {"line", "x"}, {"line"}, {"speed"}, {"9600"}, {"-9600"}, {"9600", "speed"}, {"ospeed", "9600"}, {"ispeed", "9600"}, {"ispeed", "9600", "ospeed", "9600"}, {"ispeed"}, {"12345"},
		{"echo", "-icanon", "intr", "^A"}, {"raw", "-echo"}, {"-raw", "echo"}, {"sane", "-echo"}, {"drain"}, {"-drain"}, {"-drain", "-echo"}, {"drain", "echo"},
		{"nosuch"}, {"-nosuch"}, {"echo", "nosuch"}, {"--nosuch"}, {"--"}, {"--", "-echo"}, {"-a", "--", "echo"}, {"-drain", "-a"}, {"echo", "--"}, {""}, {"-"}, {"ECHO"}, {"it's"}, {"é\n\x01"}, {"‘x’"}, {"1:2:3:4"}, {"500:5"},
		{"500:5:bf:8a3b:3:1c:7f:15:4:0:1:0:11:13:1a:0:12:f:17:16:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0"},
		{"506:1:bf:a3b:4:1c:7f:15:4:0:7:0:11:13:1a:0:12:f:17:16:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0"},
		{"506:1:bf:a3b:400:1c:7f:15:4:0:7:0:11:13:1a:0:12:f:17:16:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0"},
		{"506:1:bf:a3b:4:1c:7f:15:4:0:7:0:11:13:1a:0:12:f:17:16:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0"},
		{"506:1:bf:a3b:4:1c:7f:15:4:0:7:0:11:13:1a:0:12:f:17:16:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:x"},
		{"-a", "echo"}, {"-g", "-echo"}, {"-a", "-g"}, {"-ag"}, {"-ax"}, {"-gx", "echo"}, {"-F"}, {"-F", "/dev/null"}, {"-F", "/no such"}, {"--file=/dev/null", "echo"}, {"--file"}, {"-F/dev/null", "-a"}, {"--fil", "/dev/null"}, {"--a=1"},
	} {
		s.same(t, nil, args...)
	}
}

func TestSttyShows(t *testing.T) {
	s := newSttyTest(t)
	s.same(t, nil, "-g")
	s.same(t, nil, "--save")
	s.same(t, nil, "size")
	for _, columns := range []string{"", "x", "0", "-5", "1", "7", "10", "11", "12", "17", "18", "19", "20", "33", "40", "53", "79", "80", "81", "100", "132", "500", "0x20", "99999999999"} {
		env := []string{"COLUMNS=" + columns}
		s.same(t, env)
		s.same(t, env, "-a")
	}
}

// TestSttyRestores is what -g prints, given back.
func TestSttyRestores(t *testing.T) {
	s := newSttyTest(t)
	c := command(t, "", "C", "", "", "stty", "-g")
	c.Stdin = s.slave
	saved := strings.TrimSpace(run(t, c).out)
	s.same(t, nil, saved)
	s.same(t, nil, "raw", saved, "-echo")
}

// TestSttyWithoutTerminal is a standard input that is none.
func TestSttyWithoutTerminal(t *testing.T) {
	real := machine(t, "stty")
	for _, args := range [][]string{
		nil, {"-a"}, {"-g"}, {"size"}, {"echo"}, {"rows", "x"}, {"rows", "3"}, {"intr", "abc"}, {"min", "x"}, {"nosuch"}, {"intr"}, {"line", "x"}, {"9600"}, {"speed"}, {"raw"}, {"sane", "nosuch"}, {"ispeed", "9600"}, {"drain"},
	} {
		same(t, real, "", "", "stty", args...)
	}
}
