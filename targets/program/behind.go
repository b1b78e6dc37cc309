// Package program knows programs that a command may name: which of them run other
// programs, and which ones these are.
package program

import (
	"path"
	"strings"
)

// Wrappers are the programs that execute the command that their arguments name.
var Wrappers = []string{
	"sudo", "doas", "env", "nohup", "nice", "timeout", "stdbuf", "setsid", "ionice", "time", "xargs", "find", "busybox",
}

// A Plan is what a wrapper does with its arguments.
type Plan struct {
	// Inner is the argument vector that it executes first, nil where it executes
	// nothing. What it reads elsewhere is not in it: words on standard input, or
	// the file for {}.
	Inner []string
	// Status is with what it ends where it executes nothing, and Missing where
	// there is no such program.
	Status, Missing int
	// Clear says that Inner gets no variable of the environment, Unset which ones
	// it does not get, and Set which ones, as NAME=value, it does.
	Clear      bool
	Unset, Set []string
	// Dir is the folder in which Inner is executed, or "".
	Dir string
	// Words is how xargs calls, and Find what find does, for these two.
	Words *Words
	Find  *Find
}

// Behind returns what a wrapper, which argv[0] names, would execute, and whether that
// is anything. It is false for other programs too.
func Behind(argv []string) (inner []string, ok bool) {
	p := Of(argv, nil)
	return p.Inner, p.Inner != nil
}

// BehindAll returns all that a wrapper would execute: find may have more than one
// command.
func BehindAll(argv []string) [][]string {
	p := Of(argv, nil)
	switch {
	case p.Inner == nil:
		return nil
	case p.Find != nil:
		all := make([][]string, len(p.Find.Runs))
		for i, r := range p.Find.Runs {
			all[i] = r.Argv
		}
		return all
	}
	return [][]string{p.Inner}
}

// Of returns the plan of a wrapper, by its documentation. The lookup is that of
// variables in its environment; without one, references to variables stay as they
// are.
func Of(argv []string, lookup func(name string) (value string, ok bool)) Plan {
	if len(argv) == 0 {
		return Plan{Status: 127}
	}
	args := argv[1:]
	switch path.Base(argv[0]) {
	case "sudo":
		return sudo(args, lookup)
	case "doas":
		return doas(args)
	case "env":
		return env(args, lookup)
	case "nohup":
		return simple(args, grammar{"", told}, 125, nil)
	case "nice":
		return nice(args)
	case "timeout":
		return timeout(args)
	case "stdbuf":
		return stdbuf(args)
	case "setsid":
		return simple(args, grammar{"Vhcfw", "ctty=c fork=f wait=w version=V help=h"}, 1, nil)
	case "ionice":
		return ionice(args)
	case "time":
		return simple(args, grammar{"af:ho:pqvV", "append=a format=f: help=h output=o: portability=p quiet=q verbose=v version=V"}, 125, nil)
	case "xargs":
		return xargs(args)
	case "find":
		return find(args)
	case "busybox":
		if len(args) == 0 || strings.HasPrefix(args[0], "--") {
			return Plan{}
		}
		return Plan{Inner: args, Missing: 127}
	}
	return Plan{Status: 127}
}

// simple is a wrapper whose command follows its options.
func simple(args []string, g grammar, misuse int, each func(option) bool) Plan {
	operands, p, done := scan(args, g, misuse, each)
	switch {
	case done:
		return p
	case len(operands) == 0:
		return Plan{Status: misuse}
	}
	return Plan{Inner: operands, Missing: 127}
}

// scan reads the options of a program that tells about itself by help, h and V. What
// any other does is told to the function, which reports whether its value is right.
// It is done where that is all that the program does.
func scan(args []string, g grammar, misuse int, each func(option) bool) (operands []string, p Plan, done bool) {
	s := scanner{grammar: g, args: args}
	for {
		o, f := s.next()
		switch {
		case f == none:
			return s.args, Plan{}, false
		case f == one && (o.code == help || o.code == 'h' || o.code == 'V'):
			return nil, Plan{}, true
		case f == bad || each != nil && !each(o):
			return nil, Plan{Status: misuse}, true
		}
	}
}

