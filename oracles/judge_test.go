package oracles

import (
	"context"
	"strings"
	"testing"

	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/targets/path"
)

// judges returns a judge for each usable shell at hand.
func judges(t testing.TB) []*Judge {
	t.Helper()
	found, err := home.Survey(t.Context(), home.Namespaces)
	if err != nil {
		t.Fatal(err)
	}
	shells, _, err := home.Choose(found, "all")
	if err != nil {
		t.Fatal(err)
	}
	var all []*Judge
	for _, s := range shells {
		h, err := home.Namespaces.Open(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { h.Close() })
		all = append(all, &Judge{Home: h, Shell: s, Acting: actingHome(t, s)})
	}
	return all
}

func check(t *testing.T, j *Judge, name string, c Case) Outcome {
	t.Helper()
	p, ok := path.Lookup(name)
	if !ok {
		t.Fatalf("no path %s", name)
	}
	o, err := j.Check(t.Context(), []path.Path{p}, c)
	if err != nil {
		t.Fatal(err)
	}
	return o[0]
}

func TestVerdicts(t *testing.T) {
	js := judges(t)
	for _, test := range []struct {
		path    string
		c       Case
		verdict Verdict
		reason  string
	}{
		{"argv", Case{Command: []byte("probe a 'b c'; exit 3")}, Same, ""},
		{"posix-eval", Case{Command: []byte("probe a 'b c'; exit 3")}, Same, ""},
		{"sandbox@1.8.3", Case{Command: []byte("probe a")}, Same, ""},
		{"sandbox@1.8.3", Case{Command: []byte("probe '!'")}, Differs, ""},
		{"sandbox@1.8.3/L3", Case{Command: []byte("probe '!'")}, Differs, ""},
		{"sandbox@1.12.0/L3", Case{Command: []byte("probe '!'")}, Same, ""},
		{"sandbox@1.8.3", Case{Command: []byte("probe \xff")}, Refused, "UTF-8"},
		{"posix-eval", Case{Command: []byte(strings.Repeat("a", 200_000))}, Refused, "200041 bytes"},
		{"quote:posix", Case{Command: []byte("probe")}, NotRun, "payloads"},
		{"quote:posix", Case{Payloads: [][]byte{{}, []byte("!'\xff\n")}}, Same, ""},
		{"quote:shell-quote@1.8.1", Case{Payloads: [][]byte{{}}}, Differs, ""},
		{"quote:go-shellquote", Case{Payloads: [][]byte{[]byte("#")}}, Differs, ""},
		{"argv", Case{Payloads: [][]byte{[]byte("a!'b")}}, Same, ""},
		{"sandbox@1.8.3", Case{Payloads: [][]byte{[]byte("a!'b")}}, Differs, ""},
		{"argv", Case{Command: []byte("while :; do :; done")}, Unstable, "spinning"},
		{"posix-eval", Case{Command: []byte("read x </dev/ptmx")}, Unstable, "hung"},
		{"sandbox@1.8.3", Case{Command: []byte("until ! false; do :; done")}, Differs, ""},
	} {
		for _, j := range js {
			o := check(t, j, test.path, test.c)
			if o.Verdict != test.verdict || !strings.Contains(o.Reason, test.reason) {
				t.Errorf("%s on %s, %.60q: %s, %s", test.path, j.Shell.ID, test.c.Input(), o.Verdict, o.Reason)
			}
		}
	}
}

// A quoter that only newer shells have is not run on the others, and says so.
func TestInShell(t *testing.T) {
	for _, j := range judges(t) {
		o := check(t, j, "quote:at-q", Case{Payloads: [][]byte{[]byte("a b!'")}})
		switch {
		case Older(j.Shell.Version, "4.4"):
			if o.Verdict != NotRun || !strings.Contains(o.Reason, "4.4") {
				t.Errorf("%s: %s, %s", j.Shell.ID, o.Verdict, o.Reason)
			}
		case o.Verdict != Same:
			t.Errorf("%s: %s, %s", j.Shell.ID, o.Verdict, o.Reason)
		}
	}
}

