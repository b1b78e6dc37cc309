package exposure

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// A specifier is an event with its words and modifiers.
type specifier struct {
	length int
	kind   byte // '!' last, 'n' number, '?' search, '#' this line, 'p' prefix
	number int
	text   string
	words  string // the word designator, without its colon

	modifiers []modifier
}

// A modifier changes what an event stands for.
type modifier struct {
	name      byte
	all       bool
	old, with string // of s
}

// until returns what stands before a delimiter, and where to go on behind it.
func until(text []byte, i int, by byte) (string, int) {
	var b []byte
	for ; i < len(text) && text[i] != by; i++ {
		if text[i] == '\\' && i+1 < len(text) && text[i+1] == by {
			i++
		}
		b = append(b, text[i])
	}
	return string(b), min(i+1, len(text))
}

// apply returns the text with the modifier applied, if that can be done and
// anything runs then.
func (m modifier) apply(text string) (string, bool) {
	slash, dot := strings.LastIndexByte(text, '/'), strings.LastIndexByte(text, '.')
	switch m.name {
	case 'h':
		if slash >= 0 {
			text = text[:slash]
		}
	case 't':
		text = text[slash+1:]
	case 'r':
		if dot >= 0 {
			text = text[:dot]
		}
	case 'e':
		if dot >= 0 {
			text = text[dot:]
		}
	case 'q':
		text = single(text)
	case 'x':
		list := words(text)
		for i := range list {
			list[i] = single(list[i])
		}
		text = strings.Join(list, " ")
	case 's':
		n := 1
		if m.all {
			n = -1
		}
		if m.old == "" || !strings.Contains(text, m.old) {
			return "", false
		}
		text = strings.Replace(text, m.old, strings.ReplaceAll(m.with, "&", m.old), n)
	case 'p':
	default: // & has nothing to repeat; there are no others
		return "", false
	}
	return text, true
}

