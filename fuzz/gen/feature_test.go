package gen

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// features are what commands must be able to say, whatever the rules are called.
var features = []struct{ name, re string }{
	{"! in single quotes", `'[^'"\n]*![^'"\n]*'`},
	{"! in double quotes", `"[^'"\n]*![^'"\n]*"`},
	{"! in $'...'", `\$'[^'\\]*![^'\\]*'`},
	{"! with a backslash in single quotes", `'[^'"\n]*\\![^'"\n]*'`},
	{"! with a backslash in double quotes", `"[^'"\n]*\\![^'"\n]*"`},
	{"! with a backslash in $'...'", `\$'[^']*\\![^']*'`},
	{"! bare in a word", ` [a-z]![a-z]\b`},
	{"! escaped in a word", ` [a-z]*\\![a-z]*`},
	{"! before a command", `(?m)^! probe`},
	{"! before a pipeline", `! [a-z]+ [^|;&\n]*\|[ \n]`},
	{"! twice", `! ! `},
	{"! after if", `if ! `},
	{"! after while", `while ! `},
	{"! after until", `until ! `},
	{"! before a group", `! \{`},
	{"! before a subshell", `! \(`},
	{"! in [[ ]]", `\[\[ ! `},
	{"! in [ ]", `\[ ! `},
	{"! in test", `test ! `},
	{"!= in [ ]", `\[ [^]\n]* != [^]\n]* \]`},
	{"!= in [[ ]]", `\[\[ [^]\n]* != [^]\n]* \]\]`},
	{"!= in arithmetic", `\(\([^()\n]*!=[^()\n]*\)\)`},
	{"! in arithmetic", `\(\(!`},
	{"! in let", `let ['"]!`},
	{"${!x}", `\$\{![a-z]\}`},
	{"${!x*}", `\$\{![a-z]\*\}`},
	{"!( )", `!\([a-z]`},
	{"[! ]", `\[![a-z]`},
	{"! in a here-document", `(?s)<<'?EOF'?\n[^\n]*![^\n]*\nEOF`},
	{"! in backquotes", "`[^`\\n]*![^`\\n]*`"},
	{"! in $(...)", `\$\([^()\n]*![^()\n]*\)`},
	{"! in a comment", `(?m) # .*!`},
	{"!! and !word", `!!|![a-z]`},
	{"here-document, single-quoted", `<<'[A-Z]+'`},
	{"here-document, double-quoted", `<<"[A-Z]+"`},
	{"here-document, backslash", `<<\\[A-Z]+`},
	{"here-document, bare", `<<[A-Z]+`},
	{"here-document, tabs", `<<-`},
	{"here-document with tabs removed", `(?m)^\tE(OF)?$`},
	{"here-document with a shebang", `(?m)^#!/`},
	{"here-document in $(...)", `(?s)\$\([^()]*<<'?[A-Z]+'?\n`},
	{"here-document before a pipe", `<<'?[A-Z]+'? \| `},
	{"here-document, leading", `(?m)^ ?<<`},
	{"here-string", `<<<`},
	{"nested $(...)", `\$\([^()]*\$\([^()]*\)`},
	{"nested backquotes", "`[^`]*\\\\`[^`]*`"},
	{"arithmetic expansion", `\$\(\(`},
	{"old arithmetic", `\$\[`},
	{"single quotes across lines", `'[^'"]*\n[^'"]*'`},
	{"empty argument", ` ''( |$)| ""( |$)`},
	{"group", `\{ [^}]*;? ?\n?\}`},
	{"subshell", `\([a-z]`},
	{"for", `for [a-z] in`},
	{"for without in", `for [a-z](;|\n| ;)`},
	{"for with arithmetic", `for \(\(`},
	{"while", `while `},
	{"until", `until `},
	{"read loop", `while [^;\n]*read`},
	{"elif and else", `(?s)elif .*else`},
	{"case with (", `\([^()\n]+\) [a-z]+[^\n]*;;`},
	{"case with |", `in [^)\n]*\|[^)\n]*\) `},
	{";&", `;&`},
	{"function", `f0\(\)`},
	{"function keyword", `function f0`},
	{"local", `local `},
	{"comment", `(?m)^#`},
	{"trailing comment", ` #`},
	{"# that is none", `a#b|\\#`},
	{"continuation", `\\\n`},
	{"blank line", `\n\n`},
	{"trailing backslash", `\\$`},
	{"assignment before a command", `[a-z]=\S+ probe`},
	{"append", `[a-z]\+=`},
	{"array", `a=\(`},
	{"array element", `a\[[0-9]\]=`},
	{"associative array", `declare -A`},
	{"declare, export, readonly", `(?s)(declare|export|readonly) `},
	{"> and >>", ` >> ?\S`},
	{">|", `>\|`},
	{"<>", `<> ?\S`},
	{"&>", `&> ?\S`},
	{"descriptor", `>&[0-9]`},
	{"2>&1", `2>&1`},
	{"closed descriptor", `[<>]&-`},
	{"exec redirection", `exec 3> `},
	{"read back", `< f|<f`},
	{"pipeline", `probe[^|\n]* \| [a-z]`},
	{"pipeline with |&", `\|& `},
	{"&& and ||", `&& .*\|\| `},
	{"background", ` & wait`},
	{"glob", ` \*`},
	{"bracket glob", `\[[a-z0-9]-[a-z]\]`},
	{"extended glob", `[?*+@]\([a-z]`},
	{"extglob", `extglob`},
	{"braces", `\{[a-z],`},
	{"sequence", `\{1\.\.`},
	{"tilde", ` ~( |$|\n|;)`},
	{"tilde and a path", ` ~/`},
	{"tilde in an assignment", `=~`},
	{"${x:-y}", `\$\{[a-z]:-`},
	{"${x#y}", `\$\{[a-z]#`},
	{"${x%%y}", `\$\{[a-z]%%`},
	{"${x/y/z}", `\$\{[a-z]/`},
	{"${x^^}", `\$\{[a-z]\^\^`},
	{"${x,,}", `\$\{[a-z],,`},
	{"${#x}", `\$\{#[a-z]`},
	{"${x:1}", `\$\{[a-z]:1`},
	{"${x@Q}", `@Q\}`},
	{"positional", `set -- `},
	{"\"$@\"", `"\$@"`},
	{"IFS", `IFS=`},
	{"printf formats", `printf ['"]%[sqbx]`},
	{"read", `read -r`},
	{"eval", `eval '`},
	{"trap", `trap '[^\n]*EXIT`},
	{"set -e", `set -e`},
	{"exec", `exec probe`},
	{"cd", `cd `},
	{"exit", `exit [0-9]`},
	{"process substitution", `<\(`},
	{"process substitution out", `>\(`},
	{"locale string", `\$"`},
	{"program text", `(node|python3|awk) -[ecp] '`},
	{"leading dash", ` -[a-z]`},
	{"control byte", `[\x01-\x08\x0b\x0c\x0e-\x1f]`},
	{"carriage return", `\r`},
	{"sourcing", `\. \./s`},
}

