package blame

import (
	"slices"
	"strings"

	"github.com/argvdiff/argvdiff/oracles/explore"
	"github.com/argvdiff/argvdiff/targets/guard"
	"github.com/argvdiff/argvdiff/targets/quote"
)

// goos is the system for which guards are asked: shells run on it.
const goos = "linux"

// Who of a guard is wrong.
const (
	Splitter = "splitter"
	Tree     = "tree"
	Both     = "both"
)

var posix, _ = quote.Lookup("posix")

// line writes arguments as a command in which each is quoted where it has to be.
func line(argv []string) string {
	words := make([]string, len(argv))
	for i, a := range argv {
		words[i] = a
		if a == "" || strings.ContainsAny(a, " \t\n'\"\\$`;&|<>()#*?[]{}~=!") {
			if q, err := posix.Quote([]byte(a)); err == nil {
				words[i] = string(q)
			}
		}
	}
	return strings.Join(words, " ")
}

// runners are builtins that run what their arguments say.
var runners = []string{"eval", "builtin", "exec", "command", "trap", "."}

// ansiC reports whether a $'...' stands in the first word of a call.
func ansiC(command string, at int) bool {
	rest := command[min(at, len(command)):]
	if i := strings.IndexAny(rest, " \t\n;&|"); i >= 0 {
		rest = rest[:i]
	}
	return strings.Contains(rest, "$'")
}

// A Place is where the call of a program stands in a command.
type Place struct {
	At   int // its offset
	Call explore.Call
	// Found is false where no call in the parser's tree is that of the program.
	Found bool
}

// Miss says why a guard clears a command that runs argv, which waits. Outer is the
// outermost program that led to it, argv itself where that is no wrapper.
func Miss(g guard.Guard, command string, argv, outer []string, at Place) (cause, wrong string) {
	wrong = Both
	if _, tree := g.Tree(command, goos); !tree && g.Name == guard.All[0].Name {
		wrong = Splitter
	}
	if g.Name == guard.Repaired {
		wrong = Tree
	}
	hits := func(text string) bool {
		_, hit := g.Judge(text, goos)
		return hit
	}
	switch {
	case !hits(line(argv)) && !hits(line(argv[:1])):
		return Unlisted, wrong
	case !hits(line(argv)):
		return Arguments, wrong
	case !hits(line(outer)):
		return Wrapper, wrong
	case !at.Found:
		return Opaque, wrong
	}
	before := Before(command, at.At)
	switch changed, ok := Without(command, DynamicWord); {
	case !at.Call.Literal[0] && ansiC(command, at.At):
		return "an ANSI-C quote", wrong
	case !at.Call.Literal[0]:
		return Opaque, wrong
	case slices.Contains(runners, at.Call.Words[0]):
		return at.Call.Words[0], wrong
	case ok && hits(changed):
		return DynamicWord, wrong
	}
	if before != "" {
		return "behind " + before, wrong
	}
	for _, name := range []string{"an assignment", "a redirection", "an ANSI-C quote", "a comment", "quoted text", "a backslash"} {
		if changed, ok := Without(command, name); ok && hits(changed) {
			return name, wrong
		}
	}
	return Elsewhere, wrong
}

// An Alarm is what is known of a program that a guard reports and that does not wait.
type Alarm struct {
	Name string
	// Argv are the arguments of a run of the program that did not wait, with
	// whether its input and output were the terminal; nil where it did not run.
	Argv    []string
	In, Out bool
	// WouldWait says that it would wait with both.
	WouldWait bool
	// Refused says that the shell does not take the command.
	Refused bool
	// At is a call of the program in the parser's tree.
	At Place
}

// Alarmed says why a guard reports what does not wait.
func Alarmed(g guard.Guard, command string, a Alarm) (cause, wrong string) {
	name, splitter := g.Splitter(command, goos)
	splitter = splitter && name == a.Name
	name, tree := g.Tree(command, goos)
	tree = tree && name == a.Name
	switch {
	case g.Name == guard.Repaired:
		wrong = Tree
	case splitter && tree:
		wrong = Both
	case splitter:
		wrong = Splitter
	default:
		wrong = Tree
	}
	switch {
	case a.Refused:
		return Unparsed, wrong
	case a.Argv != nil && a.WouldWait && !a.In:
		return InputLost, wrong
	case a.Argv != nil && a.WouldWait && !a.Out:
		return OutputLost, wrong
	case a.Argv != nil:
		return Arguments, wrong
	}
	if c := Because(command, func(text string) bool {
		name, hit := g.Judge(text, goos)
		return hit && name == a.Name
	}); c != "" {
		return c, wrong
	}
	if !a.At.Found {
		return "an argument", wrong
	}
	words := a.At.Call.Words
	switch program, _, _ := strings.Cut(a.Name, " "); {
	case words[0] == "command" && len(words) > 1 && (strings.HasPrefix(words[1], "-v") || strings.HasPrefix(words[1], "-V")):
		return Lookup, wrong
	case defines(command, program):
		return Function, wrong
	case !strings.HasSuffix(words[0], program):
		return "an argument", wrong
	}
	return Unreachable, wrong
}
