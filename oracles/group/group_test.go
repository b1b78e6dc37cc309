package group

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

func TestManner(t *testing.T) {
	s := NewSorter()
	for _, test := range []struct {
		command string
		manner  Manner
		writes  string
	}{
		{"probe a 'b c' | cat", Line, ""},
		{"x=1 probe $x", Line, ""},
		{"", Line, ""},
		{"# nothing", Line, ""},
		{"probe \xff 'é'", Line, ""},
		{"(x=1; cd /; set -e; exit 3)", Line, ""},
		{"probe $(exit 3) `y=2`", Line, ""},
		{"[[ $x == a ]] && echo \"$?\" >/dev/null 2>&1", Line, ""},
		{"cat << E\na\nE\n", Line, ""},

		{"x=1", Subshell, ""},
		{"exit 3", Subshell, ""},
		{"exec probe a", Subshell, ""},
		{"cd /; probe", Subshell, ""},
		{"set -- a b", Subshell, ""},
		{"set -o posix; probe", Subshell, ""},
		{"shopt -s extglob\necho !(a)", Subshell, ""},
		{"trap 'probe bye' EXIT", Subshell, ""},
		{"f() { probe \"$@\"; }; f a", Subshell, ""},
		{"unset x", Subshell, ""},
		{"read x", Subshell, ""},
		{"declare -a a=(1 2)", Subshell, ""},
		{"for i in a b; do probe $i; done", Subshell, ""},
		{"((x++))", Subshell, ""},
		{": ${x:=1}", Subshell, ""},
		{": ${x?gone}", Subshell, ""},
		{"printf -v x a", Subshell, ""},
		{"probe & wait", Subshell, ""},
		{"[[ x=5 -eq 5 ]]", Subshell, ""},
		{"printf -vx 5", Subshell, ""},
		{"printf '-v' x 5", Subshell, ""},
		{"printf {-v,x} 5", Subshell, ""},
		{"probe & wait -p v", Alone, ""},
		{"eval 'x=1'", Subshell, ""},
		{"y='probe a'; eval \"$y\"", Subshell, ""},
		{"probe a\\", Subshell, ""},
		{"probe 'a", Subshell, ""},
		{"probe a > >(read v)", Subshell, ""},
		{"probe <(echo a)", Subshell, ""},

		{"probe > f", Line, "f"},
		{"x=1 && echo a >> './b c'", Subshell, "b c"},
		{"probe 2> é", Line, "é"},
		{"echo 'probe a' > s; . ./s", Subshell, "s"},
		{"echo 'x=1' > s; eval \"$(< s)\"", Subshell, "s"},
		{"probe 'a > f", Subshell, "f"},

		{"probe > \"$x\"", Alone, ""},
		{"alias a=b", Alone, ""},
		{"a=echo; eval \"$a x > zz\"", Alone, ""},
		{"a=1; eval \"kill -9 -$a\"", Alone, ""},
		{"y=a; eval $y b", Alone, ""},
		{"set -- 'echo a > zz'; eval \"$1\"", Alone, ""},
		{"f() { eval \"$1\"; }; f 'echo a > zz'", Alone, ""},
		{"PS4='$(echo a >zz)'; set -x; :", Alone, ""},
		{"x='a[$(echo >zz)]'; echo $((x))", Alone, ""},
		{"{set,-f}", Alone, ""},
		{"{kill,-STOP,1}", Alone, ""},
		{"(set() { :; }); set -f", Alone, ""},
		{"kill 1; kill() { :; }", Alone, ""},
		{"echo a > {p,q}", Alone, ""},
		{"probe > /tmp/f", Alone, ""},
		{"cd ..; probe > f", Alone, ""},
		{"echo kill 1 > s; . ./s; kill $x", Alone, ""},
		{"probe &", Alone, ""},
		{"kill 1", Alone, ""},
		{"$x a", Alone, ""},
		{"eval \"$(probe)\"", Alone, ""},
		{"y='kill 1'; eval $y", Alone, ""},
		{"eval 'kill 1'", Alone, ""},
		{"trap 'kill 1' EXIT", Alone, ""},
		{"read y; eval \"$y\"", Alone, ""},
		{"bash -c probe", Alone, ""},
		{"./s", Alone, ""},
		{"source /etc/profile", Alone, ""},
		{"while :; do :; done", Alone, ""},
		{"for ((;;)); do :; done", Alone, ""},
		{"f() { f; }; f", Alone, ""},
		{"coproc probe", Alone, ""},
		{"probe $$ $! $_ $RANDOM", Alone, ""},
		{"set", Alone, ""},
		{"declare -p", Alone, ""},
		{"export", Alone, ""},
		{"trap", Alone, ""},
		{"ARGDIFF=3", Alone, ""},
		{"probe ${!A@}", Alone, ""},
		{"probe > >(cat)", Alone, ""},
		{"probe 'a & probe", Alone, ""},
	} {
		got := s.Trait([]byte(test.command))
		writes := strings.Join(got.Writes, ",")
		if got.Manner != test.manner || got.Manner != Alone && writes != test.writes {
			t.Errorf("%q: manner %d, writes %q; want %d, %q", test.command, got.Manner, writes, test.manner, test.writes)
		}
	}
}

