package shrink

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// quoteThenBang is the predicate of the best known fault: a single quote and, later, an exclamation mark.
func quoteThenBang(b []byte) bool {
	i := bytes.IndexByte(b, '\'')
	return i >= 0 && bytes.IndexByte(b[i:], '!') >= 0
}

func balanced(b []byte) bool {
	return bytes.Count(b, []byte("'"))%2 == 0 && bytes.Count(b, []byte(`"`))%2 == 0
}

// shellCases are predicates whose smallest strings are known.
var shellCases = []struct {
	name string
	in   string
	keep func([]byte) bool
	want string
}{
	{"anything", "for i in a b; do probe $i; done", func([]byte) bool { return true }, ""},
	{"all of it", "x!", func(b []byte) bool { return string(b) == "x!" }, "x!"},
	{"quote then bang", "probe a; echo 'it is so!' | cat # and more", quoteThenBang, "'!"},
	{
		"balanced quotes", `git commit -m 'fix: "this" thing, now!' && probe "$x"`,
		func(b []byte) bool { return balanced(b) && quoteThenBang(b) }, "'!'",
	},
	{
		"quotes around a word", `probe 'c d' "e!f g" h "i" j`,
		func(b []byte) bool {
			_, after, ok := bytes.Cut(b, []byte(`"`))
			in, _, closed := bytes.Cut(after, []byte(`"`))
			return ok && closed && bytes.IndexByte(in, '!') >= 0 && balanced(b)
		}, `"!"`,
	},
	{
		"lines", "one\ntwo\nthree\nfour ! five\nsix\n",
		func(b []byte) bool {
			for l := range bytes.Lines(b) {
				if bytes.HasSuffix(l, []byte("\n")) && bytes.IndexByte(l, '!') >= 0 {
					return true
				}
			}
			return false
		}, "!\n",
	},
	{
		"here-document", "cat <<'EOF' | probe\nhello\nif (!m) {\nEOF\nprobe x\n",
		func(b []byte) bool {
			head, body, ok := bytes.Cut(b, []byte("\n"))
			_, end, doc := bytes.Cut(head, []byte("<<'"))
			end, _, closed := bytes.Cut(end, []byte("'"))
			text, _, found := bytes.Cut(body, append(slices.Clone(end), '\n'))
			return ok && doc && closed && found && len(end) > 0 && bytes.IndexByte(text, '!') >= 0
		}, "<<'a'\n!a\n",
	},
	{
		"inside of a loop", "i=0; while [ $i -lt 3 ]; do if ! false; then probe 'x'; fi; i=$((i+1)); done",
		func(b []byte) bool { return bytes.Contains(b, []byte("! false")) }, "! false",
	},
	{
		"a name used twice", "value=3; probe $value $value",
		func(b []byte) bool {
			name, _, ok := bytes.Cut(b, []byte("="))
			return ok && len(name) > 0 && isAlnum(name[0]) && bytes.Contains(b, append([]byte("$"), name...))
		}, "a=$a",
	},
	{
		"exotic bytes become plain", "\x01\xff\xfe?!\t\x7f",
		func(b []byte) bool { return len(b) >= 4 && bytes.IndexByte(b, '!') >= 0 }, "aaa!",
	},
	{
		"numbers", "echo $((123456!=7890))",
		func(b []byte) bool {
			a, c, ok := bytes.Cut(b, []byte("!="))
			return ok && len(a) > 0 && len(c) > 0 && isDigit(a[len(a)-1]) && isDigit(c[0])
		}, "1!=1",
	},
}

func TestBytes(t *testing.T) {
	for _, c := range shellCases {
		t.Run(c.name, func(t *testing.T) {
			if !c.keep([]byte(c.in)) {
				t.Fatal("the input is not kept")
			}
			keep := func(b []byte) (bool, error) { return c.keep(b), nil }
			got, checks, err := Bytes(t.Context(), []byte(c.in), keep, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got %q after %d checks, want %q", got, checks, c.want)
			}
			if checks > 400 {
				t.Errorf("%d checks for %q", checks, c.in)
			}
			for _, batch := range []int{2, 7, 64} {
				all := oneByOne(keep)
				again, _, err := BytesAll(t.Context(), []byte(c.in), all, Options{Batch: batch, MaxChecks: 1 << 20})
				if err != nil || !bytes.Equal(again, got) {
					t.Errorf("batches of %d: %q, %v; one by one: %q", batch, again, err, got)
				}
			}
		})
	}
}

