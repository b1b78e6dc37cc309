package gen

import (
	"bytes"
	"regexp"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// wordFeatures are what lists of words must be able to hold.
var wordFeatures = []struct{ name, re string }{
	{"single quotes", `'[^']+'`},
	{"double quotes", `"[^"]+"`},
	{"quotes joined", `[a-z]'[^']*'|'"|"'`},
	{"empty quotes", `(^| )(''|"")( |$)`},
	{"ANSI-C quote", `\$'`},
	{"ANSI-C quote with a quote", `\$'[^']*\\'`},
	{"locale quote", `\$"`},
	{"backslash in double quotes", `"[^"]*\\[a-z]`},
	{"backslash in single quotes", `'[^'\\]*\\[^'\\]*'`},
	{"escaped blank", `[a-zA-Z]\\ `},
	{"line continuation in a word", `[a-z]\\\n[a-z]`},
	{"line continuation between words", ` \\\n`},
	{"line continuation in double quotes", `"[^"]*\\\n[^"]*"`},
	{"comment", ` #`},
	{"number sign in a word", `[a-z]#[a-z]`},
	{"glob", `\*|\?`},
	{"tilde", `(^| )~`},
	{"tilde after =", `=~`},
	{"braces", `\{a,b\}`},
	{"variable", ` \$[a-z]`},
	{"operator", ` [;&|] ?`},
	{"redirection", `>f|2>&1`},
	{"newline", ` \n`},
	{"tab", `\t`},
	{"no-break space", "\u00a0"},
	{"vertical tab", `\v`},
	{"carriage return", `\r`},
	{"bang", `!`},
}

func TestWords(t *testing.T) {
	g := New(8)
	var lists [][]byte
	one := 0
	for i := range uint64(20_000) {
		list := g.Words(i, nil)
		if bytes.IndexByte(list, 0) >= 0 || len(list) == 0 {
			t.Errorf("number %d: %q", i, list)
		}
		lists = append(lists, list)
		text := bytes.ToValidUTF8(append([]byte("probe "), list...), []byte("x"))
		if f, err := syntax.NewParser().Parse(bytes.NewReader(text), ""); err == nil && len(f.Stmts) == 1 && len(f.Stmts[0].Redirs) == 0 {
			if _, ok := f.Stmts[0].Cmd.(*syntax.CallExpr); ok {
				one++
			}
		}
	}
	t.Logf("%d of %d are the words of one command", one, len(lists))
	if one*10 < len(lists)*8 {
		t.Errorf("only %d of %d are the words of one command", one, len(lists))
	}
	for _, f := range wordFeatures {
		re := regexp.MustCompile(f.re)
		n := 0
		for _, l := range lists {
			if n < 4 && re.Match(l) {
				n++
			}
		}
		if n < 4 {
			t.Errorf("%s: in %d of %d lists", f.name, n, len(lists))
		}
	}
	if again := New(8).Words(77, []byte("x")); !bytes.Equal(again[1:], lists[77]) {
		t.Errorf("number 77 is %q, then %q", lists[77], again[1:])
	}
	if a, b := WordsFromShape([]byte("a shape")), WordsFromShape([]byte("a shape")); !bytes.Equal(a, b) || len(a) == 0 {
		t.Errorf("one shape, two lists: %q, %q", a, b)
	}
}
