package gen

// heredoc is a here-document whose operator has been written and whose body follows at the next line break.
type heredoc struct {
	end    string
	quoted bool // the delimiter was quoted, so the body is plain text
	tabs   bool // <<-
}

// files are the names that commands write and read back. The redirections of compound commands write to another name
// ("out"), so that no loop can feed the file it reads.
var files = []string{"f", "f", "f", "g", "./f", "'a b'", "'x!y'", "x.x", "\u00e9", `"-n"`}

func (w *builder) file() { w.pick(files) }

// redirection appends one redirection of a simple command. Diagnostics never reach a file that is read back or the
// standard output: they name line numbers, which differ from path to path.
func (w *builder) redirection() {
	if w.pure > 0 {
		w.pick([]string{"> /dev/null", "</dev/null", "2>/dev/null", ">&2", "2>&-"})
		return
	}
	switch w.n(12) {
	case 0, 1:
		w.pick([]string{">", "> ", "1>"})
		w.file()
	case 2, 3:
		w.pick([]string{">>", ">> "})
		w.file()
	case 4:
		w.pick([]string{"< ", "<", "0<"})
		w.file()
	case 5:
		w.pick([]string{">|", ">| "})
		w.file()
	case 6:
		w.pick([]string{"<>", "1<> "})
		w.file()
	case 7:
		w.pick([]string{"&> err", "2> err", "2>>err", "&>> err", ">& err"})
	case 8:
		w.pick([]string{"3>&1", "3<&0", "1>&3", "4>f", "<&-", "3<&-", ">&-"})
	default:
		w.pick([]string{"> /dev/null", "</dev/null", "2>/dev/null", ">&2", ">/dev/null 2>&1"})
	}
}

// groupRedirection appends a redirection of a compound command.
func (w *builder) groupRedirection() {
	switch {
	case w.pure > 0 || w.oneIn(2):
		w.pick([]string{" 2>/dev/null", " >/dev/null", " </dev/null", " >&2"})
	case w.oneIn(3):
		w.hereString()
	default:
		w.pick([]string{" > out", " >> out", " >out 2>/dev/null", " >|out"})
	}
}

func (w *builder) hereString() {
	w.pick([]string{" <<< ", " <<<"})
	w.word()
}

// hereDocument appends the operator of a here-document; its body follows with the next line break.
func (w *builder) hereDocument() {
	if w.noDoc > 0 || w.docBase > 0 || len(w.docs) > 1 {
		w.add(" </dev/null")
		return
	}
	d := heredoc{end: []string{"EOF", "E", "END", "PY", "_X", "MY-M", "!", "a!b", "EOF1"}[w.n(9)]}
	w.pick([]string{" ", " ", ""})
	if d.tabs = w.oneIn(5); d.tabs {
		w.add("<<-")
	} else {
		w.add("<<")
	}
	if w.oneIn(6) {
		w.put(' ')
	}
	d.quoted = true
	switch w.n(8) {
	case 0, 1, 2:
		w.put('\'')
		w.add(d.end)
		w.put('\'')
	case 3:
		w.put('"')
		w.add(d.end)
		w.put('"')
	case 4:
		w.put('\\')
		w.add(d.end)
	case 5:
		d.end += " x"
		w.put('\'')
		w.add(d.end)
		w.put('\'')
	default:
		d.quoted = false
		w.add(d.end)
	}
	w.docs = append(w.docs, d)
}

// newline ends the line and appends the bodies that were waiting for it.
func (w *builder) newline() {
	w.put('\n')
	w.mustLine = false
	docs := w.docs
	w.docs = w.docs[:0]
	for _, d := range docs {
		w.body(d)
	}
}

func (w *builder) body(d heredoc) {
	w.noDoc++
	w.depth++
	for range w.n(4) {
		if d.tabs && w.oneIn(2) {
			w.put('\t')
		}
		switch {
		case d.quoted:
			w.choose(&w.rules.lines)
		case w.oneIn(3):
			from := len(w.b)
			w.choose(&w.rules.lines)
			w.defuse(from)
		default:
			w.liveLine()
		}
		w.put('\n')
	}
	w.depth--
	w.noDoc--
	if d.tabs && w.oneIn(2) {
		w.put('\t')
	}
	w.add(d.end)
	if w.oneIn(40) {
		w.put(' ') // not the delimiter after all
	}
	w.put('\n')
}

