package applet

import (
	"math"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// A printer fills lines with words.
type printer struct {
	text   []byte
	column int
	width  int
}

// say appends text as it is.
func (p *printer) say(parts ...string) {
	for _, s := range parts {
		p.text = append(p.text, s...)
	}
}

// fit appends a word, on the next line where the line is too long for it. The
// space in front of it does not count.
func (p *printer) fit(word string) {
	if p.column > 0 {
		if p.width-p.column < len(word) {
			p.newline()
		} else {
			p.text = append(p.text, ' ')
			p.column++
		}
	}
	p.text = append(p.text, word...)
	p.column += len(word)
}

func (p *printer) newline() {
	p.text = append(p.text, '\n')
	p.column = 0
}

// screen is the width that lines may have.
func (s *terminal) screen() int {
	if size, err := unix.IoctlGetWinsize(s.tool.out, unix.TIOCGWINSZ); err == nil && size.Col > 0 {
		return int(size.Col)
	}
	if n, f := number(os.Getenv("COLUMNS"), ""); f == valid && 0 < n && n <= math.MaxInt32 {
		return int(n)
	}
	return 80
}

// speeds is the text of the speed.
func (s *terminal) speeds(fancy bool) string {
	in, out := bauds(s.in), bauds(s.out)
	switch {
	case fancy && in == out:
		return "speed " + in + " baud;"
	case fancy:
		return "ispeed " + in + " baud; ospeed " + out + " baud;"
	case in == out:
		return in
	}
	return in + " " + out
}

// save prints what restore reads.
func (s *terminal) save() {
	for _, w := range [4]uint8{input, output, control, local} {
		s.text = strconv.AppendUint(s.text, uint64(*s.word(w)), 16)
		s.text = append(s.text, ':')
	}
	for i := range slots {
		c := uint8(0)
		if i < len(s.term.Cc) {
			c = s.term.Cc[i]
		}
		if i > 0 {
			s.text = append(s.text, ':')
		}
		s.text = strconv.AppendUint(s.text, uint64(c), 16)
	}
	s.text = append(s.text, '\n')
}

// all prints all settings.
func (s *terminal) all() {
	s.fit(s.speeds(true))
	if size, err := unix.IoctlGetWinsize(s.fd, unix.TIOCGWINSZ); err == nil {
		s.fit("rows " + strconv.Itoa(int(size.Row)) + "; columns " + strconv.Itoa(int(size.Col)) + ";")
	}
	s.fit("line = " + strconv.Itoa(int(s.term.Line)) + ";")
	s.newline()
	for i := range specials[:specialCharacters] {
		s.fit(s.shown(&specials[i]))
	}
	s.minimum()
	s.list(func(m *mode, is bool) string {
		switch {
		case is:
			return m.name
		case m.fixed:
			return ""
		}
		return "-" + m.name
	})
}

// differences prints the settings that are not sane.
func (s *terminal) differences() {
	s.fit(s.speeds(true))
	s.fit("line = " + strconv.Itoa(int(s.term.Line)) + ";")
	s.newline()
	for i := range specials[:specialCharacters] {
		if c := &specials[i]; s.term.Cc[c.at] != c.sane {
			s.fit(s.shown(c))
		}
	}
	if s.term.Lflag&unix.ICANON == 0 {
		s.minimum()
	} else if s.column > 0 {
		s.newline()
	}
	s.list(func(m *mode, is bool) string {
		switch {
		case is && m.sane == off:
			return m.name
		case !is && m.sane == on && !m.fixed:
			return "-" + m.name
		}
		return ""
	})
}

// shown is the text of a special character.
func (s *terminal) shown(c *special) string {
	b := append([]byte(c.name), " = "...)
	if v := s.term.Cc[c.at]; v == 0 {
		b = append(b, "<undef>"...)
	} else {
		b = appendVisible(b, v)
	}
	return string(append(b, ';'))
}

// minimum prints what ends a read that does not take lines.
func (s *terminal) minimum() {
	s.fit("min = " + strconv.Itoa(int(s.term.Cc[unix.VMIN])) + "; time = " + strconv.Itoa(int(s.term.Cc[unix.VTIME])) + ";\n")
	s.column = 0
}

// list prints what text makes of each mode and of whether it is on. Each word of
// the settings begins a line.
func (s *terminal) list(text func(m *mode, is bool) string) {
	word := uint8(control)
	for i := range modes {
		m := &modes[i]
		if m.alias {
			continue
		}
		if m.word != word && s.column > 0 {
			s.newline()
		}
		word = m.word
		mask := m.mask
		if mask == 0 {
			mask = m.bits
		}
		if t := text(m, *s.word(m.word)&mask == m.bits); t != "" {
			s.fit(t)
		}
	}
	if s.column > 0 {
		s.newline()
	}
}
