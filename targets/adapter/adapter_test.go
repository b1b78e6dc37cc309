package adapter

import (
	"context"
	"errors"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"
)

func open(t *testing.T, spec Spec) *Adapter {
	t.Helper()
	a, err := Open(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

func TestRoles(t *testing.T) {
	ctx := context.Background()
	t.Run("splitter", func(t *testing.T) {
		spec := bad(t, "is-splitter")
		spec.Role = Splitter
		a := open(t, spec)
		want := []Piece{{Word, []byte("a\nb")}, {Operator, []byte("&&")}, {Glob, []byte("*")}, {Comment, []byte{}}}
		if got, err := a.Split(ctx, []byte("x")); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q %v", got, err)
		}
		if got, err := a.Split(ctx, []byte("empty")); err != nil || len(got) != 0 {
			t.Errorf("%q %v", got, err)
		}
		for _, text := range []string{"short", "kind"} {
			_, err := a.Split(ctx, []byte(text))
			if f := faultOf(t, err); f.What != WrongForm || !f.OfInput {
				t.Errorf("%s: %v", text, err)
			}
		}
		_, err := a.Quote(ctx, []byte("x"))
		if f := faultOf(t, err); f.What != WrongRole {
			t.Error(err)
		}
	})
	t.Run("guard", func(t *testing.T) {
		spec := bad(t, "is-guard")
		spec.Role = "" // the hello tells
		a := open(t, spec)
		if got, err := a.Judge(ctx, []byte("rm")); err != nil || got != (Verdict{true, "rm -rf"}) {
			t.Errorf("%v %v", got, err)
		}
		if got, err := a.Judge(ctx, []byte("ls")); err != nil || got != (Verdict{}) {
			t.Errorf("%v %v", got, err)
		}
		_, err := a.Judge(ctx, []byte("odd"))
		if f := faultOf(t, err); f.What != WrongForm {
			t.Error(err)
		}
	})
	t.Run("wrapper", func(t *testing.T) {
		spec := bad(t, "is-wrapper")
		spec.Role = Wrapper
		a := open(t, spec)
		got, err := a.Wrap(ctx, []byte("ls"))
		if want := [][]byte{[]byte("bash"), []byte("-c"), []byte("ls")}; err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q %v", got, err)
		}
		_, err = a.Wrap(ctx, []byte("none"))
		if f := faultOf(t, err); f.What != WrongForm {
			t.Error(err)
		}
	})
	t.Run("runner", func(t *testing.T) {
		spec := bad(t, "is-runner")
		for _, role := range []Role{Runner, ""} {
			spec.Role = role
			if _, err := Open(ctx, spec); !errors.Is(err, errRunner) {
				t.Errorf("a runner without a place, role %q: %v", role, err)
			}
		}
		placed := false
		spec.Place = func(*exec.Cmd) error { placed = true; return nil }
		a := open(t, spec)
		if status, err := a.Run(ctx, []byte("exit 7")); status != 7 || err != nil || !placed {
			t.Errorf("%d %v %v", status, err, placed)
		}
	})
}

func TestHelloIsKept(t *testing.T) {
	a := open(t, bad(t, "echo"))
	if got := a.Hello(); got != (Hello{Quoter, "bad", "1.2 of today"}) {
		t.Error(got)
	}
	// Any bytes, and none.
	for _, payload := range []string{"", "\n", "\x00\xff\n1 t 3\n", strings.Repeat("x\n", 30000)} {
		if word, err := a.Quote(context.Background(), []byte(payload)); err != nil || string(word) != payload {
			t.Errorf("%.20q: %.20q %v", payload, word, err)
		}
	}
}

func TestSmallest(t *testing.T) {
	a := open(t, Spec{Command: []string{"./testdata/echo.sh"}})
	if word, err := a.Quote(context.Background(), []byte("a b")); string(word) != "'a b'" || err != nil {
		t.Errorf("%q %v", word, err)
	}
}

