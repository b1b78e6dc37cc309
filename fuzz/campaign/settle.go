package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/argvdiff/argvdiff/corpus"
	"github.com/argvdiff/argvdiff/fuzz/shrink"
	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
)

// maxShrinkChecks bounds the minimisation of one finding.
const maxShrinkChecks = 400

// scriptSite is where the text of a reproduction runs: it names no folder.
var scriptSite = path.Site{Shell: "bash", CwdFile: "/dev/null", LineFile: "../line"}

// settle turns an entry into a finding: minimised, tried on every shell,
// scripted and written.
func (w *worker) settle(ctx context.Context, e *entry) error {
	defer func() {
		w.mu.Lock()
		w.open--
		w.mu.Unlock()
	}()
	faults := 0
	var f finding.Finding
	var script []byte
	err := w.retry(5, &faults, func() (err error) {
		f, script, err = w.minimise(ctx, e)
		return err
	})
	w.mu.Lock()
	w.state.InfraFaults += uint64(faults)
	f.Count = e.count
	if errors.Is(err, errGone) {
		// It differed twice in a row and does not any more: what differs is
		// the case, not the path.
		w.state.Unstable += e.count
		delete(w.state.Counts, e.finding.ID)
		delete(w.seen, e.finding.ID)
		delete(w.lowest, e.finding.ID)
		w.mu.Unlock()
		return nil
	}
	w.mu.Unlock()
	if errors.Is(err, errDropped) || errors.Is(err, context.Canceled) && ctx.Err() != nil {
		// It stays among what is pending, for when the campaign goes on.
		w.close()
		return nil
	}
	if err != nil {
		return fmt.Errorf("minimising the finding of case %d: %w", e.original.number, err)
	}
	if err := w.out.write(f, script); err != nil {
		return err
	}
	w.mu.Lock()
	e.finding, e.written = f, true
	w.mu.Unlock()
	if w.config.Announce != nil {
		w.config.Announce(f)
	}
	return nil
}

// minimise makes the smallest case with the signature of the entry. It returns
// its finding and the script of that.
func (w *worker) minimise(ctx context.Context, e *entry) (finding.Finding, []byte, error) {
	p := e.original.paths[0]
	judge, err := w.judge(ctx, e.shell)
	if err != nil {
		return finding.Finding{}, nil, err
	}
	// Of a session it is the last command that differs: scripts judge that one.
	same := func(c oracles.Case, o oracles.Outcome) bool {
		return o.Verdict == oracles.Differs && oracles.Sign(c, o) == e.signed && (c.Session == nil || o.Line == len(c.Session)-1)
	}
	original := e.original.Case
	if original.Session != nil {
		o, err := judge.Glance(ctx, p, original)
		if err != nil {
			return finding.Finding{}, nil, err
		}
		if o.Verdict == oracles.Differs {
			original.Session = original.Session[:o.Line+1]
		}
	}
	// One run of a candidate is enough nearly always. Where that let in one that
	// differs only at times, each candidate is run twice.
	once := func(c oracles.Case) (bool, error) {
		o, err := judge.Glance(ctx, p, c)
		return err == nil && same(c, o), err
	}
	twice := func(c oracles.Case) (bool, error) {
		o, err := judge.Check(ctx, []path.Path{p}, c)
		return err == nil && same(c, o[0]), err
	}
	// What a known fault has is small already.
	if c, ok := w.smallestKnown(e); ok {
		if kept, err := twice(c); err != nil {
			return finding.Finding{}, nil, err
		} else if kept {
			if f, script, err := w.describe(ctx, e, c); !errors.Is(err, errGone) {
				return f, script, err
			}
		}
	}
	for _, keep := range []func(oracles.Case) (bool, error){once, twice} {
		small, err := smallest(ctx, original, keep)
		if err != nil {
			return finding.Finding{}, nil, err
		}
		if f, script, err := w.describe(ctx, e, small); !errors.Is(err, errGone) {
			return f, script, err
		}
	}
	return w.describe(ctx, e, original)
}

// smallestKnown returns the case of the known fault that an entry is, if it is one.
func (w *worker) smallestKnown(e *entry) (oracles.Case, bool) {
	name, ok := w.known[w.config.Shells[e.shell].ID][e.signed]
	if !ok {
		return oracles.Case{}, false
	}
	i := slices.IndexFunc(w.config.Faults, func(f corpus.Fault) bool { return f.Name == name })
	if i < 0 {
		return oracles.Case{}, false
	}
	c := CaseOf(w.config.Faults[i])
	return c, c.Kind() == e.original.Kind()
}

// errGone says that a difference does not show any more.
var errGone = errors.New("the difference does not show any more")

