package finding

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
)

var update = flag.Bool("update", false, "write the golden files")

// bang is the fault that argvdiff was written for.
func bang(t testing.TB) (Finding, path.Delivery) {
	expected, observed := ran(record("probe", "a!b")), ran(record("probe", `a\!b`))
	s := Sign(Command, "sandbox", byteStrings("probe 'a!b'"), expected, observed)
	return Finding{
		ID: s.ID(), Class: s.Class(), Kind: Command, Path: "sandbox@1.8.3", Input: byteStrings("probe 'a!b'"),
		Expected: expected, Observed: observed, Fate: "ran", Differ: []string{"bash-5.2.15"},
	}, deliver(t, "sandbox@1.8.3", "probe 'a!b'")
}

// made returns a finding whose expectation is what it says.
func made(expected wire.Observation) Finding {
	return Finding{ID: "0123456789ab", Class: "made for a test", Kind: Command, Path: "argv", Expected: expected, Fate: "ran"}
}

func everyByte() string {
	b := make([]byte, 255)
	for i := range b {
		b[i] = byte(i + 1)
	}
	return string(b)
}

// run executes a script with an interpreter of sh scripts and returns what it
// printed and its status.
func run(t *testing.T, interpreter []string, script []byte, args ...string) (string, int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "finding.sh")
	if err := os.WriteFile(file, script, 0o755); err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, interpreter[0], append(append(interpreter[1:len(interpreter):len(interpreter)], file), args...)...)
	c.Env = append(os.Environ(), "TMPDIR="+temp)
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("the script left files behind: %v %v", left, err)
	}
	return string(out), c.ProcessState.ExitCode()
}

// interpreters are the sh implementations at hand.
func interpreters(t *testing.T) map[string][]string {
	t.Helper()
	list := map[string][]string{}
	seen := map[string]bool{}
	for _, words := range [][]string{{"sh"}, {"dash"}, {"bash"}, {"busybox", "sh"}, {"mksh"}} {
		file, err := exec.LookPath(words[0])
		if err != nil {
			t.Logf("not run: no %s on PATH", words[0])
			continue
		}
		if real, err := filepath.EvalSymlinks(file); err == nil && !seen[real] {
			seen[real] = true
			list[words[0]] = words
		}
	}
	return list
}

