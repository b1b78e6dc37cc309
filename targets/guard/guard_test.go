package guard

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"
)

// recordedRows is how many verdicts of the modelled guard testdata holds.
const recordedRows = 23000

// Every verdict that was recorded of the modelled guard's revisions is the same here.
func TestRecorded(t *testing.T) {
	f, err := os.Open("testdata/interactive-guard.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	rows, wrong := 0, 0
	for lines.Scan() {
		var r struct {
			Rev, Goos, Command string
			Input              []byte
			Interactive        bool
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows++
		g, ok := Lookup("guard@" + r.Rev)
		if !ok {
			t.Fatalf("no guard for %q", r.Rev)
		}
		name, hit := g.Judge(string(r.Input), r.Goos)
		if !hit {
			name = ""
		}
		if hit != r.Interactive || name != r.Command {
			if wrong++; wrong <= 20 {
				t.Errorf("%s on %s of %q: %q, recorded %q", r.Rev, r.Goos, r.Input, name, r.Command)
			}
		}
	}
	if rows != recordedRows || wrong > 0 {
		t.Errorf("%d of %d rows are wrong, want none of %d", wrong, rows, recordedRows)
	}
}
