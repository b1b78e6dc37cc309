package path

import (
	"strings"

	"github.com/argvdiff/argvdiff/targets/guard"
	"github.com/argvdiff/argvdiff/targets/splitter"
)

// The oracles by which code that reads a command is judged.
const (
	Executed  = "executed"  // the verdict of a guard, by what bash runs
	Segments  = "segments"  // the calls that a splitter sees, by those in the parser's tree
	Revisions = "revisions" // a revision of a guard, by the one before it
	Laws      = "laws"      // a guard's verdict, by that on a command that means the same
	Parse     = "parse"     // whether the parser takes a command, by bash -n
	Words     = "words"     // the words of a splitter, by the arguments of a child
)

// A Reading says of a path that no text is carried on it: code reads a command, and
// an oracle judges what it makes of that.
type Reading struct {
	Oracle string
	// Guard is the one that reads. Before is the revision that it is compared with,
	// by the oracle of revisions.
	Guard, Before guard.Guard
	// Law is the spelling on which the verdict must be the same, by that of laws.
	Law string
	// Splitter is the one whose words are judged.
	Splitter splitter.Splitter
}

// The spellings that change nothing of what a command does.
const (
	Grouped   = "group"        // in braces
	NewLine   = "newline"      // behind another line
	Quoted    = "quotes"       // with the first word quoted
	Commented = "comment"      // before a line that is a comment
	Continued = "continuation" // with a line continuation behind the first word
	Printed   = "printer"      // as the parser's printer writes it
)

var laws = []string{Grouped, NewLine, Quoted, Commented, Continued, Printed}

// Shown reports whether the oracle needs a run of the command in a home where
// programs act.
func (r Reading) Shown() bool { return r.Oracle == Executed || r.Oracle == Segments }

// aside is why readings are not among what is used by itself.
const aside = "it reads commands and carries none"

// readings lists the paths on which commands are read.
func readings() []Path {
	var paths []Path
	add := func(name, doc string, r Reading) {
		family := name
		if r.Oracle == Words {
			family, _, _ = strings.Cut(name, "@")
		}
		paths = append(paths, Path{Name: name, Family: family, Doc: doc, Aside: aside, Reference: r.Oracle, Reading: &r})
	}
	for _, g := range guard.All {
		add(g.Name, "a guard, judged by what bash runs: "+g.Doc, Reading{Oracle: Executed, Guard: g})
	}
	add(Segments, "the calls that the hand-written splitter of a guard sees, against those in the parser's tree", Reading{Oracle: Segments, Guard: guard.All[0]})
	for i, g := range guard.All[1:] {
		if g.Name == guard.Repaired {
			continue // a control and no revision
		}
		before := guard.All[i]
		add(Revisions+":"+before.Name+".."+strings.TrimPrefix(g.Name, "guard@"), "what a revision of the guard reports otherwise than the one before it", Reading{Oracle: Revisions, Guard: g, Before: before})
	}
	for _, g := range guard.All {
		for _, l := range laws {
			add(Laws+"/"+l+":"+g.Name, "the verdict of the guard on a command and on one that means the same, by "+l, Reading{Oracle: Laws, Guard: g, Law: l})
		}
	}
	add(Parse, "whether the parser of mvdan.cc/sh takes a command, against bash -n", Reading{Oracle: Parse})
	for _, s := range splitter.All {
		add(Words+":"+s.Name, "the words of a splitter, against the arguments that bash gives a child: "+s.Doc, Reading{Oracle: Words, Splitter: s})
	}
	return paths
}
