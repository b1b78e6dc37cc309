package shrink

import "bytes"

// cutLines returns where the lines of b begin and end: 0, behind each line feed, and the length.
func cutLines(cuts []int, b []byte) []int {
	cuts = append(cuts[:0], 0)
	for i, c := range b {
		if c == '\n' && i+1 < len(b) {
			cuts = append(cuts, i+1)
		}
	}
	return append(cuts, len(b))
}

// cutWords cuts b into shell words, each with its quotes and with the blanks before it, and operators.
func cutWords(cuts []int, b []byte) []int {
	cuts = append(cuts[:0], 0)
	for i := 0; i < len(b); {
		for i < len(b) && isBlank(b[i]) {
			i++
		}
		if i == len(b) {
			break
		}
		if isOperator(b[i]) {
			for c := b[i]; i < len(b) && b[i] == c; {
				i++
			}
		} else {
			i = skipWord(b, i)
		}
		if i < len(b) {
			cuts = append(cuts, i)
		}
	}
	return append(cuts, len(b))
}

// cutTokens cuts b finer: runs of letters and digits, runs of blanks, and every other byte by itself.
func cutTokens(cuts []int, b []byte) []int {
	cuts = append(cuts[:0], 0)
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case isAlnum(c):
			for i < len(b) && isAlnum(b[i]) {
				i++
			}
		case isBlank(c):
			for i < len(b) && isBlank(b[i]) {
				i++
			}
		default:
			i++
		}
		if i < len(b) {
			cuts = append(cuts, i)
		}
	}
	return append(cuts, len(b))
}

func cutBytes(cuts []int, b []byte) []int {
	cuts = cuts[:0]
	for i := range len(b) + 1 {
		cuts = append(cuts, i)
	}
	return cuts
}

// skipWord returns where the word that begins at i ends. A quote that nothing closes is an ordinary byte.
func skipWord(b []byte, i int) int {
	for i < len(b) {
		switch c := b[i]; {
		case isBlank(c) || isOperator(c):
			return i
		case c == '\\':
			i = min(i+2, len(b))
		case c == '\'' || c == '"' || c == '`':
			if end := closing(b, i); end > 0 {
				i = end
				continue
			}
			i++
		default:
			i++
		}
	}
	return i
}

// closing returns the place behind the quote that closes the one at i, or 0.
func closing(b []byte, i int) int {
	quote := b[i]
	if quote == '\'' && (i == 0 || b[i-1] != '$') {
		if n := bytes.IndexByte(b[i+1:], quote); n >= 0 {
			return i + n + 2
		}
		return 0
	}
	for k := i + 1; k < len(b); k++ {
		switch b[k] {
		case '\\':
			k++
		case quote:
			return k + 1
		}
	}
	return 0
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isOperator(c byte) bool { return bytes.IndexByte([]byte(";&|()<>"), c) >= 0 }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isAlnum(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }

// span is something with an inside: what is between two quotes or brackets, or the body of a compound command.
type span struct{ from, inner, innerEnd, end int }

// spans lists what encloses something, the widest first where they begin at the same place. Brackets are matched by
// counting, quotes by the next of their kind: what a shell would say does not matter, the predicate decides.
func spans(list []span, b []byte) []span {
	list = list[:0]
	for i, c := range b {
		from := i
		if i > 0 && b[i-1] == '$' {
			from--
		}
		switch c {
		case '\'', '"', '`':
			if n := bytes.IndexByte(b[i+1:], c); n >= 0 {
				list = append(list, span{from, i + 1, i + 1 + n, i + n + 2})
			}
			if end := closing(b, i); end > 0 {
				list = append(list, span{from, i + 1, end - 1, end})
			}
		case '(':
			list = appendPair(list, b, from, i, ')')
		case '{':
			list = appendPair(list, b, from, i, '}')
		case '[':
			list = appendPair(list, b, from, i, ']')
		case 'i', 'f', 'w', 'u', 'c', 't', 'd':
			list = appendKeyword(list, b, i)
		}
	}
	return list
}

func appendPair(list []span, b []byte, from, i int, closer byte) []span {
	depth := 0
	for k := i; k < len(b); k++ {
		switch b[k] {
		case b[i]:
			depth++
		case closer:
			if depth--; depth == 0 {
				return append(list, span{from, i + 1, k, k + 1})
			}
		}
	}
	return list
}

// keywords are the words that open a compound command, with the one that opens its body and the one that closes it.
var keywords = []struct{ open, body, end string }{
	{"if", "then", "fi"},
	{"for", "do", "done"},
	{"while", "do", "done"},
	{"until", "do", "done"},
	{"case", "in", "esac"},
	{"then", "", "fi"},
	{"do", "", "done"},
}

func appendKeyword(list []span, b []byte, i int) []span {
	for _, k := range keywords {
		if !wordAt(b, i, k.open) {
			continue
		}
		inner := i + len(k.open)
		if k.body != "" {
			n := findWord(b, inner, k.body)
			if n < 0 {
				continue
			}
			inner = n + len(k.body)
		}
		depth := 1
		for at := inner; at < len(b); at++ {
			if at > inner && wordAt(b, at, k.open) {
				depth++
			}
			if wordAt(b, at, k.end) {
				if depth--; depth == 0 {
					list = append(list, span{i, inner, at, at + len(k.end)})
					break
				}
			}
		}
	}
	return list
}

// wordAt reports whether the word w stands at i with nothing of a word around it.
func wordAt(b []byte, i int, w string) bool {
	return bytes.HasPrefix(b[i:], []byte(w)) && (i == 0 || !isAlnum(b[i-1])) && (i+len(w) == len(b) || !isAlnum(b[i+len(w)]))
}

func findWord(b []byte, from int, w string) int {
	for i := from; i < len(b); i++ {
		if wordAt(b, i, w) {
			return i
		}
	}
	return -1
}