// Nothing may be asked twice, nothing that is larger than what is known, and no NUL may come from nowhere.
func TestBytesAsks(t *testing.T) {
	for _, c := range shellCases {
		asked := make(map[string]bool)
		best := []byte(c.in)
		keep := func(b []byte) (bool, error) {
			if asked[string(b)] {
				t.Errorf("%s: %q asked twice", c.name, b)
			}
			asked[string(b)] = true
			if !smaller(b, best) {
				t.Errorf("%s: %q asked though %q is kept", c.name, b, best)
			}
			if bytes.IndexByte(b, 0) >= 0 {
				t.Errorf("%s: %q holds a NUL", c.name, b)
			}
			ok := c.keep(b)
			if ok {
				best = slices.Clone(b)
			}
			return ok, nil
		}
		got, checks, err := Bytes(t.Context(), []byte(c.in), keep, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if checks != len(asked) {
			t.Errorf("%s: %d checks reported, %d asked", c.name, checks, len(asked))
		}
		if !bytes.Equal(got, best) {
			t.Errorf("%s: got %q, the last that was kept is %q", c.name, got, best)
		}
	}
}

// Without a bound no single byte can be taken out of the result.
func TestBytesOneMinimal(t *testing.T) {
	preds := []func([]byte) bool{
		func(b []byte) bool { return bytes.Count(b, []byte("a"))%3 == 1 && quoteThenBang(b) },
		func(b []byte) bool { return balanced(b) && len(b)%2 == 1 && bytes.IndexByte(b, '\n') > 0 },
		func(b []byte) bool {
			return strings.Count(string(b), "(") == strings.Count(string(b), ")") && len(b) > 5
		},
	}
	in := []byte("aa 'b' \"c\" (d (e))\n! a a $(f '!') {g} \\\na")
	for i, pred := range preds {
		start := slices.Clone(in)
		for !pred(start) && len(start) > 0 {
			start = start[1:]
		}
		got, _, err := Bytes(t.Context(), start, func(b []byte) (bool, error) { return pred(b), nil }, Options{MaxChecks: 1 << 20})
		if err != nil || !pred(got) {
			t.Fatalf("%d: %q, %v", i, got, err)
		}
		for k := range got {
			if c := slices.Concat(got[:k], got[k+1:]); pred(c) {
				t.Errorf("%d: %q is kept and has one byte less than %q", i, c, got)
			}
		}
	}
}

func TestBytesBounded(t *testing.T) {
	in := bytes.Repeat([]byte("echo 'a!b'; "), 300)
	for _, most := range []int{1, 2, 10, 37, 200} {
		for _, batch := range []int{1, 8} {
			asked := 0
			keep := func(list [][]byte) ([]bool, error) {
				answers := make([]bool, len(list))
				asked += len(list)
				for i, b := range list {
					answers[i] = bytes.Count(b, []byte("!")) >= 40 && balanced(b)
				}
				return answers, nil
			}
			got, checks, err := BytesAll(t.Context(), in, keep, Options{MaxChecks: most, Batch: batch})
			if err != nil {
				t.Fatal(err)
			}
			if checks != asked || asked > most {
				t.Errorf("at most %d checks: %d asked, %d reported", most, asked, checks)
			}
			if ok, _ := keep([][]byte{got}); !ok[0] {
				t.Errorf("at most %d checks: %q is not kept", most, got)
			}
		}
	}
}

func TestBytesRepeats(t *testing.T) {
	in := []byte("if ! [ -e f ]; then probe \"a!b\" 'c'; fi\nprobe $((1!=2))\n")
	keep := func(b []byte) (bool, error) {
		return bytes.Count(b, []byte("!")) >= 2 && balanced(b) && len(b) > 7, nil
	}
	want, checks, _ := Bytes(t.Context(), in, keep, Options{MaxChecks: 90})
	for range 5 {
		got, n, _ := Bytes(t.Context(), in, keep, Options{MaxChecks: 90})
		if !bytes.Equal(got, want) || n != checks {
			t.Fatalf("%q after %d checks, then %q after %d", want, checks, got, n)
		}
	}
}

// What stops the predicate stops the search, and the best so far is not lost.
func TestBytesError(t *testing.T) {
	broken := errors.New("the home is gone")
	asked := 0
	var best []byte
	got, checks, err := Bytes(t.Context(), []byte("probe 'a b c!d' e f g"), func(b []byte) (bool, error) {
		if asked++; asked > 9 {
			return false, broken
		}
		if quoteThenBang(b) {
			best = slices.Clone(b)
			return true, nil
		}
		return false, nil
	}, Options{})
	if !errors.Is(err, broken) || checks != 10 || asked != 10 {
		t.Errorf("error %v after %d checks, %d asked", err, checks, asked)
	}
	if best == nil || !bytes.Equal(got, best) {
		t.Errorf("got %q, the best was %q", got, best)
	}

	ctx, cancel := context.WithCancel(t.Context())
	got, _, err = Bytes(ctx, []byte("probe 'a b c!d' e f g"), func(b []byte) (bool, error) {
		cancel()
		return quoteThenBang(b), nil
	}, Options{})
	if !errors.Is(err, context.Canceled) || !quoteThenBang(got) {
		t.Errorf("cancelled: %q, %v", got, err)
	}

	_, _, err = BytesAll(t.Context(), []byte("ab"), func([][]byte) ([]bool, error) { return nil, nil }, Options{})
	if err == nil {
		t.Error("no error for a predicate that does not answer")
	}
}

func TestList(t *testing.T) {
	list := func(s ...string) (out [][]byte) {
		for _, e := range s {
			out = append(out, []byte(e))
		}
		return out
	}
	for _, c := range []struct {
		name     string
		in, want [][]byte
		keep     func([][]byte) bool
	}{
		{"one element", list("aa", "b'c!d", "ee", "", "f"), list("'!"), func(l [][]byte) bool {
			return slices.ContainsFunc(l, quoteThenBang)
		}},
		{"an empty one", list("a", "", "b", "c"), list("", ""), func(l [][]byte) bool {
			return len(l) >= 2 && slices.ContainsFunc(l, func(e []byte) bool { return len(e) == 0 })
		}},
		{"two that belong together", list("x", "set key", "y", "z", "get key", "w"), list("set a", "get a"), func(l [][]byte) bool {
			var key []byte
			for _, e := range l {
				if after, ok := bytes.CutPrefix(e, []byte("set ")); ok && len(after) > 0 {
					key = after
				} else if after, ok := bytes.CutPrefix(e, []byte("get ")); ok && len(after) > 0 && len(key) > 0 {
					return true
				}
			}
			return false
		}},
		{"nothing", list("a", "b"), list(), func([][]byte) bool { return true }},
		{"position", list("a", "b", "c", "!"), list("", "", "!"), func(l [][]byte) bool {
			return len(l) >= 3 && bytes.Equal(l[len(l)-1], []byte("!"))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := make(map[string]bool)
			got, checks, err := List(t.Context(), c.in, func(l [][]byte) (bool, error) {
				k := string(listKey(nil, l))
				if asked[k] {
					t.Errorf("%q asked twice", l)
				}
				asked[k] = true
				return c.keep(l), nil
			}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(got, c.want, bytes.Equal) || !c.keep(got) {
				t.Errorf("got %q after %d checks, want %q", got, checks, c.want)
			}
			if checks != len(asked) {
				t.Errorf("%d checks reported, %d asked", checks, len(asked))
			}
			again, _, err := ListAll(t.Context(), c.in, oneByOne(func(l [][]byte) (bool, error) { return c.keep(l), nil }), Options{Batch: 9})
			if err != nil || !slices.EqualFunc(again, got, bytes.Equal) {
				t.Errorf("in batches: %q, %v; one by one: %q", again, err, got)
			}
		})
	}
}

// Elements go before bytes do: the first candidates of a long list are shorter lists.
func TestListDropsFirst(t *testing.T) {
	var in [][]byte
	for range 64 {
		in = append(in, []byte("payload"))
	}
	lens := []int{}
	_, _, err := List(t.Context(), in, func(l [][]byte) (bool, error) {
		if len(l) > 0 && len(l[0]) == len("payload") {
			lens = append(lens, len(l))
		}
		return len(l) > 0, nil
	}, Options{})
	if err != nil || len(lens) == 0 || lens[0] != 32 || !slices.Contains(lens, 1) {
		t.Errorf("lengths asked: %v, %v", lens, err)
	}
}

// Lists that differ only in where one element ends are different questions.
func TestListKey(t *testing.T) {
	a := listKey(nil, [][]byte{[]byte("ab"), []byte("c")})
	b := listKey(nil, [][]byte{[]byte("a"), []byte("bc")})
	if bytes.Equal(a, b) {
		t.Errorf("same key %q", a)
	}
}

func FuzzBytes(f *testing.F) {
	for i, c := range shellCases {
		f.Add([]byte(c.in), uint8(i), uint8(1))
	}
	f.Add([]byte("`a\\`$(b)${c}[d]'e\"f"), uint8(3), uint8(5))
	f.Fuzz(func(t *testing.T, in []byte, mode, batch uint8) {
		if len(in) > 300 {
			return
		}
		keep := func(b []byte) bool {
			sum := int(mode)
			for _, c := range b {
				sum = sum*31 + int(c)
			}
			return sum%3 != 0 || bytes.Equal(b, in)
		}
		hasNUL := bytes.IndexByte(in, 0) >= 0
		all := func(list [][]byte) ([]bool, error) {
			answers := make([]bool, len(list))
			for i, b := range list {
				if !hasNUL && bytes.IndexByte(b, 0) >= 0 {
					t.Errorf("%q holds a NUL, %q does not", b, in)
				}
				answers[i] = keep(b)
			}
			return answers, nil
		}
		got, checks, err := BytesAll(t.Context(), in, all, Options{MaxChecks: 500, Batch: int(batch % 16)})
		if err != nil {
			t.Fatal(err)
		}
		if !keep(got) || checks > 500 || len(got) > len(in) {
			t.Errorf("%q became %q after %d checks", in, got, checks)
		}
	})
}

func BenchmarkBytes(b *testing.B) {
	in := []byte("i=0; while [ \"$i\" -lt 3 ]; do if ! false; then probe 'x!y' \"$v\"; fi; i=$((i+1)); done")
	keep := func(c []byte) (bool, error) { return balanced(c) && quoteThenBang(c), nil }
	b.ReportAllocs()
	total := 0
	for b.Loop() {
		_, n, _ := Bytes(b.Context(), in, keep, Options{})
		total += n
	}
	b.ReportMetric(float64(total)/float64(b.N), "checks/op")
}

func BenchmarkBytesLong(b *testing.B) {
	in := bytes.Repeat([]byte("probe \"$x\" 'y z'; "), 100)
	in = append(in, "echo 'a!b'\n"...)
	keep := func(c []byte) (bool, error) { return balanced(c) && quoteThenBang(c), nil }
	b.ReportAllocs()
	total := 0
	for b.Loop() {
		_, n, _ := Bytes(b.Context(), in, keep, Options{})
		total += n
	}
	b.ReportMetric(float64(total)/float64(b.N), "checks/op")
}

// A fault in one simple command is found without taking the rest apart.
func TestKeepPart(t *testing.T) {
	const in = "(case 'fC34' in \\!) { echo\n};;\n*) probe '!k'\nesac; f0 () { a=b\n})\nfor j in $((x++)); do\n(for in\ndo 'AC';[[ \"\" =~ () ]] done) done"
	out, checks, err := Bytes(t.Context(), []byte(in), func(b []byte) (bool, error) {
		return bytes.Contains(b, []byte("probe '!")) && bytes.Count(b, []byte("'"))%2 == 0, nil
	}, Options{})
	if err != nil || string(out) != "probe '!'" {
		t.Errorf("%q, %v", out, err)
	}
	if checks > 100 {
		t.Errorf("%d checks", checks)
	}
}