func TestArrange(t *testing.T) {
	line, alone := Trait{Manner: Line}, Trait{}
	writer := Trait{Manner: Line, Writes: []string{"f"}}
	looker := Trait{Manner: Line, Writes: []string{"g"}, Looks: true}
	groups, rest := Arrange([]Trait{writer, line, alone, looker, line, line, alone}, 100)
	if fmt.Sprint(groups, rest) != "[[1 4 5 3 0]] [2 6]" {
		t.Errorf("%v, %v", groups, rest)
	}
	many := slices.Repeat([]Trait{line, writer}, 50)
	groups, rest = Arrange(many, 30)
	seen := make(map[int]bool)
	for _, g := range groups {
		if len(g) < 20 || len(g) > 30 {
			t.Errorf("a group of %d", len(g))
		}
		for _, m := range g {
			seen[m] = true
		}
	}
	if len(groups) != 4 || len(seen) != 100 || len(rest) > 0 {
		t.Errorf("%d groups of %d, %d alone", len(groups), len(seen), len(rest))
	}
	if groups, rest := Arrange(many, 1); len(groups) != 0 || len(rest) != 100 {
		t.Errorf("%d groups, %d alone", len(groups), len(rest))
	}
}

func TestCompose(t *testing.T) {
	s := Compose([][]byte{[]byte("probe a"), []byte("x='1'"), []byte(">f"), []byte("probe *")}, []Trait{
		{Manner: Line}, {Manner: Subshell}, {Manner: Line, Writes: []string{"f"}}, {Manner: Line, Looks: true},
	}, 7)
	const want = `probe a
echo :argvdiff:7:1:$?; ARGDIFF=2
(eval 'x='"'"'1'"'"'')
echo :argvdiff:7:2:$?; ARGDIFF=3
>f
echo :argvdiff:7:3:$?; ARGDIFF=4
:clean 'f'
probe *
echo :argvdiff:7:4:$?; ARGDIFF=5
`
	if string(s.Text) != want {
		t.Errorf("%s", s.Text)
	}
}

