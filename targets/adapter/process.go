package adapter

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// tailBytes is how much of the end of a standard error is kept.
const tailBytes = 4 << 10

// graceTime is how long a process that has ended, or that was told to, may take
// until its streams have ended too.
const graceTime = time.Second

// A process is a started adapter, the leader of a process group of its own.
type process struct {
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File
	stderr *os.File

	tail     tail
	tailDone chan struct{}

	// done is closed when the leader has ended; state is valid from then on.
	done  chan struct{}
	state *os.ProcessState

	mu     sync.Mutex
	capped bool // reads wait no longer than last
	last   time.Time
}

// launch starts a command in a process group of its own.
func launch(cmd *exec.Cmd) (p *process, err error) {
	var pipes []*os.File
	pipe := func() (r, w *os.File) {
		if err != nil {
			return nil, nil
		}
		if r, w, err = os.Pipe(); err == nil {
			pipes = append(pipes, r, w)
		}
		return r, w
	}
	p = &process{cmd: cmd, tailDone: make(chan struct{}), done: make(chan struct{})}
	in, inEnd := pipe()
	outEnd, out := pipe()
	errsEnd, errs := pipe()
	if err == nil {
		p.stdin, p.stdout, p.stderr = inEnd, outEnd, errsEnd
		cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, errs
		if cmd.SysProcAttr == nil {
			cmd.SysProcAttr = &syscall.SysProcAttr{}
		}
		cmd.SysProcAttr.Setpgid = true
		err = cmd.Start()
	}
	if err != nil {
		for _, f := range pipes {
			f.Close()
		}
		return nil, err
	}
	in.Close()
	out.Close()
	errs.Close()
	go func() {
		io.Copy(&p.tail, p.stderr)
		close(p.tailDone)
	}()
	go p.wait()
	return p, nil
}

// wait reaps the leader, and ends what it leaves behind: a child that keeps the
// output open would otherwise look like an adapter that sleeps.
func (p *process) wait() {
	p.state, _ = p.cmd.Process.Wait()
	p.signalGroup()
	p.cap(time.Now().Add(graceTime))
	close(p.done)
}

// cap says that no read of the output waits longer from now on.
func (p *process) cap(t time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.capped || t.Before(p.last) {
		p.capped, p.last = true, t
		p.stdout.SetReadDeadline(t)
	}
}

func (p *process) signalGroup() { syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }

// deadline sets the time at which a read of the output gives up.
func (p *process) deadline(t time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.capped && p.last.Before(t) {
		t = p.last
	}
	p.stdout.SetReadDeadline(t)
}

// exited reports whether the leader ends within that time.
func (p *process) exited(within time.Duration) bool {
	select {
	case <-p.done:
		return true
	default:
	}
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-p.done:
		return true
	case <-timer.C:
		return false
	}
}

// kill ends the whole group and returns when nothing of it is left here: the
// leader is reaped, the streams are closed and what was written to standard
// error is known.
func (p *process) kill() {
	p.interrupt()
	<-p.done
	p.stdin.Close()
	p.stdout.Close()
	p.stderr.SetReadDeadline(time.Now().Add(graceTime))
	<-p.tailDone
	p.stderr.Close()
}

// interrupt ends the group, unless the leader is reaped already: then wait has
// done it, and the number may be somebody else's.
func (p *process) interrupt() {
	select {
	case <-p.done:
	default:
		p.signalGroup()
	}
}

// how says how the leader ended.
func how(s *os.ProcessState) string {
	if s == nil {
		return "in an unknown way"
	}
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return fmt.Sprintf("by signal %d (%s)", int(w.Signal()), w.Signal())
	}
	return fmt.Sprintf("with status %d", s.ExitCode())
}

// tail keeps the end of what is written to it.
type tail struct {
	mu sync.Mutex
	b  []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p...)
	if len(t.b) > 2*tailBytes {
		t.b = append(t.b[:0], t.b[len(t.b)-tailBytes:]...)
	}
	return len(p), nil
}

func (t *tail) bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]byte(nil), t.b[max(0, len(t.b)-tailBytes):]...)
}
