package adapter_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/argvdiff/argvdiff/fuzz/gen"
	"github.com/argvdiff/argvdiff/targets/adapter"
	"github.com/argvdiff/argvdiff/targets/guard"
	"github.com/argvdiff/argvdiff/targets/quote"
)

// opened opens a ready adapter. The test is not run where something is missing.
func opened(t testing.TB, name string) *adapter.Adapter {
	t.Helper()
	r, err := adapter.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := r.Spec(context.Background())
	var missing *adapter.MissingError
	if errors.As(err, &missing) {
		t.Skipf("not run: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	a, err := adapter.Open(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := a.Close()
		if err != nil || len(a.Faults()) > 0 {
			t.Errorf("%v %v", err, a.Faults())
		}
	})
	return a
}

// payloads returns generated payloads.
func payloads(n int, text bool) [][]byte {
	g := gen.New(7)
	var list [][]byte
	for i := uint64(0); len(list) < n; i++ {
		if p := g.Payload(i, nil); utf8.Valid(p) || !text {
			list = append(list, p)
		}
	}
	return list
}

// same compares the words of an adapter with those of a quoter of ours.
func same(t *testing.T, name string, want func([]byte) ([]byte, error), list [][]byte) {
	t.Helper()
	a := opened(t, name)
	wrong := 0
	for i, answer := range a.QuoteAll(context.Background(), list) {
		word, err := want(list[i])
		refusal := new(adapter.Refusal)
		refused := errors.As(answer.Err, &refusal)
		if refused != errors.Is(err, quote.ErrRefused) || answer.Err != nil && !refused || string(word) != string(answer.Word) {
			if wrong++; wrong <= 10 {
				t.Errorf("%q: %q %v, the model says %q %v", list[i], answer.Word, answer.Err, word, err)
			}
		}
	}
	t.Logf("%s %s: %d payloads, %d differ", a.Hello().Name, a.Hello().Version, len(list), wrong)
}

// The versions of the real shell-quote that are compared with the models.
var shellQuotes = []string{"1.6.3", "1.7.2", "1.7.3", "1.8.2", "1.8.3", "1.10.0", "1.11.0", "1.12.0"}

func TestShellQuoteModel(t *testing.T) {
	list := payloads(4000, false) // refusals of what is not UTF-8 are the same, too
	for _, version := range shellQuotes {
		t.Run(version, func(t *testing.T) {
			model, err := quote.ShellQuote(version)
			if err != nil {
				t.Fatal(err)
			}
			same(t, "node:shell-quote@"+version, func(p []byte) ([]byte, error) { return model.Quote(p) }, list)
		})
	}
}

func TestShellQuoteParser(t *testing.T) {
	g := gen.New(7)
	list := payloads(2000, true)
	for i := uint64(0); len(list) < 4000; i++ {
		if c := g.Command(i, nil); utf8.Valid(c) {
			list = append(list, c)
		}
	}
	kinds := map[guard.TokenKind]adapter.PieceKind{guard.Word: adapter.Word, guard.Operator: adapter.Operator, guard.Glob: adapter.Glob, guard.Comment: adapter.Comment}
	for _, version := range shellQuotes {
		t.Run(version, func(t *testing.T) {
			a := opened(t, "node:shell-quote.parse@"+version)
			model, err := guard.NewParser(version)
			if err != nil {
				t.Fatal(err)
			}
			wrong, refused := 0, 0
			for _, text := range list {
				var want []adapter.Piece
				tokens, wantErr := model.Parse(string(text))
				for _, token := range tokens {
					p := adapter.Piece{Kind: kinds[token.Kind]}
					switch token.Kind {
					case guard.Operator:
						p.Text = []byte(token.Op)
					case guard.Glob:
						p.Text = []byte(token.Pattern)
					case guard.Comment:
						p.Text = []byte(token.Comment)
					default:
						p.Text = []byte(token.Text)
					}
					want = append(want, p)
				}
				got, err := a.Split(context.Background(), text)
				var refusal *adapter.Refusal
				switch {
				case errors.As(err, &refusal):
					refused++
					if wantErr != nil && wantErr.Error() == refusal.Reason {
						continue
					}
				case err != nil:
					t.Fatal(err)
				case wantErr == nil && fmt.Sprintf("%q", got) == fmt.Sprintf("%q", want):
					continue
				}
				if wrong++; wrong <= 10 {
					t.Errorf("%q: %q %v, the model says %q %v", text, got, err, want, wantErr)
				}
			}
			t.Logf("%d texts, %d refused, %d differ", len(list), refused, wrong)
		})
	}
}

