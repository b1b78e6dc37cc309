//go:build amd64 || arm64

package agent

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

const (
	// linger is for how long a program that reads without the shell's prompt must
	// not have been on a processor before that counts: what was typed may be on its
	// way to it.
	linger = time.Millisecond
	// mute is for how long nothing is said of a line that has shown nothing: the
	// shell may not have begun with it.
	mute = 50 * time.Millisecond
	// breath is how long the shell is given between its prompt and its read.
	breath = 20 * time.Microsecond
	// ready bounds the time in which a fresh shell must be ready for a line.
	ready = 5 * time.Second
)

// typing types all lines of all sessions. An error is a fault of ours.
func (p *place) typing(t wire.Typing) (wire.Typescript, error) {
	script := wire.Typescript{Sessions: make([][]wire.Typed, len(t.Sessions))}
	watch := (*terminal).watch
	if t.Bare {
		watch = (*terminal).await
	}
	key := string(bytes.Join(append(append(append([][]byte{[]byte(fmt.Sprint(t.Rows, t.Columns)), t.Prompt}, t.Argv...), t.Env...), t.Begin...), []byte{0}))
	for i, s := range t.Sessions {
		if w := p.terminal; w != nil && (s.Fresh || w.key != key || !t.Bare && !w.healthy()) {
			if err := p.replace(); err != nil {
				return script, err
			}
		}
		if p.terminal == nil {
			began := time.Now()
			why, err := p.begin(t, key)
			if err != nil {
				return script, err
			}
			if why != "" {
				script.Refused = why
				return script, p.replace()
			}
			script.Fresh++
			script.Slowest = max(script.Slowest, time.Since(began))
		}
		lines, err := p.terminal.session(s, t.Limits, watch)
		if err != nil {
			return script, err
		}
		script.Sessions[i] = lines
		if n := len(lines); n == 0 || lines[n-1].Settled != wire.Prompted {
			if err := p.replace(); err != nil {
				return script, err
			}
		}
	}
	return script, nil
}

// begin starts a shell and types its first lines. It says why where it does not
// become ready.
func (p *place) begin(t wire.Typing, key string) (why string, err error) {
	w, err := p.open(t, key)
	p.terminal = w
	if errors.Is(err, syscall.E2BIG) || errors.Is(err, syscall.EINVAL) {
		return err.Error(), nil
	}
	if err != nil {
		return "", err
	}
	limits := t.Limits
	limits.Wall, limits.Quiet, limits.CPU = ready, ready, ready
	settled, err := w.watch(limits)
	for _, text := range t.Begin {
		if err != nil || settled != wire.Prompted {
			break
		}
		w.enter(text)
		settled, err = w.watch(limits)
	}
	if err != nil {
		return "", err
	}
	if settled != wire.Prompted {
		return fmt.Sprintf("the shell did not become ready (%s), its terminal shows %.100q", settled, w.out), nil
	}
	modes, err := unix.IoctlGetTermios(w.slave, unix.TCGETS)
	if err != nil {
		return "", fmt.Errorf("asking a terminal for its modes: %w", err)
	}
	w.modes = *modes
	w.records.done = nil
	return "", nil
}

// session types the lines of one session.
func (w *terminal) session(s wire.Session, limits wire.Limits, watch func(*terminal, wire.Limits) (wire.Settled, error)) (lines []wire.Typed, err error) {
	if s.Prepare != nil {
		w.enter(s.Prepare)
		settled, err := watch(w, limits)
		if err != nil || settled != wire.Prompted {
			return nil, err
		}
		w.take()
	}
	for _, l := range s.Lines {
		if l.File != "" {
			if err := w.put(l.File, l.Data); err != nil {
				return lines, err
			}
		}
		began := time.Now()
		w.enter(l.Text)
		settled, err := watch(w, limits)
		if err != nil {
			return lines, err
		}
		records := w.take()
		lines = append(lines, wire.Typed{
			Output: w.out, Records: records, Settled: settled, Status: w.status, Signal: w.signal, Took: time.Since(began),
		})
		switch settled {
		case wire.Exited, wire.ChildReading, wire.ChildRunning, wire.Flooded:
			return lines, nil
		}
	}
	return lines, nil
}

