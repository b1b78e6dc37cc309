package quote

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// refused stands in a table for an answer that wraps ErrRefused.
const refused = "\x00refused"

var quoteTests = []struct {
	quoter string
	cases  []struct{ in, want string }
}{
	{"posix", []struct{ in, want string }{
		{"", `''`},
		{"a", `'a'`},
		{"'", `''"'"''`},
		{"'''", `''"'"''"'"''"'"''`},
		{"a'b", `'a'"'"'b'`},
		{"-n", `'-n'`},
		{"~", `'~'`},
		{"!", `'!'`},
		{"a\nb\r\t", "'a\nb\r\t'"},
		{`$x \`, `'$x \'`},
		{"\xff\x01", "'\xff\x01'"},
	}},
	{"posix-backslash", []struct{ in, want string }{
		{"", `''`},
		{"'", `''\'''`},
		{"''", `''\'''\'''`},
		{"it's", `'it'\''s'`},
		{`\'`, `'\'\'''`},
		{"~!", `'~!'`},
		{"\xc3", "'\xc3'"},
	}},
	{"ansi-c", []struct{ in, want string }{
		{"", `$''`},
		{"'", `$'\''`},
		{`\'`, `$'\\\''`},
		{"a\r\nb", `$'a\r\nb'`},
		{`\n`, `$'\\n'`},
		{"\t\x1b\x01!é\xff", "$'\t\x1b\x01!é\xff'"},
		{"echo 'a!b'", `$'echo \'a!b\''`},
		{`"$x" ` + "`y`", `$'"$x" ` + "`y`'"},
		{"\x00", "$'\x00'"},
	}},
	{"ansi-c-octal", []struct{ in, want string }{
		{"", `$''`},
		{"'", `$'\''`},
		{"''", `$'\'\''`},
		{`\`, `$'\\'`},
		{"\x01" + "1", `$'\0011'`},
		{"\n\r\t", `$'\012\015\011'`},
		{"\x1f\x20\x7e\x7f\x80\xff", "$'\\037 ~\\177\x80\xff'"},
		{"a!7", `$'a\0417'`},
		{"-n", `$'-n'`},
	}},
	{"go-shellquote", []struct{ in, want string }{
		{"", `''`},
		{"a", `a`},
		{"'", `\'`},
		{"''", `\'\'`},
		{"a b", `'a b'`},
		{"it's a", `'it'\''s a'`},
		{"~", `\~`},
		{"a~", `a~`},
		{"!", `\!`},
		{"-n", `-n`},
		{"#", `#`},
		{"a\nb", "'a\nb'"},
		{"a\rb", "a\rb"},
		{"a\tb", "'a\tb'"},
		{"\xff$", "\xff\\$"},
	}},
	{"mvdan-bash", []struct{ in, want string }{
		{"", `''`},
		{"a", `a`},
		{"'", `"'"`},
		{"''", `"''"`},
		{"a b", `'a b'`},
		{"-n", `-n`},
		{"~", `'~'`},
		{"!", `'!'`},
		{"a!", `a!`},
		{"if", `'if'`},
		{"a\nb\r\t", `$'a\nb\r\t'`},
		{"\xff", `$'\xff'`},
		{"\x01'", `$'\x01\''`},
		{"é", `é`},
		{"\u0085", `$'\u0085'`},
		{"\U000e0001", `$'\U000e0001'`},
		{"a\x00b", refused},
	}},
	{"mvdan-posix", []struct{ in, want string }{
		{"", `''`},
		{"'", `"'"`},
		{"a b", `'a b'`},
		{"é", `é`},
		{"\n", refused},
		{"\t", refused},
		{"\x01", refused},
		{"\xff", refused},
		{"\x00", refused},
	}},
	{"shell-quote@1.4.0", []struct{ in, want string }{
		{"", ``},
		{"'{", `"'\{"`},
		{"a;b", `a;b`},
		{"{a,b}", `\{a,b\}`},
		{`a\ "`, `'a\\ "'`},
		{"C:$x", `C:\$x`},
		{"\xff", refused},
	}},
	{"shell-quote@1.4.3", []struct{ in, want string }{
		{"'{", `"'{"`},
		{"{a,b}", `{a,b}`},
	}},
	{"shell-quote@1.6.1", []struct{ in, want string }{
		{"{a,b}", `\{a\,b\}`},
		{"C:$x", `C\:\$x`},
		{"C::", `C\:\:`},
	}},
	{"shell-quote@1.6.3", []struct{ in, want string }{
		{`\\`, `\\`},
		{`a\b`, `a\b`},
		{`\\\`, `\\\`},
		{`C:\dir`, `C:\dir`},
		{`a\ b`, `'a\\ b'`},
		{"`:`id``:`", "`:\\`id\\``:\\`"},
	}},
	{"shell-quote@1.7.2", []struct{ in, want string }{
		{`\\`, `\\\\`},
		{`C:\dir`, `C:\\dir`},
		{"`:`id``:`", "`:\\`id\\``:\\`"},
		{"[:]", `[:\]`},
		{"^:x", `\^\:x`},
	}},
	{"shell-quote@1.7.3", []struct{ in, want string }{
		{"", ``},
		{"`:`id``:`", "\\`\\:\\`id\\`\\`\\:\\`"},
		{"[:]", `\[\:\]`},
	}},
	{"shell-quote@1.8.2", []struct{ in, want string }{
		{"", `''`},
		{`a\b`, `a\\b`},
		{`a\ b`, `'a\\ b'`},
		{"~", `~`},
	}},
	{"shell-quote@1.8.3", []struct{ in, want string }{
		{`a\b`, `'a\b'`},
		{`a\ b`, `'a\ b'`},
		{`C:\dir`, `'C:\dir'`},
		{"C:$x", `C:\$x`},
		{"C:x", `C\:x`},
		{"C::", `C:\:`},
		{"C:::", `C:\:\:`},
		{"xC:(a)", `xC:\(a\)`},
		{"C:", `C\:`},
		{"1:$", `1\:\$`},
		{"~", `~`},
		{"-n", `-n`},
		{"!", `\!`},
		{"'!", `"'\!"`},
		{"a\nb", "'a\nb'"},
		{"a\rb", "'a\rb'"},
		{"\t", "'\t'"},
		{"\v", "'\v'"},
		{"\x01\x1f\x7f", "\x01\x1f\x7f"},
		{"\x00", "\x00"},
		{"\u0085", "\u0085"},
		{"\u200b", "\u200b"},
		{"\u00a0", "'\u00a0'"},
		{"\ufeff", "'\ufeff'"},
		{"\u2007", "'\u2007'"},
		{"\xc3", refused},
		{"a\xed\xa0\x80b", refused},
	}},
	{"shell-quote@1.8.4", []struct{ in, want string }{
		{"~", `~`},
		{"'!", `"'\!"`},
	}},
	{"shell-quote@1.10.0", []struct{ in, want string }{
		{"~", `\~`},
		{"C:~", `C:\~`},
		{"'!", `"'\!"`},
	}},
	{"shell-quote@1.11.0", []struct{ in, want string }{
		{"'!", `''"'"'!'`},
		{"!'!'", `'!'"'"'!'"'"''`},
		{"'~$", `"'~\$"`},
	}},
	{"shell-quote@1.12.0", []struct{ in, want string }{
		{"", `''`},
		{"'", `"'"`},
		{"''''", `"''''"`},
		{"~", `\~`},
		{"!", `\!`},
		{"'!", `''"'"'!'`},
		{"-n", `-n`},
		{"\xff", refused},
	}},
}

func TestQuote(t *testing.T) {
	tested := map[string]bool{}
	for _, group := range quoteTests {
		tested[group.quoter] = true
		q, ok := Lookup(group.quoter)
		if !ok {
			t.Errorf("no quoter %q", group.quoter)
			continue
		}
		for _, c := range group.cases {
			got, err := q.Quote([]byte(c.in))
			switch {
			case c.want == refused:
				if !errors.Is(err, ErrRefused) || got != nil {
					t.Errorf("%s: Quote(%q) = %q, %v, want a refusal", q.Name(), c.in, got, err)
				}
			case err != nil || string(got) != c.want:
				t.Errorf("%s: Quote(%q) = %q, %v, want %q", q.Name(), c.in, got, err, c.want)
			}
		}
	}
	for _, q := range All {
		if !tested[q.Name()] {
			t.Errorf("no table for %s", q.Name())
		}
	}
}

// Several payloads give the words of the single ones with one space between
// them, and Append gives the same behind what was there.
func TestSeveral(t *testing.T) {
	payloads := [][]byte{[]byte("a"), nil, []byte("b c"), []byte("it's"), []byte("$x!"), []byte("~")}
	for _, q := range All {
		var words []string
		for _, p := range payloads {
			word, err := q.Quote(p)
			if err != nil {
				t.Fatalf("%s: Quote(%q): %v", q.Name(), p, err)
			}
			words = append(words, string(word))
		}
		want := strings.Join(words, " ")
		got, err := q.Quote(payloads...)
		if err != nil || string(got) != want {
			t.Errorf("%s: Quote(all) = %q, %v, want %q", q.Name(), got, err, want)
		}
		got, err = Append([]byte("echo "), q, payloads...)
		if err != nil || string(got) != "echo "+want {
			t.Errorf("%s: Append = %q, %v, want %q", q.Name(), got, err, "echo "+want)
		}
		if got, err := q.Quote(); err != nil || len(got) != 0 {
			t.Errorf("%s: Quote() = %q, %v, want nothing", q.Name(), got, err)
		}
	}
}

func TestAppendAfterRefusal(t *testing.T) {
	for _, name := range []string{"mvdan-posix", "shell-quote@1.12.0"} {
		q, _ := Lookup(name)
		got, err := Append([]byte("kept"), q, []byte("fine"), []byte("\xff"))
		if !errors.Is(err, ErrRefused) || string(got) != "kept" {
			t.Errorf("%s: Append = %q, %v, want \"kept\" and a refusal", name, got, err)
		}
	}
}

// plain hides the methods of a quoter that are not in the interface.
type plain struct{ Quoter }

func TestAppendForeign(t *testing.T) {
	q, _ := Lookup("mvdan-posix")
	got, err := Append([]byte("x "), plain{q}, []byte("a b"))
	if err != nil || string(got) != "x 'a b'" {
		t.Errorf("Append = %q, %v", got, err)
	}
	got, err = Append([]byte("x "), plain{q}, []byte("\n"))
	if !errors.Is(err, ErrRefused) || string(got) != "x " {
		t.Errorf("Append = %q, %v, want a refusal", got, err)
	}
}

// A quoter must neither change nor keep the payload.
func TestPayloadUntouched(t *testing.T) {
	for _, q := range All {
		payload := []byte("a")
		text, err := q.Quote(payload)
		if err != nil {
			t.Fatal(err)
		}
		before := bytes.Clone(text)
		payload[0] = 'z'
		if !bytes.Equal(text, before) {
			t.Errorf("%s: the answer shares memory with the payload", q.Name())
		}
	}
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	check := func(name, doc string) {
		if name == "" || seen[name] {
			t.Errorf("name %q is empty or taken", name)
		}
		seen[name] = true
		if doc == "" || strings.Contains(doc, "\n") || strings.HasSuffix(doc, ".") {
			t.Errorf("%s: Doc %q is not one line without a final period", name, doc)
		}
	}
	for _, q := range All {
		check(q.Name(), q.Doc())
		if got, ok := Lookup(q.Name()); !ok || got != q {
			t.Errorf("Lookup(%q) = %v, %v", q.Name(), got, ok)
		}
	}
	for _, q := range AllInShell {
		check(q.Name(), q.Doc())
		if got, ok := LookupInShell(q.Name()); !ok || got != q {
			t.Errorf("LookupInShell(%q) = %v, %v", q.Name(), got, ok)
		}
	}
	for _, name := range []string{"", "no", "printf-q", "shell-quote", "shell-quote@", "shell-quote@1.3.3", "shell-quote@2.0.0"} {
		if got, ok := Lookup(name); ok || got != nil {
			t.Errorf("Lookup(%q) = %v, %v", name, got, ok)
		}
	}
	if _, ok := LookupInShell("posix"); ok {
		t.Error("LookupInShell finds posix")
	}
	if len(All) != 19 || len(AllInShell) != 2 {
		t.Errorf("%d and %d quoters, want 19 and 2", len(All), len(AllInShell))
	}
}
