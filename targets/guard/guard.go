// Package guard models code that decides about a command by reading it: a hand-written
// splitter and, in later revisions, a look at the parser's tree beside it, which ask
// whether a command would wait for a person.
package guard

import (
	"slices"
	"strings"
)

// A Guard decides about commands.
type Guard struct {
	// Name identifies the guard on the command line.
	Name string
	// Doc says in one line, without a final period, what it models.
	Doc string

	reader  reader
	tree    depth
	follows bool // what bash would execute, and nothing else
}

// A depth says what a guard makes of the calls in the parser's tree.
type depth int

const (
	noTree       depth = iota
	anyWords           // programs only, of all calls
	literalFirst       // everything, of calls whose first word is literal
	literalAll         // everything, of calls all of whose words are literal
)

// All lists the guards: the revisions of one, the oldest first, and the control beside
// them.
var All = []Guard{
	{Name: "guard@base", Doc: "a hand-written splitter alone", tree: noTree},
	{Name: "guard@draft", Doc: "the splitter, and beside it the programs in the parser's tree", tree: anyWords},
	{Name: "guard@f8c902c", Doc: "the splitter, and beside it all checks on calls in the tree whose program is literal", tree: literalFirst},
	{Name: "guard@df2cd63", Doc: "the same on calls all of whose words are literal", tree: literalAll},
	{Name: "guard@head", Doc: "the same, with names of programs as Windows writes them", tree: literalAll, reader: reader{paths: true}},
	{Name: Repaired, Doc: "the control: what bash would execute, followed in the parser's tree, and facts about the programs", follows: true},
}

// Lookup returns the guard of that name.
func Lookup(name string) (Guard, bool) {
	i := slices.IndexFunc(All, func(g Guard) bool { return g.Name == name })
	if i < 0 {
		return Guard{}, false
	}
	return All[i], true
}

// Judge returns the name of what would wait for a person, and false where nothing
// does. The operating system is named as by GOOS.
func (g Guard) Judge(command, goos string) (name string, hit bool) {
	if g.follows {
		return repaired(command, goos)
	}
	text := strings.TrimSpace(command)
	if text == "" {
		return "", false
	}
	var list [][]string
	for _, s := range Split(strings.Join(strings.Fields(text), " ")) {
		list = append(list, strings.Fields(s))
	}
	for _, words := range list {
		if _, at := g.reader.program(words); at >= 0 {
			if name := segment(words, at); name != "" {
				return name, true
			}
		}
	}
	for _, words := range list {
		if name, hit := g.call(words, goos); hit {
			return name, true
		}
	}
	return g.inTree(text, goos)
}

// call looks at the program of a call.
func (g Guard) call(words []string, goos string) (name string, hit bool) {
	program, at := g.reader.program(words)
	if at < 0 {
		return "", false
	}
	if slices.Contains(shells, program) {
		if payload := g.reader.payload(program, words); payload != "" {
			return g.Judge(payload, goos)
		}
	}
	return program, g.reader.waits(program, words, goos)
}
