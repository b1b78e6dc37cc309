package gen

// vars are the variables that commands set and read. Loop counters and the variable that points at another one have
// names of their own, so that no statement can keep a loop from ending or make ${!p} read anything but one of these.
var vars = []string{"v", "w", "x", "y"}

// counters are the loop variables, one for each level of nesting.
var counters = []string{"i", "j", "k", "l", "m", "n"}

// scalar appends the name of a variable.
func (w *builder) scalar() { w.pick(vars) }

// variable appends a short parameter expansion.
func (w *builder) variable() {
	switch w.n(12) {
	case 0:
		w.pick([]string{"$1", "$@", "$*", "$#", "$?", "${1}", "${@}"})
	case 1:
		w.add("${a[")
		w.pick([]string{"0", "@", "*", "1", "x"})
		w.add("]}")
	case 2:
		w.add("${")
		w.scalar()
		w.put('}')
	case 3:
		w.pick([]string{"$HOME", "$IFS", "${HOME}", "$a", "$9", "$i"})
	default:
		w.put('$')
		w.scalar()
	}
}

// parameter appends a parameter expansion of any form, outside quotes or inside double quotes of its own.
func (w *builder) parameter() {
	if w.oneIn(2) {
		w.put('"')
		w.parameterInDouble()
		w.put('"')
		return
	}
	w.expansion(false)
}

// parameterInDouble appends a parameter expansion that stands inside double quotes.
func (w *builder) parameterInDouble() { w.expansion(true) }

func (w *builder) expansion(inDouble bool) {
	switch w.n(18) {
	case 0:
		w.add("${#")
		w.pick([]string{"v", "x", "a[@]", "a", "1", "@", "*"})
	case 1:
		w.add("${!")
		w.pick([]string{"p", "p", "v*", "x@", "a[@]"})
	case 2:
		w.add("${!p")
		w.defaultOp()
		w.operand(inDouble)
	case 3, 4:
		w.add("${")
		w.scalar()
		w.pick([]string{"#", "##", "%", "%%"})
		w.pattern(inDouble)
	case 5, 6:
		w.add("${")
		w.scalar()
		w.pick([]string{"/", "//", "/#", "/%"})
		w.pattern(inDouble)
		if !w.oneIn(4) {
			w.put('/')
			w.operand(inDouble)
		}
	case 7:
		w.add("${")
		w.scalar()
		w.pick([]string{"^", "^^", ",", ",,"})
		if w.oneIn(3) {
			w.pattern(inDouble)
		}
	case 8, 9:
		w.add("${")
		w.pick([]string{"v", "x", "a[@]", "@", "1"})
		w.pick([]string{":0", ":1", ": -1", ":1:2", ":x", ":$#", ":(-2)"})
	case 10:
		w.add("${")
		w.pick([]string{"v", "x", "a[@]", "@"})
		w.pick([]string{"@Q", "@E", "@U", "@L", "@A", "@K", "@u"})
	default:
		w.add("${")
		w.pick([]string{"v", "w", "x", "y", "a[0]", "1", "u", "@"})
		w.defaultOp()
		w.operand(inDouble)
	}
	w.put('}')
}

func (w *builder) defaultOp() {
	w.pick([]string{":-", ":-", "-", ":+", "+", ":=", "=", ":-"})
}

// operand appends the word inside ${v:-word}.
func (w *builder) operand(inDouble bool) {
	for range 1 + w.n(2) {
		switch w.n(9) {
		case 0:
			w.put('!')
		case 1:
			w.variable()
		case 2:
			w.add("\\}")
		case 3:
			if inDouble {
				w.pickByte("*#:/ ,=@")
			} else {
				w.single()
			}
		case 4:
			w.put('~')
			if w.oneIn(2) {
				w.add("/x")
			}
		case 5:
			if !w.leaf() {
				w.depth++
				w.substitution()
				w.depth--
			}
		case 6:
			w.put('"')
			w.prose(w.n(3))
			w.put('"')
		default:
			w.letter()
			w.letter()
		}
	}
}

