package guard

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Token is what npm shell-quote's parse makes of a piece of text.
type Token struct {
	// Text is a word; Op is set instead for an operator or a glob, and Comment
	// where a comment begins.
	Text    string
	Op      string
	Pattern string // of a glob
	Comment string
	Kind    TokenKind
}

// A TokenKind says which of its fields a token has.
type TokenKind int

// The kinds of tokens.
const (
	Word TokenKind = iota
	Operator
	Glob
	Comment
)

// A BadSubstitution is the error of parse for a variable that it cannot read: the
// text of its message.
type BadSubstitution string

func (e BadSubstitution) Error() string { return "Bad substitution: " + string(e) }

// A Parser models shell-quote's parse in the releases from one version on.
type Parser struct {
	major, minor, patch int
}

// NewParser returns the parser of a release, as "1.8.3".
func NewParser(version string) (Parser, error) {
	var p Parser
	if _, err := fmt.Sscanf(version, "%d.%d.%d", &p.major, &p.minor, &p.patch); err != nil {
		return p, fmt.Errorf("%q is no version of shell-quote: %w", version, err)
	}
	return p, nil
}

// since reports whether the release is that one or a later one.
func (p Parser) since(minor, patch int) bool {
	return p.minor > minor || p.minor == minor && p.patch >= patch
}

// controls are the operators that the release knows, longer ones first.
func (p Parser) controls() []string {
	list := []string{"||", "&&", ";;", "|&", "&", ";", "(", ")", "|", "<", ">"}
	if p.since(7, 0) {
		list = append(list, "<(", ">>", ">&")
	}
	if p.since(8, 0) {
		list = append(list, "<<<", "<&")
	}
	if p.since(12, 0) {
		list = append(list, "&>", "&>>", ";;&", ";&", "<<-", "<<", ">|", ">(", "<>")
	}
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	return list
}

// Parse returns the tokens of a text, without any variable set.
func (p Parser) Parse(text string) ([]Token, error) {
	s := []rune(text)
	chunks := p.chunks(s)
	var tokens []Token
	for i := range chunks {
		more, comment, err := p.token(s, chunks, i)
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, more...)
		if comment {
			break
		}
	}
	return tokens, nil
}

// A chunk is a stretch of text, from one place to another.
type chunk struct{ from, to int }

func (p Parser) chunks(s []rune) []chunk {
	controls := p.controls()
	var list []chunk
	for i := 0; i < len(s); {
		if n := control(s[i:], controls); n > 0 {
			list = append(list, chunk{i, i + n})
			i += n
			continue
		}
		from := i
		for i < len(s) {
			n := p.piece(s[i:])
			if n == 0 {
				break
			}
			i += n
		}
		if i > from {
			list = append(list, chunk{from, i})
		} else {
			i++
		}
	}
	return list
}

// control returns the length of the operator at the beginning of a text, or 0.
func control(s []rune, controls []string) int {
	for _, c := range controls {
		if len(c) > len(s) || string(s[:len(c)]) != c || c == "<<" && len(s) > 2 && s[2] == '(' {
			continue
		}
		return len(c)
	}
	return 0
}

func isSpace(c rune) bool {
	return strings.ContainsRune("\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff", c) || 0x2000 <= c && c <= 0x200a
}

