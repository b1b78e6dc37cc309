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
	"unicode/utf8"

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
	// folder.
	Writes []string
	// Looks says that it may look at whatever is in that folder.
	Looks bool
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
	t.Looks = looks.Match(command)
	return t
}

// maxNested bounds how many levels of eval and trap are looked into.
const maxNested = 4

func (s *Sorter) manner(command []byte, t *Trait, functions []string, nested int) Manner {
	if nested > maxNested || bytes.Contains(command, []byte(probe.Variable)) {
		return Alone
	}
	text, changed := s.plain(command)
	open := endsOpen(text)
	if open {
		text = text[:len(text)-1] // which is what it comes to, mostly
	}
	s.text.Reset(text)
	file, err := s.parser.Parse(&s.text, "")
	if err != nil {
		// What it is to bash is not known, only that it holds nothing which
		// reaches beyond a subshell.
		text := tame.ReplaceAllLiteral(command, nil)
		for _, m := range files.FindAllSubmatch(text, -1) {
			t.Writes = append(t.Writes, string(m[1]))
		}
		if reaches.Match(files.ReplaceAllLiteral(text, nil)) {
			return Alone
		}
		return Subshell
	}
	v := &visit{sorter: s, trait: t, manner: Line, functions: slices.Clone(functions), nested: nested}
	syntax.Walk(file, func(n syntax.Node) bool {
		if d, ok := n.(*syntax.FuncDecl); ok {
			v.functions = append(v.functions, d.Name.Value)
		}
		return true
	})
	if open {
		v.changes()
	}
	v.statements(file.Stmts)
	if v.computes && slices.ContainsFunc(v.values, func(text string) bool { return strings.ContainsAny(text, "$`") }) {
		v.alone()
	}
	if v.evaluates {
		v.runs(v.values, v.opaque)
	}
	if v.sources {
		v.runs(v.spoken, v.mumbles)
	}
	unsure := changed && slices.ContainsFunc(t.Writes, func(name string) bool { return strings.Contains(name, "z") })
	if (v.moves || v.strays || unsure) && len(t.Writes) > 0 {
		v.alone() // it is not known what files that are
	}
	if n := len(t.Writes); open && n > 0 {
		t.Writes = append(t.Writes, t.Writes[n-1]+`\`)
	}
	return v.manner
}

// plain returns the text with a letter for each byte that is not UTF-8, which
// the parser does not take; to bash they are letters too.
func (s *Sorter) plain(text []byte) (plain []byte, changed bool) {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			if !changed {
				text, changed = slices.Clone(text), true
			}
			text[i] = 'z'
		}
		i += n
	}
	return text, changed
}

// endsOpen reports whether the text ends within a continuation, which would
// swallow the line behind it.
func endsOpen(text []byte) bool {
	n := len(text) - len(bytes.TrimRight(text, `\`))
	return n%2 == 1
}

// looks matches text that may hold a pattern for names of files, or write one by
// an escape. $? is none, nor are [ and [[ with what they test.
var looks = regexp.MustCompile(`(^|[^$])[*?]|\[[^ \t\n\[]|\\[0-9xuU]`)

// Of a text that is not understood, reaches matches what may do more to its
// surroundings than a subshell keeps in, once what tame matches is gone.
var (
	tame    = regexp.MustCompile(`&&|[0-9]?>&[0-9-]|&?>>? ?/dev/null|& wait`)
	files   = regexp.MustCompile(`[0-9&]?(?:>>|>\||>&|<>|>) ?['"]?(?:\./)?([a-z.-]+)['"]?(?:[ \t\n;|)]|$)`)
	reaches = regexp.MustCompile(`[>&]|\$[!$_]|\$\{[$_]|\b(kill|suspend|ulimit|umask|hash|jobs|times|history|coproc|select|source|bash|sh|type|cd)\b|(^|[\s;|({])\.\s|RANDOM|SECONDS|LINENO|BASH|PID|EPOCH|PIPESTATUS`)
)

// A visit looks at one command.
type visit struct {
	sorter    *Sorter
	trait     *Trait
	manner    Manner
	moves     bool     // to another folder
	wanders   bool     // to another folder, in a subshell
	strays    bool     // makes files in a subshell that may be elsewhere
	evaluates bool     // what its variables hold
	computes  bool     // with what its variables hold, which may be a substitution
	opaque    bool     // a variable may hold what no assignment says
	values    []string // that variables are given
	sources   bool     // a file which it has made
	mumbles   bool     // what its echoes say is not all known
	spoken    []string // what they say
	functions []string // defined anywhere in the text
	inside    string   // the function whose body this is
	local     int      // how many subshells are open, in which state is lost
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
		v.opaque = true
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
		for _, p := range n.Patterns {
			v.walk(p)
		}
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
		if n.Op != syntax.CmdIn && (len(n.Stmts) != 1 || !calls(n.Stmts[0], "read")) {
			v.alone() // nobody waits for it
		}
		v.within(n.Stmts)
		return false
	case *syntax.ExtGlob:
		v.changes() // whether that parses hangs on an option, and on the version
	case *syntax.CoprocClause:
		v.alone()
	case *syntax.LetClause:
		v.changes()
		v.computes = true
	case *syntax.BinaryTest:
		switch n.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			v.changes() // their operands are arithmetic, which may assign
			v.computes = true
		}
	case *syntax.ArithmExp, *syntax.ArithmCmd:
		v.computes = true
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
	return calls(s, "break")
}

// calls reports whether the statement is a call of the program.
func calls(s *syntax.Stmt, name string) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	return ok && len(c.Args) > 0 && c.Args[0].Lit() == name
}

// endless reports whether a loop has a condition that never changes, of the kinds
// that are written so: others cost their group the budget of one command.
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
		if _, is := r.Word.Parts[0].(*syntax.ProcSubst); is && len(r.Word.Parts) == 1 {
			continue // looked at where it stands
		}
		to, ok := literal(r.Word)
		switch {
		case ok && to == "/dev/null":
		case ok && (r.Op == syntax.DplOut || r.Op == syntax.DplIn) && strings.Trim(to, "0123456789") == "" && to != "":
		case ok && (r.Op == syntax.DplOut || r.Op == syntax.DplIn) && to == "-":
		case ok && r.Op != syntax.DplIn:
			name := strings.TrimPrefix(to, "./")
			if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/~*?[{") {
				v.alone()
			}
			v.trait.Writes = append(v.trait.Writes, name)
			v.strays = v.strays || v.local > 0 && v.wanders
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
			v.opaque = true
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
