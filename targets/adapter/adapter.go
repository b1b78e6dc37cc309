// Package adapter runs other people's quoters, splitters, guards and wrappers,
// in any language, as targets. An adapter is a process that speaks the small
// protocol of PROTOCOL.md, a plain filter, a command line, or a function of this
// process.
//
// Adapters run on the host with the user's privileges. They get the bytes of
// payloads and commands to look at and do not execute them; a runner does, and
// is opened only with a place to do so.
package adapter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"
)

// A Mode says how an adapter is asked.
type Mode int

// The modes.
const (
	Frames   Mode = iota // one process, many requests: the protocol
	Filter               // a process for each input, which reads it
	Template             // a process for each input, which is the word {} of its command line
)

// Slot is the word of a command line that a template replaces by the input.
const Slot = "{}"

// A Spec says what to run and what to expect of it.
type Spec struct {
	// Name is for messages.
	Name string
	// Role is what the adapter must be. Frames need none: the hello tells.
	Role Role
	Mode Mode
	// Command is a program and its arguments. No shell reads it.
	Command []string
	// Env is added to the environment, and Dir is the working directory, where
	// they are set.
	Env []string
	Dir string
	// StripNewline takes one newline from the end of what a filter or a template
	// prints.
	StripNewline bool

	// Local is a function of this process that is used in place of a command, as
	// a filter: the answer is what a filter would print. It may return a Refusal.
	Local func(input []byte) ([]byte, error)
	// Version is that of the thing adapted, where no hello tells it.
	Version string

	// Place changes the command of a runner so that it runs where fuzzed text
	// may. A runner without it is not opened.
	Place func(*exec.Cmd) error

	// The bounds, of which 0 is the default: how long the hello and each answer
	// may take, how often the process is started again, and how many bytes an
	// answer may have.
	StartTime  time.Duration
	AnswerTime time.Duration
	Restarts   int
	MaxAnswer  int64
}

// The defaults of a Spec.
const (
	DefaultStartTime  = 30 * time.Second
	DefaultAnswerTime = 10 * time.Second
	DefaultRestarts   = 256
	DefaultMaxAnswer  = 4 << 20
)

// maxFaults bounds how many faults are remembered.
const maxFaults = 256

// An Adapter answers. Its methods can be called by several goroutines; one
// request, or batch, is served at a time.
type Adapter struct {
	spec  Spec
	hello Hello

	mu     sync.Mutex
	s      *session // nil where the next request starts the process
	starts int
	closed bool
	faults []*Fault
}

var errRunner = errors.New("a runner executes the text it is given: say where it may")

// Open starts an adapter and waits for its hello. The error is a Fault where the
// adapter is to blame.
func Open(ctx context.Context, spec Spec) (*Adapter, error) {
	fill(&spec)
	a := &Adapter{spec: spec, hello: Hello{spec.Role, spec.Name, spec.Version}}
	if err := check(spec); err != nil {
		return nil, fmt.Errorf("adapter %s: %w", spec.Name, err)
	}
	if spec.Mode != Frames || spec.Local != nil {
		return a, nil
	}
	s, err := a.session(ctx)
	if err != nil {
		return nil, err
	}
	a.hello = s.hello
	if a.spec.Role == Runner && spec.Place == nil {
		a.Close()
		return nil, fmt.Errorf("adapter %s: %w", spec.Name, errRunner)
	}
	return a, nil
}

func fill(spec *Spec) {
	if spec.StartTime == 0 {
		spec.StartTime = DefaultStartTime
	}
	if spec.AnswerTime == 0 {
		spec.AnswerTime = DefaultAnswerTime
	}
	if spec.Restarts == 0 {
		spec.Restarts = DefaultRestarts
	}
	if spec.MaxAnswer == 0 {
		spec.MaxAnswer = DefaultMaxAnswer
	}
	if spec.Name == "" && len(spec.Command) > 0 {
		spec.Name = spec.Command[0]
	}
}

func check(spec Spec) error {
	slots := 0
	for i, word := range spec.Command {
		if word == Slot && i > 0 {
			slots++
		}
	}
	switch {
	case spec.Local == nil && len(spec.Command) == 0:
		return errors.New("no command")
	case spec.Role == "" && (spec.Local != nil || spec.Mode != Frames):
		return errors.New("a filter and a template need a role")
	case spec.Role != "" && spec.Role.answer() == 0:
		return fmt.Errorf("%q is no role", spec.Role)
	case spec.Role == Runner && spec.Place == nil:
		return errRunner
	case spec.Role == Runner && (spec.Local != nil || spec.Mode != Frames):
		return errors.New("a runner must speak the protocol")
	case spec.Local == nil && spec.Mode == Template && slots != 1:
		return fmt.Errorf("the command line has %d words %s behind the program, not one", slots, Slot)
	}
	return nil
}

// Hello returns what the adapter has said of itself.
func (a *Adapter) Hello() Hello { return a.hello }

// Faults returns the faults so far: those that were returned, and those that did
// not repeat when the input was asked again in a fresh process. The oldest come
// first, and only the first 256 are kept.
func (a *Adapter) Faults() []*Fault {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.faults)
}

// Close ends the adapter: its input ends, and what has not ended soon after that
// is killed. The error is a Fault where it has said something unasked.
func (a *Adapter) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	if a.s == nil {
		return nil
	}
	f := a.s.end()
	a.s = nil
	if f == nil {
		return nil
	}
	return a.note(f)
}

// note remembers a fault.
func (a *Adapter) note(f *Fault) *Fault {
	f.Adapter = a.spec.Name
	if len(a.faults) < maxFaults {
		a.faults = append(a.faults, f)
	}
	return f
}

// drop ends a process that is not to be trusted any more, and gives the fault
// what it has said on standard error.
func (a *Adapter) drop(f *Fault) {
	if a.s == nil {
		return
	}
	a.s.p.kill()
	if f != nil {
		f.Stderr = a.s.p.tail.bytes()
	}
	a.s = nil
}

// command returns the command for one process.
func (a *Adapter) command(words []string) (*exec.Cmd, error) {
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = a.spec.Dir
	if len(a.spec.Env) > 0 {
		cmd.Env = append(os.Environ(), a.spec.Env...)
	}
	if a.spec.Place != nil {
		if err := a.spec.Place(cmd); err != nil {
			return nil, err
		}
	}
	return cmd, nil
}

// session returns the running process, or starts one.
func (a *Adapter) session(ctx context.Context) (*session, error) {
	if a.s != nil {
		return a.s, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if a.starts > a.spec.Restarts {
		f := &Fault{What: GivenUp, Detail: fmt.Sprintf("%d times", a.spec.Restarts)}
		if len(a.faults) > 0 {
			f.Cause = a.faults[len(a.faults)-1]
		}
		f.Adapter = a.spec.Name
		return nil, f
	}
	a.starts++
	cmd, err := a.command(a.spec.Command)
	if err != nil {
		return nil, err
	}
	p, err := launch(cmd)
	if err != nil {
		return nil, a.note(&Fault{What: DidNotStart, Detail: err.Error()})
	}
	a.s = newSession(p, a.spec)
	hello, err := a.s.greet(ctx)
	var f *Fault
	if errors.As(err, &f) {
		a.drop(f)
		return nil, a.note(f)
	}
	if err != nil {
		a.drop(nil)
		a.starts-- // it was not the adapter that ended it
		return nil, err
	}
	a.spec.Role = hello.Role
	return a.s, nil
}
