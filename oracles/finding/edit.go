package finding

import "bytes"

// maxAlign bounds the bytes, behind the first difference, that are aligned.
const maxAlign = 512

// A hunk is a place where two byte strings differ: at offset at of the expected
// one, and atObserved of the observed one, deleted gave way to inserted.
type hunk struct {
	at, atObserved    int
	deleted, inserted []byte
}

// hunks returns the edit that turns expected into observed. Behind the first
// maxAlign differing bytes, all that is left is one hunk.
func hunks(expected, observed []byte) []hunk {
	prefix := 0
	for prefix < min(len(expected), len(observed)) && expected[prefix] == observed[prefix] {
		prefix++
	}
	e, o := expected[prefix:], observed[prefix:]
	suffix := 0
	for suffix < min(len(e), len(o)) && e[len(e)-1-suffix] == o[len(o)-1-suffix] {
		suffix++
	}
	// One pure insertion or deletion is best told at its first position, as
	// the trimmed prefix has it. Of anything else the suffix may hold a part:
	// a!b!c against a\!b\!c has the suffix !c, which is not untouched.
	if suffix == min(len(e), len(o)) {
		if len(e) == len(o) {
			return nil
		}
		return []hunk{{prefix, prefix, e[:len(e)-suffix], o[:len(o)-suffix]}}
	}
	return align(e, o, prefix)
}

// align is hunks for strings that differ in their first byte, by their longest
// common subsequence.
func align(e, o []byte, offset int) []hunk {
	ew, ow := e[:min(len(e), maxAlign)], o[:min(len(o), maxAlign)]
	return alignBy(deleter(ew, ow), e, o, offset)
}

// alignBy is align with what says where to go where two bytes differ.
func alignBy(deletes func(i, j int) bool, e, o []byte, offset int) []hunk {
	ew, ow := e[:min(len(e), maxAlign)], o[:min(len(o), maxAlign)]
	var list []hunk
	i, j := 0, 0
	for i < len(ew) || j < len(ow) {
		if i < len(ew) && j < len(ow) && ew[i] == ow[j] {
			i, j = i+1, j+1
			continue
		}
		fromE, fromO := i, j
		for (i < len(ew) || j < len(ow)) && !(i < len(ew) && j < len(ow) && ew[i] == ow[j]) {
			switch {
			case i == len(ew):
				j++
			case j == len(ow), deletes(i, j):
				i++
			default:
				j++
			}
		}
		list = append(list, hunk{offset + fromE, offset + fromO, e[fromE:i], o[fromO:j]})
	}
	if e, o := e[i:], o[j:]; !bytes.Equal(e, o) {
		list = append(list, hunk{offset + i, offset + j, e, o})
	}
	return list
}

// deleter returns a function that says whether, where e[i] and o[j] differ, the
// longest common subsequence goes on without e[i], rather than without o[j].
func deleter(e, o []byte) func(i, j int) bool {
	// Where nothing but insertions or nothing but deletions were made, as nearly
	// always, the one string is that subsequence itself.
	switch {
	case subsequence(e, o):
		return func(int, int) bool { return false }
	case subsequence(o, e):
		return func(int, int) bool { return true }
	}
	return tabled(e, o)
}

// tabled is deleter for any two strings.
func tabled(e, o []byte) func(i, j int) bool {
	width := len(o) + 1
	// common[i*width+j] is the length of the longest one of e[i:] and o[j:].
	common := make([]int16, (len(e)+1)*width)
	for i := len(e) - 1; i >= 0; i-- {
		for j := len(o) - 1; j >= 0; j-- {
			if e[i] == o[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	return func(i, j int) bool { return common[(i+1)*width+j] > common[i*width+j+1] }
}

// subsequence reports whether a is left of b when some bytes are taken away.
func subsequence(a, b []byte) bool {
	if len(a) > len(b) {
		return false
	}
	for _, c := range b {
		if len(a) > 0 && a[0] == c {
			a = a[1:]
		}
	}
	return len(a) == 0
}

// kindOf names the class of a byte as edits tell it.
func kindOf(c byte) string {
	switch {
	case c == '\\':
		return "backslash"
	case c == '\'':
		return "quote"
	case c == '"':
		return "double quote"
	case c == '`':
		return "backquote"
	case c == '!', c == '$', c == '~':
		return string(c)
	case c == ' ', c == '\t':
		return "blank"
	case c == '\n':
		return "newline"
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		return "letter"
	case '0' <= c && c <= '9':
		return "digit"
	case c < ' ', c == 0x7f:
		return "control byte"
	case c >= 0x80:
		return "non-ascii byte"
	}
	return "punctuation"
}

// behind names the class of the byte of the expected string in front of which
// an edit happened. Bytes that mean nothing to a shell are one class.
func behind(expected []byte, at int) string {
	if at >= len(expected) {
		return "the end"
	}
	switch k := kindOf(expected[at]); k {
	case "letter", "digit", "control byte", "non-ascii byte":
		return "a plain byte"
	default:
		return k
	}
}

// byQuoting reports whether quoting can have made the edit: a byte that quotes, or
// a control byte, came or went and nothing took its place. Anything else comes
// from a program that said something else.
func byQuoting(h hunk) bool {
	special := func(b []byte) bool {
		return len(b) > 0 && (bytes.IndexByte([]byte("\\'\"`!"), b[0]) >= 0 || b[0] < ' ' && b[0] != '\n')
	}
	return len(h.deleted) == 0 && special(h.inserted) || len(h.inserted) == 0 && special(h.deleted)
}

// isText reports whether bytes begin with a letter or digit: no quoting adds or
// takes such a byte, so where one comes or goes the program said another thing.
func isText(b []byte) bool {
	return len(b) > 0 && (kindOf(b[0]) == "letter" || kindOf(b[0]) == "digit")
}

// tell says what happened to a byte string, and to which byte of the expected
// one; that is -1 where no single byte stands for it.
// Quoted says whether quoting can have done it.
func tell(expected, observed []byte) (edit string, at int, quoted bool) {
	switch {
	case len(observed) == 0:
		return "vanishes", -1, false
	case len(expected) == 0:
		return "appears", -1, false
	}
	h := hunks(expected, observed)[0]
	at, quoted = min(h.at, len(expected)-1), byQuoting(h)
	switch {
	case len(h.deleted) == 0:
		return "gains " + kindOf(h.inserted[0]) + " before " + behind(expected, h.at), at, quoted
	case len(h.inserted) == 0:
		return "loses " + kindOf(h.deleted[0]), at, quoted
	}
	return "has " + kindOf(h.inserted[0]) + " for " + kindOf(h.deleted[0]), at, quoted
}
