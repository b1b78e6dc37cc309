package wire

import "time"

// A Typing asks for lines to be typed into an interactive shell in a terminal.
// It is the body of a Type frame.
type Typing struct {
	// Argv is the argument vector of the shell, with argv[0]; Env holds more
	// variables, as NAME=value, in place of those of every run.
	Argv, Env [][]byte
	// Rows and Columns are the size of the terminal.
	Rows, Columns uint64
	// Prompt is what the shell prints when it waits for a line.
	Prompt []byte
	// Begin are lines for each fresh shell, typed before all others and without
	// the carriage return that submits them, as all lines are.
	Begin [][]byte
	// Sessions are what is typed. Neighbours share a shell unless they ask for a
	// fresh one.
	Sessions []Session
	// Bare types without watching, as a plain loop would: a line has come to its
	// end where its output ends with the prompt. It is for the clock alone, for
	// lines that are known to get there.
	Bare bool
	// Limits bound each line.
	Limits Limits
}

// A Session is a list of lines for one shell.
type Session struct {
	// Fresh asks for a shell into which nothing was typed but the beginning.
	Fresh bool
	// Prepare is a line typed before the others, of which nothing is reported;
	// nil for none.
	Prepare []byte
	Lines   []Line
}

// A Line is one physical line, with a file that it needs.
type Line struct {
	Text []byte
	// File is the absolute name of a file in the home's scratch folder that
	// holds Data when the line is typed, or "".
	File string
	Data []byte
}

// Settled says what a line has come to.
type Settled string

// What a line may come to.
const (
	// Prompted: the prompt is back, and the shell waits in a read of its
	// terminal.
	Prompted Settled = "prompt"
	// Reading: the shell itself waits in a read of its terminal, without its
	// prompt.
	Reading Settled = "reading"
	// ChildReading: another program in the foreground waits in a read of the
	// terminal.
	ChildReading Settled = "child-reading"
	// ChildRunning: another program in the foreground sleeps, or works, and does
	// not come to an end.
	ChildRunning Settled = "child-running"
	// Stuck: the shell itself neither reads nor ends.
	Stuck Settled = "stuck"
	// Exited: the shell has ended.
	Exited Settled = "exited"
	// Flooded: more output, more records, or more memory than are granted.
	Flooded Settled = "flooded"
)

// A Typed is what a line has shown.
type Typed struct {
	// Output is what arrived on the terminal since the line was typed.
	Output  []byte
	Records []Record
	Settled Settled
	// Status is that of a shell that has exited: its exit status, or 128 plus
	// the signal.
	Status int
	// Signal names the signal that has killed the shell, as SIGKILL, or is "".
	Signal string
	// Took is the time from the typing until that was known.
	Took time.Duration
}

// A Typescript is the answer to a Typing: for each session what its lines have
// shown. It has fewer lines than were asked for where a line did not give the
// terminal back, or commands have left no place for the file of the next one.
type Typescript struct {
	Sessions [][]Typed
	// Fresh counts the shells that were started, and Slowest is the longest time
	// that one took until it was ready.
	Fresh   uint64
	Slowest time.Duration
	// Refused is why no shell could be made ready: what the beginning has shown.
	Refused string
}

// Encode returns the body of a Type frame.
func (t Typing) Encode() []byte {
	var e encoder
	e.list(t.Argv)
	e.list(t.Env)
	e.uint(t.Rows)
	e.uint(t.Columns)
	e.bytes(t.Prompt)
	e.list(t.Begin)
	e.uint(uint64(len(t.Sessions)))
	for _, s := range t.Sessions {
		e.bool(s.Fresh)
		e.maybe(s.Prepare)
		e.uint(uint64(len(s.Lines)))
		for _, l := range s.Lines {
			e.line(l)
		}
	}
	e.bool(t.Bare)
	e.limits(t.Limits)
	return e.b
}

// DecodeTyping reads the body of a Type frame, with defaults filled in.
func DecodeTyping(b []byte) (Typing, error) {
	d := decoder{b: b}
	t := Typing{Argv: d.list(), Env: d.list(), Rows: d.uint(), Columns: d.uint(), Prompt: d.bytes(), Begin: d.list()}
	t.Sessions = make([]Session, d.count())
	for i := range t.Sessions {
		s := Session{Fresh: d.bool(), Prepare: d.maybe(), Lines: make([]Line, d.count())}
		for n := range s.Lines {
			s.Lines[n] = d.line()
		}
		t.Sessions[i] = s
	}
	t.Bare = d.bool()
	t.Limits = d.limits()
	return t, d.end()
}

func (e *encoder) line(l Line) {
	e.bytes(l.Text)
	e.bytes([]byte(l.File))
	e.bytes(l.Data)
}

func (d *decoder) line() Line {
	return Line{Text: d.bytes(), File: string(d.bytes()), Data: d.bytes()}
}

// Encode returns the body of a Typescript frame.
func (t Typescript) Encode() []byte {
	var e encoder
	e.uint(uint64(len(t.Sessions)))
	for _, s := range t.Sessions {
		e.uint(uint64(len(s)))
		for _, l := range s {
			e.bytes(l.Output)
			e.records(l.Records)
			e.bytes([]byte(l.Settled))
			e.uint(uint64(l.Status))
			e.bytes([]byte(l.Signal))
			e.uint(uint64(l.Took))
		}
	}
	e.uint(t.Fresh)
	e.uint(uint64(t.Slowest))
	e.bytes([]byte(t.Refused))
	return e.b
}

// DecodeTypescript reads the body of a Typescript frame.
func DecodeTypescript(b []byte) (Typescript, error) {
	d := decoder{b: b}
	t := Typescript{Sessions: make([][]Typed, d.count())}
	for i := range t.Sessions {
		lines := make([]Typed, d.count())
		for n := range lines {
			lines[n] = Typed{Output: d.bytes(), Records: d.records(), Settled: Settled(d.bytes()), Status: int(d.uint()), Signal: string(d.bytes()), Took: time.Duration(d.uint())}
		}
		t.Sessions[i] = lines
	}
	t.Fresh, t.Slowest, t.Refused = d.uint(), time.Duration(d.uint()), string(d.bytes())
	return t, d.end()
}
