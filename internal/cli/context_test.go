package cli

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/oracles/wire"
)

// carried is what run --json says of one command line, and its exit code.
func carried(t *testing.T, args ...string) ([]row, int) {
	t.Helper()
	a := ask(t, as("argvdiff", append([]string{"run", "--json"}, args...)...))
	if a.stderr != "" {
		t.Fatalf("%q: %s", args, a.stderr)
	}
	var rows []row
	for line := range strings.Lines(a.stdout) {
		var r row
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows, a.code
}

// contexts are the places in which a ! may stand in a command, and what becomes
// of each when the wrapper around the command is quoted again by a shell-quote
// up to 1.10.
var contexts = []struct {
	name, text      string
	direct, damaged expectation // damaged is empty where nothing is damaged
}{
	{"quotes and here-documents", "echo 'a!b' \"a!b\"; probe <<'E' && probe <<E\na!b\nE\na!b\nE",
		prints("a!b a!b\n").and("a!b\n", "probe").and("a!b\n", "probe"),
		prints("a\\!b a\\!b\n").and("a\\!b\n", "probe").and("a\\!b\n", "probe")},
	{"bare", `echo a!b; probe a!b; [ 1 != 2 ]; echo $?`, prints("a!b\n0\n").and("", "probe", "a!b"), expectation{}},
	{"backslash in single quotes", `echo 'a\!b'`, prints("a\\!b\n"), prints("a\\\\!b\n")},
	{"escaped", `echo a\!b`, prints("a!b\n"), prints("a\\!b\n")},
	{"reserved word", `! false; echo $?`, prints("0\n"), prints("127\n").error("!: command not found")},
	{"condition", `if ! false; then echo T; fi`, prints("T\n"), prints("")},
	{"test", `[[ ! -e /x ]]`, prints(""), complains("conditional")},
	{"arithmetic", `echo $((1!=2))`, prints("1\n"), complains("syntax error")},
	{"indirection", `y=z z=w; echo ${!y}`, prints("w\n"), complains("bad substitution")},
	{"program", `node -e 'console.log(1!==2)'`,
		prints("").and("", "node", "-e", "console.log(1!==2)"), prints("").and("", "node", "-e", `console.log(1\!==2)`)},
}

// An expectation is what a row of the table says of one side.
type expectation struct {
	any     bool // false: nothing is expected
	stdout  string
	records []wire.Record
	fails   bool   // with a status of the shell's choice
	stderr  string // a part of it
}

func prints(text string) expectation { return expectation{any: true, stdout: text} }

// complains expects that a command fails and prints nothing.
func complains(text string) expectation { return expectation{any: true, fails: true, stderr: text} }

// and expects one more record.
func (e expectation) and(stdin string, argv ...string) expectation {
	r := wire.Record{Stdin: []byte(stdin)}
	for _, a := range argv {
		r.Argv = append(r.Argv, []byte(a))
	}
	e.records = append(slices.Clip(e.records), r)
	return e
}

func (e expectation) error(text string) expectation { e.stderr = text; return e }

// holds reports whether the observation is as expected.
func (e expectation) holds(o *wire.Observation) bool {
	if o == nil || (o.Status != 0) != e.fails {
		return false
	}
	return o.Equal(wire.Observation{Records: e.records, Stdout: []byte(e.stdout), Status: o.Status})
}

// Every row of the table holds on every shell at hand, and each of the repairs
// mends all of them.
func TestContexts(t *testing.T) {
	shells := usable(t)
	paths := []string{"sandbox@1.8.3", "sandbox@1.10.0", "sandbox@1.12.0", "sandbox-fixed/posix", "sandbox-fixed/dq"}
	for _, c := range contexts {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rows, code := carried(t, "--path", strings.Join(paths, ","), c.text)
			if len(rows) != len(paths)*len(shells) {
				t.Fatalf("%d rows, want %d paths on %d shells", len(rows), len(paths), len(shells))
			}
			expectCode(t, rows, code)
			for _, r := range rows {
				verdict, observed := oracles.Same, c.direct
				if c.damaged.any && (r.Path == "sandbox@1.8.3" || r.Path == "sandbox@1.10.0") {
					verdict, observed = oracles.Differs, c.damaged
				}
				if r.Verdict != verdict || r.Fate != "ran" {
					t.Errorf("%s on %s: %s, %s; want %s, ran", r.Path, r.Shell, r.Verdict, r.Fate, verdict)
				}
				if !c.direct.holds(r.Expected) {
					t.Errorf("%s on %s: expected is %s, want %+v", r.Path, r.Shell, show(r.Expected), c.direct)
				}
				if !observed.holds(r.Observed) {
					t.Errorf("%s on %s: observed is %s, want %+v", r.Path, r.Shell, show(r.Observed), observed)
				}
			}
			if c.damaged.stderr == "" {
				return
			}
			// What the shell says of it is shown to people.
			a := ask(t, as("argvdiff", "run", "--shell", shells[0].ID, "--path", "sandbox@1.8.3", c.text))
			if !strings.Contains(a.stdout, c.damaged.stderr) {
				t.Errorf("%q is not in\n%s", c.damaged.stderr, a.stdout)
			}
		})
	}
}

func show(o *wire.Observation) string {
	b, err := json.Marshal(o)
	if err != nil {
		return err.Error()
	}
	if o == nil {
		return "nothing"
	}
	for _, r := range o.Records {
		for _, a := range append(r.Argv, r.Stdin) {
			b = append(append(append(b, " <"...), a...), '>')
		}
	}
	return string(bytes.Join([][]byte{b, o.Stdout}, []byte(" stdout ")))
}

// expectCode sees that the exit code says whether there is a difference that is
// not known yet.
func expectCode(t *testing.T, rows []row, code int) {
	t.Helper()
	want := exitNothing
	for _, r := range rows {
		if r.Verdict == oracles.Differs && r.Known == nil {
			want = exitFound
		}
	}
	if code != want {
		t.Errorf("exit code %d, want %d", code, want)
	}
}
