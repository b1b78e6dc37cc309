package gen

// test appends a condition: [ ], test, [[ ]], (( )) or let.
func (w *builder) test() { w.choose(&w.rules.tests) }

func testTable() table {
	return newTable(
		rule{8, "t-bracket", (*builder).bracket},
		rule{3, "t-test", func(w *builder) { w.add("test "); w.condition() }},
		rule{12, "t-double", (*builder).doubleBracket},
		rule{6, "t-arith", func(w *builder) { w.add("(("); w.choose(&w.rules.arith); w.add("))") }},
		rule{2, "t-let", (*builder).let},
	)
}

func (w *builder) bracket() {
	w.add("[ ")
	w.condition()
	if w.oneIn(8) {
		w.pick([]string{" -a ", " -o "})
		w.condition()
	}
	w.add(" ]")
}

// condition appends the inside of [ ].
func (w *builder) condition() {
	if w.oneIn(5) {
		w.add("! ")
	}
	switch w.n(8) {
	case 0:
		w.pick([]string{"-e ", "-f ", "-s ", "-d ", "-r "})
		w.pick([]string{"f", "/", "/x", "g", "'a b'", "."})
	case 1:
		w.pick([]string{"-n ", "-z "})
		w.quotedWord()
	case 2:
		w.quotedWord()
		w.pick([]string{" -eq ", " -ne ", " -lt ", " -ge "})
		w.pickByte(digits)
	case 3:
		w.word()
		w.pick([]string{" != ", " = ", " == "})
		w.word()
	case 4:
		w.quotedWord()
	default:
		w.quotedWord()
		w.pick([]string{" != ", " = ", " == ", " \\< "})
		w.quotedWord()
	}
}

func (w *builder) doubleBracket() {
	w.add("[[ ")
	w.clause()
	switch w.n(8) {
	case 0:
		w.add(" && ")
		w.clause()
	case 1:
		w.add(" || ")
		w.clause()
	}
	w.add(" ]]")
}

func (w *builder) clause() {
	if w.oneIn(5) {
		w.add("! ")
	}
	switch w.n(9) {
	case 0:
		w.pick([]string{"-e ", "-f ", "-d ", "-s "})
		w.pick([]string{"f", "/", "/x", "g", "'a b'"})
	case 1:
		w.pick([]string{"-n ", "-z "})
		w.side()
	case 2:
		w.side()
		w.add(" =~ ")
		w.pick([]string{"^a", "[^!]", "a+", ".*", "!", "^[a-z!]+$", "\\!", "(a|b)"})
	case 3:
		w.side()
		w.pick([]string{" == ", " != "})
		w.extended()
	case 4:
		w.add("( ")
		w.side()
		w.add(" )")
	case 5:
		w.side()
		w.pick([]string{" -eq ", " -ne ", " < ", " > "})
		w.side()
	default:
		w.side()
		w.pick([]string{" == ", " != ", " = "})
		if w.oneIn(2) {
			w.pattern(false)
		} else {
			w.quotedWord()
		}
	}
}

// side appends an operand of [[ ]].
func (w *builder) side() {
	if w.oneIn(3) && !w.leaf() {
		w.parameter()
		return
	}
	if w.oneIn(3) {
		w.put('$')
		w.scalar()
		return
	}
	w.quotedWord()
}

func (w *builder) let() {
	w.add("let ")
	quote := "'\""[w.n(2)]
	w.put(quote)
	w.choose(&w.rules.arith)
	w.put(quote)
}

// arithmetic appends $((...)) or, now and then, its old form.
func (w *builder) arithmetic() {
	if w.oneIn(12) {
		w.add("$[")
		w.term()
		w.pickByte("+-*")
		w.term()
		w.put(']')
		return
	}
	w.add("$((")
	w.choose(&w.rules.arith)
	w.add("))")
}

func arithTable() table {
	return newTable(
		rule{14, "a-binary", func(w *builder) { w.term(); w.operator(); w.term() }},
		rule{3, "a-not", func(w *builder) { w.put('!'); w.term() }},
		rule{4, "a-unequal", func(w *builder) { w.term(); w.pick([]string{"!=", " != "}); w.term() }},
		rule{4, "a-parens", func(w *builder) {
			w.pick([]string{"(", "!("})
			w.term()
			w.operator()
			w.term()
			w.put(')')
			w.operator()
			w.term()
		}},
		rule{3, "a-assign", func(w *builder) {
			w.scalar()
			w.pick([]string{"=", "+=", "|=", " = "})
			w.term()
		}},
		rule{3, "a-ternary", func(w *builder) { w.term(); w.put('?'); w.term(); w.put(':'); w.term() }},
		rule{2, "a-step", func(w *builder) { w.scalar(); w.pick([]string{"++", "--"}) }},
		rule{2, "a-comma", func(w *builder) { w.term(); w.put(','); w.term() }},
		rule{4, "a-term", (*builder).term},
	)
}

func (w *builder) operator() {
	w.pick([]string{"+", "-", " + ", "*", "/", "%", "<", "<=", ">", "==", " == ", "&", "|", "^", "&&", " && ", "||", "<<", ">>"})
}

func (w *builder) term() {
	switch w.n(20) {
	case 0:
		w.put('$')
		w.scalar()
	case 1:
		w.scalar()
	case 2:
		w.add("! ")
		w.pickByte(digits)
	case 3:
		w.pick([]string{"0x1f", "010", "2#101", "-1", "~ 1", "${#v}", "$#", "$?", "a[0]"})
	case 4:
		w.put('!')
		w.scalar()
	default:
		w.pickByte("1234567890")
	}
}