func TestOneShot(t *testing.T) {
	sh := func(role Role, mode Mode, script string) Spec {
		return Spec{Name: "sh", Role: role, Mode: mode, Command: []string{"sh", "-c", script}, AnswerTime: 700 * time.Millisecond, MaxAnswer: 1 << 16}
	}
	template := func(script string) Spec {
		spec := sh(Quoter, Template, script)
		spec.Command = append(spec.Command, "sh", Slot)
		return spec
	}
	stripped := func(spec Spec) Spec {
		spec.StripNewline = true
		return spec
	}
	for _, tc := range []struct {
		name    string
		spec    Spec
		input   string
		want    string
		refused string
		what    What
	}{
		{name: "filter", spec: sh(Quoter, Filter, "cat"), input: "a\x00b\n\n", want: "a\x00b\n\n"},
		{name: "one newline", spec: stripped(sh(Quoter, Filter, "cat")), input: "a\n\n", want: "a\n"},
		{name: "no newline", spec: stripped(sh(Quoter, Filter, "cat")), input: "a", want: "a"},
		{name: "does not read", spec: sh(Quoter, Filter, "echo x"), input: strings.Repeat("y", 1<<18), want: "x\n"},
		{name: "template", spec: template(`printf %s "<$1>"`), input: "$(id) ' \xff", want: "<$(id) ' \xff>"},
		{name: "template of NUL", spec: template("echo"), input: "a\x00b", refused: "an argument cannot hold a NUL"},
		{name: "template too long", spec: template("echo"), input: strings.Repeat("x", 4<<20), refused: "an argument cannot be as long"},
		{name: "refused", spec: sh(Quoter, Filter, "echo ' not this' >&2; exit 3"), refused: "not this"},
		{name: "refused in silence", spec: sh(Quoter, Filter, "exit 3"), refused: "status 3"},
		{name: "sleeps", spec: sh(Quoter, Filter, "sleep 100"), what: Sleeps},
		{name: "closes and sleeps", spec: sh(Quoter, Filter, "exec >&-; sleep 100"), what: Sleeps},
		{name: "leaves a child", spec: sh(Quoter, Filter, "sleep 100 & echo x"), want: "x\n"},
		{name: "is ended", spec: sh(Quoter, Filter, "kill -9 $$"), what: Exited},
		{name: "writes too much", spec: sh(Quoter, Filter, "while echo yyyyyyyy; do :; done"), what: TooMuch},
		{name: "is not there", spec: Spec{Role: Quoter, Mode: Filter, Command: []string{"./testdata/none"}}, what: DidNotStart},
		{name: "in this process", spec: Spec{Role: Quoter, Local: func(b []byte) ([]byte, error) { return append(b, '!'), nil }}, input: "a", want: "a!"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := open(t, tc.spec)
			word, err := a.Quote(context.Background(), []byte(tc.input))
			var refusal *Refusal
			var f *Fault
			switch {
			case tc.refused != "":
				if !errors.As(err, &refusal) || refusal.Reason != tc.refused {
					t.Errorf("%q %v", word, err)
				}
			case tc.what != "":
				if !errors.As(err, &f) || f.What != tc.what {
					t.Errorf("%q %v", word, err)
				}
			case err != nil || string(word) != tc.want:
				t.Errorf("%q %v, want %q", word, err, tc.want)
			}
		})
	}
	a := open(t, sh(Splitter, Filter, `tr ' ' '\000'; printf '\000'`))
	if got, err := a.Split(context.Background(), []byte("a b")); err != nil || !reflect.DeepEqual(got, []Piece{{Word, []byte("a")}, {Word, []byte("b")}}) {
		t.Errorf("%q %v", got, err)
	}
	a = open(t, sh(Guard, Filter, `echo -n "hit the rest"`))
	if got, err := a.Judge(context.Background(), []byte("a b")); err != nil || got != (Verdict{true, "the rest"}) {
		t.Errorf("%v %v", got, err)
	}
	a = open(t, sh(Guard, Filter, "echo maybe"))
	_, err := a.Judge(context.Background(), []byte("a b"))
	if f := faultOf(t, err); f.What != WrongForm {
		t.Error(err)
	}
}

func TestSpecs(t *testing.T) {
	for name, spec := range map[string]Spec{
		"no command":       {Role: Quoter},
		"no role":          {Mode: Filter, Command: []string{"cat"}},
		"no such role":     {Role: "cook", Command: []string{"cat"}},
		"no slot":          {Role: Quoter, Mode: Template, Command: []string{"cat"}},
		"two slots":        {Role: Quoter, Mode: Template, Command: []string{"cat", Slot, Slot}},
		"slot as program":  {Role: Quoter, Mode: Template, Command: []string{Slot}},
		"runner":           {Role: Runner, Command: []string{"cat"}},
		"runner as filter": {Role: Runner, Mode: Filter, Command: []string{"cat"}, Place: func(*exec.Cmd) error { return nil }},
	} {
		if a, err := Open(context.Background(), spec); err == nil {
			a.Close()
			t.Errorf("%s is opened", name)
		}
	}
}
