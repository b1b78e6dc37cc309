package applet

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const sttyUsage = "[-F DEVICE] [-a|-g|SETTING...]"

// slots is the number of special characters for which the C library has room; the
// kernel has less.
const slots = 32

// A terminal is what stty acts on.
type terminal struct {
	*tool
	fd   int
	file string // its name, quoted
	term unix.Termios
	// The speeds of which the kernel knows one, as codes.
	in, out uint32

	checking bool // settings are read, not made
	changed  bool // term has to be set
	timed    bool // a speed was set
	hasty    bool // without waiting for output
	printer
}

// stty shows or changes the settings of a terminal.
func (t *tool) stty(args []string) int {
	s := terminal{tool: t, fd: t.in, file: "'standard input'"}
	all, save, device := false, false, ""
	var settings []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			// GNU sees what follows only where a setting came before.
			if len(settings) > 0 {
				settings = append(settings, args[i:]...)
			}
			break
		}
		if arg == "drain" || arg == "-drain" {
			s.hasty = arg == "-drain"
			continue
		}
		if strings.HasPrefix(arg, "--") && len(arg) > 2 {
			name, value, has := strings.Cut(arg[2:], "=")
			found, wrong := find(name, arg, []long{{"all", 'a'}, {"save", 'g'}, {"file", 'F'}, help, version})
			switch {
			case wrong != "" || has && found.short != 'F':
				settings = append(settings, arg)
			case found.short == 'a':
				all = true
			case found.short == 'g':
				save = true
			case found.short == 'F' && has:
				device = value
			case found.short == 'F' && i+1 < len(args):
				i++
				device = args[i]
			case found.short == 'F':
				settings = append(settings, arg)
			default:
				return t.tell(found.name, sttyUsage)
			}
			continue
		}
		if len(arg) < 2 || arg[0] != '-' {
			settings = append(settings, arg)
			continue
		}
	letters:
		for j := 1; j < len(arg); j++ {
			switch arg[j] {
			case 'a':
				all = true
			case 'g':
				save = true
			case 'F':
				if device = arg[j+1:]; device == "" {
					if i++; i == len(args) {
						settings = append(settings, arg)
						break letters
					}
					device = args[i]
				}
				break letters
			default:
				settings = append(settings, arg)
				break letters
			}
		}
	}
	switch {
	case all && save:
		return t.fail("the options for verbose and stty-readable output styles are\nmutually exclusive")
	case (all || save) && len(settings) > 0:
		return t.fail("when specifying an output style, modes may not be set")
	}
	s.checking = true
	if status := s.apply(settings); status != 0 {
		return status
	}
	s.checking, s.changed = false, false
	if device != "" {
		s.file = quoteFile(device)
		fd, err := open(device, unix.O_NONBLOCK)
		if err != nil {
			return s.broken(err)
		}
		defer unix.Close(fd)
		s.fd = fd
		unix.SetNonblock(fd, false)
	}
	now, err := unix.IoctlGetTermios(s.fd, unix.TCGETS)
	if err != nil {
		return s.broken(err)
	}
	s.term = *now
	s.in, s.out = now.Cflag&unix.CBAUD, now.Cflag&unix.CBAUD
	switch {
	case save:
		s.save()
	case all:
		s.width = s.screen()
		s.all()
	case len(settings) == 0:
		s.width = s.screen()
		s.differences()
	default:
		if status := s.apply(settings); status != 0 {
			return status
		}
		if s.changed {
			if status := s.set(now); status != 0 {
				return status
			}
		}
	}
	return t.print(s.text)
}

// broken says what the system has against the terminal.
func (s *terminal) broken(err error) int {
	return s.fail(s.file + ": " + problem(err))
}

