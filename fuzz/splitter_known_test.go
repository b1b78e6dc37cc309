package fuzz

import (
	"strings"

	"github.com/argvdiff/argvdiff/oracles/words"
	"github.com/argvdiff/argvdiff/targets/splitter"
)

// seededWords is how many generated texts the seeds of FuzzSplitter hold.
const seededWords = 1000

// A misreading is known: a text that shows it, and the splitters by which it is shown.
type misreading struct {
	cause, text string
	// by lists the splitters; @V is a release of shell-quote-parse, @all are all.
	by string
	// since and before are the versions of bash between which it shows, if not on all.
	since, before string
}

var misreadings = []misreading{
	{cause: words.AnsiC, text: `$''`, by: "go-shellquote shlex fields views @1.7.3 @1.8.0 @1.8.3 @1.10.0"},
	{cause: words.AnsiC, text: `$'\''`, by: "go-shellquote shlex"},
	{cause: words.AnsiC, text: `$'\v'`, by: "@1.6.3 @1.7.0"},
	{cause: words.AnsiC, text: `$'\273'`, by: "@1.11.0 @1.12.0"},
	{cause: words.AnsiC, text: `$'\cz'`, by: "mvdan-fields"},
	{cause: words.Locale, text: `$""`, by: "go-shellquote shlex fields views @1.7.3 @1.8.0 @1.8.3 @1.10.0 @1.11.0 @1.12.0"},

	{cause: words.BackslashIn, text: "\"\\`\"", by: "fields @all"},
	{cause: words.BackslashIn, text: `"\!"`, by: "shlex views"},
	{cause: words.BackslashSingle, text: `'\' 'a'`, by: "@1.6.3 @1.7.0 @1.7.3 @1.8.0 @1.8.3"},
	{cause: words.BackslashSingle, text: `'\'`, by: "fields"},
	{cause: words.BackslashOut, text: `\a`, by: "fields"},
	{cause: words.BackslashOut, text: "\\\r", by: "@all"},
	{cause: words.BackslashLast, text: `\`, by: "go-shellquote shlex"},
	{cause: words.BackslashLast, text: `a\`, by: "views @all", since: "4.0"},
	{cause: words.BackslashLast, text: `a\`, by: "fields mvdan-fields", before: "4.0"},

	{cause: words.Continuation, text: "\\\na", by: "shlex fields views @all"},
	{cause: words.Continuation, text: "\\\\\\\na", by: "mvdan-fields"},
	{cause: words.ContinuedIn, text: "\"\\\n\"", by: "shlex fields views @all"},
	{cause: words.ContinuedIn, text: "\"\\\\\\\n\"", by: "mvdan-fields"},

	{cause: words.Comment, text: "#", by: "go-shellquote fields views"},
	{cause: words.Comment, text: "#'", by: "go-shellquote fields views"},
	{cause: words.NumberSign, text: "a#", by: "@all"},
	{cause: words.Dollar, text: "$", by: "@1.6.3 @1.7.0"},

	{cause: words.Operator, text: "&a", by: "go-shellquote shlex fields views"},
	{cause: words.Operator, text: "a;b", by: "go-shellquote shlex fields views"},
	{cause: words.Newline, text: "a\nb", by: "go-shellquote shlex fields mvdan-fields views @all"},
	{cause: words.SyntaxError, text: ")", by: "go-shellquote shlex fields views"},
	{cause: words.SyntaxError, text: "'", by: "fields views @all"},

	{cause: words.WhiteSpace, text: "\v", by: "fields @all"},
	{cause: words.WhiteSpace, text: "\u00a0", by: "fields @all"},
	{cause: words.WhiteSpace, text: "\u0085", by: "fields"},
	{cause: words.WhiteSpace, text: "\r", by: "shlex fields mvdan-fields @all"},
	{cause: words.LineEnd, text: "'\r\n'", by: "mvdan-fields"},
	{cause: words.NotUTF8, text: "\xe3", by: "shlex mvdan-fields @all"},

	{cause: words.Single, text: "'a'", by: "fields"},
	{cause: words.Double, text: `"a"`, by: "fields"},
	{cause: words.Empty, text: "''", by: "fields"},
}

// splitters returns the names of the splitters of a list.
func (m misreading) splitters() (names []string) {
	const prefix = "shell-quote-parse"
	for _, name := range strings.Fields(m.by) {
		if name != "@all" {
			names = append(names, strings.Replace(name, "@", prefix+"@", 1))
			continue
		}
		for _, s := range splitter.All {
			if strings.HasPrefix(s.Name, prefix) {
				names = append(names, s.Name)
			}
		}
	}
	return names
}
