package oracles

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/argvdiff/argvdiff/oracles/group"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
	"github.com/argvdiff/argvdiff/targets/quote"
)

// A lane is a group of commands on its way down one path.
type lane struct {
	path path.Path
	// pending are the members that have not run yet.
	pending []int
	// seen is what the members have shown.
	seen map[int]wire.Observation
	// refused are members that a quoter declines.
	refused map[int]bool
	// endless are members that do not come to an end by themselves, and why.
	endless map[int]wire.Ended
	// most bounds how many members are tried at once.
	most int
}

func newLane(p path.Path, members []int) *lane {
	return &lane{path: p, pending: members, seen: make(map[int]wire.Observation), refused: make(map[int]bool), endless: make(map[int]wire.Ended), most: len(members)}
}

// commands puts the commands into groups and runs those.
func (w *work) commands(ctx context.Context) error {
	size := w.Size
	if size == 0 {
		size = maxCommands
	}
	traits := make([]group.Trait, len(w.cases))
	for i, c := range w.cases {
		if size > 1 {
			traits[i] = w.sorter.Trait(c.Command)
		}
	}
	groups, alone := group.Arrange(traits, size)
	for _, index := range alone {
		for on := range w.paths {
			w.single(index, on)
		}
	}
	for _, members := range groups {
		if err := w.script(ctx, traits, members); err != nil {
			return err
		}
	}
	return nil
}

// script runs one group on all paths: first the commands as they are, then what
// came to its end there on every path and on its reference.
func (w *work) script(ctx context.Context, traits []group.Trait, members []int) error {
	untouched, _ := path.Lookup(path.Untouched)
	root := newLane(untouched, members)
	if err := w.follow(ctx, traits, root); err != nil {
		return err
	}
	var well []int
	for _, m := range members {
		if _, ok := root.seen[m]; ok {
			well = append(well, m)
			continue
		}
		if why, ok := root.endless[m]; ok {
			// The budget of a member begins at the first look behind the mark of
			// the one before: one that uses it up does so alone too.
			for on := range w.paths {
				w.tallies[on].count(Outcome{Verdict: Unstable, Reason: endless(why)})
			}
			continue
		}
		for on := range w.paths {
			w.single(m, on)
		}
	}
	lanes := map[string]*lane{path.Untouched: root}
	var rest []*lane
	for _, p := range w.paths {
		if p.Interactive || p.TakesSessions() {
			continue // each command has a line, and a shell, of its own
		}
		for _, name := range []string{p.Reference, p.Name} {
			if lanes[name] == nil {
				q, _ := path.Lookup(name)
				lanes[name] = newLane(q, well)
				rest = append(rest, lanes[name])
			}
		}
	}
	if err := w.follow(ctx, traits, rest...); err != nil {
		return err
	}
	for on, p := range w.paths {
		if p.Interactive || p.TakesSessions() {
			w.singly(well, on)
			continue
		}
		s := said{on: on, members: well, verdicts: make([]string, len(well))}
		l, r := lanes[p.Name], lanes[p.Reference]
		for i, m := range well {
			got, ran := l.seen[m]
			want, expected := r.seen[m]
			switch {
			case l.refused[m] || r.refused[m]:
				w.tallies[on].count(Outcome{Verdict: Refused})
			case ran && expected:
				s.verdicts[i] = w.suspect(m, on, want, got)
			default:
				w.single(m, on)
			}
		}
		if err := w.sample(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// follow runs lanes until none has anything pending. A member that ends its
// script, or does not come to an end, is left out: it has nothing in seen then.
func (w *work) follow(ctx context.Context, traits []group.Trait, lanes ...*lane) error {
	for {
		var b batch
		type flight struct {
			lane    *lane
			members []int
			script  group.Script
			run     int
		}
		var flights []flight
		composed := make(map[int]group.Script) // by the first member, for lanes that are equally far
		for _, l := range lanes {
			for len(l.pending) > 0 {
				members := l.pending[:min(l.most, len(l.pending))]
				key := members[0]*(maxCommands<<8) + len(members)
				script, ok := composed[key]
				if !ok || len(l.refused) > 0 {
					script = w.compose(traits, members)
					if len(l.refused) == 0 {
						composed[key] = script
					}
				}
				d, err := l.path.Deliver(script.Text, w.site())
				if errors.Is(err, quote.ErrRefused) {
					w.refuse(l)
					continue
				}
				if err != nil {
					l.pending = nil // each alone says why
					break
				}
				if len(d.Argv[len(d.Argv)-1]) > maxArgument && len(members) > 1 {
					l.most = max(1, len(members)/2)
					continue
				}
				n := b.add(d)
				b.requests[n].Env = script.Env()
				b.requests[n].Limits = wire.Limits{Mark: script.Mark, Wall: wire.DefaultWall + time.Duration(len(members))*wire.DefaultQuiet}
				flights = append(flights, flight{l, members, script, n})
				break
			}
		}
		if len(flights) == 0 {
			return nil
		}
		results, err := w.run(ctx, b.requests)
		if err != nil {
			return err
		}
		for _, f := range flights {
			list := f.script.Split(results[f.run])
			for i, o := range list {
				f.lane.seen[f.members[i]] = o
			}
			if why := results[f.run].Ended; (why == wire.Spinning || why == wire.Hung) && len(list) < len(f.members) {
				f.lane.endless[f.members[len(list)]] = why
			}
			f.lane.pending = f.lane.pending[min(len(list)+1, len(f.members)):]
		}
	}
}

func (w *work) compose(traits []group.Trait, members []int) group.Script {
	commands := make([][]byte, len(members))
	some := make([]group.Trait, len(members))
	for i, m := range members {
		commands[i], some[i] = w.cases[m].Command, traits[m]
	}
	return group.Compose(commands, some, uint64(members[0]))
}

// refuse takes out of a lane what its path declines. Where it declines none of
// them alone, all are left to runs of their own.
func (w *work) refuse(l *lane) {
	before := len(l.pending)
	l.pending = slices.DeleteFunc(slices.Clone(l.pending), func(m int) bool {
		_, err := l.path.Deliver(w.cases[m].Command, w.site())
		if errors.Is(err, quote.ErrRefused) {
			l.refused[m] = true
		}
		return err != nil
	})
	if len(l.pending) == before {
		l.pending = nil
	}
}