// smallest shrinks a case of any kind.
func smallest(ctx context.Context, c oracles.Case, keep func(oracles.Case) (bool, error)) (oracles.Case, error) {
	opt := shrink.Options{MaxChecks: maxShrinkChecks}
	if c.Session != nil {
		// Whole commands are dropped before any is made shorter.
		list, _, err := shrink.List(ctx, c.Session, func(l [][]byte) (bool, error) {
			if len(l) == 0 {
				return false, nil
			}
			return keep(oracles.Case{Session: l})
		}, opt)
		return oracles.Case{Session: list}, err
	}
	if c.Payloads == nil {
		text, _, err := shrink.Bytes(ctx, c.Command, func(b []byte) (bool, error) {
			return keep(oracles.Case{Command: b})
		}, opt)
		return oracles.Case{Command: text}, err
	}
	list, _, err := shrink.List(ctx, c.Payloads, func(l [][]byte) (bool, error) {
		if len(l) == 0 {
			return false, nil
		}
		return keep(oracles.Case{Payloads: l})
	}, opt)
	return oracles.Case{Payloads: list}, err
}

// describe runs the minimised case on every shell and path of the family.
func (w *worker) describe(ctx context.Context, e *entry, c oracles.Case) (finding.Finding, []byte, error) {
	p := e.original.paths[0]
	f := finding.Finding{
		ID:     e.signed.ID(),
		Class:  e.signed.Class(),
		Kind:   e.signed.Kind,
		Path:   p.Name,
		Input:  c.Input(),
		Differ: []string{},
		Same:   []string{},
		Seed:   w.config.Seed,
		Case:   e.original.number,
		Repro:  finding.ReproFile(e.signed.ID()),
	}
	siblings := []path.Path{p}
	for _, other := range w.config.Paths {
		if other.Family == p.Family && other.Name != p.Name {
			siblings = append(siblings, other)
		}
	}
	// The shell on which it was met comes first.
	order := []int{e.shell}
	for i := range w.config.Shells {
		if i != e.shell {
			order = append(order, i)
		}
	}
	for _, i := range order {
		shell := w.config.Shells[i].ID
		judge, err := w.judge(ctx, i)
		if errors.Is(err, errDropped) && i != e.shell {
			continue
		}
		if err != nil {
			return f, nil, err
		}
		outcomes, err := judge.Check(ctx, siblings, c)
		if err != nil {
			return f, nil, err
		}
		for n, o := range outcomes {
			differs := o.Verdict == oracles.Differs
			if differs && !slices.Contains(f.Paths, o.Path.Name) {
				f.Paths = append(f.Paths, o.Path.Name)
			}
			switch {
			case n > 0:
			case differs:
				f.Differ = append(f.Differ, shell)
				if name, ok := w.known[shell][oracles.Sign(c, o)]; ok && f.Known == nil {
					f.Known = &name
				}
			case o.Verdict == oracles.Same:
				f.Same = append(f.Same, shell)
			}
			if n == 0 && i == e.shell {
				if !differs {
					return f, nil, errGone
				}
				f.Expected, f.Observed, f.Layers, f.Fate, f.Reading = *o.Expected, *o.Observed, o.Layers, o.Fate(), o.Reading
			}
		}
	}
	slices.Sort(f.Differ)
	slices.Sort(f.Same)
	judge, err := w.judge(ctx, e.shell)
	if err != nil {
		return f, nil, err
	}
	script, err := judge.Script(ctx, p, c, f, scriptSite)
	if err != nil {
		return f, nil, err
	}
	err = w.reproduce(ctx, e.shell, &f, script)
	return f, script, err
}

// reproduce runs the script of a finding as its reader would. A script that does
// not show the fault is a defect of ours, which the summary counts.
func (w *worker) reproduce(ctx context.Context, shell int, f *finding.Finding, script []byte) error {
	// Scripts are run on shells of this machine only, in namespaces.
	if w.config.Kind.Name == home.BareHost.Name {
		return nil
	}
	if w.config.Shells[shell].Image.Ref != "" {
		shell = slices.IndexFunc(w.config.Shells, func(s home.Shell) bool { return s.Image.Ref == "" && slices.Contains(f.Differ, s.ID) })
		if shell < 0 {
			return nil
		}
	}
	if w.repros[shell] == nil {
		r, err := home.OpenRepro(ctx, w.config.Shells[shell])
		if err != nil {
			var none *home.Unavailable
			if errors.As(err, &none) {
				return nil
			}
			return err
		}
		w.repros[shell] = r
	}
	result, err := w.repros[shell].Run(ctx, script)
	if err != nil {
		return err
	}
	shows := result.Ended == wire.Itself && result.Status == 1
	f.Reproduced = &shows
	return nil
}
