package gen

// inquiry appends a short condition.
func (w *builder) inquiry() {
	switch w.n(8) {
	case 0:
		w.test()
	case 1:
		w.add("[ ")
		w.word()
		w.add(" ]")
	case 2, 3:
		w.add("[[ ")
		w.pick([]string{"-n ", "-z ", "! -f ", "", "x == "})
		w.word()
		w.add(" ]]")
	case 4:
		w.add("((")
		w.choose(&w.rules.arith)
		w.add("))")
	default:
		w.pick([]string{"true", "false", ":", "test"})
	}
}

// head appends what an if or a loop asks: a condition or a call.
func (w *builder) head() {
	if w.oneIn(6) {
		w.add("! ")
	}
	if w.oneIn(2) {
		w.inquiry()
	} else {
		w.choose(&w.rules.flat)
	}
	w.separate()
}

// choice appends an if.
func (w *builder) choice() {
	w.add("if ")
	w.head()
	w.add("then")
	w.gap()
	w.list()
	if w.oneIn(8) {
		w.add("elif ")
		w.head()
		w.add("then")
		w.gap()
		w.list()
	}
	if w.oneIn(4) {
		w.add("else")
		w.gap()
		w.list()
	}
	w.add("fi")
}

// each appends a loop over words.
func (w *builder) each() {
	w.add("for ")
	w.pick([]string{"f", "x"})
	if !w.oneIn(10) {
		w.add(" in")
		for range w.n(3) {
			w.put(' ')
			w.choose(&w.rules.plain)
		}
	}
	w.separate()
	w.add("do")
	w.gap()
	w.list()
	w.add("done")
	if w.oneIn(10) {
		w.put(' ')
		w.guardRedirection()
	}
}

// once appends a loop that is left at the end of its first round at the latest.
func (w *builder) once() {
	w.pick([]string{"while ", "while ", "until "})
	w.head()
	w.add("do")
	w.gap()
	w.list()
	w.add("break")
	w.separate()
	w.add("done")
	if w.oneIn(10) {
		w.put(' ')
		w.guardRedirection()
	}
}

// match appends a case.
func (w *builder) match() {
	w.add("case ")
	w.choose(&w.rules.plain)
	w.add(" in")
	w.gap()
	for range 1 + w.n(6)/5 {
		if w.oneIn(5) {
			w.put('(')
		}
		switch w.n(4) {
		case 0:
			w.put('*')
		case 1:
			w.casePattern()
		default:
			w.pick(operands[:7])
		}
		w.pick([]string{") ", ")"})
		w.statement()
		w.endLine()
		w.pick([]string{";; ", " ;; ", ";;", " ;& "})
	}
	if w.b[len(w.b)-1] == ';' {
		w.put(' ')
	}
	w.add("esac")
}

// openFunction appends the beginning of a definition.
func (w *builder) openFunction(name string) {
	if w.oneIn(4) {
		w.add("function ")
		w.add(name)
		w.pick([]string{"", "()"})
		w.add(" {")
		return
	}
	w.add(name)
	w.pick([]string{"() {", "(){", " () {"})
}

// defined appends a function and, mostly, a call of it. Nothing else calls a function of its name, which tells how deep
// it is defined, so that none can reach itself.
func (w *builder) defined() {
	name := "f" + digits[w.inFunc:w.inFunc+1]
	w.inFunc++
	w.openFunction(name)
	w.gap()
	if w.oneIn(6) {
		w.pick([]string{`"$@"`, "$1", `command "$@"`, "return", "local x=$1"})
		w.separate()
	}
	w.list()
	w.put('}')
	w.inFunc--
	if w.oneIn(3) {
		return
	}
	w.separate()
	w.add(name)
	if w.oneIn(3) {
		w.put(' ')
		w.bareCall()
		return
	}
	w.guardArguments(w.n(2))
}

