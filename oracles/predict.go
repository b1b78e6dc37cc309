package oracles

import (
	"bytes"
	"context"

	"github.com/argvdiff/argvdiff/oracles/exposure"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
	"github.com/argvdiff/argvdiff/targets/pty"
)

// A Prediction is what history expansion of bash 3.2 would make of a command on
// its way through an interactive shell. It is a prediction and no observation.
type Prediction struct {
	exposure.Prediction
	// Line is the index of the command in its session.
	Line int
	// Sure is false where an earlier command has done what is not followed.
	Sure bool
}

// lineLimit is how long a line may be that a terminal without line editor takes.
const lineLimit = 4095

// foretold is the oldest version of bash of which nothing is predicted.
const foretold = "4.0"

// Foretells reports whether predictions are about shells of that version.
func Foretells(version string) bool { return Older(version, foretold) }

// Predict returns what bash 3.2 would make of each line of a session on a path for
// interactive shells, as far as that can be told: it ends behind a line that holds
// keys of the line editor, or after which the shell waits for more.
func Predict(p path.Path, c Case) []Prediction {
	state := exposure.State{UTF8: true}
	line := func(command []byte) []byte { return []byte(pty.Wrap(string(command), lineID(0))) }
	edits := true
	switch v := p.Terminal; {
	case v != nil:
		state.Off, state.UTF8, edits = v.HistOff, v.Locale != "C" && v.Locale != "POSIX", !v.NoEditing
		state.History = []string{v.Begin()}
		line = func(command []byte) []byte {
			return p.Type(command, lineID(0), false, path.Site{LineFile: "/tmp/line"}).Text
		}
	case !p.Interactive:
		return nil
	}
	var list []Prediction
	for i, command := range c.lines() {
		text := line(command)
		if edits {
			text = bytes.ReplaceAll(text, []byte{'\t'}, nil) // it completes nothing, and is gone
		}
		if !edits && len(text) >= lineLimit || bytes.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			break
		}
		e := exposure.Predict(text, state)
		list = append(list, Prediction{e, i, !state.Unsure && !e.Guess()})
		if e.Fate == exposure.Continued {
			break
		}
		state = state.After(string(command), text, e)
	}
	return list
}

// judgePrediction compares what is predicted of the lines of a session with what
// they have come to. A shell that is not foretold leaves every line untouched.
func (j *Judge) judgePrediction(p path.Path, c Case, lines []line, typed []wire.Typed) Outcome {
	o := Outcome{Path: p, Verdict: Same}
	for _, e := range Predict(p, c) {
		if !e.Sure || e.Line >= len(typed) {
			break
		}
		fate := e.Fate
		if !Foretells(j.Shell.Version) {
			fate = exposure.Untouched
		}
		got := readTyped(typed[e.Line], lines[e.Line].id)
		want := wire.Observation{Fate: string(fate)}
		seen := wire.Observation{Fate: string(seenFate(got, fate))}
		o.Line, o.Layers, o.Typed = e.Line, lines[e.Line].Layers, &typed[e.Line]
		o.Expected, o.Observed = &want, &seen
		if want.Fate != seen.Fate {
			o.Verdict = Differs
			break
		}
		if typed[e.Line].Settled != wire.Prompted {
			break
		}
	}
	return o
}

// confirmPrediction returns the outcome of a session on the path that tests the
// predictor, typed once more where it differs.
func (j *Judge) confirmPrediction(ctx context.Context, p path.Path, c Case, lines []line, typed []wire.Typed, glance bool, confirm func(Outcome) bool) (Outcome, error) {
	o := j.judgePrediction(p, c, lines, typed)
	if o.Verdict != Differs || glance || !confirm(o) {
		return o, nil
	}
	again, _, err := j.type1(ctx, p, c, &o)
	if err != nil || o.Verdict != Differs {
		return o, err
	}
	if second := j.judgePrediction(p, c, lines, again); second.Verdict != o.Verdict || !second.Observed.Equal(*o.Observed) {
		o.Verdict, o.Reason = Unstable, "two runs of the path differ"
	}
	return o, nil
}

// seenFate is what history expansion has made of a line, by what was seen: a shell
// may wait for more without it, too.
func seenFate(o wire.Observation, predicted exposure.Fate) exposure.Fate {
	switch {
	case o.Fate == wire.Discarded:
		return exposure.Discarded
	case o.Fate == wire.Continued && (o.Expanded || predicted == exposure.Continued):
		return exposure.Continued
	case o.Expanded:
		return exposure.Rewritten
	}
	return exposure.Untouched
}
