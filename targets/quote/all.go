package quote

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// All lists every quoter that runs in the process of the caller. The
// shell-quote entries are the releases that stand for a change of behaviour or
// that were in wide use; [ShellQuote] gives the others.
var All = []Quoter{
	&requoter{
		name:   "posix",
		doc:    `single quotes, each inner one written '"'"' (a double-quoted quote between two quoted parts)`,
		escape: `'"'"'`,
	},
	&requoter{
		name:   "posix-backslash",
		doc:    `single quotes, each inner one written '\'' (a backslashed quote between two quoted parts)`,
		escape: `'\''`,
	},
	&ansiC{
		name:    "ansi-c",
		doc:     `$'...' that escapes only backslash, quote, CR and LF`,
		escapes: &ansiCFew,
	},
	&ansiC{
		name:    "ansi-c-octal",
		doc:     `$'...' that also escapes control bytes and ! as three octal digits`,
		escapes: &ansiCOctal,
	},
	mustShellQuote("1.4.0"),
	mustShellQuote("1.4.3"),
	mustShellQuote("1.6.1"),
	mustShellQuote("1.6.3"),
	mustShellQuote("1.7.2"),
	mustShellQuote("1.7.3"),
	mustShellQuote("1.8.2"),
	mustShellQuote("1.8.3"),
	mustShellQuote("1.8.4"),
	mustShellQuote("1.10.0"),
	mustShellQuote("1.11.0"),
	mustShellQuote("1.12.0"),
	goShellquote{},
	&mvdan{
		name: "mvdan-bash",
		doc:  "Quote of mvdan.cc/sh/v3/syntax for LangBash",
		lang: syntax.LangBash,
	},
	&mvdan{
		name: "mvdan-posix",
		doc:  "Quote of mvdan.cc/sh/v3/syntax for LangPOSIX, which refuses what is not printable",
		lang: syntax.LangPOSIX,
	},
}

// AllInShell lists every quoter that is part of bash.
var AllInShell = []InShell{
	{
		name: "printf-q",
		doc:  "the %q format of the printf builtin",
		// Without arguments printf would still apply its format once and
		// answer a word for an argument that does not exist.
		script: `if [ $# -gt 0 ]; then printf '%q\0' "$@"; fi`,
	},
	{
		name:   "at-q",
		doc:    "the Q operator of parameter expansion, ${v@Q}",
		script: `for v do printf '%s\0' "${v@Q}"; done`,
		since:  "4.4",
	},
}

// Lookup finds the quoter of that name: one of [All], or "shell-quote@V" for
// any release V that [ShellQuote] knows.
func Lookup(name string) (Quoter, bool) {
	for _, q := range All {
		if q.Name() == name {
			return q, true
		}
	}
	if version, ok := strings.CutPrefix(name, shellQuotePrefix); ok {
		if q, err := ShellQuote(version); err == nil {
			return q, true
		}
	}
	return nil, false
}

// LookupInShell finds the quoter of that name in [AllInShell].
func LookupInShell(name string) (InShell, bool) {
	for _, q := range AllInShell {
		if q.name == name {
			return q, true
		}
	}
	return InShell{}, false
}
