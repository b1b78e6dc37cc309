package quote

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"
)

// shellQuotePrefix stands before the version in the name of a model.
const shellQuotePrefix = "shell-quote@"

// A ShellQuoteModel answers what quote() of one release of npm shell-quote
// answers. The real function works on text, so the model refuses payloads that
// are not UTF-8. Unlike most quoters it also takes a NUL, as the original does.
type ShellQuoteModel struct {
	version string
	strict  bool // throws for what is neither string nor object
	*class
}

// ShellQuote returns the model of that release. Every version that was
// published from 1.4.0 to 1.12.0 is known; any other is an error.
func ShellQuote(version string) (*ShellQuoteModel, error) {
	for _, r := range releases {
		if r.version == version {
			return &ShellQuoteModel{r.version, r.strict, &classes[r.letter-'A']}, nil
		}
	}
	return nil, fmt.Errorf("shell-quote %q: not a version from 1.4.0 to 1.12.0 that was published", version)
}

// mustShellQuote is ShellQuote for the versions in the list of all quoters.
func mustShellQuote(version string) *ShellQuoteModel {
	q, err := ShellQuote(version)
	if err != nil {
		panic(err)
	}
	return q
}

// Name implements [Quoter].
func (q *ShellQuoteModel) Name() string { return shellQuotePrefix + q.version }

// Doc implements [Quoter].
func (q *ShellQuoteModel) Doc() string { return "quote() of npm shell-quote: " + q.doc }

// Class is the letter of the behaviour, from A (1.4.0) to L (1.12.0).
// Releases with the same letter answer alike for strings.
func (q *ShellQuoteModel) Class() string { return string(rune(q.letter)) }

// Quote implements [Quoter]. Before 1.8.2 an empty payload gives no word at
// all, as in the original.
func (q *ShellQuoteModel) Quote(payloads ...[]byte) ([]byte, error) {
	return quoteWords(q, payloads)
}

// appendWord chooses between the ways to write a string; the first that
// applies wins.
func (q *ShellQuoteModel) appendWord(dst, s []byte) ([]byte, error) {
	m := survey(s)
	if m&markHigh != 0 {
		if !utf8.Valid(s) {
			return dst, refusef("%s works on text, and this is not UTF-8", q.Name())
		}
		if hasWideSpace(s) {
			m |= markBlank
		}
	}
	switch {
	case len(s) == 0 && q.empty:
		return append(dst, `''`...), nil
	case q.bangRequote && m&(markSingle|markBang) == markSingle|markBang:
		return appendRequoted(dst, s, `'"'"'`), nil
	case m&markSingle != 0:
		dst = append(dst, '"')
		dst = appendBackslashed(dst, s, q.dq)
		return append(dst, '"'), nil
	case m&markBlank != 0 || q.literal && m&markBackslash != 0:
		dst = append(dst, '\'')
		if q.literal {
			dst = append(dst, s...)
		} else {
			dst = appendBackslashed(dst, s, onlyBackslash)
		}
		return append(dst, '\''), nil
	}
	return q.appendBare(dst, s), nil
}

// mark says what a payload holds, as far as the choice depends on it.
type mark uint8

const (
	markSingle mark = 1 << iota
	markBlank       // a double quote or white space
	markBackslash
	markBang
	markHigh // a byte that is not ASCII
)

var marks = byteMarks()

func byteMarks() (t [256]mark) {
	for _, c := range "\"\t\n\v\f\r " {
		t[c] = markBlank
	}
	t['\''] = markSingle
	t['\\'] = markBackslash
	t['!'] = markBang
	for c := utf8.RuneSelf; c < len(t); c++ {
		t[c] = markHigh
	}
	return t
}

func survey(s []byte) (m mark) {
	for _, c := range s {
		m |= marks[c]
	}
	return m
}

// hasWideSpace reports whether s holds white space, as JavaScript sees it,
// outside ASCII. No table of package unicode has this extent: U+FEFF belongs
// to it, U+0085 and U+200B do not.
func hasWideSpace(s []byte) bool {
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(s[i:])
		if isWideSpace(r) {
			return true
		}
		i += n
	}
	return false
}

func isWideSpace(r rune) bool {
	switch r {
	case 0x00a0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff:
		return true
	}
	return 0x2000 <= r && r <= 0x200a
}

var onlyBackslash = newSet(`\`)

// appendBackslashed appends s with a backslash before each member of special.
func appendBackslashed(dst, s []byte, special *set) []byte {
	dst = slices.Grow(dst, len(s)+1)
	from := 0
	for i, c := range s {
		if special[c] {
			dst = append(dst, s[from:i]...)
			dst = append(dst, '\\')
			from = i
		}
	}
	return append(dst, s[from:]...)
}

// appendBare writes a word without quotes. A drive letter, its colon and the
// special character behind them are taken together: only the last of the three
// gets a backslash.
func (q *ShellQuoteModel) appendBare(dst, s []byte) []byte {
	start := len(dst)
	dst = slices.Grow(dst, len(s)+1)
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if q.drive[c] && i+2 < len(s) && s[i+1] == ':' && q.bare[s[i+2]] {
			i += 2
		} else if !q.bare[c] {
			continue
		}
		dst = append(dst, s[from:i]...)
		dst = append(dst, '\\')
		from = i
	}
	dst = append(dst, s[from:]...)
	if q.collapse {
		dst = collapseBackslashes(dst, start)
	}
	return dst
}

// collapseBackslashes replaces each pair of backslashes in dst[start:] by one,
// from the left and in place.
func collapseBackslashes(dst []byte, start int) []byte {
	i := bytes.Index(dst[start:], []byte(`\\`))
	if i < 0 {
		return dst
	}
	w := start + i
	for r := w; r < len(dst); r++ {
		if dst[r] == '\\' && r+1 < len(dst) && dst[r+1] == '\\' {
			r++
		}
		dst[w] = dst[r]
		w++
	}
	return dst[:w]
}
