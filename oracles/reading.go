package oracles

import (
	"context"
	"errors"
	"path"
	"slices"

	"github.com/argvdiff/argvdiff/oracles/blame"
	"github.com/argvdiff/argvdiff/oracles/explore"
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/wire"
	quoting "github.com/argvdiff/argvdiff/targets/path"
	"github.com/argvdiff/argvdiff/targets/program"
)

// GOOS is the system for which guards are asked.
const GOOS = "linux"

var errActing = errors.New("oracles: a judge without a home in which programs act is asked about guards")

// read fills in the outcomes on paths that read the command, and returns what the
// command has shown where one of them needs that. What is wrong is asked about twice
// where confirm says so.
func (j *Judge) read(ctx context.Context, outcomes []Outcome, c Case, confirm func(Outcome) bool) (*Shown, error) {
	var on []int
	for i, o := range outcomes {
		if o.Path.Reading != nil {
			on = append(on, i)
		}
	}
	if len(on) == 0 {
		return nil, nil
	}
	paths := make([]quoting.Path, len(on))
	for n, i := range on {
		paths[n] = outcomes[i].Path
	}
	first, all, err := j.readAll(ctx, paths, []Case{c})
	if err != nil {
		return nil, err
	}
	var shown *Shown
	if all != nil {
		shown = all[0]
	}
	var again []quoting.Path
	var which []int
	for n, i := range on {
		outcomes[i] = first[0][n]
		if outcomes[i].Verdict == Differs && confirm(outcomes[i]) && paths[n].Reading.Oracle != quoting.Laws && paths[n].Reading.Oracle != quoting.Revisions {
			again, which = append(again, paths[n]), append(which, i)
		}
	}
	if len(again) == 0 {
		return shown, nil
	}
	second, _, err := j.readAll(ctx, again, []Case{c})
	if err != nil {
		return nil, err
	}
	for n, i := range which {
		if o := second[0][n]; o.Verdict != Differs || *o.Reading != *outcomes[i].Reading {
			outcomes[i].Verdict, outcomes[i].Reason = Unstable, "two runs of the command show different programs"
		}
	}
	return shown, nil
}

// Watch runs a command in a home where programs act and returns what that has shown,
// with the outcomes on the paths, all of which are guards. What differs has differed
// in two runs.
func (j *Judge) Watch(ctx context.Context, paths []quoting.Path, c Case) (*Shown, []Outcome, error) {
	outcomes := make([]Outcome, len(paths))
	for i, p := range paths {
		outcomes[i].Path = p
	}
	shown, err := j.read(ctx, outcomes, c, func(Outcome) bool { return true })
	return shown, outcomes, err
}

// readAll judges the readings of commands: an outcome for each case and path. Where a
// path needs what the commands have shown, that is returned too.
func (j *Judge) readAll(ctx context.Context, paths []quoting.Path, cases []Case) ([][]Outcome, []*Shown, error) {
	commands := make([]string, len(cases))
	all := make([][]Outcome, len(cases))
	for i, c := range cases {
		commands[i] = string(c.Command)
		all[i] = make([]Outcome, len(paths))
	}
	var shown []*Shown
	if slices.ContainsFunc(paths, func(p quoting.Path) bool { return p.Reading.Shown() }) {
		if j.Acting == nil {
			return nil, nil, errActing
		}
		var err error
		if shown, err = j.show(ctx, commands, func(i int, s *Shown) bool { return unexplained(paths, commands[i], s) }); err != nil {
			return nil, nil, err
		}
	}
	if slices.ContainsFunc(paths, func(p quoting.Path) bool { return p.Reading.Oracle == quoting.Words }) {
		if err := j.split(ctx, paths, commands, all); err != nil {
			return nil, nil, err
		}
	}
	for n, p := range paths {
		if p.Reading.Oracle == quoting.Parse {
			if err := j.parsed(ctx, p, commands, all, n); err != nil {
				return nil, nil, err
			}
			continue
		}
		for i, command := range commands {
			switch p.Reading.Oracle {
			case quoting.Executed:
				all[i][n] = judged(p, command, shown[i])
				if err := j.limited(ctx, p, command, &all[i][n], shown[i]); err != nil {
					return nil, nil, err
				}
			case quoting.Segments:
				all[i][n] = segments(p, command, shown[i])
			case quoting.Revisions:
				all[i][n] = revised(p, command)
			case quoting.Laws:
				all[i][n] = lawful(p, command)
			}
		}
	}
	return all, shown, nil
}

