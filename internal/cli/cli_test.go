package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/oracles/agent"
	"github.com/argvdiff/argvdiff/oracles/home"
)

// roles are what this test binary does instead of its tests where argv[0] is
// such a name: argvdiff itself, and argvdiff on a machine that lacks something.
var roles = map[string]func(){
	"argvdiff": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
}

func TestMain(m *testing.M) {
	agent.Main()
	if _, ok := roles[filepath.Base(os.Args[0])]; !ok {
		// What an engine on this machine has is the business of its own tests.
		os.Setenv(home.RuntimeVariable, "none")
	}
	testscript.Main(m, roles)
}

// as returns a command that is this test binary in a role.
func as(role string, args ...string) *exec.Cmd {
	cmd := exec.Command("/proc/self/exe", args...)
	cmd.Args[0] = role
	return cmd
}

// answer is what a run of the command line has said.
type answer struct {
	stdout, stderr string
	code           int
}

// ask lets a command run to its end.
func ask(t testing.TB, cmd *exec.Cmd) answer {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return answer{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// survey finds the shells of this machine, once.
var survey = sync.OnceValues(func() ([]home.Candidate, error) {
	return home.Survey(context.Background(), home.Namespaces)
})

// usable returns the shells that can be used here. Without any there is nothing
// that could be tested.
func usable(t testing.TB) []home.Shell {
	t.Helper()
	all, err := survey()
	if err != nil && runtime.GOOS != "linux" {
		t.Skipf("not run: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	shells, _, err := home.Choose(all, "all")
	if err != nil {
		t.Fatal(err)
	}
	return shells
}

// expectError reports what is wrong with an error that should be one line, begin
// with the name of the program, and match the pattern.
func expectError(stderr, pattern string) error {
	re, err := regexp.Compile(pattern)
	switch {
	case err != nil:
		return err
	case !strings.HasPrefix(stderr, "argvdiff: ") || strings.Count(stderr, "\n") != 1 || !strings.HasSuffix(stderr, "\n"):
		return fmt.Errorf("this is no line that begins with argvdiff: %q", stderr)
	case !re.MatchString(strings.TrimSuffix(stderr, "\n")):
		return fmt.Errorf("the error %q does not match %q", stderr, pattern)
	}
	return nil
}

func TestScripts(t *testing.T) {
	shells := usable(t)
	old := slices.IndexFunc(shells, func(s home.Shell) bool { return oracles.Older(s.Version, "4.4") })
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			// S is the shell that scripts use where one is enough.
			e.Setenv("S", shells[0].ID)
			e.Setenv(home.RuntimeVariable, "none")
			if old >= 0 {
				e.Setenv("OLD", shells[old].ID)
			}
			e.Setenv(home.ShellsVariable, os.Getenv(home.ShellsVariable))
			e.Setenv("LINES", "a\nb")
			if file, err := exec.LookPath("true"); err == nil {
				e.Setenv("TRUE", file)
			}
			return nil
		},
		RequireExplicitExec: true,
		Condition: func(cond string) (bool, error) {
			if cond == "old" {
				return old >= 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits,
			"fails": fails,
			"keys":  keys,
			"bytes": writeBytes,
		},
	})
}

// exits runs a command and expects its exit code: exits 1 argvdiff ... Codes
// that depend on which faults are known already are written 0|1.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE[|CODE] COMMAND ...")
	}
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit := new(exec.ExitError)
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if !slices.Contains(strings.Split(args[0], "|"), strconv.Itoa(code)) {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// fails runs a command that cannot do what it is asked: fails PATTERN argvdiff
// ... The exit code is 2 and standard error one line that matches.
func fails(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: fails PATTERN COMMAND ...")
	}
	exits(ts, false, append([]string{"2"}, args[1:]...))
	ts.Check(expectError(ts.ReadFile("stderr"), args[0]))
}

// keys expects that each line of standard output is a JSON object that has these
// keys and no others. A key that ends in ? may be missing.
func keys(ts *testscript.TestScript, neg bool, args []string) {
	out := ts.ReadFile("stdout")
	if neg || out == "" {
		ts.Fatalf("usage: keys KEY ... behind a command that prints JSON")
	}
	for line := range strings.Lines(out) {
		var object map[string]json.RawMessage
		ts.Check(json.Unmarshal([]byte(line), &object))
		for _, key := range args {
			key, optional := strings.CutSuffix(key, "?")
			if _, ok := object[key]; !ok && !optional {
				ts.Fatalf("no key %s in %s", key, line)
			}
			delete(object, key)
		}
		if len(object) > 0 {
			ts.Fatalf("unexpected keys %q in %s", slices.Sorted(maps.Keys(object)), line)
		}
	}
}

// writeBytes writes a file of any bytes: bytes FILE LITERAL [COUNT].
func writeBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: bytes FILE LITERAL [COUNT]")
	}
	text, err := strconv.Unquote(args[1])
	ts.Check(err)
	n := 1
	if len(args) == 3 {
		n, err = strconv.Atoi(args[2])
		ts.Check(err)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(text, n)), 0o666))
}
