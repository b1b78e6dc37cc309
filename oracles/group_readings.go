package oracles

import (
	"context"

	"github.com/argvdiff/argvdiff/targets/path"
)

// readTogether is how many commands are read at once: their runs are one question to
// a home.
const readTogether = 64

// readings judges what is read in commands.
func (w *work) readings(ctx context.Context) error {
	for from := 0; from < len(w.cases); from += readTogether {
		some := w.cases[from:min(from+readTogether, len(w.cases))]
		all, _, err := w.readAll(ctx, w.paths, some)
		if err != nil {
			return err
		}
		for i, outcomes := range all {
			for on, o := range outcomes {
				w.tallies[on].read(o)
				if o.Verdict != Differs {
					w.tallies[on].count(o)
					continue
				}
				w.suspectOutcome(from+i, on, o)
			}
		}
	}
	return nil
}

// read counts what a guard has said.
func (t *Tally) read(o Outcome) {
	if o.Path.Reading.Oracle != path.Executed || o.Reading == nil {
		return
	}
	if t.Readings == nil {
		t.Readings = make(map[string]int)
	}
	class := o.Reading.Class
	if o.Class == Limit {
		class = Limit
	}
	t.Readings[class]++
}
