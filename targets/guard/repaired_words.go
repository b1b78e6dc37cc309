package guard

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// An expansion makes fields of a word.
type expansion struct {
	*scope
	text   strings.Builder
	have   bool // a field, if only an empty one
	fields []string
}

// literal returns the text of a word that is only that.
func (s *scope) literal(w *syntax.Word) (string, bool) {
	if len(w.Parts) != 1 {
		return "", false
	}
	l, ok := w.Parts[0].(*syntax.Lit)
	if !ok || strings.ContainsAny(l.Value, `\{`) {
		return "", false
	}
	return l.Value, true
}

// readings returns the fields of words in all ways in which they may be read.
func (s *scope) readings(words []*syntax.Word) (all [][]string) {
	s.picks(func() {
		fields := make([]string, 0, len(words))
		for _, w := range words {
			if text, ok := s.literal(w); ok {
				fields = append(fields, text)
			} else {
				fields = append(fields, s.fields(w)...)
			}
		}
		all = append(all, fields)
	})
	return all
}

// picks calls a function for every choice among the texts of the variables that it
// uses.
func (s *scope) picks(f func()) {
	pick, many := s.pick, s.many
	defer func() { s.pick, s.many = pick, many }()
	s.pick, s.many = nil, nil
	f()
	if s.many == nil {
		return
	}
	choices := s.many
	names := make([]string, 0, len(choices))
	for n := range choices {
		names = append(names, n)
	}
	s.pick = map[string]int{}
	for range maxPicks - 1 {
		i := 0
		for ; i < len(names); i++ {
			if s.pick[names[i]]++; s.pick[names[i]] < choices[names[i]] {
				break
			}
			s.pick[names[i]] = 0
		}
		if i == len(names) {
			return
		}
		f()
	}
}

// fields returns the fields of a word.
func (s *scope) fields(w *syntax.Word) (fields []string) {
	w = &syntax.Word{Parts: slices.Clone(w.Parts)} // the tree stays as it is
	syntax.SplitBraces(w)
	for _, parts := range braces(w.Parts, mostBraces) {
		e := expansion{scope: s}
		e.parts(parts)
		e.end()
		fields = append(fields, e.fields...)
	}
	return fields
}

// quoted returns the text of a word where it is not split.
func (s *scope) quoted(w *syntax.Word) string {
	if w == nil {
		return ""
	}
	if text, ok := s.literal(w); ok {
		return text
	}
	e := expansion{scope: s}
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.ParamExp, *syntax.CmdSubst:
			e.inQuotes([]syntax.WordPart{p}, "")
		default:
			e.parts([]syntax.WordPart{p})
		}
	}
	e.end()
	return strings.Join(e.fields, " ")
}

// mostBraces is how many brace expansions of a word are made, one in the other or side
// by side; the rest vanish.
const mostBraces = 6

// braces returns what brace expansion makes of parts.
func braces(parts []syntax.WordPart, most int) [][]syntax.WordPart {
	for i, p := range parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			continue
		}
		if most == 0 {
			return [][]syntax.WordPart{parts[:i]}
		}
		var middles [][]syntax.WordPart
		if b.Sequence {
			middles = sequence(b)
		} else {
			for _, e := range b.Elems {
				middles = append(middles, braces(e.Parts, most-1)...)
			}
		}
		var list [][]syntax.WordPart
		ends := braces(parts[i+1:], most-1)
		for _, m := range middles {
			for _, end := range ends {
				if len(list) >= 64 {
					return list
				}
				one := append(parts[:i:i], m...)
				list = append(list, append(one, end...))
			}
		}
		return list
	}
	return [][]syntax.WordPart{parts}
}

// sequence returns the texts of {a..b}.
func sequence(b *syntax.BraceExp) (list [][]syntax.WordPart) {
	var ends [2]string
	for i := range ends {
		if len(b.Elems) > i && len(b.Elems[i].Parts) == 1 {
			if l, ok := b.Elems[i].Parts[0].(*syntax.Lit); ok {
				ends[i] = l.Value
			}
		}
	}
	put := func(text string) {
		list = append(list, []syntax.WordPart{&syntax.Lit{Value: text}})
	}
	from, err := strconv.Atoi(ends[0])
	to, err2 := strconv.Atoi(ends[1])
	letters := len(ends[0]) == 1 && len(ends[1]) == 1 && err != nil
	if letters {
		from, to = int(ends[0][0]), int(ends[1][0])
	} else if err != nil || err2 != nil {
		put(opaque)
		return list
	}
	step := 1
	if from > to {
		step = -1
	}
	for n := from; len(list) < 64; n += step {
		if letters {
			put(string(rune(n)))
		} else {
			put(strconv.Itoa(n))
		}
		if n == to {
			break
		}
	}
	return list
}

// end ends a field.
func (e *expansion) end() {
	if e.have || e.text.Len() > 0 {
		e.fields = append(e.fields, e.text.String())
	}
	e.text.Reset()
	e.have = false
}

