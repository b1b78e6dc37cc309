// Package splitter holds code that reads a shell text as a list of words: libraries
// that people use to look at a command, or to run one without a shell.
package splitter

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/shlex"
	"github.com/kballard/go-shellquote"

	"github.com/argvdiff/argvdiff/targets/guard"
	"github.com/argvdiff/argvdiff/targets/validate"
)

// A Splitter reads words.
type Splitter struct {
	// Name identifies the splitter on the command line.
	Name string
	// Doc says in one line, without a final period, what it is.
	Doc string
	// Split returns the words of a text, or why it does not take it. The words
	// are of no use beside an error.
	Split func(text string) (words []string, err error)
}

var (
	// ErrOperator says that a text is no list of words: an operator stands in it.
	ErrOperator = errors.New("an operator stands between the words")
	// ErrExpansion says that a text holds an expansion which the splitter refuses.
	ErrExpansion = errors.New("an expansion is refused")
	// ErrNotModelled says that a model does not know what the library answers.
	ErrNotModelled = errors.New("not modelled")
)

// All lists every splitter. The releases of shell-quote are one for each change of
// behaviour of its parse that the model knows. It agrees with what was recorded of
// 1.7.3, 1.8.3 and the releases from 1.10.0 on; of 1.6.3, 1.7.0 and 1.8.0 nothing was.
var All = []Splitter{
	{Name: "go-shellquote", Doc: "Split of github.com/kballard/go-shellquote", Split: shellquote.Split},
	{Name: "shlex", Doc: "Split of github.com/google/shlex", Split: shlex.Split},
	shellQuoteParse("1.6.3"),
	shellQuoteParse("1.7.0"),
	shellQuoteParse("1.7.3"),
	shellQuoteParse("1.8.0"),
	shellQuoteParse("1.8.3"),
	shellQuoteParse("1.10.0"),
	shellQuoteParse("1.11.0"),
	shellQuoteParse("1.12.0"),
	{Name: "fields", Doc: "Fields of strings, white space alone, as guards do", Split: func(text string) ([]string, error) { return strings.Fields(text), nil }},
	{Name: "mvdan-fields", Doc: "a model of Fields of mvdan.cc/sh/v3/shell without any variable set", Split: mvdanFields},
	{Name: "views", Doc: "a model of the quote scanner of a command validator, with blanks outside of quotes between words", Split: views},
}

const parsePrefix = "shell-quote-parse@"

// Lookup returns the splitter of that name: one of [All], or "shell-quote-parse@V"
// for any release V.
func Lookup(name string) (Splitter, bool) {
	if i := slices.IndexFunc(All, func(s Splitter) bool { return s.Name == name }); i >= 0 {
		return All[i], true
	}
	if version, ok := strings.CutPrefix(name, parsePrefix); ok {
		if p, err := guard.NewParser(version); err == nil {
			return parsing(version, p), true
		}
	}
	return Splitter{}, false
}

func shellQuoteParse(version string) Splitter {
	p, err := guard.NewParser(version)
	if err != nil {
		panic(err)
	}
	return parsing(version, p)
}

func parsing(version string, p guard.Parser) Splitter {
	return Splitter{
		Name: parsePrefix + version,
		Doc:  "a model of parse of npm shell-quote " + version + ", comments dropped and globs as they stand",
		Split: func(text string) (words []string, err error) {
			tokens, err := p.Parse(text)
			if err != nil {
				return nil, fmt.Errorf("%w: %w", ErrExpansion, err)
			}
			for _, t := range tokens {
				switch t.Kind {
				case guard.Word:
					words = append(words, t.Text)
				case guard.Glob:
					words = append(words, t.Pattern)
				case guard.Operator:
					return nil, ErrOperator
				}
			}
			return words, nil
		},
	}
}

// views reads words as the scanner of a validator sees quotes, see [validate.Scan].
// Quotes and the backslashes that escape go; whatever such a backslash stands before
// is kept, also inside double quotes. A quote that is not closed is no error.
func views(text string) (words []string, err error) {
	var word []byte
	open := false
	for i, held := range validate.Scan([]byte(text)) {
		blank := strings.IndexByte(" \t\n", text[i]) >= 0
		switch {
		case held.State == validate.Bare && !held.Mark && blank:
			if open {
				words = append(words, string(word))
			}
			word, open = word[:0], false
		case held.Mark:
			open = true
		default:
			word, open = append(word, text[i]), true
		}
	}
	if open {
		words = append(words, string(word))
	}
	return words, nil
}
