package campaign

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/argvdiff/argvdiff/fuzz/gen"
	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/targets/path"
)

// A worker checks blocks of cases in homes of its own.
type worker struct {
	*runner
	generator *gen.Generator
	groupers  []*oracles.Grouper // by shell
	homes     []home.Home        // likewise, opened when first needed
	acting    []home.Home        // likewise, those in which programs act
	repros    []*home.Repro      // likewise, for the scripts of findings
	size      uint64             // of the next block
}

func newWorker(r *runner) *worker {
	n := len(r.config.Shells)
	w := &worker{
		runner: r, generator: gen.New(r.config.Seed), groupers: make([]*oracles.Grouper, n),
		homes: make([]home.Home, n), acting: make([]home.Home, n), repros: make([]*home.Repro, n), size: 8,
	}
	for i := range w.groupers {
		w.groupers[i] = &oracles.Grouper{Size: r.config.GroupSize}
	}
	return w
}

func (w *worker) close() {
	for _, r := range w.repros {
		if r != nil {
			r.Close()
		}
	}
	for _, list := range [][]home.Home{w.homes, w.acting} {
		for _, h := range list {
			if h != nil {
				h.Close()
			}
		}
		clear(list)
	}
	clear(w.repros)
}

// loop settles new findings first and checks new cases otherwise.
func (w *worker) loop(ctx, hard context.Context, blocks chan<- block) {
	// Minimising must not starve the search: between two findings a worker
	// checks some cases, while there are any.
	settled := false
	more := true
	for {
		if ctx.Err() != nil && w.committed() {
			return // what is not minimised yet is, when the campaign goes on
		}
		if ctx.Err() == nil && (!settled || !more) {
			select {
			case e := <-w.jobs:
				if err := w.settle(ctx, e); err != nil {
					w.stop(err)
					return
				}
				settled = true
				continue
			default:
			}
		}
		settled = false
		b := block{}
		if more {
			b.first, b.size, more = w.hand(ctx, w.size)
		}
		if b.size == 0 {
			if !more && w.idle() {
				return
			}
			time.Sleep(time.Millisecond)
			continue
		}
		began := time.Now()
		if err := w.checkBlock(hard, &b); err != nil {
			w.stop(err)
			return
		}
		w.pace(time.Since(began))
		blocks <- b
	}
}

const (
	// blockTime is how long a block should take: an end by the clock, or by
	// hand, waits for as much.
	blockTime = 1500 * time.Millisecond
	// maxBlock fills the text of one call with payloads.
	maxBlock = 8192
)

// pace adapts the size of the next block to the time that one has taken.
func (w *worker) pace(took time.Duration) {
	ideal := float64(w.size) * float64(blockTime) / float64(max(took, time.Millisecond))
	w.size = uint64(min(max(ideal, float64(w.size)/4, 1), float64(w.size)*4, maxBlock))
}

// checkBlock checks all cases of a block.
func (w *worker) checkBlock(ctx context.Context, b *block) error {
	b.parts = w.generateBlock(w.generator, b.first, b.size)
	for i := range b.parts {
		p := &b.parts[i]
		p.tallies = make([][]oracles.Tally, len(w.homes))
		if err := w.checkPart(ctx, b, p, 0, len(p.subjects)); err != nil {
			return err
		}
	}
	// Only now that nothing of the block can be lost others may rely on it.
	for _, p := range b.parts {
		for _, tallies := range p.tallies {
			for _, t := range tallies {
				for _, d := range t.Differences {
					if d.Confirmed {
						w.confirm(d.ID, p.subjects[d.Index].number)
					}
				}
			}
		}
	}
	return nil
}

