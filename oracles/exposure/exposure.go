// Package exposure predicts, without a shell, what history expansion makes of a
// line that is sent to an interactive bash: whether it fires, where, and what
// becomes of the line.
//
// The rule is that of bash 3.2, whose scanner does not know that $'...' is a
// quote with escapes. From 5.2 on the scanner does, so that nothing which a
// wrapper has put into $'...' is exposed there. What is said here is a prediction
// and never an observation.
package exposure

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// A Fate is what becomes of a line.
type Fate string

// The fates that history expansion has for a line.
const (
	Untouched Fate = "untouched" // expansion does not fire: the line is read as it was sent
	Discarded Fate = "discarded" // nothing of it runs: no such event, or a bad word or modifier
	Rewritten Fate = "rewritten" // another line runs instead
	Continued Fate = "continued" // the other line ends within a quote: the shell waits for more
)

// A State is what the fate of a line hangs on, besides the line.
type State struct {
	// Off says that history expansion is off, as after set +o histexpand.
	Off bool
	// Extglob says that the option was on before the line was read.
	Extglob bool
	// UTF8 says that the shell's locale has characters of many bytes.
	UTF8 bool
	// History holds the lines that the shell has kept, the first one first.
	History []string
	// Unsure says that an earlier command has done what is not followed here: what
	// is predicted from now on is a guess.
	Unsure bool
}

// After returns the state behind a command that was sent as a line with that
// prediction, and that ran to its end.
func (s State) After(command string, line []byte, p Prediction) State {
	switch p.Fate {
	case Discarded, Continued:
		return s // it leaves no entry
	case Untouched:
		s.History = append(s.History[:len(s.History):len(s.History)], string(line))
	case Rewritten:
		s.History = append(s.History[:len(s.History):len(s.History)], p.Line)
		s.Unsure = true // something else has run
	}
	has := func(texts ...string) bool {
		for _, t := range texts {
			if strings.Contains(command, t) {
				return true
			}
		}
		return false
	}
	switch {
	case has("(", "{", "if ", "&&", "||") && has("histexpand", "set -H", "set +H", "extglob", "history"):
		s.Unsure = true // it may happen, or happen elsewhere
	case has("histchars", "histverify", "histreedit", "HISTSIZE", "HISTCONTROL", "HISTIGNORE", "set -o vi", "set -o emacs", "history -s", "history -r", "history -d", "history -p", "exec ", "fc "):
		s.Unsure = true
	case has("history -c"):
		s.History = nil
	case has("set +o history\n", "set +o history;") || strings.HasSuffix(command, "set +o history"), has("set +H", "set +o histexpand", "shopt -uo histexpand"):
		s.Off = true
	case has("set -H", "set -o histexpand", "shopt -so histexpand"):
		s.Off = false
	}
	if has("shopt -s extglob") {
		s.Extglob = true
	}
	if has("shopt -u extglob") {
		s.Extglob = false
	}
	return s
}

// A Prediction is what is said of a line.
type Prediction struct {
	Fate Fate
	// At is where the ! stands that fires first, and -1 where none does.
	At int
	// Event is the text from there to the end of its event.
	Event string
	// Line is what runs instead, or is continued; "" for the other fates.
	Line string
}

// Predict says what bash 3.2 makes of a physical line.
func Predict(line []byte, s State) Prediction {
	p := Prediction{Fate: Untouched, At: -1}
	if s.Off {
		return p
	}
	var wide bool
	if p.At, wide = exposed(line, 0, s.Extglob); p.At < 0 {
		return p
	}
	if s.UTF8 && wide {
		// Behind a character of many bytes bash 3.2 loses count of the line, and
		// waits for more whatever the event is (measured on 3.2.57).
		p.Event = string(line[p.At : p.At+event(line[p.At:], quoted(line[:p.At])).length])
		p.Fate = Continued
		return p
	}
	// Where one has fired, the rest of the line is looked at too.
	var b bytes.Buffer
	done := 0
	for {
		at := p.At
		if done > 0 {
			if at, _ = exposed(line, done, s.Extglob); at < 0 {
				break
			}
		}
		e := event(line[at:], quoted(line[:at]))
		if done == 0 {
			p.Event = string(line[at : at+e.length])
		}
		text, ok := e.find(s.History, string(line[:at]))
		if !ok {
			p.Fate = Discarded
			return p
		}
		b.Write(line[done:at])
		b.WriteString(text)
		done = at + e.length
	}
	b.Write(line[done:])
	p.Line = b.String()
	p.Fate = Rewritten
	if open(p.Line) {
		p.Fate = Continued
	}
	return p
}

