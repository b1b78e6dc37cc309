//go:build amd64 || arm64

package agent

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"
	"syscall"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

// openTerminal opens a new terminal. The kernel gives those back late that were closed,
// so that on a busy machine there may be none for a moment.
func openTerminal() (master, slave *os.File, err error) {
	for range 100 {
		if master, slave, err = pty.Open(); !errors.Is(err, unix.ENOSPC) {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	return master, slave, err
}

// A terminal is an interactive shell in a terminal of its own, which stands from
// one line to the next.
type terminal struct {
	p       *place
	key     string // what it was started with
	prompt  []byte
	pid     int
	pidfd   int
	master  int
	slave   int // so that its state can be asked for when the shell has ended too
	call    int // /proc/PID/syscall of the shell, -1 where it cannot be read
	slices  int // /proc/PID/schedstat of the shell, or what else tells that it ran
	family  []int
	records collector
	modes   unix.Termios // once the shell is ready
	name    string       // of the terminal
	program string       // the file of the shell, as the kernel names it
	exited  bool
	status  int
	signal  string // that has killed the shell, by its name

	out  []byte // what arrived since the line was typed
	rest []byte // what could not be typed yet
}

// open starts a shell in a fresh terminal.
func (p *place) open(t wire.Typing, key string) (*terminal, error) {
	w := &terminal{p: p, key: key, prompt: t.Prompt, pidfd: -1, master: -1, slave: -1, call: -1, slices: -1}
	w.records = collector{listener: p.listener, bound: maxRecordBytes}
	master, slave, err := openTerminal()
	if err != nil {
		return w, fmt.Errorf("opening a terminal: %w", err)
	}
	defer master.Close()
	defer slave.Close()
	if err := pty.Setsize(master, &pty.Winsize{Rows: uint16(t.Rows), Cols: uint16(t.Columns)}); err != nil {
		return w, fmt.Errorf("setting the size of a terminal: %w", err)
	}
	if w.master, err = dup(master.Fd()); err != nil {
		return w, err
	}
	if w.slave, err = dup(slave.Fd()); err != nil {
		return w, err
	}
	if err := unix.SetNonblock(w.master, true); err != nil {
		return w, err
	}
	end := uintptr(w.slave)
	attr := &syscall.SysProcAttr{Setsid: true, Setctty: true, PidFD: &w.pidfd}
	if w.pid, err = p.launch(t.Argv, t.Env, []uintptr{end, end, end}, attr, p.terminalLimits); err != nil {
		return w, err
	}
	w.observe()
	w.program, _ = os.Readlink(w.exe())
	w.name, _ = os.Readlink(fmt.Sprintf("/proc/self/fd/%d", w.slave))
	return w, nil
}

// observe opens what tells of the shell. Some kernels do not let anybody look: then
// time has to tell.
func (w *terminal) observe() {
	look := func(format string, of ...any) int {
		fd, err := unix.Open(fmt.Sprintf("/proc/"+format, of...), unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err != nil || w.p.blind && !strings.HasSuffix(format, "/status") {
			unix.Close(fd)
			return -1
		}
		return fd
	}
	w.call = look("%d/syscall", w.pid)
	if w.slices = look("%d/schedstat", w.pid); w.slices < 0 {
		w.slices = look("%d/status", w.pid) // which counts its turns, too
	}
	// The children of the shell, and orphans, which become those of the agent.
	for _, of := range [][2]int{{w.pid, w.pid}, {unix.Getpid(), unix.Getpid()}, {unix.Getpid(), unix.Gettid()}} {
		if fd := look("%d/task/%d/children", of[0], of[1]); fd >= 0 {
			w.family = append(w.family, fd)
		}
	}
}

// end ends the shell and everything in the home besides the agent.
func (w *terminal) end() error {
	if w.pid == 0 {
		return nil
	}
	deadline := time.Now().Add(10 * time.Second)
	for {
		w.p.killAll(w.pid)
		none, err := w.reap()
		if err != nil {
			return err
		}
		if none {
			w.pid = 0
			return nil
		}
		if time.Now().After(deadline) {
			return errors.New("a process of the session cannot be ended")
		}
		fds := []unix.PollFd{{Fd: int32(w.pidfd), Events: unix.POLLIN}}
		if w.exited || w.pidfd < 0 {
			time.Sleep(50 * time.Microsecond)
		} else if _, err := unix.Poll(fds, 5); err != nil && err != unix.EINTR {
			return fmt.Errorf("poll: %w", err)
		}
	}
}

// close is end, and gives up the terminal.
func (w *terminal) close() error {
	if err := w.end(); err != nil {
		return err
	}
	for _, fd := range append(w.family, w.pidfd, w.master, w.slave, w.call, w.slices) {
		if fd >= 0 {
			unix.Close(fd)
		}
	}
	w.records.close()
	w.p.terminal = nil
	return nil
}

// replace ends the shell in a terminal that stands, if one does.
func (p *place) replace() error {
	if p.terminal == nil {
		return nil
	}
	if err := p.terminal.close(); err != nil {
		return err
	}
	return p.sweep()
}

// reap takes the children that have ended and reports whether none is left.
func (w *terminal) reap() (none bool, err error) {
	return reap(func(pid int, status unix.WaitStatus) {
		if pid != w.pid {
			return
		}
		w.exited = true
		w.status = status.ExitStatus()
		if status.Signaled() {
			w.status = 128 + int(status.Signal())
			w.signal = cmp.Or(unix.SignalName(status.Signal()), fmt.Sprintf("SIG%d", int(status.Signal())))
		}
	})
}

// drain takes what has arrived on the terminal, up to a bound for each call.
func (w *terminal) drain() (moved bool) {
	for range 16 {
		n, err := retry(func() (int, error) { return unix.Read(w.master, w.p.buf) })
		if err != nil || n <= 0 {
			return moved
		}
		moved = true
		w.out = append(w.out, w.p.buf[:n]...)
		if n < 4096 {
			return moved // what the kernel hands out at once
		}
	}
	return moved
}

// feed types what the terminal takes.
func (w *terminal) feed() (moved bool) {
	for len(w.rest) > 0 {
		n, err := retry(func() (int, error) { return unix.Write(w.master, w.rest) })
		if err != nil || n <= 0 {
			return moved
		}
		w.rest, moved = w.rest[n:], true
	}
	return moved
}

// prompted reports whether the last thing on the terminal is the prompt.
func (w *terminal) prompted() bool { return bytes.HasSuffix(w.out, w.prompt) }

// asksForMore reports whether the last thing on the terminal is bash's secondary
// prompt.
func (w *terminal) asksForMore() bool {
	return bytes.HasSuffix(w.out, []byte("\n> ")) || bytes.HasSuffix(w.out, []byte("\a> ")) || bytes.HasSuffix(w.out, []byte("> > ")) || string(w.out) == "> "
}

// unread is how many bytes wait in the terminal to be read by a program.
func (w *terminal) unread() int {
	// What was typed reaches the other end by a worker of the kernel, which may be
	// late. A poll of that end waits for it; the question by itself does not.
	fds := []unix.PollFd{{Fd: int32(w.slave), Events: unix.POLLIN}}
	_, _ = unix.Poll(fds, 0)
	n, err := unix.IoctlGetInt(w.slave, unix.TIOCINQ)
	if err != nil {
		return 0
	}
	return n
}

// reads reports whether the shell is blocked in a read of its input, with all
// that was typed taken.
func (w *terminal) reads() bool {
	if len(w.rest) > 0 || w.unread() > 0 {
		return false
	}
	if w.call < 0 {
		// In this order: one that ends meanwhile has woken the shell.
		return w.foreground() == w.pid && !w.p.shared(w.pid) && w.p.asleep(w.pid)
	}
	n, err := unix.Pread(w.call, w.p.buf, 0)
	return err == nil && waitsForInput(w.p.buf[:max(n, 0)])
}

// writes reports whether the shell is blocked in a write to its terminal, of which
// everything was taken: the terminal is stopped.
func (w *terminal) writes() bool {
	if w.call < 0 {
		return false
	}
	n, err := unix.Pread(w.call, w.p.buf, 0)
	return err == nil && bytes.HasPrefix(w.p.buf[:max(n, 0)], writeCall)
}

// turns is how often the shell was given a processor.
func (w *terminal) turns() string {
	n, err := unix.Pread(w.slices, w.p.buf, 0)
	if err != nil {
		return ""
	}
	return string(w.p.buf[:n])
}

func (w *terminal) exe() string { return fmt.Sprintf("/proc/%d/exe", w.pid) }

// typedInto reports whether the standard input of a process is the terminal, as far
// as can be told.
func (w *terminal) typedInto(pid int) bool {
	name, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/0", pid))
	return err != nil || name == w.name
}

// replaced reports whether the shell has executed another program in its place.
func (w *terminal) replaced() bool {
	program, err := os.Readlink(w.exe())
	return err == nil && program != w.program
}

// foreground is the process group that owns the terminal.
func (w *terminal) foreground() int {
	group, err := unix.IoctlGetInt(w.master, unix.TIOCGPGRP)
	if err != nil {
		return w.pid
	}
	return group
}

// alone reports whether no process but the shell is left.
func (w *terminal) alone() bool {
	if len(w.family) < 3 || w.p.mode == Bare {
		return len(w.p.pids()) <= 1
	}
	for i, fd := range w.family {
		if i == 2 && unix.Getpid() == unix.Gettid() {
			break
		}
		n, err := unix.Pread(fd, w.p.buf, 0)
		if err != nil {
			return false
		}
		// The shell itself stands in one of the agent's lists.
		if fields := bytes.Fields(w.p.buf[:n]); len(fields) > 1 || len(fields) == 1 && (i == 0 || string(fields[0]) != fmt.Sprint(w.pid)) {
			return false
		}
	}
	return true
}

// healthy reports whether the shell may serve another session.
func (w *terminal) healthy() bool {
	if w.exited || w.foreground() != w.pid || !w.alone() {
		return false
	}
	modes, err := unix.IoctlGetTermios(w.slave, unix.TCGETS)
	if err != nil || *modes != w.modes {
		return false
	}
	return w.tidy() == nil
}

var errMoved = errors.New("the working folder is another one")

// tidy empties the scratch folders below a shell that stands in one of them.
func (w *terminal) tidy() error {
	p := w.p
	if p.untouched() {
		return nil
	}
	if !p.sound() {
		return errMoved
	}
	p.unlock()
	if err := empty(p.layout.Work, ""); err != nil {
		return err
	}
	return empty(p.layout.Temp, path.Base(p.layout.Work))
}