// checkPart checks the subjects of a part from one index to another and adds to
// its tallies. Where a home fails, which is our fault and never a finding, each
// half is repeated in fresh homes, and at last the one case that it is about.
func (w *worker) checkPart(ctx context.Context, b *block, p *part, from, to int) error {
	if from == to {
		return nil
	}
	times := 1
	if to-from == 1 {
		times = 2
	}
	var tallies [][]oracles.Tally
	err := w.retry(times, &b.faults, func() (err error) {
		tallies, err = w.checkSubjects(ctx, p.subjects[from:to])
		return err
	})
	var fault *home.Fault
	switch {
	case errors.As(err, &fault) && to-from == 1:
		b.lost++
		return nil
	case errors.As(err, &fault):
		middle := (from + to) / 2
		if err := w.checkPart(ctx, b, p, from, middle); err != nil {
			return err
		}
		return w.checkPart(ctx, b, p, middle, to)
	case err != nil:
		return err
	}
	for shell, list := range tallies {
		for _, t := range list {
			for d := range t.Differences {
				t.Differences[d].Index += from
			}
		}
		p.tallies[shell] = append(p.tallies[shell], list...)
	}
	return nil
}

// checkSubjects checks cases of one kind on all shells.
func (w *worker) checkSubjects(ctx context.Context, subjects []subject) (all [][]oracles.Tally, err error) {
	cases := make([]oracles.Case, len(subjects))
	for n, s := range subjects {
		cases[n] = s.Case
	}
	for shell := range w.homes {
		j, err := w.judge(ctx, shell)
		if errors.Is(err, errDropped) {
			all = append(all, nil)
			continue
		}
		if err != nil {
			return nil, err
		}
		g := w.groupers[shell]
		g.Judge = j
		g.Skip = func(index int, id string) bool { return w.confirmedBefore(id, subjects[index].number) }
		tallies, err := g.Check(ctx, subjects[0].paths, cases)
		if err != nil {
			return nil, err
		}
		for _, t := range tallies {
			w.recent.add(t.Checks)
		}
		all = append(all, tallies)
	}
	return all, nil
}

// confirmedBefore reports whether a case with a lower number has differed alone
// with that signature. Then, however the workers come to it, this case is not
// the first one.
func (r *runner) confirmedBefore(id string, number uint64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	lowest, ok := r.lowest[id]
	return ok && lowest < number
}

func (r *runner) confirm(id string, number uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if lowest, ok := r.lowest[id]; !ok || number < lowest {
		r.lowest[id] = number
	}
}

// committed reports whether every case that was handed out is committed.
func (r *runner) committed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err != nil || r.state.Next == r.next
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
		w.warn("a home was replaced, what ran in it is run again: %v", err)
		w.close()
		if times--; times <= 0 {
			return err
		}
	}
}

// judge returns the judge in the worker's home for a shell.
func (w *worker) judge(ctx context.Context, shell int) (*oracles.Judge, error) {
	s := w.config.Shells[shell]
	if w.isDropped(shell) {
		return nil, errDropped
	}
	if w.homes[shell] == nil {
		h, err := openHome(ctx, w.config.Kind, s)
		var fault *home.Fault
		if errors.As(err, &fault) {
			w.drop(shell, err)
			return nil, errDropped
		}
		if err != nil {
			return nil, fmt.Errorf("opening a home for %s: %w", s.ID, err)
		}
		w.homes[shell] = w.turns.Share(h)
	}
	acting := func(ctx context.Context) (home.Home, error) {
		if w.acting[shell] == nil {
			h, err := openHome(ctx, w.config.Kind, s.Acting())
			if err != nil {
				return nil, err
			}
			w.acting[shell] = w.turns.Share(h)
		}
		return w.acting[shell], nil
	}
	return &oracles.Judge{Home: w.homes[shell], Shell: s, Acting: acting}, nil
}

// commandEvery is how many cases there are for each command, sessionEvery for each
// session: one costs as much as many payloads. readingEvery is that for commands which
// are read.
const (
	commandEvery = 16
	sessionEvery = 24
	readingEvery = 4
)

