package pty

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What a tool keeps of the text of a shell, and what one look at it shows.
const (
	keptLines = 10_000
	keptBytes = 4 << 20
	pageLines = 1_000
	pageBytes = 256 << 10
)

// promptMark is how the content of the operating system command begins that
// the shell sends before its prompt.
const promptMark = "133;D;"

// The places at which a Sanitizer can be in its input.
const (
	inText = iota
	inEscape
	inCSI
	inOSC
	inOSCEscape
)

// A Sanitizer turns the bytes of a terminal into plain text and keeps the last
// 10 000 lines and 4 MiB of it. It removes CSI and OSC sequences, all other
// pairs of ESC and a character, and BEL, and makes every CR LF and every other
// CR one LF. The input may be split anywhere, also in a character. Bytes that
// are not UTF-8 become U+FFFD, one each. What a sequence without an end
// swallows is not kept.
//
// The zero value is ready for use.
type Sanitizer struct {
	text    []byte // a little more than what is kept
	lines   int    // line ends in text
	written int64  // bytes ever added to text

	partial []byte // the beginning of a character
	place   int
	mark    int  // how many bytes of promptMark an OSC has matched, or -1
	cr      bool // the last character of the input was CR

	marked  bool // a prompt mark has been seen
	matched int  // how many bytes of Prompt followed it, or -1
}

// Push takes the next bytes and reports whether they hold anything but removed
// sequences: text, or the mark before a prompt.
func (s *Sanitizer) Push(data []byte) bool {
	written, marks := s.written, false
	if len(s.partial) > 0 {
		data = append(s.partial, data...)
		s.partial = nil
	}
	for len(data) > 0 && utf8.FullRune(data) {
		r, n := utf8.DecodeRune(data)
		data = data[n:]
		marks = s.next(r) || marks
	}
	s.partial = bytes.Clone(data)
	s.shrink()
	return marks || s.written > written
}

// next takes one character and reports whether it ends a prompt mark.
func (s *Sanitizer) next(r rune) (marks bool) {
	switch s.place {
	case inText:
		if r == '\x1b' {
			s.place = inEscape
		} else {
			s.plain(r)
		}
	case inEscape:
		switch r {
		case '[':
			s.place = inCSI
		case ']':
			s.place, s.mark = inOSC, 0
		default:
			s.place = inText
		}
	case inCSI:
		if r >= 0x40 && r <= 0x7e {
			s.place = inText
		}
	case inOSC, inOSCEscape:
		if r == '\a' || s.place == inOSCEscape && r == '\\' {
			s.place = inText
			if s.mark == len(promptMark) {
				s.marked, s.matched, marks = true, 0, true
			}
			return marks
		}
		if s.mark >= 0 && s.mark < len(promptMark) {
			if r == rune(promptMark[s.mark]) {
				s.mark++
			} else {
				s.mark = -1
			}
		}
		s.place = inOSC
		if r == '\x1b' {
			s.place = inOSCEscape
		}
	}
	return false
}

// plain takes a character outside of sequences. A CR is a line end at once, so
// that nothing of the text is held back; the LF of a CR LF then adds nothing.
func (s *Sanitizer) plain(r rune) {
	after := s.cr
	s.cr = r == '\r'
	switch {
	case r == '\a' || r == '\n' && after:
		return
	case r == '\r':
		r = '\n'
	}
	if r == '\n' {
		s.lines++
	}
	before := len(s.text)
	s.text = utf8.AppendRune(s.text, r)
	s.written += int64(len(s.text) - before)
	if s.marked && s.matched >= 0 {
		if s.matched < len(Prompt) && r == rune(Prompt[s.matched]) {
			s.matched++
		} else {
			s.matched = -1
		}
	}
}

// shrink drops text that is not kept, where there is enough of it to be worth
// the copy.
func (s *Sanitizer) shrink() {
	if len(s.text) > keptBytes*5/4 || s.lines > keptLines*5/4 {
		s.text = bytes.Clone(tail(s.text, keptLines, keptBytes))
		s.lines = bytes.Count(s.text, []byte("\n"))
	}
}

