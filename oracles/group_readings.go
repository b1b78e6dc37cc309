package oracles

import "context"

// readTogether is how many commands are read at once: their runs are one question to
// a home.
const readTogether = 64

// readings judges what is read in commands.
func (w *work) readings(ctx context.Context) error {
	for from := 0; from < len(w.cases); from += readTogether {
		some := w.cases[from:min(from+readTogether, len(w.cases))]
		all, err := w.readAll(ctx, w.paths, some)
		if err != nil {
			return err
		}
		for i, outcomes := range all {
			for on, o := range outcomes {
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
