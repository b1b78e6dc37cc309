package oracles

import (
	"context"
	"errors"
	"slices"

	"github.com/argvdiff/argvdiff/oracles/group"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
	"github.com/argvdiff/argvdiff/targets/quote"
)

// minWidth is how many payloads a group has at least where groups of a path
// come apart often, maxWidth how many where they do not: more than one argument
// holds.
const (
	minWidth = 4
	maxWidth = 1 << 13
)

// A bundle is a group of payloads for one path: all of them the arguments of one
// call.
type bundle struct {
	on      int
	members []int
}

// payloads runs the payloads in groups on all paths, as many of those at a time
// as there are.
func (w *work) payloads(ctx context.Context) error {
	members := make([]int, len(w.cases))
	for i := range members {
		members[i] = i
	}
	if w.Size == 1 {
		for _, m := range members {
			for on := range w.paths {
				w.single(m, on)
			}
		}
		return nil
	}
	var queue []bundle
	for on, p := range w.paths {
		if p.Interactive || p.TakesSessions() {
			w.singly(members, on)
			continue
		}
		queue = append(queue, w.parts(on, members, w.limit(on))...)
	}
	for len(queue) > 0 {
		// What comes apart in this round is the next one's.
		next, err := w.round(ctx, queue)
		if err != nil {
			return err
		}
		queue = next
	}
	return nil
}

// limit returns how many payloads a group on the path has now.
func (w *work) limit(on int) int {
	n := w.width[w.paths[on].Name]
	if n == 0 {
		n = maxWidth
		w.width[w.paths[on].Name] = n
	}
	if w.Size > 0 {
		n = min(n, w.Size)
	}
	return n
}

// parts parts members into bundles of at most size members, alike in size.
func (w *work) parts(on int, members []int, size int) []bundle {
	var list []bundle
	for k := (len(members) + size - 1) / size; k > 0; k-- {
		n := len(members) / k
		list = append(list, bundle{on, members[:n]})
		members = members[n:]
	}
	return list
}

// maxFlight is how many groups are sent to a home at once.
const maxFlight = 64

// round runs bundles and returns those into which some of them came apart.
func (w *work) round(ctx context.Context, queue []bundle) ([]bundle, error) {
	var next []bundle
	var b batch
	type flight struct {
		bundle
		whole          Case
		text, expected int
	}
	var flights []flight
	for len(queue) > 0 && len(flights) < maxFlight {
		q := queue[0]
		queue = queue[1:]
		p := w.paths[q.on]
		if w.tallies[q.on].NotRun != "" {
			continue
		}
		var fault *home.Fault
		f := flight{bundle: q, whole: w.whole(q.members), expected: -1}
		d, err := w.Deliver(ctx, p, f.whole, w.site())
		switch {
		case errors.Is(err, quote.ErrRefused) && p.InShell != nil && len(q.members) > minWidth:
			next = append(next, w.parts(q.on, q.members, (len(q.members)+1)/2)...)
			continue
		case errors.Is(err, quote.ErrRefused):
			some := w.accepted(ctx, q)
			if len(some) > 0 {
				queue = append([]bundle{{q.on, some}}, queue...)
			}
			continue
		case errors.As(err, &fault) || ctx.Err() != nil:
			return nil, err
		case err != nil:
			w.singly(q.members, q.on) // which says why
			continue
		}
		if n := len(d.Argv[len(d.Argv)-1]); n > maxArgument && len(q.members) > 1 {
			most := max(1, len(q.members)*(maxArgument-maxArgument/16)/n)
			queue = append(w.parts(q.on, q.members, min(most, len(q.members)-1)), queue...)
			continue
		}
		f.text = b.add(d)
		b.requests[f.text].Limits = manyLimits(len(f.whole.Payloads))
		if p.Reference != path.Payload && p.Reference != p.Name {
			r, _ := path.Lookup(p.Reference)
			ref, err := w.Deliver(ctx, r, f.whole, w.site())
			if err != nil {
				return nil, err
			}
			f.expected = b.add(ref)
			b.requests[f.expected].Limits = manyLimits(len(f.whole.Payloads))
		}
		flights = append(flights, f)
	}
	results, err := w.run(ctx, b.requests)
	if err != nil {
		return nil, err
	}
	for _, f := range flights {
		want := arrival(f.whole)
		if f.expected >= 0 && !want.Equal(results[f.expected].Observation) {
			w.singly(f.members, f.on)
			continue
		}
		s, ok := w.compare(f.bundle, f.whole, results[f.text])
		name := w.paths[f.on].Name
		if ok {
			if w.width[name] < maxWidth && len(f.members)*2 > w.width[name] {
				w.width[name] *= 2
			}
			if err := w.sample(ctx, s); err != nil {
				return nil, err
			}
			continue
		}
		w.width[name] = max(minWidth, min(w.width[name], len(f.members))/2)
		if len(f.members) < minWidth {
			w.singly(f.members, f.on)
			continue
		}
		next = append(next, w.parts(f.on, f.members, (len(f.members)+1)/2)...)
	}
	return append(next, queue...), nil
}