// set makes the settings, from those before, and sees whether all were made.
func (s *terminal) set(before *unix.Termios) int {
	request := uint(unix.TCSETSW)
	if s.hasty {
		request = unix.TCSETS
	}
	if _, err := again(func() (int, error) { return 0, unix.IoctlSetTermios(s.fd, request, &s.term) }); err != nil {
		return s.broken(err)
	}
	now, err := unix.IoctlGetTermios(s.fd, unix.TCGETS)
	if err != nil {
		return s.broken(err)
	}
	// Debian's tcsetattr fails where nothing changed since the kernel dropped one
	// of these, as it does on a pseudo-terminal.
	if d := now.Cflag ^ s.term.Cflag; *now == *before && (d&(unix.PARENB|unix.CREAD) != 0 || d&unix.CSIZE != 0 && s.term.Cflag&unix.CSIZE != 0) {
		return s.broken(unix.EINVAL)
	}
	code := now.Cflag & unix.CBAUD
	same := s.in == code && s.out == code && now.Iflag == s.term.Iflag && now.Oflag == s.term.Oflag &&
		now.Lflag == s.term.Lflag && now.Line == s.term.Line && now.Cc == s.term.Cc
	// Those bits the kernel changes at its liking where there are no speeds.
	free := uint32(unix.CIBAUD)
	if s.timed {
		free = 0
	}
	if !same || (now.Cflag^s.term.Cflag)&^free != 0 {
		return s.fail(s.file + ": unable to perform all requested operations")
	}
	return 0
}

// apply makes settings in term, or at once where they are not there.
func (s *terminal) apply(args []string) (status int) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		name, minus := strings.CutPrefix(arg, "-")
		if s.mode(name, minus) {
			s.changed = true
			continue
		}
		if made, status := s.combine(name, minus); made {
			s.changed = true
			if status != 0 {
				return status
			}
			continue
		}
		if minus {
			return s.invalid(arg)
		}
		value := ""
		if takesValue(name) {
			if i++; i == len(args) {
				return s.misused("missing argument to " + quote(arg))
			}
			value = args[i]
		}
		if status := s.single(name, value); status != 0 {
			return status
		}
	}
	return 0
}

func (s *terminal) invalid(arg string) int {
	return s.misused("invalid argument " + quote(arg))
}

// word returns one of the words of the settings.
func (s *terminal) word(which uint8) *uint32 {
	switch which {
	case control:
		return &s.term.Cflag
	case input:
		return &s.term.Iflag
	case output:
		return &s.term.Oflag
	}
	return &s.term.Lflag
}

// mode sets a mode and reports whether there is such a one.
func (s *terminal) mode(name string, minus bool) bool {
	for i := range modes {
		if m := &modes[i]; m.name == name && !(minus && m.fixed) {
			s.put(m, !minus)
			return true
		}
	}
	return false
}

// put switches a mode on or off.
func (s *terminal) put(m *mode, on bool) {
	w := s.word(m.word)
	*w &^= m.mask | m.bits
	if on {
		*w |= m.bits
	}
}

// combine makes the settings of a combination and reports whether there is such
// a one.
func (s *terminal) combine(name string, minus bool) (made bool, status int) {
	if name == "sane" && !minus {
		for i := range specials {
			s.term.Cc[specials[i].at] = specials[i].sane
		}
		for i := range modes {
			if m := &modes[i]; m.sane != kept {
				// A number is sane by the one that is on.
				if m.mask == 0 || m.sane == on {
					s.put(m, m.sane == on)
				}
			}
		}
		return true, 0
	}
	for i := range combinations {
		c := &combinations[i]
		if c.name != name {
			continue
		}
		if !minus {
			return true, s.apply(strings.Fields(c.on))
		}
		if c.off != "" {
			return true, s.apply(strings.Fields(c.off))
		}
		break
	}
	return false, 0
}

// takesValue reports whether an argument belongs to a setting.
func takesValue(name string) bool {
	switch name {
	case "ispeed", "ospeed", "line", "rows", "cols", "columns":
		return true
	}
	for i := range specials {
		if specials[i].name == name {
			return true
		}
	}
	return false
}