// put writes a file that a line needs. It must lie in the scratch folder, and what
// commands have laid there is not followed.
func (w *terminal) put(name string, data []byte) error {
	if path.Dir(name) != w.p.layout.Temp {
		return fmt.Errorf("the file %s of a line is not in %s", name, w.p.layout.Temp)
	}
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// take returns the records that have come since the last call.
func (w *terminal) take() []wire.Record {
	// What has not ended yet is of a later line.
	list := w.records.done
	w.records.done, w.records.size = nil, 0
	return list
}

// enter types a line and submits it.
func (w *terminal) enter(text []byte) {
	w.out, w.before = nil, w.turns()
	w.rest = append(text[:len(text):len(text)], '\r')
	w.feed()
}

// await waits until the output of a line ends with the prompt, and no longer than
// the bound on its time.
func (w *terminal) await(limits wire.Limits) (wire.Settled, error) {
	for end := time.Now().Add(limits.Wall); time.Now().Before(end); {
		fds := []unix.PollFd{{Fd: int32(w.master), Events: unix.POLLIN}}
		if len(w.rest) > 0 {
			fds[0].Events |= unix.POLLOUT
		}
		if _, err := unix.Poll(fds, int(limits.Wall/time.Millisecond)); err != nil && err != unix.EINTR {
			return "", fmt.Errorf("poll: %w", err)
		}
		w.feed()
		w.drain()
		if w.prompted() {
			_, err := w.records.collect(w.p.buf)
			return wire.Prompted, err
		}
	}
	return wire.Stuck, nil
}

// A watcher follows one line.
type watcher struct {
	*terminal
	limits   wire.Limits
	started  time.Time
	activity time.Time
	turnsAt  string    // the shell's share of processors at the last look
	still    time.Time // since when it has had no other
	next     time.Time // of the next look
	spent    time.Duration
	base     time.Duration // what was spent before this line; -1 when not known yet
	parked   bool
}

// watch follows the line until it is settled.
func (w *terminal) watch(limits wire.Limits) (wire.Settled, error) {
	now := time.Now()
	v := &watcher{terminal: w, limits: limits, started: now, activity: now, next: now.Add(tick), base: -1}
	for {
		wait := max(0, time.Until(v.next))
		if w.prompted() {
			wait = min(wait, breath)
		}
		fds := [4]unix.PollFd{
			{Fd: 0}, // only whether it is hung up
			{Fd: int32(w.pidfd), Events: unix.POLLIN},
			{Fd: int32(w.master), Events: unix.POLLIN},
			{Fd: -1, Events: unix.POLLIN},
		}
		if len(w.rest) > 0 {
			fds[2].Events |= unix.POLLOUT
		}
		ts := unix.NsecToTimespec(wait.Nanoseconds())
		if _, err := unix.Ppoll(fds[:], &ts, nil); err != nil && err != unix.EINTR {
			return "", fmt.Errorf("poll: %w", err)
		}
		if fds[0].Revents != 0 {
			return "", errOrphaned
		}
		if w.feed() {
			v.activity = time.Now()
		}
		if fds[2].Revents != 0 && w.drain() {
			v.activity = time.Now()
		}
		if fds[1].Revents != 0 {
			if _, err := w.reap(); err != nil {
				return "", err
			}
			if w.exited {
				return wire.Exited, v.farewell()
			}
		}
		if len(w.out) > limits.Output {
			w.out = w.out[:limits.Output]
			return wire.Flooded, v.collect()
		}
		switch {
		case len(w.out) == 0:
		case w.prompted():
			if w.reads() {
				w.drain()
				if w.prompted() {
					return v.settled()
				}
			}
		case w.asksForMore():
			// That is not the end where more of the line is on its way.
			if soon := time.Now().Add(linger); v.next.After(soon) {
				v.next = soon
			}
		}
		if now := time.Now(); now.After(v.next) {
			v.next = now.Add(tick)
			if settled, err := v.look(now); settled != "" || err != nil {
				return settled, err
			}
		}
	}
}

// collect takes the records that have arrived.
func (v *watcher) collect() error {
	moved, err := v.records.collect(v.p.buf)
	if moved {
		v.activity = time.Now()
	}
	if errors.Is(err, errTooManyRecords) {
		return nil // look tells
	}
	return err
}

// settled ends the watch of a line behind which the prompt is back: with what the
// line has left in the background, as far as that comes to its end.
func (v *watcher) settled() (wire.Settled, error) {
	v.activity = time.Now()
	for !v.alone() {
		if _, err := v.reap(); err != nil {
			return "", err
		}
		now := time.Now()
		sum := v.load(now)
		if v.over(now, sum) != "" {
			break
		}
		if err := v.collect(); err != nil {
			return "", err
		}
		v.drain()
		time.Sleep(200 * time.Microsecond)
	}
	return wire.Prompted, v.collect()
}

// farewell takes what is left on the terminal of a shell that has ended. Its
// children are left to the end of the terminal.
func (v *watcher) farewell() error {
	for v.drain() {
	}
	return v.collect()
}

// load looks at all processes and keeps the account of their time.
func (v *watcher) load(now time.Time) load {
	sum := v.p.processes()
	spent := childTime() + sum.cpu
	if v.base < 0 {
		v.base, v.spent = spent, spent
	}
	if spent > v.spent || sum.running {
		v.activity = now
	}
	v.spent = max(v.spent, spent)
	return sum
}

// over says which bound is reached, if one is.
func (v *watcher) over(now time.Time, sum load) string {
	switch {
	case v.spent-v.base > v.limits.CPU:
		return "spinning"
	case sum.resident > maxResident, sum.count > terminalProcesses/2, v.records.size > v.records.bound:
		return "greedy"
	case now.Sub(v.activity) > v.limits.Quiet:
		return "quiet"
	case now.Sub(v.started) > v.limits.Wall:
		return "late"
	}
	return ""
}

// look decides, at a tick, whether the line has come to something else than the
// prompt.
func (v *watcher) look(now time.Time) (wire.Settled, error) {
	if err := v.collect(); err != nil {
		return "", err
	}
	if _, err := v.reap(); err != nil {
		return "", err
	}
	if v.exited {
		return wire.Exited, v.farewell()
	}
	sum := v.load(now)
	group := v.foreground()
	if turns := v.turns(); v.turnsAt == "" || turns != v.turnsAt {
		// It has run since the last look, or this is the first one.
		v.turnsAt, v.still = turns, now
		v.next = now.Add(linger)
	} else if now.Sub(v.still) >= linger && now.Sub(v.activity) >= linger && (len(v.out) > 0 || now.Sub(v.started) >= mute) {
		switch {
		case group == v.pid && v.before != "" && turns == v.before:
			// The line has not reached the shell yet.
		case group == v.pid && v.reads():
			if v.replaced() {
				return wire.ChildReading, nil
			}
			return wire.Reading, nil
		case group == v.pid && v.writes():
			return wire.Stuck, nil
		case group != v.pid && v.unread() == 0 && v.p.inputWanted(group, v.pid, v.typedInto):
			return wire.ChildReading, nil
		}
	}
	if now.Sub(v.activity) > nap && !v.parked {
		v.parked = true
		// Where that cannot be sent the answer cannot be either, which shows.
		_ = send(wire.Frame{Kind: wire.Parked, ID: v.p.asked})
	}
	switch why := v.over(now, sum); {
	case why == "":
		return "", nil
	case why == "greedy":
		return wire.Flooded, nil
	case group != v.pid, v.replaced():
		return wire.ChildRunning, nil
	}
	return wire.Stuck, nil
}
