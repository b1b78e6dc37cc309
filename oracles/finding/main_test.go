package finding

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
)

// The test binary serves as the programs that tests start.
func TestMain(m *testing.M) {
	if file := os.Getenv("FINDING_TEST_RECORDS"); file != "" {
		os.Exit(probeMain(file))
	}
	if dir := os.Getenv("FINDING_TEST_WRITER"); dir != "" {
		os.Exit(writerMain(dir))
	}
	os.Exit(m.Run())
}

// probeMain writes down what this process was given.
func probeMain(file string) int {
	stdin, _ := io.ReadAll(os.Stdin)
	r := wire.Record{Argv: byteStrings(os.Args...), Stdin: stdin}
	line, err := json.Marshal(r)
	if err != nil {
		return 3
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 3
	}
	defer f.Close()
	if _, err := f.Write(append(line, '\n')); err != nil {
		return 3
	}
	return 0
}

func byteStrings(list ...string) [][]byte {
	b := make([][]byte, len(list))
	for i, s := range list {
		b[i] = []byte(s)
	}
	return b
}

// record is a child with an empty stdin.
func record(argv ...string) wire.Record {
	return wire.Record{Argv: byteStrings(argv...), Stdin: []byte{}}
}

func ran(records ...wire.Record) wire.Observation { return wire.Observation{Records: records} }

func printed(stdout string) wire.Observation { return wire.Observation{Stdout: []byte(stdout)} }

var testSite = path.Site{Shell: "bash", CwdFile: "/dev/null"}

func deliver(t testing.TB, name, command string) path.Delivery {
	t.Helper()
	p, ok := path.Lookup(name)
	if !ok {
		t.Fatalf("no path %s", name)
	}
	d, err := p.Deliver([]byte(command), testSite)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func deliverPayload(t testing.TB, name string, payloads ...string) path.Delivery {
	t.Helper()
	p, ok := path.Lookup(name)
	if !ok {
		t.Fatalf("no path %s", name)
	}
	d, err := p.DeliverPayloads(byteStrings(payloads...), nil, testSite)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// hostBash returns the host's shell. Only harmless, fixed texts are run in it.
func hostBash(t testing.TB) string {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("not run: no bash on PATH; install one")
	}
	return bash
}

// observe runs a delivery of a harmless command in the host's bash.
func observe(t testing.TB, d path.Delivery) wire.Observation {
	t.Helper()
	dir := t.TempDir()
	bin, file := filepath.Join(dir, "bin"), filepath.Join(dir, "records")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	os.Mkdir(bin, 0o755)
	os.Mkdir(filepath.Join(dir, "work"), 0o755)
	bash := hostBash(t)
	for name, target := range map[string]string{"bash": bash, "probe": self, "cat": self, "node": self} {
		if err := os.Symlink(target, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command(bash)
	for i, a := range d.Argv {
		if i == 0 {
			c.Args = nil
		}
		c.Args = append(c.Args, string(a))
	}
	c.Dir = filepath.Join(dir, "work")
	c.Env = []string{"PATH=" + bin, "HOME=/home/u", "LC_ALL=C.UTF-8", "FINDING_TEST_RECORDS=" + file}
	var o wire.Observation
	o.Stdout, err = c.Output()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	o.Status = c.ProcessState.ExitCode()
	lines, err := os.Open(file)
	if os.IsNotExist(err) {
		return o
	}
	if err != nil {
		t.Fatal(err)
	}
	defer lines.Close()
	for dec := json.NewDecoder(lines); ; {
		var r wire.Record
		if err := dec.Decode(&r); err == io.EOF {
			return o
		} else if err != nil {
			t.Fatal(err)
		}
		o.Records = append(o.Records, r)
	}
}
