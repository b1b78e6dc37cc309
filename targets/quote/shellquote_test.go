package quote

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// readVectors calls use with each line of a compressed file of JSON lines and
// returns how many there were.
func readVectors(t *testing.T, name string, use func(line []byte)) (rows int) {
	t.Helper()
	f, err := os.Open("testdata/" + name)
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
	for lines.Scan() {
		use(lines.Bytes())
		rows++
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// checkCounts fails unless rows were read in all, as many for each version.
func checkCounts(t *testing.T, rows, want int, perVersion map[string]int, wantVersions int) {
	t.Helper()
	if rows != want || len(perVersion) != wantVersions {
		t.Errorf("%d rows of %d versions, want %d of %d", rows, len(perVersion), want, wantVersions)
	}
	for version, n := range perVersion {
		if n != want/wantVersions {
			t.Errorf("%d rows of version %s, want %d", n, version, want/wantVersions)
		}
	}
}

func mustModel(t testing.TB, version string) *ShellQuoteModel {
	t.Helper()
	q, err := ShellQuote(version)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// The recorded answers of the real package for one string.
func TestShellQuoteVectors(t *testing.T) {
	perVersion := map[string]int{}
	rows := readVectors(t, "shell-quote-quote.jsonl.gz", func(line []byte) {
		var v struct {
			Version       string
			Input, Quoted []byte
		}
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		perVersion[v.Version]++
		got, err := mustModel(t, v.Version).Quote(v.Input)
		if err != nil || !bytes.Equal(got, v.Quoted) {
			t.Errorf("%s: Quote(%q) = %q, %v, want %q", v.Version, v.Input, got, err, v.Quoted)
		}
	})
	checkCounts(t, rows, 21000, perVersion, 10)
}

// The recorded answers of the real package for lists of strings.
func TestShellQuoteArgvVectors(t *testing.T) {
	perVersion := map[string]int{}
	rows := readVectors(t, "shell-quote-quote-argv.jsonl.gz", func(line []byte) {
		var v struct {
			Version string
			Args    [][]byte
			Quoted  []byte
		}
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		perVersion[v.Version]++
		got, err := mustModel(t, v.Version).Quote(v.Args...)
		if err != nil || !bytes.Equal(got, v.Quoted) {
			t.Errorf("%s: Quote(%q) = %q, %v, want %q", v.Version, v.Args, got, err, v.Quoted)
		}
	})
	checkCounts(t, rows, 1500, perVersion, 10)
}

// The recorded answers of every release for lists that also hold objects.
func TestShellQuoteTokenVectors(t *testing.T) {
	kinds := map[string]TokenKind{
		"string": StringToken, "op": OpToken, "glob": GlobToken,
		"comment": CommentToken, "primitive": PrimitiveToken,
	}
	perVersion := map[string]int{}
	thrown := 0
	rows := readVectors(t, "shell-quote-tokens.jsonl.gz", func(line []byte) {
		var v struct {
			Version string
			Tokens  []struct{ Kind, Text string }
			Quoted  []byte
			Throws  string
		}
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		perVersion[v.Version]++
		var tokens []Token
		for _, e := range v.Tokens {
			kind, ok := kinds[e.Kind]
			if !ok {
				t.Fatalf("unknown kind %q", e.Kind)
			}
			tokens = append(tokens, Token{kind, e.Text})
		}
		got, err := ShellQuoteTokens(v.Version, tokens)
		if v.Throws != "" {
			thrown++
			if e := new(ThrowError); !errors.As(err, &e) || !errors.Is(err, ErrRefused) {
				t.Errorf("%s: %+v = %q, %v, want a %s", v.Version, tokens, got, err, v.Throws)
			}
			return
		}
		if err != nil || !bytes.Equal(got, v.Quoted) {
			t.Errorf("%s: %+v = %q, %v, want %q", v.Version, tokens, got, err, v.Quoted)
		}
	})
	checkCounts(t, rows, 4600, perVersion, len(releases))
	if thrown < 500 {
		t.Errorf("only %d rows throw", thrown)
	}
}

// probe is one entry of shell-quote-probes.txt.
type probe struct {
	list    string
	tokens  []Token
	answers []probeAnswer
}

type probeAnswer struct {
	first, last int // indexes into releases
	text        string
}

func (p probe) ask(r release) string {
	got, err := ShellQuoteTokens(r.version, p.tokens)
	if err != nil {
		return "THROW " + err.Error()
	}
	return string(got)
}

// Every release must give the answer of the row that names it. A release
// between two rows was not asked: it must still behave like the one before it
// or the one after, so that a change shows exactly where the table has it.
func TestShellQuoteProbes(t *testing.T) {
	probes := readProbes(t)
	if len(probes) != 55 {
		t.Errorf("%d probes, want 55", len(probes))
	}
	for _, p := range probes {
		for i, r := range releases {
			got := p.ask(r)
			before, after := p.around(i)
			if got != before && got != after {
				t.Errorf("%s: %s = %q, want %q or %q", r.version, p.list, got, before, after)
			}
		}
		for i := 1; i < len(p.answers); i++ {
			if p.answers[i-1].text == p.answers[i].text || p.answers[i-1].last >= p.answers[i].first {
				t.Errorf("%s: rows %d and %d are not a change in order", p.list, i, i+1)
			}
		}
	}
}

// around returns the answers of the nearest rows that begin not after and end
// not before release i: twice the same one where a row names it.
func (p probe) around(i int) (before, after string) {
	for _, a := range p.answers {
		if a.first <= i {
			before = a.text
		}
	}
	for _, a := range slices.Backward(p.answers) {
		if i <= a.last {
			after = a.text
		}
	}
	return before, after
}

func readProbes(t *testing.T) (probes []probe) {
	t.Helper()
	data, err := os.ReadFile("testdata/shell-quote-probes.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, " "):
			last := &probes[len(probes)-1]
			last.answers = append(last.answers, parseAnswer(t, line))
		default:
			probes = append(probes, probe{list: line, tokens: parseList(t, line)})
		}
	}
	return probes
}

func parseAnswer(t *testing.T, line string) probeAnswer {
	t.Helper()
	versions, text, _ := strings.Cut(strings.TrimSpace(line), " ")
	a := probeAnswer{0, len(releases) - 1, strings.TrimSpace(text)}
	if versions != "all" {
		first, last, ok := strings.Cut(versions, "..")
		if !ok {
			last = first
		}
		find := func(v string) int {
			return slices.IndexFunc(releases, func(r release) bool { return r.version == v })
		}
		if a.first, a.last = find(first), find(last); a.first < 0 || a.last < a.first {
			t.Fatalf("bad range in %q", line)
		}
	}
	if !strings.HasPrefix(a.text, "THROW ") {
		if err := json.Unmarshal([]byte(a.text), &a.text); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
	}
	return a
}

func parseList(t *testing.T, line string) (tokens []Token) {
	t.Helper()
	if line == "[undefined]" {
		return []Token{{PrimitiveToken, "undefined"}}
	}
	var list []any
	if err := json.Unmarshal([]byte(line), &list); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	for _, e := range list {
		switch e := e.(type) {
		case string:
			tokens = append(tokens, Token{StringToken, e})
		case nil:
			tokens = append(tokens, Token{PrimitiveToken, "null"})
		case float64:
			tokens = append(tokens, Token{PrimitiveToken, fmt.Sprint(e)})
		case map[string]any:
			tokens = append(tokens, parseObject(t, e))
		default:
			t.Fatalf("%q holds a %T", line, e)
		}
	}
	return tokens
}

func parseObject(t *testing.T, o map[string]any) Token {
	t.Helper()
	if text, ok := o["comment"].(string); ok {
		return Token{CommentToken, text}
	}
	if pattern, ok := o["pattern"].(string); ok && o["op"] == "glob" {
		return Token{GlobToken, pattern}
	}
	op, ok := o["op"].(string)
	if !ok {
		t.Fatalf("unknown object %v", o)
	}
	return Token{OpToken, op}
}

func TestShellQuoteClasses(t *testing.T) {
	for _, c := range []struct{ versions, class string }{
		{"1.4.0 1.4.1 1.4.2", "A"},
		{"1.4.3 1.5.0 1.6.0", "B"},
		{"1.6.1 1.6.2", "C"},
		{"1.6.3 1.7.0 1.7.1", "D"},
		{"1.7.2", "E"},
		{"1.7.3 1.7.4 1.8.0 1.8.1", "F"},
		{"1.8.2", "G"},
		{"1.8.3", "H"},
		{"1.8.4", "I"},
		{"1.9.0 1.10.0", "J"},
		{"1.11.0", "K"},
		{"1.12.0", "L"},
	} {
		for version := range strings.FieldsSeq(c.versions) {
			q, ok := Lookup("shell-quote@" + version)
			if !ok || q.Name() != "shell-quote@"+version || q.(*ShellQuoteModel).Class() != c.class {
				t.Errorf("Lookup of version %s = %v, %v, want class %s", version, q, ok, c.class)
			}
		}
	}
	for _, version := range []string{"", "1.3.3", "1.4", "1.8.5", "1.13.0", "1.12.0 ", "v1.12.0"} {
		if q, err := ShellQuote(version); err == nil || q != nil {
			t.Errorf("ShellQuote(%q) = %v, %v, want an error", version, q, err)
		}
	}
}

// Each class must differ from the one before it in some row of the tables,
// for otherwise the data could lose a class unnoticed.
func TestShellQuoteClassesDiffer(t *testing.T) {
	lists := [][]Token{{{OpToken, "<>"}}}
	for _, p := range readProbes(t) {
		lists = append(lists, p.tokens)
	}
	answer := func(letter byte, list []Token) string {
		i := slices.IndexFunc(releases, func(r release) bool { return r.letter == letter })
		return probe{tokens: list}.ask(releases[i])
	}
	more := []string{"`:`x``:`", "{", "~", "\\ "}
	for _, s := range more {
		lists = append(lists, []Token{{StringToken, s}})
	}
	for i := 1; i < len(classes); i++ {
		before, after := classes[i-1].letter, classes[i].letter
		if !slices.ContainsFunc(lists, func(l []Token) bool { return answer(before, l) != answer(after, l) }) {
			t.Errorf("nothing tells class %c from class %c", after, before)
		}
	}
}

// The set of white space characters, from both sides.
func TestWideSpace(t *testing.T) {
	want := "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
		"\u2028\u2029\u202f\u205f\u3000\ufeff"
	q := mustModel(t, "1.12.0")
	for r := rune(0x80); r <= 0x10ffff; r++ {
		if r == 0xd800 {
			r = 0xe000
		}
		s := string(r)
		got, err := q.Quote([]byte(s))
		quoted := "'" + s + "'"
		if !strings.ContainsRune(want, r) {
			quoted = s
		}
		if err != nil || string(got) != quoted {
			t.Errorf("Quote(%U) = %q, %v, want %q", r, got, err, quoted)
		}
	}
}

func TestShellQuoteTokensRefuse(t *testing.T) {
	if _, err := ShellQuoteTokens("9.9.9", nil); err == nil || errors.Is(err, ErrRefused) {
		t.Errorf("unknown version: %v", err)
	}
	if _, err := ShellQuoteTokens("1.12.0", []Token{{GlobToken, "\xff*"}}); !errors.Is(err, ErrRefused) {
		t.Errorf("bytes that are not UTF-8: %v", err)
	}
	if _, err := ShellQuoteTokens("1.12.0", []Token{{PrimitiveToken + 1, ""}}); err == nil {
		t.Error("unknown kind: no error")
	}
}
