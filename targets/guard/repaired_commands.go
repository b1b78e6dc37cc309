package guard

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// stmt runs a statement.
func (s *scope) stmt(stmt *syntax.Stmt) flow {
	if s.steps++; s.done() {
		return exits
	}
	if stmt.Background {
		s.subshell(func(c *scope) {
			if !s.second && !piped(stmt) {
				c.files[0] = file{} // as without job control
			}
			c.second = false
			c.command(stmt)
		})
		return ahead
	}
	return s.command(stmt)
}

// piped reports whether a statement is a pipeline. In the background, its first command
// keeps its input, which is seen on bash 3.2 to 5.3.
func piped(stmt *syntax.Stmt) bool {
	c, ok := stmt.Cmd.(*syntax.BinaryCmd)
	return ok && (c.Op == syntax.Pipe || c.Op == syntax.PipeAll)
}

// command runs a statement in its redirections.
func (s *scope) command(stmt *syntax.Stmt) flow {
	call, _ := stmt.Cmd.(*syntax.CallExpr)
	if call == nil && len(stmt.Redirs) == 0 {
		return s.node(stmt.Cmd)
	}
	if call == nil {
		before := s.files
		s.redirect(stmt.Redirs)
		f := s.node(stmt.Cmd)
		s.files = before
		return f
	}
	return s.call(call, stmt.Redirs)
}

// node runs a compound command.
func (s *scope) node(cmd syntax.Command) flow {
	switch c := cmd.(type) {
	case *syntax.Block:
		return s.stmts(c.Stmts)
	case *syntax.Subshell:
		s.subshell(func(s *scope) { s.stmts(c.Stmts) })
	case *syntax.BinaryCmd:
		return s.binary(c)
	case *syntax.IfClause:
		return s.branch(c)
	case *syntax.WhileClause:
		f := s.stmts(c.Cond)
		if f != ahead {
			return outside(f)
		}
		s.loop(func(s *scope) flow {
			if f := s.stmts(c.Do); f != ahead {
				return f
			}
			return s.stmts(c.Cond)
		})
	case *syntax.ForClause:
		s.each(c)
	case *syntax.CaseClause:
		s.inside(c.Word)
		branches := []func(*scope) flow{func(*scope) flow { return ahead }}
		for _, item := range c.Items {
			for _, p := range item.Patterns {
				s.inside(p)
				if word, ok := s.literal(p); ok && word == "*" {
					branches[0] = func(*scope) flow { return exits } // one of them is taken
				}
			}
			branches = append(branches, func(s *scope) flow { return s.stmts(item.Stmts) })
			if f := branches[0](nil); f != ahead && item.Op == syntax.Break {
				break // none behind it is
			}
		}
		if f := branches[0](nil); f != ahead && len(branches) > 1 {
			branches = branches[1:]
		}
		return s.either(branches...)
	case *syntax.FuncDecl:
		if c.Name != nil {
			s.define(c.Name.Value, []*syntax.Stmt{c.Body})
		}
	case *syntax.TimeClause:
		if c.Stmt != nil {
			return s.stmt(c.Stmt)
		}
	case *syntax.CoprocClause:
		s.subshell(func(s *scope) {
			s.files[0], s.files[1] = file{}, file{}
			s.stmt(c.Stmt)
		})
	case *syntax.DeclClause:
		s.declare(c)
	case nil:
	default:
		s.inside(c)
	}
	return ahead
}

// outside returns the flow behind a loop.
func outside(f flow) flow {
	if f == leaves {
		return ahead
	}
	return f
}

func (s *scope) binary(c *syntax.BinaryCmd) flow {
	switch c.Op {
	case syntax.AndStmt, syntax.OrStmt:
		if f := s.stmt(c.X); f != ahead {
			return f
		}
		return s.either(func(*scope) flow { return ahead }, func(s *scope) flow { return s.stmt(c.Y) })
	}
	s.subshell(func(s *scope) {
		s.files[1] = file{}
		if c.Op == syntax.PipeAll {
			s.files[2] = file{}
		}
		s.stmt(c.X)
	})
	s.subshell(func(c2 *scope) {
		text, ok := s.output(c.X)
		c2.files[0] = file{text: text, known: ok}
		c2.stmt(c.Y)
	})
	return ahead
}

func (s *scope) branch(c *syntax.IfClause) flow {
	if f := s.stmts(c.Cond); f != ahead {
		return f
	}
	if c.Else != nil && len(c.Else.Cond) == 0 { // else
		return s.either(func(s *scope) flow { return s.stmts(c.Then) }, func(s *scope) flow { return s.stmts(c.Else.Then) })
	}
	return s.either(func(s *scope) flow { return s.stmts(c.Then) }, func(s *scope) flow {
		if c.Else != nil {
			return s.branch(c.Else)
		}
		return ahead
	})
}

// loop runs a body that may run no time, or more than once.
func (s *scope) loop(body func(s *scope) flow) {
	s.either(func(*scope) flow { return ahead }, func(s *scope) flow {
		s.looping++
		defer func() { s.looping-- }()
		before := len(s.vars)
		if f := body(s); f != ahead {
			return outside(f)
		}
		if len(s.vars) != before {
			return outside(body(s)) // what is set late is used early
		}
		return ahead
	})
}

// each runs a loop over words.
func (s *scope) each(c *syntax.ForClause) {
	iter, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		s.inside(c.Loop)
		s.loop(func(s *scope) flow { return s.stmts(c.Do) })
		return
	}
	var v value
	if !iter.InPos.IsValid() {
		v = value{texts: slices.Clone(s.args), open: !s.known}
	}
	for _, item := range iter.Items {
		s.inside(item)
		for _, f := range s.fields(item) {
			if !slices.Contains(v.texts, f) && len(v.texts) < maxPicks {
				v.texts = append(v.texts, f)
			}
		}
	}
	if len(v.texts) == 0 && !v.open {
		return
	}
	if c.Select {
		if s.files[0].terminal {
			s.name = "select"
			return
		}
	}
	s.loop(func(s *scope) flow {
		s.set(iter.Name.Value, v)
		return s.stmts(c.Do)
	})
}

// inside runs what a piece of text substitutes.
func (s *scope) inside(n syntax.Node) {
	if n == nil || plainWord(n) {
		return
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			s.subshell(func(s *scope) {
				s.files[1] = file{}
				s.stmts(n.Stmts)
			})
			return false
		case *syntax.ProcSubst:
			s.subshell(func(s *scope) {
				if n.Op == syntax.CmdIn {
					s.files[1] = file{}
				} else {
					s.files[0] = file{}
				}
				s.stmts(n.Stmts)
			})
			return false
		}
		return true
	})
}

// plainWord reports whether nothing can be substituted in a word.
func plainWord(n syntax.Node) bool {
	w, ok := n.(*syntax.Word)
	if !ok {
		return false
	}
	if w == nil {
		return true
	}
	for _, p := range w.Parts {
		switch p.(type) {
		case *syntax.Lit, *syntax.SglQuoted:
		default:
			return false
		}
	}
	return true
}
