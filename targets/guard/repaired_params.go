package guard

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// lookup returns the value of a parameter; given is whether the text gives it one.
func (s *scope) lookup(name string) (v value, given bool) {
	if n, err := strconv.Atoi(name); err == nil && n > 0 {
		switch {
		case !s.known:
			return value{open: true}, true
		case n <= len(s.args):
			return value{texts: s.args[n-1 : n]}, true
		}
		return value{texts: []string{""}}, true
	}
	switch name {
	case "0":
		if s.zero != "" {
			return value{texts: []string{s.zero}}, true
		}
		return value{open: true}, true
	case "@", "*":
		return value{array: true, list: s.args, open: !s.known}, true
	case "#", "?", "$", "!", "-", "_":
		return value{open: true}, true
	case "IFS":
		if _, ok := s.vars[name]; !ok {
			return value{texts: []string{" \t\n"}}, true
		}
	}
	v, given = s.vars[name]
	return v, given
}

// param returns the text of a parameter, or the texts of all of its elements.
func (e *expansion) param(p *syntax.ParamExp) (texts []string, list bool) {
	unknown := []string{opaque}
	if p.Param == nil || p.Excl || p.Length || p.Width || p.IsSet || p.Slice != nil || p.Repl != nil || p.Names != 0 || p.NestedParam != nil || p.Flags != nil || len(p.Modifiers) > 0 {
		return unknown, false
	}
	name := p.Param.Value
	v, given := e.lookup(name)
	if len(v.list) > maxWords {
		return unknown, false
	}
	known := given && (len(v.texts) > 0 || v.array && !v.open)
	switch index := p.Index.(type) {
	case nil:
		if v.array && name != "@" && name != "*" && known {
			texts = []string{""}
			if len(v.list) > 0 {
				texts = v.list[:1]
			}
		} else if v.array {
			texts, list = v.list, true
		} else if known {
			texts = []string{e.chosen(name, v)}
		}
	case *syntax.Word:
		at := index.Lit()
		n, err := strconv.Atoi(at)
		switch {
		case !v.array || !known:
			return unknown, false
		case at == "@" || at == "*":
			texts, list = v.list, true
		case err == nil && 0 <= n && n < len(v.list):
			texts = v.list[n : n+1]
		case err == nil && n >= 0:
			texts = []string{""}
		default:
			return unknown, false
		}
	default:
		return unknown, false
	}
	if p.Exp == nil {
		if !known {
			return unknown, false
		}
		return texts, list
	}
	empty := strings.Join(texts, "") == ""
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		null := p.Exp.Op == syntax.DefaultUnsetOrNull || p.Exp.Op == syntax.AssignUnsetOrNull
		switch {
		case given && !known:
			return unknown, false
		case given && !v.gone && !(null && empty):
			return texts, list
		}
		text := e.quoted(p.Exp.Word)
		if p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull {
			e.set(name, value{texts: []string{text}})
		}
		return []string{text}, false
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		switch {
		case !known:
			return unknown, false
		case empty && p.Exp.Op == syntax.AlternateUnsetOrNull:
			return []string{""}, false
		}
		return []string{e.quoted(p.Exp.Word)}, false
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if known {
			return texts, list
		}
	}
	return unknown, false
}

// chosen returns one of the texts of a variable, and notes where there are several.
func (s *scope) chosen(name string, v value) string {
	if len(v.texts) == 1 {
		return v.texts[0]
	}
	if s.pick == nil {
		if s.many == nil {
			s.many = map[string]int{}
		}
		s.many[name] = len(v.texts)
	}
	return v.texts[s.pick[name]%len(v.texts)]
}

// assign sets a variable.
func (s *scope) assign(a *syntax.Assign) {
	if a.Name == nil || a.Naked {
		return
	}
	name := a.Name.Value
	var v value
	old, given := s.vars[name]
	switch {
	case a.Index != nil:
		v.open = true
	case a.Array != nil:
		v.array = true
		if a.Append {
			v = value{array: true, list: old.list, open: !given || !old.array || old.open}
		}
		for _, e := range a.Array.Elems {
			if e.Index != nil || e.Value == nil {
				v = value{open: true}
				break
			}
			v.list = append(v.list[:len(v.list):len(v.list)], s.fields(e.Value)...)
		}
	case a.Append && (!given || len(old.texts) == 0):
		v.open = true
	default:
		s.picks(func() {
			text := ""
			if a.Append {
				text = s.chosen(name, old)
			}
			text += s.quoted(a.Value)
			if len(v.texts) < maxPicks && len(text) < maxText {
				v.texts = append(v.texts, text)
			}
		})
		if len(v.texts) == 1 && v.texts[0] == opaque {
			v = value{open: true}
		}
	}
	s.set(name, v)
}

// declare runs export, local and their like.
func (s *scope) declare(c *syntax.DeclClause) {
	exports, refers := c.Variant.Value == "export", c.Variant.Value == "nameref"
	for _, a := range c.Args {
		if a.Name == nil || a.Naked && a.Value != nil {
			if a.Value != nil {
				s.inside(a.Value)
				if flags := s.quoted(a.Value); strings.HasPrefix(flags, "-") {
					exports = exports || strings.Contains(flags, "x")
					refers = refers || strings.Contains(flags, "n")
				}
			}
			continue
		}
		s.inside(a)
		s.assign(a)
		v, ok := s.vars[a.Name.Value]
		switch {
		case refers:
			s.set(a.Name.Value, value{open: true})
		case exports && ok:
			v.exported = true
			s.set(a.Name.Value, v)
		}
	}
}