// nice takes -5, --5 and -+5 as well as its option, and tells without a command.
func nice(args []string) Plan {
	adjustment, given := "", false
	s := scanner{grammar{"n:", "adjustment=n:" + told}, args, ""}
	for {
		if len(s.args) > 0 && s.bundled == "" && old(s.args[0]) {
			adjustment, given, s.args = s.args[0][1:], true, s.args[1:]
			continue
		}
		o, f := s.next()
		if f == bad {
			return Plan{Status: 125}
		}
		if f == none {
			break
		}
		if o.code == help {
			return Plan{}
		}
		adjustment, given = o.value, true
	}
	switch {
	case given && !count(adjustment, -1<<63):
		return Plan{Status: 125}
	case len(s.args) > 0:
		return Plan{Inner: s.args, Missing: 127}
	case given:
		return Plan{Status: 125}
	}
	return Plan{}
}

// old reports whether an argument of nice is a number behind a dash.
func old(arg string) bool {
	if len(arg) < 2 || arg[0] != '-' {
		return false
	}
	if arg[1] == '-' || arg[1] == '+' {
		arg = arg[1:]
	}
	return len(arg) > 1 && arg[1] >= '0' && arg[1] <= '9'
}

func timeout(args []string) Plan {
	g := grammar{"fk:ps:v", "foreground=f kill-after=k: preserve-status=p signal=s: verbose=v" + told}
	p := simple(args, g, 125, func(o option) bool {
		return (o.code != 'k' || duration(o.value)) && (o.code != 's' || signal(o.value))
	})
	switch {
	case p.Inner == nil:
	case len(p.Inner) < 2 || !duration(p.Inner[0]):
		return Plan{Status: 125}
	default:
		p.Inner = p.Inner[1:]
	}
	return p
}

func stdbuf(args []string) Plan {
	given := false
	p := simple(args, grammar{"i:o:e:", "input=i: output=o: error=e:" + told}, 125, func(o option) bool {
		given = true
		return o.value == "L" && o.code != 'i' || size(o.value)
	})
	if p.Inner != nil && !given {
		return Plan{Status: 125}
	}
	return p
}

func ionice(args []string) Plan {
	g := grammar{"n:c:p:P:u:tVh", "classdata=n: class=c: help=h ignore=t pid=p: pgid=P: uid=u: version=V"}
	whose, set := false, false
	operands, p, done := scan(args, g, 1, func(o option) bool {
		switch o.code {
		case 'n':
			set = true
			return count(o.value, -1<<31)
		case 'c':
			set = true
			if o.value != "" && o.value[0] >= '0' && o.value[0] <= '9' {
				return count(o.value, 0)
			}
			return strings.Contains(" none realtime best-effort idle ", " "+strings.ToLower(o.value)+" ")
		case 'p', 'P', 'u':
			again := whose
			whose = true
			return count(o.value, -1<<31) && !again
		}
		return true
	})
	switch {
	case done:
		return p
	case whose, !set && len(operands) == 0:
		return Plan{} // about another process, or itself
	case len(operands) == 0:
		return Plan{Status: 1}
	}
	return Plan{Inner: operands, Missing: 127}
}

// doas executes a shell by -s alone.
func doas(args []string) Plan {
	s := scanner{grammar: grammar{"a:C:Lnsu:", ""}, args: args}
	shell, nothing := false, false
	for {
		o, f := s.next()
		if f == bad {
			return Plan{Status: 1}
		}
		if f == none {
			break
		}
		shell = shell || o.code == 's'
		nothing = nothing || o.code == 'C' || o.code == 'L'
	}
	switch {
	case nothing:
		return Plan{}
	case shell && len(s.args) > 0, !shell && len(s.args) == 0:
		return Plan{Status: 1}
	case shell:
		return Plan{Inner: []string{"bash"}, Missing: 1}
	}
	return Plan{Inner: s.args, Missing: 1}
}
