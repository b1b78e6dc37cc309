package guard

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// opaque stands in a text for what reading alone cannot know. It is no character.
const opaque = "\ufdd0"

// Bounds on what one command is read for.
const (
	maxSteps = 5000
	maxBytes = 1 << 16
	maxOpen  = 1 << 12 // parentheses: the parser takes a lot of stack for each
	maxDepth = 24
	maxPicks = 16      // readings of one call
	maxText  = 1 << 13 // of a variable
	maxWords = 1 << 8  // of an array
)

// A reading is of one command as a whole.
type reading struct {
	goos  string
	name  string // what waits, "" so far
	steps int
	bytes int
	depth int
}

// A value is what a variable may hold: one of several texts, or the words of an
// array. It is open where it may hold something else, too.
type value struct {
	texts    []string
	list     []string
	array    bool
	open     bool
	exported bool
	gone     bool // it is not set, and texts are of an empty one
}

// A scope is what a shell knows at one place of its text.
type scope struct {
	*reading
	vars  map[string]value
	funcs map[string][]*syntax.Stmt // nil among the bodies: it may be no function
	args  []string                  // $1 and so on
	known bool                      // whether args are
	// second says that another command in the background stands before this one.
	second bool
	lines  *syntax.Stmt // the first statement of the text that is read by lines
	zero   string       // $0, "" where it is not known
	traps  map[string][]string
	files  files
	// pick chooses among the texts of variables; many are those that had a choice.
	pick map[string]int
	many map[string]int
	// calling and looping are how many functions and loops it is in.
	calling, looping int
}

// A flow says where a shell goes on.
type flow int

const (
	ahead   flow = iota
	leaves       // the loop
	returns      // from the function
	exits
)

var parsers = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}

// repaired follows what bash would execute of a command.
func repaired(command, goos string) (name string, hit bool) {
	r := &reading{goos: goos}
	s := &scope{reading: r, files: terminal, known: true}
	s.script(command)
	return r.name, r.name != ""
}

// parse returns the statements that bash executes: those of all lines before one that
// it refuses.
func parse(text string) []*syntax.Stmt {
	p := parsers.Get().(*syntax.Parser)
	defer parsers.Put(p)
	var list []*syntax.Stmt
	failed := false
	for stmt, err := range p.StmtsSeq(strings.NewReader(text)) {
		// An error may be handed over twice, even where the loop is left.
		if failed = failed || err != nil; !failed {
			list = append(list, stmt)
		}
	}
	if !failed {
		return list
	}
	// What stands on the line of the error is refused with it.
	for n := len(list); n > 0; n-- {
		line, _, more := strings.Cut(text[min(ending(list[n-1]), len(text)):], "\n")
		if line = strings.TrimLeft(line, " \t;&"); more && (line == "" || line[0] == '#') {
			return list[:n]
		}
	}
	return nil
}

// ending returns where a statement ends, without its here-documents.
func ending(s *syntax.Stmt) int {
	if !s.Semicolon.IsValid() {
		for _, r := range s.Redirs {
			if r.Hdoc != nil {
				return int(r.Word.End().Offset())
			}
		}
	}
	return int(s.End().Offset())
}

// script runs a text as a shell of its own, up to its traps.
func (s *scope) script(text string) {
	s.text(text)
	s.leave()
}

// leave runs what is trapped at the end of a shell.
func (s *scope) leave() {
	texts := slices.Concat(s.traps["EXIT"], s.traps["0"])
	s.traps = nil
	for _, t := range texts {
		s.text(t)
	}
}

// text runs a text in the shell.
func (s *scope) text(text string) flow {
	s.bytes += len(text)
	if s.depth >= maxDepth || s.bytes > maxBytes || strings.Count(text, "(") > maxOpen {
		return ahead
	}
	s.depth++
	defer func() { s.depth-- }()
	if !utf8.ValidString(text) { // the parser takes none, bash does
		text = strings.ToValidUTF8(text, "\ufdd1")
	}
	list := parse(strings.ReplaceAll(text, "\x00", ""))
	if len(list) == 0 {
		return ahead
	}
	before := s.lines
	s.lines = list[0]
	defer func() { s.lines = before }()
	return s.stmts(list)
}

// nested reports whether a list stands in a command, and is no text of its own.
func (s *scope) nested(list []*syntax.Stmt) bool { return list[0] != s.lines }

