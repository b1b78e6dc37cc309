package program

import "strings"

// An optionGrammar is how a program reads its options.
type optionGrammar struct {
	short map[byte]byte // what a letter takes: 'r' a value, 'o' one if it is attached
	long  []long
	// first says that the first operand ends the options.
	first bool
	// single says that long options may have one dash.
	single bool
	// exact says that long options are not shortened.
	exact bool
	// valued says that options that are not named here take a value, and that those
	// with an entry '-' do not.
	valued bool
}

// A long is an option of several letters.
type long struct {
	name  string
	takes byte
}

// grammarOf reads a grammar. The short options that take a value are written as
// getopt has them, "f:" or "o::"; the long ones are words, "file=" or "color=?"
// with a value.
func grammarOf(short, words string) *optionGrammar {
	g := &optionGrammar{short: map[byte]byte{}}
	for i := 0; i < len(short); i++ {
		switch rest := short[i+1:]; {
		case strings.HasPrefix(rest, "::"):
			g.short[short[i]] = 'o'
			i += 2
		case strings.HasPrefix(rest, ":"):
			g.short[short[i]] = 'r'
			i++
		default:
			g.short[short[i]] = '-'
		}
	}
	for _, w := range strings.Fields(words) {
		l := long{name: w, takes: '-'}
		if n, ok := strings.CutSuffix(w, "=?"); ok {
			l = long{n, 'o'}
		} else if n, ok := strings.CutSuffix(w, "="); ok {
			l = long{n, 'r'}
		}
		g.long = append(g.long, l)
	}
	return g
}

// ended makes the first operand end the options.
func (g *optionGrammar) ended() *optionGrammar { g.first = true; return g }

// dashed makes long options have one dash or two.
func (g *optionGrammar) dashed() *optionGrammar { g.single = true; return g }

// full makes long options be written out.
func (g *optionGrammar) full() *optionGrammar { g.exact = true; return g }

// eager makes options without an entry take a value.
func (g *optionGrammar) eager() *optionGrammar { g.valued = true; return g }

// A given option has its name with dashes.
type given struct{ name, value string }

// A line is what a program makes of its arguments.
type line struct {
	options  []given
	operands []string
	// behind is how many operands stand behind a --.
	behind int
}

// has reports whether one of the options is there.
func (l line) has(names ...string) bool {
	for _, o := range l.options {
		for _, n := range names {
			if o.name == n {
				return true
			}
		}
	}
	return false
}

// value returns the last value of the options.
func (l line) value(names ...string) (value string, ok bool) {
	for _, o := range l.options {
		for _, n := range names {
			if o.name == n {
				value, ok = o.value, true
			}
		}
	}
	return value, ok
}

// on reports whether a switch is given and not switched off by =false.
func (l line) on(names ...string) bool {
	v, ok := l.value(names...)
	return ok && v != "false"
}

// read reads arguments.
func (g *optionGrammar) read(args []string) (l line) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		next := func() (string, bool) {
			if i+1 < len(args) {
				i++
				return args[i], true
			}
			return "", false
		}
		switch {
		case a == "--":
			l.operands = append(l.operands, args[i+1:]...)
			l.behind = len(args) - i - 1
			return l
		case strings.HasPrefix(a, "--"):
			l.options = append(l.options, g.word("--", a[2:], next))
		case len(a) > 1 && a[0] == '-':
			if g.single {
				if o := g.word("-", a[1:], next); g.known(o.name[1:]) {
					o.name = "-" + o.name
					l.options = append(l.options, o)
					continue
				}
			}
			l.options = g.bundle(l.options, a[1:], next)
		case g.first:
			l.operands = append(l.operands, args[i:]...)
			return l
		default:
			l.operands = append(l.operands, a)
		}
	}
	return l
}

func (g *optionGrammar) known(name string) bool {
	for _, l := range g.long {
		if l.name == name {
			return true
		}
	}
	return false
}

// word reads a long option.
func (g *optionGrammar) word(dashes, text string, next func() (string, bool)) given {
	name, value, has := strings.Cut(text, "=")
	found := -1
	for i, l := range g.long {
		if l.name == name {
			found = i
			break
		}
		if !g.exact && name != "" && strings.HasPrefix(l.name, name) {
			if found >= 0 {
				found = len(g.long) // several
			} else {
				found = i
			}
		}
	}
	takes := byte('-')
	switch {
	case found >= 0 && found < len(g.long):
		name, takes = g.long[found].name, g.long[found].takes
	case g.valued:
		takes = 'r'
	}
	if takes == 'r' && !has && (dashes == "--" || g.known(name)) {
		value, _ = next()
	}
	return given{dashes + name, value}
}

// bundle reads short options that stand together.
func (g *optionGrammar) bundle(options []given, text string, next func() (string, bool)) []given {
	for k := 0; k < len(text); k++ {
		o := given{name: "-" + text[k:k+1]}
		takes, ok := g.short[text[k]]
		if !ok && g.valued {
			takes = 'r'
		}
		rest := text[k+1:]
		switch {
		case takes == 'r' && rest == "":
			o.value, _ = next()
		case takes == 'r', takes == 'o':
			o.value, k = rest, len(text)
		case g.valued && strings.HasPrefix(rest, "="):
			o.value, k = rest[1:], len(text)
		}
		options = append(options, o)
	}
	return options
}
