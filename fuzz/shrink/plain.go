package shrink

import (
	"bytes"
	"slices"
)

// rank orders bytes by how much there is to explain about them: a reader takes "a" for any text, and wonders about a
// control byte.
func rank(c byte) int {
	switch {
	case c == 'a':
		return 0
	case c == 'b':
		return 1
	case c == '1':
		return 2
	case c == '0':
		return 3
	case c >= 'a' && c <= 'z':
		return 4
	case c == ' ':
		return 5
	case isLetter(c) || c == '_':
		return 6
	case isDigit(c):
		return 7
	case c > ' ' && c < 0x7f:
		return 8
	case c == '\n':
		return 9
	case c == '\t':
		return 10
	case c == '\r':
		return 11
	case c < 0x80:
		return 12
	}
	return 13
}

// smaller orders strings by length and then by the ranks of their bytes.
func smaller(a, b []byte) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	sum := 0
	for i := range a {
		sum += rank(a[i]) - rank(b[i])
	}
	return sum < 0
}

// stand-ins are tried for a word and for a byte, the plainest first.
var (
	wordStandIns   = [][]byte{[]byte("a"), []byte("b"), []byte("1"), []byte("0"), []byte("E"), []byte(":")}
	letterStandIns = []byte("ab1")
	digitStandIns  = []byte("a102")
	blankStandIns  = []byte(" \n\t;")
	otherStandIns  = []byte("ab1 .;\t")
)

// plainWords puts stand-ins in the place of words: everywhere at once where a word stands more than once, as names of
// variables and the ends of here-documents do, then one by one, and last halves of words.
func (s *shrinker) plainWords() {
	for at := 0; at < len(s.cur) && !s.over(); {
		if !isAlnum(s.cur[at]) {
			at++
			continue
		}
		end := at
		for end < len(s.cur) && isAlnum(s.cur[end]) {
			end++
		}
		word := slices.Clone(s.cur[at:end])
		n := len(wordStandIns)
		k := s.try(2*n+2, func(i int) []byte {
			switch {
			case i < n:
				return replaceWords(s.cur, word, wordStandIns[i])
			case i < 2*n:
				return slices.Concat(s.cur[:at], wordStandIns[i-n], s.cur[end:])
			case i == 2*n:
				return slices.Concat(s.cur[:at+len(word)/2], s.cur[end:])
			default:
				return slices.Concat(s.cur[:at], s.cur[end-len(word)/2:])
			}
		})
		if k < 0 {
			at = end
			continue
		}
		// The word at this place may have become another one; it is tried again unless it is as plain as can be.
		if k == 0 || k == n {
			at++
		}
	}
}

// replaceWords returns b with every occurrence of word that is a whole run of letters and digits replaced.
func replaceWords(b, word, by []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); {
		if !isAlnum(b[i]) {
			out = append(out, b[i])
			i++
			continue
		}
		end := i
		for end < len(b) && isAlnum(b[end]) {
			end++
		}
		if bytes.Equal(b[i:end], word) {
			out = append(out, by...)
		} else {
			out = append(out, b[i:end]...)
		}
		i = end
	}
	return out
}

// plainBytes puts plainer bytes in the place of others: all of a kind at once first, then byte by byte.
func (s *shrinker) plainBytes() {
	kinds := []func(byte) bool{
		isLetter,
		isDigit,
		func(c byte) bool { return c >= 0x80 },
		func(c byte) bool { return c < ' ' && !isBlank(c) || c == 0x7f },
	}
	s.try(len(kinds), func(i int) []byte {
		c := slices.Clone(s.cur)
		for k, b := range c {
			if kinds[i](b) {
				c[k] = 'a'
			}
		}
		return c
	})
	for at := 0; at < len(s.cur) && !s.over(); at++ {
		list := standIns(s.cur[at])
		s.try(2*len(list), func(i int) []byte {
			by := list[i%len(list)]
			c := slices.Clone(s.cur)
			if i < len(list) {
				for k, b := range c {
					if b == s.cur[at] {
						c[k] = by
					}
				}
				return c
			}
			c[at] = by
			return c
		})
	}
}

func standIns(c byte) []byte {
	switch {
	case isLetter(c) || c == '_':
		return letterStandIns
	case isDigit(c):
		return digitStandIns
	case isBlank(c):
		return blankStandIns
	}
	return otherStandIns
}
