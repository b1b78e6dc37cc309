package gen

// background appends commands that run while the shell goes on, and the wait that ends that.
func (w *builder) background() {
	if w.pure > 0 {
		w.simple()
		return
	}
	depth := w.depth
	w.pure, w.depth = w.pure+1, maxDepth
	if w.oneIn(4) {
		w.add("! ")
	}
	w.pick(Names)
	w.arguments(w.n(3))
	if w.oneIn(3) {
		w.add(" & ")
		w.pick(Names)
		w.arguments(1)
	}
	w.pure, w.depth = w.pure-1, depth
	w.add(" & wait")
}

// fileRound appends commands that write a file and look at it.
func (w *builder) fileRound() {
	if w.pure > 0 {
		w.simple()
		return
	}
	f := files[w.n(len(files))]
	switch w.n(8) {
	case 0:
		w.add("exec 3> ")
		w.add(f)
		w.separate()
		w.echo()
		w.add(" >&3")
		w.separate()
		w.add("exec 3>&-")
	case 1:
		w.pick([]string{"exec > out", "exec 2>/dev/null", "exec </dev/null", "exec 4>&1", "exec >&-"})
		w.separate()
		w.simple()
		return
	case 2:
		w.add("echo ")
		w.from(func() { w.add("probe "); w.quotedWord() })
		w.add(" > s")
		w.separate()
		w.pick([]string{". ./s", "source ./s", "eval \"$(<s)\""})
		return
	case 3:
		w.pick([]string{"> f", ": > x.x", "> 'x!y'", ":>f", "> g > f"})
		w.separate()
		w.add("probe ")
		w.glob()
		return
	default:
		w.printing()
		w.pick([]string{" > ", " >> ", " >| ", " >"})
		w.add(f)
	}
	w.separate()
	switch w.n(5) {
	case 0:
		w.add("probe \"$(< ")
		w.add(f)
		w.add(")\"")
	case 1:
		w.add("probe < ")
		w.add(f)
	case 2:
		w.add("read v < ")
		w.add(f)
		w.separate()
		w.add("probe \"$v\"")
	case 3:
		w.add("probe ")
		w.glob()
	default:
		w.add("cat < ")
		w.add(f)
	}
}

// from appends what emit appends as one single-quoted word.
func (w *builder) from(emit func()) {
	at := len(w.b)
	emit()
	w.quoteFrom(at)
}

// changeDirectory appends a change of the working directory, in a subshell unless it changes nothing.
func (w *builder) changeDirectory() {
	switch w.n(5) {
	case 0:
		w.pick([]string{"cd .", "cd ./", "cd \"$PWD\"", "cd ''"})
		w.pick([]string{" && ", "; "})
		w.choose(&w.rules.flat)
	case 1:
		w.add("(cd ~ && ")
		w.add("probe ")
		w.quotedWord()
		w.put(')')
	case 2:
		w.add("cd -")
	default:
		w.add("(cd /")
		w.pick([]string{"; ", " && "})
		w.add("pwd)")
	}
}

// commentLine appends a comment and the statement after it.
func (w *builder) commentLine() {
	if w.docBase > 0 || w.mustLine || len(w.docs) > 0 {
		w.simple()
		return
	}
	w.put('#')
	w.commentText()
	w.newline()
	w.statement()
}

// processOutput appends a command that writes into a reader that neither prints nor runs anything.
func (w *builder) processOutput() {
	w.add("probe ")
	w.quotedWord()
	w.add(" > >(read v)")
}
