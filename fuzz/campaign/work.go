package campaign

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/targets/path"
)

// A subject is a case with the paths that carry it.
type subject struct {
	number uint64
	oracles.Case
	paths []path.Path
}

// A block is a stretch of cases which a worker checks together.
type block struct {
	first uint64
	size  uint64 // how many cases
	// The cases by kind, those of one kind in the order of their numbers.
	parts [5]part
	// faults counts the homes that failed; lost the cases which could not be
	// checked because of that.
	faults, lost int
}

// A part of a block are its cases of one kind.
type part struct {
	subjects []subject
	tallies  [][]oracles.Tally // by shell
}

// work starts the workers and takes their reports in the order of the cases.
func (r *runner) work(ctx context.Context) error {
	r.next = r.state.Next
	reports := make(chan block, r.config.Workers)
	// Workers go on with what they have begun when the context ends, so that
	// an end by hand is as clean as one by the clock.
	hard, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	var workers sync.WaitGroup
	// Twice as many as may run: while one waits for its shells to end their
	// sleep, or compares, another one has its turn.
	for range 2 * r.config.Workers {
		workers.Go(func() {
			w := newWorker(r)
			defer w.close()
			w.loop(ctx, hard, reports)
		})
	}
	ticker := time.NewTicker(500 * time.Millisecond)
	defer ticker.Stop()
	done := make(chan struct{})
	var beat sync.WaitGroup
	beat.Go(func() {
		for {
			select {
			case <-ticker.C:
				r.beat()
			case <-done:
				return
			}
		}
	})
	var taken sync.WaitGroup
	taken.Go(func() { r.take(reports) })
	workers.Wait()
	close(reports)
	taken.Wait()
	close(done)
	beat.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// stop makes every worker end after what it is at.
func (r *runner) stop(err error) {
	r.mu.Lock()
	if r.err == nil {
		r.err = err
	}
	r.mu.Unlock()
}

// hand returns the number of the first of the next cases, and how many of the
// wanted ones may be begun: none, for now, where too many blocks wait for one that
// comes before them, and none any more where the campaign ends.
func (r *runner) hand(ctx context.Context, want uint64) (first, size uint64, more bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := r.deadline()
	if ctx.Err() != nil || r.err != nil || (!d.IsZero() && time.Now().After(d)) {
		return 0, 0, false
	}
	step := uint64(r.config.Shards)
	if r.config.Cases > 0 {
		if r.next > r.config.Cases {
			return 0, 0, false
		}
		want = min(want, (r.config.Cases-r.next)/step+1)
	}
	if r.handed > 8*r.config.Workers {
		return 0, 0, true
	}
	first = r.next
	r.next += want * step
	r.handed++
	return first, want, true
}

// take commits blocks in the order of their numbers, so that the first case of
// each signature is the lowest one, however many workers there are.
func (r *runner) take(blocks <-chan block) {
	waiting := make(map[uint64]block)
	next := r.state.Next
	for b := range blocks {
		waiting[b.first] = b
		for {
			b, ok := waiting[next]
			if !ok {
				break
			}
			delete(waiting, next)
			next += b.size * uint64(r.config.Shards)
			r.commit(b, next)
		}
	}
}

// commit counts a block and begins a new entry for each new signature.
func (r *runner) commit(b block, next uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.handed--
	s := &r.state
	s.Next = next
	s.Cases += b.size
	s.InfraFaults += uint64(b.faults)
	s.Lost += uint64(b.lost)
	type met struct {
		subject
		shell, path int
		oracles.Difference
	}
	var list []met
	foretell := r.predicts()
	for _, p := range b.parts {
		if foretell {
			r.predict(p.subjects)
		}
		for shell, tallies := range p.tallies {
			id := r.config.Shells[shell].ID
			for n, t := range tallies {
				r.tallyUp(id, t)
				for _, d := range t.Differences {
					list = append(list, met{p.subjects[d.Index], shell, n, d})
				}
			}
		}
	}
	slices.SortStableFunc(list, func(x, y met) int {
		return cmp.Or(cmp.Compare(x.number, y.number), cmp.Compare(x.shell, y.shell), cmp.Compare(x.path, y.path))
	})
	for _, m := range list {
		r.meet(m.subject, m.shell, m.Difference)
	}
}

// tallyUp adds what came of cases on one path and shell.
func (r *runner) tallyUp(shell string, t oracles.Tally) {
	s := &r.state
	if t.NotRun != "" {
		s.NotRun[t.Path.Name+" on "+shell] = t.NotRun
	}
	s.Refused += uint64(t.Refused)
	s.Unstable += uint64(t.Unstable)
	s.Sampled += uint64(t.Sampled)
	s.SampledMissed += uint64(t.Missed)
	s.Cleared += uint64(t.Cleared)
	for class, n := range t.Readings {
		if s.Readings == nil {
			s.Readings = make(map[string]map[string]uint64)
		}
		if s.Readings[t.Path.Name] == nil {
			s.Readings[t.Path.Name] = make(map[string]uint64)
		}
		s.Readings[t.Path.Name][class] += uint64(n)
	}
	for name, n := range t.Classes {
		s.Classes[name] += uint64(n)
	}
	if t.Checks > 0 {
		s.Checks += uint64(t.Checks)
		s.ByShell[shell] += uint64(t.Checks)
		s.ByPath[t.Path.Name] += uint64(t.Checks)
	}
}

// meet counts a difference under its signature.
func (r *runner) meet(c subject, shell int, d oracles.Difference) {
	e := r.seen[d.ID]
	if e == nil {
		// The texts of a block share their memory, which this one must not keep.
		c.Case = c.Clone()
		c.paths = []path.Path{d.Outcome.Path}
		e = &entry{signed: oracles.Sign(c.Case, d.Outcome), shell: shell, original: c}
		r.begin(e)
	}
	e.count++
	e.dirty = true
	r.state.Counts[d.ID] = e.count
}

// begin takes up a new entry and hands it to the workers.
func (r *runner) begin(e *entry) {
	e.finding.ID = e.signed.ID()
	r.seen[e.finding.ID] = e
	r.open++
	select {
	case r.jobs <- e:
	default:
		if r.err == nil {
			r.err = errors.New("more than 1024 findings wait to be minimised: the path under test fails in too many ways for one campaign")
		}
	}
}
