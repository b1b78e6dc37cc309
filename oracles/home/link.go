package home

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/pty"
)

// patience is how long an agent may take for its answer beyond the bound on a
// run, before it counts as dead.
const patience = 30 * time.Second

// A link speaks with an agent over the standard streams of its process. It is
// the Home of every kind.
type link struct {
	name   string
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *tail
	linkOptions
	layout  wire.Layout
	stood   bool // whether the home ever stood
	next    uint64
	parked  func() // called when everything in a run sleeps; may be nil
	dead    error
	once    sync.Once
	removed sync.Once
}

// dialWith starts the agent's process, sends it the files of its home and waits
// until that stands.
func dialWith(ctx context.Context, name string, cmd *exec.Cmd, nodes []wire.Node, setup wire.Setup, o linkOptions) (*link, error) {
	l := &link{name: name, cmd: cmd, stderr: &tail{}, linkOptions: o}
	cmd.Stderr = l.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	l.in, l.out = in, bufio.NewReaderSize(out, 1<<16)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	sent := make(chan error, 1)
	go func() { sent <- l.furnish(nodes, setup) }()
	f, err := l.await(ctx, l.patience, func() (wire.Frame, error) { return wire.ReadFrame(l.out) })
	if err != nil {
		err = l.fail(err)
	} else if f.Kind == wire.Fault {
		err = errors.New(string(f.Body))
	} else if f.Kind != wire.Ready {
		err = fmt.Errorf("the agent's first frame is %q", f.Kind)
	} else if l.layout, err = wire.DecodeLayout(f.Body); err == nil && l.layout.Version != wire.Version {
		err = fmt.Errorf("the agent speaks version %d of the protocol, argvdiff speaks %d", l.layout.Version, wire.Version)
	}
	if err == nil {
		err = <-sent
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	l.stood = true
	return l, nil
}

func (l *link) furnish(nodes []wire.Node, setup wire.Setup) error {
	for _, n := range nodes {
		if _, err := l.in.Write(wire.AppendFrame(nil, wire.Frame{Kind: wire.File, Body: n.Encode()})); err != nil {
			return err
		}
	}
	_, err := l.in.Write(wire.AppendFrame(nil, wire.Frame{Kind: wire.Start, Body: setup.Encode()}))
	return err
}

func (l *link) Layout() wire.Layout { return l.layout }

func (l *link) Run(ctx context.Context, requests ...wire.Request) ([]wire.Result, error) {
	if l.dead != nil {
		return nil, l.dead
	}
	first := l.next
	l.next += uint64(len(requests))
	var text []byte
	bound := l.patience
	for i, r := range requests {
		text = wire.AppendFrame(text, wire.Frame{Kind: wire.Run, ID: first + uint64(i), Body: r.Encode()})
		bound += max(r.Limits.Wall, wire.DefaultWall)
	}
	sent := make(chan error, 1)
	send := func() {
		_, err := l.in.Write(text)
		sent <- err
	}
	if len(text) < 32<<10 {
		send() // a pipe takes this much without a reader
	} else {
		go send()
	}
	results := make([]wire.Result, 0, len(requests))
	_, err := l.await(ctx, bound, func() (f wire.Frame, err error) {
		for i := range requests {
			for f.Kind = wire.Parked; f.Kind == wire.Parked; {
				if f, err = wire.ReadFrame(l.out); err != nil {
					return f, err
				}
				if f.Kind == wire.Parked && l.parked != nil {
					l.parked()
				}
			}
			if f.Kind == wire.Fault {
				return f, errors.New(string(f.Body))
			}
			if f.Kind != wire.Done || f.ID != first+uint64(i) {
				return f, fmt.Errorf("unexpected frame %q with number %d", f.Kind, f.ID)
			}
			r, err := wire.DecodeResult(f.Body)
			if err != nil {
				return f, err
			}
			results = append(results, r)
		}
		return f, <-sent
	})
	if err != nil {
		return nil, l.fail(err)
	}
	return results, nil
}

// Loop starts a program many times in the home.
func (l *link) Loop(ctx context.Context, loop wire.Loop) (wire.Lap, error) {
	body, err := l.ask(ctx, wire.Repeat, loop.Encode(), wire.Repeated, loop.For)
	if err != nil {
		return wire.Lap{}, err
	}
	return wire.DecodeLap(body)
}

// Type types lines into interactive shells in the home.
func (l *link) Type(ctx context.Context, t wire.Typing) (wire.Typescript, error) {
	if len(t.Sessions) > 1 {
		l.parked = nil // the lines behind one that sleeps need a processor again
	}
	// A line may be late by its background children; a fresh shell by its start.
	var bound time.Duration
	for _, s := range t.Sessions {
		bound += time.Duration(len(s.Lines)+1)*(cmp.Or(t.Limits.Wall, wire.DefaultWall)+time.Second) + freshTime
	}
	body, err := l.ask(ctx, wire.Type, t.Encode(), wire.Script, bound)
	if err != nil {
		return wire.Typescript{}, err
	}
	return wire.DecodeTypescript(body)
}

// Play sends commands as the modelled tool does.
func (l *link) Play(ctx context.Context, p wire.Playing) ([]wire.Answer, error) {
	const week = 7 * 24 * time.Hour // longer than anybody waits
	var bound time.Duration
	for range p.Commands {
		// Besides the deadline there is the end of the shell.
		bound = min(bound+min(cmp.Or(p.Deadline, pty.DefaultDeadline), week)+wire.DefaultWall, week)
	}
	body, err := l.ask(ctx, wire.Play, p.Encode(), wire.Answered, bound)
	if err != nil {
		return nil, err
	}
	answers, err := wire.DecodeAnswers(body)
	if err == nil && len(answers) != len(p.Commands) {
		err = fmt.Errorf("%d answers to %d commands", len(answers), len(p.Commands))
	}
	return answers, err
}

// freshTime is how long the start of a shell in a terminal may take.
const freshTime = 5 * time.Second

// ask sends one question and returns the body of its answer, which may take as
// long as the bound says, beyond what an agent may take anyway.
func (l *link) ask(ctx context.Context, kind wire.Kind, body []byte, answer wire.Kind, bound time.Duration) ([]byte, error) {
	if l.dead != nil {
		return nil, l.dead
	}
	id := l.next
	l.next++
	f, err := l.await(ctx, l.patience+bound, func() (f wire.Frame, err error) {
		if _, err := l.in.Write(wire.AppendFrame(nil, wire.Frame{Kind: kind, ID: id, Body: body})); err != nil {
			return f, err
		}
		for f.Kind = wire.Parked; f.Kind == wire.Parked; {
			if f, err = wire.ReadFrame(l.out); err != nil {
				return f, err
			}
			if f.Kind == wire.Parked && l.parked != nil {
				l.parked()
			}
		}
		switch {
		case f.Kind == wire.Fault:
			return f, errors.New(string(f.Body))
		case f.Kind != answer || f.ID != id:
			return f, fmt.Errorf("unexpected frame %q with number %d", f.Kind, f.ID)
		}
		return f, nil
	})
	if err != nil {
		return nil, l.fail(err)
	}
	return f.Body, nil
}

// CPU is the processor time of the agent and of all that has ended in the home,
// to a hundredth of a second, if it can be told.
func (l *link) CPU() (sum time.Duration, ok bool) {
	if l.remove != nil {
		return 0, false // the process here only passes on what a container says
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", l.cmd.Process.Pid))
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(fields) < 15 {
		return 0, false
	}
	for _, f := range fields[11:15] { // of its own and of its children, in user and system mode
		n, err := strconv.ParseInt(string(f), 10, 64)
		if err != nil {
			return 0, false
		}
		sum += time.Duration(n) * 10 * time.Millisecond
	}
	return sum, true
}

// await calls read, and ends the agent where the context or the bound ends
// first.
func (l *link) await(ctx context.Context, bound time.Duration, read func() (wire.Frame, error)) (wire.Frame, error) {
	late := time.AfterFunc(bound, l.end)
	defer late.Stop()
	stop := context.AfterFunc(ctx, l.end)
	defer stop()
	f, err := read()
	if ctx.Err() != nil {
		return f, ctx.Err()
	}
	return f, err
}

// end ends the agent and its case. In namespaces the kernel clears up behind
// it; on the bare host nobody else does, so there it gets a second for that.
func (l *link) end() {
	if l.name == bareHost {
		l.in.Close()
		time.AfterFunc(time.Second, func() { l.cmd.Process.Kill() })
		return
	}
	l.kill()
}

// kill ends the agent's process and what that leaves standing.
func (l *link) kill() {
	l.cmd.Process.Kill()
	if l.remove != nil {
		l.removed.Do(l.remove)
	}
}

// fail marks the home as dead and says why, with what the agent has said.
func (l *link) fail(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		l.dead = err
		return err
	}
	l.kill()
	// The agent's last words come with the end of its process.
	state := "running"
	if werr := l.wait(); werr != nil {
		state = werr.Error()
	}
	if said := l.stderr.String(); said != "" {
		err = fmt.Errorf("%w (agent: %s; %s)", err, state, said)
	}
	l.dead = &Fault{Home: l.name, Err: err}
	return l.dead
}

func (l *link) wait() (err error) {
	l.once.Do(func() { err = l.cmd.Wait() })
	return err
}

// closeTime is how long an agent may take for its end.
const closeTime = time.Second

// Close ends the agent by ending its input, and by force where that does not
// help in time.
func (l *link) Close() error {
	l.in.Close()
	late := time.AfterFunc(closeTime, l.kill)
	defer late.Stop()
	io.Copy(io.Discard, l.out)
	l.wait()
	if (l.dead != nil || !l.stood) && l.remove != nil {
		l.removed.Do(l.remove) // it did not end by itself
	}
	if l.dead == nil {
		l.dead = &Fault{Home: l.name, Err: errors.New("closed")}
	}
	return nil
}

// A tail keeps the end of what is written to it, on one line.
type tail struct {
	mu sync.Mutex
	b  []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p...)
	if over := len(t.b) - 2048; over > 0 {
		t.b = append(t.b[:0], t.b[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.ReplaceAll(bytes.TrimSpace(t.b), []byte("\n"), []byte(" | ")))
}