func TestSplit(t *testing.T) {
	s := Compose(make([][]byte, 3), make([]Trait, 3), 7)
	rec := func(part uint64, name string) wire.Record {
		return wire.Record{Argv: [][]byte{[]byte(name)}, Part: part}
	}
	whole := wire.Result{Observation: wire.Observation{
		Stdout:  []byte("one\n:argvdiff:7:1:0\nno line end:argvdiff:7:2:3\n:argvdiff:8:9:9\n:argvdiff:7:3:127\n"),
		Records: []wire.Record{rec(1, "a"), rec(3, "c"), rec(1, "b"), rec(0, "d")},
	}}
	got := s.Split(whole)
	want := []wire.Observation{
		{Stdout: []byte("one\n"), Records: []wire.Record{rec(1, "a"), rec(1, "b"), rec(0, "d")}},
		{Stdout: []byte("no line end"), Status: 3},
		{Stdout: []byte(":argvdiff:8:9:9\n"), Status: 127, Records: []wire.Record{rec(3, "c")}},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	for text, n := range map[string]int{
		"": 0, "x": 0, ":argvdiff:7:1:": 0, ":argvdiff:7:1:x\n": 0, ":argvdiff:7:2:0\n": 0, ":argvdiff:7:1:0\n:argvdiff:7:3:0\n": 1,
	} {
		whole.Stdout = []byte(text)
		if got := s.Split(whole); len(got) != n {
			t.Errorf("%q: %d commands", text, len(got))
		}
	}
}

func list(words string) [][]byte {
	var l [][]byte
	for _, w := range strings.Fields(words) {
		l = append(l, []byte(strings.Trim(w, "_")))
	}
	return l
}

func TestApart(t *testing.T) {
	for _, test := range []struct {
		sizes     []int
		want, got string
		parts     string
	}{
		{[]int{1, 1, 1}, "a b c", "a b c", ""},
		{[]int{1, 1, 1}, "a b c", "a x c", "1:[x]"},
		{[]int{1, 1, 1}, "a b c", "x y z", "0:[x] 1:[y] 2:[z]"},
		{[]int{1, 1, 1, 1, 1, 1}, "a _ c d e f", "a c d e f", "1:[]"},
		{[]int{1, 1, 1, 1, 1, 1}, "a b c d e f", "a b1 b2 c d e f", "0:? 1:?"},
		{[]int{1, 1, 1, 1, 1, 1}, "a _ c d e f", "a _ _ c d e f", "1:? 2:?"},
		{[]int{1, 2, 2, 1}, "a b c d e f", "a b x c d e f", "1:[b x c]"},
		{[]int{1, 1, 1}, "a b c", "a b", "2:[]"},
		{[]int{1, 1, 1}, "a b c", "a b c d", "2:[c d]"},
		{[]int{1, 2, 1}, "a b c d", "a c d", "1:[c]"},
		{[]int{2, 2}, "a b c d", "a x c y", "0:[a x] 1:[c y]"},
		// The backslash before a blank joins two: neither can be told apart.
		{[]int{1, 1, 1, 1, 1, 1}, "a b c d e f", "a bc d e f", "1:? 2:?"},
		{[]int{1, 1}, "a b", "", "0:? 1:?"},
	} {
		var parts []string
		for _, p := range Apart(test.sizes, list(test.want), list(test.got)) {
			if !p.Sure {
				parts = append(parts, fmt.Sprintf("%d:?", p.Member))
				continue
			}
			parts = append(parts, fmt.Sprintf("%d:[%s]", p.Member, bytes.Join(p.Got, []byte(" "))))
		}
		if got := strings.Join(parts, " "); got != test.parts {
			t.Errorf("%q to %q: %s, want %s", test.want, test.got, got, test.parts)
		}
	}
}

// Whatever arrives, each member is told apart or said to be unsure, and of the
// sure ones all that arrives is given to somebody.
func FuzzApart(f *testing.F) {
	f.Add("a b c", "a c", byte(1))
	f.Add("a b c d e", "a x y d e", byte(2))
	f.Add("", "x", byte(1))
	f.Fuzz(func(t *testing.T, a, b string, size byte) {
		want, got := list(a), list(b)
		n := max(1, int(size%4))
		var sizes []int
		for left := len(want); left > 0; left -= n {
			sizes = append(sizes, min(n, left))
		}
		if len(sizes) == 0 {
			return
		}
		sure, elements, last := true, 0, -1
		for _, p := range Apart(sizes, want, got) {
			if p.Member <= last || p.Member >= len(sizes) {
				t.Fatalf("member %d behind %d of %d", p.Member, last, len(sizes))
			}
			last = p.Member
			sure = sure && p.Sure
			elements += len(p.Got) - sizes[p.Member]
		}
		if sure && elements != len(got)-len(want) {
			t.Fatalf("%q to %q: the parts grow by %d elements, want %d", want, got, elements, len(got)-len(want))
		}
	})
}
