package splitter

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// isList reports whether a parameter is $@ or $*.
func isList(e *syntax.ParamExp) bool {
	return e.Param != nil && (e.Param.Value == "@" || e.Param.Value == "*")
}

// index returns the text between the brackets, where that is plain text.
func index(e *syntax.ParamExp) string {
	if w, ok := e.Index.(*syntax.Word); ok {
		return w.Lit()
	}
	return ""
}

// operates reports whether something is done with the list as such.
func operates(e *syntax.ParamExp) bool { return e.Repl != nil || e.Exp != nil || e.Slice != nil }

// vanishes reports whether a quoted expansion that stands alone in its quotes becomes
// no field at all.
func vanishes(e *syntax.ParamExp) (bool, error) {
	if e.Param == nil || e.Length || e.Width || e.IsSet || e.Excl {
		return false, nil
	}
	if isList(e) && operates(e) {
		return false, ErrNotModelled
	}
	return !isList(e) && index(e) == "@" && e.Param.Value != "LINENO", nil
}

// starred reports whether a quoted expansion that stands alone is "$*", which is one
// empty field.
func starred(e *syntax.ParamExp) bool {
	return e.Param != nil && e.Param.Value == "*" && !e.Length && !e.Width && !e.IsSet && !e.Excl
}

// parameter returns the value of a parameter expansion where nothing is set.
func parameter(e *syntax.ParamExp) (string, error) {
	if e.Param == nil || e.Width || e.IsSet || e.Index != nil && index(e) == "" {
		return "", ErrNotModelled
	}
	value := ""
	if e.Param.Value == "LINENO" {
		value = strconv.FormatUint(uint64(e.Pos().Line()), 10)
	}
	switch {
	case e.Length && (isList(e) || index(e) == "@" || index(e) == "*"):
		return "0", nil
	case e.Length:
		return strconv.Itoa(len(value)), nil
	case e.Excl && e.Names != 0:
		return "", nil
	case e.Excl && value == "":
		return "", errIndirect
	case e.Excl, e.Slice != nil, e.Repl != nil, e.Index != nil && value != "":
		return "", ErrNotModelled
	case e.Exp == nil:
		return value, nil
	}
	arg := ""
	if e.Exp.Word != nil {
		var err error
		if arg, err = join(e.Exp.Word.Parts, false); err != nil {
			return "", err
		}
	}
	switch op := e.Exp.Op; op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if value == "" {
			return "", nil
		}
		return arg, nil
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.ErrorUnset, syntax.ErrorUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		switch {
		case value != "":
			return value, nil
		case op == syntax.ErrorUnset || op == syntax.ErrorUnsetOrNull:
			return "", errUnset
		case op == syntax.AssignUnset || op == syntax.AssignUnsetOrNull:
			return "", errReadOnly
		}
		return arg, nil
	}
	if value != "" || e.Exp.Op == syntax.OtherParamOps {
		return "", ErrNotModelled
	}
	return "", nil // nothing can be cut from it, or made upper case
}

// unbrace calls each with every word that the braces in a word stand for.
func unbrace(parts []syntax.WordPart, each func([]syntax.WordPart) error) error {
	for i, p := range parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			continue
		}
		with := func(middle ...syntax.WordPart) error {
			var all []syntax.WordPart
			all = append(append(append(all, parts[:i]...), middle...), parts[i+1:]...)
			return unbrace(all, each)
		}
		if b.Sequence {
			return sequence(b, func(s string) error { return with(&syntax.Lit{Value: s}) })
		}
		for _, e := range b.Elems {
			if err := with(e.Parts...); err != nil {
				return err
			}
		}
		return nil
	}
	return each(parts)
}

// sequence calls each with the elements of {1..3} or {a..c}.
func sequence(b *syntax.BraceExp, each func(string) error) error {
	from, to := b.Elems[0].Lit(), b.Elems[1].Lit()
	first, err1 := strconv.ParseInt(from, 10, 64)
	last, err2 := strconv.ParseInt(to, 10, 64)
	characters := err1 != nil || err2 != nil
	if characters {
		first, last = int64(from[0]), int64(to[0])
	}
	step := int64(1)
	if len(b.Elems) > 2 {
		if n, _ := strconv.ParseInt(b.Elems[2].Lit(), 10, 64); n != 0 {
			step = max(n, -n)
		}
	}
	width := 0
	if !characters && (padded(from) || padded(to)) {
		width = max(len(from), len(to))
	}
	if first > last {
		step = -step
	}
	for n := first; step > 0 && n <= last || step < 0 && n >= last; n += step {
		s := strconv.FormatInt(n, 10)
		switch {
		case characters:
			s = string(rune(n))
		case width > 0:
			s = pad(s, width)
		}
		if err := each(s); err != nil {
			return err
		}
	}
	return nil
}

func padded(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return len(s) > 1 && s[0] == '0'
}

func pad(s string, width int) string {
	digits, negative := strings.CutPrefix(s, "-")
	if negative {
		width--
		return "-" + strings.Repeat("0", max(0, width-len(digits))) + digits
	}
	return strings.Repeat("0", max(0, width-len(digits))) + digits
}
