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
	// ready bounds the time in which a fresh shell must be ready for a line.
	ready = 5 * time.Second
	// maxScript bounds what the lines of a script show, all together, so that it is
	// one frame. Behind that each line may show so much as a few pages yet.
	maxScript = wire.MaxFrame / 2
	fewPages  = 64 << 10
)

// typing types all lines of all sessions. An error is a fault of ours.
func (p *place) typing(t wire.Typing) (wire.Typescript, error) {
	script := wire.Typescript{Sessions: make([][]wire.Typed, len(t.Sessions))}
	watch := (*terminal).watch
	if t.Bare {
		watch = (*terminal).await
	}
	key := string(bytes.Join(append(append(append([][]byte{[]byte(fmt.Sprint(t.Rows, t.Columns)), t.Prompt}, t.Argv...), t.Env...), t.Begin...), []byte{0}))
	left := maxScript
	for i, s := range t.Sessions {
		if w := p.terminal; w != nil && (s.Fresh || w.key != key || !t.Bare && !w.healthy()) {
			if err := p.replace(); err != nil {
				return script, err
			}
		}
		if p.terminal == nil {
			began := time.Now()
			why, err := p.begin(t, key)
			if err == nil && why != "" && script.Fresh > 0 {
				// It is not the beginning then, which has been well.
				if err = p.replace(); err == nil {
					why, err = p.begin(t, key)
				}
			}
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
		lines, err := p.terminal.session(s, t.Limits, &left, watch)
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

// session types the lines of one session. What they show counts against what is left.
func (w *terminal) session(s wire.Session, limits wire.Limits, left *int, watch func(*terminal, wire.Limits) (wire.Settled, error)) (lines []wire.Typed, err error) {
	if s.Prepare != nil {
		w.enter(s.Prepare)
		settled, err := watch(w, limits)
		if err != nil || settled != wire.Prompted {
			return nil, err
		}
		w.take()
	}
	output := limits.Output
	for _, l := range s.Lines {
		if l.File != "" {
			if err := w.put(l.File, l.Data); errors.Is(err, errNoPlace) {
				return lines, nil
			} else if err != nil {
				return lines, err
			}
		}
		limits.Output = min(output, max(*left, fewPages))
		w.records.bound = min(maxRecordBytes, max(*left, fewPages))
		began := time.Now()
		w.enter(l.Text)
		settled, err := watch(w, limits)
		if err != nil {
			return lines, err
		}
		*left -= len(w.out) + w.records.size
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

// errNoPlace says that commands have left no place for the file of a line.
var errNoPlace = errors.New("no place for the file of a line")

// put writes a file that a line needs. It must lie in the scratch folder, and what
// commands have laid there is not followed.
func (w *terminal) put(name string, data []byte) error {
	if path.Dir(name) != w.p.layout.Temp {
		return fmt.Errorf("the file %s of a line is not in %s", name, w.p.layout.Temp)
	}
	err := os.Remove(name)
	if err == nil || errors.Is(err, os.ErrNotExist) {
		err = writeNew(name, data)
	}
	for _, theirs := range []error{unix.ENOSPC, unix.EACCES, unix.EPERM, unix.ENOTEMPTY, unix.EEXIST, unix.ENOENT} {
		if errors.Is(err, theirs) {
			return fmt.Errorf("%w: %w", errNoPlace, err)
		}
	}
	return err
}

// writeNew writes a file that must not be there yet.
func writeNew(name string, data []byte) error {
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
	w.out = nil
	// What the terminal has not taken of the line before comes first, as it does
	// for a tool.
	w.rest = append(append(w.rest[:len(w.rest):len(w.rest)], text...), '\r')
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
