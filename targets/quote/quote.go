// Package quote holds the quoters under test: each turns a payload into the
// text of one shell word that some program believes will expand to exactly
// that payload.
package quote

import (
	"errors"
	"fmt"
)

// ErrRefused is wrapped by every error of a quoter that declines a payload,
// for example because its real counterpart works on text and the payload is
// not UTF-8. A refusal is an answer, not a fault.
var ErrRefused = errors.New("refused")

// A Quoter turns payloads into shell text in the process of the caller.
type Quoter interface {
	// Name identifies the quoter on the command line, as in "posix" or
	// "shell-quote@1.8.3".
	Name() string

	// Doc says in one line, without a final period, what the quoter models.
	Doc() string

	// Quote returns shell text for the payloads: one word each, joined as the
	// modelled system joins them. Payloads hold no NUL. The error wraps
	// ErrRefused where the quoter declines a payload.
	Quote(payloads ...[]byte) ([]byte, error)
}

// InShell is a quoter that is part of bash itself, so that only the shell
// under test can say what it answers.
type InShell struct {
	name, doc string
	script    string
	since     string
}

// Name identifies the quoter, like [Quoter.Name].
func (q InShell) Name() string { return q.name }

// Doc describes the quoter, like [Quoter.Doc].
func (q InShell) Doc() string { return q.doc }

// Script is the text for bash -c which writes to its standard output, for each
// of its positional parameters, the quoted word followed by a NUL byte.
func (q InShell) Script() string { return q.script }

// Since is the first bash version, as "major.minor", that has the quoter, or
// "" for all that argvdiff knows.
func (q InShell) Since() string { return q.since }

func refusef(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrRefused}, args...)...)
}

// appender is what a quoter of this package implements to write one word
// without an allocation of its own.
type appender interface {
	appendWord(dst, payload []byte) ([]byte, error)
}

// Append quotes like [Quoter.Quote] and appends the text to dst, so that a
// caller with many payloads can keep one buffer. After an error it returns dst
// as it was.
func Append(dst []byte, q Quoter, payloads ...[]byte) ([]byte, error) {
	a, ok := q.(appender)
	if !ok {
		text, err := q.Quote(payloads...)
		return append(dst, text...), err
	}
	return appendWords(dst, a, payloads)
}

// appendWords writes one word for each payload, with one space between them.
func appendWords(dst []byte, a appender, payloads [][]byte) ([]byte, error) {
	start := len(dst)
	for i, p := range payloads {
		if i > 0 {
			dst = append(dst, ' ')
		}
		var err error
		if dst, err = a.appendWord(dst, p); err != nil {
			return dst[:start], err
		}
	}
	return dst, nil
}

// quoteWords is appendWords into a fresh buffer that is large enough for most
// payloads; a word that needs more grows it once.
func quoteWords(a appender, payloads [][]byte) ([]byte, error) {
	room := 0
	for _, p := range payloads {
		room += len(p) + len(p)/8 + 8
	}
	text, err := appendWords(make([]byte, 0, room), a, payloads)
	if err != nil {
		return nil, err
	}
	return text, nil
}