func TestScriptTellsWhetherTheFaultIsThere(t *testing.T) {
	hostBash(t)
	fault, faultText := bang(t)
	all := everyByte()
	big := strings.Repeat("0123456789abcdef", 4096)
	cases := []struct {
		name     string
		f        Finding
		d        path.Delivery
		status   int
		contains []string
	}{
		{"the bang fault", fault, faultText, 1, []string{"expected:\n  argv: [probe] [a!b]  stdin: []\n  stdout: []\n  status: 0\n", "got:\n  argv: [probe] [a\\!b]  stdin: []\n"}},
		{"the same repaired", fault, deliver(t, "sandbox@1.11.0", "probe 'a!b'"), 0, []string{"as expected"}},
		{"three nested levels", fault, deliver(t, "sandbox@1.8.3/L3", "probe 'a!b'"), 1, []string{`[a\!b]`}},
		{"three repaired levels", fault, deliver(t, "sandbox@1.11.0/L3", "probe 'a!b'"), 0, nil},
		{"every byte", made(ran(record("probe", all))), deliverPayload(t, "quote:posix", all), 0, []string{"[" + Quote([]byte(all)) + "]"}},
		{"every byte through dollar quotes", made(ran(record("probe", all))), deliverPayload(t, "quote:ansi-c-octal", all), 0, nil},
		{"all of ASCII through the launchers", made(ran(record("probe", all[:127]+"é"))), deliverPayload(t, "sandbox@1.11.0/L3", all[:127]+"é"), 0, nil},
		{"one byte less", made(ran(record("probe", all[1:]))), deliverPayload(t, "quote:posix", all), 1, nil},
		{"empty arguments", made(ran(record("probe", "", "a", ""))), deliver(t, "argv", "probe '' a ''"), 0, []string{"[probe] [] [a] []"}},
		{"one empty argument too many", made(ran(record("probe", "a"))), deliver(t, "argv", "probe a ''"), 1, nil},
		{"no arguments", made(ran(record("probe"))), deliver(t, "argv", "probe"), 0, nil},
		{"lines and controls", made(ran(record("probe", "a\nb\n\n", "\x01\x02\t\x7f\r"))), deliverPayload(t, "quote:posix", "a\nb\n\n", "\x01\x02\t\x7f\r"), 0,
			[]string{`[a\nb\n\n] [\x01\x02\t\x7f\r]`}},
		{"backslashes", made(ran(record("probe", `\`, `\\`, `\n`, "\\\n", `\!`, `%s%%`, `-n`, `\é`))), deliverPayload(t, "quote:posix", `\`, `\\`, `\n`, "\\\n", `\!`, `%s%%`, `-n`, `\é`), 0,
			[]string{`[\\] [\\\\] [\\n] [\\\n] [\!] [%s%%] [-n] [\\\xc3\xa9]`}},
		{"quotes and words", made(ran(record("probe", "it's é"))), deliver(t, "argv", `probe "it's é"`), 0, []string{`[it's \xc3\xa9]`}},
		{"a pipeline", made(ran(record("probe"), wire.Record{Argv: byteStrings("probe", "z"), Stdin: []byte("a\x00b\n\n")})),
			deliver(t, "argv", `printf 'a\0b\n\n' | probe z; probe`), 0, []string{`[probe] [z]  stdin: [a\x00b\n\n]`}},
		{"a pipeline with another stdin", made(ran(wire.Record{Argv: byteStrings("probe"), Stdin: []byte("a")})), deliver(t, "argv", `printf 'b' | probe`), 1, nil},
		{"a closed stdin", made(ran(wire.Record{Argv: byteStrings("probe")})), deliver(t, "argv", `probe <&-`), 0, []string{"stdin: unreadable"}},
		{"a long stdin", made(ran(wire.Record{Argv: byteStrings("cat"), Stdin: []byte(big), StdinCut: true})),
			deliver(t, "argv", `v=0123456789abcdef; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do v=$v$v; done; printf %s "$v" | cat`), 0, []string{"]... and more"}},
		{"children in the background", made(ran(record("probe", "1"), record("probe", "2"), record("node", "3"))),
			deliver(t, "argv", "node 3 & probe 2 & (probe 1 &)"), 0, nil},
		{"stdout and status", made(wire.Observation{Stdout: []byte("it's\n"), Status: 3}), deliver(t, "argv", `echo "it's"; exit 3`), 0, []string{`stdout: [it's\n]`, "status: 3"}},
		{"another stdout", made(wire.Observation{Stdout: []byte("a\n")}), deliver(t, "argv", "printf a"), 1, nil},
		{"another status", made(wire.Observation{}), deliver(t, "argv", "exit 1"), 1, []string{"no child ran"}},
		{"ended by a signal", made(wire.Observation{Status: 143}), deliver(t, "argv", "kill $$"), 0, nil},
		{"a missing child", made(ran(record("probe"))), deliver(t, "argv", ":"), 1, nil},
		{"a child with another name", made(ran(record("other", "a"))), deliver(t, "argv", "exec -a other probe a"), 0, nil},
		{"exported functions", made(ran(record("probe", "a"))), deliver(t, "argv", "printf() { :; }; test() { :; }; export -f printf test; probe a"), 0, nil},
		{"changed surroundings", made(ran(record("probe", "a"))), deliver(t, "argv", "p=$PATH; cd /; p=${p%%:*}; PATH=; IFS=7; export IFS PATH; umask 777; exec \"$p/probe\" a >&- 2>&-"), 0, nil},
	}
	for name, words := range interpreters(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, c := range cases {
				out, status := run(t, words, Script(c.f, c.d))
				if status != c.status {
					t.Errorf("%s: the script exits %d, want %d:\n%s", c.name, status, c.status, out)
				}
				for _, s := range c.contains {
					if !strings.Contains(out, s) {
						t.Errorf("%s: the script does not print %q:\n%s", c.name, s, out)
					}
				}
			}
		})
	}
}

func TestScriptEndsWhatDoesNotEnd(t *testing.T) {
	hostBash(t)
	// A shell that has stopped itself: it burns nothing.
	f := made(wire.Observation{})
	f.Observed.Ended = wire.Hung
	d := deliver(t, "argv", "trap '' TERM; kill -STOP $$")
	for name, words := range interpreters(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			out, status := run(t, words, Script(f, d))
			if status != 1 || !strings.Contains(out, "got:\n  still running after 2 s\n") {
				t.Errorf("the script exits %d:\n%s", status, out)
			}
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("the script took %v", took)
			}
		})
	}
	out, status := run(t, []string{"sh"}, Script(f, deliver(t, "argv", ":")))
	if status != 0 {
		t.Errorf("of a shell that ends, the script exits %d:\n%s", status, out)
	}
}

