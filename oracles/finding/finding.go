// Package finding holds what a campaign has to say about a disagreement: the
// finding itself, the signature by which findings of one cause are one, the log
// that loses none of them, the script that shows one without argvdiff, and the
// text in which people read it.
package finding

import (
	"encoding/json"

	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
)

// The kinds of findings: what it is that was not understood as bash does.
const (
	Payload   = "payload"   // a byte string that did not arrive as one argument
	Command   = "command"   // a command that did something else
	Session   = "session"   // a line typed into an interactive shell
	Guard     = "guard"     // a guard's reading of a command
	Splitter  = "splitter"  // a splitter's reading of a command
	Predictor = "predictor" // a prediction of what a line will do
)

// A Finding is one minimised, classified disagreement. Its byte strings become
// base64 in JSON.
type Finding struct {
	// ID is the hash of the signature, Class the signature in words.
	ID    string `json:"id"`
	Class string `json:"class"`
	Kind  string `json:"kind"`
	Path  string `json:"path"`
	// Paths are those of the campaign, of the same family, that show it.
	Paths []string `json:"paths"`
	// Input is the minimised input: one command, or payloads, or lines.
	Input    [][]byte         `json:"input"`
	Expected wire.Observation `json:"expected"`
	Observed wire.Observation `json:"observed"`
	// Fate is what became of the line or command: "ran" in the normal case.
	Fate string `json:"fate"`
	// Differ and Same are the ids of the shells that show it and do not.
	Differ []string `json:"shells_differ"`
	Same   []string `json:"shells_same"`
	// Known is the name of the known fault that this is, if it is one.
	Known *string `json:"known"`
	Seed  uint64  `json:"seed"`
	// Case is the lowest case number that showed it, Count how many did.
	Case   uint64       `json:"case"`
	Count  uint64       `json:"count"`
	Layers []path.Layer `json:"layers"`
	// Repro is the reproduction's file, relative to the campaign's folder.
	Repro string `json:"repro"`
	// Reading is what was read and what is true, for the kinds in which a command is
	// read.
	Reading *Reading `json:"reading,omitempty"`
	// Reproduced says whether the script showed the fault when it was written,
	// in a home of its own; nil where it could not be run.
	Reproduced *bool `json:"reproduced"`
}

// ReproFile is the name of a finding's reproduction in the campaign's folder.
func ReproFile(id string) string { return "repro/" + id + ".sh" }

// MarshalJSON writes every list as a list: null stands for nothing but an
// unreadable stdin and a finding that is not known.
func (f Finding) MarshalJSON() ([]byte, error) {
	type plain Finding
	f.Input, f.Paths = listed(f.Input), listed(f.Paths)
	f.Differ, f.Same = listed(f.Differ), listed(f.Same)
	f.Layers = listed(f.Layers)
	f.Expected, f.Observed = whole(f.Expected), whole(f.Observed)
	return json.Marshal(plain(f))
}

func listed[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func whole(o wire.Observation) wire.Observation {
	o.Stdout = listed(o.Stdout)
	records := make([]wire.Record, len(o.Records))
	for i, r := range o.Records {
		r.Argv = listed(r.Argv)
		records[i] = r
	}
	o.Records = records
	return o
}