func single(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// prints reports whether a modifier asks for the line to be shown, not run.
func (e specifier) prints() bool {
	return slices.ContainsFunc(e.modifiers, func(m modifier) bool { return m.name == 'p' })
}

// event reads the specifier at a place in a line, where a ! stands. A quote right
// before that ends what is searched for.
func event(line []byte, at int) specifier {
	quote := byte(0)
	if at > 0 && (line[at-1] == '\'' || line[at-1] == '"') {
		quote = line[at-1]
	}
	text := line[at:]
	e := specifier{}
	i := 1
	switch c := text[i]; {
	case c == '!':
		e.kind, i = '!', 2
	case c == '#':
		e.kind, i = '#', 2
	case strings.IndexByte("$^*%", c) >= 0, c == ':' && i+1 < len(text) && strings.IndexByte("0123456789$^*%-", text[i+1]) >= 0:
		e.kind = '!'
	case c == '-' && i+1 < len(text) && isDigit(text[i+1]), isDigit(c):
		end := i + 1
		for end < len(text) && isDigit(text[end]) {
			end++
		}
		e.kind = 'n'
		e.number, _ = strconv.Atoi(string(text[i:end]))
		i = end
	case c == '?':
		e.kind = '?'
		end := bytes.IndexAny(text[i+1:], "?\n")
		if end < 0 {
			e.text, i = string(text[i+1:]), len(text)
		} else {
			e.text = string(text[i+1 : i+1+end])
			i += 1 + end
			if text[i] == '?' {
				i++
			}
		}
	default:
		e.kind = 'p'
		end := i
		for end < len(text) && strings.IndexByte(" \t\n:;&()|<>", text[end]) < 0 && (quote == 0 || text[end] != quote) {
			end++
		}
		e.text, i = string(text[i:end]), end
	}
	// Words: behind a colon, or one of those that need none.
	if i < len(text) && (strings.IndexByte("$^*%-", text[i]) >= 0 || text[i] == ':' && i+1 < len(text) && strings.IndexByte("0123456789$^*%-", text[i+1]) >= 0) {
		if text[i] == ':' {
			i++
		}
		end := i
		if strings.IndexByte("$^*%", text[end]) >= 0 {
			end++
		} else {
			for end < len(text) && isDigit(text[end]) {
				end++
			}
		}
		if end < len(text) && text[end] == '-' {
			end++
			if end < len(text) && (text[end] == '$' || text[end] == '^') {
				end++
			} else {
				for end < len(text) && isDigit(text[end]) {
					end++
				}
			}
		} else if end < len(text) && text[end] == '*' && end > i {
			end++
		}
		e.words, i = string(text[i:end]), end
	}
	// Modifiers.
	for i+1 < len(text) && text[i] == ':' {
		m := modifier{name: text[i+1]}
		i += 2
		for (m.name == 'g' || m.name == 'a' || m.name == 'G') && i < len(text) {
			m.all, m.name = true, text[i]
			i++
		}
		if m.name == 's' && i < len(text) {
			by := text[i]
			i++
			m.old, i = until(text, i, by)
			m.with, i = until(text, i, by)
		}
		e.modifiers = append(e.modifiers, m)
		if strings.IndexByte("htreqxps&", m.name) < 0 {
			break
		}
	}
	e.length = i
	return e
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// find returns what the specifier stands for, if there is such an event with such
// words.
func (e specifier) find(history []string, before string) (string, bool) {
	entry, ok := "", false
	n := len(history)
	switch e.kind {
	case '!':
		if n > 0 {
			entry, ok = history[n-1], true
		}
	case '#':
		entry, ok = before, true
	case 'n':
		i := e.number - 1
		if e.number < 0 {
			i = n + e.number
		}
		if e.number != 0 && 0 <= i && i < n {
			entry, ok = history[i], true
		}
	default:
		for i := n - 1; i >= 0 && !ok; i-- {
			if e.kind == '?' && e.text != "" && strings.Contains(history[i], e.text) || e.kind == 'p' && e.text != "" && strings.HasPrefix(history[i], e.text) {
				entry, ok = history[i], true
			}
		}
	}
	switch {
	case ok && e.words == "%" && e.kind == '?':
		list := words(entry)
		i := slices.IndexFunc(list, func(w string) bool { return strings.Contains(w, e.text) })
		if ok = i >= 0; ok {
			entry = list[i]
		}
	case ok && e.words == "%":
		entry = "" // what the last search has found: there was none
	case ok && e.words != "":
		entry, ok = designate(words(entry), e.words)
	}
	for _, m := range e.modifiers {
		if !ok {
			break
		}
		entry, ok = m.apply(entry)
	}
	return entry, ok
}

// designate returns the words that a designator names.
func designate(list []string, d string) (string, bool) {
	last := len(list) - 1
	number := func(s string, otherwise int) (int, bool) {
		switch s {
		case "":
			return otherwise, true
		case "^":
			return 1, true
		case "$":
			return last, true
		}
		n, err := strconv.Atoi(s)
		return n, err == nil
	}
	from, to := 0, 0
	switch {
	case d == "*":
		if last < 1 {
			return "", last >= 0
		}
		from, to = 1, last
	case d == "%":
		return "", false
	case strings.HasSuffix(d, "*"):
		n, ok := number(d[:len(d)-1], 0)
		if !ok {
			return "", false
		}
		from, to = n, last
	case strings.Contains(d, "-"):
		a, b, _ := strings.Cut(d, "-")
		var ok1, ok2 bool
		from, ok1 = number(a, 0)
		to, ok2 = number(b, last-1)
		if !ok1 || !ok2 || b != "" && to < from {
			return "", false
		}
	default:
		n, ok := number(d, 0)
		if !ok {
			return "", false
		}
		from, to = n, n
	}
	// Up to the word before the last one may be none at all.
	if from < 0 || from > last || to > last || from > to+1 {
		return "", false
	}
	return strings.Join(list[from:to+1], " "), true
}

// words splits a line as history does: at blanks, with quotes kept, and the signs
// of the shell as words of their own.
func words(line string) []string {
	var list []string
	for i := 0; i < len(line); {
		if strings.IndexByte(" \t\n", line[i]) >= 0 {
			i++
			continue
		}
		start := i
		if strings.IndexByte("()<>;&|", line[i]) >= 0 {
			c := line[i]
			i++
			if i < len(line) && line[i] == c && c != '(' && c != ')' {
				i++
				if c == '<' && i < len(line) && line[i] == '-' {
					i++
				}
			} else if i < len(line) && (line[i] == '&' && (c == '<' || c == '>') || c == '>' && line[i] == '|' || c == '&' && line[i] == '>') {
				i++
			}
			list = append(list, line[start:i])
			continue
		}
		quote := byte(0)
	word:
		for ; i < len(line); i++ {
			c := line[i]
			switch {
			case c == '\\' && quote != '\'':
				i++
				continue
			case quote != 0:
				if c == quote {
					quote = 0
				}
				continue
			case c == '\'' || c == '"' || c == '`':
				quote = c
				continue
			}
			if strings.IndexByte(" \t\n()<>;&|", c) >= 0 {
				break word
			}
		}
		list = append(list, line[start:min(i, len(line))])
	}
	return list
}
