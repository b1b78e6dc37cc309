// Package validate models parts of code that judges shell commands by looking at
// their text, quotes taken away in several ways. It is a model of behaviour, for
// tests: its rules are told from what such code was seen to do, and it is no copy of
// any.
package validate

import (
	"regexp"
	"slices"
)

// A State is how a scanner takes a byte.
type State int

// The states.
const (
	Bare State = iota
	SingleQuoted
	DoubleQuoted
	Escaped
)

// A Held is what a scanner makes of one byte.
type Held struct {
	// State is what the byte stands in. A mark stands in what is left or entered
	// by it: quotes are of their own kind, backslashes of what is around them.
	State State
	// Mark says that the byte is a quote or a backslash that means something.
	Mark bool
}

// A scanner is the state machine: it knows three flags and looks at no second byte.
// Unlike a shell it lets a backslash in double quotes escape anything, and knows no
// $'...', comment or substitution.
type scanner struct{ single, double, escaped bool }

// next takes one byte.
func (s *scanner) next(c byte) Held {
	switch {
	case s.escaped:
		s.escaped = false
		return Held{State: Escaped}
	case c == '\\' && !s.single:
		s.escaped = true
		return Held{s.around(), true}
	case c == '\'' && !s.double:
		s.single = !s.single
		return Held{SingleQuoted, true}
	case c == '"' && !s.single:
		s.double = !s.double
		return Held{DoubleQuoted, true}
	}
	return Held{State: s.around()}
}

func (s *scanner) around() State {
	switch {
	case s.single:
		return SingleQuoted
	case s.double:
		return DoubleQuoted
	}
	return Bare
}

// Scan says of each byte of a command how the machine holds it.
func Scan(command []byte) []Held {
	var s scanner
	list := make([]Held, len(command))
	for i, c := range command {
		list[i] = s.next(c)
	}
	return list
}

// Views are three readings of a command without its quotes.
type Views struct {
	// Double is the text without what stands in single quotes.
	Double []byte
	// Unquoted is the text without what stands in any quotes.
	Unquoted []byte
	// Marks is Unquoted with the quote characters left in their places.
	Marks []byte
}

// Extract returns the views of a command. For a command line of jq the double quotes
// go by another rule, which keeps more of them.
func Extract(command []byte, jq bool) Views {
	var s scanner
	var v Views
	for _, c := range command {
		held := s.next(c)
		quote := held.Mark && c != '\\'
		if quote {
			v.Marks = append(v.Marks, c)
			if c == '\'' || !jq {
				continue
			}
		}
		if s.single {
			continue
		}
		v.Double = append(v.Double, c)
		if !s.double {
			v.Unquoted, v.Marks = append(v.Unquoted, c), append(v.Marks, c)
		}
	}
	return v
}

// harmless are the redirections that are taken out of a text before it is looked at
// for redirections, each in its turn. White space is that of JavaScript.
var harmless = func() []*regexp.Regexp {
	const space = `[\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]`
	var list []*regexp.Regexp
	for _, s := range []string{
		space + `+2` + space + `*>&` + space + `*1`,
		`[012]?` + space + `*>` + space + `*/dev/null`,
		space + `*<` + space + `*/dev/null`,
	} {
		list = append(list, regexp.MustCompile(s+`(`+space+`|$)`))
	}
	return list
}()

// StripRedirections returns a text without 2>&1 and the redirections to and from
// /dev/null that white space or the end follows; that white space stays.
func StripRedirections(text []byte) []byte {
	text = slices.Clone(text)
	for _, re := range harmless {
		var out []byte
		for from := 0; from <= len(text); {
			m := re.FindSubmatchIndex(text[from:])
			if m == nil {
				out = append(out, text[from:]...)
				break
			}
			// What follows is looked at and not taken, so that the next match may
			// begin with it.
			out = append(out, text[from:from+m[0]]...)
			from += m[2]
		}
		text = out
	}
	return text
}
