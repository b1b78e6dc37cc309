package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/argvdiff/argvdiff/fuzz/gen"
	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/targets/path"
)

// A subject is a case with the paths that carry it.
type subject struct {
	number uint64
	oracles.Case
	paths []path.Path
}

// A report is what a worker hands in for one case.
type report struct {
	subject
	outcomes [][]oracles.Outcome // by shell
	faults   int
	lost     string // why the case could not be checked
}

// work starts the workers and takes their reports in the order of the cases.
func (r *runner) work(ctx context.Context) error {
	r.next = r.state.Next
	reports := make(chan report, r.config.Workers)
	// Workers go on with what they have begun when the context ends, so that
	// an end by hand is as clean as one by the clock.
	hard, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	var workers sync.WaitGroup
	for range r.config.Workers {
		workers.Go(func() {
			w := &worker{runner: r, generator: gen.New(r.config.Seed), homes: make([]home.Home, len(r.config.Shells)), repros: make([]*home.Repro, len(r.config.Shells))}
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

// hand returns the number of the next case, unless no more are to be begun.
func (r *runner) hand(ctx context.Context) (number uint64, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := r.deadline()
	if ctx.Err() != nil || r.err != nil || (!d.IsZero() && time.Now().After(d)) {
		return 0, false
	}
	if r.config.Cases > 0 && r.next > r.config.Cases {
		return 0, false
	}
	number = r.next
	r.next += uint64(r.config.Shards)
	return number, true
}

// take commits reports in the order of their numbers, so that the first case
// of each signature is the lowest one, however many workers there are.
func (r *runner) take(reports <-chan report) {
	waiting := make(map[uint64]report)
	next := r.state.Next
	for rep := range reports {
		waiting[rep.number] = rep
		for {
			rep, ok := waiting[next]
			if !ok {
				break
			}
			delete(waiting, next)
			next += uint64(r.config.Shards)
			r.commit(rep, next)
		}
	}
}

// commit counts a report and begins a new entry for each new signature.
func (r *runner) commit(rep report, next uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &r.state
	s.Next = next
	s.Cases++
	s.InfraFaults += uint64(rep.faults)
	if rep.lost != "" {
		s.Lost++
		return
	}
	for shell, outcomes := range rep.outcomes {
		id := r.config.Shells[shell].ID
		for _, o := range outcomes {
			switch o.Verdict {
			case oracles.NotRun:
				s.NotRun[o.Path.Name+" on "+id] = o.Reason
				continue
			case oracles.Refused:
				s.Refused++
				continue
			case oracles.Unstable:
				s.Unstable++
			case oracles.Differs:
				r.meet(rep.subject, shell, o)
			}
			if o.Class != "" {
				s.Classes[o.Class]++
			}
			s.Checks++
			s.ByShell[id]++
			s.ByPath[o.Path.Name]++
		}
	}
}

// meet counts a difference under its signature.
func (r *runner) meet(c subject, shell int, o oracles.Outcome) {
	signed := Sign(c.Case, o)
	id := signed.ID()
	e := r.seen[id]
	if e == nil {
		e = &entry{signed: signed, shell: shell, original: subject{c.number, c.Case, []path.Path{o.Path}}}
		r.begin(e)
	}
	e.count++
	e.dirty = true
	r.state.Counts[id] = e.count
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

// A worker checks cases, one at a time, in homes of its own.
type worker struct {
	*runner
	generator *gen.Generator
	homes     []home.Home   // by shell, opened when first needed
	repros    []*home.Repro // likewise, for the scripts of findings
}

func (w *worker) close() {
	for _, r := range w.repros {
		if r != nil {
			r.Close()
		}
	}
	for _, h := range w.homes {
		if h != nil {
			h.Close()
		}
	}
}

// loop settles new findings first and checks new cases otherwise.
func (w *worker) loop(ctx, hard context.Context, reports chan<- report) {
	// Minimising must not starve the search: between two findings a worker
	// checks some cases, while there are any.
	const between = 2
	more := true
	for turn := between; ; turn++ {
		if turn >= between || !more {
			select {
			case e := <-w.jobs:
				if err := w.settle(hard, e); err != nil {
					w.stop(err)
					return
				}
				turn = 0
				continue
			default:
			}
		}
		number, ok := uint64(0), false
		if more {
			number, ok = w.hand(ctx)
		}
		if !ok {
			more = false
			if w.idle() {
				return
			}
			time.Sleep(time.Millisecond)
			continue
		}
		rep := report{subject: w.generate(w.generator, number)}
		err := w.retry(2, &rep.faults, func() error {
			rep.outcomes = rep.outcomes[:0]
			for shell := range w.homes {
				j, err := w.judge(hard, shell)
				if err != nil {
					return err
				}
				o, err := j.Check(hard, rep.paths, rep.Case)
				if err != nil {
					return err
				}
				w.recent.add(len(o))
				rep.outcomes = append(rep.outcomes, o)
			}
			return nil
		})
		if err != nil {
			var fault *home.Fault
			if !errors.As(err, &fault) {
				w.stop(err)
				return
			}
			rep.lost = err.Error()
		}
		reports <- rep
	}
}

// idle reports whether nothing is left to do: every case that was handed out is
// committed and every entry settled.
func (r *runner) idle() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err != nil || (r.open == 0 && r.state.Next == r.next)
}

// retry calls try up to the given number of times, each time in fresh homes,
// while a home fails. That is our fault, never a finding.
func (w *worker) retry(times int, faults *int, try func() error) error {
	for {
		err := try()
		var fault *home.Fault
		if !errors.As(err, &fault) {
			return err
		}
		*faults++
		w.close()
		clear(w.homes)
		clear(w.repros)
		if times--; times <= 0 {
			return err
		}
	}
}

// judge returns the judge in the worker's home for a shell.
func (w *worker) judge(ctx context.Context, shell int) (*oracles.Judge, error) {
	s := w.config.Shells[shell]
	if w.homes[shell] == nil {
		h, err := w.config.Kind.Open(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("opening a home for %s: %w", s.ID, err)
		}
		w.homes[shell] = h
	}
	return &oracles.Judge{Home: w.homes[shell], Shell: s}, nil
}

// generate makes a case: commands for the paths that carry them, payloads for
// the quoters.
func (r *runner) generate(g *gen.Generator, number uint64) subject {
	c := subject{number: number}
	switch {
	case len(r.quoters) == 0, len(r.commands) > 0 && number%2 == 0:
		c.Command = slices.Clip(g.Command(number, nil))
		c.paths = r.commands
	default:
		c.Payloads = [][]byte{slices.Clip(g.Payload(number, nil))}
		c.paths = r.quoters
	}
	return c
}
