package program

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// Terminals says which of a program's standard streams are the terminal.
type Terminals struct{ In, Out, Err bool }

// Waits returns the name under which a call that waits for a person is reported, or
// "" where it does not. A call waits if it asks at the terminal, reads commands from
// it, opens a full screen or follows something without end. Filters that would read
// data from the terminal, as cat without a file, are not meant. What a file, a server
// or the environment decides is taken as it usually is: a file is longer than the
// screen, a host answers, an editor waits.
func Waits(argv []string, on Terminals) (name string) {
	if len(argv) == 0 {
		return ""
	}
	base := argv[0][strings.LastIndexByte(argv[0], '/')+1:]
	known := facts()
	if f, ok := known.named[base]; ok {
		return f(argv, on)
	}
	r, ok := known.rules[base]
	if !ok && versioned(base) {
		r, ok = pythons, true
	}
	if ok && r.waits(r.grammar.read(argv[1:]), on) {
		return base
	}
	return ""
}

// A rule reads the arguments of a program and says whether the call waits.
type rule struct {
	grammar *optionGrammar
	waits   func(l line, on Terminals) bool
}

// versioned reports whether a name is python's with a version, as python3.11.
func versioned(name string) bool {
	rest, ok := strings.CutPrefix(name, "python")
	return ok && strings.Trim(rest, "0123456789.") == ""
}

// A table holds what is known of programs, by their names: those with a rule, and those
// that are reported under other names than their own.
type table struct {
	rules map[string]rule
	named map[string]func(argv []string, on Terminals) string
}

// add gives programs a rule.
func (t *table) add(names string, short, long string, waits func(l line, on Terminals) bool) {
	t.addRule(names, rule{grammarOf(short, long), waits})
}

func (t *table) addRule(names string, r rule) {
	for _, n := range strings.Fields(names) {
		t.rules[n] = r
	}
}

// all is what facts returns once it was asked.
var all struct {
	once  sync.Once
	table table
}

// facts returns all that is known. It is put together when it is first asked for,
// since some programs run others of it.
func facts() *table {
	all.once.Do(func() {
		all.table = table{rules: make(map[string]rule), named: make(map[string]func([]string, Terminals) string)}
		for _, group := range []func(*table){screens, readers, talkers, followers, gits, containers, shellPrograms} {
			group(&all.table)
		}
	})
	return &all.table
}

var names = sync.OnceValue(func() []string {
	t := facts()
	list := slices.Concat(slices.Collect(maps.Keys(t.rules)), slices.Collect(maps.Keys(t.named)), Wrappers)
	slices.Sort(list)
	return slices.Compact(list)
})

// Names returns the programs that something is known of, wrappers among them, sorted.
func Names() []string { return names() }

// quiet reports whether the call only tells about its program.
func (l line) quiet() bool {
	return l.has("--version", "--help", "-version", "-help")
}

// always waits but where it tells about itself.
func always(l line, on Terminals) bool { return !l.quiet() && !l.has("-h", "-V") }

// prompts waits where its input is the terminal, but where it tells about itself.
func prompts(l line, on Terminals) bool { return on.In && always(l, on) }

// Known reports whether something is known of a program of that name.
func Known(name string) bool {
	_, ok := slices.BinarySearch(names(), name)
	return ok || versioned(name)
}
