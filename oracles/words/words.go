// Package words decides whether a splitter reads a text as bash does: it compares the
// splitter's words with the arguments that a child really got, and tells from what
// stands in the text where both part ways what the splitter has misread.
package words

import (
	"errors"
	"slices"
	"strings"

	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/splitter"
)

// A Class is what is said of a splitter's answer.
type Class string

// The classes.
const (
	Agree     Class = "agree"     // the same words, or neither takes the text
	Differs   Class = "differs"   // other words than bash
	Refused   Class = "refused"   // the splitter does not take what bash takes
	Undecided Class = "undecided" // what bash makes of the text is not known
)

// The causes of a disagreement: what it is that the splitter reads in another way.
const (
	Dynamic         = "dynamic word" // an expansion of a parameter, command or calculation, or a process substitution
	Glob            = "glob"
	ExtendedGlob    = "extended glob"
	Tilde           = "tilde"
	Braces          = "brace expansion"
	AnsiC           = "ANSI-C quote"
	Locale          = "locale quote"
	Comment         = "comment"
	NumberSign      = "number sign inside a word"
	Dollar          = "dollar that expands nothing"
	Operator        = "operator"
	Newline         = "newline between commands"
	BackslashIn     = "backslash in double quotes"
	BackslashSingle = "backslash before the end of single quotes"
	BackslashOut    = "backslash outside quotes"
	BackslashLast   = "backslash at the end"
	Continuation    = "line continuation"
	ContinuedIn     = "line continuation in double quotes"
	WhiteSpace      = "white space that is no blank"
	LineEnd         = "carriage return before a line feed in quotes"
	NotUTF8         = "bytes that are not UTF-8"
	Empty           = "empty quotes"
	Single          = "single quotes"
	Double          = "double quotes"
	SyntaxError     = "syntax error" // bash does not take what the splitter takes
	Other           = "other"
)

// A Verdict is what is said of one text.
type Verdict struct {
	Class Class
	// Cause says what was misread, "" where nothing was.
	Cause string
	// Documented says that the cause is a limit which splitters state: they expand
	// nothing, or refuse what is more than a list of words.
	Documented bool
}

// Wrong reports whether the splitter misreads the text.
func (v Verdict) Wrong() bool {
	return (v.Class == Differs || v.Class == Refused) && !v.Documented
}

// expansions are the causes by which a shell makes other words of a text than stand
// there.
var expansions = []string{Dynamic, Glob, ExtendedGlob, Tilde, Braces}

// Judge compares what a splitter makes of a text with the arguments, without
// argument 0, that the one child of bash got as it ran the text behind the word
// probe. Where there was no such child, ran is false.
func Judge(text string, words []string, err error, argv [][]byte, ran bool) Verdict {
	if err == nil && ran && same(words, argv) {
		return Verdict{Class: Agree}
	}
	if errors.Is(err, splitter.ErrNotModelled) {
		return Verdict{Class: Undecided}
	}
	r, parsed := read(text)
	switch {
	case !ran && parsed, ran && !parsed:
		return Verdict{Class: Undecided}
	case !ran && err != nil:
		return Verdict{Class: Agree}
	case !ran:
		return Verdict{Class: Differs, Cause: SyntaxError}
	case err != nil:
		cause := r.refusal(err)
		documented := slices.Contains(expansions, cause) || cause == Operator || cause == Newline
		return Verdict{Refused, cause, documented}
	}
	cause := r.first(words, argv)
	return Verdict{Differs, cause, slices.Contains(expansions, cause)}
}

func same(words []string, argv [][]byte) bool {
	return slices.EqualFunc(words, argv, func(w string, a []byte) bool { return w == string(a) })
}

// A history is what stood before a word that may have moved those behind it.
type history struct {
	moving    string // the cause of the first word for which a shell put something else
	vanished  string // that of the last one for which it put nothing
	continued bool   // there was a line continuation
}

