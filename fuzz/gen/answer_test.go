package gen

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// readDocumented reads the inputs that are known to break something.
func readDocumented(t *testing.T) []string {
	t.Helper()
	return readInputs(t, "documented.txt", 130)
}

// readDocumentedGuard reads the commands of which it is known what a guard makes of them.
func readDocumentedGuard(t *testing.T) []string {
	t.Helper()
	return readInputs(t, "documented-guard.txt", 220)
}

// readInputs reads a file of Go string literals, of which there are to be that many at least.
func readInputs(t *testing.T, file string, least int) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var inputs []string
	for n, line := range strings.Split(string(data), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		s, err := strconv.Unquote(line)
		if err != nil {
			t.Fatalf("%s:%d: %v", file, n+1, err)
		}
		inputs = append(inputs, s)
	}
	if len(inputs) < least {
		t.Fatalf("%s: only %d inputs; the list is cut short", file, len(inputs))
	}
	return inputs
}

// readDocumentedSessions reads the sessions that are known to break something.
func readDocumentedSessions(t *testing.T) [][]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "documented-sessions.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var sessions [][]string
	for n, line := range strings.Split(string(data), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		var session []string
		for line != "" {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				t.Fatalf("documented-sessions.txt:%d: %v", n+1, err)
			}
			s, _ := strconv.Unquote(quoted)
			session = append(session, s)
			line = strings.TrimLeft(line[len(quoted):], " ")
		}
		sessions = append(sessions, session)
	}
	if len(sessions) < 15 {
		t.Fatalf("only %d documented sessions; the list is cut short", len(sessions))
	}
	return sessions
}

// guardWords cuts a command for guards into the words that this test counts: programs under their own names, and single
// letters among them, for "vim x" is an input; marks alone are passed over.
func guardWords(s string) []string {
	var words []string
	for _, f := range strings.Fields(s) {
		if f = strings.Trim(f, ";()&|$\"'`<>{}"); f != "" && f != "." && f != "!" {
			words = append(words, f)
		}
	}
	return words
}

// documentedWords cuts text into the words that this test counts.
//
// A word is what stands between blanks, without the quotes, parentheses and control operators around it, if two or more
// bytes are left; names of programs count as one and the same word, since the list uses stand-ins where this package
// uses a probe. Of what holds no letter or digit, "!" counts, and so does anything of two bytes or more (&&, [[, !=, <<).
// Single letters and lone marks do not count and are passed over: "(x" and "; " are in every shell text there is.
func documentedWords(s string) []string {
	const around = ";()&|$\"'`"
	var words []string
	for _, f := range strings.Fields(s) {
		if !strings.ContainsFunc(f, func(r rune) bool {
			return r >= 0x80 || isName(byte(r)) && r != '_'
		}) {
			if f == "!" || len(f) > 1 {
				words = append(words, f)
			}
			continue
		}
		f = strings.Trim(f, around)
		switch {
		case slices.Contains(Names, f) || f == "c1" || f == "c2" || f == "c3" || f == "PWN" || f == "echo" || f == "printf":
			words = append(words, "PROGRAM")
		case len(f) > 1:
			words = append(words, f)
		}
	}
	return words
}

