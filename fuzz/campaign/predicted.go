package campaign

import (
	"cmp"
	"maps"
	"slices"

	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/oracles/exposure"
	"github.com/argvdiff/argvdiff/oracles/home"
)

// Predicted is what history expansion of bash 3.2 is predicted to do with sessions
// of a campaign that had no such shell. Nothing of it was observed.
type Predicted struct {
	// Fate is "discarded", "rewritten" or "continued".
	Fate string `json:"fate"`
	// Path is the one that the prediction is for.
	Path string `json:"path"`
	// Count counts the sessions with such a line. Session is the first of them, of
	// case number Case, Line the index of the command in it, and Event the text
	// that is expanded.
	Count   uint64   `json:"count"`
	Case    uint64   `json:"case"`
	Session [][]byte `json:"session"`
	Line    int      `json:"line"`
	Event   []byte   `json:"event"`
}

// predicts reports whether predictions are all that can be had of bash 3.2.
func (r *runner) predicts() bool {
	return !slices.ContainsFunc(r.config.Shells, func(s home.Shell) bool { return oracles.Foretells(s.Version) })
}

// predict counts what is predicted of the sessions of a part.
func (r *runner) predict(subjects []subject) {
	for _, s := range subjects {
		if s.Session == nil {
			continue
		}
		for _, p := range s.paths {
			list := oracles.Predict(p, s.Case)
			i := slices.IndexFunc(list, func(e oracles.Prediction) bool { return e.Sure && e.Fate != exposure.Untouched })
			if i < 0 {
				continue
			}
			e := list[i]
			key := p.Name + " " + string(e.Fate)
			m, ok := r.state.Predicted[key]
			if !ok {
				m = Predicted{Fate: string(e.Fate), Path: p.Name, Case: s.number, Session: s.Input(), Line: e.Line, Event: []byte(e.Event)}
			}
			m.Count++
			r.state.Predicted[key] = m
		}
	}
}

// listed returns the predictions in an order of their own.
func listed(m map[string]Predicted) []Predicted {
	list := slices.Collect(maps.Values(m))
	slices.SortFunc(list, func(a, b Predicted) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Fate, b.Fate)) })
	return list
}
