package guard

import "strings"

// Splitter returns what the hand-written splitter of the guard says by itself, with
// what it calls for payloads of shells.
func (g Guard) Splitter(command, goos string) (name string, hit bool) {
	g.tree = noTree
	return g.Judge(command, goos)
}

// Tree returns what the guard makes of the calls in the parser's tree by
// themselves.
func (g Guard) Tree(command, goos string) (name string, hit bool) {
	return g.inTree(strings.TrimSpace(command), goos)
}

// Program returns the program of words as the splitter of the guard has it, "" where
// it sees none.
func (g Guard) Program(words []string) string {
	name, _ := g.reader.program(words)
	return name
}

// Repaired is the name of the guard that is a control for the others.
const Repaired = "guard@repaired"
