package splitter

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/shell"

	"github.com/argvdiff/argvdiff/fuzz/gen"
)

// realFields calls the library. It panics on some texts.
func realFields(text string) (words []string, panics any, err error) {
	defer func() { panics = recover() }()
	words, err = shell.Fields(text, func(string) string { return "" })
	return words, nil, err
}

// named is a tilde with the name of a user, which the library looks up on this machine.
var named = regexp.MustCompile(`~[^\s/'"]`)

// compare reports whether the model knew what the library answers.
func compare(t *testing.T, text string) (known bool) {
	t.Helper()
	got, err := mvdanFields(text)
	if errors.Is(err, ErrNotModelled) {
		return false
	}
	want, panics, wantErr := realFields(text)
	if panics != nil || errors.Is(err, ErrPanics) {
		if panics == nil || !errors.Is(err, ErrPanics) {
			t.Errorf("%q: %q, %v; the library panics: %v", text, got, err, panics)
		}
		return true
	}
	if (err != nil) != (wantErr != nil) || err == nil && !slices.Equal(got, want) {
		t.Errorf("%q: %q, %v; the library has %q, %v", text, got, err, want, wantErr)
	}
	return true
}

// The model answers what the real library answers.
func TestMvdanFields(t *testing.T) {
	for _, text := range []string{
		"", "a b", "a\nb", " a\t b ", `'a b' "c d"`, `a\ b`, `"a\b\$\"\\"`, "\"a\\\nb\"", "a\\\nb", `\a`, "a\\",
		"''", `""`, `""''`, `a""`, "$x", `"$x"`, "a$x", "$x$y", `$x""`, `""$x`, `"$x$y"`, "$@", `"$@"`, `"$*"`, `"$@a"`, "$*", "$#",
		"${x}", "${x:-a b}", "${x:- a b }c", "a${x:- b}", `${x:-'a b'}`, `"${x:-a b}"`, `${x:-"a  b"}`, "${x-~}", "${x+a}", "${x:+a}", "${x:?a}", "${x:=a}",
		"${#x}", "${#@}", `"${x[@]}"`, `"${x[*]}"`, `"${!x}"`, "${!x*}", `"${!x@}"`, "${x#a}", "${x%%a}", "${x^^}", "${x,}",
		"$LINENO", "a\n$LINENO", "${#LINENO}", "$1", "$?", "$$", "$-", "$!",
		"{a,b}", "a{b,c}d", "{a,{b,c}}", "{1..3}", "{3..1}", "{01..3}", "{-1..01}", "{a..c}", "{c..a..2}", "{1..10..3}", "{1..9..-4}", "{a,b", "{a}", "{}", "{,}", "{,a}",
		"{'a b',\"c\"}", "{1..20000}", "{1..200}{1..200}", "$x{a,b}", "{$x,a}", "'{a,b}'", "{1..a}",
		"~", "~/a", "a~", "a=~", "'~'", `~"/a"`,
		`$'a'`, `$'a\'b'`, `$'\x41\x4'`, `$'\xg'`, `$'\101\18\400\777'`, `$'\u00e9\U1f600\u'`, `$'\U12345678'`, `$'\cA\q\e\E'`, `$'a\0b'c`, `$"a"`, `$"a$x"`,
		"*", "?", "[a]", "a*b", "?(a)", "@(a|b)", "$(a)", "`a`", "$((1))", "<(a)", ">(a)", "a<(b)",
		"#a", "a #b", "a#b", "a #b\nc", "a;b", "a;", "a&b", "a|b", "a>b", "a<b", "(a)", "a(b", ";", "'a", `"a`, "$(a", "${x", "`a",
		"\u00a0", "a\u00a0b", "a\vb", "a\fb", "a\rb", "a\r\nb", "\xff", "a\xffb", "é", "a\x00b", "\x7f\x01", "!", "!!", "a!b",
		"x=1", "x=(1 2)", "if", "{ a; }", "[[ a ]]", "a[1]=b", "=~", "^", "\\", "$", "a$", "$ a", `"$"`, "${}", "$\"", "$'",
	} {
		compare(t, text)
	}
	cases := uint64(4000)
	if testing.Short() {
		cases = 500
	}
	g := gen.New(3)
	unknown := 0
	for i := range cases {
		for _, text := range []string{string(g.Payload(i, nil)), string(g.Command(i, nil)), string(g.Words(i, nil))} {
			if len(text) > 4000 || named.MatchString(text) {
				continue
			}
			if !compare(t, text) {
				unknown++
			}
		}
	}
	t.Logf("%d of %d texts are not modelled", unknown, 3*cases)
	if unknown*20 > int(3*cases) {
		t.Errorf("%d of %d texts are not modelled", unknown, 3*cases)
	}
}

// A word that begins with a tilde and a name is left as it stands.
func TestMvdanTilde(t *testing.T) {
	if got, err := mvdanFields("~root ~root/a"); err != nil || strings.Join(got, " ") != "~root ~root/a" {
		t.Errorf("%q, %v", got, err)
	}
}
