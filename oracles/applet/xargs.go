package applet

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/argvdiff/argvdiff/targets/program"
)

// mostWords bounds what xargs reads.
const mostWords = 1 << 20

// A word is one that xargs reads. Its line is the number of those that end before it.
type word struct {
	text string
	line int
}

// xargs calls a program with the words that it reads.
func (t *tool) xargs(w *program.Words, initial, env []string) (status int) {
	from := t.in
	if w.File != "" {
		var err error
		if from, err = open(w.File, 0); err != nil {
			return t.fail("Cannot open input file '" + w.File + "': " + problem(err))
		}
		defer unix.Close(from)
	}
	words, wrong := split(readAll(from), w)
	// What is called does not read the words.
	in := t.in
	if w.Terminal || w.File == "" {
		file := "/dev/null"
		if w.Terminal {
			file = "/dev/tty"
		}
		var err error
		if in, err = open(file, 0); err != nil {
			return t.fail(file + ": " + problem(err))
		}
		defer unix.Close(in)
	}
	for _, argv := range calls(words, w, initial) {
		s := 0
		if _, err := locate("echo", env); err != nil && argv[0] == "echo" {
			// Of a shell it is a part, but no program of a home.
			t.print([]byte(strings.Join(argv[1:], " ") + "\n"))
		} else {
			s = t.call(argv, env, in)
		}
		switch {
		case s < 0:
			return -s
		case s == 255:
			return cmp.Or(status, 124)
		case s >= 256:
			return 125
		case s != 0:
			status = 123
		}
	}
	if wrong != "" {
		return t.fail(wrong)
	}
	return status
}

// readAll reads to the end, or to the bound.
func readAll(fd int) (text []byte) {
	b := make([]byte, 64<<10)
	for len(text) < mostWords {
		n, err := read(fd, b)
		if n <= 0 || err != nil {
			break
		}
		text = append(text, b[:n]...)
	}
	return text
}

// calls are the argument vectors that become of the words.
func calls(words []word, w *program.Words, initial []string) (all [][]string) {
	if w.Replace != "" {
		for _, word := range words {
			argv := []string{initial[0]}
			for _, a := range initial[1:] {
				argv = append(argv, strings.ReplaceAll(a, w.Replace, word.text))
			}
			all = append(all, argv)
		}
		return all
	}
	if len(words) == 0 && !w.Never {
		return [][]string{initial}
	}
	for len(words) > 0 {
		n := len(words)
		if w.Args > 0 {
			n = min(n, w.Args)
		}
		if w.Lines > 0 {
			if i := slices.IndexFunc(words, func(o word) bool { return o.line >= words[0].line+w.Lines }); i >= 0 {
				n = i
			}
		}
		argv := slices.Clone(initial)
		for _, word := range words[:n] {
			argv = append(argv, word.text)
		}
		all, words = append(all, argv), words[n:]
	}
	return all
}

// split makes words of what xargs reads: by its quotes and backslashes, with -I a
// line each, or as they are. What is wrong comes behind the words before it.
func split(text []byte, w *program.Words) (words []word, wrong string) {
	if w.Plain {
		for n, t := range bytes.Split(text, []byte{w.Delimiter}) {
			words = append(words, word{string(t), n})
		}
		if n := len(words) - 1; words[n].text == "" {
			words = words[:n]
		}
		return words, ""
	}
	var b []byte
	inside, quote, line := false, byte(0), 0
	done := func() (ended bool) {
		if !inside {
			return false
		}
		if ended = w.End != "" && string(b) == w.End; !ended {
			words = append(words, word{string(b), line})
		}
		b, inside = nil, false
		return ended
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		blank := c == ' ' || c == '\t'
		switch {
		case quote != 0 && c == '\n':
			return words, "unmatched " + map[byte]string{'"': "double", '\'': "single"}[quote] + " quote"
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			b = append(b, c)
		case c == '\n':
			some := inside || len(words) > 0 && words[len(words)-1].line == line
			if done() {
				return words, ""
			}
			if some && !(i > 0 && (text[i-1] == ' ' || text[i-1] == '\t')) {
				line++
			}
		case blank && (!inside || w.Replace == ""):
			if done() {
				return words, ""
			}
		case c == '\'' || c == '"':
			quote, inside = c, true
		case c == '\\':
			if i++; i < len(text) {
				b, inside = append(b, text[i]), true
			}
		default:
			b, inside = append(b, c), true
		}
	}
	if quote != 0 {
		return words, "unmatched " + map[byte]string{'"': "double", '\'': "single"}[quote] + " quote"
	}
	if len(b) > 0 {
		done()
	}
	return words, ""
}
