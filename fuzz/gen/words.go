package gen

import (
	fuzz "github.com/google/gofuzz"
)

// streamWords keeps the words of a seed apart from its other cases.
const streamWords = 0xb5297a4d3f84d5b5

// words is the type by which gofuzz picks fillWords.
type words struct{ builder }

func fillWords(s *words, c fuzz.Continue) {
	s.begin(c)
	s.series()
}

// Words appends list of words number i to dst: what might stand behind a program's name. It holds no NUL. Few lists
// hold what ends the command, or what is expanded.
func (g *Generator) Words(i uint64, dst []byte) []byte {
	g.source.reset(g.seed, streamWords, i)
	g.words.b, g.words.start = dst, len(dst)
	g.fuzzer.Fuzz(&g.words)
	dst, g.words.b = g.words.b, nil
	return dst
}

// WordsFromShape makes a list of words from bytes that a coverage-guided fuzzer mutates, as [PayloadFromShape] does.
func WordsFromShape(shape []byte) []byte {
	var s words
	fuzz.NewFromGoFuzz(shape).Funcs(fillWords).Fuzz(&s)
	return s.b
}

// series appends one to five words.
func (w *builder) series() {
	if w.oneIn(30) {
		w.between()
	}
	w.listed()
	for range w.n(5) {
		w.between()
		w.listed()
	}
	switch w.n(24) {
	case 0:
		w.add(" #")
		w.pick([]string{"", "a", " it's", ` "`, " a b", "!"})
	case 1:
		w.between()
	case 2:
		w.put('#')
		w.pick([]string{"", "a", " a"})
	}
}

// between appends what stands between two words.
func (w *builder) between() {
	switch w.n(40) {
	case 0:
		w.put('\t')
	case 1:
		w.add("  ")
	case 2:
		w.add(" \\\n")
	case 3:
		w.add("\\\n ")
	case 4:
		w.put(' ')
		w.pick([]string{"\u00a0", "\v", "\f", "\r", "\u2003"})
	case 5:
		w.put(' ')
		w.pick([]string{";", "| ", "& ", "&& ", ">f ", "<<<", "2>&1 ", ">> f ", "\n"})
	case 6:
		w.pick([]string{";", "|", "&", ">", "\n"})
	default:
		w.put(' ')
	}
}

// listed appends one word, or what begins like one.
func (w *builder) listed() {
	switch w.n(32) {
	case 0, 1, 2:
		w.pick(bare)
	case 3:
		w.pick(flags)
	case 4, 5, 6, 7:
		w.single()
	case 8, 9, 10:
		w.doubleFlat()
	case 11, 12:
		w.inDoubles()
	case 13, 14:
		w.ansiC()
	case 15, 16, 17:
		w.escaped()
	case 18:
		w.pick([]string{"''", `""`, "''''", `a''`, `""b`, "$''", `$""`})
	case 19:
		w.tilde()
	case 20:
		w.pick([]string{"*", "?", "*.x", "[!a]", "f*", "[a", "a*b", "'*'?"})
	case 21:
		w.pick(runes)
	case 22:
		w.rawByte()
	case 23:
		w.letter()
		w.pick([]string{"\u00a0", "\v", "\f", "\r", "\u2003", "\u3000", "\ufeff", "\u0085"})
		w.letter()
	case 24:
		w.pick([]string{"{a,b}", "a{1..3}", "{a}", "{}", "{a,b", "x{,}", "{'a b',c}"})
	case 25:
		w.pick(bangs)
	case 26:
		w.letter()
		w.put('#')
		w.letter()
	case 27:
		if w.oneIn(2) {
			w.variable()
		} else {
			w.add("\\\n")
			w.letter()
		}
	case 28:
		w.put('$')
		w.doubleFlat()
	default:
		for range 2 + w.n(3) {
			switch w.n(6) {
			case 0:
				w.single()
			case 1:
				w.inDoubles()
			case 2:
				w.escaped()
			case 3:
				w.ansiC()
			default:
				w.letter()
			}
		}
	}
}

// inDoubles appends a double-quoted string in which nothing is expanded and much is escaped.
func (w *builder) inDoubles() {
	w.put('"')
	for range w.n(5) {
		switch w.n(6) {
		case 0:
			w.put('\\')
			w.pickByte("\"\\$`!na' \n")
		case 1:
			w.pickByte("'#!*? ~{}")
		default:
			w.letter()
		}
	}
	w.put('"')
}
