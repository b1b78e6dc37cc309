package quote

// ansiC writes bash's $'...', inside which a backslash starts an escape and
// nothing but an unescaped quote ends the word.
type ansiC struct {
	name, doc string
	escapes   *[256]string // the text for a byte, or "" for the byte itself
}

func (q *ansiC) Name() string { return q.name }
func (q *ansiC) Doc() string  { return q.doc }

func (q *ansiC) Quote(payloads ...[]byte) ([]byte, error) {
	return quoteWords(q, payloads)
}

func (q *ansiC) appendWord(dst, p []byte) ([]byte, error) {
	dst = append(dst, '$', '\'')
	from := 0
	for i, c := range p {
		if e := q.escapes[c]; e != "" {
			dst = append(dst, p[from:i]...)
			dst = append(dst, e...)
			from = i + 1
		}
	}
	dst = append(dst, p[from:]...)
	return append(dst, '\''), nil
}

// ansiCFew escapes what a line-oriented sender must: the two bytes that have a
// meaning inside the quotes and the two that would end the line. Any other
// control byte stays raw, and so does the exclamation mark.
var ansiCFew = [256]string{
	'\\': `\\`,
	'\'': `\'`,
	'\r': `\r`,
	'\n': `\n`,
}

// ansiCOctal leaves nothing in the text that a terminal, a line editor or
// history expansion could act on. The escapes have three digits always, so
// that a digit of the payload never becomes part of one.
var ansiCOctal = octalEscapes()

func octalEscapes() (t [256]string) {
	for c := range t {
		if c < 0x20 || c == 0x7f || c == '!' {
			t[c] = string([]byte{'\\', '0' + byte(c>>6), '0' + byte(c>>3&7), '0' + byte(c&7)})
		}
	}
	t['\\'] = `\\`
	t['\''] = `\'`
	return t
}
