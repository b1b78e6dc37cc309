package gen

import (
	fuzz "github.com/google/gofuzz"
)

// The streams keep payload i, command i and session i of one seed apart.
const (
	streamPayload = 0x9e6c63d0876a9a35
	streamCommand = 0xd1b54a32d192ed03
	streamSession = 0x8cb92ba72f3d8dd7
)

// source is a splitmix64 generator. It is one word, so setting it for every case costs nothing, which the lagged
// Fibonacci source of math/rand does not offer.
type source struct{ state uint64 }

func (s *source) reset(seed, stream, i uint64) {
	s.state = scramble(scramble(seed^stream) + i)
}

// Uint64 implements rand.Source64.
func (s *source) Uint64() uint64 {
	s.state += 0x9e3779b97f4a7c15
	return scramble(s.state)
}

// Int63 implements rand.Source.
func (s *source) Int63() int64 { return int64(s.Uint64() >> 1) }

// Seed implements rand.Source.
func (s *source) Seed(seed int64) { s.state = uint64(seed) }

func scramble(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// builder appends the text of one case to b and holds what the rules have to know about the text so far.
type builder struct {
	c     fuzz.Continue
	rules *rules
	b     []byte
	start int // where this case begins in b

	limit int // from this length on, only rules that do not nest are taken
	depth int // how many constructs are open

	docs     []heredoc // here-documents whose bodies are still to come
	docBase  int       // how many of them belong to a line outside the innermost substitution
	noDoc    int       // no here-document may start here
	mustLine bool      // a comment is open: only a line break ends the statement
	pure     int       // statements must not touch files or start background children
	inFunc   int
	extglob  bool

	// Of the command of a session:
	past      []int // where the earlier commands end in b
	quote     byte  // what the text stands in: ' " $ for $'...', # for a comment, < for a here-document, 0 for nothing
	raw, wide bool  // text may hold bytes that a line editor takes for its own, and characters of many bytes
	bulk      bool  // a long piece of text is still to come
	asIs      bool  // nothing is swept out of it

	at int // where the word begins that is being spelled

	scratch []byte
	hits    map[string]int // counts the rules taken, for tests
}

// maxDepth bounds how deep constructs nest.
const maxDepth = 4

// begin readies the builder for a case. It keeps b and start, which the caller sets.
func (w *builder) begin(c fuzz.Continue) {
	w.c, w.rules = c, &grammar
	w.limit, w.depth = 40, 0
	w.docs, w.docBase, w.noDoc = w.docs[:0], 0, 0
	w.mustLine, w.pure, w.inFunc, w.extglob = false, 0, 0, false
	w.past = w.past[:0]
}

// n draws a number from 0 to k-1. It uses the high bits and is monotonic in them: the first byte of eight decides most
// when the numbers come from a fuzzer's bytes.
func (w *builder) n(k int) int {
	return int(w.c.Uint64() >> 32 * uint64(k) >> 32)
}

// oneIn is true once in k draws.
func (w *builder) oneIn(k int) bool { return w.n(k) == 0 }

func (w *builder) add(s string)       { w.b = append(w.b, s...) }
func (w *builder) put(c byte)         { w.b = append(w.b, c) }
func (w *builder) pick(list []string) { w.add(list[w.n(len(list))]) }
func (w *builder) pickByte(s string)  { w.put(s[w.n(len(s))]) }
func (w *builder) size() int          { return len(w.b) - w.start }

// leaf reports whether the text is long or deep enough to stop nesting.
func (w *builder) leaf() bool { return w.depth >= maxDepth || w.size() >= w.limit }

// rule is one alternative of the grammar.
type rule struct {
	weight int
	name   string
	emit   func(*builder)
}

// table is a list of alternatives, drawn in proportion to their weights.
type table struct {
	rules []rule
	slots []uint8
}

func newTable(rules ...rule) table {
	t := table{rules: rules}
	for i, r := range rules {
		for range r.weight {
			t.slots = append(t.slots, uint8(i))
		}
	}
	return t
}

func (w *builder) choose(t *table) {
	r := &t.rules[t.slots[w.n(len(t.slots))]]
	if w.hits != nil {
		w.hits[r.name]++
	}
	r.emit(w)
}

// rules holds the tables of the grammar. A builder reaches them through its pointer: the methods in the tables refer to
// the tables, which package-level variables could not do without an initialisation cycle.
type rules struct {
	payloads   table
	statements table
	flat       table // statements that nest nothing
	words      table
	plain      table // words that nest nothing
	quoted     table // words that are one word whatever they hold
	inDouble   table
	lines      table // lines of here-documents
	tests      table
	arith      table

	typed       table // commands of sessions
	typedWords  table
	typedText   table // pieces of the text in such words
	typedLines  table // lines of here-documents in sessions
	events      table // what a history reference refers to
	designators table // which words of it
	modifiers   table // and how they are changed
	settings    table // commands that change how lines are read
	ends        table // commands that end or block the shell
}

var grammar = rules{
	payloads:   payloadTable(),
	statements: statementTable(),
	flat:       flatTable(),
	words:      wordTable(),
	plain:      plainTable(),
	quoted:     quotedTable(),
	inDouble:   inDoubleTable(),
	lines:      lineTable(),
	tests:      testTable(),
	arith:      arithTable(),

	typed:       typedTable(),
	typedWords:  typedWordTable(),
	typedText:   typedTextTable(),
	typedLines:  typedLineTable(),
	events:      eventTable(),
	designators: designatorTable(),
	modifiers:   modifierTable(),
	settings:    settingTable(),
	ends:        endTable(),
}
