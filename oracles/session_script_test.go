package oracles

import (
	"testing"

	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/targets/path"
)

// The script of a session's finding shows the fault where it is, and nothing on
// a path without it.
func TestSessionScripts(t *testing.T) {
	session := func(commands ...string) Case { return Case{Session: list(commands...)} }
	for _, j := range judges(t) {
		old := Older(j.Shell.Version, "4.0")
		repro, err := home.OpenRepro(t.Context(), j.Shell)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			path, cured string
			c           Case
			old         bool // shows on bash 3.2 only
		}{
			{"pty", "pty-noediting", session("probe 'a\tb'"), false},
			{"pty", "pty-noediting", session("printf 'x\ry\n'; probe 'a\tb'; nosuch"), false},
			{"pty", "pty-histoff", session("probe 'a!b'"), true},
			{"pty-noediting", "source-file", session("printf '%s\\n' seed", "probe 'x' '!!'"), true},
		} {
			if test.old && !old {
				continue
			}
			run := func(name string, f finding.Finding) int {
				p, _ := path.Lookup(name)
				script, err := j.Script(t.Context(), p, test.c, f, path.Site{Shell: "bash", CwdFile: "/dev/null", LineFile: "../line"})
				if err != nil {
					t.Fatal(err)
				}
				r, err := repro.Run(t.Context(), script)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%s on %s: %s%s", name, j.Shell.ID, r.Stdout, r.Stderr)
				return r.Status
			}
			p, _ := path.Lookup(test.path)
			outcomes, err := j.Check(t.Context(), []path.Path{p}, test.c)
			if err != nil || outcomes[0].Verdict != Differs {
				t.Fatalf("%s %q: %v, %v", test.path, test.c.Session, outcomes[0].Verdict, err)
			}
			f := finding.Finding{ID: "0123456789ab", Class: "made for a test", Path: test.path, Expected: *outcomes[0].Expected, Observed: *outcomes[0].Observed}
			if status := run(test.path, f); status != 1 {
				t.Errorf("%s on %s %q: the script exits with %d", test.path, j.Shell.ID, test.c.Session, status)
			}
			if status := run(test.cured, f); status != 0 {
				t.Errorf("%s on %s %q: the script exits with %d, want 0", test.cured, j.Shell.ID, test.c.Session, status)
			}
		}
		repro.Close()
	}
}
