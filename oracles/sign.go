package oracles

import (
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/targets/path"
)

// Sign returns the signature of a case that differs. A payload on a path that
// carries commands is the command which hands it to a probe, and what goes wrong
// with it goes wrong with that. Of a session it is the command that differs.
func Sign(c Case, o Outcome) finding.Signature {
	kind, input := c.Kind(), c.Input()
	switch {
	case o.Reading != nil:
		kind := finding.Guard
		if o.Path.Reading.Oracle == path.Words {
			kind = finding.Splitter
		}
		return o.Reading.Signed(kind, o.Path.Family)
	case o.Path.Reference == path.Prediction:
		kind, input = finding.Predictor, c.lines()[o.Line:o.Line+1]
	case o.Path.TakesSessions():
		kind, input = finding.Session, c.lines()[o.Line:o.Line+1]
	case c.Payloads != nil && o.Path.TakesCommands():
		kind, input = finding.Command, [][]byte{path.PayloadCommand(c.Payloads)}
	}
	return finding.Sign(kind, o.Path.Family, input, *o.Expected, *o.Observed)
}
