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
	for _, a := range c.Assigns {
		v.given(a)
	}
	if len(c.Args) > 0 {
		v.simple(c.Args)
	}
}

// given takes down what a variable is given.
func (v *visit) given(a *syntax.Assign) {
	value, ok := "", a.Array == nil
	if ok && a.Value != nil {
		value, ok = literal(a.Value)
	}
	v.opaque = v.opaque || !ok || a.Append
	v.values = append(v.values, value)
	if a.Name != nil && a.Name.Value == "PS4" {
		v.alone() // it is expanded for each line of a trace
	}
}

// runs looks at texts that are run. Opaque says that these are not all.
func (v *visit) runs(texts []string, opaque bool) {
	v.changes()
	if opaque {
		v.alone()
		return
	}
	for _, text := range texts {
		if v.sorter.manner([]byte(text), v.trait, v.functions, v.nested+1) == Alone {
			v.alone()
		}
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
	case name != "[" && strings.ContainsAny(name, "{*?[~"):
		v.alone() // what it expands to
	case slices.Contains(v.functions, name) && (slices.Contains(builtins, name) || slices.Contains(changing, name) || slices.Contains(harmless, name)):
		v.alone() // which of the two it is
	case slices.Contains(v.functions, name):
		// Its body is looked at where it stands. One that calls another which
		// calls it back is caught by the budget.
	case name == "printf" && len(rest) > 0 && mayAssign(rest[0]):
		v.changes()
		v.opaque = true
	case name == "wait" && len(rest) > 0:
		v.changes() // -p does
	case name == "echo" || name == "printf":
		for _, a := range rest {
			w, ok := literal(a)
			v.spoken, v.mumbles = append(v.spoken, w), v.mumbles || !ok
		}
	case (name == "." || name == "source") && len(rest) == 1 && v.made(rest[0]):
		v.sources = true
	case slices.Contains(harmless, name):
	case name == "shopt" && len(rest) < 1, name == "alias":
		v.alone() // lists what is there, or makes one name another
	case slices.Contains(changing, name):
		v.changes()
		v.opaque = v.opaque || name == "read" || name == "mapfile" || name == "readarray" || name == "getopts"
		if name == "cd" {
			v.moves, v.wanders = v.moves || v.local == 0, v.wanders || v.local > 0
		}
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
		if !ok && len(args) == 1 && ofVariable(a) {
			v.evaluates = true
			return
		}
		if !ok && v.ofFile(a) {
			v.sources = true
			return
		}
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

// made reports whether the word names a file that the command has made before.
func (v *visit) made(w *syntax.Word) bool {
	name, ok := literal(w)
	return ok && slices.Contains(v.trait.Writes, strings.TrimPrefix(name, "./"))
}

// ofFile reports whether the word is "$(< file)" of a file that the command has
// made before.
func (v *visit) ofFile(w *syntax.Word) bool {
	parts := w.Parts
	if q, ok := parts[0].(*syntax.DblQuoted); ok && len(parts) == 1 {
		parts = q.Parts
	}
	if len(parts) != 1 {
		return false
	}
	c, ok := parts[0].(*syntax.CmdSubst)
	if !ok || len(c.Stmts) != 1 || c.Stmts[0].Cmd != nil || len(c.Stmts[0].Redirs) != 1 {
		return false
	}
	r := c.Stmts[0].Redirs[0]
	return r.Op == syntax.RdrIn && v.made(r.Word)
}

// ofVariable reports whether the word is one variable and nothing else.
func ofVariable(w *syntax.Word) bool {
	parts := w.Parts
	if q, ok := parts[0].(*syntax.DblQuoted); ok && len(parts) == 1 {
		parts = q.Parts
	}
	if len(parts) != 1 {
		return false
	}
	p, ok := parts[0].(*syntax.ParamExp)
	return ok && p.Short && p.Param != nil && syntax.ValidName(p.Param.Value)
}

// mayAssign reports whether printf may be told by its first word to assign.
func mayAssign(w *syntax.Word) bool {
	text, ok := literal(w)
	return !ok || strings.HasPrefix(text, "-v") || strings.HasPrefix(text, "{")
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
