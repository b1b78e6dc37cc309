package oracles

import (
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/targets/path"
)

// Sign returns the signature of a case that differs. A payload on a path that
// carries commands is the command which hands it to a probe, and what goes wrong
// with it goes wrong with that.
func Sign(c Case, o Outcome) finding.Signature {
	kind, input := c.Kind(), c.Input()
	if c.Payloads != nil && o.Path.TakesCommands() {
		kind, input = finding.Command, [][]byte{path.PayloadCommand(c.Payloads)}
	}
	return finding.Sign(kind, o.Path.Family, input, *o.Expected, *o.Observed)
}
