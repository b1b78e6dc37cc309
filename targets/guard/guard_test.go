package guard

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"
)

// recorded calls each for every line of a compressed file in testdata, decoded, and
// returns how many those were.
func recorded[T any](t *testing.T, name string, each func(T)) (rows int) {
	f, err := os.Open("testdata/" + name)
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
	for ; lines.Scan(); rows++ {
		var r T
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		each(r)
	}
	return rows
}

// recordedRows is how many verdicts of the modelled guard testdata holds.
const recordedRows = 23000

// Every verdict that was recorded of the modelled guard's revisions is the same here.
func TestRecorded(t *testing.T) {
	type row struct {
		Rev, Goos, Command string
		Input              []byte
		Interactive        bool
	}
	wrong := 0
	rows := recorded(t, "interactive-guard.jsonl.gz", func(r row) {
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
	})
	if rows != recordedRows || wrong > 0 {
		t.Errorf("%d of %d rows are wrong, want none of %d", wrong, rows, recordedRows)
	}
}