// The generator must find what is broken, not know it: a rule that spelled out a documented input would make every
// campaign look good. So no string of the package may hold two neighbouring words of one.
func TestHoldsNoAnswers(t *testing.T) {
	pairs := make(map[[2]string]string)
	whole := make(map[string]bool)
	inputs := readDocumented(t)
	for _, session := range readDocumentedSessions(t) {
		inputs = append(append(inputs, session...), strings.Join(session, "\n"))
	}
	for _, in := range inputs {
		words := documentedWords(in)
		for i := range len(words) - 1 {
			pairs[[2]string{words[i], words[i+1]}] = in
		}
		if len(words) > 1 {
			whole[in] = true
		}
	}
	guardPairs := make(map[[2]string]string)
	for _, in := range readDocumentedGuard(t) {
		words := guardWords(in)
		for i := range len(words) - 1 {
			guardPairs[[2]string{words[i], words[i+1]}] = in
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			s, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			checked++
			words := documentedWords(s)
			for i := range len(words) - 1 {
				if in, ok := pairs[[2]string{words[i], words[i+1]}]; ok {
					t.Errorf("%s: %q holds %q of the documented input %q", set.Position(lit.Pos()), s, words[i:i+2], in)
				}
			}
			for in := range whole {
				if strings.Contains(s, in) {
					t.Errorf("%s: %q holds the documented input %q", set.Position(lit.Pos()), s, in)
				}
			}
			if name == "typed.go" {
				return true // its first lines of scripts stand in sessions alone
			}
			words = guardWords(s)
			for i := range len(words) - 1 {
				if in, ok := guardPairs[[2]string{words[i], words[i+1]}]; ok {
					t.Errorf("%s: %q holds %q of the documented command %q", set.Position(lit.Pos()), s, words[i:i+2], in)
				}
				if strings.HasPrefix(name, "guarded") && slices.Contains(GuardNames, words[i]) && words[i] != "probe" {
					t.Errorf("%s: %q holds a program and more", set.Position(lit.Pos()), s)
				}
			}
			return true
		})
	}
	if checked < 300 {
		t.Fatalf("only %d strings found; the test looks in the wrong place", checked)
	}
}

// Where a rule puts an input together from several strings, the check above is blind; yet an input that some rule spells
// out comes up hundreds of times, and one that words make up by chance does not.
func TestSessionsHoldNoAnswers(t *testing.T) {
	const n, chance = 40_000, 12
	var inputs []string
	for _, in := range readDocumented(t) {
		if strings.ContainsAny(in, "!^") && len(documentedWords(in)) > 1 {
			inputs = append(inputs, in)
		}
	}
	for _, session := range readDocumentedSessions(t) {
		inputs = append(inputs, strings.Join(session, "\n"))
	}
	if len(inputs) < 55 {
		t.Fatalf("only %d inputs are looked for", len(inputs))
	}
	seen := make(map[string]int)
	g := New(14)
	for i := range uint64(n) {
		var all [][]byte
		for _, c := range g.Session(i) {
			all = append(all, bytes.TrimSpace(c))
		}
		text := string(bytes.Join(all, []byte("\n")))
		for _, in := range inputs {
			if strings.Contains(text, strings.TrimSpace(in)) {
				seen[in]++
			}
		}
	}
	for in, k := range seen {
		if k > chance {
			t.Errorf("%d of %d sessions hold the documented input %q", k, n, in)
		}
	}
}

// The same for the commands for guards: a long input that some rule puts together comes up often.
func TestGuardedHoldsNoAnswers(t *testing.T) {
	const n, chance = 100_000, 12
	seen := make(map[string]int)
	inputs := slices.DeleteFunc(readDocumentedGuard(t), func(in string) bool { return len(guardWords(in)) < 4 })
	if len(inputs) < 70 {
		t.Fatalf("only %d inputs are looked for", len(inputs))
	}
	g := New(14)
	var buf []byte
	for i := range uint64(n) {
		buf = g.Guarded(i, buf[:0])
		for _, in := range inputs {
			if bytes.Contains(buf, []byte(in)) {
				seen[in]++
			}
		}
	}
	for in, k := range seen {
		if k > chance {
			t.Errorf("%d of %d commands hold the documented command %q", k, n, in)
		}
	}
}

// The check itself must see an answer when there is one.
func TestHoldsNoAnswersSees(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"if ! false; then", []string{"if", "!", "false", "then"}},
		{"probe \"${v@P}\"", []string{"PROGRAM", "{v@P}"}},
		{"c1 <<'E'", []string{"PROGRAM", "<<'E"}},
		{"[[ ! -e ", []string{"[[", "!", "-e"}},
		{"; x ) (", nil},
	} {
		if got := documentedWords(c.text); !slices.Equal(got, c.want) {
			t.Errorf("documentedWords(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}