// errDropped says that a shell is not used any more.
var errDropped = errors.New("the shell is left out")

func (r *runner) isDropped(shell int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dropped[shell]
}

// drop leaves a shell out from here on: its homes cannot be opened, as where an
// engine has ended. Without any shell left the campaign ends.
func (r *runner) drop(shell int, err error) {
	r.mu.Lock()
	first := !r.dropped[shell]
	r.dropped[shell] = true
	r.state.NotRun[r.config.Shells[shell].ID] = err.Error()
	if len(r.dropped) == len(r.config.Shells) && r.err == nil {
		r.err = fmt.Errorf("no shell is left: %w", err)
	}
	r.mu.Unlock()
	if first {
		r.warn("%s is left out from here on: %v", r.config.Shells[shell].ID, err)
	}
}

func (r *runner) warn(format string, args ...any) {
	if r.config.Warn != nil {
		r.config.Warn(fmt.Sprintf(format, args...))
	}
}

// openHome opens a home, with patience where that fails for once: an engine may
// be restarting.
func openHome(ctx context.Context, kind home.Kind, s home.Shell) (home.Home, error) {
	const most = 4 * time.Second
	for pause := most / 32; ; pause *= 2 {
		h, err := kind.Open(ctx, s)
		var fault *home.Fault
		if !errors.As(err, &fault) || pause > most {
			return h, err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// generate makes a case: sessions and commands for the paths that carry or read
// them, payloads for all but those of sessions and those that read. Its texts are appended to buf.
func (r *runner) generate(g *gen.Generator, number uint64, buf []byte) (subject, []byte) {
	c := subject{number: number}
	// The kind hangs on the number in a way that no shard's part is one-sided.
	draw := number * 0x9e3779b97f4a7c15 >> 32
	start := len(buf)
	if n := len(r.readings) + len(r.splitters); n > 0 && (len(r.carriers)+len(r.sessions) == 0 || draw>>24%readingEvery == 0) {
		if c.paths = r.readings; len(r.readings) == 0 || len(r.splitters) > 0 && draw>>28%2 == 0 {
			c.paths = r.splitters
			buf = g.Words(number, buf)
		} else {
			buf = g.Guarded(number, buf)
		}
		c.Command = buf[start:len(buf):len(buf)]
		return c, buf
	}
	if len(r.sessions) > 0 && (len(r.carriers) == 0 || draw>>16%sessionEvery == 0) {
		c.Session, c.paths = g.Session(number), r.sessions
		return c, buf
	}
	if len(r.commands) > 0 && draw%commandEvery == 0 {
		buf = g.Command(number, buf)
		c.Command, c.paths = buf[start:len(buf):len(buf)], r.commands
		return c, buf
	}
	// Some calls have more than one payload: neighbours matter to quoters.
	n := uint64(1)
	if draw/commandEvery%8 == 0 {
		n += 1 + draw/commandEvery/8%3
	}
	for i := range n {
		start := len(buf)
		buf = g.Payload(number+i<<48, buf)
		c.Payloads = append(c.Payloads, buf[start:len(buf):len(buf)])
	}
	c.paths = r.carriers
	return c, buf
}

// generateBlock makes the cases of a block, by kind.
func (r *runner) generateBlock(g *gen.Generator, first, size uint64) (parts [5]part) {
	buf := make([]byte, 0, size*32)
	for i := range size {
		var c subject
		c, buf = r.generate(g, first+i*uint64(r.config.Shards), buf)
		kind := &parts[0]
		switch {
		case c.paths[0].Reading != nil && c.paths[0].Reading.Oracle == path.Words:
			kind = &parts[4]
		case c.paths[0].Reading != nil:
			kind = &parts[3]
		case c.Payloads != nil:
			kind = &parts[1]
		case c.Session != nil:
			kind = &parts[2]
		}
		kind.subjects = append(kind.subjects, c)
	}
	return parts
}