const blanks = " \t\n;&()|<>"

// exposed scans the whole line, as quotes count from its beginning, and returns
// the first ! at or behind a place that fires, or -1. Wide says that a byte of a
// character of many bytes was met before it, outside of what single quotes skip.
func exposed(line []byte, from int, extglob bool) (at int, wide bool) {
	dq := false
	for i := 0; i < len(line); i++ {
		c := line[i]
		next := byte(0)
		if i+1 < len(line) {
			next = line[i+1]
		}
		switch {
		case c >= 0x80:
			wide = true
		case c == '#' && (i == 0 || strings.IndexByte(blanks, line[i-1]) >= 0):
			return -1, wide
		case c == '!':
			if i >= from && fires(line, i, extglob) {
				return i, wide
			}
		case dq && c == '\\' && next == '"':
			i++
		case c == '"':
			dq = !dq
		case !dq && c == '\'':
			end := bytes.IndexByte(line[i+1:], '\'')
			if end < 0 {
				return -1, wide
			}
			i += 1 + end
		case c == '\\' && (next == '\'' || next == '!'):
			i++
		}
	}
	return -1, wide
}

// fires reports whether the ! at that place is none of those that are left alone.
func fires(line []byte, i int, extglob bool) bool {
	behind := line[i+1:]
	switch {
	case len(behind) == 0, strings.IndexByte(" \t\n\r=", behind[0]) >= 0:
		return false
	case i > 0 && line[i-1] == '[' && bytes.IndexByte(behind, ']') >= 0:
		return false
	case i > 1 && line[i-1] == '{' && line[i-2] == '$' && bytes.IndexByte(behind, '}') >= 0:
		return false
	case extglob && behind[0] == '(' && bytes.IndexByte(behind, ')') >= 0:
		return false
	}
	return true
}

// open reports whether a line ends within a quote, as the parser reads it.
func open(line string) bool {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '\'':
			ansi := i > 0 && line[i-1] == '$'
			for i++; i < len(line) && line[i] != '\''; i++ {
				if ansi && line[i] == '\\' {
					i++
				}
			}
			if i >= len(line) {
				return true
			}
		case '"':
			for i++; i < len(line) && line[i] != '"'; i++ {
				if line[i] == '\\' {
					i++
				}
			}
			if i >= len(line) {
				return true
			}
		}
	}
	return false
}

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
	default: // p prints and runs nothing; & has nothing to repeat; there are no others
		return "", false
	}
	return text, true
}

func single(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// quoted reports whether double quotes are open behind the text.
func quoted(text []byte) bool {
	dq := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && (text[i+1] == '"' && dq || text[i+1] == '\'' || text[i+1] == '!'):
			i++
		case c == '"':
			dq = !dq
		case !dq && c == '\'':
			end := bytes.IndexByte(text[i+1:], '\'')
			if end < 0 {
				return false
			}
			i += 1 + end
		}
	}
	return dq
}

// event reads the specifier at the beginning of text, which is a !, in double
// quotes or not.
func event(text []byte, dq bool) specifier {
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
		for end < len(text) && strings.IndexByte(" \t\n:;&()|<>", text[end]) < 0 && !(dq && text[end] == '"') {
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
		if from == last+1 {
			return "", true
		}
	case strings.Contains(d, "-"):
		a, b, _ := strings.Cut(d, "-")
		var ok1, ok2 bool
		from, ok1 = number(a, 0)
		to, ok2 = number(b, last-1)
		if !ok1 || !ok2 {
			return "", false
		}
	default:
		n, ok := number(d, 0)
		if !ok {
			return "", false
		}
		from, to = n, n
	}
	if from < 0 || from > to || to > last {
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
