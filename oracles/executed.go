package oracles

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/argvdiff/argvdiff/oracles/explore"
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/program"
)

// A Start is a program that a command has started, as its record tells.
type Start struct {
	Argv []string
	On   program.Terminals
	// Waits is the name under which a guard should report it, "" where it does not
	// wait for a person.
	Waits string
	// Outer is the outermost of the programs one behind the other that led to it:
	// its own arguments where that is no wrapper or shell.
	Outer []string

	run int // which of the runs started it
}

// A run is one run of the command or of a variant of it.
type run struct {
	text   string
	result wire.Result
}

// Shown is what runs of a command in a home where programs act have shown: that of
// the command as it is, and those of variants that take its other branches.
type Shown struct {
	// Plain is the run of the command itself.
	Plain wire.Result
	// Starts are the programs that it started, and behind them those which the
	// variants started more.
	Starts []Start
	// Own is how many of the starts are the command's own.
	Own int
	// Refused says that the shell did not take the command.
	Refused bool

	runs   []run // the command's own first
	survey explore.Survey
	// reached says of calls that they were, tried that a variant for it came to its
	// end.
	reached, tried map[int]bool
}

// typedEnd is what is typed for programs that read the terminal: its end.
var typedEnd = bytes.Repeat([]byte{4}, 8)

// show runs commands and, where ask says that the runs have not shown enough, their
// variants.
func (j *Judge) show(ctx context.Context, commands []string, ask func(i int, s *Shown) bool) ([]*Shown, error) {
	h, err := j.Acting(ctx)
	if err != nil {
		return nil, err
	}
	results, err := j.runIn(ctx, h, commands)
	if err != nil {
		return nil, err
	}
	list := make([]*Shown, len(commands))
	var texts []string
	type variant struct{ of, number int }
	var variants []variant
	for i, r := range results {
		s := &Shown{Plain: r, reached: make(map[int]bool), tried: make(map[int]bool)}
		list[i] = s
		s.Refused = refuses(r)
		s.add(commands[i], r)
		s.Own = len(s.Starts)
		if !ask(i, s) {
			continue
		}
		s.survey = explore.Of(commands[i], ofInterest)
		for n, v := range s.survey.Variants {
			texts = append(texts, v.Text)
			variants = append(variants, variant{i, n})
		}
	}
	results, err = j.runIn(ctx, h, texts)
	if err != nil {
		return nil, err
	}
	for n, r := range results {
		s := list[variants[n].of]
		s.add(texts[n], r)
		if r.Ended == wire.Itself && !refuses(r) {
			for _, k := range s.survey.Variants[variants[n].number].Calls {
				s.tried[k] = true
			}
		}
	}
	return list, nil
}

// runIn runs texts in a home, each in a terminal.
func (j *Judge) runIn(ctx context.Context, h home.Home, texts []string) ([]wire.Result, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	requests := make([]wire.Request, len(texts))
	for i, t := range texts {
		requests[i] = wire.Request{Argv: [][]byte{[]byte("bash"), []byte("-c"), []byte(t)}, PTY: true, Stdin: typedEnd}
	}
	j.Runs += len(requests)
	return h.Run(ctx, requests...)
}

// refuses reports whether the shell did not take the text, or not all of it.
func refuses(r wire.Result) bool {
	return r.Refused != "" || bytes.Contains(r.Stdout, []byte("syntax error")) || bytes.Contains(r.Stdout, []byte("unexpected EOF"))
}

// add takes the records of a run.
func (s *Shown) add(text string, r wire.Result) {
	s.runs = append(s.runs, run{text, r})
	for _, rec := range r.Records {
		if k, ok := explore.Reached(rec.Argv); ok {
			s.reached[k] = true
			continue
		}
		if len(rec.Argv) == 0 {
			continue
		}
		argv := make([]string, len(rec.Argv))
		for i, a := range rec.Argv {
			argv[i] = string(a)
		}
		start := Start{Argv: argv, On: program.Terminals{In: rec.InTTY, Out: rec.OutTTY, Err: rec.ErrTTY}, Outer: argv, run: len(s.runs) - 1}
		start.Waits = program.Waits(argv, start.On)
		for _, t := range s.Starts {
			if inner, ok := program.Behind(t.Argv); ok && inner[0] == argv[0] {
				start.Outer = t.Outer
			}
		}
		s.Starts = append(s.Starts, start)
	}
}

// ofInterest reports whether a call may start a program that waits.
func ofInterest(c explore.Call) bool {
	if !c.Literal[0] {
		return true
	}
	return slices.ContainsFunc(c.Words, func(w string) bool { return program.Known(base(w)) })
}

// base is the name of a program by its path.
func base(word string) string { return strings.ToLower(path.Base(word)) }

// waited returns the first program that waits, and, with a name, the first that is
// to be reported under it.
func (s *Shown) waited(name string) (Start, bool) {
	i := slices.IndexFunc(s.Starts, func(t Start) bool { return t.Waits != "" && (name == "" || t.Waits == name) })
	if i < 0 {
		return Start{}, false
	}
	return s.Starts[i], true
}

// truth says what is true of the program of that name, or of any where it is "".
func (s *Shown) truth(name string) string {
	if _, ok := s.waited(name); ok {
		return finding.RanProgram
	}
	if s.Plain.Ended != wire.Itself || !s.survey.Parsed && !s.Refused {
		return finding.Undecided
	}
	for k, c := range s.survey.Calls {
		if s.survey.Certain[k] || s.reached[k] || !mentions(c, name) {
			continue
		}
		if s.survey.Open[k] || !s.tried[k] {
			return finding.Undecided
		}
	}
	return finding.DidNotRun
}

// mentions reports whether a call may be that of the program which is reported under
// the name, or of any where that is "".
func mentions(c explore.Call, name string) bool {
	program, _, _ := strings.Cut(name, " ")
	return name == "" || !c.Literal[0] || slices.ContainsFunc(c.Words, func(w string) bool { return base(w) == program })
}