func TestScriptSaysWhenItCannotRun(t *testing.T) {
	script := Script(bang(t))
	notBash := filepath.Join(t.TempDir(), "bash")
	if err := os.WriteFile(notBash, []byte("#!/bin/sh\nexit 42\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, bash := range []string{"/nowhere/bash", "no-such-bash", notBash, t.TempDir()} {
		out, status := run(t, []string{"sh"}, script, bash)
		if status != 2 || !strings.Contains(out, "could not run: ") {
			t.Errorf("with %s the script exits %d: %s", bash, status, out)
		}
	}
	// Nothing on PATH: no tools, no bash.
	file := filepath.Join(t.TempDir(), "finding.sh")
	if err := os.WriteFile(file, script, 0o755); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(file)
	c.Env = []string{"PATH=" + t.TempDir()}
	if out, _ := c.CombinedOutput(); c.ProcessState.ExitCode() != 2 {
		t.Errorf("without tools the script exits %d: %s", c.ProcessState.ExitCode(), out)
	}
}

func TestScriptTakesTheNamedShell(t *testing.T) {
	bash := hostBash(t)
	wrapper := filepath.Join(t.TempDir(), "my bash")
	if err := os.WriteFile(wrapper, []byte("#!/bin/sh\nMINE=yes exec '"+bash+"' \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	script := Script(made(ran(record("probe", "yes"))), deliver(t, "argv", `probe "$MINE"`))
	if out, status := run(t, []string{"sh"}, script, wrapper); status != 0 {
		t.Errorf("with the wrapper the script exits %d:\n%s", status, out)
	}
	if out, status := run(t, []string{"sh"}, script); status != 1 {
		t.Errorf("with the bash on PATH the script exits %d:\n%s", status, out)
	}
}

func TestScriptIsStandalone(t *testing.T) {
	f, d := bang(t)
	f.Class = "it's a \n line\nrm -rf é"
	d.Layers = append(d.Layers, path.Layer{Name: "x", Text: []byte("a\nrm -rf /\n\xff")})
	script := string(Script(f, d))
	for i := range len(script) {
		if c := script[i]; c != '\n' && c != '\t' && (c < ' ' || c > '~') {
			t.Fatalf("byte %d of the script is %#x", i, c)
		}
	}
	lines := strings.Split(script, "\n")
	if lines[0] != "#!/bin/sh" || !strings.HasPrefix(lines[1], "# WARNING: this runs the text of a finding") {
		t.Errorf("the script begins with %q", lines[:2])
	}
	if strings.Contains(script, "\nrm -rf") {
		t.Error("text of the finding has become text of the script")
	}
}

func TestScriptGolden(t *testing.T) {
	file := filepath.Join("testdata", "bang.sh")
	script := Script(bang(t))
	if *update {
		if err := os.WriteFile(file, script, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(script) != string(want) {
		t.Errorf("the script is not that of %s; go test -update writes it:\n%s", file, script)
	}
}
