package applet

import (
	"os"
	"strings"
)

// A long is a long option, and the short one for which it stands. An option
// without a short one has its first byte in upper case there.
type long struct {
	name  string
	short byte
}

// An option is one that was given.
type option struct {
	short byte
	value string
}

// A line is what getopt_long finds in the arguments. What is wrong comes behind
// the options before it.
type line struct {
	options  []option
	operands []string
	wrong    string
}

// Every tool has these.
var (
	help    = long{"help", 'H'}
	version = long{"version", 'V'}
)

// parse reads arguments as getopt_long does: options may follow operands unless
// POSIXLY_CORRECT is set. The shorts are letters, with a colon behind those that
// take a value.
func parse(args []string, shorts string, longs []long) (l line) {
	takes := func(c byte) bool {
		i := strings.IndexByte(shorts, c)
		return i >= 0 && i+1 < len(shorts) && shorts[i+1] == ':'
	}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			l.operands = append(l.operands, args[i+1:]...)
			return l
		case len(arg) < 2 || arg[0] != '-':
			if _, posix := os.LookupEnv("POSIXLY_CORRECT"); posix {
				l.operands = append(l.operands, args[i:]...)
				return l
			}
			l.operands = append(l.operands, arg)
		case arg[1] == '-':
			name, value, has := strings.Cut(arg[2:], "=")
			found, wrong := find(name, arg, longs)
			switch {
			case wrong != "":
				l.wrong = wrong
			case has && !takes(found.short):
				l.wrong = "option '--" + found.name + "' doesn't allow an argument"
			case !has && takes(found.short):
				if i++; i == len(args) {
					l.wrong = "option '--" + found.name + "' requires an argument"
				} else {
					value = args[i]
				}
			}
			if l.wrong != "" {
				return l
			}
			l.options = append(l.options, option{found.short, value})
		default:
			for j := 1; j < len(arg); j++ {
				c := arg[j]
				if c == ':' || strings.IndexByte(shorts, c) < 0 {
					l.wrong = "invalid option -- '" + string([]byte{c}) + "'"
					return l
				}
				o := option{short: c}
				if takes(c) {
					if o.value = arg[j+1:]; o.value == "" {
						if i++; i == len(args) {
							l.wrong = "option requires an argument -- '" + string([]byte{c}) + "'"
							return l
						}
						o.value = args[i]
					}
					j = len(arg)
				}
				l.options = append(l.options, o)
			}
		}
	}
	return l
}

// find returns the long option of that name or of which it is the only prefix.
func find(name, arg string, longs []long) (found long, wrong string) {
	same, possible := true, ""
	for _, l := range longs {
		if l.name == name {
			return l, ""
		}
		if !strings.HasPrefix(l.name, name) {
			continue
		}
		if possible == "" {
			found = l
		}
		same = same && l.short == found.short
		possible += " '--" + l.name + "'"
	}
	switch {
	case possible == "":
		return found, "unrecognized option '" + arg + "'"
	case !same:
		return found, "option '" + arg + "' is ambiguous; possibilities:" + possible
	}
	return found, ""
}

// A fault is what is wrong with a number.
type fault int

const (
	valid fault = iota
	malformed
	tooLarge
)

// number reads an integer as C writes it, with one suffix of those that are
// allowed: b is 512, B is 1024, and k, M, G and so on are powers of 1024, or of
// 1000 where 0 is among those allowed and a B follows.
func number(s, suffixes string) (n uint64, f fault) {
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	if strings.HasPrefix(s, "-") {
		return 0, malformed
	}
	s = strings.TrimPrefix(s, "+")
	base := uint64(10)
	switch {
	case len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x' && digit(s[2]) < 16:
		s, base = s[2:], 16
	case len(s) > 1 && s[0] == '0':
		base = 8
	}
	i := 0
	for ; i < len(s) && digit(s[i]) < base; i++ {
		var over bool
		if n, over = scale(n, base, digit(s[i])); over {
			f = tooLarge
		}
	}
	if i == len(s) {
		if i == 0 {
			f = malformed
		}
		return n, f
	}
	if strings.IndexByte(suffixes, s[i]) < 0 || s[i] == '0' {
		return 0, malformed
	}
	if i == 0 {
		n = 1
	}
	suffix, factor, power := s[i], uint64(1024), 0
	s = s[i+1:]
	if strings.Contains(suffixes, "0") {
		switch s {
		case "B", "D":
			s, factor = "", 1000
		case "iB":
			s = ""
		}
	}
	if s != "" {
		return 0, malformed
	}
	switch suffix {
	case 'b':
		factor, power = 512, 1
	case 'B', 'k':
		power = 1
	default:
		power = strings.IndexByte("KMGTPEZY", suffix) + 1
	}
	for ; power > 0; power-- {
		var over bool
		if n, over = scale(n, factor, 0); over {
			f = tooLarge
		}
	}
	return n, f
}

// scale returns n*factor+plus.
func scale(n, factor, plus uint64) (m uint64, over bool) {
	m = n*factor + plus
	return m, n > (1<<64-1-plus)/factor
}

// digit is the value of a digit, or more than any base.
func digit(c byte) uint64 {
	switch {
	case '0' <= c && c <= '9':
		return uint64(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return uint64(c|0x20-'a') + 10
	}
	return 99
}
