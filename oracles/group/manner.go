// Package group makes one run of a shell out of many cases and takes what was
// observed apart again, case by case.
//
// Nothing here starts a shell. A group is only ever a guess at what each of its
// cases does alone: what looks different in it is run alone before it counts.
package group

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/argvdiff/argvdiff/oracles/probe"
)

// A Manner is how a command may share a shell with others.
type Manner int

// The manners, each with less freedom than the one behind it.
const (
	// Alone is the manner of what must have a shell of its own: it writes
	// files of unknown names, leaves children behind, stops shells, reads what
	// other commands leave behind, or is not understood.
	Alone Manner = iota
	// Subshell is the manner of what changes the state of its shell, or how that
	// reads text, or may end it: it is evaluated in a subshell.
	Subshell
	// Line is the manner of what leaves nothing behind.
	Line
)

// A Trait is what has to be known of a command to put it into a group.
type Trait struct {
	Manner Manner
	// Writes are the names of the files that the command makes in its working
	// folder. Where there are any, Names are all words of the command that could
	// be names of files, and Globs says whether it may look at the whole folder.
	Writes []string
	Names  []string
	Globs  bool
}

// A Sorter tells the manners of commands. It is not safe for concurrent use.
type Sorter struct {
	parser *syntax.Parser
	text   bytes.Reader
}

// NewSorter returns a sorter.
func NewSorter() *Sorter {
	return &Sorter{parser: syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true))}
}

// Trait returns how the command may share a shell.
func (s *Sorter) Trait(command []byte) Trait {
	var t Trait
	t.Manner = s.manner(command, &t, nil, 0)
	if len(t.Writes) == 0 || t.Manner == Alone {
		t.Writes, t.Names, t.Globs = nil, nil, false
	}
	return t
}

// maxNested bounds how many levels of eval and trap are looked into.
const maxNested = 4

func (s *Sorter) manner(command []byte, t *Trait, functions []string, nested int) Manner {
	if nested > maxNested || bytes.Contains(command, []byte(probe.Variable)) {
		return Alone
	}
	s.text.Reset(s.plain(command))
	file, err := s.parser.Parse(&s.text, "")
	if err != nil {
		return Alone
	}
	v := &visit{sorter: s, trait: t, manner: Line, functions: slices.Clone(functions), nested: nested}
	syntax.Walk(file, func(n syntax.Node) bool {
		if d, ok := n.(*syntax.FuncDecl); ok {
			v.functions = append(v.functions, d.Name.Value)
		}
		return true
	})
	if endsOpen(command) {
		v.changes()
	}
	v.statements(file.Stmts)
	if v.moves && len(t.Writes) > 0 {
		v.alone()
	}
	// What an expansion becomes was written somewhere in the text.
	t.Globs = t.Globs || v.expands && patterns.Match(command)
	return v.manner
}

// plain returns the text with a letter for each byte that is not ASCII: all of
// them are that to bash, and the parser takes only what is UTF-8.
func (s *Sorter) plain(text []byte) []byte {
	if !slices.ContainsFunc(text, func(c byte) bool { return c >= 0x80 }) {
		return text
	}
	text = slices.Clone(text)
	for i, c := range text {
		if c >= 0x80 {
			text[i] = 'z'
		}
	}
	return text
}

