package applet

import (
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// inUTF8 reports whether the locale has that encoding. A locale whose files are
// missing counts as if they were there, as C.UTF-8 needs none.
func inUTF8() bool {
	for _, name := range [...]string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := os.Getenv(name); value != "" {
			value, _, _ = strings.Cut(strings.ToLower(value), "@")
			return strings.HasSuffix(value, ".utf-8") || strings.HasSuffix(value, ".utf8")
		}
	}
	return false
}

// inC reports whether messages are those of the C locale.
func inC() bool {
	for _, name := range [...]string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := os.Getenv(name); value != "" {
			return value == "C" || value == "POSIX"
		}
	}
	return true
}

// next returns the length of the character at the start of s, and whether it can
// be printed.
func next(s string, utf bool) (size int, printable bool) {
	if s[0] < 0x80 || !utf {
		return 1, ' ' <= s[0] && s[0] < 0x7f
	}
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 {
		return 1, false
	}
	return size, unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Zs, unicode.Cf, unicode.Co)
}

// escape appends a byte that cannot be printed.
func escape(b []byte, c byte) []byte {
	if '\a' <= c && c <= '\r' {
		return append(b, '\\', "abtnvfr"[c-'\a'])
	}
	return append(b, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
}

// quote quotes a word in a message, as GNU's quote.
func quote(s string) string {
	utf := inUTF8()
	left, right := "'", "'"
	if utf {
		left, right = "‘", "’"
	}
	b := []byte(left)
	for s != "" {
		size, printable := next(s, utf)
		switch {
		case !printable:
			for _, c := range []byte(s[:size]) {
				b = escape(b, c)
			}
		case s[0] == '\\' || strings.HasPrefix(s, right):
			b = append(b, '\\')
			fallthrough
		default:
			b = append(b, s[:size]...)
		}
		s = s[size:]
	}
	return string(append(b, right...))
}

// quoteFile quotes the name of a file in front of a colon, as GNU's quotef: as a
// shell would need it, and only where it would.
func quoteFile(name string) string {
	utf := inUTF8()
	plain, single, double, escaping := name != "", false, true, false
	for i := 0; i < len(name); {
		size, printable := next(name[i:], utf)
		c := name[i]
		escaping = !printable
		switch {
		case !printable:
			plain, double = false, false
		case c == '\'':
			plain, single = false, true
		case c == ' ' || c == ':':
			plain = false
		case c == '#' || c == '~':
			if i == 0 {
				plain = false
			} else {
				double = false
			}
		case c == '{' || c == '}':
			if len(name) == 1 {
				plain = false
			} else {
				double = false
			}
		case strings.IndexByte("!\"$&()*;<=>[^`|?\\", c) >= 0:
			plain, double = false, false
		}
		i += size
	}
	switch {
	case plain:
		return name
	case single && double:
		return `"` + name + `"`
	}
	// GNU looks for single quotes in a first pass, and takes from that one into the
	// second whether an escape is still open.
	escaping = escaping && single
	b := []byte{'\''}
	for name != "" {
		size, printable := next(name, utf)
		switch {
		case !printable:
			if !escaping {
				b = append(b, `'$'`...)
			}
			for _, c := range []byte(name[:size]) {
				b = escape(b, c)
			}
			escaping = true
		case name[0] == '\'':
			b = append(b, `'\''`...)
			escaping = false
		default:
			if escaping {
				b = append(b, `''`...)
			}
			b = append(b, name[:size]...)
			escaping = false
		}
		name = name[size:]
	}
	return string(append(b, '\''))
}
