package pty

import "time"

// Evidence is what was seen of one submitted line, up to when nothing more was
// going to happen by itself. Of the states, the first that is set holds, in the
// order of the fields; if none is set, the shell is busy itself.
type Evidence struct {
	// Printed is what the terminal showed since the line was sent, as it came.
	Printed []byte
	// Exited says that the shell has ended; Code and Signal are as in Terminal.
	Exited bool
	Code   int
	Signal string
	// Prompt says that the shell is back at its prompt and reads the terminal.
	Prompt bool
	// ShellReads says that the shell reads the terminal elsewhere: at PS2, or
	// in the builtin read.
	ShellReads bool
	// ChildReads says that another program in the foreground reads the terminal.
	ChildReads bool
	// ChildRuns says that another program is in the foreground and does
	// anything else.
	ChildRuns bool
}

// A Naive is what a tool returns for a line, as far as Evidence tells.
type Naive struct {
	// Seen is what the user of the tool gets to see.
	Seen string
	// Waits is how long that takes if everything is printed at once.
	Waits  time.Duration
	Reason Reason
	// Reset says that the tool gives up the shell.
	Reset bool
}

// Foresee returns what the tool makes of a line with the given id, without the
// wait. The shell was at its prompt before the line. What the line prints, and
// the state it leads to, are there at once, so that no poll sees the shell
// between two reads of the terminal; afterwards nothing changes up to the
// deadline. For a line that takes its time, Waits lacks that time, and where
// another program still runs, the tool may get to see more.
func (o Tool) Foresee(e Evidence, id string) Naive {
	o.shell = nil
	out := o.RunLine(&still{e: e, now: time.Unix(0, 0)}, "", id)
	return Naive{Seen: out.Text, Waits: out.Waited, Reason: out.Reason, Reset: out.Reset}
}

// still is a Terminal in which a line does at once all that it ever does.
type still struct {
	e          Evidence
	now        time.Time
	sent, read bool
}

func (t *still) Write([]byte) error {
	t.sent = true
	return nil
}

func (t *still) Read() ([]byte, time.Time) {
	if !t.sent || t.read {
		return nil, time.Time{}
	}
	t.read = true
	return t.e.Printed, time.Time{} // not after the line
}

func (t *still) Exited() (ended bool, code int, signal string) {
	return t.sent && t.e.Exited, t.e.Code, t.e.Signal
}

func (t *still) Foreground() Group {
	const shell, child = 1, 2
	switch e := t.e; {
	case !t.sent || e.Prompt || e.ShellReads:
		return Group{ID: shell, Shell: true, Reads: true}
	case e.ChildReads || e.ChildRuns:
		return Group{ID: child, Reads: e.ChildReads}
	default:
		return Group{ID: shell, Shell: true}
	}
}

func (t *still) Now() time.Time        { return t.now }
func (t *still) Sleep(d time.Duration) { t.now = t.now.Add(d) }
