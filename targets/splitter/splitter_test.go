package splitter

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"
)

// What each splitter makes of texts: nil where it does not take them.
var readings = map[string]map[string][]string{
	"go-shellquote": {
		``: {}, `a 'b c' "d e"`: {"a", "b c", "d e"}, `"a\b\$"`: {`a\b$`}, `a\ b`: {"a b"}, "a\\\nb": {"ab"}, `''`: {""},
		`$'a'`: {"$a"}, `a #b`: {"a", "#b"}, `a;b`: {"a;b"}, "a\rb\v": {"a\rb\v"}, "\xff": {"\xff"}, `'a`: nil, `a\`: nil,
	},
	"shlex": {
		``: {}, `a 'b c' "d e"`: {"a", "b c", "d e"}, `"a\b\$"`: {"ab$"}, "a\\\nb": {"a\nb"}, `a #b`: {"a"}, `a#b`: {"a#b"},
		"a\rb\v": {"a", "b\v"}, "\xff": {"\ufffd"}, `"a`: nil, `a\`: nil,
	},
	"shell-quote-parse@1.8.3": {
		``: {}, `a 'b c' "d e"`: {"a", "b c", "d e"}, `a #b`: {"a"}, `a#b`: {"a"}, `*.x a`: {"*.x", "a"}, `$x`: {""},
		"a\u00a0b": {"a", "b"}, `'a`: {"a"}, `a;b`: nil, `a >f`: nil, `${`: nil,
	},
	"shell-quote-parse@1.12.0": {`$'a\tb'`: {"a\tb"}, `"\a"`: {`\a`}, `a &>f`: nil},
	"fields":                   {``: {}, ` a  'b c'`: {"a", "'b", "c'"}, "a\u00a0b\v": {"a", "b"}},
	"mvdan-fields":             {`a$x 'b c' {d,e}`: {"a", "b c", "d", "e"}, `~`: {"~"}, `$(a)`: nil, `a;b`: nil, `<(a)`: nil},
	"views": {
		``: {}, `a 'b c' "d e"`: {"a", "b c", "d e"}, `''`: {""}, `"a\b"`: {"ab"}, `a\ b`: {"a b"}, `'a\' b`: {`a\`, "b"},
		`"a`: {"a"}, `a\`: {"a"}, `$'a'`: {"$a"}, "a\n\tb": {"a", "b"}, "a\u00a0b": {"a\u00a0b"},
	},
}

func TestReadings(t *testing.T) {
	for name, texts := range readings {
		s, ok := Lookup(name)
		if !ok {
			t.Fatalf("no splitter %s", name)
		}
		for text, want := range texts {
			got, err := s.Split(text)
			if (err != nil) != (want == nil) || err == nil && !slices.Equal(got, want) {
				t.Errorf("%s of %q: %q, %v, want %q", name, text, got, err, want)
			}
		}
	}
}

func TestLookup(t *testing.T) {
	seen := make(map[string]bool)
	for _, s := range All {
		if got, ok := Lookup(s.Name); !ok || got.Name != s.Name || s.Doc == "" || seen[s.Name] {
			t.Errorf("Lookup(%q) = %q, %v", s.Name, got.Name, ok)
		}
		seen[s.Name] = true
	}
	if s, ok := Lookup("shell-quote-parse@1.8.1"); !ok || s.Name != "shell-quote-parse@1.8.1" {
		t.Errorf("a release that is not listed: %q, %v", s.Name, ok)
	}
	for _, name := range []string{"", "x", "shell-quote-parse@", "shell-quote-parse@x"} {
		if _, ok := Lookup(name); ok {
			t.Errorf("Lookup(%q) finds something", name)
		}
	}
}

// The words are those of the tokens that were recorded of the real packages.
func TestParseRecorded(t *testing.T) {
	f, err := os.Open("../guard/testdata/shell-quote-parse.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	rows := 0
	for ; lines.Scan(); rows++ {
		var r struct {
			Version string
			Input   []byte
			Tokens  []any
			Error   string
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		s, _ := Lookup(parsePrefix + r.Version)
		got, err := s.Split(string(r.Input))
		var want []string
		var wantErr error
		if r.Error != "" {
			wantErr = ErrExpansion
		}
		for _, token := range r.Tokens {
			switch token := token.(type) {
			case string:
				want = append(want, token)
			case map[string]any:
				if pattern, ok := token["pattern"].(string); ok {
					want = append(want, pattern)
				} else if token["op"] != nil {
					wantErr = ErrOperator
				}
			}
		}
		if !errors.Is(err, wantErr) || err == nil && !slices.Equal(got, want) {
			t.Errorf("%s of %q: %q, %v, want %q, %v", s.Name, r.Input, got, err, want, wantErr)
		}
	}
	if rows != 15500 {
		t.Errorf("%d rows", rows)
	}
}

func BenchmarkSplit(b *testing.B) {
	const text = `node -e 'console.log(1!==2)' --name "it's \"me\"" a\ b *.go`
	for _, s := range All {
		b.Run(s.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Split(text)
			}
		})
	}
}
