package pty

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

const (
	// Poll is how often a tool looks whether what it sent has settled.
	Poll = 50 * time.Millisecond
	// DefaultDeadline is how long a tool waits for one command.
	DefaultDeadline = 300 * time.Second

	pause     = 25 * time.Millisecond   // between two sends of one command
	readAfter = 150 * time.Millisecond  // before it, a read of the terminal does not count
	idle      = 3000 * time.Millisecond // silence that ends a send
	idleGrace = 500 * time.Millisecond  // more of it behind a prompt mark
	sendLimit = 30 * time.Second        // for one send
)

var (
	// ErrStart is in the errors of Tool.Start.
	ErrStart = errors.New("the shell did not become ready")
	// ErrBlank says that a command holds nothing but white space.
	ErrBlank = errors.New("blank command")
)

// A Terminal has a shell in it. Its clock may be a false one.
type Terminal interface {
	// Write types input. An error means that the terminal is of no more use.
	Write(input []byte) error
	// Read returns what has been printed since the last call and when the last
	// of it was. It does not wait; nil means that there is nothing.
	Read() (output []byte, last time.Time)
	// Exited reports whether the shell has ended, and if so its exit code, or
	// a number below 0 where that is not known, and the name of the signal
	// that killed it, such as SIGKILL, or "". When it has once reported an
	// end, Read gives all that is left of the output.
	Exited() (ended bool, code int, signal string)
	// Foreground samples the foreground process group.
	Foreground() Group
	// Now reads the clock, by which Sleep sleeps and Read dates.
	Now() time.Time
	Sleep(d time.Duration)
}

// A Group is a sample of the foreground process group of a terminal.
type Group struct {
	// ID is the process group.
	ID int
	// Shell says that the group is the shell's own.
	Shell bool
	// Reads says that one of its processes is blocked in a read, select, poll
	// or epoll of its standard input.
	Reads bool
}

// A Wait is why one send has settled.
type Wait string

// The reasons. WaitCut is not one of the tool's: the deadline of the command
// came first.
const (
	WaitExit    Wait = "session_exit"
	WaitRead    Wait = "stdin_read"
	WaitIdle    Wait = "inferred_idle"
	WaitTimeout Wait = "timeout"
	WaitCut     Wait = "deadline"
)

// A Send is one send of a command that has settled: the first types the line,
// later ones type nothing.
type Send struct {
	Wait Wait
	// Took is the time from the send to the poll that settled it.
	Took time.Duration
}

// A Reason is why a tool returns from a command.
type Reason string

// The reasons. Refused is given for a blank command, Failed for a terminal that
// cannot be written to; Outcome.Err then says more.
const (
	Completed Reason = "completed"
	Deadline  Reason = "deadline"
	Exited    Reason = "exited"
	StdinRead Reason = "stdin-read"
	Refused   Reason = "refused"
	Failed    Reason = "failed"
)

// An Outcome is what a tool returns for a command, and why.
type Outcome struct {
	// Text is what the user of the tool gets to see.
	Text   string
	Reason Reason
	// Status is the exit status of the command if Reason is Completed.
	Status int
	// Waited is the time since the call. The deadline of the first command in
	// a shell counts from earlier than that, so there it can be shorter.
	Waited time.Duration
	// Reset says that the shell has to be killed with all its children, and
	// that the next command needs another one.
	Reset bool
	// Incomplete says that the text lacks its beginning, or that the command
	// never printed the marker before it.
	Incomplete bool
	// Sends are those of the command, in their order.
	Sends []Send
	// Err is set if Reason is Refused or Failed.
	Err error
}

// A Tool sends commands to one shell. It models what such a tool can know: it
// takes a command for finished when the marker behind it comes up, and for
// waiting when the shell or a program seems to read the terminal.
//
// One Tool serves one shell at a time and must not be used concurrently.
type Tool struct {
	// Deadline is for one command; 0 means DefaultDeadline.
	Deadline time.Duration
	// MacOS says that reads of the terminal cannot be seen.
	MacOS bool
	// Begun is when the creation of the shell began, from which the deadline
	// of its first command counts; zero means the call of Start.
	Begun time.Time

	shell *shell
}

// shell is what a Tool knows of its shell.
type shell struct {
	text  Sanitizer
	quiet time.Time // of the last output or send
	until time.Time // the deadline of the first command, or zero
}

func (s *shell) drain(t Terminal) {
	if data, last := t.Read(); len(data) > 0 && s.text.Push(data) && last.After(s.quiet) {
		s.quiet = last
	}
}

func (o *Tool) deadline() time.Duration {
	if o.Deadline > 0 {
		return o.Deadline
	}
	return DefaultDeadline
}

// Start waits until a fresh shell is ready and then sends it the line init.
// Errors are of ErrStart; the terminal is then of no more use.
func (o *Tool) Start(t Terminal, init string) error {
	begun := o.Begun
	if begun.IsZero() {
		begun = t.Now()
	}
	s := &shell{until: begun.Add(o.deadline())}
	o.shell = nil
	for _, step := range []struct{ name, input string }{{"prompt", ""}, {"first line", init + "\r"}} {
		switch send, err := o.send(t, s, []byte(step.input), s.until); {
		case err != nil:
			return fmt.Errorf("%w: %s: %w", ErrStart, step.name, err)
		case send.Wait == WaitExit || send.Wait == WaitTimeout || send.Wait == WaitCut:
			return fmt.Errorf("%w: %s: %s after %s", ErrStart, step.name, send.Wait, send.Took)
		}
	}
	o.shell = s
	return nil
}