func TestFeatures(t *testing.T) {
	g := New(4)
	var commands [][]byte
	for i := range uint64(20_000) {
		commands = append(commands, g.Command(i, nil))
	}
	for _, f := range features {
		re := regexp.MustCompile(f.re)
		n := 0
		for _, c := range commands {
			if n < 4 && re.Match(c) {
				n++
			}
		}
		if n < 4 {
			t.Errorf("%s: in %d of %d commands", f.name, n, len(commands))
		}
	}
	for _, name := range Names {
		if !slices.ContainsFunc(commands, func(c []byte) bool { return bytes.HasPrefix(c, []byte(name+" ")) }) {
			t.Errorf("no command begins with %s", name)
		}
	}
	raw := 0
	for _, c := range commands {
		if strings.ToValidUTF8(string(c), "") != string(c) {
			raw++
		}
	}
	if raw < 100 {
		t.Errorf("only %d commands are not UTF-8", raw)
	}
}

// payloadFeatures are what payloads must be able to hold.
var payloadFeatures = []struct{ name, re string }{
	{"' and later !", `'.*!`},
	{"! and later '", `!.*'`},
	{"both quotes", `'.*"|".*'`},
	{"leading tilde", `^~`},
	{"only a tilde", `^~$`},
	{"tilde after = or :", `[=:]~`},
	{"leading dash", `^-`},
	{"leading #", `^#`},
	{"# after a blank", ` #`},
	{"drive", `^[a-zA-Z]:[\\$!]`},
	{"drive with a letter that is none", "^[\\[\\]^_`]:"},
	{"trailing backslash", `\\$`},
	{"trailing line feed", `\n\z`},
	{"line feed inside", `(?s)[a-z].*\n.*[a-z]`},
	{"backslash and blank", `\\.* | .*\\`},
	{"dollar and name", `\$[a-z]`},
	{"backquote", "`.*`"},
	{"braces with a comma", `\{.*,.*\}`},
	{"brackets", `\[.*\]`},
	{"parentheses", `\(.*\)`},
	{"only blanks", `^\s+$`},
	{"control and digit", `[\x01-\x08][0-9]`},
	{"e acute", "\u00e9"},
	{"no-break space", "\u00a0"},
	{"byte order mark", "\ufeff"},
	{"line separator", "\u2028"},
	{"astral", "\U0001f600"},
	{"plain words", `^[a-z]+ [a-z]+$`},
	{"long", `(?s)^.{60,}$`},
}

func TestPayloadFeatures(t *testing.T) {
	g := New(5)
	var payloads [][]byte
	for i := range uint64(20_000) {
		payloads = append(payloads, g.Payload(i, nil))
	}
	for _, f := range payloadFeatures {
		re := regexp.MustCompile(f.re)
		n := 0
		for _, p := range payloads {
			if n < 2 && re.Match(p) {
				n++
			}
		}
		if n < 2 {
			t.Errorf("%s: in %d of %d payloads", f.name, n, len(payloads))
		}
	}
}

// Most commands must be shell: what a parser rejects tests little but error paths.
func TestParses(t *testing.T) {
	const n = 20_000
	g := New(6)
	p := syntax.NewParser(syntax.Variant(syntax.LangBash))
	var buf []byte
	failed := 0
	reasons := make(map[string]int)
	for i := range uint64(n) {
		buf = g.Command(i, buf[:0])
		if _, err := p.Parse(bytes.NewReader(buf), ""); err != nil {
			failed++
			var perr syntax.ParseError
			if errors.As(err, &perr) {
				reasons[perr.Text]++
			}
		}
	}
	t.Logf("%.1f%% parse", 100-100*float64(failed)/n)
	if failed*100 > n*15 {
		t.Errorf("%d of %d commands do not parse: %v", failed, n, reasons)
	}
	if failed*100 < n {
		t.Errorf("only %d of %d commands do not parse: broken syntax is tested too little", failed, n)
	}
}
