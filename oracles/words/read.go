package words

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// program is what stands before the words.
const program = "probe "

// A reading is what a parser of bash makes of a text behind the name of a program.
type reading struct {
	words []word
	tail  gap
	torn  bool // the text is not UTF-8
}

// A word is one argument as it is written.
type word struct {
	before gap
	atoms  []atom
	after  string // the cause that stands right behind it, if any does
}

// A gap is what stands between words.
type gap struct{ causes []string }

// A span is where in the text a shell puts something else.
type span struct {
	from, to int
	cause    string
}

// read returns the reading, and false where the parser does not take the text.
func read(text string) (reading, bool) {
	src := program + text
	file, err := syntax.NewParser().Parse(strings.NewReader(plain(src)), "")
	if err != nil {
		return reading{}, false
	}
	var call *syntax.CallExpr
	syntax.Walk(file, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok && call == nil && len(c.Args) > 0 && c.Pos().Offset() == 0 {
			call = c
		}
		return call == nil
	})
	if call == nil {
		return reading{}, false
	}
	r := reading{torn: !utf8.ValidString(text)}
	at := int(call.Args[0].End().Offset())
	for _, w := range call.Args[1:] {
		from, to := int(w.Pos().Offset()), int(w.End().Offset())
		if from < at || to > len(src) || from > to {
			return reading{}, false
		}
		split := *w
		split.Parts = slices.Clone(w.Parts)
		s := scanner{src: src[:to], at: from, spans: spans(w.Parts), braces: syntax.SplitBraces(&split)}
		s.scan()
		r.words = append(r.words, word{before: between(src[at:from]), atoms: s.atoms, after: adjacent(src[to:])})
		at = to
	}
	r.tail = between(src[at:])
	return r, true
}

// plain gives a text another byte for each that the parser does not take for an
// ordinary one, which all of them are to bash.
func plain(src string) string {
	var out strings.Builder
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRuneInString(src[i:])
		if r == utf8.RuneError && n == 1 || r == '\r' {
			out.WriteByte(1)
		} else {
			out.WriteString(src[i : i+n])
		}
		i += n
	}
	return out.String()
}

// spans returns where a word is expanded.
func spans(parts []syntax.WordPart) (list []span) {
	for _, p := range parts {
		cause := Dynamic
		switch p := p.(type) {
		case *syntax.Lit, *syntax.SglQuoted:
			continue
		case *syntax.DblQuoted:
			list = append(list, spans(p.Parts)...)
			continue
		case *syntax.ExtGlob:
			cause = ExtendedGlob
		}
		list = append(list, span{int(p.Pos().Offset()), int(p.End().Offset()), cause})
	}
	return list
}

// between tells what stands between words, or behind the last one.
func between(s string) (g gap) {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == ' ' || s[i] == '\t':
		case strings.HasPrefix(s[i:], "\\\n"):
			g.causes = append(g.causes, Continuation)
			i++
		case s[i] == '#':
			g.causes = append(g.causes, Comment)
			n := strings.IndexByte(s[i:], '\n')
			if n < 0 {
				return g
			}
			i += n - 1
		case s[i] == '\n':
			g.causes = append(g.causes, Newline)
		default:
			// What stands behind it is part of it, or another command.
			g.causes = append(g.causes, Operator)
			if strings.Contains(s[i:], " #") {
				g.causes = append(g.causes, Comment)
			}
			return g
		}
	}
	return g
}

// adjacent names what stands right behind a word.
func adjacent(s string) string {
	switch {
	case s == "" || s[0] == ' ' || s[0] == '\t':
		return ""
	case strings.HasPrefix(s, "\\\n"):
		return Continuation
	case s[0] == '\n':
		return Newline
	}
	return Operator
}

// behind returns the cause for which a splitter sees one word more at the end.
// continued says that there was a line continuation before.
func (g gap) behind(word string, continued bool) string {
	continued = continued || slices.Contains(g.causes, Continuation)
	if strings.HasPrefix(word, "#") && slices.Contains(g.causes, Comment) {
		return Comment
	}
	apart := !slices.Contains(g.causes, Newline) && !slices.Contains(g.causes, Operator)
	if continued && (word == "" && apart || strings.HasPrefix(word, "\n")) {
		return Continuation
	}
	for _, c := range g.causes {
		if c != Continuation && (c != Comment || apart) {
			return c
		}
	}
	if continued {
		return Continuation
	}
	return Other
}

// literal reports whether the argument is the word as it stands, but for quotes.
func (w word) literal(argv [][]byte, k int) bool {
	if k >= len(argv) {
		return false
	}
	var all []byte
	for _, a := range w.atoms {
		all = append(all, a.value...)
	}
	return bytes.Equal(all, argv[k])
}