// pattern appends a glob pattern as it stands after ${v# or in ${v/pattern/}.
func (w *builder) pattern(inDouble bool) {
	for range 1 + w.n(2) {
		switch w.n(8) {
		case 0:
			w.put('*')
		case 1:
			w.put('?')
		case 2:
			w.pick([]string{"[!a]", "[!a-c]", "[^x]", "[ab]", "[a-z]", "[!!]", "[[:digit:]]", "[]!]"})
		case 3:
			w.put('!')
		case 4:
			w.put('\\')
			w.pickByte("!*~#/a?")
		case 5:
			if inDouble {
				w.letter()
			} else {
				w.single()
			}
		default:
			w.letter()
		}
	}
}

// glob appends a pattern that names files of the working directory, or none.
func (w *builder) glob() {
	switch w.n(7) {
	case 0:
		w.letter()
		w.add("[!")
		w.letter()
		w.pick([]string{"]", "-z]*", "]?"})
	case 1:
		w.put('[')
		w.letter()
		w.put('-')
		w.pickByte("xyz")
		w.add("]*")
	case 2, 3:
		if w.extglob || w.oneIn(6) {
			w.extended()
			return
		}
		w.add("[^a]*")
	case 4:
		w.put('*')
		w.pickByte("!.-x")
	default:
		w.pick([]string{"*", "?", "[fg]", "*.x", "./*", "/*/none", "f*", "x?y", "[!f]*", "[]a]", "[a"})
	}
}

// extended appends an extended glob: ?(a), *(a|b), +(a), @(a), !(a).
func (w *builder) extended() {
	w.pickByte("!!?*+@")
	w.put('(')
	w.letter()
	if w.oneIn(2) {
		w.put('|')
		w.pick([]string{"*.x", "b", "[!a]", "", "foo"})
	}
	w.put(')')
	if w.oneIn(3) {
		w.pickByte("*x!")
	}
}

// braces appends a brace expansion of a few words.
func (w *builder) braces() {
	if w.oneIn(4) {
		w.letter()
	}
	switch w.n(6) {
	case 0:
		w.add("{1..")
		w.pickByte("2345")
		w.put('}')
	case 1:
		w.add("{a..")
		w.pickByte("bcd")
		w.put('}')
	case 2:
		w.put('{')
		w.letter()
		w.add(",{")
		w.letter()
		w.add(",!}}")
	default:
		w.put('{')
		for i := range 2 + w.n(2) {
			if i > 0 {
				w.put(',')
			}
			switch w.n(5) {
			case 0:
			case 1:
				w.put('!')
			case 2:
				w.single()
			default:
				w.letter()
			}
		}
		w.put('}')
	}
	if w.oneIn(4) {
		w.letter()
	}
}

// substitution appends $(...).
func (w *builder) substitution() {
	w.add("$(")
	if w.oneIn(24) {
		w.add("< ")
		w.file()
		w.put(')')
		return
	}
	w.nested()
	w.put(')')
}

// nested appends the statements of a substitution and ends its last line where something waits for that.
func (w *builder) nested() {
	base, line := w.docBase, w.mustLine
	w.docBase, w.mustLine = len(w.docs), false
	if len(w.docs) > 0 {
		w.noDoc++
	}
	w.depth++
	if len(w.b) > 0 && w.b[len(w.b)-1] == '(' && w.oneIn(8) {
		w.put(' ')
	}
	w.statement()
	if !w.leaf() && w.oneIn(8) {
		w.separate()
		w.statement()
	}
	w.endLine()
	w.depth--
	if w.docBase > 0 {
		w.noDoc--
	}
	w.docBase, w.mustLine = base, line
}

// backquotes appends `...`, with what is inside escaped once more.
func (w *builder) backquotes() {
	w.put('`')
	from := len(w.b)
	w.noDoc++
	w.nested()
	w.noDoc--
	w.scratch = append(w.scratch[:0], w.b[from:]...)
	w.b = w.b[:from]
	for i, c := range w.scratch {
		// A backslash counts twice only before the bytes that it protects in backquotes.
		if c == '`' || c == '\\' && (i+1 == len(w.scratch) || w.scratch[i+1] == '\\' || w.scratch[i+1] == '$' || w.scratch[i+1] == '`') {
			w.put('\\')
		}
		w.put(c)
	}
	w.put('`')
}

// processInput appends <(...). Its writer runs at the same time as everything else, so it is one builtin that looks at
// nothing.
func (w *builder) processInput() {
	w.add("<(echo ")
	w.quotedWord()
	w.put(')')
}
