package gen

// names, flags and codes are the plain words of commands and payloads.
var names = []string{
	"a", "b", "x", "yes", "foo", "bar", "main", "value", "NOTE", "1", "07", "42", "src/a.go", "node_modules", "file.txt",
	"./x", "/tmp", "it's", "don't", "done!", "fix!:", "a=b", "k:v", "key=", "user@host", "50%", "HEAD^", "v1.2", "+x",
	"under_score", "caf\u00e9", "e", "EOF", "x,y", "commit", "install", "test", "run", "status",
}

var flags = []string{"-n", "-e", "-m", "-c", "-p", "-rf", "-0", "--", "-", "--files", "--glob=", "-g", "--no-color", "-xvf", "-I{}"}

// bare are the names that stand unquoted in a command and mean themselves.
var bare = []string{
	"a", "b", "x", "yes", "foo", "bar", "main", "value", "NOTE", "1", "07", "42", "src/a.go", "file.txt", "./x", "/tmp",
	"a=b", "k:v", "key=", "user@host", "50%", "HEAD^", "v1.2", "+x", "under_score", "caf\u00e9", "e", "x,y", "a#b", "{}", "}",
	"]", "commit", "install", "test", "run", "status", "then", "do", "in", "time",
}

// bangs are words with an exclamation mark that no quote protects.
var bangs = []string{"!", "!a", "a!", "a!b", "!!", "!=", "!1", "a!=b", "!-1", "!?x", "!:", "a!,", "\\!", "a\\!", "\\!x", "!\\!", "!#", "!/"}

func wordTable() table {
	return newTable(
		rule{26, "plain", func(w *builder) { w.choose(&w.rules.plain) }},
		rule{12, "double-nested", (*builder).double},
		rule{10, "parameter", (*builder).parameter},
		rule{6, "substitution", (*builder).substitution},
		rule{3, "backquotes", (*builder).backquotes},
		rule{4, "arithmetic", (*builder).arithmetic},
		rule{8, "concatenation", (*builder).concatenation},
		rule{4, "glob", (*builder).glob},
		rule{3, "braces", (*builder).braces},
		rule{1, "process-in", (*builder).processInput},
	)
}

func plainTable() table {
	return newTable(
		rule{16, "name", func(w *builder) { w.pick(bare) }},
		rule{6, "flag", func(w *builder) { w.pick(flags) }},
		rule{22, "single", (*builder).single},
		rule{14, "double-flat", (*builder).doubleFlat},
		rule{9, "ansi-c", (*builder).ansiC},
		rule{1, "locale", func(w *builder) { w.put('$'); w.doubleFlat() }},
		rule{9, "escaped", (*builder).escaped},
		rule{4, "bang", func(w *builder) { w.pick(bangs) }},
		rule{3, "empty", func(w *builder) { w.pick([]string{"''", `""`, "''''", `"" ''`}) }},
		rule{4, "tilde", (*builder).tilde},
		rule{5, "variable", (*builder).variable},
		rule{3, "raw-rune", func(w *builder) { w.pick(runes) }},
		rule{1, "raw-byte", (*builder).rawByte},
		rule{2, "star", func(w *builder) { w.pick([]string{"*", "?", "*.x", "[!a]", "f*", "[a"}) }},
	)
}

func quotedTable() table {
	return newTable(
		rule{10, "q-single", (*builder).single},
		rule{8, "q-double", (*builder).doubleFlat},
		rule{3, "q-ansi-c", (*builder).ansiC},
		rule{4, "q-name", func(w *builder) { w.pick([]string{"a", "b", "foo", "x!", "1", "main", "''", "yes", "0", "a!b"}) }},
		rule{5, "q-variable", func(w *builder) { w.put('"'); w.variable(); w.put('"') }},
	)
}

func inDoubleTable() table {
	return newTable(
		rule{30, "d-text", func(w *builder) { w.prose(1 + w.n(5)) }},
		rule{4, "d-bang", func(w *builder) { w.pick([]string{"!", "!!", "a!b", "\\!", "! ", "'!'", "!="}) }},
		rule{8, "d-escape", func(w *builder) { w.put('\\'); w.pickByte("\"\\$`!nta'*") }},
		rule{4, "d-single", func(w *builder) { w.pick([]string{"'", "it's", "'a'", "''"}) }},
		rule{12, "d-variable", (*builder).variable},
		rule{6, "d-parameter", (*builder).parameterInDouble},
		rule{5, "d-substitution", (*builder).substitution},
		rule{2, "d-backquotes", (*builder).backquotes},
		rule{3, "d-arithmetic", (*builder).arithmetic},
		rule{2, "d-continued", func(w *builder) { w.softBreak() }},
	)
}

// word appends one shell word of any style.
func (w *builder) word() {
	if w.leaf() {
		w.choose(&w.rules.plain)
		return
	}
	w.choose(&w.rules.words)
}

// prose appends k pieces of literal text that mean themselves inside double quotes.
func (w *builder) prose(k int) {
	for range k {
		switch w.n(10) {
		case 0:
			w.put(' ')
		case 1:
			if w.oneIn(4) {
				w.put('!')
			} else {
				w.letter()
			}
		case 2:
			w.pickByte("#&*|(){}[];<>?=:,@^%~'-/.")
		case 3:
			switch w.n(6) {
			case 0:
				w.pick(runes)
			case 1:
				w.lineFeed()
			case 2:
				w.put('\t')
			case 3:
				w.pick(names)
			default:
				w.pickByte(digits)
			}
		default:
			w.letter()
		}
	}
}