// moving returns why a shell may put something else for the word, or "". many says
// that it may put any number of words.
func (w word) moving() (cause string, many bool) {
	for _, a := range w.atoms {
		if a.moves && cause == "" {
			cause = a.cause
		}
		many = many || a.many
	}
	return cause, many
}

// escaping are the causes of atoms that a splitter may take for more than they are,
// so that the difference shows behind them.
var escaping = []string{BackslashIn, BackslashSingle, BackslashOut, AnsiC}

// common returns the length of the text with which both begin.
func common(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// dollar returns the kind of a quote of which the splitter has kept the dollar.
func (w word) dollar(have, want string, p int) string {
	at := 0
	for _, a := range w.atoms {
		opens := a.value == "" && (a.cause == AnsiC || a.cause == Locale)
		if opens && at <= p && at < len(have) && have[at] == '$' {
			without := have[:at] + have[at+1:]
			if at >= len(want) || want[at] != '$' || without == want || common(without, want) > p {
				return a.cause
			}
		}
		at += len(a.value)
	}
	return ""
}

// kept reports whether a splitter has a part of the line continuation before a word.
func kept(have, want string) bool {
	switch {
	case have == "":
		return true
	case want == "" || have[0] != want[0]:
		return have[0] == '\\' || have[0] == '\n'
	}
	return have[0] == '\n' && (have == "\n" || have[1] == want[0] || have[1] == '$')
}

// cause returns why a splitter has one word where the shell has another, and whether
// what it has there tells so. there is false where the splitter has no word.
func (w word) cause(have, want string, there bool) (cause string, sure bool) {
	p := common(have, want)
	switch gap := w.before.causes; {
	case slices.Contains(gap, Operator):
		return Operator, true
	case slices.Contains(gap, Continuation) && there && kept(have, want):
		return Continuation, true
	}
	if c := w.dollar(have, want, p); c != "" {
		return c, true
	}
	fixed := w.literal([][]byte{[]byte(want)}, 0)
	if fixed && p == len(want) && p < len(have) && w.after != "" {
		return w.after, true
	}
	var shown, last string // by what stands at the difference, and right before
	var likely, before, opening string
	at := 0
	for _, a := range w.atoms {
		end := at + len(a.value)
		if a.cause == Double && a.value == "$" && !strings.HasPrefix(have[min(at, len(have)):], `"`) {
			a.cause = Dollar
		}
		if a.moves && !fixed && at <= p {
			return a.cause, true
		}
		const instead = string(utf8.RuneError)
		if a.torn && at <= p && p < at+len(instead) && strings.HasPrefix(have[min(at, len(have)):], instead) {
			return NotUTF8, true
		}
		if at == p && a.value == "\r" && slices.Contains([]string{Single, Double, AnsiC}, a.cause) && strings.HasPrefix(have[p:], "\n") {
			return LineEnd, true
		}
		if a.cause == WhiteSpace && at < p && p < len(want) && strings.Trim(want[at:p+1], a.value) == "" {
			return WhiteSpace, true // one of several that are alike is gone
		}
		switch {
		case a.cause == "":
		case at == end && at == p, at <= p && p < end:
			if (shown == "" || slices.Contains(weak, shown)) && shows(a, have[p:]) {
				shown = a.cause
			}
			if likely == "" || likely == Empty {
				likely = a.cause
			}
		case at < end && end == p && slices.Contains(escaping, a.cause):
			last = a.cause
		}
		if at < end && end <= p && slices.Contains(escaping, a.cause) {
			before = a.cause
		}
		if a.value == "" && (a.cause == AnsiC || a.cause == Locale) && at <= p {
			opening = a.cause
		}
		at = end
	}
	if slices.Contains(weak, shown) || shown == BackslashSingle && before != "" {
		shown, likely = "", shown
	}
	if (slices.Contains(weak, likely) || likely == BackslashSingle) && before != "" {
		likely = ""
	}
	for i, c := range []string{shown, last, likely, before, opening} {
		if c != "" {
			return c, i < 2
		}
	}
	return Other, false
}

// weak are causes that most splitters have nothing to do with.
var weak = []string{Single, Double, Empty}

// shows reports whether what the splitter has in place of an atom tells of it.
func shows(a atom, rest string) bool {
	starts := func(with string) bool { return rest != "" && strings.IndexByte(with, rest[0]) >= 0 }
	switch a.cause {
	case AnsiC, Locale:
		return a.value != "" || starts("$")
	case Continuation, ContinuedIn:
		return rest == "" || starts("\n\\")
	case Empty, Single, Double, BackslashSingle:
		return starts(`'"`)
	case Dollar:
		return !starts(`'"`)
	case NumberSign, WhiteSpace:
		return rest == ""
	}
	return true
}