// Each named class explains what it is for, and nothing that is a fault.
func TestClasses(t *testing.T) {
	js := judges(t)
	met := make(map[string]bool)
	for _, test := range []struct{ path, command string }{
		// syntax-status
		{"posix-eval", "probe 'a"},
		{"posix-eval", "nonesuch\n'"},
		{"ansi-c-eval", "exec 2>f\n$!&>>a"},
		// errexit-under-and
		{"posix-eval", "set -e; false; probe x"},
		{"posix-eval", "trap 'probe x' ERR; false; true"},
		// shows-its-own-text
		{"posix-eval", "declare"},
		{"sandbox@1.12.0", "declare | probe"},
		// descriptor-number
		{"posix-eval", "<(a)\n! ! probe <(a)"},
		// ends-the-shell
		{"stdin-i", "probe a; exit 3"},
		// interactive-shell
		{"stdin-i", "probe $-"},
		// return-from-source
		{"source-file", "return 5"},
		// ignored-signal
		{"source-file", "kill -15 $$"},
		// trace
		{"source-file", "set -x || probe 'a'"},
		// debug-trap
		{"source-file", "trap 'probe d' DEBUG || probe 'a'"},
		// exit-trap
		{"source-file", "trap 'probe d' EXIT || probe 'a'"},
		// place-in-the-wrapper
		{"source-file", "probe $_"},
	} {
		for _, j := range js {
			c := Case{Command: []byte(test.command)}
			if test.path == "source-file" {
				c = sessionRow{session: test.command}.commands()
			}
			o := check(t, j, test.path, c)
			if o.Verdict != Same {
				t.Errorf("%s on %s, %q: %s %s %s", test.path, j.Shell.ID, test.command, o.Verdict, o.Class, o.Reason)
			}
			met[o.Class] = true
		}
	}
	for _, c := range Classes {
		if !met[c.Name] {
			t.Errorf("%s was not met on any shell at hand", c.Name)
		}
	}
	for _, test := range []struct{ path, command string }{
		{"pty", "kill -15 $$ || probe 'a\tb'"},
		{"pty", "set -x || probe 'a\tb'"},
		{"pty", "trap 'probe d' DEBUG || probe 'a\tb'"},
		{"pty", "probe $_ 'a\tb'"},
		{"pty", "probe 'is it?' 'a\tb'"},
		{"pty", "echo a\n\\\n"},
	} {
		j := js[0]
		if o := check(t, j, test.path, sessionRow{session: test.command}.commands()); o.Verdict != Differs {
			t.Errorf("%s on %s, %q: %s, explained as %s", test.path, j.Shell.ID, test.command, o.Verdict, o.Class)
		}
	}
	// The classes look at what differs, not only at the command.
	for _, command := range []string{"declare >f; probe '!'", "probe '!' <(:)", "set -e; probe '!'", "probe '!' '"} {
		o := check(t, js[0], "sandbox@1.8.3", Case{Command: []byte(command)})
		if strings.HasSuffix(command, " '") {
			continue // does not run at all
		}
		if o.Verdict != Differs {
			t.Errorf("%q: %s, explained as %s", command, o.Verdict, o.Class)
		}
	}
}

func TestSetsErrexit(t *testing.T) {
	for text, want := range map[string]bool{
		"set -e": true, "set -eu; x": true, "set -o errexit": true, "set -u -e": true, "eval 'set -ex'": true,
		"set -- -e": false, "set -u": false, "settle -e": false, "echo set": false, "set x -e": false,
	} {
		if got := setsErrexit([]byte(text)); got != want {
			t.Errorf("setsErrexit(%q) = %v", text, got)
		}
	}
}

func TestOlder(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{{"3.2.57", "4.4", true}, {"4.4.23", "4.4", false}, {"4.3.9", "4.4", true}, {"5.10.1", "5.3", false}, {"5.2.15", "5.3", true}} {
		if got := Older(test.a, test.b); got != test.want {
			t.Errorf("Older(%s, %s) = %v", test.a, test.b, got)
		}
	}
}

// actingHome opens, when it is first needed, a home in which programs act.
func actingHome(t testing.TB, s home.Shell) func(context.Context) (home.Home, error) {
	l := home.NewLazy(home.Namespaces, s.Acting())
	t.Cleanup(func() { l.Close() })
	return l.Open
}
