package oracles

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
	"github.com/argvdiff/argvdiff/targets/pty"
)

// A Class is a difference between a path and its reference which the path's
// wrapper makes by design, so that it is no finding.
type Class struct {
	// Name stands in reports.
	Name string
	// Reason says why the difference is as it must be.
	Reason string

	families []string
	applies  func(shell home.Shell, c Case, want wire.Observation, got wire.Result) bool
}

// Classes lists the named differences.
var Classes = []Class{
	{
		Name:     "syntax-status",
		Reason:   "the text does not parse, which eval answers with another status than bash -c: 1 or 0 before bash 4.0, where an interactive shell goes on with the next line of it; later 2 where bash -c keeps the status of the last command before an open quote",
		families: []string{"posix-eval", "ansi-c-eval", "stdin-i", "pty", "source-file"},
		applies: func(shell home.Shell, c Case, want wire.Observation, got wire.Result) bool {
			unparsed := bytes.Contains(got.Stderr, []byte("syntax error")) || bytes.Contains(got.Stderr, []byte("conditional")) || bytes.Contains(got.Stderr, []byte("unexpected EOF")) ||
				Older(shell.Version, "4.0") && want.Status == 2 || !parses(c.Command)
			if unparsed && (want.Status != 0 || !parses(c.Command)) && got.Fate == "" && !got.Expanded && Older(shell.Version, "4.0") && bytes.Contains(got.Stderr, []byte("syntax error")) && bytes.Contains(got.Stderr, []byte(pty.Prompt)) {
				return true // an interactive one goes on with the next line of the text
			}
			got.Status = want.Status
			return unparsed && want.Equal(got.Observation)
		},
	},
	{
		Name:     "shows-its-own-text",
		Reason:   "the command lists the shell's variables, one of which holds the text that the path gave to bash -c",
		families: []string{"posix-eval", "ansi-c-eval", "stdin-i", "pty", "source-file", "sandbox", "sandbox-fixed"},
		applies: func(_ home.Shell, _ Case, want wire.Observation, got wire.Result) bool {
			lists := func(o wire.Observation) bool {
				return bytes.Contains(o.Stdout, []byte("BASH_EXECUTION_STRING=")) || slices.ContainsFunc(o.Records, func(r wire.Record) bool {
					return bytes.Contains(r.Stdin, []byte("BASH_EXECUTION_STRING="))
				})
			}
			return lists(want) && lists(got.Observation)
		},
	},
	{
		Name:     "descriptor-number",
		Reason:   "the command shows the name of a process substitution, whose number hangs on the descriptors that the wrapper holds open",
		families: []string{"posix-eval", "ansi-c-eval", "stdin-i", "pty", "source-file", "sandbox", "sandbox-fixed"},
		applies: func(_ home.Shell, _ Case, want wire.Observation, got wire.Result) bool {
			return numberless(want).Equal(numberless(got.Observation))
		},
	},
	{
		Name:     "ends-the-shell",
		Reason:   "the command ends its shell, so that nothing is printed behind it",
		families: terminals,
		applies: func(_ home.Shell, c Case, want wire.Observation, got wire.Result) bool {
			if got.Fate != wire.Gone || endsOnBackslash(c.Command) {
				return false
			}
			got.Fate = ""
			return want.Equal(got.Observation)
		},
	},
	{
		Name:     "interactive-shell",
		Reason:   "the command uses what an interactive shell has otherwise: its options, aliases, history, job control, or that errors do not end it",
		families: terminals,
		applies: func(_ home.Shell, c Case, want wire.Observation, got wire.Result) bool {
			switch got.Fate {
			case wire.Discarded, wire.Continued, wire.Rewritten, wire.MarkerLost:
				return false
			case wire.Gone:
				if got.Status > 128 && got.Status != want.Status {
					return false // killed, but not by its command
				}
			}
			return !got.Expanded && interactiveWords.Match(c.Command)
		},
	},
	{
		Name:     "return-from-source",
		Reason:   "the command returns, which ends the reading of a file that holds it, and is an error elsewhere",
		families: []string{"source-file"},
		applies: func(_ home.Shell, c Case, _ wire.Observation, got wire.Result) bool {
			return got.Fate == "" && returns.Match(c.Command)
		},
	},
	{
		Name:     "ignored-signal",
		Reason:   "the command sends its own shell a signal that an interactive one ignores",
		families: terminals,
		applies: func(_ home.Shell, c Case, want wire.Observation, got wire.Result) bool {
			return got.Fate == "" && (want.Status == 128+15 || want.Status == 128+3) && killsItself.Match(c.Command)
		},
	},
	{
		Name:     "trace",
		Reason:   "an earlier command has the shell trace what it runs, and the wrapper's own text is part of that",
		families: terminals,
		applies: func(_ home.Shell, _ Case, want wire.Observation, got wire.Result) bool {
			if !traced.Match(want.Stdout) || !traced.Match(got.Stdout) {
				return false
			}
			want.Stdout, got.Stdout = traced.ReplaceAllLiteral(want.Stdout, nil), traced.ReplaceAllLiteral(got.Stdout, nil)
			return want.Equal(got.Observation)
		},
	},
	{
		Name:     "debug-trap",
		Reason:   "a DEBUG trap is set, which acts for the wrapper's own commands too",
		families: terminals,
		applies: func(_ home.Shell, c Case, want wire.Observation, got wire.Result) bool {
			sets := func(command []byte) bool { return debugTrap.Match(command) }
			return got.Fate == "" && got.Status == want.Status && (sets(c.Command) || slices.ContainsFunc(c.Session, sets)) && within(want, got.Observation)
		},
	},
	{
		Name:     "exit-trap",
		Reason:   "a trap for the end of the shell is set, and a shell that is kept does not end",
		families: terminals,
		applies: func(_ home.Shell, c Case, want wire.Observation, got wire.Result) bool {
			sets := func(command []byte) bool { return exitTrap.Match(command) }
			return got.Fate == "" && got.Status == want.Status && (sets(c.Command) || slices.ContainsFunc(c.Session, sets)) && within(got.Observation, want)
		},
	},
	{
		Name:     "place-in-the-wrapper",
		Reason:   "the command shows $_ or LINENO, which say what stands before it",
		families: terminals,
		applies: func(_ home.Shell, c Case, want wire.Observation, got wire.Result) bool {
			return placeWords.Match(c.Command) && placeless(want).Equal(placeless(got.Observation))
		},
	},
	{
		Name:     "errexit-under-and",
		Reason:   "the wrapper runs the command left of &&, where set -e and the ERR trap do not act",
		families: []string{"posix-eval"},
		applies: func(_ home.Shell, c Case, _ wire.Observation, _ wire.Result) bool {
			return c.Payloads == nil && (setsErrexit(c.Command) || bytes.Contains(c.Command, []byte("ERR")))
		},
	},
}

