package gen

import "bytes"

// letterFrom returns a place in the word that begins at w.at, whose first one is passed over if inner is set.
func (w *builder) letterFrom(inner bool) int {
	k := len(w.b) - w.at
	if inner && k > 1 {
		return w.at + 1 + w.n(k-1)
	}
	return w.at + w.n(k)
}

// spellings are ways to write the word that stands at w.at.
var spellings = newTable(
	rule{5, "s-single", func(w *builder) { w.surround("'", w.at, len(w.b)) }},
	rule{5, "s-double", func(w *builder) { w.surround(`"`, w.at, len(w.b)) }},
	rule{4, "s-part-single", func(w *builder) { at := w.letterFrom(true); w.surround("'", at, at+1) }},
	rule{4, "s-part-double", func(w *builder) { at := w.letterFrom(true); w.surround(`"`, at, at+1) }},
	rule{4, "s-rest", func(w *builder) { w.surround("'\""[w.n(2):][:1], w.letterFrom(true), len(w.b)) }},
	rule{5, "s-backslash", func(w *builder) { w.insert(w.letterFrom(false), `\`) }},
	rule{6, "s-ansi-c", func(w *builder) { w.spell(w.at) }},
	rule{3, "s-ansi-c-rest", func(w *builder) { w.spell(w.letterFrom(true)) }},
	rule{1, "s-locale", func(w *builder) { w.surround(`"`, w.at, len(w.b)); w.insert(w.at, "$") }},
	rule{3, "s-nothing", func(w *builder) { w.insert(w.letterFrom(false), []string{"''", `""`, "$x", "${x}", "$''"}[w.n(5)]) }},
	rule{5, "s-silent", (*builder).silent},
	rule{1, "s-broken", func(w *builder) {
		if len(w.docs) == 0 {
			w.insert(w.letterFrom(true), "\\\n")
		}
	}},
	rule{2, "s-default", func(w *builder) {
		w.insert(w.at, []string{"${x:-", "${x-", "${EDITOR:-", "${PWD:+"}[w.n(4)])
		w.put('}')
	}},
	rule{1, "s-brace", func(w *builder) {
		w.insert(w.at, "{")
		w.pick([]string{",x}", ",}", "}"})
	}},
	rule{1, "s-wild", func(w *builder) { w.b[w.letterFrom(true)] = '?' }},
)

// styled appends a word in any spelling.
func (w *builder) styled(word string) {
	at := w.at
	w.at = len(w.b)
	w.add(word)
	w.choose(&spellings)
	w.at = at
}

// surround puts a quote before and behind a part of the text.
func (w *builder) surround(quote string, from, to int) {
	w.insert(to, quote)
	w.insert(from, quote)
}

// spell turns the text from a place on into $'...' in which some of its letters are escapes.
func (w *builder) spell(from int) {
	const hex = "0123456789abcdef"
	w.scratch = append(w.scratch[:0], w.b[from:]...)
	w.b = append(w.b[:from], "$'"...)
	sure := w.n(len(w.scratch))
	for i, c := range w.scratch {
		if i != sure && !w.oneIn(4) || c >= 0x80 {
			w.put(c)
			continue
		}
		switch w.n(4) {
		case 0:
			w.b = append(w.b, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
		case 1:
			w.b = append(w.b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			w.b = append(w.b, '\\', 'x', hex[c>>4], hex[c&15])
		}
	}
	if w.oneIn(12) {
		w.add("\\n")
	}
	w.put('\'')
}

// silent puts a substitution into the word that leaves nothing, or something.
func (w *builder) silent() {
	at := w.at
	if w.oneIn(3) {
		at = w.letterFrom(false)
	}
	tail := string(w.b[at:])
	w.b = w.b[:at]
	shut := ")"
	if w.oneIn(4) {
		w.put('`')
		shut = "`"
	} else {
		w.add("$(")
	}
	w.pick([]string{"echo", "echo", "true", ":", "printf", "cd", "test"})
	if w.oneIn(3) {
		w.put(' ')
		w.operandName()
	}
	w.add(shut)
	w.add(tail)
}

// called appends the name of a program as the first word of a call, now and then in disguise.
func (w *builder) called(name string) {
	if !w.oneIn(6) {
		w.add(name)
		return
	}
	at := w.at
	w.at = len(w.b)
	w.add(name)
	w.choose(&disguises)
	w.at = at
}

// disguises are ways to write the name of a program that stands at w.at.
var disguises = newTable(
	rule{16, "n-spelling", func(w *builder) { w.choose(&spellings) }},
	rule{6, "n-path", func(w *builder) {
		w.insert(w.at, []string{"/usr/bin/", "/bin/", "./", "../", "/usr/local/bin/", "~/"}[w.n(6)])
	}},
	rule{2, "n-upper", func(w *builder) {
		if w.oneIn(2) {
			w.capital(w.letterFrom(false))
			return
		}
		for i := w.at; i < len(w.b); i++ {
			w.capital(i)
		}
	}},
	rule{2, "n-suffix", func(w *builder) { w.pick([]string{".exe", ".cmd", "3", "-x", ".sh"}) }},
)

func (w *builder) capital(at int) {
	if c := &w.b[at]; *c >= 'a' && *c <= 'z' {
		*c -= 'a' - 'A'
	}
}

// settable are the variables that commands for guards set and read. Loop counters are not among them.
var settable = []string{"x", "f", "e", "A", "B", "EDITOR", "PAGER"}

// read appends an expansion of such a variable.
func (w *builder) read() {
	switch w.n(6) {
	case 0, 1, 2:
		w.add("\"$")
		w.pick(settable)
		w.put('"')
	case 3:
		w.add("${")
		w.pick(settable)
		w.put('}')
	case 4:
		w.pick([]string{"$1", `"$@"`, "$*", `"$1"`, "$PWD"})
	default:
		w.put('$')
		w.pick(settable)
	}
}

// doubleFrom turns the text appended since from into one double-quoted word. If it is live, expansions in it are made
// before whoever gets the word reads it.
func (w *builder) doubleFrom(from int, live bool) {
	w.scratch = append(w.scratch[:0], w.b[from:]...)
	w.b = append(w.b[:from], '"')
	for _, c := range w.scratch {
		if c == '"' || c == '\\' || !live && (c == '$' || c == '`') {
			w.put('\\')
		}
		w.put(c)
	}
	w.put('"')
}

// escapeFrom turns the text appended since from into one word without quotes.
func (w *builder) escapeFrom(from int) {
	w.scratch = append(w.scratch[:0], w.b[from:]...)
	w.b = w.b[:from]
	for _, c := range w.scratch {
		if !isName(c) && c != '-' && c != '.' && c != '/' && c < 0x80 {
			w.put('\\')
		}
		w.put(c)
	}
}

// wrapFrom turns the text appended since from into one word of any style.
func (w *builder) wrapFrom(from int) {
	switch k := w.n(12); {
	case k < 6 || bytes.IndexByte(w.b[from:], '\n') >= 0 || len(w.b) == from:
		w.quoteFrom(from)
	case k < 9:
		w.doubleFrom(from, false)
	case k < 10:
		w.doubleFrom(from, true)
	default:
		w.escapeFrom(from)
	}
}

// textForShell appends text for another shell: a command, quoted as a whole.
func (w *builder) textForShell() {
	from := len(w.b)
	w.noDoc++
	w.nested()
	w.noDoc--
	w.wrapFrom(from)
}

// alike appends a word that looks like a call and is none.
func (w *builder) alike() {
	from := len(w.b)
	w.noDoc++
	depth := w.depth
	w.depth = maxDepth
	if w.oneIn(3) {
		w.operandName()
		w.pick([]string{"; ", " | ", " && ", ";", "|"})
	}
	w.bareCall()
	w.depth = depth
	w.noDoc--
	w.wrapFrom(from)
}
