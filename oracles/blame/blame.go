// Package blame says why a reader of commands was wrong: which trait of a command
// misled it. It reads text and runs nothing.
//
// It asks in two ways. Where a call was overlooked it looks at what stands around the
// call; where something was invented it takes one trait after the other out of the
// command until the reader is misled no more.
package blame

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The causes that do not come from a trait of the text around.
const (
	Unlisted    = "not in its tables"
	Arguments   = "its rule for arguments"
	Wrapper     = "a wrapper's operand"
	Opaque      = "a dynamic program"
	DynamicWord = "a dynamic word"
	Unparsed    = "the text does not parse"
	Function    = "a function of that name"
	Lookup      = "only looked up"
	InputLost   = "a lost redirection of input"
	OutputLost  = "a lost redirection of output"
	Unreachable = "unreachable"
	Elsewhere   = "something else"
)

// Before names what stands before the byte at an offset of a command, where that is
// not what a splitter takes for the end of a segment; "" where it is.
func Before(command string, at int) string {
	head := command[:min(at, len(command))]
	for {
		trimmed := strings.TrimRight(head, " \t")
		if joined, ok := strings.CutSuffix(trimmed, "\\\n"); ok {
			head = joined
			continue
		}
		head = trimmed
		break
	}
	if head == "" {
		return ""
	}
	last := head[len(head)-1]
	switch {
	case strings.HasSuffix(head, "&&"), strings.HasSuffix(head, "||"), strings.HasSuffix(head, "|&"):
		return ""
	case last == ';' || last == '|' || last == '`' || strings.HasSuffix(head, "$("):
		return ""
	case last == '\n':
		return "a newline"
	case last == '&':
		return "a single &"
	case last == '{':
		return "a brace"
	case strings.HasSuffix(head, "<("), strings.HasSuffix(head, ">("):
		return "a process substitution"
	case last == '(':
		return "a parenthesis"
	case last == ')':
		return "a pattern of case"
	case last == '\'' || last == '"':
		return "a quoted payload"
	}
	word := head[strings.LastIndexAny(head, " \t\n;&|({`")+1:]
	switch word {
	case "then", "else", "do", "if", "elif", "while", "until":
		return "a keyword"
	case "!", "time", "coproc":
		return word
	}
	if strings.Contains(word, "=") && strings.ContainsAny(word, `'"`) {
		return "a quoted assignment"
	}
	if strings.ContainsAny(word, "<>") {
		return "a redirection"
	}
	return ""
}

// A trait is something that a command may have, with what takes it out of the command.
type trait struct {
	name string
	drop func(t *text)
}

// traits are asked in this order.
var traits = []trait{
	{"a comment", dropComments},
	{"the body of a here-document", dropBodies},
	{"an ANSI-C quote", dropANSIC},
	{DynamicWord, dropDynamic},
	{"quoted text", dropQuoted},
	{"a backslash", dropEscapes},
	{"a redirection", dropRedirections},
	{"an assignment", dropAssignments},
	{"a newline", dropNewlines},
	{"a single &", dropBackground},
}

// Because returns the first trait of the command without which the reader is misled
// no more, as misled says of a text; "" where there is none.
func Because(command string, misled func(string) bool) string {
	for _, t := range traits {
		if changed, ok := Without(command, t.name); ok && !misled(changed) {
			return t.name
		}
	}
	return ""
}

// Without returns the command without the trait; false where it has none of it, or
// the parser does not take the command.
func Without(command, name string) (string, bool) {
	i := slices.IndexFunc(traits, func(t trait) bool { return t.name == name })
	if i < 0 {
		return "", false
	}
	file, err := syntax.NewParser(syntax.KeepComments(true)).Parse(strings.NewReader(command), "")
	if err != nil {
		return "", false
	}
	t := &text{command: command, file: file}
	traits[i].drop(t)
	changed := t.apply()
	return changed, changed != command
}

// A text is a command whose pieces are being replaced.
type text struct {
	command string
	file    *syntax.File
	edits   []edit
}

type edit struct {
	from, to int
	text     string
}

func (t *text) replace(from, to syntax.Pos, text string) {
	t.edits = append(t.edits, edit{int(from.Offset()), int(to.Offset()), text})
}

func (t *text) apply() string {
	slices.SortStableFunc(t.edits, func(a, b edit) int { return a.from - b.from })
	var b strings.Builder
	at := 0
	for _, e := range t.edits {
		if e.from < at || e.to > len(t.command) || e.to < e.from {
			continue // inside of what is replaced already
		}
		b.WriteString(t.command[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.WriteString(t.command[at:])
	return b.String()
}

// each calls f for the nodes of a type, the outer ones first.
func each[N syntax.Node](t *text, f func(N)) {
	syntax.Walk(t.file, func(n syntax.Node) bool {
		if n, ok := n.(N); ok {
			f(n)
		}
		return true
	})
}
