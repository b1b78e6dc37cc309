package oracles

import (
	"bytes"

	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/pty"
)

// Evidence returns what was seen of a typed line in the form from which package pty
// foresees what a tool makes of it. A program that has taken the place of the shell
// counts as its child, so that the tool is foreseen to notice its reads, which it
// does only where a poll has seen the program before its first one.
func Evidence(t wire.Typed) pty.Evidence {
	e := pty.Evidence{
		Printed:    t.Output,
		Exited:     t.Settled == wire.Exited,
		Prompt:     t.Settled == wire.Prompted,
		ShellReads: t.Settled == wire.Reading,
		ChildReads: t.Settled == wire.ChildReading,
		ChildRuns:  t.Settled == wire.ChildRunning,
	}
	switch {
	case e.Exited && t.Signal != "":
		e.Code, e.Signal = -1, t.Signal
	case e.Exited:
		e.Code = t.Status
	}
	return e
}

// Waits names what a line is waiting for where a key would have to be pressed: the
// question of a completion, or a pager. It is "" where that is not to be seen.
func Waits(t wire.Typed) string {
	if t.Settled == wire.Prompted || t.Settled == wire.Exited {
		return ""
	}
	shown := t.Output[bytes.LastIndexByte(t.Output, '\n')+1:]
	switch {
	case bytes.Contains(shown, []byte("possibilities? (y or n)")):
		return "the line editor asks whether it shall list completions"
	case bytes.Contains(shown, []byte("--More--")), bytes.Contains(shown, []byte("(END)")), bytes.HasSuffix(shown, []byte("\x1b[K:")):
		return "a pager waits for a key"
	}
	return ""
}

// Naive returns what a tool that goes by its markers would have made of the line
// of a session that the outcome is about; false on other paths, and where nothing
// was typed.
func (o Outcome) Naive() (n pty.Naive, ok bool) {
	if o.Typed == nil {
		return n, false
	}
	return pty.Tool{}.Foresee(Evidence(*o.Typed), o.id), true
}
