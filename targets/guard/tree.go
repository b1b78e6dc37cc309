package guard

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A Call is a simple command in the parser's tree.
type Call struct {
	// Words are the texts of its words: their literal parts, without quotes. What
	// is expanded contributes nothing.
	Words []string
	// Literal says of each word whether nothing in it is expanded, as far as the
	// modelled guard knows.
	Literal []bool
	// At is the offset of the call in the text.
	At int
}

// Calls returns the simple commands of a text that have a word, in the order of the
// tree; none where the parser does not take it.
func Calls(text string) []Call {
	p := parsers.Get().(*syntax.Parser)
	defer parsers.Put(p)
	file, err := p.Parse(strings.NewReader(text), "")
	if err != nil {
		return nil
	}
	var calls []Call
	syntax.Walk(file, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 {
			call := Call{At: int(c.Pos().Offset())}
			for _, w := range c.Args {
				text, literal := read(w.Parts)
				call.Words, call.Literal = append(call.Words, text), append(call.Literal, literal)
			}
			calls = append(calls, call)
		}
		return true
	})
	return calls
}

func read(parts []syntax.WordPart) (text string, literal bool) {
	literal = true
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			text += p.Value
		case *syntax.SglQuoted:
			text += p.Value
		case *syntax.DblQuoted:
			for _, inner := range p.Parts {
				if l, ok := inner.(*syntax.Lit); ok {
					text += l.Value
				} else {
					literal = false
				}
			}
		default:
			literal = false
		}
	}
	return text, literal
}

// inTree looks at the calls in the parser's tree.
func (g Guard) inTree(text, goos string) (name string, hit bool) {
	if g.tree == noTree {
		return "", false
	}
	for _, c := range Calls(text) {
		switch {
		case g.tree == literalFirst && !c.Literal[0], g.tree == literalAll && !c.literal():
			continue
		case g.tree == anyWords:
			program, at := g.reader.program(c.Words)
			if at >= 0 && g.reader.waits(program, c.Words, goos) {
				return program, true
			}
			continue
		}
		if _, at := g.reader.program(c.Words); at >= 0 {
			if name := segment(c.Words, at); name != "" {
				return name, true
			}
		}
		if name, hit := g.call(c.Words, goos); hit {
			return name, true
		}
	}
	return "", false
}

func (c Call) literal() bool {
	for _, l := range c.Literal {
		if !l {
			return false
		}
	}
	return true
}
