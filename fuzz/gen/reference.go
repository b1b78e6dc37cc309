package gen

// reference appends a reference to an earlier line: an event, which of its words, and how they are changed.
func (w *builder) reference() {
	w.choose(&w.rules.events)
	if w.oneIn(3) {
		w.choose(&w.rules.designators)
	}
	for range 2 {
		if !w.oneIn(5) {
			return
		}
		w.choose(&w.rules.modifiers)
	}
}

func eventTable() table {
	return newTable(
		rule{8, "e-last", func(w *builder) { w.add("!!") }},
		rule{5, "e-last-word", func(w *builder) { w.add("!$") }},
		rule{2, "e-first-word", func(w *builder) { w.add("!^") }},
		rule{3, "e-all-words", func(w *builder) { w.add("!*") }},
		rule{3, "e-this-line", func(w *builder) { w.add("!#") }},
		rule{4, "e-back", func(w *builder) { w.add("!-"); w.pickByte("1112234") }},
		rule{4, "e-number", func(w *builder) { w.put('!'); w.pickByte("111223456789") }},
		rule{7, "e-word", func(w *builder) { w.put('!'); w.recalled() }},
		rule{4, "e-search", func(w *builder) {
			w.add("!?")
			w.recalled()
			if !w.oneIn(6) {
				w.put('?')
			}
		}},
		rule{2, "e-no-event", func(w *builder) { w.add("!:"); w.pickByte("0123$^*-") }},
	)
}

func designatorTable() table {
	return newTable(
		rule{4, "g-number", func(w *builder) { w.put(':'); w.pickByte("00112345") }},
		rule{3, "g-sign", func(w *builder) { w.put(':'); w.pickByte("$$*^") }},
		rule{2, "g-range", func(w *builder) {
			w.put(':')
			w.pickByte("0123")
			w.put('-')
			w.pickByte("2345$")
		}},
		rule{1, "g-rest", func(w *builder) { w.put(':'); w.pickByte("0123"); w.pickByte("*-") }},
		rule{1, "g-short", func(w *builder) { w.pickByte("$*^-%") }},
	)
}

func modifierTable() table {
	return newTable(
		rule{6, "m-letter", func(w *builder) { w.put(':'); w.pickByte("htrepqx") }},
		rule{3, "m-change", func(w *builder) {
			w.pick([]string{":s", ":s", ":gs", ":as"})
			by := "//^,"[w.n(4)]
			w.put(by)
			w.recalled()
			w.put(by)
			if !w.oneIn(4) {
				w.name()
			}
			if !w.oneIn(5) {
				w.put(by)
			}
		}},
		rule{1, "m-other", func(w *builder) { w.put(':'); w.pickByte("&gzx/ ") }},
	)
}

// others are words that no program of a home has for a name.
var others = []string{"echo", "printf", "stty", "eval", "set", "exit"}

// recalled appends letters as a user would type them to name an earlier line: from the name of a program or from an
// earlier command of the session.
func (w *builder) recalled() {
	from := len(w.b)
	switch k := len(w.past); {
	case k > 0 && w.oneIn(2):
		i := w.n(k)
		begin := 0
		if i > 0 {
			begin = w.past[i-1]
		}
		if w.oneIn(2) {
			begin += w.n(w.past[i] - begin)
		}
		for begin < w.past[i] && !isName(w.b[begin]) {
			begin++
		}
		for end := begin; end < w.past[i] && end < begin+12 && isName(w.b[end]); end++ {
			w.put(w.b[end])
		}
	case w.oneIn(3):
		w.pick(others)
	case w.oneIn(2):
		w.pick(Names)
	default:
		w.name()
	}
	if k := len(w.b) - from; k > 1 && w.oneIn(2) {
		w.b = w.b[:from+1+w.n(k-1)]
	}
	if len(w.b) == from {
		w.pickByte(letters)
	}
}

// quick appends a quick substitution.
func (w *builder) quick() {
	w.put('^')
	w.recalled()
	w.put('^')
	if !w.oneIn(6) {
		w.name()
	}
	if w.oneIn(3) {
		w.put('^')
		if w.oneIn(3) {
			w.choose(&w.rules.modifiers)
		}
	}
}