// shadow appends a function with the name of a program and, mostly, a call of that. The body calls no name that a
// function can have, so that no such functions can go around.
func (w *builder) shadow() {
	name := waiting[w.n(len(waiting))]
	switch w.n(6) {
	case 0:
		name = []string{"sudo", "env", "nohup", "timeout", "setsid"}[w.n(5)]
	case 1:
		name = subjects[w.n(len(subjects))].name
	}
	w.openFunction(name)
	w.put(' ')
	switch w.n(6) {
	case 0, 1:
		w.put(':')
	case 2:
		w.add("command ")
		w.pick(waiting)
		w.pick([]string{"", ` "$@"`, " x"})
	case 3:
		w.add(`"$@"`)
	default:
		w.pick([]string{"echo", "cat", "true", "printf", "return"})
		w.pick([]string{"", "", ` "$@"`, " 1"})
	}
	w.add("; }")
	if w.oneIn(4) {
		return
	}
	w.separate()
	if w.oneIn(6) {
		w.choose(&wrappers)
		w.space()
	}
	w.add(name)
	w.guardArguments(w.n(3))
}

// named appends a call of a program that a variable names.
func (w *builder) named() {
	name := settable[w.n(len(settable))]
	if w.oneIn(5) {
		w.add("export ")
	}
	w.add(name)
	w.put('=')
	switch w.n(5) {
	case 0:
		w.styled(waiting[w.n(len(waiting))])
	case 1:
		w.alike()
	default:
		w.pick(waiting)
	}
	if w.oneIn(8) {
		w.put(' ')
	} else {
		w.separate()
	}
	if w.oneIn(6) {
		w.choose(&wrappers)
		w.space()
	}
	quote := w.oneIn(2)
	if quote {
		w.put('"')
	}
	w.put('$')
	w.add(name)
	if quote {
		w.put('"')
	}
	w.guardArguments(w.n(2))
}

// leaving appends a command that may leave the shell, and one behind it.
func (w *builder) leaving() {
	w.pick([]string{"exit", "exit 0", "exit 1", "return", "break", "exec"})
	switch w.n(4) {
	case 0:
		w.pick([]string{" && ", " || ", " | ", " & "})
	default:
		w.separate()
	}
	w.statement()
}

// guardDocument appends a call with a here-document and, now and then, the rest of its line.
func (w *builder) guardDocument() {
	switch w.n(8) {
	case 0:
		w.pick(shells)
	case 1, 2, 3:
		w.pick(calm)
	default:
		w.bareCall()
	}
	w.hereDocument()
	if len(w.docs) == 0 {
		return
	}
	switch w.n(10) {
	case 0:
		w.spaced("|")
		w.bareCall()
	case 1:
		w.pick([]string{" && ", "; ", " || "})
		w.bareCall()
	case 2:
		w.add(" >f")
	}
}

// guardLineTable holds the lines of here-documents: such that look like calls, and others.
func guardLineTable() table {
	return newTable(
		rule{10, "h-call", (*builder).bareCall},
		rule{5, "h-joined", func(w *builder) {
			w.operandName()
			w.pick([]string{"; ", " | ", "|", " && ", ";", " & "})
			w.bareCall()
		}},
		rule{4, "h-words", (*builder).phraseFor},
		rule{2, "h-code", func(w *builder) { w.code(1 + w.n(3)) }},
		rule{1, "h-quote", func(w *builder) { w.operandName(); w.pick([]string{"'", "\"", "it's", "`", "\\", ")"}) }},
		rule{1, "h-blank", func(*builder) {}},
	)
}

// remarkLine appends a comment and the statement on the next line.
func (w *builder) remarkLine() {
	if w.docBase > 0 || w.mustLine || len(w.docs) > 0 {
		w.guardCall()
		return
	}
	w.put('#')
	w.pick([]string{"", " ", "; ", "!"})
	w.phraseFor()
	w.newline()
	w.statement()
}
