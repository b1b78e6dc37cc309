package oracles

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/argvdiff/argvdiff/oracles/agent"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
)

func TestMain(m *testing.M) {
	agent.Main()
	os.Exit(m.Run())
}

// recordedRows is how many runs of real shells testdata holds.
const recordedRows = 18555

// A recording is one run of a real shell, as recorded elsewhere.
type recording struct {
	Shell   string
	Path    string
	Command []byte
	Argv    [][][]byte
	Stdin   [][]byte
	Stdout  []byte
	Status  int
}

func (r recording) observation() wire.Observation {
	o := wire.Observation{Records: []wire.Record{}, Stdout: r.Stdout, Status: r.Status}
	for i, argv := range r.Argv {
		o.Records = append(o.Records, wire.Record{Argv: argv, Stdin: r.Stdin[i]})
	}
	return o
}

func recordings(t *testing.T) []recording {
	f, err := os.Open("testdata/command-observations.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all []recording
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var r recording
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	if len(all) != recordedRows {
		t.Fatalf("read %d recordings, want %d", len(all), recordedRows)
	}
	return all
}

// recordedPaths are our names of the recorded paths.
var recordedPaths = map[string]string{
	"argv": "argv", "posix-eval": "posix-eval", "ansic-eval": "ansi-c-eval",
	"sandbox-1.8.3": "sandbox@1.8.3", "sandbox-1.12.0": "sandbox@1.12.0",
}

// recordedAs returns the recorded version that a shell is compared with.
func recordedAs(version string) string {
	switch {
	case strings.HasPrefix(version, "3.2."):
		return "3.2.57"
	case Older(version, "5.2"):
		return ""
	case Older(version, "5.3"):
		return "5.2.37"
	}
	return "5.3"
}

// explained are the rows in which a shell at hand legitimately differs from the
// recorded one, with the reason.
var explained = []struct {
	reason string
	holds  func(version string, r recording) bool
}{
	{
		"the recording could make files in /dev, which a home does not allow",
		func(_ string, r recording) bool {
			return bytes.Contains(r.Command, []byte(">/dev/null'")) || bytes.Contains(r.Command, []byte(">/dev/null\\"))
		},
	},
	{
		"bash -c of 5.2.15 ends with status 0 on a syntax error inside [[ ]], where 5.2.37 ends with 2",
		func(version string, r recording) bool {
			return version == "5.2.15" && r.Path == "argv" && bytes.HasPrefix(r.Command, []byte("[[ a "))
		},
	},
}

// Every run that was recorded on a real shell shows the same here, on each
// shell at hand of that version: the recorded argv, standard input, output and
// status, with the recorded wrapper.
func TestRecorded(t *testing.T) {
	all := recordings(t)
	found, err := home.Survey(t.Context(), home.Namespaces)
	if err != nil {
		t.Fatal(err)
	}
	replayed := 0
	for _, c := range found {
		as := recordedAs(c.Version)
		if c.Reason != "" || as == "" {
			t.Logf("not compared: %s (%s) %s", c.ID, c.Path, c.Reason)
			continue
		}
		replayed++
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			shell := c.Shell
			shell.Names = []string{"probe", "git", "node", "vim", "rg", "cat"}
			var rows []recording
			for _, r := range all {
				if r.Shell == as {
					rows = append(rows, r)
				}
			}
			if testing.Short() {
				rows = rows[:500]
			}
			replay(t, shell, rows)
		})
	}
	if replayed == 0 {
		t.Error("no shell at hand is of a recorded version: the recordings were not replayed")
	}
}

func replay(t *testing.T, shell home.Shell, rows []recording) {
	h, err := home.Namespaces.Open(context.Background(), shell)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	// The recorded wrapper writes into the working folder.
	site := path.Site{Shell: "bash", CwdFile: "cwd.txt"}
	var mu sync.Mutex
	differ, because := 0, make(map[string]int)
	for len(rows) > 0 {
		some := rows[:min(64, len(rows))]
		rows = rows[len(some):]
		var requests []wire.Request
		for _, r := range some {
			p, ok := path.Lookup(recordedPaths[r.Path])
			if !ok {
				t.Fatalf("the recorded path %q is unknown", r.Path)
			}
			d, err := p.Deliver(r.Command, site)
			if err != nil {
				t.Fatal(err)
			}
			requests = append(requests, wire.Request{Argv: d.Argv, Limits: wire.Limits{CPU: wire.DefaultCPU * 20}})
		}
		results, err := h.Run(context.Background(), requests...)
		if err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		for i, got := range results {
			if got.Observation.Equal(some[i].observation()) {
				continue
			}
			known := false
			for _, e := range explained {
				if e.holds(shell.Version, some[i]) {
					because[e.reason]++
					known = true
					break
				}
			}
			if known {
				continue
			}
			differ++
			if differ <= 20 {
				t.Errorf("%s: %q\n got %s\nwant %s", some[i].Path, some[i].Command, show(got.Observation), show(some[i].observation()))
			}
		}
		mu.Unlock()
	}
	for reason, n := range because {
		t.Logf("%d rows differ: %s", n, reason)
	}
	if differ > 0 {
		t.Errorf("%d rows differ", differ)
	}
}

func show(o wire.Observation) string {
	var b strings.Builder
	for _, r := range o.Records {
		fmt.Fprintf(&b, "%q<%q ", r.Argv, r.Stdin)
	}
	fmt.Fprintf(&b, "out %q status %d %s", o.Stdout, o.Status, o.Ended)
	return b.String()
}
