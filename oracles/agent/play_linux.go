//go:build amd64 || arm64

package agent

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/pty"
)

// A play is the modelled tool at work: for one shell after the other.
type play struct {
	p     *place
	asked wire.Playing
	tool  *pty.Tool
	stage *stage // nil before the first command and behind a reset
	left  int    // of what records may hold, all together
}

// playing lets the modelled tool send all commands. An error is a fault of ours.
func (p *place) playing(asked wire.Playing) (answers []wire.Answer, err error) {
	y := &play{p: p, asked: asked, left: maxScript, tool: &pty.Tool{Deadline: asked.Deadline, MacOS: asked.MacOS}}
	// The deadline is the only bound on time.
	bounds := p.terminalLimits
	p.terminalLimits = slices.DeleteFunc(slices.Clone(bounds), func(l limit) bool { return l.id == unix.RLIMIT_CPU })
	defer func() { p.terminalLimits = bounds }()
	for _, c := range asked.Commands {
		a, err := y.command(c)
		if err != nil {
			return nil, err
		}
		answers = append(answers, a)
	}
	if y.stage != nil {
		if err := y.stage.close(); err != nil {
			return nil, err
		}
	}
	return answers, p.sweep()
}

// command lets the tool send one command. What commands have left in files stays
// for the next one, whether or not the shell does.
func (y *play) command(c wire.Command) (a wire.Answer, err error) {
	var failed error
	if y.stage == nil {
		a.Fresh = true
		failed, err = y.start()
	}
	s := y.stage
	if err == nil && failed == nil && c.File != "" {
		failed = s.put(c.File, c.Data)
	}
	if err == nil && failed == nil {
		s.receive() // a call comes later than the answer before it
		s.records.bound = min(maxRecordBytes, max(y.left, fewPages))
		a.Outcome = y.tool.RunLine(s, string(c.Text), c.ID)
		failed, err = s.over, s.fault
	}
	if err != nil {
		return a, err
	}
	if failed != nil {
		a.Outcome = pty.Outcome{Reason: pty.Failed, Reset: true, Sends: a.Sends, Waited: a.Waited, Err: failed}
	}
	if a.Reset {
		// The tool gives the processes time to end by themselves, which changes
		// nothing of what it answers.
		err = s.end()
		s.gather()
		s.records.finish()
		y.left -= s.records.size
		a.Records = s.take()
		y.stage = nil
		return a, errors.Join(err, s.fault, s.close())
	}
	s.gather()
	if s.over != nil && a.Err == nil {
		a.Reason, a.Err = pty.Failed, s.over
	}
	y.left -= s.records.size
	a.Records = s.take()
	return a, s.fault
}

// start makes a shell, as the tool does. It says why where it does not become
// ready.
func (y *play) start() (failed, err error) {
	y.tool.Begun = time.Now()
	w, err := y.p.open(wire.Typing{Argv: y.asked.Argv, Env: y.asked.Env, Rows: y.asked.Rows, Columns: y.asked.Columns}, "")
	y.p.terminal = w
	y.stage = &stage{terminal: w, bound: y.asked.Limits.Output, next: y.tool.Begun}
	for _, theirs := range []error{unix.E2BIG, unix.EINVAL, unix.ENOENT, unix.EACCES} {
		if errors.Is(err, theirs) {
			return err, nil // of the environment, or of what commands did to the folder
		}
	}
	if err != nil {
		return nil, err
	}
	failed = y.tool.Start(y.stage, string(y.asked.Begin))
	if y.stage.over != nil {
		failed = y.stage.over
	}
	y.stage.terminal.take()
	return failed, y.stage.fault
}

// A stage is the terminal in which the tool plays.
type stage struct {
	*terminal
	bound  int       // on the bytes that one command may print
	last   time.Time // when the newest of them arrived
	next   time.Time // of the next look at the processes
	parked bool
	over   error // the bound that a command has reached: the shell counts as ended
	fault  error // likewise, of ours
}

// Write types the input. What the terminal does not take at once follows later.
func (s *stage) Write(input []byte) error {
	s.rest = append(s.rest, input...)
	s.feed()
	return nil
}

