//go:build amd64 || arm64

package agent

import (
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

const (
	// linger is for how long a program that reads without the shell's prompt must
	// not have been on a processor before that counts: what was typed may be on its
	// way to it.
	linger = time.Millisecond
	// breath is how long the shell is given between its prompt and its read.
	breath = 20 * time.Microsecond
)

// A watcher follows one line.
type watcher struct {
	*terminal
	limits   wire.Limits
	started  time.Time
	activity time.Time
	looked   bool
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
		fds := [3]unix.PollFd{
			{Fd: 0}, // only whether it is hung up
			{Fd: int32(w.pidfd), Events: unix.POLLIN},
			{Fd: int32(w.master), Events: unix.POLLIN},
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
		if v.cut() {
			return wire.Flooded, v.collect()
		}
		switch {
		case len(w.out) == 0:
		case w.prompted():
			if w.reads() {
				for w.drain() && len(w.out) <= limits.Output {
				}
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

// collect takes the records that have arrived, of new ones only so many at a time.
func (v *watcher) collect() error {
	_, err := v.accept()
	return err
}

// accept is collect, and reports whether that was anything.
func (v *watcher) accept() (moved bool, err error) {
	moved, err = v.records.collect(v.p.buf)
	if moved {
		v.activity = time.Now()
	}
	if errors.Is(err, errTooManyRecords) {
		return false, nil // look tells
	}
	return moved, err
}

// gather takes all that has arrived: records that are of this line, and output. Who
// floods either does not keep it busy for ever.
func (v *watcher) gather() error {
	for len(v.out) <= v.limits.Output && v.drain() {
	}
	for range maxRecords / 64 {
		if moved, err := v.accept(); !moved || err != nil {
			return err
		}
	}
	return nil
}

// cut cuts what is more output than is granted, and reports whether that is so.
func (v *watcher) cut() bool {
	over := len(v.out) > v.limits.Output
	v.out = v.out[:min(len(v.out), v.limits.Output)]
	return over
}

// settled ends the watch of a line behind which the prompt is back: with what the
// line has left in the background, as far as that comes to its end.
func (v *watcher) settled() (wire.Settled, error) {
	if v.alone() {
		return v.finish()
	}
	v.activity = time.Now()
	for !v.alone() {
		if _, err := v.reap(); err != nil {
			return "", err
		}
		now := time.Now()
		sum := v.load(now)
		if v.over(now, sum) != "" || len(v.out) > v.limits.Output {
			break
		}
		if err := v.collect(); err != nil {
			return "", err
		}
		v.drain()
		time.Sleep(200 * time.Microsecond)
	}
	// The shell may have something to say of their end.
	for end := time.Now().Add(linger); !v.reads() && time.Now().Before(end); {
		time.Sleep(breath)
	}
	return v.finish()
}

// finish gathers what is left of a line behind which the prompt is back, and says
// whether that is more than is granted.
func (v *watcher) finish() (wire.Settled, error) {
	err := v.gather()
	if v.cut() || v.records.size > v.records.bound {
		return wire.Flooded, err
	}
	return wire.Prompted, err
}

// farewell takes what is left on the terminal of a shell that has ended. Its
// children are left to the end of the terminal.
func (v *watcher) farewell() error {
	err := v.gather()
	v.cut()
	return err
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
	// The turns are asked for behind this: where they are still the same, it was so
	// since the last look.
	reads := group == v.pid && v.reads()
	writes := group == v.pid && v.writes()
	if turns := v.turns(); !v.looked || turns != v.turnsAt {
		// It has run since the last look, or this is the first one.
		v.looked, v.turnsAt, v.still = true, turns, now
		v.next = now.Add(linger)
	} else if now.Sub(v.still) >= linger && now.Sub(v.activity) >= linger {
		switch {
		case reads && (v.call >= 0 || v.alone()):
			if v.replaced() {
				return wire.ChildReading, nil
			}
			return wire.Reading, nil
		case writes:
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
	case v.call < 0 && v.p.asleep(v.pid) && v.unread() == 0:
		// What cannot be seen is taken from the screen now that time is over.
		if v.prompted() {
			return wire.Prompted, v.gather()
		}
		if v.asksForMore() {
			return wire.Reading, nil
		}
	}
	return wire.Stuck, nil
}
