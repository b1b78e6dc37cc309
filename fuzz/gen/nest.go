package gen

func statementTable() table {
	return newTable(
		rule{66, "simple", (*builder).simple},
		rule{5, "negated", (*builder).negated},
		rule{7, "pipeline", (*builder).pipeline},
		rule{7, "and-or", (*builder).andOr},
		rule{8, "assign", (*builder).assign},
		rule{9, "here-document", (*builder).document},
		rule{3, "here-string", func(w *builder) { w.add("probe"); w.hereString() }},
		rule{6, "test", (*builder).test},
		rule{5, "test-shown", func(w *builder) { w.test(); w.separate(); w.status() }},
		rule{4, "test-and", func(w *builder) { w.test(); w.pick([]string{" && ", " || "}); w.choose(&w.rules.flat) }},
		rule{4, "group", (*builder).group},
		rule{4, "subshell", (*builder).subshell},
		rule{7, "if", (*builder).branches},
		rule{4, "for", (*builder).forWords},
		rule{2, "for-arith", (*builder).forArith},
		rule{3, "while", (*builder).while},
		rule{2, "read-loop", (*builder).readLoop},
		rule{4, "case", (*builder).caseOf},
		rule{3, "function", (*builder).function},
		rule{5, "options", (*builder).options},
		rule{3, "reading", (*builder).reading},
		rule{5, "evaluate", (*builder).evaluate},
		rule{2, "ending", (*builder).ending},
		rule{2, "background", (*builder).background},
		rule{4, "file", (*builder).fileRound},
		rule{2, "change-directory", (*builder).changeDirectory},
		rule{2, "comment", (*builder).commentLine},
		rule{1, "process-out", (*builder).processOutput},
	)
}

func flatTable() table {
	return newTable(
		rule{10, "flat-simple", (*builder).simple},
		rule{3, "flat-show", func(w *builder) { w.add("probe "); w.quotedWord() }},
		rule{1, "flat-negated", func(w *builder) { w.add("! "); w.pick([]string{"false", "true", "probe", "[ 1 ]", "test"}) }},
		rule{1, "flat-test", (*builder).test},
	)
}

// statement appends one statement. A few of the rules append two or three: what changes something and what shows it.
func (w *builder) statement() {
	if w.leaf() {
		w.choose(&w.rules.flat)
		return
	}
	w.depth++
	w.choose(&w.rules.statements)
	w.depth--
}

// list appends the statements of a compound command and what must stand before the word that closes it.
func (w *builder) list() {
	w.statement()
	for !w.leaf() && w.oneIn(3) {
		w.separate()
		w.statement()
	}
	w.separate()
}

// separate ends a statement inside a list. Where a comment or a here-document waits for it, that is a line break;
// where a here-document of an outer line waits, it must not be.
func (w *builder) separate() {
	switch {
	case w.docBase > 0:
		w.add("; ")
	case w.mustLine || len(w.docs) > 0:
		w.newline()
	default:
		switch w.n(12) {
		case 0, 1, 2:
			w.put('\n')
		case 3:
			w.add("\n\n")
		case 4:
			w.put(';')
		case 5:
			w.add(" ;\n")
		default:
			w.add("; ")
		}
	}
}

// endLine breaks the line if a comment or a here-document waits for that.
func (w *builder) endLine() {
	if w.docBase == 0 && (w.mustLine || len(w.docs) > 0) {
		w.newline()
	}
}

// gap stands after a word that opens a list.
func (w *builder) gap() {
	if len(w.docs) == 0 && w.oneIn(5) {
		w.put('\n')
		return
	}
	w.put(' ')
}

// status appends a command that shows the exit status of the one before it.
func (w *builder) status() {
	w.pick([]string{"echo ", "echo ", "probe ", "echo \""})
	if w.b[len(w.b)-1] == '"' {
		w.add("$?\"")
		return
	}
	w.add("$?")
}

func (w *builder) negated() {
	w.add("! ")
	if w.oneIn(20) {
		w.add("! ")
	}
	switch w.n(6) {
	case 0:
		w.add("false")
	case 1:
		w.test()
	case 2:
		w.pipeline()
	default:
		w.statement()
	}
	if w.oneIn(2) {
		w.separate()
		w.status()
	}
}

