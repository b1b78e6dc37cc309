package gen

// special holds the bytes that some shell or quoter treats specially; the ones that have broken most stand twice.
const special = "''\"\"``\\\\\\$$!!!~~##&*|(){}[];<>?=:,@^%  \t\n\r-/"

const letters = "abcdefghijklmnopqrstuvwxyzABCZ"

const digits = "0123456789"

// runes are characters that have been taken for white space, cut in halves or dropped on the way.
var runes = []string{
	"\u0080", "\u0085", "\u00a0", "\u00a3", "\u00e9", "\u00ff", "\u0131", "\u0301", "\u03b1", "\u0430", "\u05d0",
	"\u1680", "\u2003", "\u200b", "\u200d", "\u2026", "\u2028", "\u2029", "\u202e", "\u3000", "\u4e2d", "\u6587",
	"\uac00", "\ufeff", "\ufffd", "\uffff", "\U00010000", "\U0001f600", "\U0001f1e6", "\U000e0001", "\U0010ffff",
}

// torn are byte sequences that are not UTF-8: cut short, overlong, surrogates, out of range, lone continuation bytes.
var torn = []string{
	"\x80", "\xbf", "\xc0", "\xc1\x81", "\xc2", "\xc3", "\xe0\x80\x81", "\xe2\x80", "\xe9", "\xed\xa0\x80",
	"\xf0\x9f", "\xf0\x9f\x98", "\xf4\x90\x80\x80", "\xf8", "\xfe", "\xff", "\xff\xff",
}

func payloadTable() table {
	return newTable(
		rule{3, "p-empty", func(*builder) {}},
		rule{16, "p-byte", (*builder).anyByte},
		rule{80, "p-dense", func(w *builder) { w.dense(2 + w.n(9)) }},
		rule{10, "p-run", (*builder).byteRun},
		rule{16, "p-runes", (*builder).someRunes},
		rule{12, "p-torn", (*builder).someTorn},
		rule{12, "p-control", (*builder).someControl},
		rule{8, "p-dash", (*builder).leadingDash},
		rule{8, "p-tilde", (*builder).leadingTilde},
		rule{8, "p-drive", (*builder).drive},
		rule{12, "p-tail", (*builder).specialTail},
		rule{14, "p-words", (*builder).phrase},
		rule{8, "p-bytes", (*builder).anyBytes},
		rule{6, "p-code", func(w *builder) { w.code(1 + w.n(4)) }},
		rule{6, "p-command", (*builder).program},
		rule{6, "p-long", func(w *builder) { w.dense(20 + w.n(180)) }},
		rule{1, "p-huge", (*builder).huge},
	)
}

// anyByte appends one byte that is not NUL.
func (w *builder) anyByte() { w.put(byte(1 + w.n(255))) }

func (w *builder) anyBytes() {
	for range 2 + w.n(10) {
		w.anyByte()
	}
}

// letter appends a letter or, less often, a digit.
func (w *builder) letter() {
	if w.oneIn(5) {
		w.pickByte(digits)
		return
	}
	w.pickByte(letters)
}

// mark appends one byte that is special somewhere.
func (w *builder) mark() { w.pickByte(special) }

// dense appends k bytes of which most are special. One draw serves a byte: this is most of what a campaign makes.
func (w *builder) dense(k int) {
	for range k {
		x := w.c.Uint64() >> 32
		if x&7 < 5 {
			w.put(special[x>>3*uint64(len(special))>>29])
		} else {
			w.put(letters[x>>3*uint64(len(letters))>>29])
		}
	}
}

func (w *builder) byteRun() {
	from := len(w.b)
	if w.oneIn(3) {
		w.anyByte()
	} else {
		w.mark()
	}
	for range 1 + w.n(12) {
		w.put(w.b[from])
	}
}

func (w *builder) someRunes() {
	for range 1 + w.n(4) {
		w.pick(runes)
		if w.oneIn(2) {
			w.dense(1 + w.n(2))
		}
	}
}

func (w *builder) someTorn() {
	for range 1 + w.n(3) {
		w.pick(torn)
		if w.oneIn(2) {
			w.dense(1 + w.n(2))
		}
	}
}

// control appends a control byte; TAB, LF and CR are among the special bytes already.
func (w *builder) control() {
	c := byte(1 + w.n(32))
	if c == 32 {
		c = 0x7f
	}
	w.put(c)
}

func (w *builder) someControl() {
	for range 1 + w.n(4) {
		w.control()
		if w.oneIn(2) {
			w.dense(1 + w.n(2))
		}
	}
}

func (w *builder) leadingDash() {
	w.put('-')
	if w.oneIn(3) {
		w.put('-')
	}
	switch w.n(3) {
	case 0:
		w.pickByte("necEspirx0")
	case 1:
		w.pick(flags)
	case 2:
		w.dense(w.n(4))
	}
}

func (w *builder) leadingTilde() {
	if w.oneIn(3) {
		w.letter()
		w.pickByte("=: ,")
	}
	w.put('~')
	switch w.n(4) {
	case 0:
		w.put('/')
		w.pick(names)
	case 1:
		w.pickByte("+-:/~")
	case 2:
		w.dense(1 + w.n(3))
	}
}

// drive appends what starts like a path with a drive letter. Quoters that care for such paths have taken the bytes
// between Z and a for letters.
func (w *builder) drive() {
	if w.oneIn(4) {
		w.letter()
	}
	switch w.n(3) {
	case 0:
		w.put(byte('A' + w.n('z'-'A'+1)))
	default:
		w.pickByte(letters)
	}
	w.put(':')
	w.mark()
	w.dense(w.n(4))
}

func (w *builder) specialTail() {
	w.dense(w.n(5))
	c := "\\\n\r !\t'\"`$"[w.n(10)]
	for range 1 + w.n(3) {
		w.put(c)
	}
}

// phrase appends words as people type them, with blanks and marks between.
func (w *builder) phrase() {
	for i := range 1 + w.n(4) {
		if i > 0 {
			w.pickByte("  '!\"$#~&\n")
		}
		w.pick(names)
	}
}

func (w *builder) huge() {
	for range 6 + w.n(10) {
		w.dense(100 + w.n(150))
	}
}