func TestShlex(t *testing.T) {
	posix, _ := quote.Lookup("posix")
	// It leaves words bare that need no quotes.
	want := func(p []byte) ([]byte, error) {
		if len(p) > 0 && strings.Trim(string(p), "@%+=:,./-_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
			return p, nil
		}
		return posix.Quote(p)
	}
	for _, name := range []string{"python:shlex.quote", "python:shlex.join", "go:shellescape"} {
		t.Run(name, func(t *testing.T) { same(t, name, want, payloads(4000, false)) })
	}
}

// What quoters of other languages make of payloads, by hand.
func TestQuoters(t *testing.T) {
	for _, tc := range []struct{ name, payload, want string }{
		{"ruby:Shellwords.escape", "a b'c\n", "a\\ b\\'c'\n'"},
		{"ruby:Shellwords.escape", "", "''"},
		{"perl:String::ShellQuote", "a b'c!", `'a b'\''c!'`},
		{"perl:String::ShellQuote", "\xff", "'\xff'"},
		{"php:escapeshellarg", "a b'c", `'a b'\''c'`},
		{"php:escapeshellarg", "a\xffb", "'ab'"},
		{"node:shell-escape", "a b'c", `'a b'\''c'`},
		{"node:shell-escape", "''", `\'\'`},
		{"node:any-shell-escape", "a b'c", `'a b'"'"'c'`},
		{"node:any-shell-escape", "", ""},
		{"node:shescape", "a b'c", `'a b'\''c'`},
		{"node:shescape@2.1.12", "a b'c", `'a b'\''c'`},
		{"node:shescape@1.7.4", "a b'c", `'a b'\''c'`},
	} {
		t.Run(tc.name+" "+fmt.Sprintf("%q", tc.payload), func(t *testing.T) {
			a := opened(t, tc.name)
			if word, err := a.Quote(context.Background(), []byte(tc.payload)); err != nil || string(word) != tc.want {
				t.Errorf("%q %v, want %q", word, err, tc.want)
			}
		})
	}
}

func TestSplitters(t *testing.T) {
	for _, name := range []string{"python:shlex.split", "ruby:Shellwords.split"} {
		t.Run(name, func(t *testing.T) {
			a := opened(t, name)
			for _, tc := range []struct {
				text, want string // words with | between them
				refused    bool
			}{
				{text: `a b  c`, want: "a|b|c"},
				{text: `a 'b c' "d \" e" f\ g`, want: `a|b c|d " e|f g`},
				{text: `x'y'"z"`, want: "xyz"},
				{text: `''`, want: ""},
				{text: `é 漢 𝄞`, want: "é|漢|𝄞"},
				{text: `a && b`, want: "a|&&|b"},
				{text: `a 'b`, refused: true},
				{text: `"`, refused: true},
			} {
				got, err := a.Split(context.Background(), []byte(tc.text))
				var words []string
				for _, p := range got {
					words = append(words, string(p.Text))
				}
				var refusal *adapter.Refusal
				if errors.As(err, &refusal) != tc.refused || err != nil && !tc.refused || strings.Join(words, "|") != tc.want {
					t.Errorf("%q: %q %v", tc.text, words, err)
				}
			}
		})
	}
}

// What JavaScript cannot hold is refused, and what it can comes back whole.
func TestText(t *testing.T) {
	a := opened(t, "node:shell-quote")
	for _, payload := range []string{"\x80", "a\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"} {
		_, err := a.Quote(context.Background(), []byte(payload))
		var refusal *adapter.Refusal
		if !errors.As(err, &refusal) || refusal.Reason != "not UTF-8" {
			t.Errorf("%q: %v", payload, err)
		}
	}
	for _, payload := range []string{"\ufefftext", "a\ufeff", "\u200b", "𝄞", "\ufffd"} {
		if word, err := a.Quote(context.Background(), []byte(payload)); err != nil || strings.Trim(string(word), "'") != payload {
			t.Errorf("%q: %q %v", payload, word, err)
		}
	}
}

func BenchmarkNode(b *testing.B) {
	a := opened(b, "node:shell-quote@1.8.3")
	list := payloads(4096, true)
	n := 0
	for b.Loop() {
		for _, answer := range a.QuoteAll(context.Background(), list) {
			if answer.Err != nil {
				b.Fatal(answer.Err)
			}
		}
		n += len(list)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "requests/s")
}

func BenchmarkNodeOneByOne(b *testing.B) {
	a := opened(b, "node:shell-quote@1.8.3")
	payload := []byte("it's one")
	n := 0
	for b.Loop() {
		if _, err := a.Quote(context.Background(), payload); err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "requests/s")
}
