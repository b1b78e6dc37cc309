package oracles

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

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
			if unparsed && got.Fate == "" && !got.Expanded && Older(shell.Version, "4.0") && bytes.Contains(got.Stderr, []byte("syntax error")) && bytes.Contains(got.Stderr, []byte(pty.Prompt)) {
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
		families: []string{"stdin-i", "pty", "source-file"},
		applies: func(_ home.Shell, _ Case, want wire.Observation, got wire.Result) bool {
			if got.Fate != wire.Gone {
				return false
			}
			got.Fate = ""
			return want.Equal(got.Observation)
		},
	},
	{
		Name:     "interactive-shell",
		Reason:   "the command uses what an interactive shell has otherwise: its options, aliases, history, job control, or that errors do not end it",
		families: []string{"stdin-i", "pty", "source-file"},
		applies: func(_ home.Shell, c Case, _ wire.Observation, got wire.Result) bool {
			switch got.Fate {
			case wire.Discarded, wire.Continued, wire.Rewritten, wire.MarkerLost:
				return false
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
		Name:     "errexit-under-and",
		Reason:   "the wrapper runs the command left of &&, where set -e and the ERR trap do not act",
		families: []string{"posix-eval"},
		applies: func(_ home.Shell, c Case, _ wire.Observation, _ wire.Result) bool {
			return c.Payloads == nil && (setsErrexit(c.Command) || bytes.Contains(c.Command, []byte("ERR")))
		},
	},
}

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
var interactiveWords = regexp.MustCompile(`\$-|\$\{-|\b(alias|history|fc|jobs|fg|bg|disown|suspend|shopt|histexpand|errexit|monitor|nounset)\b|\bset\s+[-+][a-zA-Z]|%[0-9+%-]|\bERR\b|:?\?|\$!`)

var returns = regexp.MustCompile(`\breturn\b`)

var descriptor = regexp.MustCompile(`/dev/fd/[0-9]+`)

// numberless returns the observation with the names of all descriptors alike.
func numberless(o wire.Observation) wire.Observation {
	alike := func(b []byte) []byte {
		if b == nil {
			return nil
		}
		return descriptor.ReplaceAllLiteral(b, []byte("/dev/fd/N"))
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
