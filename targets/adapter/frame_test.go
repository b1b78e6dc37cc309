package adapter

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
)

func TestHead(t *testing.T) {
	for _, tc := range []struct {
		line string
		id   uint64
		kind byte
		size int64
		ok   bool
	}{
		{"1 t 0", 1, 't', 0, true},
		{"18 l 4096", 18, 'l', 4096, true},
		{"9223372036854775807 n 1", 1<<63 - 1, 'n', 1, true},
		{"9223372036854775808 n 1", 0, 0, 0, false},
		{"007 t 01", 7, 't', 1, true},
		{"", 0, 0, 0, false},
		{"1", 0, 0, 0, false},
		{"1 t", 0, 0, 0, false},
		{"1 t ", 0, 0, 0, false},
		{"1 tt 4", 0, 0, 0, false},
		{"1 T 4", 0, 0, 0, false},
		{"1 t -4", 0, 0, 0, false},
		{"1 t +4", 0, 0, 0, false},
		{"-1 t 4", 0, 0, 0, false},
		{" 1 t 4", 0, 0, 0, false},
		{"1  t 4", 0, 0, 0, false},
		{"1 t 4 ", 0, 0, 0, false},
		{"1 t 4\r", 0, 0, 0, false},
		{"1\tt\t4", 0, 0, 0, false},
		{"1 t 4 5", 0, 0, 0, false},
		{"1 t 0x4", 0, 0, 0, false},
		{"1 t 99999999999999999999", 0, 0, 0, false},
	} {
		f, size, ok := parseHead([]byte(tc.line))
		if f.id != tc.id || f.kind != tc.kind || size != tc.size || ok != tc.ok {
			t.Errorf("%q: %d %q %d %v", tc.line, f.id, f.kind, size, ok)
		}
	}
}

func TestFrameBytes(t *testing.T) {
	got := appendFrame(nil, frame{12, 'q', []byte("a\n\x00\xff")})
	if want := "12 q 4\na\n\x00\xff\n"; string(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestHello(t *testing.T) {
	for _, tc := range []struct {
		line string
		want Hello
		what What
	}{
		{"argvdiff-adapter 1 quoter shlex.quote 3.11.7", Hello{Quoter, "shlex.quote", "3.11.7"}, ""},
		{"argvdiff-adapter 1 guard g", Hello{Guard, "g", ""}, ""},
		{"argvdiff-adapter 1 wrapper w 1 of (node 2)", Hello{Wrapper, "w", "1 of (node 2)"}, ""},
		{"argvdiff-adapter 2 quoter x 1", Hello{}, WrongVersion},
		{"argvdiff-adapter 2", Hello{}, WrongVersion},
		{"argvdiff-adapter 1 cook x 1", Hello{}, WrongRole},
		{"argvdiff-adapter 1", Hello{}, WrongRole},
		{"argvdiff-adapter 1 quoter", Hello{}, Garbage},
		{"argvdiff-adapter1 quoter x", Hello{}, Garbage},
		{"Welcome", Hello{}, Garbage},
		{"", Hello{}, Garbage},
	} {
		got, err := parseHello(tc.line)
		var bad *helloError
		what := What("")
		if errors.As(err, &bad) {
			what = bad.what
		}
		if got != tc.want || what != tc.what || (err != nil) != (what != "") {
			t.Errorf("%q: %v %v, want %v %q", tc.line, got, err, tc.want, tc.what)
		}
	}
}

func TestPieces(t *testing.T) {
	list := []Piece{{Word, []byte("a b\n")}, {Operator, []byte("&&")}, {Word, []byte{}}, {Glob, []byte("*\x00\xff")}, {Comment, []byte("w 1")}}
	var b []byte
	for _, p := range list {
		b = appendPiece(b, p)
	}
	got, err := parsePieces(b)
	if err != nil || !reflect.DeepEqual(got, list) {
		t.Fatalf("%q %v", got, err)
	}
	// No beginning of a list is one, but between its pieces.
	between := map[int]bool{}
	for i, at := 0, 0; i < len(list); i++ {
		between[at] = true
		at += len(appendPiece(nil, list[i]))
	}
	for i := range b {
		if _, err := parsePieces(b[:i]); (err == nil) != between[i] {
			t.Errorf("the first %d bytes: %v", i, err)
		}
	}
	for _, bad := range []string{"w", "w 1", "w 1\n", "w 1\nx", "w 1\nxy", "w -1\nx\n", "x 1\nx\n", "ww 1\nx\n", " 1\nx\n", "w 9223372036854775807\nx\n", "\n"} {
		if list, err := parsePieces([]byte(bad)); err == nil {
			t.Errorf("%q: %q", bad, list)
		}
	}
	if list, err := parsePieces(nil); err != nil || len(list) != 0 {
		t.Errorf("nothing: %q %v", list, err)
	}
}

func TestVerdict(t *testing.T) {
	for _, tc := range []struct {
		body string
		want Verdict
		ok   bool
	}{
		{"hit", Verdict{Hit: true}, true},
		{"clear", Verdict{}, true},
		{"hit git rebase -i", Verdict{true, "git rebase -i"}, true},
		{"clear nothing here", Verdict{false, "nothing here"}, true},
		{"", Verdict{}, false},
		{"hits", Verdict{}, false},
		{"hit\n", Verdict{}, false},
	} {
		if got, err := parseVerdict([]byte(tc.body)); got != tc.want || (err == nil) != tc.ok {
			t.Errorf("%q: %v %v", tc.body, got, err)
		}
	}
}

func TestNULs(t *testing.T) {
	got, err := parseNULs([]byte("a b\x00\x00c\n\x00"))
	if want := []Piece{{Word, []byte("a b")}, {Word, []byte{}}, {Word, []byte("c\n")}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q %v", got, err)
	}
	if _, err := parseNULs([]byte("a\x00b")); err == nil {
		t.Error("a last word without its NUL is taken")
	}
}

func TestTail(t *testing.T) {
	var end tail
	for range 100 {
		end.Write(bytes.Repeat([]byte("x"), 1000))
	}
	end.Write([]byte("the end"))
	if b := end.bytes(); len(b) != tailBytes || !bytes.HasSuffix(b, []byte("the end")) {
		t.Errorf("%d bytes, the last ones %q", len(b), b[len(b)-10:])
	}
}
