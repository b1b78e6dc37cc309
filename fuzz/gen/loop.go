package gen

// counter names the loop variable of this depth. No rule outside this file sets one.
func (w *builder) counter() string { return counters[min(w.depth, len(counters)-1)] }

func (w *builder) forWords() {
	w.add("for ")
	w.add([]string{w.counter(), "v", "x"}[w.n(3)])
	if !w.oneIn(10) {
		w.add(" in")
		w.arguments(1 + w.n(3))
	}
	w.separate()
	w.add("do")
	w.gap()
	w.list()
	if w.oneIn(8) {
		w.test()
		w.pick([]string{" && ", " || "})
		w.pick([]string{"continue", "break"})
		w.separate()
	}
	w.add("done")
	if w.oneIn(8) {
		w.groupRedirection()
	}
}

func (w *builder) forArith() {
	v := w.counter()
	w.add("for ((")
	w.add(v)
	w.add("=0; ")
	w.add(v)
	w.pick([]string{"<2", "!=2", " < 3"})
	w.add("; ")
	w.add(v)
	w.add("++))")
	w.separate()
	w.add("do")
	w.gap()
	w.list()
	w.add("done")
}

// while appends a loop that ends whether or not its condition means what it says: one that counts ends with its
// counter, and one with a negation leaves after the first round.
func (w *builder) while() {
	v := w.counter()
	if w.oneIn(2) {
		w.pick([]string{"while ", "until "})
		if w.oneIn(2) {
			w.add("! ")
		}
		switch w.n(3) {
		case 0:
			w.pick([]string{"true", "false", "probe", ":"})
		case 1:
			w.negated()
		default:
			w.test()
		}
		w.separate()
		w.add("do")
		w.gap()
		w.list()
		w.add("break; done")
		return
	}
	w.add(v)
	w.add("=0")
	w.separate()
	if w.oneIn(2) {
		w.add("while [ \"$")
		w.add(v)
		w.add("\" -lt ")
	} else {
		w.add("until [ \"$")
		w.add(v)
		w.add("\" -ge ")
	}
	w.pickByte("123")
	w.add(" ]")
	w.separate()
	w.add("do")
	w.gap()
	w.list()
	w.add(v)
	w.add("=$((")
	w.add(v)
	w.add("+1))")
	w.separate()
	w.add("done")
}

// readLoop appends a loop over the lines of a text. Its body stays away from files: it might feed the one it reads.
func (w *builder) readLoop() {
	w.pure++
	w.pick([]string{"while read v", "while read -r x", "while IFS= read -r v", "while IFS=! read v x"})
	w.separate()
	w.add("do")
	w.gap()
	w.list()
	w.add("done")
	w.pure--
	switch {
	case w.oneIn(2):
		w.hereDocument()
	case w.oneIn(3) && w.pure == 0:
		w.add(" < ")
		w.file()
	default:
		w.hereString()
	}
}

func (w *builder) caseOf() {
	w.add("case ")
	if w.oneIn(2) {
		w.quotedWord()
	} else {
		w.word()
	}
	w.add(" in")
	w.gap()
	for i := range 1 + w.n(3) {
		if i > 0 && len(w.docs) == 0 && w.oneIn(3) {
			w.put('\n')
		}
		if w.oneIn(4) {
			w.put('(')
		}
		w.casePattern()
		if w.oneIn(4) {
			w.put('|')
			w.casePattern()
		}
		w.add(") ")
		if w.oneIn(10) {
			w.add(";; ")
			continue
		}
		w.statement()
		w.endLine()
		switch {
		case w.docBase == 0 && w.oneIn(4):
			w.add(";;\n")
		case w.oneIn(12):
			w.add(" ;& ")
		default:
			w.pick([]string{";; ", " ;; ", ";;"})
		}
	}
	w.add("esac")
}

func (w *builder) casePattern() {
	switch w.n(8) {
	case 0:
		w.put('*')
	case 1:
		w.single()
	case 2:
		w.pick([]string{"[!a]*", "[!a-z]", "*!*", "\\!", "!", "!*", "\"!\"*"})
	case 3:
		w.doubleFlat()
	case 4:
		w.put('$')
		w.scalar()
	case 5:
		if w.extglob {
			w.extended()
			return
		}
		fallthrough
	default:
		w.pattern(false)
	}
}

// function appends the definition of a function and a call. The name tells how deep it is defined, and nothing else
// calls it, so that none can reach itself.
func (w *builder) function() {
	name := "f" + digits[w.inFunc:w.inFunc+1]
	w.inFunc++
	switch w.n(4) {
	case 0:
		w.add("function ")
		w.add(name)
		w.add(" { ")
	case 1:
		w.add(name)
		w.add(" () {")
		w.gap()
	default:
		w.add(name)
		w.add("() { ")
	}
	if w.oneIn(3) {
		w.add("local ")
		w.scalar()
		w.put('=')
		w.quotedWord()
		w.separate()
	}
	if w.oneIn(3) {
		w.add("probe \"$@\"")
		w.separate()
	}
	w.list()
	w.put('}')
	w.inFunc--
	w.separate()
	w.add(name)
	w.arguments(w.n(3))
}
