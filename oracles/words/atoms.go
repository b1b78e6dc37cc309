package words

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An atom is a piece of a word that a shell reads as one.
type atom struct {
	value string // what arrives, and what stands there where that is not known
	cause string // why it might be misread, "" for a plain character
	moves bool   // a shell may put something else in its place
	many  bool   // and that may be any number of words
	torn  bool   // it is a byte that is not UTF-8
}

// A scanner reads the atoms of one word, from at to the end of src.
type scanner struct {
	src    string
	at     int
	spans  []span // where it is expanded
	braces bool   // it holds a brace expansion

	atoms []atom
	begin int
}

func (s *scanner) put(value, cause string) {
	s.atoms = append(s.atoms, atom{value: value, cause: cause})
}

// expansion takes what is expanded here, and reports whether anything is.
func (s *scanner) expansion(quoted bool) bool {
	if strings.HasPrefix(s.src[s.at:], "$\\\n") {
		// A shell joins the lines first.
		s.atoms = append(s.atoms, atom{value: "$", cause: Dynamic, moves: true, many: !quoted})
		s.at++
		return true
	}
	for _, p := range s.spans {
		if p.from == s.at && p.to > s.at {
			text := s.src[p.from:min(p.to, len(s.src))]
			many := !quoted || strings.Contains(text, "@")
			s.atoms = append(s.atoms, atom{value: text, cause: p.cause, moves: true, many: many})
			s.at = p.to
			return true
		}
	}
	return false
}

// character takes one character, which stands in what cause names.
func (s *scanner) character(cause string) {
	r, n := utf8.DecodeRuneInString(s.src[s.at:])
	switch c := s.src[s.at]; {
	case r == utf8.RuneError && n == 1:
		s.atoms = append(s.atoms, atom{value: s.src[s.at : s.at+n], cause: cause, torn: true})
		s.at += n
		return
	case cause != "":
	case unicode.IsSpace(r), r == '\ufeff':
		cause = WhiteSpace
	case c == '#':
		cause = NumberSign
	case c == '$':
		cause = Dollar
	case c == '*', c == '?', c == '[':
		s.atoms = append(s.atoms, atom{value: s.src[s.at : s.at+n], cause: Glob, moves: true})
		s.at += n
		return
	}
	s.put(s.src[s.at:s.at+n], cause)
	s.at += n
}

var assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*\+?=`)

// tilde reports whether a tilde here is one that a shell expands.
func (s *scanner) tilde() bool {
	before := s.src[s.begin:s.at]
	return before == "" || assignment.MatchString(before) && strings.ContainsAny(before[len(before)-1:], "=:")
}

func (s *scanner) scan() {
	s.begin = s.at
	for s.at < len(s.src) {
		rest := s.src[s.at:]
		switch {
		case s.expansion(false):
		case strings.HasPrefix(rest, "\\\n"):
			s.put("", Continuation)
			s.at += 2
		case rest == "\\":
			s.put("\\", BackslashLast)
			s.at++
		case rest[0] == '\\':
			s.at++
			s.character(BackslashOut)
		case rest[0] == '\'':
			s.at++
			s.single()
		case strings.HasPrefix(rest, "$'"):
			s.at += 2
			s.ansiC()
		case strings.HasPrefix(rest, `$"`):
			s.put("", Locale)
			s.at += 2
			s.double()
		case rest[0] == '"':
			s.at++
			s.double()
		case rest[0] == '~' && s.tilde():
			s.atoms = append(s.atoms, atom{value: "~", cause: Tilde, moves: true})
			s.at++
		case rest[0] == '{' && s.braces:
			s.atoms = append(s.atoms, atom{value: "{", cause: Braces, moves: true, many: true})
			s.at++
		default:
			s.character("")
		}
	}
}

func (s *scanner) single() {
	if strings.HasPrefix(s.src[s.at:], "'") {
		s.put("", Empty)
	}
	for s.at < len(s.src) && s.src[s.at] != '\'' {
		cause := Single
		if strings.HasPrefix(s.src[s.at:], `\'`) {
			cause = BackslashSingle
		}
		s.character(cause)
	}
	s.at++
}

func (s *scanner) double() {
	if strings.HasPrefix(s.src[s.at:], `"`) {
		s.put("", Empty)
	}
	for s.at < len(s.src) && s.src[s.at] != '"' {
		rest := s.src[s.at:]
		switch {
		case s.expansion(true):
		case strings.HasPrefix(rest, "\\\n"):
			s.put("", ContinuedIn)
			s.at += 2
		case len(rest) > 1 && rest[0] == '\\' && strings.IndexByte("\"\\$`", rest[1]) >= 0:
			s.put(rest[1:2], BackslashIn)
			s.at += 2
		case rest[0] == '\\':
			s.put("\\", BackslashIn)
			s.at++
		default:
			s.character(Double)
		}
	}
	s.at++
}

var (
	octal = regexp.MustCompile(`^[0-7]{1,3}`)
	hex   = regexp.MustCompile(`^(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8}))`)
)

// ansiC takes the inside of $'...' as a bash of today reads it where the locale is
// one of UTF-8.
func (s *scanner) ansiC() {
	s.put("", AnsiC)
	for s.at < len(s.src) && s.src[s.at] != '\'' {
		rest := s.src[s.at:]
		if rest[0] != '\\' || len(rest) == 1 {
			s.character(AnsiC)
			continue
		}
		rest = rest[1:]
		value, n := "\\"+rest[:1], 1
		if k := strings.IndexByte("abeEfnrtv\\'\"?", rest[0]); k >= 0 {
			value = "\a\b\x1b\x1b\f\n\r\t\v\\'\"?"[k : k+1]
		} else if m := octal.FindString(rest); m != "" {
			v, _ := strconv.ParseUint(m, 8, 16)
			value, n = string([]byte{byte(v)}), len(m)
		} else if m := hex.FindStringSubmatch(rest); m != nil {
			v, _ := strconv.ParseUint(m[1]+m[2]+m[3], 16, 32)
			if value, n = string(rune(v)), len(m[0]); m[1] != "" {
				value = string([]byte{byte(v)})
			}
		} else if rest[0] == 'c' && len(rest) > 1 {
			value, n = string([]byte{rest[1] & 0x1f}), 2
		}
		s.put(value, AnsiC)
		s.at += 1 + n
	}
	s.at++
}
