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
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
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
	case has("histchars", "histverify", "histreedit", "HISTSIZE", "HISTCONTROL", "HISTIGNORE", "set -o vi", "set -o emacs", "set +o vi", "set +o emacs", "posix", "stty", "history -s", "history -r", "history -d", "history -p", "exec ", "fc "):
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

// Guess reports whether it is not sure that the line that runs instead is, or is
// not, continued: it holds more than quotes that may be open, or an error before
// them.
func (p Prediction) Guess() bool { return p.Line != "" && (p.Fate == Continued) != incomplete(p.Line) }

// Predict says what bash 3.2 makes of a physical line.
func Predict(line []byte, s State) Prediction {
	p := Prediction{Fate: Untouched, At: -1}
	if s.Off {
		return p
	}
	if p.At = exposed(line, s.Extglob, s.UTF8); p.At < 0 {
		return p
	}
	// Where one fires, all of the line is gone through, by rules of another kind:
	// what kept a ! from firing counts no more.
	var b bytes.Buffer
	dq, prints := false, false
	for i := 0; i < len(line); {
		c, size := line[i], 1
		if s.UTF8 {
			size = gathered(line[i:])
		}
		switch {
		case size > 1:
			// The rest of the line is lost behind such a character.
			b.Write(line[i : i+size])
			line = line[:i]
			continue
		case c == '\\':
			size = min(2, len(line)-i)
		case c == '"':
			dq = !dq
		case c == '\'' && !dq:
			size = len(line) - i
			if end := bytes.IndexByte(line[i+1:], '\''); end >= 0 {
				size = end + 2
			}
		case c == '#' && begins(line, i):
			size = len(line) - i
		case c == '!' && i+1 < len(line) && strings.IndexByte(unmoved, line[i+1]) < 0:
			e := event(line, i)
			if p.Event == "" {
				p.At, p.Event = i, string(line[i:i+e.length])
			}
			text, ok := e.find(s.History, b.String())
			if !ok {
				p.Fate = Discarded
				return p
			}
			b.WriteString(text)
			prints = e.prints()
			i += e.length
			continue
		}
		b.Write(line[i : i+size])
		i += size
	}
	if prints {
		p.Fate = Discarded // it is shown, and kept, and nothing runs
		return p
	}
	p.Line = b.String()
	p.Fate = Rewritten
	if open(p.Line) {
		p.Fate = Continued
	}
	return p
}

const blanks = " \t\n;&()|<>"

// unmoved are the bytes behind which a ! is left alone.
const unmoved = " \t\n\r="

// begins reports whether the byte at a place is the first one of a word.
func begins(line []byte, i int) bool { return i == 0 || strings.IndexByte(blanks, line[i-1]) >= 0 }

// gathered is how many bytes bash 3.2 takes as one character of many bytes at the
// beginning of a text, in a UTF-8 locale: it goes on for as long as what it has may
// become one, and so takes one byte more than there is of a broken one.
func gathered(text []byte) int {
	n := 1
	for n < len(text) && n < utf8.UTFMax && text[0] >= utf8.RuneSelf && !utf8.FullRune(text[:n]) {
		n++
	}
	return n
}

// exposed returns where the first ! stands that fires, and -1 where none does.
func exposed(line []byte, extglob, wide bool) int {
	dq := false
	for i := 0; i < len(line); i++ {
		c := line[i]
		if wide && c >= utf8.RuneSelf {
			if _, size := utf8.DecodeRune(line[i:]); size > 1 {
				i += size - 1
			}
			continue
		}
		next := byte(0)
		if i+1 < len(line) {
			next = line[i+1]
		}
		switch {
		case c == '#' && begins(line, i):
			return -1
		case c == '!':
			if fires(line, i, extglob) {
				return i
			}
		case dq && c == '\\' && next == '"':
			i++
		case c == '"':
			dq = !dq
		case !dq && c == '\'':
			end := bytes.IndexByte(line[i+1:], '\'')
			if end < 0 {
				return -1
			}
			i += 1 + end
		case c == '\\' && (next == '\'' || next == '!'):
			i++
		}
	}
	return -1
}

// fires reports whether the ! at that place is none of those that are left alone.
func fires(line []byte, i int, extglob bool) bool {
	behind := line[i+1:]
	switch {
	case len(behind) == 0, strings.IndexByte(unmoved, behind[0]) >= 0:
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

// incomplete reports whether a parser finds a line to end too early.
func incomplete(line string) bool {
	_, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(strings.ToValidUTF8(line, "?")), "")
	return syntax.IsIncomplete(err) || err != nil && strings.Contains(err.Error(), "here-document")
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
