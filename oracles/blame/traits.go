package blame

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func dropComments(t *text) {
	each(t, func(c *syntax.Comment) { t.replace(c.Pos(), c.End(), "") })
}

// dropBodies leaves here-documents without a line.
func dropBodies(t *text) {
	each(t, func(r *syntax.Redirect) {
		if r.Hdoc != nil && r.Hdoc.Pos().IsValid() {
			// The end may be that of the delimiter's line, which stays.
			from, to := int(r.Hdoc.Pos().Offset()), min(int(r.Hdoc.End().Offset()), len(t.command))
			if at := strings.LastIndexByte(t.command[from:to], '\n') + 1; strings.TrimLeft(t.command[from+at:to], "\t") == r.Word.Lit() {
				to = from + at
			}
			t.edits = append(t.edits, edit{from, to, ""})
		}
	})
}

// dropANSIC writes x for $'...'.
func dropANSIC(t *text) {
	each(t, func(q *syntax.SglQuoted) {
		if q.Dollar {
			t.replace(q.Pos(), q.End(), "x")
		}
	})
}

// dropDynamic writes x for words in which something is expanded.
func dropDynamic(t *text) {
	each(t, func(c *syntax.CallExpr) {
		for _, w := range c.Args {
			if !static(w.Parts) {
				t.replace(w.Pos(), w.End(), "x")
			}
		}
	})
}

func static(parts []syntax.WordPart) bool {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit, *syntax.SglQuoted:
		case *syntax.DblQuoted:
			if !static(p.Parts) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// dropQuoted writes x for quotes and what is in them.
func dropQuoted(t *text) {
	each(t, func(q *syntax.SglQuoted) { t.replace(q.Pos(), q.End(), "x") })
	each(t, func(q *syntax.DblQuoted) {
		if static(q.Parts) {
			t.replace(q.Pos(), q.End(), "x")
		}
	})
}

// dropEscapes writes x for bytes behind a backslash.
func dropEscapes(t *text) {
	each(t, func(l *syntax.Lit) {
		from := int(l.Pos().Offset())
		to := min(int(l.End().Offset()), len(t.command))
		if from >= to {
			return
		}
		raw := t.command[from:to]
		for i := 0; i+1 < len(raw); i++ {
			if raw[i] == '\\' {
				t.edits = append(t.edits, edit{from + i, from + i + 2, "x"})
				i++
			}
		}
	})
}

func dropRedirections(t *text) {
	each(t, func(r *syntax.Redirect) {
		if r.Hdoc == nil {
			t.replace(r.Pos(), r.End(), "")
		}
	})
}

func dropAssignments(t *text) {
	each(t, func(c *syntax.CallExpr) {
		if len(c.Args) == 0 {
			return
		}
		for _, a := range c.Assigns {
			t.replace(a.Pos(), a.End(), "")
		}
	})
}

// dropNewlines ends statements with ; instead.
func dropNewlines(t *text) {
	if strings.Contains(t.command, "<<") {
		return // a body needs its lines
	}
	lists := func(list []*syntax.Stmt) {
		for _, s := range list[:max(0, len(list)-1)] {
			if at := int(s.End().Offset()); at < len(t.command) && t.command[at] == '\n' {
				t.edits = append(t.edits, edit{at, at + 1, ";"})
			}
		}
	}
	lists(t.file.Stmts)
	each(t, func(b *syntax.Block) { lists(b.Stmts) })
	each(t, func(b *syntax.Subshell) { lists(b.Stmts) })
	each(t, func(b *syntax.CmdSubst) { lists(b.Stmts) })
}

func dropBackground(t *text) {
	each(t, func(s *syntax.Stmt) {
		if at := int(s.Semicolon.Offset()); s.Background && s.Semicolon.IsValid() && at < len(t.command) && t.command[at] == '&' {
			t.edits = append(t.edits, edit{at, at + 1, ";"})
		}
	})
}

// defines reports whether the command has a function of that name.
func defines(command, name string) bool {
	file, err := syntax.NewParser().Parse(strings.NewReader(command), "")
	if err != nil {
		return false
	}
	found := false
	each(&text{file: file}, func(f *syntax.FuncDecl) { found = found || f.Name.Value == name })
	return found
}