// lineFeed appends a line break inside quotes, or a blank where a here-document waits for the end of the line.
func (w *builder) lineFeed() {
	if len(w.docs) > 0 {
		w.put(' ')
		return
	}
	w.put('\n')
}

// softBreak appends a line continuation, where one may stand.
func (w *builder) softBreak() {
	if len(w.docs) == 0 {
		w.add("\\\n")
	}
}

// single appends a single-quoted string.
func (w *builder) single() {
	w.put('\'')
	for range w.n(7) {
		switch w.n(16) {
		case 0:
			w.put('!')
		case 1, 2:
			w.put(' ')
		case 3:
			w.put('\\')
		case 4:
			if c := special[w.n(len(special))]; c == '\'' || c == '\n' {
				w.put('"')
			} else {
				w.put(c)
			}
		case 5:
			switch w.n(8) {
			case 0:
				w.lineFeed()
			case 1:
				w.pick(runes)
			case 2:
				w.pick(torn)
			case 3:
				w.controlInLine()
			default:
				w.code(1)
			}
		default:
			w.letter()
		}
	}
	w.put('\'')
}

// controlInLine appends a control byte that is not a line feed.
func (w *builder) controlInLine() {
	w.control()
	if w.b[len(w.b)-1] == '\n' {
		w.b[len(w.b)-1] = 0x0b
	}
}

// rawByte appends a byte outside printable ASCII that does not end a word.
func (w *builder) rawByte() {
	if w.oneIn(2) {
		w.put(byte(0x80 + w.n(128)))
		return
	}
	w.controlInLine()
	if c := &w.b[len(w.b)-1]; *c == '\t' {
		*c = 0x08
	}
}

// double appends a double-quoted string with expansions.
func (w *builder) double() {
	w.put('"')
	w.depth++
	for range 1 + w.n(3) {
		if w.leaf() {
			w.prose(1 + w.n(3))
			continue
		}
		w.choose(&w.rules.inDouble)
	}
	w.depth--
	w.put('"')
}

// doubleFlat appends a double-quoted string whose only expansions are variables.
func (w *builder) doubleFlat() {
	w.put('"')
	for range w.n(4) {
		switch w.n(10) {
		case 0:
			w.put('\\')
			w.pickByte("\"\\$`!na'")
		case 1:
			w.variable()
		case 2:
			w.put('!')
		default:
			w.prose(1 + w.n(4))
		}
	}
	w.put('"')
}

// ansiC appends a string with escapes. Escapes that would be NUL or would take more than one meaning are left out.
func (w *builder) ansiC() {
	w.add("$'")
	for range w.n(5) {
		switch w.n(9) {
		case 0:
			w.put('\\')
			w.pickByte("abefnrtv")
		case 1:
			w.put('\\')
			w.pickByte("\\'\"?!")
		case 2:
			w.add("\\x")
			w.pickByte("1234567")
			w.pickByte("0123456789abcdefABCDEF")
		case 3:
			w.put('\\')
			w.pickByte("0123")
			w.pickByte("1234567")
			w.pickByte("01234567")
		case 4:
			w.add("\\u")
			w.pick([]string{"00e9", "a0", "2028", "21", "4e2d", "7f"})
		case 5:
			w.add("\\c")
			w.pickByte("abcXz[")
		case 6:
			w.pickByte("!! \"$`#")
		default:
			w.letter()
		}
	}
	w.put('\'')
}

// escaped appends a bare word in which backslashes protect special bytes.
func (w *builder) escaped() {
	for range 1 + w.n(3) {
		if w.oneIn(2) {
			w.letter()
		}
		w.put('\\')
		switch w.n(6) {
		case 0:
			w.put('!')
		case 1, 2:
			w.letter()
		default:
			c := special[w.n(len(special))]
			if c == '\n' {
				c = '\\'
			}
			w.put(c)
		}
		if w.oneIn(2) {
			w.letter()
		}
	}
	if w.oneIn(8) {
		w.softBreak()
		w.letter()
	}
}

// tilde appends words in which a tilde stands where it expands, and where it does not.
func (w *builder) tilde() {
	switch w.n(8) {
	case 0, 1:
		w.put('~')
	case 2:
		w.add("~/")
		w.pick([]string{"x", "", "a!b", "*"})
	case 3:
		w.letter()
		w.pickByte("=:")
		w.put('~')
	case 4:
		w.letter()
		w.add("=/")
		w.letter()
		w.add(":~/")
		w.letter()
	case 5:
		w.pick([]string{"\\~", "'~'", `"~"`})
	case 6:
		w.letter()
		w.put('~')
	case 7:
		w.pick([]string{"~~", "~!", "~:", "~="})
	}
}

// concatenation appends one word made of several styles.
func (w *builder) concatenation() {
	w.depth++
	for range 2 + w.n(2) {
		switch w.n(6) {
		case 0:
			w.single()
		case 1:
			w.doubleFlat()
		case 2:
			w.letter()
		case 3:
			w.escaped()
		case 4:
			w.choose(&w.rules.plain)
		default:
			w.word()
		}
	}
	w.depth--
}

// quoteFrom turns the text appended since from into one single-quoted word.
func (w *builder) quoteFrom(from int) {
	w.scratch = append(w.scratch[:0], w.b[from:]...)
	w.b = append(w.b[:from], '\'')
	for _, c := range w.scratch {
		if c == '\'' {
			w.add(`'\''`)
			continue
		}
		w.put(c)
	}
	w.put('\'')
}
