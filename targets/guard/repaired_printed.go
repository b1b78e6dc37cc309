package guard

import (
	"strconv"
	"strings"
)

// printed returns what printf prints, of %s and %% only.
func printed(args []string) (text string, ok bool) {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 || args[0] != "" && args[0][0] == '-' {
		return "", false
	}
	var out strings.Builder
	format, args := ansi(args[0]), args[1:]
	for out.Len() < maxBytes {
		used := 0
		for i := 0; i < len(format); i++ {
			switch {
			case format[i] != '%':
				out.WriteByte(format[i])
				continue
			case i+1 >= len(format):
				return "", false
			}
			switch i++; format[i] {
			case '%':
				out.WriteByte('%')
			case 's', 'b':
				if used < len(args) {
					out.WriteString(args[used])
				}
				used++
			default:
				return "", false
			}
		}
		if used == 0 || used >= len(args) {
			return out.String(), true
		}
		args = args[used:]
	}
	return "", false
}

// ansi decodes the inside of $'...'.
func ansi(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			out.WriteByte(text[i])
			continue
		}
		i++
		digits := func(from, most, base int) (uint64, int) {
			n := 0
			for n < most && from+n < len(text) {
				if _, err := strconv.ParseUint(text[from+n:from+n+1], base, 8); err != nil {
					break
				}
				n++
			}
			v, _ := strconv.ParseUint(text[from:from+n], base, 64)
			return v, n
		}
		c := text[i]
		if k := strings.IndexByte(`abeEfnrtv\'"?`, c); k >= 0 {
			out.WriteByte("\a\b\x1b\x1b\f\n\r\t\v\\'\"?"[k])
			continue
		}
		switch most := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]; {
		case '0' <= c && c <= '7':
			v, n := digits(i, 3, 8)
			if i += n - 1; byte(v) == 0 {
				return out.String()
			}
			out.WriteByte(byte(v))
		case most > 0:
			v, n := digits(i+1, most, 16)
			switch i += n; {
			case n == 0:
				out.WriteByte('\\')
				out.WriteByte(c)
			case v == 0:
				return out.String()
			case c == 'x':
				out.WriteByte(byte(v))
			default:
				out.WriteRune(rune(v))
			}
		case c == 'c' && i+1 < len(text):
			i++
			out.WriteByte(text[i] & 0x1f)
		default:
			out.WriteByte('\\')
			out.WriteByte(c)
		}
	}
	return out.String()
}