// first returns the cause of the first difference.
func (r reading) first(words []string, argv [][]byte) string {
	many := 0
	for _, w := range r.words {
		if _, any := w.moving(); any {
			many++
		}
	}
	h, k := history{moving: Other}, 0
	for i, w := range r.words {
		n := 1
		if why, any := w.moving(); why != "" && !w.literal(argv, k) {
			if h.moving == Other {
				h.moving = why
			}
			if any && many > 1 {
				return h.moving // nothing tells which argument is whose
			}
			if any {
				// It became as many arguments as the words behind it leave.
				n = max(0, len(argv)-k-(len(r.words)-i-1))
			}
			if n == 0 && k < len(words) && (k >= len(argv) || words[k] != string(argv[k])) {
				return why
			}
			if n == 0 {
				h.vanished = why
			}
		}
		h.continued = h.continued || slices.Contains(w.before.causes, Continuation)
		for ; n > 0; n-- {
			if k >= len(argv) {
				if len(w.atoms) == 1 && w.atoms[0].cause == BackslashLast {
					return BackslashLast // of which an old bash makes nothing
				}
				if h.moving == Other && k < len(words) {
					return w.before.behind(words[k], false)
				}
				return h.moving
			}
			if k >= len(words) || words[k] != string(argv[k]) {
				return w.differs(words, argv, k, h)
			}
			k++
		}
	}
	if h.moving == Other && k < len(words) {
		return r.tail.behind(words[k], h.continued)
	}
	return h.moving
}

// differs returns why the words differ at k, which is a part of this word.
func (w word) differs(words []string, argv [][]byte, k int, h history) string {
	if k >= len(words) {
		cause, _ := w.cause("", string(argv[k]), false)
		return cause
	}
	cause, sure := w.cause(words[k], string(argv[k]), true)
	shift := shifted(words, argv, k)
	unsure := !sure && !strings.ContainsAny(words[k], `'"`)
	guess := unsure && slices.Contains(words[:k+1], "")
	switch {
	case h.vanished != "" && (shift || guess):
		return h.vanished
	case h.continued && (shift || guess):
		return Continuation
	case unsure && h.moving != Other:
		return h.moving
	}
	return cause
}

// shifted reports whether the difference at k comes of an empty word before.
func shifted(words []string, argv [][]byte, k int) bool {
	for j := range k + 1 {
		if words[j] == "" {
			less := slices.Delete(slices.Clone(words), j, j+1)
			if less = less[:min(len(less), k+1)]; len(less) > k && same(less, argv[:k+1]) || len(less) == k && len(argv) == k {
				return true
			}
		}
	}
	return false
}

// refusalOrder are the causes for which splitters refuse a text, the likeliest first.
var refusalOrder = []string{
	BackslashLast, Newline, Operator, Comment, AnsiC, Dynamic, ExtendedGlob, BackslashSingle, NumberSign, Continuation, Locale,
	BackslashIn, BackslashOut, ContinuedIn, Single, Double, Dollar, NotUTF8, Empty, Glob, Braces, Tilde, WhiteSpace,
}

// refusal returns the likeliest cause for which the text is refused.
func (r reading) refusal(err error) string {
	all := slices.Clone(r.tail.causes)
	quoted := false // $'...' holds a quote
	open := ""      // the first cause for which a quote may be taken for none
	for _, w := range r.words {
		all = append(all, w.before.causes...)
		for _, a := range w.atoms {
			all = append(all, a.cause)
			quoted = quoted || a.cause == AnsiC && a.value == "'"
			backslash := a.value == "\\" && slices.Contains(escaping, a.cause)
			if open == "" && (backslash || a.cause == AnsiC && a.value == "'") {
				open = a.cause
			}
		}
	}
	if r.torn {
		all = append(all, NotUTF8)
	}
	var said []string // what the error tells of
	switch {
	case errors.Is(err, splitter.ErrOperator):
		said = []string{Operator, Newline, open}
	case errors.Is(err, splitter.ErrExpansion):
		said = []string{Dynamic, ExtendedGlob, Braces, open}
	case strings.Contains(err.Error(), "UTF-8"):
		said = []string{NotUTF8}
	case quoted:
		said = []string{AnsiC}
	}
	for _, c := range slices.Concat(said, refusalOrder) {
		if c != "" && slices.Contains(all, c) {
			return c
		}
	}
	return Other
}

// Child returns the arguments, without argument 0, of the one child of a run that is
// a probe, and false where there were more or none.
func Child(r wire.Result) (argv [][]byte, ran bool) {
	for _, rec := range r.Records {
		if len(rec.Argv) == 0 || string(rec.Argv[0]) != strings.TrimSpace(program) {
			continue
		}
		if ran {
			return nil, false
		}
		argv, ran = rec.Argv[1:], true
	}
	return argv, ran && r.Refused == "" && r.Ended == wire.Itself
}
