package gen

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// A command for guards depends on seed and number alone.
func TestSameGuarded(t *testing.T) {
	const n = 3000
	forward, backward := New(7), New(7)
	commands := make([][]byte, n)
	for i := range n {
		forward.Payload(uint64(i), nil)
		commands[i] = forward.Guarded(uint64(i), nil)
	}
	buf := []byte("before(")
	for i := n - 1; i >= 0; i-- {
		buf = backward.Guarded(uint64(i), buf[:7])
		if string(buf[:7]) != "before(" || !bytes.Equal(buf[7:], commands[i]) {
			t.Fatalf("command %d: %q, then %q", i, commands[i], buf)
		}
	}
	other, same := New(8), 0
	for i := range n {
		if bytes.Equal(other.Guarded(uint64(i), nil), commands[i]) {
			same++
		}
	}
	if same > n/20 {
		t.Errorf("%d of %d commands are the same with another seed", same, n)
	}
}

// The digest changes when any command for guards does: that belongs with a new version.
func TestGoldenGuarded(t *testing.T) {
	const want = "b884b8966b5c51086fc8a1908d9deb9eb3270ea6d74fe031c1cd2e531fa1d976"
	h := sha256.New()
	for _, seed := range []uint64{0, 1, 1 << 63} {
		g := New(seed)
		var buf []byte
		for i := range uint64(4000) {
			buf = g.Guarded(i*i*i, buf[:0])
			fmt.Fprintf(h, "%q\n", buf)
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

// guardTables are the tables that only commands for guards take rules from.
func guardTables() []*table {
	return []*table{
		&guardGrammar.statements, &guardGrammar.flat, &guardGrammar.words, &guardGrammar.plain, &guardGrammar.quoted,
		&guardGrammar.lines, &spellings, &disguises, &operators, &wrappers, &grammarWords,
	}
}

// Every rule of these tables must be reached.
func TestGuardedRulesReached(t *testing.T) {
	const n = 20_000
	g := New(3)
	g.guarded.hits = make(map[string]int)
	var buf []byte
	for i := range uint64(n) {
		buf = g.Guarded(i, buf[:0])
	}
	names := make(map[string]bool)
	for _, tab := range guardTables() {
		for _, r := range tab.rules {
			if names[r.name] {
				t.Errorf("two rules are named %s", r.name)
			}
			names[r.name] = true
			k := g.guarded.hits[r.name]
			t.Logf("%-18s %6d", r.name, k)
			if k < 20 {
				t.Errorf("rule %s is taken %d times", r.name, k)
			}
		}
	}
}

// builtins are what commands for guards call that needs no program.
var builtins = strings.Fields(`: . [ break builtin cd command continue coproc declare echo eval exec exit export false
	let local printf read return set shift shopt test time trap true typeset unset wait`)

func TestGuardNames(t *testing.T) {
	if !slices.IsSorted(GuardNames[1:]) {
		t.Error("the names are not sorted")
	}
	for _, lists := range [][]string{Names, waiting, shells} {
		for _, name := range lists {
			if !slices.Contains(GuardNames, name) {
				t.Errorf("%s is missing", name)
			}
		}
	}
	for _, name := range calm {
		if !slices.Contains(GuardNames, name) && !slices.Contains(builtins, name) {
			t.Errorf("%s is missing", name)
		}
	}
	for _, s := range subjects {
		if !slices.Contains(GuardNames, s.name) {
			t.Errorf("%s is missing", s.name)
		}
	}
}

// unstableForGuard is unstable without names: words are upper-cased, and few of them are variables or run.
var unstableForGuard = regexp.MustCompile(`\$[$!_0-]|\$\{[$_0-]|\$\{![^a-zA-Z]|~[a-zA-Z0-9_.+-]|\$\{?(RANDOM|SECONDS|PPID|LINENO|EPOCH|BASH)`)

// The shape of commands for guards: short, shell, and about programs that wait.
func TestGuardedShape(t *testing.T) {
	const n = 40_000
	g := New(6)
	p := syntax.NewParser(syntax.Variant(syntax.LangBash))
	var buf []byte
	var sizes []int
	failed, named, called := 0, 0, make(map[string]int)
	for i := range uint64(n) {
		buf = g.Guarded(i, buf[:0])
		if bytes.IndexByte(buf, 0) >= 0 || len(buf) == 0 || len(buf) > 4<<10 {
			t.Fatalf("command %d: %q", i, buf)
		}
		if m := unstableForGuard.Find(buf); m != nil {
			t.Errorf("command %d holds %q: %q", i, m, buf)
		}
		sizes = append(sizes, len(buf))
		text := string(buf)
		if slices.ContainsFunc(waiting, func(s string) bool { return strings.Contains(text, s) }) ||
			slices.ContainsFunc(subjects, func(s struct {
				name string
				subs []string
			}) bool {
				return strings.Contains(text, s.name)
			}) {
			named++
		}
		file, err := p.Parse(bytes.NewReader(buf), "")
		if err != nil {
			failed++
			continue
		}
		syntax.Walk(file, func(n syntax.Node) bool {
			if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 {
				called[c.Args[0].Lit()]++
			}
			return true
		})
	}
	for _, name := range GuardNames {
		if called[name] == 0 && !slices.Contains(Names, name) {
			t.Errorf("%s is never called", name)
		}
	}
	slices.Sort(sizes)
	t.Logf("bytes: %d %d %d %d %d %d (least, quarter, half, three quarters, 99%%, most)", sizes[0], sizes[n/4], sizes[n/2], sizes[n*3/4], sizes[n*99/100], sizes[n-1])
	t.Logf("%.1f%% do not parse, %.1f%% name a program that may wait", 100*float64(failed)/n, 100*float64(named)/n)
	if m := sizes[n/2]; m < 18 || m > 30 {
		t.Errorf("half of the commands have %d bytes or fewer", m)
	}
	if m := sizes[n*99/100]; m > 220 {
		t.Errorf("one command in 100 has more than %d bytes", m)
	}
	if failed*100 < n*2 || failed*100 > n*5 {
		t.Errorf("%d of %d commands do not parse", failed, n)
	}
	if named*100 < n*80 {
		t.Errorf("only %d of %d commands name a program that may wait", named, n)
	}
}

// Loops end by their form, and no function calls itself.
func TestGuardedLoopsEnd(t *testing.T) {
	g := New(9)
	p := syntax.NewParser(syntax.Variant(syntax.LangBash))
	var buf []byte
	for i := range uint64(60_000) {
		buf = g.Guarded(i, buf[:0])
		file, err := p.Parse(bytes.NewReader(buf), "")
		if err != nil {
			continue
		}
		syntax.Walk(file, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.WhileClause:
				last := n.Do[len(n.Do)-1]
				text := string(buf[last.Pos().Offset():last.End().Offset()])
				var cond bytes.Buffer
				_ = syntax.NewPrinter().Print(&cond, n.Cond[0])
				if strings.Contains(cond.String(), "read ") {
					return true // it ends with what it reads
				}
				if last.Background || last.Negated || !strings.HasPrefix(text, "break") && !strings.Contains(text, "+1))") {
					t.Errorf("command %d: a loop ends with %q: %q", i, text, buf)
				}
			case *syntax.CallExpr:
				if len(n.Args) > 0 && n.Args[0].Lit() == "continue" {
					t.Errorf("command %d goes on in a loop: %q", i, buf)
				}
			case *syntax.FuncDecl:
				syntax.Walk(n.Body, func(inner syntax.Node) bool {
					if c, ok := inner.(*syntax.CallExpr); ok && len(c.Args) > 0 && c.Args[0].Lit() == n.Name.Value {
						t.Errorf("command %d: %s calls itself: %q", i, n.Name.Value, buf)
					}
					return true
				})
			}
			return true
		})
	}
}

// guardFeatures are what commands for guards must be able to say, whatever the rules are called. NAME
// stands for some programs that wait.
var guardFeatures = []struct{ name, re string }{
	{"call", `^NAME [a-z]+$`},
	{"call behind a separator", `[;&|\n] ?NAME`},
	{"background", `[a-z] & [a-z]`},
	{"pipe with diagnostics", `\|& ?[a-z]`},
	{"group", `\{ NAME`},
	{"subshell", `\(NAME`},
	{"negation", `(?m)^! NAME`},
	{"branch not taken", `if false`},
	{"loop", `(?s)while .*; break`},
	{"case", `\) ?NAME[^;]*;;`},
	{"function", `f0\(\) ?\{`},
	{"function with the name of a program", `NAME\(\) ?\{`},
	{"[[ ]]", `\[\[ -n .*\]\]`},
	{"(( ))", `\(\([^()]*\)\)`},
	{"substitution", `\$\(NAME`},
	{"substitution in double quotes", `"[^"]*\$\(NAME`},
	{"backquotes", "`NAME"},
	{"process substitution", `<\(NAME`},
	{"substitution in arithmetic", `\$\(\([^()]*\$\(`},
	{"substitution in a default", `\$\{x:-\$\(`},
	{"coproc", `coproc [a-z]`},
	{"time", `time (-p )?[a-z]`},
	{"comment with a separator", `#[^\n]*[;|][^\n]*`},
	{"continuation", `\\\n`},
	{"here-document, quoted", `(?s)<<-?'[A-Z]+'\n.*NAME`},
	{"here-document, bare", `(?s)<<-?(E|END|EOF|PY)\n.*NAME`},
	{"here-string", `NAME[^\n]* <<< ?`},
	{"redirection before a call", `(?m)^[<>] ?[^ <>&(]+ NAME`},
	{"redirection within a call", `[a-z] 2?[<>] ?[/a-z]+ [a-z]`},
	{"assignment", `(?m)^[A-Z]+=[a-z]+ NAME`},
	{"assignment with quotes", `(?m)^[A-Z]+=['"][^'" ]+ [^'" ]+['"] [a-z]+`},
	{"assignment of a substitution", `[A-Za-z]+=\$\([a-z]`},
	{"command of a shell, single-quoted", `(sh|bash|zsh|ksh|dash) -c 'NAME`},
	{"command of a shell, double-quoted", `(sh|bash|zsh|ksh|dash) -c "NAME`},
	{"command of a shell, escaped", `(sh|bash|zsh|ksh|dash) -c [a-z]+\\ `},
	{"command of a shell in another", `-c ['"][^'"]*-c ['"\\]`},
	{"eval", `eval '?NAME`},
	{"env -S", `env -S ?['"]`},
	{"trap", `trap ['"]?[a-z].* EXIT`},
	{"find", `find [^ ]+ -exec NAME`},
	{"wrapper in a wrapper", `(sudo|nohup|setsid|env) (sudo|nohup|setsid|env|nice|command) [a-z]`},
	{"path", `/usr/bin/[a-z]`},
	{"relative path", `(?m)^\.\.?/NAME`},
	{"upper case", `(?m)^[A-Z]{3,}( |$)`},
	{"program from a variable", `(?m)^(\$[A-Z]+|"\$[A-Z]+")`},
	{"program from a variable set before", `[A-Z]=NAME(;|\n| ;)`},
	{"program from a default", `\$\{EDITOR:-NAME\}`},
	{"program in a part of quotes", `(?m)^[a-z]+['"][a-z]+['"]`},
	{"program with a substitution", `\$\((echo|true|:)\)NAME`},
	{"argument that looks like a call", `(?m)^(echo|cat|ls|grep|printf) [^|;&]*['"]NAME `},
	{"long option with a value", ` --[a-z]+=[a-z]`},
	{"empty word", ` (''|"")( |$)`},
	{"braces", ` \{[a-z.]+,[a-z]\}`},
	{"exit before a call", `exit ?[01]?(;|\n) ?[a-z]`},
}

func TestGuardedFeatures(t *testing.T) {
	const n = 20_000
	g := New(4)
	var commands [][]byte
	for i := range uint64(n) {
		commands = append(commands, g.Guarded(i, nil))
	}
	for _, f := range guardFeatures {
		re := regexp.MustCompile(strings.ReplaceAll(f.re, "NAME", "(vim?|nvim|less|more|most|nano|python3?|node|ssh|psql|htop|gdb)"))
		k := 0
		for _, c := range commands {
			if re.Match(c) {
				k++
			}
		}
		t.Logf("%-38s %5d", f.name, k)
		if k < 6 {
			t.Errorf("%s: in %d of %d commands", f.name, k, n)
		}
	}
}

// FuzzGuardedShape feeds any bytes to the grammar: it must end, hold its bounds and repeat.
func FuzzGuardedShape(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0})
	f.Add(bytes.Repeat([]byte{0xff}, 4096))
	f.Add(bytes.Repeat([]byte{0}, 4096))
	f.Add(bytes.Repeat([]byte{0x80, 1, 2, 3, 4, 5, 6, 7}, 512))
	f.Add([]byte("the quick brown fox jumps over the lazy dog"))
	f.Fuzz(func(t *testing.T, shape []byte) {
		got := GuardedFromShape(shape)
		if len(got) == 0 || len(got) > 16<<10 {
			t.Errorf("%d bytes from %d", len(got), len(shape))
		}
		if bytes.IndexByte(got, 0) >= 0 {
			t.Errorf("%q holds a NUL", got)
		}
		if again := GuardedFromShape(shape); !bytes.Equal(got, again) {
			t.Errorf("%q, then %q", got, again)
		}
		if m := unstableForGuard.Find(got); m != nil {
			t.Errorf("%q in %q", m, got)
		}
	})
}

func BenchmarkGuarded(b *testing.B) {
	g := New(1)
	var buf []byte
	i := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		buf = g.Guarded(i, buf[:0])
		i++
	}
}
