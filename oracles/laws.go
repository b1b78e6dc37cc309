package oracles

import (
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"github.com/argvdiff/argvdiff/oracles/blame"
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/guard"
	quoting "github.com/argvdiff/argvdiff/targets/path"
)

// revised is the outcome of two revisions of a guard on a command. No shell is asked
// which of them is right.
func revised(p quoting.Path, command string) Outcome {
	g, before := p.Reading.Guard, p.Reading.Before
	change := func(text string) string {
		old, did := before.Judge(text, GOOS)
		name, does := g.Judge(text, GOOS)
		switch {
		case does && !did:
			return "gains " + name
		case did && !does:
			return "loses " + old
		case name != old:
			return "reports " + name + " for " + old
		}
		return ""
	}
	r := finding.Reading{Guard: p.Name, Verdict: change(command), Class: finding.Agree, Truth: finding.Undecided}
	if r.Verdict == "" {
		r.Verdict = "the same"
		return reading(p, r, wire.Observation{})
	}
	// The signature holds no program but those that are reported as commands with
	// their arguments.
	r.Class, r.Name = finding.Differ, r.Verdict[strings.IndexByte(r.Verdict, ' ')+1:]
	if !strings.Contains(r.Name, " ") {
		r.Verdict = r.Verdict[:strings.IndexByte(r.Verdict, ' ')] + " a program"
	}
	way := change(command)
	r.Cause = blame.Because(command, func(text string) bool { return change(text) == way })
	for _, c := range guard.Calls(command) {
		if r.Cause != "" {
			break
		}
		if before := blame.Before(command, c.At); before != "" {
			r.Cause = "behind " + before
		}
	}
	if r.Cause == "" {
		r.Cause = blame.Elsewhere
	}
	return reading(p, r, wire.Observation{})
}

// lawful is the outcome of a guard's verdicts on a command and on another spelling of
// it.
func lawful(p quoting.Path, command string) Outcome {
	g := p.Reading.Guard
	r := finding.Reading{Guard: g.Name, Verdict: "the same", Class: finding.Agree, Truth: finding.Undecided}
	other, ok := respell(p.Reading.Law, command)
	if !ok {
		return reading(p, r, wire.Observation{})
	}
	name, hit := g.Judge(command, GOOS)
	then, hits := g.Judge(other, GOOS)
	switch {
	case hit == hits && name == then:
		return reading(p, r, wire.Observation{})
	case hit == hits:
		r.Verdict = "another name"
	case hit:
		r.Verdict = "the hit is lost"
	default:
		r.Verdict, name = "a hit appears", then
	}
	r.Name, r.Class, r.Cause = name, finding.Differ, p.Reading.Law
	return reading(p, r, wire.Observation{})
}

var parsers = sync.Pool{New: func() any { return syntax.NewParser() }}

// respell writes a command in another way that means the same, by a law; false where
// the command leaves no room for it.
func respell(law, command string) (string, bool) {
	p := parsers.Get().(*syntax.Parser)
	defer parsers.Put(p)
	file, err := p.Parse(strings.NewReader(command), "")
	if err != nil || len(file.Stmts) == 0 {
		return "", false
	}
	first, _ := file.Stmts[0].Cmd.(*syntax.CallExpr)
	switch law {
	case quoting.Grouped:
		return "{ " + command + "\n}", true
	case quoting.NewLine:
		return ":\n" + command, true
	case quoting.Commented:
		return command + "\n# a; less b", true
	case quoting.Printed:
		var b strings.Builder
		if syntax.NewPrinter().Print(&b, file) != nil {
			return "", false
		}
		return b.String(), true
	case quoting.Quoted:
		if first == nil || len(first.Args) == 0 || len(first.Args[0].Parts) != 1 {
			return "", false
		}
		l, ok := first.Args[0].Parts[0].(*syntax.Lit)
		if !ok || strings.ContainsAny(l.Value, `\~*?[{`) || special(l.Value) {
			return "", false
		}
		from, to := int(l.Pos().Offset()), int(l.End().Offset())
		return command[:from] + "'" + command[from:to] + "'" + command[to:], true
	case quoting.Continued:
		if first == nil || len(first.Args) < 2 {
			return "", false
		}
		at := int(first.Args[0].End().Offset())
		return command[:at] + " \\\n" + command[at:], true
	}
	return "", false
}

// special reports whether a word is one that quotes would change: a reserved word,
// or what may be an alias.
func special(word string) bool {
	switch word {
	case "time", "coproc", "!", "{", "}", "[[":
		return true
	}
	return false
}