// terminals are the families of paths with an interactive shell.
var terminals = []string{"stdin-i", "pty", "source-file"}

// explain returns the class that explains the difference, if one does.
func explain(p path.Path, shell home.Shell, c Case, want wire.Observation, got wire.Result) (Class, bool) {
	for _, class := range Classes {
		for _, family := range class.families {
			if family == p.Family && class.applies(shell, c, want, got) {
				return class, true
			}
		}
	}
	return Class{}, false
}

// interactiveWords are words by which a command shows, or changes, that its shell
// is interactive.
var interactiveWords = regexp.MustCompile(`\$-|\$\{-|\b(alias|history|fc|jobs|fg|bg|disown|suspend|shopt|histexpand|errexit|monitor|nounset)\b|\bset\s+[-+][a-zA-Z]|\b(kill|wait)\b.*%|\bERR\b|\$\{[^}]*\?|\$!`)

var returns = regexp.MustCompile(`\breturn\b`)

var (
	killsItself = regexp.MustCompile(`\bkill\b.*(\$\$|BASHPID)`)
	traced      = regexp.MustCompile(`(?m)^\++ .*\n`)
	placeWords  = regexp.MustCompile(`\$_|\$\{_|LINENO`)
	place       = regexp.MustCompile(`__DSH_PERSISTENT_BASH_START_[0-9a-f-]+__|/bin/bash|[0-9]+`)
	exitTrap    = regexp.MustCompile(`\btrap\b.*(\bEXIT\b|\s0\b)`)
	debugTrap   = regexp.MustCompile(`\btrap\b.*\bDEBUG\b`)

	ending     = regexp.MustCompile(`\b(exit|exec|kill|set|return)\b`)
	descriptor = regexp.MustCompile(`/dev/fd/[0-9]+`)
)

