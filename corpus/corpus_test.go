package corpus

import (
	"strings"
	"testing"
)

func TestFaults(t *testing.T) {
	all := Faults()
	if len(all) < 80 {
		t.Errorf("%d faults", len(all))
	}
	names := make(map[string]bool)
	for _, f := range all {
		if names[f.Name] {
			t.Errorf("%s is there twice", f.Name)
		}
		names[f.Name] = true
		for _, in := range f.Input {
			if len(in) > 60 {
				t.Errorf("%s: an input of %d bytes is not minimal", f.Name, len(in))
			}
		}
	}
}

const good = `# a comment
name: n
path: p
input: "a\x01\n"
reference: r
why: w

name: m
path: p
kind: payload
shells: <4.0
input: ""
input: "b"
reference: r
why: w: x
`

func TestParse(t *testing.T) {
	all, err := Parse(good)
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	if f := all[0]; f.Kind != "command" || f.Shells != "all" || string(f.Input[0]) != "a\x01\n" || f.Why != "w" {
		t.Errorf("%+v", f)
	}
	if f := all[1]; f.Kind != "payload" || len(f.Input) != 2 || len(f.Input[0]) != 0 || f.Why != "w: x" {
		t.Errorf("%+v", f)
	}
	for _, bad := range []struct{ old, new, says string }{
		{"why: w\n", "", "lacks"},
		{`"a\x01\n"`, "a", "Go string literal"},
		{"kind: payload", "kind: other", "kind"},
		{"<4.0", "4.0", "bound"},
		{"<4.0", "<x", "version"},
		{"path: p", "paths: p", "unknown key"},
		{"path: p", "path", "key: value"},
		{"kind: payload", "kind: command", "2 inputs"},
	} {
		text := strings.Replace(good, bad.old, bad.new, 1)
		if text == good {
			t.Fatalf("%q changed nothing", bad.old)
		}
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), bad.says) {
			t.Errorf("with %q for %q: %v", bad.new, bad.old, err)
		}
	}
}

func TestShows(t *testing.T) {
	for _, test := range []struct {
		bound, version string
		want           bool
	}{
		{"all", "3.2.57", true},
		{"<4.0", "3.2.57", true},
		{"<4.0", "4.0.0", false},
		{">=4.4", "4.3.48", false},
		{">=4.4", "4.4.23", true},
		{">=4.4", "5.0.1", true},
	} {
		if got := (Fault{Shells: test.bound}).Shows(test.version); got != test.want {
			t.Errorf("%s on %s: %v", test.bound, test.version, got)
		}
	}
}
