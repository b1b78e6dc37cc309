package gen

// program appends a whole command.
func (w *builder) program() {
	switch w.n(40) {
	case 0:
		w.limit = 700
	case 1, 2:
		w.limit = 300
	case 3, 4, 5, 6, 7:
		w.limit = 120
	case 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18:
		w.limit = 60
	default:
		w.limit = 25
	}
	from := len(w.b)
	if w.oneIn(24) {
		w.opening()
	}
	w.statement()
	for w.size() < w.limit && !w.oneIn(3) {
		w.separate()
		w.statement()
	}
	w.endLine()
	if w.oneIn(10) {
		w.closing()
	}
	if w.oneIn(40) {
		w.spoil(from)
	}
	w.sweep(from)
}

// opening appends what may stand before the first statement.
func (w *builder) opening() {
	switch w.n(4) {
	case 0:
		w.put('\n')
	case 1:
		w.put(' ')
	case 2:
		w.put('\t')
	default:
		w.put('#')
		w.commentText()
		w.newline()
	}
}

// closing appends what may stand after the last statement.
func (w *builder) closing() {
	switch w.n(8) {
	case 0:
		w.put('\\')
	case 1:
		w.put(';')
	case 2:
		w.put(' ')
	case 3:
		w.comment()
	default:
		w.put('\n')
	}
}

// strays are what makes text stop being a command.
var strays = []string{"'", "\"", "`", "$(", "${", "(", " {", "}", ")", " fi", " done", ";;", " &&", " |", " <<", "<", "\\", "$((", "[[", "$'", ">", "!", "then"}

// spoil puts something stray at the end of the text or somewhere in it.
func (w *builder) spoil(from int) {
	stray := strays[w.n(len(strays))]
	if w.oneIn(2) {
		w.add(stray)
		return
	}
	at := from + w.n(len(w.b)-from+1)
	w.scratch = append(w.scratch[:0], w.b[at:]...)
	w.b = append(w.b[:at], stray[len(stray)-1])
	w.b = append(w.b, w.scratch...)
}

// sweep takes out the few byte sequences that would make a command depend on the run or on the machine: the parameters
// $$, $!, $_, $-, $0 and their forms in braces, and a tilde that would look up a user. Rules do not write them; they
// arise where words meet. Inside quotes they would do no harm, yet quotes are what a faulty path breaks.
func (w *builder) sweep(from int) {
	b := w.b
	for i := from; i+1 < len(b); i++ {
		switch b[i] {
		case '$':
			c := b[i+1]
			if c == '{' && i+2 < len(b) {
				if c = b[i+2]; c == '!' && i+3 < len(b) && isName(b[i+3]) && b[i+3] != '_' {
					continue // ${!p}
				}
				if c == '-' || c == '$' || c == '0' || c == '_' || c == '!' {
					b[i] = '%'
				}
				continue
			}
			if c == '$' || c == '!' || c == '_' || c == '-' || c == '0' {
				b[i] = '%'
			}
		case '~':
			if c := b[i+1]; isName(c) || c == '.' || c == '-' || c == '+' || c >= 0x80 {
				b[i] = '^'
			}
		}
	}
}

func isName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
