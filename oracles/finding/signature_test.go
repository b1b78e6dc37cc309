package finding

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

func TestSign(t *testing.T) {
	both := func(c string, e, o wire.Observation) Signature { return Sign(Command, "f", byteStrings(c), e, o) }
	ended := func(e wire.Ended) wire.Observation { return wire.Observation{Ended: e} }
	for _, c := range []struct {
		got                 Signature
		fate, edit, context string
	}{
		{both("probe 'a!b'", ran(record("probe", "a!b")), ran(record("probe", `a\!b`))), "ran", "an argument gains backslash before !", "single"},
		{both("probe 'a!!b!'", ran(record("probe", "a!!b!")), ran(record("probe", `a\!\!b\!`))), "ran", "an argument gains backslash before !", "single"},
		{both(`probe 'a\!b'`, ran(record("probe", `a\!b`)), ran(record("probe", `a\\!b`))), "ran", "an argument gains backslash before !", "single"},
		{both("[ 1 != 2 ]; probe \"x!\"", ran(record("probe", "x!")), ran(record("probe", `x\!`))), "ran", "an argument gains backslash before !", "double"},
		{both("probe ! '!'", ran(record("probe", "!", "!")), ran(record("probe", "!", `\!`))), "ran", "an argument gains backslash before !", "single"},
		{both("probe <<E\na!\nE", ran(wire.Record{Argv: byteStrings("probe"), Stdin: []byte("a!\n")}), ran(wire.Record{Argv: byteStrings("probe"), Stdin: []byte("a\\!\n")})), "ran", "stdin gains backslash before !", "heredoc"},
		{both("echo \"$(echo 'a!')\"", printed("a!\n"), printed("a\\!\n")), "ran", "stdout gains backslash before !", "single"},
		{both("! probe", ran(record("probe")), ran()), "ran", "other children or output", "reserved"},
		{both("probe 'x!'; ! probe", ran(record("probe", "x!"), record("probe")), ran(record("probe", "x!"))), "ran", "other children or output", "reserved"},
		{both("[[ ! a ]]", wire.Observation{Status: 1}, wire.Observation{Status: 2}), "ran", "only the status is another", "test"},
		{both("((!0))", wire.Observation{}, wire.Observation{Status: 1}), "ran", "only the status is another", "arith"},
		{both("probe ${!y}", ran(record("probe", "y")), ran()), "ran", "other children or output", "param"},
		{both("! false; echo $?", printed("0\n"), printed("127\n")), "ran", "other children or output", "reserved"},
		{both("probe 'a", ran(), wire.Observation{Status: 127}), "ran", "only the status is another", "unparsed"},
		{both("probe a", ran(record("probe", "a")), ran(record("probe", "a", "b"))), "ran", "other children or output", "none"},
		{both("until ! false; do :; done", ended(""), ended(wire.Spinning)), "alive", "the run does not end", "reserved"},
		{both("until ! false; do :; done", ended(""), ended(wire.Hung)), "alive", "the run does not end", "reserved"},
		{both(":", ended(""), ended(wire.Flooding)), "flooding", "the run is flooding", "none"},
		{Sign(Payload, "f", byteStrings("~"), ran(record("probe", "~")), ran(record("probe", "/home/u"))), "ran", "an argument has punctuation for ~", "plain first"},
		{Sign(Payload, "f", byteStrings("a", "it's!"), ran(record("probe", "a", "it's!")), ran(record("probe", "a", `it's\!`))), "ran", "an argument gains backslash before !", "with-quote inside"},
		{Sign(Payload, "f", byteStrings("a\u00a0\\"), ran(record("probe", "a\u00a0\\")), ran(record("probe", "a\u00a0\\\\"))), "ran", "an argument gains backslash before the end", "with-blank inside"},
		{Sign(Payload, "f", byteStrings(""), ran(record("probe", "")), ran(record("probe"))), "ran", "fewer arguments arrive", "empty"},
	} {
		if c.got.Fate != c.fate || c.got.Edit != c.edit || c.got.Context != c.context {
			t.Errorf("got %+v, want %s, %s, %s", c.got, c.fate, c.edit, c.context)
		}
	}
	// Records of children that run at the same time come in any order.
	a := both("probe 'x' & probe '!'", ran(record("probe", "x"), record("probe", "!")), ran(record("probe", `\!`), record("probe", "x")))
	b := both("probe '!'", ran(record("probe", "!")), ran(record("probe", `\!`)))
	if a.ID() != b.ID() {
		t.Errorf("%+v and %+v have not the same id", a, b)
	}
	if got, want := b.Class(), "command f: an argument gains backslash before ! in single quotes"; got != want {
		t.Errorf("class %q, want %q", got, want)
	}
	if id := b.ID(); len(id) != 12 || id == (Signature{Kind: Command, Family: "g", Fate: b.Fate, Edit: b.Edit, Context: b.Context}).ID() {
		t.Errorf("id %q", id)
	}
}