// unexplained reports whether a guard says something that the run of the command has
// not shown to be right.
func unexplained(paths []quoting.Path, command string, s *Shown) bool {
	for _, p := range paths {
		if p.Reading.Oracle == quoting.Segments && segmentsDiffer(p, command) {
			return true
		}
		if p.Reading.Oracle != quoting.Executed {
			continue
		}
		name, hit := p.Reading.Guard.Judge(command, GOOS)
		if !hit {
			name = ""
		}
		if _, ran := s.waited(name); !ran {
			return true
		}
	}
	return false
}

// judged is the outcome of a guard's verdict on a command.
func judged(p quoting.Path, command string, s *Shown) Outcome {
	g := p.Reading.Guard
	name, hit := g.Judge(command, GOOS)
	r := finding.Reading{Guard: g.Name, Verdict: finding.Clear, Class: finding.Agree}
	if hit {
		r.Verdict, r.Name = finding.Hit, name
		r.Truth = s.truth(name)
	} else {
		r.Truth = s.truth("")
	}
	switch {
	case r.Truth == finding.Undecided:
		r.Class = finding.Undecided
	case hit && r.Truth == finding.DidNotRun:
		r.Class = finding.FalseAlarm
		r.Cause, r.Wrong = blame.Alarmed(g, command, s.alarm(name))
	case !hit && r.Truth == finding.RanProgram:
		start, _ := s.waited("")
		r.Class, r.Name = finding.Miss, start.Waits
		r.Cause, r.Wrong = blame.Miss(g, command, start.Argv, start.Outer, s.place(command, start.Argv[0]))
	}
	return reading(p, r, s.Plain.Observation)
}

// reading is the outcome of a reading, with what the shell has shown.
func reading(p quoting.Path, r finding.Reading, shown wire.Observation) Outcome {
	o := Outcome{Path: p, Verdict: Same, Reading: &r, Expected: &shown}
	said := r.Guard + ": " + r.Verdict
	if r.Verdict == finding.Hit {
		said += " " + r.Name
	}
	o.Observed = &wire.Observation{Stdout: []byte(said + "\n")}
	switch r.Class {
	case finding.Agree:
	case finding.Undecided:
		o.Class, o.Reason = finding.Undecided, "what did not run might on a branch that could not be taken"
	default:
		o.Verdict = Differs
	}
	return o
}

// alarm collects what is known of a program that does not wait.
func (s *Shown) alarm(name string) blame.Alarm {
	a := blame.Alarm{Name: name, Refused: s.Refused}
	for _, t := range s.Starts {
		if would := program.Waits(t.Argv, program.Terminals{In: true, Out: true, Err: true}); would == name || path.Base(t.Argv[0]) == name {
			a.Argv, a.In, a.Out, a.WouldWait = t.Argv, t.On.In, t.On.Out, would == name
			if a.WouldWait {
				break
			}
		}
	}
	for k, c := range s.survey.Calls {
		if mentions(c, name) {
			a.At = blame.Place{At: s.survey.At[k], Call: c, Found: true}
			break
		}
	}
	return a
}

// place returns where a program is called.
func (s *Shown) place(command, argv0 string) blame.Place {
	survey := s.survey
	if !survey.Parsed {
		survey = explore.Of(command, ofInterest)
	}
	for k, c := range survey.Calls {
		for _, w := range c.Words {
			if w == argv0 {
				return blame.Place{At: survey.At[k], Call: c, Found: true}
			}
		}
	}
	for k, c := range survey.Calls {
		if !c.Literal[0] {
			return blame.Place{At: survey.At[k], Call: c, Found: true}
		}
	}
	return blame.Place{}
}

// readingScript returns the reproduction of a finding about what is read: of the run
// which shows that the verdict is wrong.
func (j *Judge) readingScript(ctx context.Context, p quoting.Path, c Case, f finding.Finding) ([]byte, error) {
	if p.Reading.Oracle == quoting.Parse {
		return finding.ParseScript(f), nil
	}
	shown, err := j.show(ctx, []string{string(c.Command)}, func(int, *Shown) bool { return f.Reading.Class == finding.Miss })
	if err != nil {
		return nil, err
	}
	from := 0
	if start, ok := shown[0].waited(f.Reading.Name); ok && f.Reading.Class == finding.Miss {
		from = start.run
	}
	r := shown[0].runs[from]
	return finding.ReadingScript(f, []byte(r.text), r.result.Records), nil
}
