package explore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// way adds to a target what must be to reach the call at the end of the stack. The
// stack's text begins at the offset base of the command.
func (e *explorer) way(t *target, stack []syntax.Node, base int) {
	for i, n := range stack[:len(stack)-1] {
		next := stack[i+1]
		switch n := n.(type) {
		case *syntax.BinaryCmd:
			if next == n.Y && (n.Op == syntax.AndStmt || n.Op == syntax.OrStmt) {
				t.wants = append(t.wants, either(n, n.Op == syntax.AndStmt, base))
			}
			if next == n.Y {
				e.pass(t, []*syntax.Stmt{n.X}, base)
			}
		case *syntax.IfClause:
			switch {
			case len(n.Cond) == 0: // an else
			case among(n.Then, next):
				t.wants = append(t.wants, outcome(n, true, base))
			case next == n.Else:
				t.wants = append(t.wants, outcome(n, false, base))
			}
		case *syntax.WhileClause:
			if among(n.Do, next) {
				e.sites++
				test := "<1"
				if n.Until {
					test = ">=1"
				}
				text := fmt.Sprintf("((argvdiff_%d++%s)); ", e.sites, test)
				t.wants = append(t.wants, want{n, 1, []edit{{at: base + int(n.DoPos.Offset()), text: text}}})
			}
		case *syntax.ForClause:
			if among(n.Do, next) {
				e.items(t, n, base)
			}
		case *syntax.CaseClause:
			for k, item := range n.Items {
				if next == item {
					t.wants = append(t.wants, matched(n, k, base))
				}
			}
		case *syntax.FuncDecl:
			t.within = true
		case *syntax.Stmt:
			present(t, n)
		case *syntax.ParamExp:
			if n.Exp != nil && next == n.Exp.Word {
				flip(t, n, base)
			}
		case *syntax.BinaryTest:
			if next == n.Y && (n.Op == syntax.AndTest || n.Op == syntax.OrTest) {
				t.wants = append(t.wants, tested(n, base))
			}
		}
		if list, ok := statements(n, next); ok {
			e.pass(t, list, base)
		}
	}
}

// statements returns the statements that run before next in the list of n in which
// that stands.
func statements(n, next syntax.Node) ([]*syntax.Stmt, bool) {
	var lists [][]*syntax.Stmt
	switch n := n.(type) {
	case *syntax.File:
		lists = [][]*syntax.Stmt{n.Stmts}
	case *syntax.Block:
		lists = [][]*syntax.Stmt{n.Stmts}
	case *syntax.Subshell:
		lists = [][]*syntax.Stmt{n.Stmts}
	case *syntax.CmdSubst:
		lists = [][]*syntax.Stmt{n.Stmts}
	case *syntax.ProcSubst:
		lists = [][]*syntax.Stmt{n.Stmts}
	case *syntax.IfClause:
		lists = [][]*syntax.Stmt{n.Cond, n.Then}
	case *syntax.WhileClause:
		lists = [][]*syntax.Stmt{n.Cond, n.Do}
	case *syntax.ForClause:
		lists = [][]*syntax.Stmt{n.Do}
	case *syntax.CaseItem:
		lists = [][]*syntax.Stmt{n.Stmts}
	}
	for _, list := range lists {
		for i, s := range list {
			if s == next {
				return list[:i], i > 0
			}
		}
	}
	return nil, false
}

func among(list []*syntax.Stmt, n syntax.Node) bool {
	return slices.ContainsFunc(list, func(s *syntax.Stmt) bool { return s == n })
}

// truth is a command that no function or setting can change.
func truth(is bool) string {
	if is {
		return "((1))"
	}
	return "((0))"
}

func way(is bool) int {
	if is {
		return 1
	}
	return 0
}

// either gives the left side of && or || a status.
func either(n *syntax.BinaryCmd, status bool, base int) want {
	return want{n, way(status), []edit{
		{at: base + int(n.X.Pos().Offset()), text: "{ "},
		{at: base + int(n.OpPos.Offset()), text: "; " + truth(status) + "; } "},
	}}
}

// outcome gives the condition of an if one.
func outcome(n *syntax.IfClause, is bool, base int) want {
	return want{n, way(is), []edit{{at: base + int(n.ThenPos.Offset()), text: truth(is) + "; "}}}
}

// items sees to it that a loop has something to go over.
func (e *explorer) items(t *target, n *syntax.ForClause, base int) {
	iter, ok := n.Loop.(*syntax.WordIter)
	if !ok || n.Select {
		t.open = true
		return
	}
	for _, w := range iter.Items {
		if text, _ := word(w.Parts, false); text != "" {
			return
		}
	}
	last := len(iter.Items) - 1
	if last < 0 {
		t.within = true // it goes over nothing, or over arguments, of which a command has none
		return
	}
	t.wants = append(t.wants, want{n, 1, []edit{{at: base + int(iter.Items[last].End().Offset()), text: " argvdiff"}}})
}

