package gen

func typedTable() table {
	return newTable(
		rule{34, "y-call", (*builder).call},
		rule{16, "y-show", (*builder).show},
		rule{12, "y-document", (*builder).typedDocument},
		rule{9, "y-two", (*builder).two},
		rule{6, "y-remark", (*builder).remark},
		rule{3, "y-quick", func(w *builder) {
			w.quick()
			if w.oneIn(2) {
				w.pick([]string{" ", "; ", "\n"})
				w.call()
			}
		}},
		rule{5, "y-compare", (*builder).comparison},
		rule{4, "y-keep", func(w *builder) {
			w.scalar()
			w.put('=')
			w.typedWord()
			w.pick([]string{"; ", "\n", " "})
			w.caller()
			w.put(' ')
			w.variable()
			w.put(' ')
			w.typedWord()
		}},
		rule{16, "y-ordinary", func(w *builder) { w.statement() }},
	)
}

// caller appends a program. One that would wait for the terminal is not among them.
func (w *builder) caller() {
	if w.oneIn(2) {
		w.add("probe")
		return
	}
	if name := Names[w.n(len(Names))]; name != "cat" {
		w.add(name)
		return
	}
	w.add("echo")
}

// call appends a program with words that are typed.
func (w *builder) call() {
	w.caller()
	w.typedWords(1 + w.n(3))
}

// show appends a builtin that prints such words.
func (w *builder) show() {
	if w.oneIn(2) {
		w.add("echo")
	} else {
		w.add("printf ")
		w.pick([]string{"'%s\\n'", "'%s\\n'", "'<%s>'", "'%s'", "\"%s\\n\"", "%s", "%q"})
	}
	w.typedWords(1 + w.n(2))
}

// earlier appends a command as the past for the ones behind it: mostly one that
// leaves nothing behind in its shell but its line.
func (w *builder) earlier() {
	switch w.n(9) {
	case 0, 1:
		w.call()
	case 2:
		w.show()
	case 3:
		w.typedDocument()
	default:
		w.calm()
	}
}

// calm appends a command in which there is nothing to expand, as the past for the ones behind it.
func (w *builder) calm() {
	if w.oneIn(3) {
		w.add("echo")
	} else {
		w.caller()
	}
	for range 1 + w.n(3) {
		w.put(' ')
		if w.oneIn(3) {
			w.put('\'')
			w.pick(bare)
			w.put('\'')
			continue
		}
		w.pick(bare)
	}
}

func (w *builder) two() {
	for i := range 2 {
		if i > 0 {
			w.pick([]string{"; ", "; ", "\n", "\n", " && ", " || ", " | "})
		}
		if w.oneIn(2) {
			w.call()
		} else {
			w.show()
		}
	}
}

// remark appends a command and a comment.
func (w *builder) remark() {
	w.call()
	w.quote = '#'
	switch w.n(4) {
	case 0:
		w.add("\n")
		w.shebang()
	case 1:
		w.add("\n#")
		w.text()
	default:
		w.add(" #")
		if w.oneIn(2) {
			w.put(' ')
		}
		w.text()
	}
	w.quote = 0
	if w.oneIn(2) {
		w.put('\n')
		if w.oneIn(2) {
			w.show()
		}
	}
}

func (w *builder) comparison() {
	if w.oneIn(4) {
		w.test()
	} else {
		double := w.oneIn(2)
		if double {
			w.put('[')
		}
		w.add("[ ")
		w.typedWord()
		w.pick([]string{" = ", " != ", " != ", " == "})
		w.typedWord()
		w.add(" ]")
		if double {
			w.put(']')
		}
	}
	w.pick([]string{" && ", " || ", "; "})
	w.call()
}

// typedDocument appends a command with a here-document that looks like a file of some language.
func (w *builder) typedDocument() {
	w.pick([]string{"cat", "cat", "probe", "tee", "node", "python3", "awk"})
	if w.oneIn(5) {
		w.put(' ')
		w.pick(bare)
	}
	w.hereDocument()
	d := w.docs[0]
	w.docs = w.docs[:0]
	switch w.n(8) {
	case 0:
		w.add(" > ")
		w.file()
	case 1:
		w.add(" | ")
		w.call()
	case 2:
		w.add("; ")
		w.call()
	}
	w.put('\n')
	w.noDoc++
	w.quote = '<'
	for range 1 + w.n(3) {
		from := len(w.b)
		w.choose(&w.rules.typedLines)
		if !d.quoted && !w.oneIn(4) {
			w.defuse(from)
		}
		w.put('\n')
	}
	w.quote = 0
	w.noDoc--
	w.add(d.end)
	if !w.oneIn(3) {
		w.put('\n')
	}
	if w.oneIn(12) && w.b[len(w.b)-1] == '\n' {
		w.show()
	}
}

func typedLineTable() table {
	return newTable(
		rule{5, "z-shebang", (*builder).shebang},
		rule{8, "z-negation", func(w *builder) {
			w.pick([]string{"if (", "while (", "return ", "assert ", "x = ", "(", "  if ", "&& ", "unless "})
			w.put('!')
			if w.oneIn(3) {
				w.put('(')
			}
			w.name()
			w.pick([]string{") {", ");", ")", ";", "", ".a", "()", "'", " {"})
		}},
		rule{4, "z-unequal", func(w *builder) {
			w.name()
			w.pick([]string{" != ", "!=", " !== ", " !~ "})
			w.pick([]string{"'", "\"", ""})
			w.name()
		}},
		rule{5, "z-text", (*builder).text},
		rule{4, "z-reference", func(w *builder) { w.pick(names); w.pickByte(" (:\"'"); w.reference(); w.sign() }},
		rule{3, "z-quick", (*builder).quick},
		rule{3, "z-mark", func(w *builder) { w.put('!'); w.pickByte("[(#/*."); w.name(); w.pickByte("]) /*") }},
		rule{3, "z-ignored", func(w *builder) { w.put('!'); w.name() }},
		rule{3, "z-exclaimed", func(w *builder) { w.pick(names); w.put(' '); w.name(); w.put('!') }},
		rule{8, "z-line", func(w *builder) { w.choose(&w.rules.lines) }},
	)
}

// name appends an identifier.
func (w *builder) name() {
	w.pickByte(letters)
	for range w.n(3) {
		w.letter()
	}
}

// shebang appends a first line as scripts have it, its path put together from parts.
func (w *builder) shebang() {
	w.add("#!")
	if w.oneIn(8) {
		w.put(' ')
	}
	w.put('/')
	for range 1 + w.n(2) {
		w.pick([]string{"bin", "usr", "opt", "local", "x"})
		w.put('/')
	}
	if w.oneIn(3) {
		w.pick([]string{"env", "env -S", "sh", "zsh"})
		w.put(' ')
	}
	w.pick(Names)
}