// endsOnBackslash reports whether the text ends with a line that is a backslash and
// nothing else, and does not end its shell otherwise. Such a line is the end of the
// input to eval, and then to the shell, in some versions.
func endsOnBackslash(text []byte) bool {
	return finding.EndsOnBackslash(text) && !ending.Match(text)
}

// within reports whether all that one observation has is in the other one too, in
// the same order.
func within(o, in wire.Observation) bool {
	records := in.Records
	for _, r := range o.Records {
		i := slices.IndexFunc(records, func(s wire.Record) bool {
			return wire.Observation{Records: []wire.Record{r}}.Equal(wire.Observation{Records: []wire.Record{s}})
		})
		if i < 0 {
			return false
		}
		records = records[i+1:]
	}
	rest := in.Stdout
	for line := range bytes.Lines(o.Stdout) {
		at := bytes.Index(rest, line)
		if at < 0 {
			return false
		}
		rest = rest[at+len(line):]
	}
	return true
}

// numberless returns the observation with the names of all descriptors alike, and
// placeless with what tells of a place in a text.
func numberless(o wire.Observation) wire.Observation { return without(o, descriptor) }
func placeless(o wire.Observation) wire.Observation  { return without(o, place) }

// without returns the observation with all alike that matches.
func without(o wire.Observation, some *regexp.Regexp) wire.Observation {
	alike := func(b []byte) []byte {
		if b == nil {
			return nil
		}
		return some.ReplaceAllLiteral(b, []byte("N"))
	}
	o.Stdout = alike(o.Stdout)
	o.Records = slices.Clone(o.Records)
	for i, r := range o.Records {
		r.Stdin = alike(r.Stdin)
		r.Argv = slices.Clone(r.Argv)
		for n, a := range r.Argv {
			r.Argv[n] = alike(a)
		}
		o.Records[i] = r
	}
	return o
}

// parses reports whether the text is a program, to a parser that knows bash.
func parses(text []byte) bool {
	_, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(bytes.NewReader(text), "")
	return err == nil
}

// setsErrexit reports whether the text holds a call of set with e among its
// options. It may see one where there is none.
func setsErrexit(text []byte) bool {
	if bytes.Contains(text, []byte("errexit")) {
		return true
	}
	words := bytes.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n;&|(){}'\"`", r) })
	for i, w := range words {
		if string(w) != "set" {
			continue
		}
		for _, option := range words[i+1:] {
			if len(option) == 0 || option[0] != '-' || string(option) == "--" {
				break
			}
			if bytes.IndexByte(option, 'e') > 0 {
				return true
			}
		}
	}
	return false
}

// Older reports whether version comes before other, both as "major.minor" with
// more behind it.
func Older(version, other string) bool {
	a, b := strings.Split(version, "."), strings.Split(other, ".")
	for i := range min(len(a), len(b), 2) {
		x, _ := strconv.Atoi(a[i])
		y, _ := strconv.Atoi(b[i])
		if x != y {
			return x < y
		}
	}
	return false
}
