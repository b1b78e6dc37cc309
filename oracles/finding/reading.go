package finding

import "github.com/argvdiff/argvdiff/oracles/wire"

// A Reading is what code that reads a command said of it, with what is true.
type Reading struct {
	// Guard is the code: a guard, or two revisions of one, or what else reads.
	Guard string `json:"guard"`
	// Verdict is Hit or Clear, or what a reader of another kind has said.
	Verdict string `json:"verdict"`
	// Name is what the verdict is about: the program that was reported, or the one
	// that ran and was not; "" where there is none.
	Name string `json:"name"`
	// Truth is RanProgram, DidNotRun or Undecided, of that program.
	Truth string `json:"truth"`
	// Class is Agree, Miss, FalseAlarm or Undecided.
	Class string `json:"class"`
	// Cause says why the verdict is wrong, "" where it is not.
	Cause string `json:"cause"`
	// Wrong says which part of the reader is: "splitter", "tree", "both", or "".
	Wrong string `json:"wrong,omitempty"`
}

// The verdicts of a guard.
const (
	Hit   = "hit"
	Clear = "clear"
)

// What is true of the program that a verdict names.
const (
	RanProgram = "ran"         // it ran, and waits for a person
	DidNotRun  = "did-not-run" // it cannot on any branch, or does not wait
	Undecided  = "undecided"   // it did not run, and on another branch it might
)

// The classes of a reading; Undecided is one too.
const (
	Agree      = "agree"
	Miss       = "miss"
	FalseAlarm = "false-alarm"
	// Differ is that of readers with which there is no hit to miss.
	Differ = "differ"
)

// Signed returns the signature of a reading that is wrong. The family is that of
// its path.
func (r Reading) Signed(kind, family string) Signature {
	edit := r.Class
	switch r.Class {
	case Miss:
		edit = "a program that waits is missed"
	case FalseAlarm:
		edit = "what does not wait is reported"
	case Differ:
		edit = r.Verdict
	}
	return Signature{Kind: kind, Family: family, Fate: wire.Ran, Edit: edit, Context: r.Cause}
}