// piece returns the length of the piece of a word at the beginning of a text, or 0.
func (p Parser) piece(s []rune) int {
	next := rune(-1)
	if len(s) > 1 {
		next = s[1]
	}
	switch c := s[0]; {
	case p.since(11, 0) && c == '$' && next == '\'':
		for i := 2; i < len(s); i++ {
			switch s[i] {
			case '\\':
				i++
			case '\'':
				return i + 1
			}
		}
		return 1
	case c == '\\' && (strings.ContainsRune("'\"|&;()<> \t", next) || p.since(11, 0) && (next == '$' || next == '\\')):
		return 2
	case p.since(11, 0) && c == '$' && next == '$':
		return 2
	case c == '"' && p.since(11, 0):
		for i := 1; i < len(s); i++ {
			switch s[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return 0
	case c == '\'' && p.since(10, 0):
		if end := slices.Index(s[1:], '\''); end >= 0 {
			return end + 2
		}
		return 0
	case c == '"', c == '\'':
		last := 0
		for i := 1; i < len(s); i++ {
			switch {
			case s[i] == '\\' && i+1 < len(s) && s[i+1] == c:
				last = i + 2
				i++
			case s[i] == c:
				return i + 1
			}
		}
		return last
	case isSpace(c), strings.ContainsRune("|&;()<>", c):
		return 0
	}
	return 1
}

// token returns the tokens of a chunk, and whether a comment has begun in it.
func (p Parser) token(all []rune, chunks []chunk, index int) (tokens []Token, comment bool, err error) {
	at := chunks[index]
	s := all[at.from:at.to]
	if n := control(s, p.controls()); n == len(s) {
		return []Token{{Op: string(s), Kind: Operator}}, false, nil
	}
	var out strings.Builder
	quote, escaped, glob := rune(0), false, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		glob = glob || quote == 0 && (c == '*' || c == '?')
		switch {
		case escaped:
			out.WriteRune(c)
			escaped = false
		case quote != 0 && c == quote:
			quote = 0
		case quote == '\'':
			out.WriteRune(c)
		case quote == '"' && c == '\\' && i+1 < len(s):
			i++
			if s[i] != '"' && s[i] != '\\' && s[i] != '$' {
				out.WriteRune('\\')
			}
			out.WriteRune(s[i])
		case c == '$' && quote == 0 && p.since(11, 0) && i+1 < len(s) && s[i+1] == '\'' && p.piece(s[i:]) > 1:
			text, n := decode(s[i+2:])
			out.WriteString(text)
			i += 1 + n
		case c == '$':
			value, end, err := p.variable(s, i+1)
			if err != nil {
				return nil, false, err
			}
			out.WriteString(value)
			i = end
		case quote == '"':
			out.WriteRune(c)
		case c == '"', c == '\'':
			quote = c
		case strings.ContainsRune("&;()|<>", c):
			return []Token{{Op: string(s), Kind: Operator}}, false, nil
		case c == '#':
			text := string(all[at.from+i+1:])
			if !p.since(8, 1) {
				var rest []string
				for _, later := range chunks[index+1:] {
					rest = append(rest, string(all[later.from:later.to]))
				}
				text = string(s[i+1:]) + strings.Join(rest, " ")
			}
			if out.Len() > 0 {
				tokens = append(tokens, Token{Text: out.String()})
			}
			return append(tokens, Token{Comment: text, Kind: Comment}), true, nil
		case c == '\\':
			escaped = true
		default:
			out.WriteRune(c)
		}
	}
	if glob {
		return []Token{{Op: "glob", Pattern: out.String(), Kind: Glob}}, false, nil
	}
	return []Token{{Text: out.String()}}, false, nil
}

// variable reads the variable whose name begins at i. It returns its value and the
// place of its last character.
func (p Parser) variable(s []rune, i int) (value string, end int, err error) {
	special := "*@#?$!_-"
	if p.since(11, 0) {
		special = "*@#?$!-"
	}
	name := ""
	switch {
	case i < len(s) && s[i] == '{':
		i++
		if i < len(s) && s[i] == '}' {
			return "", 0, BadSubstitution("${}")
		}
		close := -1
		if p.since(10, 0) {
			for k, depth := i, 1; k < len(s) && close < 0; k++ {
				switch {
				case s[k] == '{' && s[k-1] == '$':
					depth++
				case s[k] == '}':
					if depth--; depth == 0 {
						close = k
					}
				}
			}
		} else if k := slices.Index(s[i:], '}'); k >= 0 {
			close = i + k
		}
		if close < 0 {
			return "", 0, BadSubstitution(string(s[i:]))
		}
		name, end = string(s[i:close]), close
	case i < len(s) && strings.ContainsRune(special, s[i]):
		name, end = string(s[i]), i
		if !p.since(11, 0) {
			end++ // one more character is swallowed
		}
	default:
		k := i
		for k < len(s) && (s[k] == '_' || '0' <= s[k] && s[k] <= '9' || 'a' <= s[k] && s[k] <= 'z' || 'A' <= s[k] && s[k] <= 'Z') {
			k++
		}
		name, end = string(s[i:k]), k-1
	}
	if name == "" && p.since(7, 1) {
		return "$", end, nil
	}
	return "", end, nil
}

// decode reads the inside of $'...' up to its closing quote, and returns the text
// and how many characters that are with the quote.
func decode(s []rune) (text string, n int) {
	var out strings.Builder
	ended := false
	put := func(c rune) {
		if c == 0 {
			ended = true
		}
		if !ended {
			out.WriteRune(c)
		}
	}
	digits := func(i, most, base int) (value rune, k int) {
		for k < most && i+k < len(s) {
			if _, err := strconv.ParseUint(string(s[i+k]), base, 8); err != nil {
				break
			}
			k++
		}
		v, _ := strconv.ParseUint(string(s[i:i+k]), base, 64)
		return rune(v), k
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\'' {
			return out.String(), i + 1
		}
		if c != '\\' || i+1 >= len(s) {
			put(c)
			continue
		}
		i++
		c = s[i]
		simple := map[rune]rune{'a': 7, 'b': 8, 'e': 27, 'E': 27, 'f': 12, 'n': 10, 'r': 13, 't': 9, 'v': 11, '\\': '\\', '\'': '\'', '"': '"', '?': '?'}
		if v, ok := simple[c]; ok {
			put(v)
			continue
		}
		most := map[rune]int{'x': 2, 'u': 4, 'U': 8}[c]
		switch {
		case '0' <= c && c <= '7':
			v, k := digits(i, 3, 8)
			put(v & 0xff)
			i += k - 1
		case most > 0:
			v, k := digits(i+1, most, 16)
			if k == 0 {
				put('\\')
				put(c)
				break
			}
			put(v)
			i += k
		case c == 'c' && i+1 < len(s):
			i++
			put(s[i] & 0x1f)
		default:
			put('\\')
			put(c)
		}
	}
	return out.String(), len(s)
}
