// Package wire defines what is asked of an agent and what it answers, and how
// both travel: length-prefixed frames over a pair of byte streams.
package wire

import (
	"bytes"
	"slices"
)

// A Record is what one child was given. Its fields are named as in reports;
// byte strings become base64 in JSON.
type Record struct {
	Argv [][]byte `json:"argv"`
	// Stdin is nil where it could not be read or was a terminal.
	Stdin []byte `json:"stdin"`
	// StdinCut says that the child's input went on behind Stdin.
	StdinCut bool `json:"stdin_cut"`
	// Part is the number of the part of a script of several cases that the
	// child belongs to, 0 where its environment names none. It is not compared.
	Part uint64 `json:"-"`
	// InTTY, OutTTY and ErrTTY say that the child's standard input, output and error
	// were terminals. They are not compared.
	InTTY  bool `json:"-"`
	OutTTY bool `json:"-"`
	ErrTTY bool `json:"-"`
}

func (r Record) equal(s Record) bool {
	return r.StdinCut == s.StdinCut && (r.Stdin == nil) == (s.Stdin == nil) &&
		bytes.Equal(r.Stdin, s.Stdin) && slices.EqualFunc(r.Argv, s.Argv, bytes.Equal)
}

func (r Record) compare(s Record) int {
	if c := slices.CompareFunc(r.Argv, s.Argv, bytes.Compare); c != 0 {
		return c
	}
	return bytes.Compare(r.Stdin, s.Stdin)
}

// An Observation is what running one shell has shown.
type Observation struct {
	Records []Record `json:"records"`
	Stdout  []byte   `json:"stdout"`
	// Status is the exit status of the shell, or 128 plus the signal that
	// ended it.
	Status int `json:"status"`
	// Ended says what cut the run short, if anything did. It is compared.
	Ended Ended `json:"ended,omitempty"`
	// Fate is what became of a line that was sent to an interactive shell: "ran",
	// which is "" too, or why its command did not run as it was sent. It is
	// compared.
	Fate string `json:"fate,omitempty"`
	// Expanded says that an interactive shell has shown the line once more, as it
	// does where history expansion has changed it. It is not compared.
	Expanded bool `json:"expanded,omitempty"`
}

// The fates of a line.
const (
	Ran        = "ran"         // its command has run
	Rewritten  = "rewritten"   // another one has run instead, with all its markers
	Discarded  = "discarded"   // nothing has run
	Continued  = "continued"   // the shell waits for the rest of a quote
	MarkerLost = "marker-lost" // the command has run, at least in part, and its end was not told
	Alive      = "alive"       // a child is still there
	Gone       = "gone"        // the shell has ended
)

func (o Observation) fate() string {
	if o.Fate == "" {
		return Ran
	}
	return o.Fate
}

// Ended says why a run was ended from outside.
type Ended string

// The reasons for which an agent ends a run.
const (
	Itself   Ended = ""         // the shell and all its children came to their end
	Spinning Ended = "spinning" // the budget of CPU time was used up
	Hung     Ended = "hung"     // every process slept and nothing moved any more
	Flooding Ended = "flooding" // more output, or more records, than are kept
	Greedy   Ended = "greedy"   // more memory or processes than a run may have
	Overtime Ended = "overtime" // the bound on wall time was reached
)

// Equal reports whether two runs showed the same. Records compare as a
// multiset, since children may have run at the same time. Of runs that were
// ended from outside only the reason is compared: how far they came is chance.
func (o Observation) Equal(p Observation) bool {
	if o.Ended != Itself && o.Ended == p.Ended {
		return true
	}
	if o.Status != p.Status || o.Ended != p.Ended || o.fate() != p.fate() || !bytes.Equal(o.Stdout, p.Stdout) || len(o.Records) != len(p.Records) {
		return false
	}
	if slices.EqualFunc(o.Records, p.Records, Record.equal) {
		return true
	}
	a, b := slices.Clone(o.Records), slices.Clone(p.Records)
	slices.SortFunc(a, Record.compare)
	slices.SortFunc(b, Record.compare)
	return slices.EqualFunc(a, b, Record.equal)
}