// pipeline appends commands that hand text on. All of them stay away from files, and only one that reads to the end
// follows one that prints more than once: otherwise which of two things happens first would show.
func (w *builder) pipeline() {
	w.pure++
	base := w.noDoc
	if len(w.docs) > 0 {
		w.noDoc++
	}
	reader := true
	switch {
	case w.oneIn(8) && !w.leaf():
		w.group()
	case w.oneIn(8):
		w.add("probe")
		w.hereDocument()
	case w.oneIn(3):
		w.add("probe")
		w.arguments(1 + w.n(2))
	case w.oneIn(16):
		// Diagnostics go down this pipe too, so there must be none.
		w.add("echo ")
		w.single()
		w.add(" |& ")
		w.pick(Names)
	default:
		w.printing()
		reader = false
	}
	w.pipe()
	if w.oneIn(5) {
		w.pick(Names)
		w.arguments(w.n(2))
		w.pipe()
	}
	switch {
	case w.oneIn(6) && len(w.docs) == 0:
		w.pick([]string{"while ", "while IFS= "})
		w.pick([]string{"read -r v", "read v"})
		w.separate()
		w.add("do ")
		w.pick([]string{"probe \"$v\"", "echo \"<$v>\"", "echo $v"})
		w.separate()
		w.add("done")
	case w.oneIn(6) && !reader:
		w.pick([]string{"{ read v; probe \"$v\"; }", "(read -r v; echo \"$v!\")"})
	default:
		w.pick(Names)
		w.arguments(w.n(3))
	}
	w.noDoc = base
	w.pure--
}

func (w *builder) pipe() {
	if w.oneIn(16) && len(w.docs) == 0 {
		w.add(" |\n")
		return
	}
	w.pick([]string{" | ", " | ", "|"})
}

func (w *builder) andOr() {
	w.statement()
	for range 1 + w.n(2) {
		if w.mustLine || len(w.docs) > 0 && w.docBase > 0 {
			w.separate()
		} else if w.oneIn(16) && len(w.docs) == 0 {
			w.pick([]string{" &&\n", " ||\n"})
		} else {
			w.pick([]string{" && ", " || ", "&&"})
		}
		if len(w.docs) > 0 {
			w.flatLine()
			continue
		}
		w.statement()
	}
}

// flatLine appends a command that fits on a line with a here-document.
func (w *builder) flatLine() {
	w.add("probe ")
	w.quotedWord()
}

// document appends a command with a here-document and, now and then, the rest of its line.
func (w *builder) document() {
	switch w.n(6) {
	case 0:
		w.hereDocument()
		w.put(' ')
		w.pick(Names)
	case 1:
		w.add("{ probe")
		w.hereDocument()
		w.separate()
		w.statement()
		w.separate()
		w.put('}')
	default:
		w.pick([]string{"cat", "probe", "probe", "python3", "node"})
		if w.oneIn(4) {
			w.space()
			w.choose(&w.rules.plain)
		}
		w.hereDocument()
	}
	if len(w.docs) == 0 {
		return
	}
	switch w.n(10) {
	case 0:
		w.pick([]string{" && ", " || ", "; "})
		w.flatLine()
	case 1:
		w.add(" | ")
		w.pick(Names)
	case 2:
		if w.pure == 0 {
			w.add(" > f")
		}
	}
}

func (w *builder) group() {
	w.put('{')
	w.gap()
	w.list()
	w.put('}')
	if w.oneIn(5) {
		w.groupRedirection()
	}
}

func (w *builder) subshell() {
	if n := len(w.b); n > w.start && w.b[n-1] == '(' && !w.oneIn(4) {
		w.put(' ') // "((" would be read as arithmetic first
	}
	w.put('(')
	w.statement()
	for !w.leaf() && w.oneIn(3) {
		w.separate()
		w.statement()
	}
	w.endLine()
	w.put(')')
	if w.oneIn(6) {
		w.groupRedirection()
	}
}

// branches appends an if with up to three branches.
func (w *builder) branches() {
	w.add("if ")
	w.guarded()
	w.add("then")
	w.gap()
	w.list()
	if w.oneIn(6) {
		w.add("elif ")
		w.guarded()
		w.add("then")
		w.gap()
		w.list()
	}
	if w.oneIn(3) {
		w.add("else")
		w.gap()
		w.list()
	}
	w.add("fi")
}

// guarded appends the condition of an if.
func (w *builder) guarded() {
	if w.oneIn(3) {
		w.add("! ")
	}
	switch w.n(4) {
	case 0:
		w.pick([]string{"false", "true", "probe"})
	case 1:
		w.choose(&w.rules.flat)
	default:
		w.test()
	}
	w.separate()
}
