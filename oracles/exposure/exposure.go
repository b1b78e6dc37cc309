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
	first := exposed(line, 0, s.Extglob)
	if p.At = first.at; p.At < 0 {
		return p
	}
	if s.UTF8 && first.wide {
		// Behind a character of many bytes bash 3.2 loses count of the line, and
		// waits for more whatever the event is (measured on 3.2.57).
		p.Event = string(line[p.At : p.At+event(line[p.At:], first.dq).length])
		p.Fate = Continued
		return p
	}
	// Where one has fired, the rest of the line is looked at too.
	var b bytes.Buffer
	done := 0
	for next := first; next.at >= 0; next = exposed(line, done, s.Extglob) {
		at := next.at
		e := event(line[at:], next.dq)
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

// A place is where a ! stands that fires.
type place struct {
	at int // -1 where none does
	// dq says that double quotes are open there, wide that a byte of a character
	// of many bytes was met before it, outside of what single quotes skip.
	dq, wide bool
}

// exposed scans the whole line, as quotes count from its beginning, and returns
// the first ! at or behind a place that fires.
func exposed(line []byte, from int, extglob bool) place {
	dq, wide := false, false
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
			return place{at: -1}
		case c == '!':
			if i >= from && fires(line, i, extglob) {
				return place{i, dq, wide}
			}
		case dq && c == '\\' && next == '"':
			i++
		case c == '"':
			dq = !dq
		case !dq && c == '\'':
			end := bytes.IndexByte(line[i+1:], '\'')
			if end < 0 {
				return place{at: -1}
			}
			i += 1 + end
		case c == '\\' && (next == '\'' || next == '!'):
			i++
		}
	}
	return place{at: -1}
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
