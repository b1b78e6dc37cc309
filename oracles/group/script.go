package group

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/argvdiff/argvdiff/oracles/probe"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/quote"
)

// A Script is many commands as one text. Behind each of them the shell writes a
// mark with the command's status to its standard output, and says in the
// environment of what it starts then which command that belongs to.
type Script struct {
	// Text is the script.
	Text []byte
	// Mark is what every mark begins with.
	Mark []byte
	size int
}

var posix, _ = quote.Lookup("posix")

// Env is the environment that the shell of a script needs.
func (s Script) Env() [][]byte { return [][]byte{[]byte(probe.Variable + "=1")} }

// Compose makes a script of commands, none of which is Alone. The number keeps
// the marks of groups apart.
func Compose(commands [][]byte, traits []Trait, number uint64) Script {
	s := Script{Mark: strconv.AppendUint([]byte(":argvdiff:"), number, 10), size: len(commands)}
	s.Mark = append(s.Mark, ':')
	var made []string
	for i, c := range commands {
		// Files must be nobody else's business.
		if len(made) > 0 && (traits[i].Looks || mentions(c, made) || overlap(traits[i].Writes, made)) {
			s.Text = append(s.Text, probe.Cleaner...)
			for _, name := range made {
				s.Text = append(append(s.Text, ' '), Quoted([]byte(name))...)
			}
			s.Text = append(s.Text, '\n')
			made = made[:0]
		}
		made = append(made, traits[i].Writes...)
		s.Text = appendCommand(s.Text, c, traits[i])
		s.Text = append(append(s.Text, "echo "...), s.Mark...)
		s.Text = strconv.AppendInt(s.Text, int64(i+1), 10)
		s.Text = append(s.Text, ":$?; "+probe.Variable+"="...)
		s.Text = strconv.AppendInt(s.Text, int64(i+2), 10)
		s.Text = append(s.Text, '\n')
	}
	return s
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// mentions reports whether one of the names stands in the text, not as a part of
// a longer word, however it is quoted.
func mentions(text []byte, names []string) bool {
	text = bytes.Map(func(r rune) rune {
		if r == '\\' || r == '\'' || r == '"' {
			return -1
		}
		return r
	}, text)
	for _, name := range names {
		for rest := text; ; {
			at := bytes.Index(rest, []byte(name))
			if at < 0 {
				break
			}
			end := at + len(name)
			if (at == 0 || !inWord(rest[at-1])) && (end == len(rest) || !inWord(rest[end])) {
				return true
			}
			rest = rest[at+1:]
		}
	}
	return false
}

func inWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// Plain makes a script of commands without marks, for the clock.
func Plain(commands [][]byte, traits []Trait) []byte {
	var text []byte
	for i, c := range commands {
		text = appendCommand(text, c, traits[i])
	}
	return text
}

func appendCommand(text, command []byte, t Trait) []byte {
	if t.Manner == Line {
		return append(append(text, command...), '\n')
	}
	// Evaluated, it is read line by line, as it is alone: that matters where an
	// error, or an option that changes how text is read, is followed by more
	// lines.
	return append(append(append(text, "(eval "...), Quoted(command)...), ")\n"...)
}

// Quoted returns the text as one word of a shell.
func Quoted(text []byte) []byte {
	word, err := posix.Quote(text)
	if err != nil {
		panic(err) // the quoter declines nothing
	}
	return word
}

// Split takes the result of a run apart. It returns what each of the commands
// has shown of which the end was seen, in order; the one behind them, if there
// is one, has ended the run, or kept the next ones from being read.
func (s Script) Split(r wire.Result) []wire.Observation {
	list := make([]wire.Observation, 0, s.size)
	rest := r.Stdout
	for i := 1; i <= s.size; i++ {
		mark := strconv.AppendInt(s.Mark[:len(s.Mark):len(s.Mark)], int64(i), 10)
		mark = append(mark, ':')
		at := bytes.Index(rest, mark)
		if at < 0 {
			break
		}
		out := rest[:at:at]
		rest = rest[at+len(mark):]
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			break
		}
		status, err := strconv.Atoi(string(bytes.TrimSuffix(rest[:end], []byte{'\r'}))) // as on a terminal
		if err != nil {
			break
		}
		rest = rest[end+1:]
		list = append(list, wire.Observation{Stdout: out, Status: status})
	}
	part := 1
	for _, rec := range r.Records {
		if rec.Part > 0 && rec.Part <= uint64(s.size) {
			part = int(rec.Part)
		}
		// A child whose environment was emptied is of the command of the one
		// before it, as far as can be told.
		if part <= len(list) {
			list[part-1].Records = append(list[part-1].Records, rec)
		}
	}
	return list
}