// matched lets the pattern k of a case match, and no earlier one.
func matched(n *syntax.CaseClause, k, base int) want {
	edits := []edit{{at: base + int(n.Items[k].Patterns[0].Pos().Offset()), text: "*|"}}
	if k > 0 {
		edits = append(edits, edit{at: base + int(n.Word.End().Offset()), text: "_argvdiff"})
	}
	return want{n, k, edits}
}

// present sees to it that the files are there which a statement reads.
func present(t *target, n *syntax.Stmt) {
	for _, r := range n.Redirs {
		if r.Op != syntax.RdrIn {
			continue
		}
		if name, literal := word(r.Word.Parts, false); literal && name != "" && !strings.HasPrefix(name, "/") {
			t.wants = append(t.wants, want{r, 1, []edit{{at: 0, text: ">>" + quoted(name) + "; "}}})
		}
	}
}

func quoted(name string) string { return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'" }

// flip turns the condition of ${x:-word} around. Whether x is set is not known, so
// that there are variants for both.
func flip(t *target, n *syntax.ParamExp, base int) {
	op := n.Exp.Op.String()
	other := map[byte]string{'-': "+", '=': "+", '?': "+", '+': "-"}[op[len(op)-1]]
	if other == "" || len(n.Exp.Word.Parts) == 0 {
		return
	}
	t.flips = true
	t.wants = append(t.wants, want{n, 1, []edit{{at: base + int(n.Exp.Word.Pos().Offset()) - 1, drop: 1, text: other}}})
}

// tested gives the left side of && or || in [[ ]] an outcome.
func tested(n *syntax.BinaryTest, base int) want {
	head, tail := "( ( ", ") || x ) "
	if n.Op == syntax.OrTest {
		tail = ") && ! x ) "
	}
	return want{n, 1, []edit{
		{at: base + int(n.X.Pos().Offset()), text: head},
		{at: base + int(n.OpPos.Offset()), text: tail},
	}}
}

// leaving are builtins behind which what follows does not run.
var leaving = []string{"exit", "return", "break", "continue", "exec", "logout"}

// pass adds what keeps earlier statements from leaving, where that hangs on a
// condition.
func (e *explorer) pass(t *target, list []*syntax.Stmt, base int) {
	for _, s := range list {
		var stack []syntax.Node
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case nil:
				stack = stack[:len(stack)-1]
				return true
			case *syntax.FuncDecl:
				t.within = true // a call of it may leave
				return false
			case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
				return false
			case *syntax.CallExpr:
				if leaves(n) {
					t.within = true
					e.avoid(t, append(stack, n), base)
				}
			}
			stack = append(stack, n)
			return true
		})
	}
}

// leaves reports whether a call may end the shell, or the loop or function around
// it.
func leaves(c *syntax.CallExpr) bool {
	if len(c.Args) == 0 {
		return false
	}
	name, _ := word(c.Args[0].Parts, false)
	if name == "set" {
		return len(c.Args) > 1
	}
	return slices.Contains(leaving, name)
}

// avoid adds an outcome of the innermost condition that keeps the call at the end of
// the stack from running.
func (e *explorer) avoid(t *target, stack []syntax.Node, base int) {
	for i := len(stack) - 2; i >= 0; i-- {
		next := stack[i+1]
		var w want
		switch n := stack[i].(type) {
		case *syntax.BinaryCmd:
			if next != n.Y || n.Op != syntax.AndStmt && n.Op != syntax.OrStmt {
				continue
			}
			w = either(n, n.Op != syntax.AndStmt, base)
		case *syntax.IfClause:
			switch {
			case len(n.Cond) == 0:
				continue
			case among(n.Then, next):
				w = outcome(n, false, base)
			case next == n.Else:
				w = outcome(n, true, base)
			default:
				continue
			}
		case *syntax.WhileClause:
			if !among(n.Do, next) {
				continue
			}
			w = want{n, 0, []edit{{at: base + int(n.DoPos.Offset()), text: truth(n.Until) + "; "}}}
		case *syntax.CaseClause:
			w = want{n, -1, []edit{{at: base + int(n.Word.End().Offset()), text: "_argvdiff"}}}
		default:
			continue
		}
		for _, had := range t.wants {
			if had.site == w.site {
				return
			}
		}
		t.wants = append(t.wants, w)
		return
	}
}

// Reached returns the number of the call whose mark a child's arguments are.
func Reached(argv [][]byte) (call int, ok bool) {
	if len(argv) != 2 {
		return 0, false
	}
	rest, ok := strings.CutPrefix(string(argv[1]), Mark)
	if !ok {
		return 0, false
	}
	call, err := strconv.Atoi(rest)
	return call, err == nil
}
