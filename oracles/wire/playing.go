package wire

import (
	"errors"
	"time"

	"github.com/argvdiff/argvdiff/targets/pty"
)

// A Playing asks that commands be sent as the modelled tool sends them: by its own
// loop, with its waits. It is the body of a Play frame.
type Playing struct {
	// Argv is the argument vector of the shell, with argv[0]; Env holds more
	// variables, as NAME=value, in place of those of every run.
	Argv, Env [][]byte
	// Rows and Columns are the size of the terminal.
	Rows, Columns uint64
	// Begin is the line that the tool sends to each fresh shell first.
	Begin []byte
	// MacOS and Deadline are those of the pty.Tool.
	MacOS    bool
	Deadline time.Duration
	// Commands go to one shell, for as long as the tool keeps it.
	Commands []Command
	// Limits bound each command; of these, only Output does.
	Limits Limits
}

// A Command is the line of a command whose markers have an ID.
type Command struct {
	Line
	ID string
}

// An Answer is what the tool answers to one command, and what has really run.
type Answer struct {
	pty.Outcome
	// Records are of the children that ended since the answer before.
	Records []Record
	// Fresh says that a new shell was made for the command.
	Fresh bool
}

// Encode returns the body of a Play frame.
func (p Playing) Encode() []byte {
	var e encoder
	e.list(p.Argv)
	e.list(p.Env)
	e.uint(p.Rows)
	e.uint(p.Columns)
	e.bytes(p.Begin)
	e.bool(p.MacOS)
	e.uint(uint64(p.Deadline))
	e.uint(uint64(len(p.Commands)))
	for _, c := range p.Commands {
		e.line(c.Line)
		e.bytes([]byte(c.ID))
	}
	e.limits(p.Limits)
	return e.b
}

// DecodePlaying reads the body of a Play frame, with defaults filled in.
func DecodePlaying(b []byte) (Playing, error) {
	d := decoder{b: b}
	p := Playing{Argv: d.list(), Env: d.list(), Rows: d.uint(), Columns: d.uint(), Begin: d.bytes(), MacOS: d.bool(), Deadline: time.Duration(d.uint())}
	p.Commands = make([]Command, d.count())
	for i := range p.Commands {
		p.Commands[i] = Command{Line: d.line(), ID: string(d.bytes())}
	}
	p.Limits = d.limits()
	return p, d.end()
}

// EncodeAnswers returns the body of an Answered frame: an answer to each command.
func EncodeAnswers(answers []Answer) []byte {
	var e encoder
	e.uint(uint64(len(answers)))
	for _, a := range answers {
		e.bytes([]byte(a.Text))
		e.bytes([]byte(a.Reason))
		e.uint(uint64(a.Status))
		e.uint(uint64(a.Waited))
		e.bool(a.Reset)
		e.bool(a.Incomplete)
		e.uint(uint64(len(a.Sends)))
		for _, s := range a.Sends {
			e.bytes([]byte(s.Wait))
			e.uint(uint64(s.Took))
		}
		var why []byte
		if a.Err != nil {
			why = append([]byte{}, a.Err.Error()...)
		}
		e.maybe(why)
		e.records(a.Records)
		e.bool(a.Fresh)
	}
	return e.b
}

// DecodeAnswers reads the body of an Answered frame. Of errors the text is left.
func DecodeAnswers(b []byte) ([]Answer, error) {
	d := decoder{b: b}
	answers := make([]Answer, d.count())
	for i := range answers {
		a := Answer{Outcome: pty.Outcome{
			Text: string(d.bytes()), Reason: pty.Reason(d.bytes()), Status: int(d.uint()), Waited: time.Duration(d.uint()),
			Reset: d.bool(), Incomplete: d.bool(), Sends: make([]pty.Send, d.count()),
		}}
		for n := range a.Sends {
			a.Sends[n] = pty.Send{Wait: pty.Wait(d.bytes()), Took: time.Duration(d.uint())}
		}
		if why := d.maybe(); why != nil {
			a.Err = errors.New(string(why))
		}
		a.Records, a.Fresh = d.records(), d.bool()
		answers[i] = a
	}
	return answers, d.end()
}