// defuse escapes the text appended since from so that it means itself in an unquoted here-document: plain lines may
// open expansions that nothing closes.
func (w *builder) defuse(from int) {
	w.scratch = append(w.scratch[:0], w.b[from:]...)
	w.b = w.b[:from]
	for _, c := range w.scratch {
		if c == '$' || c == '`' || c == '\\' {
			w.put('\\')
		}
		w.put(c)
	}
}

// liveLine appends a line of an unquoted here-document with expansions in it.
func (w *builder) liveLine() {
	for range 1 + w.n(3) {
		switch w.n(9) {
		case 0, 1:
			w.variable()
		case 2:
			w.parameterInDouble()
		case 3:
			if w.leaf() {
				w.letter()
			} else {
				w.substitution()
			}
		case 4:
			w.arithmetic()
		case 5:
			w.put('\\')
			w.pickByte("$`\\!n\"'")
		case 6:
			w.put('"')
			w.prose(1 + w.n(3))
			w.put('"')
		case 7:
			w.add("\\\n")
		default:
			w.prose(1 + w.n(4))
			w.put(' ')
		}
	}
}

func lineTable() table {
	return newTable(
		rule{4, "l-shebang", func(w *builder) {
			w.add("#!")
			w.pick([]string{"/bin/", "/usr/bin/", " /bin/", "/usr/local/bin/"})
			w.pick([]string{"bash", "sh", "env node", "python3", "env"})
		}},
		rule{10, "l-code", func(w *builder) { w.code(2 + w.n(4)) }},
		rule{5, "l-quotes", func(w *builder) {
			w.pick(names)
			w.pickByte("='( ")
			w.pickByte("'\"`")
			w.prose(1 + w.n(4))
			w.pickByte("'\"`!")
		}},
		rule{4, "l-negation", func(w *builder) {
			w.pick([]string{"!", "! ", "if ", "[ ", "while ", "until "})
			w.pick([]string{"!", "! ", "grep ", "cmp ", "test "})
			w.pick(names)
		}},
		rule{4, "l-bang", func(w *builder) { w.prose(w.n(4)); w.put('!'); w.prose(w.n(2)) }},
		rule{4, "l-dollar", func(w *builder) { w.pick([]string{"$x", "${x}", "$(x)", "`x`", "$HOME", "\\$x", "$1"}) }},
		rule{3, "l-backslash", func(w *builder) { w.prose(w.n(3)); w.put('\\') }},
		rule{3, "l-heading", func(w *builder) { w.put('#'); w.put(' '); w.pick(names) }},
		rule{2, "l-blank", func(*builder) {}},
		rule{2, "l-tab", func(w *builder) { w.put('\t'); w.pick(names) }},
		rule{2, "l-almost-end", func(w *builder) { w.pick([]string{" EOF", "EOF ", "EOFx", "<<EOF", "E E"}) }},
		rule{2, "l-raw", func(w *builder) { w.pick(torn); w.pick(runes); w.controlInLine() }},
		rule{4, "l-prose", func(w *builder) { w.prose(3 + w.n(6)) }},
	)
}

// pieces are parts of program text in languages other than shell. None holds a single quote.
var pieces = []string{
	"if (", "!", "!", "x", "m", ") {", "}", "console.log(", "\"ok\"", ")", " !== ", " != ", "!==", "!x", "!!x", " && !", " || ",
	"; ", "=> ", "// ", "#include <", "import ", "print(", "return ", "\\d+", "\\n", "$1", "{ ", " }", "${x}", "`", "s/!/x/",
	"/^!/", "not ", "[0]", "a.b", "=", " = ", "<!-- ", "<!DOCTYPE>", "@!", ".md", "!*.md", ":!", "!important", "&nbsp;", "%s", "$.x",
}

// code appends k pieces of program text.
func (w *builder) code(k int) {
	for range k {
		w.pick(pieces)
	}
}
