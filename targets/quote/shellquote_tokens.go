package quote

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"
)

// quote() of shell-quote takes more than strings: its parse() answers objects
// for operators, patterns and comments, and people hand those back. This file
// models that half of it.

// TokenKind says what sort of list element a [Token] is.
type TokenKind uint8

// The kinds of list elements that quote() can meet.
const (
	StringToken    TokenKind = iota // a string
	OpToken                         // {op: Text}
	GlobToken                       // {op: "glob", pattern: Text}
	CommentToken                    // {comment: Text}
	PrimitiveToken                  // neither string nor object; Text is its string form, as in "null" or "5"
)

// Token is one element of the list that quote() is called with.
type Token struct {
	Kind TokenKind
	Text string
}

// ThrowError is a TypeError that the modelled release would throw. It wraps
// [ErrRefused]. Releases before 1.8.4 make no checks of their own, so that the
// message is the one of the JavaScript engine. Of the checks that came later,
// the one about a string after a comment has the message of the original, the
// others are described in the words of this package.
type ThrowError struct {
	Message string
}

func (e *ThrowError) Error() string { return "TypeError: " + e.Message }

// Unwrap makes the error a refusal.
func (e *ThrowError) Unwrap() error { return ErrRefused }

func throw(message string) error { return &ThrowError{message} }

// ShellQuoteTokens answers what quote() of that release answers for the list.
// The error is a [*ThrowError] where the original throws, a plain refusal for
// text that is not UTF-8, and any other for a version that [ShellQuote] does
// not know.
func ShellQuoteTokens(version string, tokens []Token) ([]byte, error) {
	q, err := ShellQuote(version)
	if err != nil {
		return nil, err
	}
	return q.QuoteTokens(tokens)
}

// QuoteTokens is [ShellQuoteTokens] for this release.
func (q *ShellQuoteModel) QuoteTokens(tokens []Token) ([]byte, error) {
	var (
		dst       []byte
		commented bool
	)
	for i, t := range tokens {
		if i > 0 {
			dst = append(dst, ' ')
		}
		if commented && q.lineAfterHash && t.Kind == StringToken && hasLineEnd(t.Text) {
			return nil, throw("a token after a `comment` must not contain line terminators")
		}
		commented = commented || t.Kind == CommentToken
		var err error
		if dst, err = q.appendToken(dst, t); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

func (q *ShellQuoteModel) appendToken(dst []byte, t Token) ([]byte, error) {
	if !utf8.ValidString(t.Text) {
		return dst, refusef("%s works on text and a token is not UTF-8", q.Name())
	}
	switch t.Kind {
	case StringToken:
		return q.appendWord(dst, []byte(t.Text))
	case PrimitiveToken:
		if q.strict {
			return dst, throw(strictMessage(t.Text))
		}
		return q.appendWord(dst, []byte(t.Text))
	case OpToken, GlobToken, CommentToken:
		if q.ops == nil {
			return appendUncheckedObject(dst, t)
		}
		return q.appendCheckedObject(dst, t)
	}
	return dst, errors.New("shell-quote: unknown kind of token")
}

// strictMessage is what the engine says when a release calls a method of
// strings on a value that is none.
func strictMessage(form string) string {
	if form == "null" || form == "undefined" {
		return "Cannot read properties of " + form + " (reading 'replace')"
	}
	return "s.replace is not a function"
}

// appendUncheckedObject is what the releases before 1.8.4 do with any object:
// take its op, whatever that is, and put a backslash before every character
// that a dot matches in JavaScript. A line end is left alone and stays live. A
// character above U+FFFF is two there, and halves that stand alone turn into
// U+FFFD when the text is written out.
func appendUncheckedObject(dst []byte, t Token) ([]byte, error) {
	op := t.Text
	switch t.Kind {
	case GlobToken:
		op = "glob"
	case CommentToken:
		return dst, throw("Cannot read properties of undefined (reading 'replace')")
	}
	for _, r := range op {
		switch {
		case isLineEnd(r):
			dst = utf8.AppendRune(dst, r)
		case r > 0xffff:
			dst = append(dst, "\\\ufffd\\\ufffd"...)
		default:
			dst = append(dst, '\\')
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst, nil
}

// appendCheckedObject is what the releases from 1.8.4 on do with an object.
func (q *ShellQuoteModel) appendCheckedObject(dst []byte, t Token) ([]byte, error) {
	switch {
	case t.Kind == GlobToken:
		return q.appendGlob(dst, t.Text)
	case t.Kind == CommentToken:
		if hasLineEnd(t.Text) {
			return dst, throw("the comment holds a line end")
		}
		dst = append(dst, '#')
		return append(dst, t.Text...), nil
	case t.Text == "glob":
		return dst, throw("the pattern of the glob is missing")
	case !slices.Contains(q.ops, t.Text):
		return dst, throw("the operator is not one of those accepted")
	}
	for i := range len(t.Text) {
		dst = append(dst, '\\', t.Text[i])
	}
	return dst, nil
}

// appendGlob escapes everything in a pattern but what makes it one: the
// characters * ? [ ] { } and the comma stay live.
func (q *ShellQuoteModel) appendGlob(dst []byte, pattern string) ([]byte, error) {
	if hasLineEnd(pattern) {
		return dst, throw("the pattern of the glob holds a line end")
	}
	if pattern == "" && q.emptyGlob {
		return append(dst, `''`...), nil
	}
	for _, r := range pattern {
		if r < utf8.RuneSelf && (q.glob[r] || marks[r] == markBlank) || isWideSpace(r) {
			dst = append(dst, '\\')
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst, nil
}

// isLineEnd reports whether r is a line terminator of JavaScript.
func isLineEnd(r rune) bool {
	return r == '\n' || r == '\r' || r == 0x2028 || r == 0x2029
}

func hasLineEnd(s string) bool { return strings.ContainsFunc(s, isLineEnd) }
