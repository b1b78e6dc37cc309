package finding

import (
	"strings"
	"testing"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"": "", `a\!b`: `a\!b`, "a\nb": `a\nb`, `a\nb`: `a\\nb`, `\`: `\\`, `\\`: `\\\\`, `\\!`: `\\\!`, "\\\n": `\\\n`,
		"\t\r\x00\x7f": `\t\r\x00\x7f`, "é": `\xc3\xa9`, `\x41`: `\\x41`, `"'`: `"'`,
	} {
		if got := Quote([]byte(in)); got != want {
			t.Errorf("Quote(%q) is %s, want %s", in, got, want)
		}
	}
}

func TestMarked(t *testing.T) {
	for _, c := range []struct{ e, o, carets string }{
		{"a!b", `a\!b`, " ^"},
		{"a!b!", `a\!b\!`, " ^  ^"},
		{"abc", "ac", " ^"},
		{"ab", "a", " ^"},
		{"\n", "x\n", "^"},
		{"\x01a", "\x01b", "    ^"},
		{"same", "same", ""},
	} {
		if _, _, carets := Marked([]byte(c.e), []byte(c.o)); carets != c.carets {
			t.Errorf("%q, %q: marks %q, want %q", c.e, c.o, carets, c.carets)
		}
	}
	long := strings.Repeat("0123456789", 30)
	e, o, carets := Marked([]byte(long+"!"+long), []byte(long+`\!`+long))
	if at := len(carets) - 1; len(o) > 100 || o[at] != '\\' || e[at] != '!' || strings.Count(carets, "^") != 1 {
		t.Errorf("long strings:\n%s\n%s\n%s", e, o, carets)
	}
}

func TestDiff(t *testing.T) {
	e := wire.Observation{Records: []wire.Record{record("cat"), record("probe", "a!b", "c"), record("node")}, Stdout: []byte("x\n")}
	o := wire.Observation{Records: []wire.Record{record("probe", `a\!b`, "c"), record("cat")}, Stdout: []byte("y\n"), Status: 1}
	const want = `argv[1] of probe
  expected  a!b
  observed  a\!b
             ^
child
  expected  [node]
  observed  did not run
stdout
  expected  x\n
  observed  y\n
            ^
status
  expected  0
  observed  1
`
	if got := Diff(e, o); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Diff(e, e); got != "" {
		t.Errorf("of equal observations:\n%s", got)
	}
}
