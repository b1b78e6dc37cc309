package campaign

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/argvdiff/argvdiff/corpus"
	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/targets/path"
)

// Known maps the signatures of known faults on one shell to their names.
type Known map[finding.Signature]string

// A Gone is a known fault that does not show any more.
type Gone struct {
	Name  string `json:"name"`
	Path  string `json:"path"`
	Shell string `json:"shell"`
}

// Learn runs the known faults in the judge's home and returns the signatures
// that they have there, and those that should show and do not.
func Learn(ctx context.Context, j *oracles.Judge, faults []corpus.Fault) (Known, []Gone, error) {
	known := make(Known)
	var gone []Gone
	for _, f := range faults {
		p, ok := path.Lookup(f.Path)
		if !ok {
			return nil, nil, fmt.Errorf("the known fault %s names the unknown path %q", f.Name, f.Path)
		}
		o, err := j.Glance(ctx, p, CaseOf(f))
		if err != nil {
			return nil, nil, err
		}
		if o.Verdict == oracles.Differs {
			s := oracles.Sign(CaseOf(f), o)
			if _, taken := known[s]; !taken {
				known[s] = f.Name
			}
		} else if f.Shows(j.Shell.Version) && o.Verdict != oracles.NotRun {
			gone = append(gone, Gone{f.Name, f.Path, j.Shell.ID})
		}
	}
	return known, gone, nil
}

// Find returns the names of those of the signatures, seen in the judge's home on
// the paths, that a known fault has there.
func Find(ctx context.Context, j *oracles.Judge, paths []path.Path, seen []finding.Signature) (Known, error) {
	missing := make(map[finding.Signature]bool)
	for _, s := range seen {
		missing[s] = true
	}
	found := make(Known)
	for _, f := range FaultsOf(paths, corpus.Faults()) {
		if len(missing) == 0 {
			break
		}
		known, _, err := Learn(ctx, j, []corpus.Fault{f})
		if err != nil {
			return nil, err
		}
		for s, name := range known {
			if missing[s] {
				found[s] = name
				delete(missing, s)
			}
		}
	}
	return found, nil
}

// FaultsOf returns those of the faults that are of the families of the paths: no
// other fault can have the signature of a difference there.
func FaultsOf(paths []path.Path, faults []corpus.Fault) []corpus.Fault {
	families := make(map[string]bool)
	for _, p := range paths {
		families[p.Family] = true
	}
	var some []corpus.Fault
	for _, f := range faults {
		if p, ok := path.Lookup(f.Path); ok && families[p.Family] {
			some = append(some, f)
		}
	}
	return some
}

// CaseOf returns the case of a known fault.
func CaseOf(f corpus.Fault) oracles.Case { return oracles.NewCase(f.Kind, f.Input) }

// learn replays the faults of the chosen paths on every shell, some shells at
// the same time.
func (r *runner) learn(ctx context.Context) error {
	faults := FaultsOf(r.config.Paths, r.config.Faults)
	if r.config.Progress != nil && len(faults) > 0 {
		r.config.Progress(Progress{Replaying: len(faults)})
	}
	type lesson struct {
		known Known
		gone  []Gone
		err   error
	}
	lessons := make([]lesson, len(r.config.Shells))
	turns := make(chan struct{}, r.config.Workers)
	var all sync.WaitGroup
	for i, shell := range r.config.Shells {
		all.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			l := &lessons[i]
			for range 3 { // while homes fail, which is no fault of a path
				h, err := openHome(ctx, r.config.Kind, shell)
				if err != nil {
					l.err = err
					return
				}
				acting := home.NewLazy(r.config.Kind, shell.Acting())
				l.known, l.gone, l.err = Learn(ctx, &oracles.Judge{Home: h, Shell: shell, Acting: acting.Open}, faults)
				h.Close()
				acting.Close()
				var fault *home.Fault
				if !errors.As(l.err, &fault) {
					return
				}
				r.mu.Lock()
				r.state.InfraFaults++
				r.mu.Unlock()
			}
		})
	}
	all.Wait()
	r.known = make(map[string]Known)
	for i, l := range lessons {
		if l.err != nil {
			return l.err
		}
		r.known[r.config.Shells[i].ID] = l.known
		r.gone = append(r.gone, l.gone...)
	}
	return nil
}