// Run sends a command to the shell that Start made ready, and waits. No other
// command may have the same id.
func (o *Tool) Run(t Terminal, command, id string) Outcome {
	if strings.TrimSpace(command) == "" {
		return Outcome{Reason: Refused, Err: ErrBlank}
	}
	return o.RunLine(t, Wrap(command, id), id)
}

// RunLine is Run for a physical line that is not built by Wrap but has the
// markers of the id in the same way. The line lacks the carriage return that
// submits it.
func (o *Tool) RunLine(t Terminal, line, id string) (out Outcome) {
	if o.shell == nil {
		o.shell = new(shell)
	}
	s, begun := o.shell, t.Now()
	until := s.until
	if until.IsZero() {
		until = begun.Add(o.deadline())
	}
	s.until = time.Time{}
	defer func() {
		out.Waited = t.Now().Sub(begun)
		if out.Reset {
			o.shell = nil
		}
	}()

	ended, _, _ := t.Exited()
	s.drain(t)
	from := s.text.Written()
	if ended {
		return exited(t, s, from, id, nil)
	}
	_, end := Markers(id)
	var sends []Send
	for input := []byte(line + "\r"); ; input = nil {
		send, err := o.send(t, s, input, until)
		if err != nil {
			return Outcome{Reason: Failed, Reset: true, Sends: sends, Err: err}
		}
		sends = append(sends, send)
		if !t.Now().Before(until) {
			text, incomplete := partial(&s.text, from, id)
			late := fmt.Sprintf(lateNotice, o.deadline().Round(time.Second)/time.Second)
			text = join(late, render(text, incomplete), resetNotice)
			return Outcome{Text: text, Reason: Deadline, Reset: true, Incomplete: incomplete, Sends: sends}
		}
		if strings.Contains(s.text.Page(), end) {
			if text, status, incomplete, ok := extract(s.text.Text(), id); ok {
				var code string
				if status != 0 {
					code = fmt.Sprintf("[exit code: %d]", status)
				}
				text = join(render(text, incomplete), code)
				return Outcome{Text: text, Reason: Completed, Status: status, Incomplete: incomplete, Sends: sends}
			}
		}
		switch send.Wait {
		case WaitExit:
			return exited(t, s, from, id, sends)
		case WaitRead:
			text, incomplete := partial(&s.text, from, id)
			return Outcome{Text: render(text, incomplete), Reason: StdinRead, Incomplete: incomplete, Sends: sends}
		}
		t.Sleep(pause)
	}
}

// send types input, if there is any, and waits until that has settled or the
// time until is reached.
func (o *Tool) send(t Terminal, s *shell, input []byte, until time.Time) (Send, error) {
	s.drain(t)
	s.text.Forget()
	begun := t.Now()
	s.quiet = begun
	// A group that was already waiting has not answered to the input before it
	// has been seen doing something else. What it does between two polls is
	// not seen.
	before := t.Foreground()
	gated := before.Reads && !o.MacOS
	if len(input) > 0 {
		if err := t.Write(input); err != nil {
			return Send{}, err
		}
	}
	for {
		t.Sleep(min(Poll, max(until.Sub(t.Now()), 0)))
		ended, _, _ := t.Exited()
		s.drain(t)
		now := t.Now()
		took, silence := now.Sub(begun), now.Sub(s.quiet)
		if ended {
			return Send{WaitExit, took}, nil
		}
		group := t.Foreground()
		mark, text := s.text.Prompted()
		if mark && text && silence >= Poll && group.Shell {
			return Send{WaitRead, took}, nil
		}
		reads := group.Reads && !o.MacOS
		if gated && group.ID == before.ID {
			gated, reads = reads, false
		}
		enough := idle
		if mark {
			enough += idleGrace
		}
		switch {
		case reads && took >= readAfter:
			return Send{WaitRead, took}, nil
		case silence >= enough:
			return Send{WaitIdle, took}, nil
		case took >= sendLimit:
			return Send{WaitTimeout, took}, nil
		case !now.Before(until):
			return Send{WaitCut, took}, nil
		}
	}
}

// exited is the outcome for a shell that has ended without an end marker.
func exited(t Terminal, s *shell, from int64, id string, sends []Send) Outcome {
	_, code, signal := t.Exited()
	how := "[shell exited]"
	switch {
	case signal != "":
		how = "[shell killed by signal: " + signal + "]"
	case code >= 0:
		how = fmt.Sprintf("[shell exited: code %d]", code)
	}
	text, incomplete := partial(&s.text, from, id)
	text = join(render(text, incomplete), how, resetNotice)
	return Outcome{Text: text, Reason: Exited, Reset: true, Incomplete: incomplete, Sends: sends}
}
