package gen

import (
	"bytes"

	fuzz "github.com/google/gofuzz"

	"github.com/argvdiff/argvdiff/oracles/exposure"
	"github.com/argvdiff/argvdiff/targets/pty"
)

// Session returns session number i: one to four commands that are typed one after the other into the same interactive
// shell. No command holds a NUL and none is blank. The slices are the caller's.
//
// In half of the sessions the last command is the best of up to three: one in which history expansion of bash 3.2 is
// predicted to fire. So a session changes where the predictor does.
func (g *Generator) Session(i uint64) [][]byte {
	g.source.reset(g.seed, streamSession, i)
	g.session.b = g.session.b[:0]
	g.fuzzer.Fuzz(&g.session)
	return g.session.commands()
}

// SessionFromShape makes a session from bytes that a coverage-guided fuzzer mutates, as [PayloadFromShape] does.
func SessionFromShape(shape []byte) [][]byte {
	var s session
	fuzz.NewFromGoFuzz(shape).Funcs(fillPayload, fillCommand, fillSession).Fuzz(&s)
	return s.commands()
}

// SplitSession returns the commands of a session that is one text, each set apart from the next by a NUL, which no
// command holds. Blank ones are left out, but for the last one that would leave none.
func SplitSession(text []byte) [][]byte {
	var list [][]byte
	for command := range bytes.SplitSeq(text, []byte{0}) {
		if len(bytes.TrimSpace(command)) > 0 {
			list = append(list, command)
		}
	}
	if list == nil {
		list = [][]byte{text}
	}
	return list
}

// session is the type by which gofuzz picks fillSession. Its text holds the commands one behind the other; past says
// where each of them ends.
type session struct {
	builder
	count int
	steer bool
	state exposure.State

	// What is at most in one command, and which that is: -1 if none.
	setting, end, broken, long int
}

func (s *session) commands() [][]byte {
	all := append([]byte(nil), s.b...)
	list := make([][]byte, len(s.past))
	from := 0
	for i, to := range s.past {
		list[i] = all[from:to:to]
		from = to
	}
	return list
}

// counts are the numbers of commands, in proportion.
var counts = [...]uint8{1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 4}

func fillSession(s *session, c fuzz.Continue) {
	s.begin(c)
	s.count = int(counts[s.n(len(counts))])
	s.raw, s.wide = s.oneIn(4), s.oneIn(6)
	s.steer = s.oneIn(2)
	s.setting, s.end, s.broken, s.long = -1, -1, -1, -1
	if s.oneIn(16) {
		s.count = max(s.count, 2)
		s.setting = s.n(s.count - 1)
	}
	if s.oneIn(40) {
		s.end = s.n(s.count)
	}
	if s.oneIn(25) {
		s.broken = s.n(s.count)
	}
	if s.oneIn(40) {
		s.long = s.n(s.count)
	}
	if s.steer {
		s.state = exposure.State{UTF8: true, History: []string{pty.Init}}
	}
	for i := range s.count - 1 {
		from := len(s.b)
		s.draw(i)
		if s.steer {
			s.follow(from)
		}
		s.past = append(s.past, len(s.b))
	}
	s.last()
	s.past = append(s.past, len(s.b))
}

// lineID stands for the id that a tool would draw for each line. No prediction hangs on its digits.
const lineID = "00000000-0000-0000-0000-000000000000"

// follow carries the state over the command that begins at that place.
func (s *session) follow(from int) {
	command := string(s.b[from:])
	line := []byte(pty.Wrap(command, lineID))
	s.state = s.state.After(command, line, exposure.Predict(line, s.state))
}

// last appends the last command.
func (s *session) last() {
	if !s.steer {
		s.draw(s.count - 1)
		return
	}
	enough := 1
	if s.oneIn(2) {
		enough = 2
	}
	from := len(s.b)
	best, begin, end := -1, 0, 0
	for range 3 {
		at := len(s.b)
		s.draw(s.count - 1)
		p := exposure.Predict([]byte(pty.Wrap(string(s.b[at:]), lineID)), s.state)
		if r := rank(p.Fate); r > best {
			best, begin, end = r, at, len(s.b)
		}
		if best >= enough || s.state.Off {
			break
		}
	}
	s.b = s.b[:from+copy(s.b[from:], s.b[begin:end])]
}

// rank says how much a fate is worth: one that leaves something to run is rarer than one that leaves nothing.
func rank(f exposure.Fate) int {
	switch f {
	case exposure.Rewritten, exposure.Continued:
		return 2
	case exposure.Discarded:
		return 1
	}
	return 0
}

// draw appends command number i.
func (s *session) draw(i int) {
	s.start = len(s.b)
	s.depth, s.noDoc, s.docBase, s.docs = 0, 0, 0, s.docs[:0]
	s.mustLine, s.pure, s.inFunc, s.extglob = false, 0, 0, false
	s.quote, s.asIs, s.bulk = 0, false, i == s.long
	s.limit = 15
	if s.oneIn(4) {
		s.limit = 50
	}
	switch {
	case i == s.end:
		s.choose(&s.rules.ends)
	case i == s.setting:
		s.choose(&s.rules.settings)
		if s.oneIn(8) {
			s.pick([]string{"; ", "\n"})
			s.call()
		}
	case i < s.count-1 && !s.oneIn(10):
		s.earlier()
	default:
		s.choose(&s.rules.typed)
	}
	s.endLine()
	if i == s.broken && !s.asIs {
		s.breakOff()
	}
	if !s.asIs {
		s.sweep(s.start)
	}
	for _, c := range s.b[s.start:] {
		if c > ' ' && c < 0x7f {
			return
		}
	}
	s.add("probe")
}

// breakOff makes the text end too early, or puts something stray into it.
func (w *builder) breakOff() {
	switch w.n(6) {
	case 0, 1:
		w.put('\\')
	case 2:
		w.add("\n\\")
		if w.oneIn(2) {
			w.put('\n')
		}
	case 3:
		w.pick([]string{" '", " \"", " $'", "'", "\""})
		w.letter()
	default:
		w.spoil(w.start)
	}
}
