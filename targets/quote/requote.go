package quote

import (
	"bytes"
	"slices"
)

// requoter is the oldest idiom there is: everything between single quotes is
// literal in every shell, so only the single quote itself has to be written
// some other way, outside them. It quotes always, also where nothing needs it.
type requoter struct {
	name, doc string
	escape    string // what stands for one inner quote; closes and reopens
}

func (q *requoter) Name() string { return q.name }
func (q *requoter) Doc() string  { return q.doc }

func (q *requoter) Quote(payloads ...[]byte) ([]byte, error) {
	return quoteWords(q, payloads)
}

func (q *requoter) appendWord(dst, p []byte) ([]byte, error) {
	return appendRequoted(dst, p, q.escape), nil
}

// appendRequoted appends 'p' with each inner quote replaced by escape.
func appendRequoted(dst, p []byte, escape string) []byte {
	inner := bytes.Count(p, []byte{'\''})
	dst = slices.Grow(dst, len(p)+2+inner*(len(escape)-1))
	dst = append(dst, '\'')
	for ; inner > 0; inner-- {
		i := bytes.IndexByte(p, '\'')
		dst = append(dst, p[:i]...)
		dst = append(dst, escape...)
		p = p[i+1:]
	}
	dst = append(dst, p...)
	return append(dst, '\'')
}
