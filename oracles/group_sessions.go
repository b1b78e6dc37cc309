package oracles

import (
	"context"
	"time"

	"github.com/argvdiff/argvdiff/oracles/group"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
	"github.com/argvdiff/argvdiff/targets/pty"
)

// maxSessions is how many sessions share a shell in a terminal, unless one of them
// takes the shell with it.
const maxSessions = 64

// sessions lets sessions share shells in terminals. Those of which a command but
// the last one changes its shell have a shell of their own.
func (w *work) sessions(ctx context.Context) error {
	size := w.Size
	if size == 0 {
		size = maxSessions
	}
	shared, alone := w.arrangeSessions(size)
	for _, index := range alone {
		for on := range w.paths {
			w.single(index, on)
		}
	}
	if w.Home.Layout().Terminal == "" {
		for _, index := range shared {
			for on := range w.paths {
				w.single(index, on) // each says why
			}
		}
		return nil
	}
	for on, p := range w.paths {
		if !p.TakesSessions() {
			for _, index := range shared {
				w.single(index, on)
			}
			continue
		}
		for from := 0; from < len(shared); from += size {
			if err := w.terminal(ctx, p, on, shared[from:min(from+size, len(shared))]); err != nil {
				return err
			}
		}
	}
	return nil
}

// arrangeSessions tells which sessions may share a shell.
func (w *work) arrangeSessions(size int) (shared, alone []int) {
	for index, c := range w.cases {
		together := size > 1
		commands := c.lines()
		for i, command := range commands {
			t := w.sorter.Trait(command)
			least := group.Line
			if i == len(commands)-1 {
				least = group.Subshell
			}
			together = together && t.Manner >= least && !t.Looks && len(t.Writes) == 0
		}
		if together {
			shared = append(shared, index)
		} else {
			alone = append(alone, index)
		}
	}
	return shared, alone
}

// apart reports whether the last command of a session must run in a subshell.
func (w *work) apart(c Case) bool {
	commands := c.lines()
	return w.sorter.Trait(commands[len(commands)-1]).Manner != group.Line
}

// forget is the line that gives a shell the history of a fresh one, typed before
// sessions in which the history may matter.
const forget = "history -c; history -s '" + pty.Init + "'"

// terminal types sessions into one shell, one after the other, and compares with
// what their commands do in a plain script.
func (w *work) terminal(ctx context.Context, p path.Path, on int, members []int) error {
	meant, unending, err := w.meanings(ctx, p, members)
	if err != nil {
		return err
	}
	t := w.typing(p)
	lines := make([][]line, len(members))
	id := 0
	for i, m := range members {
		var s wire.Session
		s, lines[i] = w.session(p, w.cases[m], id, w.apart(w.cases[m]))
		id += len(lines[i])
		if len(lines[i]) > 1 {
			s.Prepare = []byte(forget)
		}
		t.Sessions = append(t.Sessions, s)
	}
	w.Runs += id
	script, err := w.Home.Type(ctx, t)
	if err != nil {
		return err
	}
	if script.Refused != "" {
		w.singly(members, on)
		return nil
	}
	s := said{on: on, members: members, verdicts: make([]string, len(members))}
	for i, m := range members {
		if unending[m] != "" {
			w.tallies[on].count(Outcome{Verdict: Unstable, Reason: endless(unending[m])})
			continue
		}
		references, ok := meant[m]
		if !ok || len(script.Sessions[i]) == 0 {
			w.single(m, on)
			continue
		}
		o := w.judgeSession(p, w.cases[m], lines[i], script.Sessions[i], references)
		s.verdicts[i] = w.suspectOutcome(m, on, o)
	}
	return w.sample(ctx, s)
}

// meanings runs the commands of sessions, none of which changes its shell but the
// last of each, as lines of plain scripts in terminals. What does not come to its
// end there is left out, or known to be endless.
func (w *work) meanings(ctx context.Context, p path.Path, members []int) (map[int][]wire.Result, map[int]wire.Ended, error) {
	type place struct{ member, command int }
	var all []place
	for _, m := range members {
		for i := range w.cases[m].lines() {
			all = append(all, place{m, i})
		}
	}
	seen := make(map[int][]wire.Result)
	unending := make(map[int]wire.Ended)
	for _, m := range members {
		seen[m] = make([]wire.Result, len(w.cases[m].lines()))
	}
	for number := 0; len(all) > 0; number++ {
		texts, traits := make([][]byte, len(all)), make([]group.Trait, len(all))
		for i, at := range all {
			texts[i] = w.cases[at.member].lines()[at.command]
			traits[i] = w.sorter.Trait(texts[i])
		}
		script := group.Compose(texts, traits, uint64(number))
		results, err := w.run(ctx, []wire.Request{{
			Argv: append(list("/bin/bash", "-c"), script.Text), Env: append(w.terminalEnv(p), script.Env()...), PTY: true,
			Limits: wire.Limits{Mark: script.Mark, Wall: wire.DefaultWall + time.Duration(len(all))*wire.DefaultQuiet},
		}})
		if err != nil {
			return nil, nil, err
		}
		if results[0].Refused != "" { // too long for one argument: each alone
			for _, at := range all {
				delete(seen, at.member)
			}
			break
		}
		observed := script.Split(results[0])
		for i, o := range observed {
			r := wire.Result{Observation: o}
			seen[all[i].member][all[i].command] = r
		}
		if len(observed) == len(all) {
			break
		}
		// The next one has ended the script, or does not end.
		at := all[len(observed)]
		if why := results[0].Ended; why == wire.Spinning || why == wire.Hung {
			unending[at.member] = why
		}
		delete(seen, at.member)
		rest := all[len(observed)+1:]
		for len(rest) > 0 && rest[0].member == at.member {
			rest = rest[1:]
		}
		all = rest
	}
	return seen, unending, nil
}
