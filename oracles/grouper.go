package oracles

import (
	"context"
	"slices"

	"github.com/argvdiff/argvdiff/oracles/group"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
)

// A Grouper checks many cases at once in the home of its judge: payloads as the
// arguments of one call, commands as the lines of one script. What a group shows
// to be different is run alone before it counts, unless one like it, with a
// lower number, was.
type Grouper struct {
	*Judge
	// Size bounds the members of a group. 0 stands for what suits, 1 for no
	// groups.
	Size int
	// Skip reports whether a difference of the case with that index needs no
	// run of its own, or no second one, for the ID of its signature. It may be
	// nil.
	Skip func(index int, id string) bool

	sorter *group.Sorter
	turn   int            // counts groups, for sampling
	width  map[string]int // by path: how many payloads a group has now
}

const (
	// maxCommands is how many commands a group has where that is not asked for
	// otherwise: the shell's start is a small part of it then.
	maxCommands = 128
	// Of one group in sampleEvery, as many as sampleSize members are run alone.
	sampleEvery = 200
	sampleSize  = 16
	// maxArgument is the longest argument that the kernel takes: 32 pages with
	// the NUL.
	maxArgument = 128<<10 - 1
)

// A Tally is what came of cases on one path.
type Tally struct {
	Path path.Path
	// Checks counts the verdicts; Refused is not part of it.
	Checks, Refused, Unstable int
	// Classes counts the named differences.
	Classes map[string]int
	// Readings counts what was said on a path of a guard, by class, with Limit for what
	// was set aside as such; nil on others.
	Readings map[string]int
	// NotRun is why the path cannot be used on this shell, or "".
	NotRun string
	// Differences are in no particular order.
	Differences []Difference
	// Sampled counts members of groups that were run alone to see whether the
	// group had said the same of them; Missed those where it had not.
	Sampled, Missed int
	// Cleared counts members that differed in a group and do not alone.
	Cleared int
}

// A Difference is a case that differs.
type Difference struct {
	// Index is that of the case.
	Index   int
	Outcome Outcome
	// ID is that of the difference's signature.
	ID string
	// Confirmed says that the case has differed in two runs of its own.
	Confirmed bool
}

func (t *Tally) count(o Outcome) {
	switch o.Verdict {
	case NotRun:
		t.NotRun = o.Reason
		return
	case Refused:
		t.Refused++
		return
	case Unstable:
		t.Unstable++
	}
	if o.Class != "" {
		if t.Classes == nil {
			t.Classes = make(map[string]int)
		}
		t.Classes[o.Class]++
	}
	t.Checks++
}

// Check checks cases, all of one kind, on the paths. The error is a fault of the
// home.
func (g *Grouper) Check(ctx context.Context, paths []path.Path, cases []Case) ([]Tally, error) {
	w := g.work(paths, cases)
	var err error
	switch {
	case len(cases) == 0:
	case paths[0].Reading != nil:
		err = w.readings(ctx)
	case cases[0].Session != nil:
		err = w.sessions(ctx)
	case cases[0].Payloads != nil:
		err = w.payloads(ctx)
	default:
		err = w.commands(ctx)
	}
	if err == nil {
		err = w.singles(ctx)
	}
	return w.tallies, err
}

func (g *Grouper) work(paths []path.Path, cases []Case) *work {
	if g.sorter == nil {
		// Not too late for a short campaign to see a sample at all.
		g.sorter, g.width, g.turn = group.NewSorter(), make(map[string]int), sampleEvery-20
	}
	w := &work{Grouper: g, paths: paths, cases: cases, tallies: make([]Tally, len(paths)), alone: make(map[int][]int), suspects: make(map[[2]int]Difference), confirmed: make(map[string]int), changed: make(map[string]bool)}
	for i, p := range paths {
		w.tallies[i].Path = p
	}
	return w
}

// work is one call of Check.
type work struct {
	*Grouper
	paths   []path.Path
	cases   []Case
	tallies []Tally
	// alone holds the paths, by index, on which a case is to be run alone.
	alone map[int][]int
	// suspects are cases, by index and path, that differ in a group.
	suspects map[[2]int]Difference
	// confirmed is, by ID, the lowest case that has differed alone.
	confirmed map[string]int
	// changed says, by path, that the shell that stands there may have settings of
	// another one.
	changed map[string]bool
}

// single plans a run of a case of its own.
func (w *work) single(index, on int) { w.alone[index] = append(w.alone[index], on) }