// endsOpen reports whether the text ends within a continuation, which would
// swallow the line behind it.
func endsOpen(text []byte) bool {
	n := len(text) - len(bytes.TrimRight(text, `\`))
	return n%2 == 1
}

// patterns matches text that may hold a pattern for names of files. A [ with a
// space behind it is a command.
var patterns = regexp.MustCompile(`[*?]|\[[^ \t\n\[]|\\[0-9xuU]`)

// A visit looks at one command.
type visit struct {
	sorter    *Sorter
	trait     *Trait
	manner    Manner
	moves     bool     // to another folder
	functions []string // defined anywhere in the text
	inside    string   // the function whose body this is
	local     int      // how many subshells are open, in which state is lost
	tests     int      // how many [[ and patterns of case are open
	expands   bool     // unquoted, so that what it becomes is a pattern
	nested    int
}

func (v *visit) alone() { v.manner = Alone }

// changes says that the state of the shell changes here.
func (v *visit) changes() {
	if v.local == 0 && v.manner == Line {
		v.manner = Subshell
	}
}

func (v *visit) statements(list []*syntax.Stmt) {
	for i, s := range list {
		if s.Coprocess || s.Disown {
			v.alone()
		}
		if s.Background {
			if !slices.ContainsFunc(list[i+1:], waits) {
				v.alone()
			}
			v.changes() // $! does
		}
		v.walk(s)
		if v.manner == Alone {
			return
		}
	}
}

// waits reports whether the statement waits for all children.
func waits(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	return ok && !s.Background && len(c.Assigns) == 0 && len(c.Args) == 1 && c.Args[0].Lit() == "wait"
}

// within walks what runs in a subshell of its own.
func (v *visit) within(list []*syntax.Stmt) {
	v.local++
	v.statements(list)
	v.local--
}

// walk looks at everything below a node.
func (v *visit) walk(node syntax.Node) {
	syntax.Walk(node, func(n syntax.Node) bool {
		if n == nil || v.manner == Alone {
			return false
		}
		if n == node {
			// Its own kind is looked at below, but a list that stands here was
			// taken apart by the caller.
			if _, ok := n.(*syntax.Stmt); ok {
				v.redirects(n.(*syntax.Stmt))
				return true
			}
		}
		return v.node(n)
	})
}

// node looks at one node and reports whether to look below it.
func (v *visit) node(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Stmt:
		v.statements([]*syntax.Stmt{n})
		return false
	case *syntax.Subshell:
		v.within(n.Stmts)
		return false
	case *syntax.CmdSubst:
		v.within(n.Stmts)
		return false
	case *syntax.Block:
		v.statements(n.Stmts)
		return false
	case *syntax.IfClause:
		v.statements(n.Cond)
		v.statements(n.Then)
		if n.Else != nil {
			v.node(n.Else)
		}
		return false
	case *syntax.WhileClause:
		if len(n.Cond) == 1 && endless(n) && !slices.ContainsFunc(n.Do, breaks) {
			v.alone()
		}
		v.statements(n.Cond)
		v.statements(n.Do)
		return false
	case *syntax.ForClause:
		v.changes()
		if n.Select {
			v.alone()
		}
		if c, ok := n.Loop.(*syntax.CStyleLoop); ok && c.Cond == nil {
			v.alone()
		}
		v.walk(n.Loop)
		v.statements(n.Do)
		return false
	case *syntax.CaseItem:
		v.tests++
		for _, p := range n.Patterns {
			v.walk(p)
		}
		v.tests--
		v.statements(n.Stmts)
		return false
	case *syntax.BinaryCmd:
		if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
			v.within([]*syntax.Stmt{n.X})
			v.within([]*syntax.Stmt{n.Y})
		} else {
			v.statements([]*syntax.Stmt{n.X})
			v.statements([]*syntax.Stmt{n.Y})
		}
		return false
	case *syntax.FuncDecl:
		v.changes()
		outer := v.inside
		v.inside = n.Name.Value
		v.statements([]*syntax.Stmt{n.Body})
		v.inside = outer
		return false
	case *syntax.ProcSubst:
		v.changes() // its child is $!
		if n.Op != syntax.CmdIn {
			v.alone() // nobody waits for that
		}
		v.within(n.Stmts)
		return false
	case *syntax.TestClause:
		v.tests++
		v.walk(n.X)
		v.tests--
		return false
	case *syntax.ExtGlob:
		v.changes() // whether that parses hangs on an option, and on the version
	case *syntax.CoprocClause:
		v.alone()
	case *syntax.Word:
		if v.tests == 0 {
			v.word(n)
		}
	case *syntax.LetClause:
		v.changes()
	case *syntax.BinaryArithm:
		switch n.Op {
		case syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn, syntax.RemAssgn,
			syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn:
			v.changes()
		}
	case *syntax.UnaryArithm:
		if n.Op == syntax.Inc || n.Op == syntax.Dec {
			v.changes()
		}
	case *syntax.DeclClause:
		v.declares(n)
	case *syntax.CallExpr:
		v.call(n)
	case *syntax.ParamExp:
		v.parameter(n)
	}
	return v.manner != Alone
}

// breaks reports whether the statement leaves its loop.
func breaks(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	return ok && len(c.Args) > 0 && c.Args[0].Lit() == "break"
}

// endless reports whether a loop has a condition that never changes.
func endless(n *syntax.WhileClause) bool {
	c, ok := n.Cond[0].Cmd.(*syntax.CallExpr)
	if !ok {
		return false
	}
	for _, w := range c.Args {
		if _, ok := literal(w); !ok {
			return false
		}
	}
	name, _ := "", false
	if len(c.Args) > 0 {
		name, _ = literal(c.Args[0])
	}
	return name != "read"
}

// word takes down what a word may have to do with files.
func (v *visit) word(w *syntax.Word) {
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			v.trait.Globs = v.trait.Globs || (p.Value != "[" && strings.ContainsAny(p.Value, "*?["))
		case *syntax.SglQuoted, *syntax.DblQuoted:
		default:
			v.expands = true
		}
	}
	if name, ok := literal(w); ok {
		v.trait.Names = append(v.trait.Names, strings.TrimPrefix(name, "./"))
	}
}

// redirects looks at the redirections of a statement.
func (v *visit) redirects(s *syntax.Stmt) {
	for _, r := range s.Redirs {
		if r.N != nil && strings.HasPrefix(r.N.Value, "{") {
			v.alone()
		}
		switch r.Op {
		case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			continue
		}
		to, ok := literal(r.Word)
		switch {
		case ok && to == "/dev/null":
		case ok && (r.Op == syntax.DplOut || r.Op == syntax.DplIn) && strings.Trim(to, "0123456789") == "" && to != "":
		case ok && (r.Op == syntax.DplOut || r.Op == syntax.DplIn) && to == "-":
		case ok && r.Op != syntax.DplIn:
			name := strings.TrimPrefix(to, "./")
			if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/~*?[") {
				v.alone()
			}
			v.trait.Writes = append(v.trait.Writes, name)
		default:
			v.alone()
		}
	}
}

// parameter looks at the use of a parameter.
func (v *visit) parameter(p *syntax.ParamExp) {
	name := ""
	if p.Param != nil {
		name = p.Param.Value
	}
	switch {
	case p.Names != 0:
		// ${!B*} lists names, which a group has more of than a shell at its start.
		if name == "" || strings.HasPrefix(probe.Variable, name) || name[0] == 'B' || name[0] == '_' {
			v.alone()
		}
	case slices.Contains(unsteady, name), strings.HasPrefix(name, "BASH"), strings.HasPrefix(name, "EPOCH"):
		v.alone()
	case p.Exp != nil:
		switch p.Exp.Op {
		case syntax.AssignUnset, syntax.AssignUnsetOrNull, syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
			v.changes() // assigns, or may end the shell
		}
	}
}

// unsteady are parameters whose value hangs on what ran before, or on chance.
var unsteady = []string{
	"_", "!", "$", "RANDOM", "SRANDOM", "SECONDS", "PPID", "LINENO", "PIPESTATUS", "FUNCNAME", "SHELLOPTS", "COPROC",
	"DIRSTACK", "HISTCMD", "OPTIND", "OPTARG",
}

// declares looks at declare, export, local and their like.
func (v *visit) declares(d *syntax.DeclClause) {
	v.changes()
	named := false
	for _, a := range d.Args {
		if a.Naked && a.Name == nil {
			flag, ok := "", false
			if a.Value != nil {
				flag, ok = literal(a.Value)
			}
			if !ok || (strings.HasPrefix(flag, "-") && strings.ContainsAny(flag, "pfFn")) {
				v.alone()
			}
			continue
		}
		named = true
	}
	if !named {
		v.alone() // lists what is there
	}
}
