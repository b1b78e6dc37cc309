package splitter

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// The real Fields lies in a package that links os/user, which the binary must not. So
// this is a model of it, on the real parser: what it does with the words was read in
// package expand of v3.14.1, and the tests compare it with the real function.

var (
	errCommand  = fmt.Errorf("%w: command substitution", ErrExpansion)
	errExtglob  = fmt.Errorf("%w: extended glob", ErrExpansion)
	errIndirect = fmt.Errorf("%w: indirect expansion", ErrExpansion)
	errUnset    = fmt.Errorf("%w: unset parameter", ErrExpansion)
	errReadOnly = fmt.Errorf("%w: assignment", ErrExpansion)
	errBraces   = fmt.Errorf("%w: braces of more than %d words", ErrExpansion, mostBraces)
	// ErrPanics says that the library panics on the text.
	ErrPanics = fmt.Errorf("%w: the library panics", ErrExpansion)
)

// mostBraces is how many words braces may become.
const mostBraces = 16 << 10

func mvdanFields(text string) ([]string, error) {
	var words []*syntax.Word
	for w, err := range syntax.NewParser().WordsSeq(strings.NewReader(text)) {
		if err != nil && strings.Contains(err.Error(), "not a valid word") {
			return nil, fmt.Errorf("%w: %w", ErrOperator, err)
		}
		if err != nil {
			return nil, err
		}
		words = append(words, w)
	}
	var fields []string
	for _, w := range words {
		each := func(parts []syntax.WordPart) error {
			more, err := wordFields(parts)
			fields = append(fields, more...)
			return err
		}
		split := *w
		if !syntax.SplitBraces(&split) {
			if err := each(w.Parts); err != nil {
				return nil, err
			}
			continue
		}
		n := 0
		err := unbrace(split.Parts, func(parts []syntax.WordPart) error {
			if n++; n > mostBraces {
				return errBraces
			}
			return each(parts)
		})
		if err != nil {
			return nil, err
		}
	}
	return fields, nil
}

// A fieldList is the fields of a word on their way.
type fieldList struct {
	done []string
	text strings.Builder
	any  bool // the current field has begun
}

func (l *fieldList) add(s string) {
	l.text.WriteString(s)
	l.any = true
}

func (l *fieldList) flush() {
	if l.any {
		l.done = append(l.done, l.text.String())
	}
	l.text.Reset()
	l.any = false
}

// split adds the value of an expansion outside of quotes.
func (l *fieldList) split(value string) {
	for i, s := range strings.FieldsFunc(value, isIFS) {
		if i > 0 || strings.IndexFunc(value, isIFS) == 0 {
			l.flush()
		}
		l.add(s)
	}
	if value != "" && isIFS(rune(value[len(value)-1])) {
		l.flush()
	}
}

func isIFS(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }

func wordFields(parts []syntax.WordPart) ([]string, error) {
	var list fieldList
	quoted := false
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			list.add(unescape(p.Value))
		case *syntax.SglQuoted:
			quoted = true
			list.add(single(p))
		case *syntax.DblQuoted:
			if len(p.Parts) == 1 {
				if e, ok := p.Parts[0].(*syntax.ParamExp); ok {
					gone, err := vanishes(e)
					if err != nil {
						return nil, err
					}
					if gone {
						continue
					}
					if starred(e) {
						list.add("")
						continue
					}
				}
			}
			quoted = true
			s, err := join(p.Parts, true)
			if err != nil {
				return nil, err
			}
			if len(p.Parts) > 0 {
				list.add(s)
			}
		case *syntax.ParamExp:
			s, err := parameter(p)
			if err != nil {
				return nil, err
			}
			list.split(s)
		case *syntax.ExtGlob:
			return nil, errExtglob
		default:
			return nil, refused(p)
		}
	}
	list.flush()
	if quoted && len(list.done) == 0 {
		list.done = append(list.done, "")
	}
	return list.done, nil
}

// refused says of a part that is no text why it has no value.
func refused(p syntax.WordPart) error {
	switch p.(type) {
	case *syntax.CmdSubst:
		return errCommand
	case *syntax.ProcSubst:
		return ErrPanics // there is no function that would expand it, and it is called
	}
	return ErrNotModelled
}

// join returns the text of parts that become one field whatever they hold.
func join(parts []syntax.WordPart, double bool) (string, error) {
	var out strings.Builder
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			s := p.Value
			if double {
				s = unescapeDouble(s)
			}
			s, _, _ = strings.Cut(s, "\x00")
			out.WriteString(s)
		case *syntax.SglQuoted:
			out.WriteString(single(p))
		case *syntax.DblQuoted:
			s, err := join(p.Parts, true)
			if err != nil {
				return "", err
			}
			out.WriteString(s)
		case *syntax.ParamExp:
			s, err := parameter(p)
			if err != nil {
				return "", err
			}
			out.WriteString(s)
		case *syntax.ExtGlob:
			out.WriteString(p.Op.String() + p.Pattern.Value + ")")
		default:
			return "", refused(p)
		}
	}
	return out.String(), nil
}

// unescape removes backslashes; the last character stays if it is one.
func unescape(s string) string {
	var out strings.Builder
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i == len(s)-1 {
			return out.String() + s
		}
		_, n := utf8.DecodeRuneInString(s[i+1:])
		out.WriteString(s[:i] + s[i+1:i+1+n])
		s = s[i+1+n:]
	}
}

func unescapeDouble(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("\"\\$`", s[i+1]) >= 0 {
			i++
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

func single(q *syntax.SglQuoted) string {
	if !q.Dollar {
		return q.Value
	}
	s, _, _ := strings.Cut(format(q.Value), "\x00")
	return s
}

// format decodes the inside of $'...'.
func format(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out.WriteByte(s[i])
			continue
		}
		i++
		c := s[i]
		digits := func(from, most, base int) (value uint64, n int) {
			for n < most && from+n < len(s) {
				if _, err := strconv.ParseUint(s[from+n:from+n+1], base, 8); err != nil {
					break
				}
				n++
			}
			value, _ = strconv.ParseUint(s[from:from+n], base, 32)
			return value, n
		}
		if k := strings.IndexByte("abeEfnrtv\\'\"?", c); k >= 0 {
			out.WriteByte("\a\b\x1b\x1b\f\n\r\t\v\\'\"?"[k])
			continue
		}
		most := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
		switch {
		case '0' <= c && c <= '7':
			// The real function takes 8 and 9 for digits here and then fails on
			// them, and what does not fit into a byte becomes 255.
			n := 1
			for n < 3 && i+n < len(s) && '0' <= s[i+n] && s[i+n] <= '9' {
				n++
			}
			v, _ := strconv.ParseUint(s[i:i+n], 8, 8)
			out.WriteByte(byte(v))
			i += n - 1
		case most > 0:
			v, n := digits(i+1, most, 16)
			switch {
			case n == 0:
				out.WriteByte('\\')
				out.WriteByte(c)
			case c == 'x':
				out.WriteByte(byte(v))
			default:
				out.WriteRune(rune(v))
			}
			i += n
		default:
			out.WriteByte('\\')
			out.WriteByte(c)
		}
	}
	return out.String()
}