// Text returns the text that is kept.
func (s *Sanitizer) Text() string { return string(tail(s.text, keptLines, keptBytes)) }

// Page returns the newest part of the text: at most its last 1 000 lines and
// 256 KiB.
func (s *Sanitizer) Page() string { return string(tail(s.text, pageLines, pageBytes)) }

// Written returns how many bytes of text there have been, with those that are
// no longer kept.
func (s *Sanitizer) Written() int64 { return s.written }

// Since returns the kept part of the text behind its first n bytes.
func (s *Sanitizer) Since(n int64) string {
	kept := tail(s.text, keptLines, keptBytes)
	if more := s.written - n; more < int64(len(kept)) {
		kept = kept[len(kept)-int(max(more, 0)):]
	}
	return string(kept)
}

// Prompted reports whether the mark before a prompt has been seen since the
// last call of Forget, and whether the text behind the last such mark is
// exactly Prompt.
func (s *Sanitizer) Prompted() (mark, text bool) {
	return s.marked, s.marked && s.matched == len(Prompt)
}

// Forget makes Prompted start anew.
func (s *Sanitizer) Forget() { s.marked, s.matched = false, 0 }

// tail returns the longest end of b that has at most the given number of lines
// and of bytes and begins with a whole character. What follows the last line
// end is a line, even if it is empty.
func tail(b []byte, lines, size int) []byte {
	if len(b) > size {
		b = b[len(b)-size:]
		for len(b) > 0 && !utf8.RuneStart(b[0]) {
			b = b[1:]
		}
	}
	begin := len(b)
	for ; lines > 0 && begin >= 0; lines-- {
		begin = bytes.LastIndexByte(b[:begin], '\n')
	}
	return b[begin+1:]
}

// extract finds the output of a command in text, and its status. It is not ok
// if there is no end marker with a status and a line end behind it, or if the
// last one has none.
func extract(text, id string) (output string, status int, incomplete, ok bool) {
	start, end := Markers(id)
	output, rest, found := cutLast(text, end)
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	if !found || digits == "" || !strings.HasPrefix(rest[len(digits):], "\n") {
		return "", 0, false, false
	}
	status, _ = strconv.Atoi(digits) // too many digits give the greatest number
	if _, behind, found := cutLast(output, start); found {
		output = behind
	} else {
		incomplete = true
	}
	return trim(output), status, incomplete, true
}

// partial returns what there is of the output of a command without an end. If
// there is no start marker, it is all that was printed since the command.
func partial(s *Sanitizer, from int64, id string) (output string, incomplete bool) {
	start, _ := Markers(id)
	if _, behind, found := cutLast(s.Text(), start); found {
		return trim(behind), false
	}
	return trim(s.Since(from)), true
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func trim(s string) string { return strings.TrimSuffix(strings.TrimPrefix(s, "\n"), "\n") }

// textLimit is how many characters of output a result shows.
const textLimit = 16_000

// The notices in a result.
const (
	lateNotice  = "[timed out: no end within %d seconds, or the memory ran out; the output up to now follows]"
	cutNotice   = "[cut: only the first %d characters are shown]"
	lostNotice  = "[the beginning of the output is missing; this is the earliest that is left]"
	resetNotice = "[the shell was reset: the next command gets a new one, in the initial folder and environment]"
)

// render returns output as a result shows it.
func render(output string, incomplete bool) string {
	count := 0
	for i := range output {
		if count++; count > textLimit {
			output = join(output[:i], fmt.Sprintf(cutNotice, textLimit))
			break
		}
	}
	if incomplete && output != "" {
		return join(lostNotice, output)
	}
	return output
}

// join puts parts that are not empty on lines of their own.
func join(parts ...string) string {
	var b strings.Builder
	for _, part := range parts {
		if part != "" && b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(part)
	}
	return b.String()
}