// singly plans runs of their own for several cases.
func (w *work) singly(members []int, on int) {
	for _, m := range members {
		w.single(m, on)
	}
}

// suspect takes what a group has shown of a case on a path, and says what that
// amounts to.
func (w *work) suspect(index, on int, want, got wire.Observation) string {
	t := &w.tallies[on]
	if want.Equal(got) {
		t.count(Outcome{Verdict: Same})
		return string(Same)
	}
	c := w.cases[index]
	o := Outcome{Path: t.Path, Verdict: Differs, Expected: &want, Observed: &got}
	if class, ok := explain(t.Path, w.Shell, c, want, wire.Result{Observation: got}); ok {
		o.Verdict, o.Class = Same, class.Name
	}
	return w.suspectOutcome(index, on, o)
}

// suspectOutcome takes what was made of what a group has shown.
func (w *work) suspectOutcome(index, on int, o Outcome) string {
	t := &w.tallies[on]
	switch o.Verdict {
	case Same:
		t.count(o)
		return string(Same)
	case Differs:
	default:
		w.single(index, on)
		return ""
	}
	d := Difference{Index: index, Outcome: o, ID: Sign(w.cases[index], o).ID()}
	if w.skips(index, d.ID) {
		t.count(o)
		t.Differences = append(t.Differences, d)
		return d.ID
	}
	w.suspects[[2]int{index, on}] = d
	w.single(index, on)
	return ""
}

// skips reports whether a case with a lower number was confirmed for the
// signature, in this call or before.
func (w *work) skips(index int, id string) bool {
	if lowest, ok := w.confirmed[id]; ok && lowest < index {
		return true
	}
	return w.Skip != nil && w.Skip(index, id)
}

// singles runs what is to be run alone.
func (w *work) singles(ctx context.Context) error {
	for index := range w.cases {
		var on []int
		var paths []path.Path
		slices.Sort(w.alone[index])
		for _, n := range w.alone[index] {
			t := &w.tallies[n]
			if d, ok := w.suspects[[2]int{index, n}]; ok && w.skips(index, d.ID) {
				t.count(d.Outcome)
				t.Differences = append(t.Differences, d)
				continue
			}
			on, paths = append(on, n), append(paths, t.Path)
		}
		if len(on) == 0 {
			continue
		}
		ids, skipped := make(map[string]string), make(map[string]bool)
		outcomes, err := w.check(ctx, paths, w.cases[index], func(o Outcome) bool {
			id := Sign(w.cases[index], o).ID()
			ids[o.Path.Name], skipped[o.Path.Name] = id, w.skips(index, id)
			return !skipped[o.Path.Name]
		})
		if err != nil {
			return err
		}
		for i, o := range outcomes {
			t, name := &w.tallies[on[i]], o.Path.Name
			t.count(o)
			_, suspected := w.suspects[[2]int{index, on[i]}]
			switch {
			case o.Verdict == Differs:
				t.Differences = append(t.Differences, Difference{index, o, ids[name], !skipped[name]})
				if _, known := w.confirmed[ids[name]]; !known && !skipped[name] {
					w.confirmed[ids[name]] = index
				}
			case o.Verdict == Same && suspected:
				t.Cleared++
			}
		}
	}
	return nil
}

// A said is what a group has said of its members on a path: "" where the member
// was left to a run of its own, the ID of a signature where it differs.
type said struct {
	on       int
	members  []int
	verdicts []string
}

// sample runs some members of one group in many alone and counts those of which
// the group has said something else.
func (w *work) sample(ctx context.Context, s said) error {
	w.turn++
	if w.turn%sampleEvery != 0 {
		return nil
	}
	var some []int
	for i, v := range s.verdicts {
		if v != "" {
			some = append(some, i)
		}
	}
	t := &w.tallies[s.on]
	for n := range min(sampleSize, len(some)) {
		i := some[n*len(some)/min(sampleSize, len(some))]
		index := s.members[i]
		o, err := w.Judge.Check(ctx, []path.Path{t.Path}, w.cases[index])
		if err != nil {
			return err
		}
		if o[0].Verdict == Unstable {
			continue // with nothing to compare
		}
		t.Sampled++
		shows := string(o[0].Verdict)
		if o[0].Verdict == Differs {
			shows = Sign(w.cases[index], o[0]).ID()
		}
		if shows == s.verdicts[i] {
			continue
		}
		t.Missed++
		if o[0].Verdict == Differs {
			t.Differences = append(t.Differences, Difference{index, o[0], shows, true})
		}
	}
	return nil
}
