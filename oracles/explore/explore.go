// Package explore writes variants of a command that take other branches than the
// command does by itself, so that what did not run because of a condition can be
// told from what cannot run at all. It reads and writes text and runs nothing.
//
// A variant is the command with pieces put in: conditions on the way to a call are
// given the outcome that leads there, and a mark, which is a run of the probe, stands
// before the call.
package explore

import (
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A Call is a simple command in the parser's tree, as a caller of Texts is asked
// about it.
type Call struct {
	// Words are its words without their quotes. Of a word in which something is
	// expanded it is the rest.
	Words []string
	// Literal says of each word whether nothing in it is expanded.
	Literal []bool
}

// A Variant is a command that takes other branches.
type Variant struct {
	Text string
	// Calls are the numbers of the calls that it is meant to reach.
	Calls []int
}

// A Survey is what there is to reach in a command.
type Survey struct {
	// Parsed is false where the parser does not take the command. There are no
	// variants then.
	Parsed bool
	// Calls are the calls of interest.
	Calls []Call
	// At are their offsets in the command.
	At []int
	// Certain says of each whether it stands where the shell passes in any case.
	Certain []bool
	// Open says of each whether something on the way to it has no outcome that
	// could be given.
	Open []bool
	// Variants reach those that are not certain.
	Variants []Variant
}

// Mark is the argument by which the probe is told from others that run in a variant:
// the number of the call follows.
const Mark = "@argvdiff:"

// Most bounds the variants of one command.
const Most = 6

// Of surveys the calls of a command that are of interest and writes variants.
func Of(command string, interest func(Call) bool) Survey {
	e := &explorer{interest: interest}
	file, err := syntax.NewParser().Parse(strings.NewReader(command), "")
	if err != nil {
		return Survey{}
	}
	s := Survey{Parsed: true}
	e.collect(file, 0, nil)
	for _, t := range e.targets {
		s.Calls = append(s.Calls, t.call)
		s.At = append(s.At, t.at)
		s.Certain = append(s.Certain, t.certain())
		s.Open = append(s.Open, t.open)
	}
	s.Variants = e.variants(command)
	return s
}

// An explorer looks for calls of interest in a text and in texts that it runs.
type explorer struct {
	interest func(Call) bool
	targets  []target
	sites    int // counts loops
}

// A target is a call of interest with what must be to reach it.
type target struct {
	call  Call
	at    int // its offset in the command
	wants []want
	// within says that it stands in a function or a trap, or behind something that
	// may leave: whether it is reached is seen by its mark alone.
	within bool
	open   bool
	flips  bool
}

func (t target) certain() bool { return len(t.wants) == 0 && !t.within && !t.open }

// A want is the outcome that a condition is to have. Its edits bring that about.
type want struct {
	site  any // what is decided: wants of one site exclude each other
	way   int
	edits []edit
}

// An edit puts text into the command in place of some bytes of it.
type edit struct {
	at, drop int
	text     string
}

// collect walks a tree whose text begins at the offset base of the command. Before
// holds what must be for the text to run at all.
func (e *explorer) collect(root syntax.Node, base int, before *target) {
	var stack []syntax.Node
	syntax.Walk(root, func(n syntax.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		c, ok := n.(*syntax.CallExpr)
		if !ok || len(c.Args) == 0 {
			return true
		}
		call := read(c)
		wanted := e.interest(call)
		texts, hidden := inner(c, call)
		texts = append(texts, fed(call, stack)...)
		hidden = hidden && e.mentions(call)
		if !wanted && !hidden && len(texts) == 0 {
			return true
		}
		t := target{call: call, at: base + int(c.Pos().Offset())}
		if before != nil {
			t.wants, t.within, t.open = append(t.wants, before.wants...), before.within, before.open
		}
		e.way(&t, stack, base)
		if hidden {
			t.open = true
			for _, w := range call.Words[1:] {
				for _, one := range tokens(w) {
					t.call.Words, t.call.Literal = append(t.call.Words, one), append(t.call.Literal, true)
				}
			}
		}
		if wanted || hidden {
			e.targets = append(e.targets, t)
		}
		for _, text := range texts {
			file, err := syntax.NewParser().Parse(strings.NewReader(text.value), "")
			if err != nil {
				continue
			}
			in := t
			in.within = in.within || text.later
			e.collect(file, base+text.at, &in)
		}
		return true
	})
}

// A nested text is one that a call runs, with the place where it stands.
type nested struct {
	value string
	at    int
	later bool // it runs when something else happens
}

var (
	shells = []string{"sh", "bash", "zsh", "ksh", "dash"}
	keeps  = []string{"sudo", "command", "env", "nohup", "time", "exec", "doas", "nice", "timeout", "stdbuf", "setsid", "ionice", "xargs", "builtin", "find"}
)

// mentions reports whether one of the words of a call, which it runs as a text, holds a
// word that is of interest.
func (e *explorer) mentions(c Call) bool {
	for _, w := range c.Words[1:] {
		words := tokens(w)
		for _, one := range words {
			if len(words) > 1 && e.interest(Call{Words: []string{one}, Literal: []bool{true}}) {
				return true
			}
		}
	}
	return false
}

// tokens are the pieces of a text that may be words of its commands.
func tokens(text string) []string {
	return strings.FieldsFunc(strings.ReplaceAll(text, `\`, ""), func(r rune) bool { return strings.ContainsRune(" \t\n;&|(){}<>`'\"$", r) })
}

// fed returns the text of a here-document that a shell reads.
func fed(call Call, stack []syntax.Node) []nested {
	if len(stack) < 2 || !slices.Contains(shells, call.Words[0]) || len(call.Words) > 1 {
		return nil
	}
	s, ok := stack[len(stack)-2].(*syntax.Stmt)
	if !ok {
		return nil
	}
	for _, r := range s.Redirs {
		if r.Hdoc != nil && r.Op == syntax.Hdoc && len(r.Hdoc.Parts) == 1 {
			if l, ok := r.Hdoc.Parts[0].(*syntax.Lit); ok && !strings.Contains(l.Value, `\`) {
				return []nested{{l.Value, int(l.Pos().Offset()), false}}
			}
		}
	}
	return nil
}

// inner returns the texts among the words of a call that it runs, where they stand
// in the command byte for byte. Hidden says that some do not.
func inner(c *syntax.CallExpr, call Call) (texts []nested, hidden bool) {
	runs, later := false, false
	for i, w := range call.Words {
		switch name := w[strings.LastIndexByte(w, '/')+1:]; {
		case !call.Literal[i]:
		case slices.Contains(shells, name), name == "eval":
			runs = true
		case i == 0 && name == "trap":
			runs, later = true, true
		}
		if i == 0 && !runs && !slices.Contains(keeps, w[strings.LastIndexByte(w, '/')+1:]) {
			break
		}
	}
	if !runs {
		return nil, false
	}
	for _, w := range c.Args[1:] {
		if len(w.Parts) != 1 {
			hidden = true
			continue
		}
		switch p := w.Parts[0].(type) {
		case *syntax.SglQuoted:
			if hidden = hidden || p.Dollar; !p.Dollar {
				texts = append(texts, nested{p.Value, int(p.Left.Offset()) + 1, later})
			}
		case *syntax.DblQuoted:
			l, ok := sole(p)
			if ok && !strings.Contains(l.Value, `\`) {
				texts = append(texts, nested{l.Value, int(l.Pos().Offset()), later})
			} else {
				hidden = true
			}
		default:
			text, literal := word(w.Parts, false)
			hidden = hidden || !literal || strings.ContainsAny(text, " \t\n;&|")
		}
	}
	return texts, hidden
}

func sole(p *syntax.DblQuoted) (*syntax.Lit, bool) {
	if p.Dollar || len(p.Parts) != 1 {
		return nil, false
	}
	l, ok := p.Parts[0].(*syntax.Lit)
	return l, ok
}

// read reads the words of a call.
func read(c *syntax.CallExpr) Call {
	var call Call
	for _, w := range c.Args {
		text, literal := word(w.Parts, false)
		call.Words, call.Literal = append(call.Words, text), append(call.Literal, literal)
	}
	return call
}

func word(parts []syntax.WordPart, quoted bool) (string, bool) {
	var b strings.Builder
	literal := true
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(plain(p.Value, quoted))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
			literal = literal && (!p.Dollar || !strings.Contains(p.Value, `\`))
		case *syntax.DblQuoted:
			text, ok := word(p.Parts, true)
			b.WriteString(text)
			literal = literal && ok
		default:
			literal = false
		}
	}
	return b.String(), literal
}

// plain returns text without the backslashes that quote.
func plain(text string, quoted bool) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && (!quoted || strings.IndexByte("\"\\$`\n", text[i+1]) >= 0) {
			i++
			if text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// variants writes as few variants as reach the calls, up to Most.
func (e *explorer) variants(command string) []Variant {
	var list []Variant
	done := make([]bool, len(e.targets))
	for i, t := range e.targets {
		if done[i] || t.certain() {
			continue
		}
		// All that go the same way, or another that does not cross it, are reached
		// by one variant.
		ways := make(map[any]want)
		agree := func(t target) bool {
			for _, w := range t.wants {
				if had, ok := ways[w.site]; ok && had.way != w.way {
					return false
				}
			}
			return true
		}
		v := Variant{}
		var edits []edit
		for k := i; k < len(e.targets); k++ {
			o := e.targets[k]
			if done[k] || o.certain() || o.flips != t.flips || t.flips && k > i || !agree(o) {
				continue
			}
			done[k] = true
			v.Calls = append(v.Calls, k)
			for _, w := range o.wants {
				if _, ok := ways[w.site]; !ok {
					ways[w.site] = w
					edits = append(edits, w.edits...)
				}
			}
			edits = append(edits, edit{at: o.at, text: fmt.Sprintf("argvdiff_=$(probe %s%d) ", Mark, k)})
		}
		v.Text = apply(command, edits)
		list = append(list, v)
		if len(list) == Most {
			break
		}
		if t.flips {
			// The other value of what is unknown.
			var kept []edit
			for _, d := range edits {
				if d.drop == 0 {
					kept = append(kept, d)
				}
			}
			list = append(list, Variant{Text: apply(command, kept), Calls: v.Calls})
		}
	}
	return list
}

// apply makes the edits, of which those at one place keep their order.
func apply(text string, edits []edit) string {
	var b strings.Builder
	edits = slices.Clone(edits)
	from := 0
	for {
		next := -1
		for i, d := range edits {
			if d.at >= 0 && (next < 0 || d.at < edits[next].at) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		d := edits[next]
		edits[next].at = -1
		if d.at < from || d.at > len(text) {
			continue
		}
		b.WriteString(text[from:d.at])
		b.WriteString(d.text)
		from = d.at + d.drop
	}
	b.WriteString(text[from:])
	return b.String()
}