func (e *expansion) parts(parts []syntax.WordPart) {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			e.escaped(p.Value, "")
		case *syntax.SglQuoted:
			e.have = true
			if p.Dollar {
				e.text.WriteString(ansi(p.Value))
			} else {
				e.text.WriteString(p.Value)
			}
		case *syntax.DblQuoted:
			e.have = len(p.Parts) != 1 || !many(p.Parts[0]) || e.have
			e.inQuotes(p.Parts, "$`\"\\")
		case *syntax.ParamExp:
			texts, list := e.param(p)
			for i, t := range texts {
				if list && i > 0 {
					e.end()
				}
				e.split(t)
			}
		case *syntax.CmdSubst:
			e.split(e.substituted(p))
		default:
			e.text.WriteString(opaque)
		}
	}
}

// many reports whether a part may be any number of fields inside quotes.
func many(p syntax.WordPart) bool {
	pe, ok := p.(*syntax.ParamExp)
	if !ok || pe.Param == nil {
		return false
	}
	w, _ := pe.Index.(*syntax.Word)
	return pe.Param.Value == "@" || w != nil && w.Lit() == "@"
}

// inQuotes reads what stands in double quotes, where a backslash is one before some
// characters only.
func (e *expansion) inQuotes(parts []syntax.WordPart, special string) {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			if special == "" {
				e.text.WriteString(p.Value)
			} else {
				e.escaped(p.Value, special)
			}
		case *syntax.ParamExp:
			texts, list := e.param(p)
			for i, t := range texts {
				switch {
				case i > 0 && list && many(p):
					e.end()
				case i > 0:
					e.text.WriteByte(' ')
				}
				e.text.WriteString(t)
				e.have = true
			}
		case *syntax.CmdSubst:
			e.text.WriteString(e.substituted(p))
		default:
			e.text.WriteString(opaque)
		}
	}
}

// escaped reads backslashes: before any character, or only before the special ones.
func (e *expansion) escaped(text, special string) {
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 || i+1 >= len(text) {
			e.text.WriteString(text)
			return
		}
		e.text.WriteString(text[:i])
		switch c := text[i+1]; {
		case c == '\n':
		case special == "" || strings.IndexByte(special, c) >= 0:
			e.text.WriteByte(c)
		default:
			e.text.WriteString(text[i : i+2])
		}
		text = text[i+2:]
	}
}

// split puts a text into the fields as the shell splits it.
func (e *expansion) split(text string) {
	ifs := " \t\n"
	if v, ok := e.vars["IFS"]; ok && len(v.texts) > 0 {
		ifs = v.texts[0]
	}
	for text != "" {
		i := strings.IndexAny(text, ifs)
		if i < 0 || ifs == "" {
			e.text.WriteString(text)
			return
		}
		e.text.WriteString(text[:i])
		e.have = e.have || !strings.ContainsRune(" \t\n", rune(text[i]))
		e.end()
		text = text[i+1:]
	}
}

// substituted returns the text of a command substitution, if that is known.
func (e *expansion) substituted(c *syntax.CmdSubst) string {
	silent := func(s *syntax.Stmt) bool {
		_, defines := s.Cmd.(*syntax.FuncDecl)
		return defines
	}
	if !slices.ContainsFunc(c.Stmts, func(s *syntax.Stmt) bool { return !silent(s) }) {
		return ""
	}
	if len(c.Stmts) == 1 {
		if text, ok := e.output(c.Stmts[0]); ok {
			return strings.TrimRight(text, "\n")
		}
	}
	return opaque
}

// output returns what a statement prints where that stands there: that of echo,
// printf, and cat with a here-document.
func (s *scope) output(stmt *syntax.Stmt) (text string, ok bool) {
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || len(call.Assigns) > 0 || stmt.Background || s.depth >= maxDepth {
		return "", false
	}
	s.depth++
	defer func() { s.depth-- }()
	name, ok := s.literal(call.Args[0])
	if !ok || s.funcs[name] != nil {
		return "", false
	}
	if name == "cat" && len(call.Args) == 1 && len(stmt.Redirs) == 1 {
		c := s.copied()
		c.redirect(stmt.Redirs)
		return c.files[0].text, c.files[0].known
	}
	if name != "echo" && name != "printf" || len(stmt.Redirs) > 0 {
		return "", false
	}
	var args []string
	for _, w := range call.Args[1:] {
		args = append(args, s.fields(w)...)
	}
	if name == "printf" {
		return printed(args)
	}
	end := "\n"
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(args[0][1:], "neE") == "" {
		if strings.Contains(args[0], "n") {
			end = ""
		}
		if strings.Contains(args[0], "e") {
			return ansi(strings.Join(args[1:], " ")) + end, true
		}
		args = args[1:]
	}
	return strings.Join(args, " ") + end, true
}
