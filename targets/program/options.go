package program

import (
	"strconv"
	"strings"
)

// A grammar is the options of a program as getopt_long takes them: the short ones as
// there, the long ones as NAME=CODE, where a colon behind the code stands for a value
// and two for a value that may be left out, and a program without long options has
// none.
type grammar struct{ shorts, longs string }

// Codes of options that make a program tell about itself.
const (
	help = '!'
	told = " help=! version=!"
)

// A scanner reads options up to the first operand.
type scanner struct {
	grammar
	args    []string // what is left
	bundled string   // what is left of a group of short options
}

// An option is one that was given.
type option struct {
	code  byte
	value string
	has   bool // a value
}

// What a scanner may come to.
type found int

const (
	one  found = iota
	none       // the operands begin
	bad        // something that the program does not take
)

// next reads one option.
func (s *scanner) next() (o option, f found) {
	if s.bundled == "" {
		if len(s.args) == 0 || len(s.args[0]) < 2 || s.args[0][0] != '-' {
			return o, none
		}
		arg := s.args[0]
		s.args = s.args[1:]
		if arg == "--" {
			return o, none
		}
		if arg[1] == '-' && s.longs != "" {
			return s.long(arg[2:])
		}
		s.bundled = arg[1:]
	}
	o.code, s.bundled = s.bundled[0], s.bundled[1:]
	i := strings.IndexByte(s.shorts, o.code)
	if i < 0 || o.code == ':' {
		return o, bad
	}
	return s.value(o, s.shorts[i+1:])
}

// value reads the value of a short option, whose place in the grammar goes on so.
func (s *scanner) value(o option, rest string) (option, found) {
	if !strings.HasPrefix(rest, ":") {
		return o, one
	}
	o.value, o.has, s.bundled = s.bundled, s.bundled != "", ""
	if o.has || strings.HasPrefix(rest, "::") {
		return o, one
	}
	return s.operand(o)
}

// operand takes the next argument as a value.
func (s *scanner) operand(o option) (option, found) {
	if len(s.args) == 0 {
		return o, bad
	}
	o.value, o.has, s.args = s.args[0], true, s.args[1:]
	return o, one
}

// long reads a long option, of which a prefix is enough where it is the only one.
func (s *scanner) long(arg string) (o option, f found) {
	name, value, has := strings.Cut(arg, "=")
	code := ""
	for l := range strings.FieldsSeq(s.longs) {
		full, c, _ := strings.Cut(l, "=")
		if full == name {
			code = c
			break
		}
		if strings.HasPrefix(full, name) {
			if code != "" && code != c {
				code = "?"
			} else {
				code = c
			}
		}
	}
	if code == "" || code == "?" {
		return o, bad
	}
	o = option{code[0], value, has}
	switch takes := code[1:]; {
	case has && takes == "":
		return o, bad
	case !has && takes == ":":
		return s.operand(o)
	}
	return o, one
}

// count reports whether s is a whole number of at least that size, as strtol reads
// it. One that is too large is a number, too.
func count(s string, least int64) bool {
	_, ok := number(s, least)
	return ok
}

func number(s string, least int64) (n int64, ok bool) {
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil && !overflows(err) {
		return 0, false
	}
	return n, n >= least
}

func overflows(err error) bool {
	e, ok := err.(*strconv.NumError)
	return ok && e.Err == strconv.ErrRange
}

// duration reports whether timeout takes s for a duration.
func duration(s string) bool {
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	if s != "" && strings.IndexByte("smhd", s[len(s)-1]) >= 0 {
		if real(s[:len(s)-1]) {
			return true
		}
	}
	return real(s)
}

// real reports whether s is a number as strtod reads it, that is not negative.
func real(s string) bool {
	if strings.Contains(s, "_") {
		return false
	}
	if l := strings.ToLower(strings.TrimLeft(s, "+-")); strings.HasPrefix(l, "0x") && !strings.Contains(l, "p") {
		s += "p0"
	}
	n, err := strconv.ParseFloat(s, 64)
	return (err == nil || overflows(err)) && n >= 0
}

// signals are the names that kill knows.
const signals = " 0 EXIT HUP INT QUIT ILL TRAP ABRT IOT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CLD CONT STOP " +
	"TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO POLL PWR SYS RTMIN RTMAX "

// signal reports whether timeout takes s for a signal.
func signal(s string) bool {
	if n, err := strconv.Atoi(s); err == nil {
		return n >= 0 && n <= 64
	}
	s = strings.TrimPrefix(strings.ToUpper(s), "SIG")
	if rest, ok := strings.CutPrefix(s, "RTM"); ok && len(rest) > 2 {
		n, err := strconv.Atoi(rest[2:])
		return err == nil && (rest[:2] == "IN" && n >= 0 && n <= 30 || rest[:2] == "AX" && n >= -30 && n <= 0)
	}
	return s != "" && !strings.Contains(s, " ") && strings.Contains(signals, " "+s+" ")
}

// size reports whether stdbuf takes s for a size.
func size(s string) bool {
	s = strings.TrimPrefix(strings.TrimLeft(s, " \t\n\v\f\r"), "+")
	suffix := strings.TrimLeft(s, "0123456789")
	if suffix == "" {
		return s != ""
	}
	if strings.IndexByte("EGkKMPTYZ", suffix[0]) < 0 {
		return false
	}
	switch suffix[1:] {
	case "", "B", "D", "iB":
		return true
	}
	return false
}