// single makes a setting that knows no minus.
func (s *terminal) single(name, value string) int {
	for i := range specials {
		if c := &specials[i]; c.name == name {
			s.changed = true
			return s.special(c, value)
		}
	}
	switch name {
	case "ispeed", "ospeed":
		if s.checking {
			return 0
		}
		if !s.speed(value, name == "ispeed", name == "ospeed") {
			return s.invalid(value)
		}
		return 0
	case "line":
		n, status := s.integer(value, math.MaxInt64)
		if status != 0 {
			return status
		}
		if n > math.MaxUint8 {
			s.warn("invalid line discipline " + quote(value)) // and no more than that
		}
		s.term.Line = uint8(n)
		s.changed = true
		return 0
	case "rows", "cols", "columns":
		if s.checking {
			return 0
		}
		return s.resize(name == "rows", value)
	case "size":
		if s.checking {
			return 0
		}
		size, err := unix.IoctlGetWinsize(s.fd, unix.TIOCGWINSZ)
		if err != nil {
			return s.broken(err)
		}
		s.say(strconv.Itoa(int(size.Row)), " ", strconv.Itoa(int(size.Col)), "\n")
		return 0
	case "speed":
		if !s.checking {
			s.say(s.speeds(false), "\n")
		}
		return 0
	}
	if s.speed(name, true, true) || s.restore(name) {
		s.changed = true
		return 0
	}
	return s.invalid(name)
}

// special sets a special character.
func (s *terminal) special(c *special, value string) int {
	at := &s.term.Cc[c.at]
	switch {
	case c.name == "min" || c.name == "time":
	case value == "" || value == "^-" || value == "undef":
		*at = 0
		return 0
	case len(value) == 1:
		*at = value[0]
		return 0
	case value[0] == '^' && value[1] == '?':
		*at = 0x7f
		return 0
	case value[0] == '^':
		*at = value[1] &^ 0x60
		return 0
	}
	n, status := s.integer(value, math.MaxUint8)
	*at = uint8(n)
	return status
}

// integer reads a number of at most that size.
func (s *terminal) integer(value string, most uint64) (n uint64, status int) {
	n, f := number(value, "bB")
	switch {
	case f == malformed:
		return 0, s.fail("invalid integer argument: " + quote(value))
	case f == tooLarge, n > most && most > math.MaxInt32/2:
		return 0, s.fail("invalid integer argument: " + quote(value) + ": Value too large for defined data type")
	case n > most:
		return 0, s.fail("invalid integer argument: " + quote(value) + ": Numerical result out of range")
	}
	return n, 0
}

// resize sets one side of the window.
func (s *terminal) resize(rows bool, value string) int {
	n, status := s.integer(value, math.MaxInt32)
	if status != 0 {
		return status
	}
	size, err := unix.IoctlGetWinsize(s.fd, unix.TIOCGWINSZ)
	if err != nil {
		return s.broken(err)
	}
	if rows {
		size.Row = uint16(n)
	} else {
		size.Col = uint16(n)
	}
	if err := unix.IoctlSetWinsize(s.fd, unix.TIOCSWINSZ, size); err != nil {
		return s.broken(err)
	}
	return 0
}

// speed sets a speed and reports whether there is such a one.
func (s *terminal) speed(bauds string, in, out bool) bool {
	for i := range speeds {
		if speeds[i].bauds != bauds {
			continue
		}
		code := speeds[i].code
		if in {
			s.in = code
		}
		if out {
			s.out = code
		}
		s.term.Cflag = s.term.Cflag&^unix.CBAUD | code
		s.changed, s.timed = true, !s.checking
		return true
	}
	return false
}

// restore makes the settings that save printed and reports whether these are such.
func (s *terminal) restore(saved string) bool {
	fields := strings.Split(saved, ":")
	if len(fields) != 4+slots {
		return false
	}
	words := [4]uint8{input, output, control, local}
	for i, field := range fields {
		n, err := strconv.ParseUint(field, 16, 32)
		switch {
		case err != nil || i >= 4 && n > math.MaxUint8:
			return false
		case i < 4:
			*s.word(words[i]) = uint32(n)
		case i-4 < len(s.term.Cc):
			s.term.Cc[i-4] = uint8(n)
		}
	}
	return true
}
