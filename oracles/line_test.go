package oracles

import (
	"strings"
	"testing"

	"github.com/argvdiff/argvdiff/oracles/wire"

	"github.com/argvdiff/argvdiff/oracles/exposure"
	"github.com/argvdiff/argvdiff/targets/path"
	"github.com/argvdiff/argvdiff/targets/pty"
)

// What becomes of the line of a tool on the standard input of bash -i, by what
// its command holds. Old is bash 3.2.
func TestLines(t *testing.T) {
	for _, test := range []struct {
		command  string
		old, new string // the fate, or the class that explains it
	}{
		{"probe 'a b'; echo x; (exit 3)", "same", "same"},
		{"probe a | cat; false", "same", "same"},
		{"echo 'hello!world'", "discarded", "same"},
		{"cat <<'EOF'\n#!/bin/bash\nhello\nEOF", "discarded", "same"},
		{"cat <<EOF\nif (!m) { console.log('matched') }\nEOF", "same", "same"},
		{"printf '%s\\n' --files -g '!node_modules'", "discarded", "same"},
		{"echo \"a!b\"", "same", "same"},
		{"! probe 'x'", "same", "same"},
		{"echo 'x!#y'", "continued", "same"},
		{"probe 'é!a'", "continued", "same"},
		{"echo 'a' # !foo", "same", "same"},
		{"probe 'x' !#:0", "rewritten", "same"},
		{"exit 3", "ends-the-shell", "ends-the-shell"},
		{"exec probe x", "ends-the-shell", "ends-the-shell"},
		{"printf() { :; }; probe a", "marker-lost", "marker-lost"},
		{"exec >/dev/null; probe a", "marker-lost", "marker-lost"},
		{"probe $((1/0)); probe b", "same", "same"},
		{"probe $-", "interactive-shell", "interactive-shell"},
		{"probe 'a", "syntax-status", "syntax-status"},
		{"probe 'a\tb'", "ran", "ran"},
		{"while :; do :; done", "unstable", "unstable"},
	} {
		for _, j := range judges(t) {
			o := check(t, j, "stdin-i", Case{Command: []byte(test.command)})
			got := string(o.Verdict)
			switch {
			case o.Class != "":
				got = o.Class
			case o.Verdict == Differs:
				got = o.Fate()
			}
			want := test.new
			if Older(j.Shell.Version, "4.0") {
				want = test.old
			}
			// Syntax errors have one status in most versions.
			if got != want && !(want == "syntax-status" && got == "same") {
				t.Errorf("%q on %s: %s, want %s; %s", test.command, j.Shell.ID, got, want, o.Stderr)
			}
		}
	}
}

// On a real bash 3.2 the predictor is right about generated commands too.
func TestPredictorOnGeneratedCommands(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 60
	}
	p, _ := path.Lookup("stdin-i")
	for _, j := range judges(t) {
		if !Older(j.Shell.Version, "4.0") {
			continue
		}
		fired := 0
		for _, c := range generated(n, true) {
			// The line editor changes the line first where there is anything for it.
			if strings.ContainsFunc(string(c.Command), func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f || r >= 0x80 }) {
				continue
			}
			predicted := exposure.Predict([]byte(pty.Wrap(string(c.Command), path.LineID)), exposure.State{UTF8: true})
			o, err := j.Glance(t.Context(), p, c)
			if err != nil {
				t.Fatal(err)
			}
			if o.Observed == nil || o.Verdict == Unstable {
				continue
			}
			seen := o.Fate() == wire.Discarded || o.Fate() == wire.Rewritten || o.Fate() == wire.Continued
			if fires := predicted.At >= 0; fires != seen {
				t.Errorf("%q: predicted %+v, the line is %s: %s", c.Command, predicted, o.Fate(), o.Stderr)
			}
			if seen {
				fired++
			}
		}
		if fired < n/20 {
			t.Errorf("only %d of %d lines fired", fired, n)
		}
	}
}
