package gen

// simple appends a simple command: a program or builtin, words, and now and then redirections or a comment.
func (w *builder) simple() {
	if w.oneIn(24) {
		w.scalar()
		w.put('=')
		w.quotedWord()
		w.space()
	}
	plain := false // its words cannot fail and it prints no diagnostics
	switch w.n(40) {
	case 0, 1, 2, 3, 4, 5, 6:
		w.echo()
		plain = true
	case 7, 8, 9, 10:
		w.format()
	case 11, 12, 13, 14, 15:
		w.pick(Names)
		w.arguments(1 + w.n(3))
	case 16:
		w.script()
	case 17:
		w.pick([]string{"true", "false", ":", "builtin", "command", "shift"})
	case 18:
		w.pick([]string{"command ", "builtin ", "\\", "time "})
		w.echo()
	default:
		w.add("probe")
		w.arguments(w.n(4))
		plain = true
	}
	if w.oneIn(10) {
		w.put(' ')
		w.redirection()
	}
	if plain && w.oneIn(40) {
		w.pick([]string{" 2>&1", " 2>&1 >/dev/null", " >f 2>&1", " &>/dev/null"}[w.pureChoice():])
	}
	if w.oneIn(30) && w.docBase == 0 {
		w.comment()
	}
}

// pureChoice is where the redirections begin that touch no file.
func (w *builder) pureChoice() int {
	if w.pure > 0 {
		return 3
	}
	return 0
}

// arguments appends k words, each with the blank before it.
func (w *builder) arguments(k int) {
	for range k {
		w.space()
		w.word()
	}
}

// space appends what separates two words: mostly one blank.
func (w *builder) space() {
	if !w.oneIn(32) {
		w.put(' ')
		return
	}
	switch w.n(3) {
	case 0:
		w.put(' ')
		w.softBreak()
	case 1:
		w.put('\t')
	default:
		w.add("  ")
	}
}

// quotedWord appends a word that stays one word whatever it holds.
func (w *builder) quotedWord() { w.choose(&w.rules.quoted) }

// comment appends a comment; only a line break ends it.
func (w *builder) comment() {
	w.add(" #")
	w.commentText()
}

func (w *builder) commentText() {
	for range w.n(4) {
		w.put(' ')
		if w.oneIn(3) {
			w.pick([]string{"it's", "!", "don't!", "\"x", "`", "$(", "\\"})
			continue
		}
		w.pick(names)
	}
	w.mustLine = true
}

// echo appends an echo of a few words.
func (w *builder) echo() {
	w.add("echo")
	w.arguments(w.n(4))
}

var formats = []string{"%s", "%s\\n", "<%s>", "%q", "%b", "%5s|", "%-3s", "%x", "%c", "%s!", "!%s\\n", "%%", "\\041%s", "%s\\t%s\\n", "%.2s"}

// format appends a printf. Formats come from a list: %(...)T would print the time.
func (w *builder) format() {
	w.add("printf ")
	if w.oneIn(16) {
		w.add("-v v ")
	}
	quote := "'\""[w.n(2)]
	w.put(quote)
	w.pick(formats)
	w.put(quote)
	w.arguments(1 + w.n(2))
}

// printing appends a builtin that prints words which run nothing and touch nothing.
func (w *builder) printing() {
	depth := w.depth
	w.depth = maxDepth
	if w.oneIn(2) {
		w.echo()
	} else {
		w.format()
	}
	w.depth = depth
}

// script appends a program with program text as its argument.
func (w *builder) script() {
	w.pick([]string{"node", "python3", "awk", "sed", "jq", "rg", "git"})
	w.pick([]string{" -e ", " -c ", " -p ", " ", " -n "})
	w.put('\'')
	w.code(1 + w.n(5))
	w.put('\'')
	if w.oneIn(3) {
		w.space()
		w.word()
	}
}

// assign appends assignments of all forms and, mostly, a command that shows them.
func (w *builder) assign() {
	switch w.n(14) {
	case 0, 1:
		w.array()
		w.separate()
		w.add("probe \"${a[")
		w.pickByte("@*01")
		w.add("]}\"")
		return
	case 2:
		w.add("a[")
		w.pickByte("0123")
		w.add("]=")
	case 3:
		w.scalar()
		w.add("+=")
	case 4:
		w.pick([]string{"declare ", "export ", "declare -x ", "typeset ", "declare -i ", "readonly ", "declare -r "})
		w.scalar()
		w.put('=')
	case 5:
		w.add("p=")
		w.scalar()
		w.separate()
		w.add("probe \"${!p}\"")
		return
	case 6:
		w.add("declare -A h; h[")
		w.pick([]string{"a", "'!'", "\"x!\"", "a!b"})
		w.add("]=")
		w.quotedWord()
		w.separate()
		w.add("probe \"${h[@]}\" \"${!h[@]}\"")
		return
	case 7:
		w.add("v=~")
		w.pick([]string{"", "/x", ":~"})
		w.separate()
		w.add("probe $v")
		return
	default:
		w.scalar()
		w.put('=')
	}
	if !w.oneIn(8) {
		w.word()
	}
	if w.oneIn(4) {
		return
	}
	w.separate()
	w.add("probe ")
	w.variable()
	w.add(" \"")
	w.variable()
	w.put('"')
}