// Read returns what has been received since the last call. That happens in Sleep: a
// tool that waits for events, too, has seen nothing of a fresh shell when its first
// send begins.
func (s *stage) Read() ([]byte, time.Time) {
	out := s.out
	s.out = nil
	return out, s.last
}

// receive takes what has arrived, and notes when. It reports whether that was
// anything.
func (s *stage) receive() bool {
	if s.over != nil || !s.drain() {
		return false
	}
	s.last = time.Now()
	// The tool takes it at each of its looks, so that this much is left only by what
	// prints without end faster than anybody reads.
	if len(s.out) > s.bound {
		s.over = fmt.Errorf("the command printed more than %d bytes between two looks of the tool", s.bound)
	}
	return true
}

// Exited reports whether the shell has ended, and how.
func (s *stage) Exited() (ended bool, code int, signal string) {
	s.notice()
	switch {
	case s.over != nil || s.fault != nil:
		return true, -1, ""
	case s.signal != "":
		return s.exited, -1, s.signal
	}
	return s.exited, s.status, ""
}

// notice takes the children that have ended. Behind the end of the shell it takes
// all that is left on the terminal.
func (s *stage) notice() {
	if s.exited || s.fault != nil {
		return
	}
	if _, s.fault = s.reap(); s.exited {
		for s.receive() {
		}
	}
}

// Foreground samples the foreground process group.
func (s *stage) Foreground() pty.Group {
	group := s.foreground()
	return pty.Group{ID: group, Shell: group == s.pid, Reads: s.p.inputWanted(group, 0, nil)}
}

// Now reads the clock.
func (s *stage) Now() time.Time { return time.Now() }

// Sleep waits and attends to the terminal.
func (s *stage) Sleep(d time.Duration) {
	until := time.Now().Add(d)
	for now := time.Now(); now.Before(until) && s.over == nil && s.fault == nil; now = time.Now() {
		if !now.Before(s.next) {
			s.next = now.Add(tick)
			s.look()
		}
		s.wait(min(until.Sub(now), max(0, s.next.Sub(now))))
	}
}

// wait waits for something to attend to.
func (s *stage) wait(d time.Duration) {
	fds := [3]unix.PollFd{
		{Fd: 0}, // only whether it is hung up
		{Fd: int32(s.pidfd), Events: unix.POLLIN},
		{Fd: int32(s.master), Events: unix.POLLIN},
	}
	if s.exited {
		fds[1].Fd, fds[2].Fd = -1, -1
	}
	if len(s.rest) > 0 {
		fds[2].Events |= unix.POLLOUT
	}
	ts := unix.NsecToTimespec(d.Nanoseconds())
	if _, err := unix.Ppoll(fds[:], &ts, nil); err != nil && err != unix.EINTR {
		s.fault = fmt.Errorf("poll: %w", err)
		return
	}
	if fds[0].Revents != 0 {
		s.fault = errOrphaned
		return
	}
	s.feed()
	if fds[2].Revents != 0 {
		s.receive()
	}
	if fds[1].Revents != 0 {
		s.notice()
	}
}

// look takes records and ends what takes too much of the home.
func (s *stage) look() {
	s.notice()
	s.collect()
	sum := s.p.processes()
	if sum.resident > maxResident || sum.count > terminalProcesses/2 {
		s.over = fmt.Errorf("the command had %d processes that used %d MiB of memory", sum.count, sum.resident>>20)
	}
	if !sum.running && !s.parked {
		s.parked = true
		// Where that cannot be sent the answer cannot be either, which shows.
		_ = send(wire.Frame{Kind: wire.Parked, ID: s.p.asked})
	}
}

// collect takes the records that have arrived, of new ones only so many at a time.
// It reports whether that was anything.
func (s *stage) collect() bool {
	moved, err := s.records.collect(s.p.buf)
	switch {
	case errors.Is(err, errTooManyRecords):
		s.over = errors.New("the command ran more children than are recorded")
	case err != nil:
		s.fault = err
	}
	return moved && err == nil
}

// gather takes all the records that have arrived.
func (s *stage) gather() {
	for s.collect() {
	}
}
