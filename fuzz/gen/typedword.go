package gen

func (w *builder) typedWords(k int) {
	for range k {
		w.put(' ')
		w.typedWord()
	}
}

func (w *builder) typedWord() { w.choose(&w.rules.typedWords) }

func typedWordTable() table {
	return newTable(
		rule{26, "w-single", func(w *builder) { w.quoted('\'') }},
		rule{12, "w-double", func(w *builder) { w.quoted('"') }},
		rule{10, "w-bare", func(w *builder) { w.quoted(0) }},
		rule{6, "w-ansi-c", func(w *builder) { w.quoted('$') }},
		rule{8, "w-joined", func(w *builder) {
			for range 2 + w.n(2) {
				w.quoted("''\"$a"[w.n(5)])
			}
		}},
		rule{12, "w-name", func(w *builder) { w.pick(bare) }},
		rule{4, "w-flag", func(w *builder) { w.pick(flags) }},
		rule{4, "w-bracket", (*builder).bracketed},
		rule{4, "w-brace", (*builder).braced},
		rule{3, "w-arith", (*builder).counted},
		rule{4, "w-extended", (*builder).extended},
		rule{3, "w-substitution", func(w *builder) {
			double := w.oneIn(2)
			if double {
				w.put('"')
			}
			w.add("$(echo ")
			w.quoted("'\"a"[w.n(3)])
			w.put(')')
			if double {
				w.put('"')
			}
		}},
		rule{4, "w-plain", func(w *builder) { w.choose(&w.rules.plain) }},
	)
}

// quoted appends text in quotes of that kind: ', ", $ for $'...', and none for any other.
func (w *builder) quoted(kind byte) {
	w.quote = kind
	switch kind {
	case '\'', '"':
		w.put(kind)
		w.text()
		w.put(kind)
	case '$':
		w.add("$'")
		w.text()
		w.put('\'')
	default:
		w.quote = 0
		w.text()
	}
	w.quote = 0
}

// text appends one to four pieces of text that fit into the quote that is open.
func (w *builder) text() {
	for range 1 + w.n(4) {
		switch {
		case w.raw && w.oneIn(3):
			w.key()
		case w.wide && w.oneIn(3):
			w.pick(runes)
		case w.bulk && w.oneIn(2):
			w.bulk = false
			w.run()
		default:
			w.choose(&w.rules.typedText)
		}
	}
}

func typedTextTable() table {
	return newTable(
		rule{22, "x-letters", (*builder).name},
		rule{8, "x-name", func(w *builder) { w.pick(bare) }},
		rule{6, "x-blank", func(w *builder) {
			if w.quote == 0 {
				w.put('\\')
			}
			w.put(' ')
		}},
		rule{18, "x-bang", (*builder).bang},
		rule{12, "x-reference", (*builder).reference},
		rule{2, "x-quick", (*builder).quick},
		rule{5, "x-sign", (*builder).sign},
		rule{4, "x-quote", (*builder).otherQuote},
		rule{2, "x-escaped", func(w *builder) { w.add("\\!") }},
		rule{2, "x-line", func(w *builder) { w.put(w.line()) }},
	)
}

// line returns a line break where one may stand, and a mark where not.
func (w *builder) line() byte {
	if w.quote == '\'' || w.quote == '"' || w.quote == '$' {
		return '\n'
	}
	return ','
}

// sign appends a mark that neither ends nor opens anything in the quote that is open.
func (w *builder) sign() {
	switch w.quote {
	case '\'':
		w.pickByte("\"`$\\;&|<>(){}[]#*?~^,.:-/@%+=")
	case '"', '$':
		w.pickByte(";&|<>(){}[]#*?~^,.:-/@%+=")
	case 0:
		w.pickByte("{}[]#*?^,.:-/@%+=~")
	default:
		w.pickByte("'\"`$\\;&|<>(){}[]#*?~^,.:-/@%+=")
	}
}

// otherQuote appends a quote that the open one protects.
func (w *builder) otherQuote() {
	switch w.quote {
	case '\'':
		w.put('"')
	case '"':
		w.put('\'')
	case '$', 0:
		w.put('\\')
		w.pickByte("'\"")
	default:
		w.pickByte("'\"")
	}
}

// bang appends an exclamation mark and what stands behind it.
func (w *builder) bang() {
	w.put('!')
	switch w.n(14) {
	case 0:
	case 1:
		if w.quote != 0 {
			w.put(' ')
		}
	case 2:
		w.put(w.line())
	case 3, 4:
		w.put('=')
	case 5:
		if w.quote == 0 && !w.oneIn(3) {
			w.sign()
			return
		}
		w.put('(')
		w.letter()
		if !w.oneIn(4) {
			w.put(')')
		}
	case 6:
		w.pickByte(digits)
	case 7, 8, 9:
		w.sign()
	case 10:
		if w.raw {
			w.put('\t')
			return
		}
		w.put('!')
	default:
		w.name()
	}
}

// key appends bytes that a line editor takes for a command: mostly a TAB.
func (w *builder) key() {
	switch w.n(12) {
	case 0, 1, 2, 3, 4, 5, 6, 7:
		w.put('\t')
	case 8:
		w.put(0x1b)
		w.pick([]string{"[A", "[B", "[C", "[D", "[H", "[3~", "OA", "b", "f", "d", ".", "<", "u"})
	default:
		c := byte(1 + w.n(31))
		if c == '\n' || c == '\r' {
			c = 0x7f
		}
		w.put(c)
	}
}

// run appends a long piece of text.
func (w *builder) run() {
	k := 300 + w.n(700)
	if w.oneIn(4) {
		k = 1000 + w.n(3900)
	}
	from := len(w.b)
	for range 1 + w.n(12) {
		w.letter()
	}
	for len(w.b)-from < k {
		w.b = append(w.b, w.b[from:]...)
	}
	w.b = w.b[:from+k]
}

// bracketed appends a bracket expression, or what begins like one.
func (w *builder) bracketed() {
	quote := w.oneIn(3)
	if quote {
		w.put('\'')
	}
	if w.oneIn(2) {
		w.letter()
	}
	w.put('[')
	w.pick([]string{"!", "!", "^", "", "!!"})
	w.letter()
	if w.oneIn(3) {
		w.put('!')
	}
	if !w.oneIn(6) {
		w.put(']')
	}
	if w.oneIn(3) {
		w.put('*')
	}
	if quote {
		w.put('\'')
	}
}

// braced appends a parameter expansion with an exclamation mark in it, or any.
func (w *builder) braced() {
	double := w.oneIn(2)
	if double {
		w.put('"')
	}
	w.add("${")
	switch w.n(3) {
	case 0:
		w.put('!')
		w.pick([]string{"p", "v", "x*", "a[@]", "x@"})
	case 1:
		w.scalar()
		w.defaultOp()
		w.pickByte("!ab")
		w.name()
		w.pick([]string{"", "!", "!!", "!="})
	default:
		w.scalar()
		w.pick([]string{"#", "%", "/", "//", "##"})
		w.put('!')
		w.name()
	}
	w.put('}')
	if double {
		w.put('"')
	}
}

// counted appends an arithmetic expansion with a negation or inequality.
func (w *builder) counted() {
	w.add("$((")
	switch w.n(4) {
	case 0:
		w.put('!')
		w.term()
	case 1:
		w.pickByte(digits)
		w.add("!=")
		w.term()
	case 2:
		w.add("! ")
		w.scalar()
	default:
		w.choose(&w.rules.arith)
	}
	w.add("))")
}
