package group

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The builtins of bash by what they do to the shell that runs them. One that is
// in no list needs a shell of its own.
var (
	harmless = []string{"echo", "printf", "test", "[", "true", "false", ":", "pwd", "wait"}
	changing = []string{"read", "shift", "unset", "exit", "return", "break", "continue", "cd", "mapfile", "readarray", "let", "getopts", "shopt", "alias", "unalias"}
	builtins = []string{
		".", "source", "bg", "bind", "builtin", "caller", "command", "compgen", "complete", "compopt", "dirs", "disown",
		"enable", "eval", "exec", "export", "fc", "fg", "hash", "help", "history", "jobs", "kill", "local", "logout", "popd",
		"pushd", "readonly", "declare", "typeset", "set", "suspend", "times", "trap", "type", "ulimit", "umask",
	}
)

// call looks at a simple command.
func (v *visit) call(c *syntax.CallExpr) {
	if len(c.Assigns) > 0 && len(c.Args) == 0 {
		v.changes()
	}
	if len(c.Args) > 0 {
		v.simple(c.Args)
	}
}

// simple looks at the words of a simple command.
func (v *visit) simple(args []*syntax.Word) {
	name, ok := literal(args[0])
	if !ok {
		v.alone()
		return
	}
	rest := args[1:]
	switch {
	case name == v.inside && name != "":
		v.alone() // recursion
	case slices.Contains(v.functions, name):
		// Its body is looked at where it stands. One that calls another which
		// calls it back is caught by the budget.
	case name == "printf" && len(rest) > 0 && rest[0].Lit() == "-v":
		v.changes()
	case slices.Contains(harmless, name):
	case (name == "shopt" || name == "alias") && len(rest) < 1:
		v.alone() // lists what is there
	case slices.Contains(changing, name):
		v.changes()
		v.moves = v.moves || name == "cd"
	case name == "command", name == "builtin":
		v.prefixed(rest)
	case name == "exec":
		v.changes()
		if len(rest) > 0 {
			v.prefixed(rest)
		}
	case name == "eval":
		v.evaluated(rest)
	case name == "trap":
		v.changes()
		if len(rest) < 2 {
			v.alone()
			return
		}
		v.evaluated(rest[:1])
	case name == "set":
		v.set(rest)
	case slices.Contains(builtins, name), strings.Contains(name, "/"), name == "bash", name == "sh":
		v.alone()
	}
}

// prefixed looks at the command behind command, builtin or exec.
func (v *visit) prefixed(args []*syntax.Word) {
	if len(args) == 0 {
		return
	}
	if first, ok := literal(args[0]); !ok || strings.HasPrefix(first, "-") {
		v.alone()
		return
	}
	v.simple(args)
}

// evaluated looks at words which are run as a text.
func (v *visit) evaluated(args []*syntax.Word) {
	var words []string
	for _, a := range args {
		w, ok := literal(a)
		if !ok {
			v.alone()
			return
		}
		words = append(words, w)
	}
	// The parser of the text around is in use no more: its tree stands.
	switch v.sorter.manner([]byte(strings.Join(words, " ")), v.trait, v.functions, v.nested+1) {
	case Alone:
		v.alone()
	case Subshell:
		v.changes()
	}
}

// set looks at the options that are set.
func (v *visit) set(args []*syntax.Word) {
	v.changes()
	if len(args) == 0 {
		v.alone() // lists all variables
		return
	}
	for i, a := range args {
		w, ok := literal(a)
		if !ok || w == "--" || w == "" || (w[0] != '-' && w[0] != '+') {
			if i == 0 && !ok {
				v.alone()
			}
			return // positional parameters from here on
		}
		if strings.HasSuffix(w, "o") && i == len(args)-1 {
			v.alone() // lists the options
			return
		}
	}
}

// literal returns the word without its quotes, if no expansion is in it.
func literal(w *syntax.Word) (string, bool) {
	if w == nil {
		return "", false
	}
	var b strings.Builder
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			bare(&b, p.Value, "")
		case *syntax.SglQuoted:
			if p.Dollar {
				return "", false
			}
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			if p.Dollar {
				return "", false
			}
			for _, inner := range p.Parts {
				l, ok := inner.(*syntax.Lit)
				if !ok {
					return "", false
				}
				bare(&b, l.Value, "\"\\$`\n")
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}

// bare writes text without its backslashes: all of them, or those before one of
// the given bytes.
func bare(b *strings.Builder, text, before string) {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && (before == "" || strings.IndexByte(before, text[i+1]) >= 0) {
			i++
			if text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
}
