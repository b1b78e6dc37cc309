package applet

import (
	"strconv"

	"golang.org/x/sys/unix"
)

const catUsage = "[OPTION]... [FILE]..."

// A catState is what cat carries from one file to the next.
type catState struct {
	number, numberText, squeeze, ends, tabs, visible bool

	line    int
	inLine  bool // behind the first byte of a line
	blanks  int  // blank lines before this one
	pending bool // a CR of which the next byte decides
}

// cat copies files to standard output.
func (t *tool) cat(args []string) int {
	l := parse(args, "benstuvAET", []long{
		{"number-nonblank", 'b'}, {"number", 'n'}, {"squeeze-blank", 's'}, {"show-nonprinting", 'v'},
		{"show-ends", 'E'}, {"show-tabs", 'T'}, {"show-all", 'A'}, help, version,
	})
	var s catState
	for _, o := range l.options {
		switch o.short {
		case 'b':
			s.numberText = true
		case 'n':
			s.number = true
		case 's':
			s.squeeze = true
		case 'v':
			s.visible = true
		case 'E':
			s.ends = true
		case 'T':
			s.tabs = true
		case 'e':
			s.visible, s.ends = true, true
		case 't':
			s.visible, s.tabs = true, true
		case 'A':
			s.visible, s.ends, s.tabs = true, true, true
		case help.short:
			return t.tell("help", catUsage)
		case version.short:
			return t.tell("version", catUsage)
		}
	}
	if l.wrong != "" {
		return t.misused(l.wrong)
	}
	var out unix.Stat_t
	if err := unix.Fstat(t.out, &out); err != nil {
		return t.fail("standard output: " + problem(err))
	}
	names := l.operands
	if len(names) == 0 {
		names = []string{"-"}
	}
	status, buffer := 0, make([]byte, 128<<10)
	for _, name := range names {
		problems, written := t.copy(name, &out, &s, buffer)
		if written != nil {
			return t.fail("write error: " + problem(written))
		}
		if problems != "" {
			status = t.fail(quoteFile(name) + ": " + problems)
		}
	}
	if s.pending {
		if err := writeAll(t.out, []byte{'\r'}); err != nil {
			return t.fail("write error: " + problem(err))
		}
	}
	return status
}

// copy copies one file. The one problem is with the file, the other with the
// output.
func (t *tool) copy(name string, out *unix.Stat_t, s *catState, buffer []byte) (problems string, written error) {
	fd := t.in
	if name != "-" {
		var err error
		if fd, err = open(name, 0); err != nil {
			return problem(err), nil
		}
		defer unix.Close(fd)
	}
	if out.Mode&unix.S_IFMT == unix.S_IFREG {
		var in unix.Stat_t
		if err := unix.Fstat(fd, &in); err != nil {
			return problem(err), nil
		}
		if in.Dev == out.Dev && in.Ino == out.Ino {
			if at, err := unix.Seek(fd, 0, 1); err == nil && at < in.Size {
				return "input file is output file", nil
			}
		}
	}
	plain := !(s.number || s.numberText || s.squeeze || s.ends || s.tabs || s.visible)
	var text []byte
	for {
		n, err := read(fd, buffer)
		if err != nil {
			return problem(err), nil
		}
		if n == 0 {
			return "", nil
		}
		b := buffer[:n]
		if !plain {
			text = s.format(text[:0], b)
			b = text
		}
		if err := writeAll(t.out, b); err != nil {
			return "", err
		}
	}
}

// format appends text as the options have it.
func (s *catState) format(to, text []byte) []byte {
	for _, c := range text {
		if s.pending {
			s.pending = false
			if c == '\n' {
				to = append(to, "^M"...)
			} else {
				to = append(to, '\r')
			}
		}
		if c == '\n' {
			if !s.inLine {
				if s.blanks++; s.squeeze && s.blanks > 1 {
					continue
				}
				to = s.count(to, s.number && !s.numberText)
			}
			if s.ends {
				to = append(to, '$')
			}
			to = append(to, '\n')
			s.inLine = false
			continue
		}
		if !s.inLine {
			to = s.count(to, s.number || s.numberText)
			s.inLine, s.blanks = true, 0
		}
		switch {
		case c == '\t' && s.tabs:
			to = append(to, "^I"...)
		case c == '\t':
			to = append(to, '\t')
		case s.visible:
			to = appendVisible(to, c)
		case c == '\r' && s.ends:
			s.pending = true
		default:
			to = append(to, c)
		}
	}
	return to
}

// count appends the number of the line that begins.
func (s *catState) count(to []byte, wanted bool) []byte {
	if !wanted {
		return to
	}
	s.line++
	n := strconv.Itoa(s.line)
	for i := len(n); i < 6; i++ {
		to = append(to, ' ')
	}
	to = append(to, n...)
	return append(to, '\t')
}