// bangs are harmless commands with ! in every position, some of them made of
// others and longer.
var bangs = []string{
	`probe '!'`, `probe 'a!b'`, `probe 'a!b!c' d`, `probe x y 'z!!'`, `probe '\!'`, `x='a!b'; probe "$x" q`, `probe '!' | cat`,
	`probe "!"`, `probe "a!b"`, `probe "$(printf %s 'a!b')"`, `probe "a\!b" c`, `x=1; probe "a${x}!b"`, `[ 1 != 2 ] && probe "no!" x`,
	`probe \!`, `probe a\!b c`, `probe a!b`, `probe $'!'`, `probe $'\x21!'`, "probe <<'E'\na!b\nE", "probe <<E\n!\n$((1))!\nE",
	`probe <<< '!'`, `probe <<< "a!b"`, `echo 'a!b'`, `echo "a!b" c`, `printf '%s\n' '!' '!'`, `probe ${x:-!}`, `probe "${x:-a!b}"`,
	`! false; echo $?`, `! true; echo $?`, `! probe a`, `if ! false; then probe a; fi`, `if ! false; then echo T; fi`, `! false`,
	`[[ ! -e /x ]] && probe a`, `[[ a != b ]] && echo T`, `[[ ! -e /x ]]`, `echo $((1!=2))`, `probe $((!0)) b`, `((!0)); echo $?`,
	`x=y; y=z; probe ${!x}`, `x=y; y=z; echo "${!x}"`, `node -e 'console.log(1!==2)'`, `# no!`, `probe a # b!`, `probe 'a!'; probe b | cat`,
}

// One fault must give few signatures, whatever the commands that show it.
func TestOneFaultGivesFewSignatures(t *testing.T) {
	found := map[string][]string{}
	for _, c := range bangs {
		expected, observed := observe(t, deliver(t, "posix-eval", c)), observe(t, deliver(t, "sandbox@1.8.3", c))
		if expected.Equal(observed) {
			continue
		}
		class := Sign(Command, "sandbox", byteStrings(c), expected, observed).Class()
		found[class] = append(found[class], fmt.Sprintf("%q", c))
	}
	if n := len(found); n < 8 || n > 25 {
		t.Errorf("%d commands give %d signatures", len(bangs), n)
	}
	var lines []string
	for class, commands := range found {
		lines = append(lines, fmt.Sprint(class, " ", commands))
	}
	slices.Sort(lines)
	t.Logf("%d signatures", len(found))
	for _, l := range lines {
		t.Log(l)
	}
}

func TestHunksTurnExpectedIntoObserved(t *testing.T) {
	long := everyByte() + everyByte() + everyByte()
	for _, c := range [][2]string{
		{"", ""}, {"", "a"}, {"a", ""}, {"a", "a"}, {"a!b!c", `a\!b\!c`}, {"!!", `\!\!`}, {"aa", "a"}, {"abcabba", "cbabac"},
		{long, "x" + long + "y"}, {long + "a", reversed(long)}, {"it's", `it\'s`},
	} {
		e, o := c[0], c[1]
		var b []byte
		at := 0
		for _, h := range hunks([]byte(e), []byte(o)) {
			b = append(b, e[at:h.at]...)
			if h.atObserved != len(b) || e[h.at:h.at+len(h.deleted)] != string(h.deleted) {
				t.Errorf("%q, %q: wrong hunk %+v", e, o, h)
			}
			b = append(b, h.inserted...)
			at = h.at + len(h.deleted)
		}
		if got := string(b) + e[at:]; got != o {
			t.Errorf("the edit turns %q into %q, not %q", e, got, o)
		}
	}
}

func reversed(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

func FuzzSign(f *testing.F) {
	for _, c := range bangs {
		f.Add([]byte(c), []byte("a!b"), []byte(`a\!b`))
	}
	f.Fuzz(func(t *testing.T, command, e, o []byte) {
		if string(e) == string(o) {
			return
		}
		for _, kind := range []string{Command, Payload} {
			s := Sign(kind, "f", [][]byte{command}, wire.Observation{Stdout: e}, wire.Observation{Stdout: o})
			if s.Edit == "" || s.Context == "" {
				t.Errorf("%q %q %q: %+v", command, e, o, s)
			}
		}
		if Quote(e) == Quote(o) {
			t.Errorf("%q and %q look the same", e, o)
		}
		Diff(wire.Observation{Stdout: e}, wire.Observation{Stdout: o})
	})
}

// Where only insertions or only deletions were made, what is done without a table
// is what the table leads to.
func TestAlignWithoutTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		e := make([]byte, r.IntN(8))
		for i := range e {
			e[i] = "ab!"[r.IntN(3)]
		}
		var o []byte
		for _, c := range e {
			for r.IntN(3) == 0 {
				o = append(o, "ab\\"[r.IntN(3)])
			}
			o = append(o, c)
		}
		for _, pair := range [][2][]byte{{e, o}, {o, e}} {
			got, want := align(pair[0], pair[1], 0), alignBy(tabled(pair[0], pair[1]), pair[0], pair[1], 0)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%q to %q: %v, want %v", pair[0], pair[1], got, want)
			}
		}
	}
}
