package quote

import (
	"fmt"

	shellquote "github.com/kballard/go-shellquote"
	"mvdan.cc/sh/v3/syntax"
)

// goShellquote calls the real library. Its Join treats each word on its own
// and puts one space between them, so word by word gives the same text.
type goShellquote struct{}

func (goShellquote) Name() string { return "go-shellquote" }
func (goShellquote) Doc() string  { return "Join of github.com/kballard/go-shellquote" }

func (q goShellquote) Quote(payloads ...[]byte) ([]byte, error) {
	return quoteWords(q, payloads)
}

func (goShellquote) appendWord(dst, p []byte) ([]byte, error) {
	return append(dst, shellquote.Join(string(p))...), nil
}

// mvdan calls the real Quote of mvdan.cc/sh. It quotes one word at a time; its
// errors (a byte that the language has no way to write) become refusals.
type mvdan struct {
	name, doc string
	lang      syntax.LangVariant
}

func (q *mvdan) Name() string { return q.name }
func (q *mvdan) Doc() string  { return q.doc }

func (q *mvdan) Quote(payloads ...[]byte) ([]byte, error) {
	return quoteWords(q, payloads)
}

func (q *mvdan) appendWord(dst, p []byte) ([]byte, error) {
	word, err := syntax.Quote(string(p), q.lang)
	if err != nil {
		return dst, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return append(dst, word...), nil
}