// whole is the members as one case.
func (w *work) whole(members []int) Case {
	all := make([][]byte, 0, len(members))
	for _, m := range members {
		all = append(all, w.cases[m].Payloads...)
	}
	return Case{Payloads: all}
}

// accepted returns the members that the quoter of the path does not decline, and
// counts the others.
func (w *work) accepted(ctx context.Context, q bundle) []int {
	p := w.paths[q.on]
	if p.InShell != nil {
		// Its answer does not tell which one it declines.
		w.singly(q.members, q.on)
		return nil
	}
	var some []int
	for _, m := range q.members {
		_, err := w.Deliver(ctx, p, w.cases[m], w.site())
		switch {
		case errors.Is(err, quote.ErrRefused):
			w.tallies[q.on].count(Outcome{Verdict: Refused})
		case err != nil:
			w.single(m, q.on)
		default:
			some = append(some, m)
		}
	}
	if len(some) == len(q.members) {
		// Declined together, and taken one by one.
		w.singly(some, q.on)
		some = nil
	}
	return some
}

// compare tells what a call with all members has made of each. It reports
// whether that can be told.
func (w *work) compare(q bundle, whole Case, r wire.Result) (said, bool) {
	s := said{on: q.on, members: q.members}
	if r.Refused != "" || r.Ended != wire.Itself || r.Status != 0 || len(r.Stdout) > 0 || len(r.Records) != 1 {
		return s, false
	}
	rec := r.Records[0]
	if len(rec.Argv) == 0 || string(rec.Argv[0]) != "probe" || rec.Stdin == nil || len(rec.Stdin) > 0 || rec.StdinCut {
		return s, false
	}
	sizes := make([]int, len(q.members))
	for i, m := range q.members {
		sizes[i] = len(w.cases[m].Payloads)
	}
	parts := group.Apart(sizes, whole.Payloads, rec.Argv[1:])
	if slices.IndexFunc(parts, func(p group.Part) bool { return !p.Sure }) >= 0 && 2*len(parts) > len(q.members) {
		return s, false // hardly anything fits
	}
	s.verdicts = make([]string, len(q.members))
	for i, m := range q.members {
		switch {
		case len(parts) == 0 || parts[0].Member != i:
			w.tallies[q.on].count(Outcome{Verdict: Same})
			s.verdicts[i] = string(Same)
			continue
		case parts[0].Sure:
			s.verdicts[i] = w.suspect(m, q.on, arrival(w.cases[m]), wire.Observation{
				Records: []wire.Record{{Argv: append([][]byte{[]byte("probe")}, parts[0].Got...), Stdin: []byte{}}}, Stdout: []byte{},
			})
		default:
			w.single(m, q.on)
		}
		parts = parts[1:]
	}
	return s, true
}