// done reports whether there is nothing more to find.
func (s *scope) done() bool { return s.name != "" || s.steps > maxSteps }

func (s *scope) stmts(list []*syntax.Stmt) flow {
	defer func() { s.second = false }()
	for i, stmt := range list {
		if s.done() {
			return exits
		}
		// Of commands in the background that stand one behind the other bash takes the
		// input from the first one only, which is seen on 3.2 to 5.3. Lines are read
		// one by one where nothing is open.
		s.second = i > 0 && list[i-1].Background && (s.nested(list) || list[i-1].Semicolon.Line() == stmt.Pos().Line())
		if f := s.stmt(stmt); f != ahead {
			return f
		}
	}
	return ahead
}

// copied returns the scope of a subshell, or of what may not run.
func (s *scope) copied() *scope {
	c := *s
	c.vars, c.funcs, c.traps = maps.Clone(s.vars), maps.Clone(s.funcs), maps.Clone(s.traps)
	return &c
}

// subshell runs something in a shell of its own.
func (s *scope) subshell(run func(s *scope)) {
	c := s.copied()
	c.traps = nil
	run(c)
	c.leave()
}

// either runs several branches, of which one is taken, and knows behind them what any
// of them left.
func (s *scope) either(branches ...func(s *scope) flow) flow {
	var left []*scope
	least := exits
	for _, b := range branches {
		c := s.copied()
		if f := b(c); f == ahead {
			left = append(left, c)
			least = ahead
		} else {
			least = min(least, f)
			for k, v := range c.traps { // it may have ended behind a trap
				s.trap(k, v)
			}
		}
	}
	for i, c := range left {
		if i == 0 {
			s.vars, s.funcs, s.args, s.known, s.files = c.vars, c.funcs, c.args, c.known, c.files
			for k, v := range c.traps {
				s.trap(k, v)
			}
			continue
		}
		s.merge(c)
	}
	return least
}

func (s *scope) trap(k string, texts []string) {
	if s.traps == nil {
		s.traps = map[string][]string{}
	}
	for _, t := range texts {
		if !slices.Contains(s.traps[k], t) {
			s.traps[k] = append(slices.Clip(s.traps[k]), t)
		}
	}
}

// merge adds what another branch knows.
func (s *scope) merge(c *scope) {
	for k, v := range c.vars {
		s.set(k, joined(s.vars[k], v))
	}
	for k, v := range s.vars {
		if _, ok := c.vars[k]; !ok {
			v.open = true
			s.vars[k] = v
		}
	}
	for k := range c.funcs {
		if _, ok := s.funcs[k]; !ok {
			s.define(k, []*syntax.Stmt{nil})
		}
	}
	for k, bodies := range s.funcs {
		others := c.funcs[k]
		if others == nil {
			others = []*syntax.Stmt{nil}
		}
		for _, b := range others {
			if !slices.Contains(bodies, b) {
				bodies = append(slices.Clip(bodies), b)
			}
		}
		s.funcs[k] = bodies
	}
	for k, v := range c.traps {
		s.trap(k, v)
	}
	if s.known != c.known || !slices.Equal(s.args, c.args) {
		s.args, s.known = nil, false
	}
	for i := range s.files {
		s.files[i].terminal = s.files[i].terminal || c.files[i].terminal
	}
}

// joined returns the value of a variable that has one or the other.
func joined(a, b value) value {
	if a.array != b.array || a.array && !slices.Equal(a.list, b.list) {
		return value{open: true}
	}
	v := value{list: a.list, array: a.array, open: a.open || b.open || a.texts == nil && !a.array, exported: a.exported || b.exported}
	v.texts = slices.Clone(a.texts)
	for _, t := range b.texts {
		if !slices.Contains(v.texts, t) && len(v.texts) < maxPicks {
			v.texts = append(v.texts, t)
		}
	}
	return v
}

func (s *scope) set(name string, v value) {
	if s.vars == nil {
		s.vars = map[string]value{}
	}
	v.exported = v.exported || s.vars[name].exported
	s.vars[name] = v
}

func (s *scope) define(name string, bodies []*syntax.Stmt) {
	if s.funcs == nil {
		s.funcs = map[string][]*syntax.Stmt{}
	}
	s.funcs[name] = bodies
}
