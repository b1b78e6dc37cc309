package oracles

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/argvdiff/argvdiff/oracles/exposure"
	"github.com/argvdiff/argvdiff/oracles/group"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
	"github.com/argvdiff/argvdiff/targets/pty"
)

// maxSessions is how many sessions share a shell in a terminal, unless one of them
// takes the shell with it.
const maxSessions = 64

// sessions lets sessions share shells in terminals where that changes nothing.
func (w *work) sessions(ctx context.Context) error {
	size := w.Size
	if size == 0 {
		size = maxSessions
	}
	shared := make([][]int, len(w.paths))
	for on, p := range w.paths {
		for index, c := range w.cases {
			if size > 1 && p.Reference != path.Prediction && w.Home.Layout().Terminal != "" && p.TakesSessions() && w.shares(p, c) {
				shared[on] = append(shared[on], index)
			} else {
				w.single(index, on)
			}
		}
	}
	// What the commands mean is the same for paths that differ in nothing but how
	// the shell is started and told.
	known := make(map[string]meanings)
	for on, p := range w.paths {
		if len(shared[on]) == 0 {
			continue
		}
		env := string(bytes.Join(w.terminalEnv(p), []byte{0}))
		for from := 0; from < len(shared[on]); from += size {
			members := shared[on][from:min(from+size, len(shared[on]))]
			m, ok := known[env]
			if !ok {
				m = make(meanings)
				known[env] = m
			}
			if err := w.learn(ctx, p, members, m); err != nil {
				return err
			}
			if err := w.terminal(ctx, p, on, members, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// meanings are what the commands of sessions do in plain scripts, by the index of
// the session: nothing where one has ended its script. Where one does not come to
// its end, nothing is said of those behind it.
type meanings map[int][]wire.Result

// shares reports whether a session may have a shell that others had before it: no
// command but the last one leaves anything behind for the next, the last one can
// be kept from it by a subshell, which is not what makes it end, and neither a key
// of a line editor that would find what earlier lines have left in it is pressed nor
// the beginning of a character typed that older ones keep for the next line.
func (w *work) shares(p path.Path, c Case) bool {
	commands := c.lines()
	for i, command := range commands {
		if undone.Match(command) {
			continue
		}
		t := w.sorter.Trait(command)
		last := i == len(commands)-1
		switch {
		case t.Manner == group.Alone, t.Manner == group.Subshell && !last, len(t.Writes) > 0 && !last:
			return false
		case t.Manner == group.Subshell && reachesAround.Match(command):
			return false
		case !p.Terminal.NoEditing && bytes.ContainsAny(command, killing):
			return false
		case endsOnBackslash(command):
			return false
		case !p.Terminal.NoEditing && Older(w.Shell.Version, "5.3") && !utf8.Valid(command):
			return false
		}
	}
	return true
}

// undone matches settings of the history that one line puts back, and that mean
// nothing to a shell which is not interactive.
var undone = regexp.MustCompile(`^(set [-+]H|set [-+]o (histexpand|history)|HISTCONTROL=\w+|history (-c|-d [12]|-s x))$`)

// reachesAround matches commands that, outside of a subshell, may do something to
// what their own line runs behind them: they redefine what that calls, move its
// output, set a trap or another way of editing, or fail in a builtin so that the
// whole line is given up.
var reachesAround = regexp.MustCompile(`\b(printf|eval)\s*\(|\bfunction\b|\b(exec|trap|let|kill)\b|\bset\s+[-+]\w*o\b|\b(declare|typeset|readonly|export|local)\s+[-+]\w*i`)

// killing are keys with which a line editor takes text away that it keeps for all
// lines, or with which those keys begin that do. Recalling are keys that bring an
// earlier line.
const (
	killing   = "\x0b\x15\x17\x18\x1b"
	recalling = "\x0e\x0f\x10\x12\x13\x16"
)

// apart reports whether the last command of a session must run in a subshell.
func (w *work) apart(c Case) bool {
	commands := c.lines()
	last := commands[len(commands)-1]
	return !undone.Match(last) && w.sorter.Trait(last).Manner != group.Line
}

// recalls reports whether what was typed before matters: where history expansion
// fires, by what is known of the oldest versions, or a key recalls it.
func (w *work) recalls(p path.Path, lines []line) bool {
	fires := Older(w.Shell.Version, "5.2")
	return slices.ContainsFunc(lines, func(l line) bool {
		return fires && exposure.Predict(l.Text, exposure.State{}).At >= 0 || !p.Terminal.NoEditing && bytes.ContainsAny(l.Text, recalling)
	})
}

// forget returns the line that gives a shell the history of a fresh one, typed
// before sessions in which the history may matter. Of a line that is still the last
// entry history -s makes nothing but its removal, so that there are two of them.
func forget(v *pty.Variant) []byte {
	keep := "history -s '" + v.Begin() + "'"
	return []byte(keep + "; history -c; " + keep)
}

// restore is forget, with what undone matches put back.
func restore(v *pty.Variant) []byte {
	expand := "set -H"
	if v.HistOff {
		expand = "set +H"
	}
	return append([]byte("set -o history; "+expand+"; unset HISTCONTROL; "), forget(v)...)
}

// terminal types sessions into one shell, one after the other, and compares with
// what their commands do in a plain script.
func (w *work) terminal(ctx context.Context, p path.Path, on int, members []int, known meanings) error {
	t := w.typing(p)
	lines := make([][]line, len(members))
	id, changed := 0, w.changed[p.Name]
	for i, m := range members {
		var s wire.Session
		s, lines[i] = w.session(p, w.cases[m], id, w.apart(w.cases[m]))
		id += len(lines[i])
		switch {
		case changed:
			s.Prepare = restore(p.Terminal)
		case w.recalls(p, lines[i]):
			s.Prepare = forget(p.Terminal)
		}
		changed = slices.ContainsFunc(w.cases[m].lines(), undone.Match)
		t.Sessions = append(t.Sessions, s)
	}
	w.changed[p.Name] = changed
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
		references := known[m]
		if len(references) == 0 || len(script.Sessions[i]) == 0 {
			w.single(m, on)
			continue
		}
		o := w.judgeSession(p, w.cases[m], lines[i], script.Sessions[i], references)
		s.verdicts[i] = w.suspectOutcome(m, on, o)
	}
	return w.sample(ctx, s)
}

// learn runs the commands of sessions, none of which changes its shell but the
// last of each, as lines of plain scripts in terminals, unless that was done for a
// path before.
func (w *work) learn(ctx context.Context, p path.Path, members []int, known meanings) error {
	type place struct{ member, command int }
	var all []place
	for _, m := range members {
		if _, ok := known[m]; ok {
			continue
		}
		lines := w.cases[m].lines()
		known[m] = make([]wire.Result, len(lines))
		for i := range lines {
			all = append(all, place{m, i})
		}
	}
	for number := 0; len(all) > 0; number++ {
		texts, traits := make([][]byte, len(all)), make([]group.Trait, len(all))
		for i, at := range all {
			texts[i] = w.cases[at.member].lines()[at.command]
			traits[i] = w.sorter.Trait(texts[i])
		}
		script := group.Compose(texts, traits, uint64(number))
		results, err := w.mean(ctx, []wire.Request{{
			Argv: append(list("/bin/bash", "-c"), script.Text), Env: append(w.terminalEnv(p), script.Env()...), PTY: true,
			Limits: wire.Limits{Mark: script.Mark, Wall: wire.DefaultWall + time.Duration(len(all))*wire.DefaultQuiet},
		}})
		if err != nil {
			return err
		}
		if results[0].Refused != "" { // too long for one argument: each alone
			for _, at := range all {
				known[at.member] = nil
			}
			break
		}
		observed := script.Split(results[0])
		for i, o := range observed {
			r := wire.Result{Observation: o}
			if list := known[all[i].member]; list != nil {
				list[all[i].command] = r
			}
		}
		if len(observed) == len(all) {
			break
		}
		// The next one has ended the script, or does not end.
		at := all[len(observed)]
		if why := results[0].Ended; why == wire.Spinning || why == wire.Hung {
			known[at.member][at.command].Ended = why
		} else {
			known[at.member] = nil
		}
		rest := all[len(observed)+1:]
		for len(rest) > 0 && rest[0].member == at.member {
			rest = rest[1:]
		}
		all = rest
	}
	return nil
}

// TypeBare types the lines of sessions that give the prompt back into one shell,
// as a plain loop would, and returns how many those were and how long that took.
// It is for the clock: which ones they are is found out before.
func (g *Grouper) TypeBare(ctx context.Context, p path.Path, cases []Case) (lines int, took time.Duration, err error) {
	w := g.work([]path.Path{p}, cases)
	t := g.typing(p)
	var all [][]line
	for _, c := range cases {
		if w.shares(p, c) {
			s, l := g.session(p, c, lines, w.apart(c))
			t.Sessions, all = append(t.Sessions, s), append(all, l)
			lines += len(l)
		}
	}
	script, err := g.Home.Type(ctx, t)
	if err != nil {
		return 0, 0, err
	}
	if script.Refused != "" {
		return 0, 0, errors.New(script.Refused)
	}
	lines = 0
	var well []wire.Session
	for i, s := range script.Sessions {
		ran := true
		for n, l := range s {
			o := readTyped(l, all[i][n].id)
			ran = ran && o.Fate == "" && l.Settled == wire.Prompted && bytes.HasSuffix(l.Output, t.Prompt)
		}
		if ran && len(s) == len(all[i]) && !w.recalls(p, all[i]) {
			well = append(well, t.Sessions[i])
			lines += len(s)
		}
	}
	t.Sessions, t.Bare = well, true
	script, err = g.Home.Type(ctx, t)
	for _, s := range script.Sessions {
		for _, l := range s {
			took += l.Took
		}
	}
	return lines, took, err
}
