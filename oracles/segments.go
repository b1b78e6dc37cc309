package oracles

import (
	"slices"
	"strings"

	"github.com/argvdiff/argvdiff/oracles/blame"
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/probe"
	"github.com/argvdiff/argvdiff/targets/guard"
	quoting "github.com/argvdiff/argvdiff/targets/path"
	"github.com/argvdiff/argvdiff/targets/program"
)

// What the segments oracle says.
const (
	treeAlone     = "the tree alone sees a call"
	splitterAlone = "the splitter alone sees a call"
)

// A seen program is one that a reader sees called, with the offset of the call
// where that is known, and -1 elsewhere.
type seen struct {
	name string
	at   int
}

// sight returns the programs that the splitter and the tree see called, of those that
// leave a record where they run.
func sight(g guard.Guard, command string) (splitter, tree []seen) {
	for _, s := range guard.Split(strings.Join(strings.Fields(command), " ")) {
		if name := g.Program(strings.Fields(s)); records(name) {
			splitter = append(splitter, seen{name, -1})
		}
	}
	for _, c := range guard.Calls(command) {
		if name := g.Program(c.Words); c.Literal[0] && records(name) {
			tree = append(tree, seen{name, c.At})
		}
	}
	return splitter, tree
}

func records(name string) bool {
	return program.Known(name) || slices.Contains(probe.Names, name)
}

// apart returns what one reader sees and the other does not.
func apart(splitter, tree []seen) (verdict string, what seen, differs bool) {
	only := func(these, those []seen) (seen, bool) {
		left := slices.Clone(those)
		for _, s := range these {
			i := slices.IndexFunc(left, func(o seen) bool { return o.name == s.name })
			if i < 0 {
				return s, true
			}
			left = slices.Delete(left, i, i+1)
		}
		return seen{}, false
	}
	if s, ok := only(tree, splitter); ok {
		return treeAlone, s, true
	}
	s, ok := only(splitter, tree)
	return splitterAlone, s, ok
}

// segmentsDiffer reports whether splitter and tree see other calls.
func segmentsDiffer(p quoting.Path, command string) bool {
	_, _, differs := apart(sight(p.Reading.Guard, command))
	return differs
}

// segments is the outcome of what the splitter and the tree see in a command. Which
// of them is right is decided by what runs.
func segments(p quoting.Path, command string, s *Shown) Outcome {
	g := p.Reading.Guard
	verdict, what, differs := apart(sight(g, command))
	r := finding.Reading{Guard: p.Name, Verdict: "the same calls", Class: finding.Agree, Truth: finding.Undecided}
	if !differs {
		return reading(p, r, s.Plain.Observation)
	}
	r.Verdict, r.Name, r.Class, r.Truth = verdict, what.name, finding.Differ, s.ranAtAll(what.name)
	sawOnly := func(text string) bool {
		v, w, ok := apart(sight(g, text))
		return ok && v == verdict && w.name == what.name
	}
	switch {
	case r.Truth == finding.Undecided:
	case (r.Truth == finding.RanProgram) == (verdict == treeAlone):
		r.Wrong = blame.Splitter
	default:
		r.Wrong = blame.Tree
	}
	if verdict == treeAlone {
		if before := blame.Before(command, what.at); before != "" {
			r.Cause = "behind " + before
		}
	}
	if r.Cause == "" {
		r.Cause = blame.Because(command, sawOnly)
	}
	if r.Cause == "" {
		r.Cause = blame.Elsewhere
	}
	return reading(p, r, s.Plain.Observation)
}

// ranAtAll says whether a program of that name ran, whether it waits or not.
func (s *Shown) ranAtAll(name string) string {
	if slices.ContainsFunc(s.Starts, func(t Start) bool { return base(t.Argv[0]) == name }) {
		return finding.RanProgram
	}
	if t := s.truth(name); t != finding.RanProgram {
		return t
	}
	return finding.DidNotRun
}