func (w *builder) array() {
	w.pick([]string{"a=(", "a+=(", "declare -a a=(", "a=( "})
	for i := range w.n(4) {
		if i > 0 {
			w.space()
		}
		if w.oneIn(8) {
			w.put('[')
			w.pickByte("0123")
			w.add("]=")
		}
		w.word()
	}
	w.put(')')
}

// options appends a command that changes how the shell reads or expands what follows.
func (w *builder) options() {
	switch w.n(12) {
	case 0, 1:
		if w.docBase > 0 {
			w.add("set ")
			w.add("-f")
			return
		}
		w.add("shopt ")
		w.add("-s ")
		w.add("extglob")
		w.extglob, w.mustLine = true, true
	case 2:
		w.add("set ")
		w.pick([]string{"-e", "-u", "-f", "+B", "-C", "+e", "-eu"})
	case 3:
		w.add("shopt ")
		w.add("-s ")
		w.pick([]string{"nullglob", "dotglob", "nocasematch", "failglob", "xpg_echo"})
	case 4, 5:
		w.add("set --")
		w.arguments(w.n(4))
		w.separate()
		w.add("probe ")
		w.pick([]string{"\"$@\"", "$*", "\"$*\"", "$#", "\"$1\"", "\"${@:2}\"", "$@"})
	case 6:
		w.add("shift")
	case 7, 8:
		w.add("IFS=")
		w.pick([]string{"!", "','", ":", "", "$'\\n'", "' !'", "x"})
		w.separate()
		w.add("probe ")
		w.pick([]string{"$v", "$*", "\"$*\"", "\"${a[*]}\"", "$x"})
	case 9:
		w.add("unset ")
		w.pick([]string{"v", "x", "a", "-v w", "IFS"})
	default:
		w.add("(set -")
		w.pickByte("eufC")
		w.separate()
		w.statement()
		w.endLine()
		w.put(')')
	}
}

// reading appends a read with something to read from.
func (w *builder) reading() {
	w.pick([]string{"read ", "read -r ", "IFS= read -r ", "read -ra ", "IFS=! read ", "read -d ! ", "read -n 3 "})
	if w.b[len(w.b)-2] == 'a' {
		w.put('a')
	} else {
		w.pick([]string{"v", "v x", "x"})
	}
	switch {
	case w.oneIn(3):
		w.hereDocument()
	case w.oneIn(6) && w.pure == 0:
		w.add(" < ")
		w.file()
	case w.oneIn(6):
		w.add(" < <(")
		w.printing()
		w.put(')')
	default:
		w.hereString()
	}
	w.separate()
	w.add("probe \"$v\" ")
	w.variable()
}

// evaluate appends a command that takes shell text as an argument.
func (w *builder) evaluate() {
	switch w.n(8) {
	case 0, 1:
		w.add("trap ")
		w.quotedFlat()
		w.pick([]string{" EXIT", " EXIT", " 0", " ERR"})
	case 2:
		w.scalar()
		w.put('=')
		w.quotedFlat()
		w.separate()
		w.add("eval ")
		w.pick([]string{"\"$v\"", "$v", "\"$x\"", "\"$w\"", "-- \"$y\""})
	case 3:
		w.scalar()
		w.add("='$(")
		w.pick(Names)
		w.add(")'")
		w.separate()
		w.add("probe ")
		w.add("\"${")
		w.scalar()
		w.pick([]string{"@Q", "@E", "@A"})
		w.add("}\"")
	case 4:
		w.add("eval")
		w.arguments(1 + w.n(2))
	default:
		w.add("eval ")
		w.quotedStatement()
	}
}

func (w *builder) quotedStatement() {
	from := len(w.b)
	w.noDoc++
	w.nested()
	w.noDoc--
	w.quoteFrom(from)
}

// quotedFlat is quotedStatement for text that runs later, maybe in the middle of a loop: it must not hold one.
func (w *builder) quotedFlat() {
	depth := w.depth
	w.depth = maxDepth
	w.quotedStatement()
	w.depth = depth
}

// ending appends a command that leaves the shell, or replaces it.
func (w *builder) ending() {
	switch w.n(6) {
	case 0:
		w.add("exec probe")
		w.arguments(1 + w.n(2))
	case 1:
		w.add("(exec probe ")
		w.word()
		w.put(')')
	case 2:
		w.add("(exit ")
		w.pickByte(digits)
		w.put(')')
	case 3:
		if w.inFunc > 0 {
			w.add("return ")
			w.pickByte(digits)
			return
		}
		fallthrough
	default:
		w.add("exit ")
		w.pick([]string{"0", "1", "7", "255", "$?"})
	}
}
