package finding

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

// A Signature is what findings of one cause have in common. It holds nothing of
// the input, of version classes or of the shells at hand.
type Signature struct {
	// Kind is the kind of the finding and Family the path's.
	Kind, Family string
	// Fate is "ran", "alive" for what did not come to an end, or the reason
	// for which a run was cut short.
	Fate string
	// Edit says which part of the observation differs first, and how.
	Edit string
	// Context is where, in the input, the byte stands that the edit is about.
	Context string
}

// sideEffect is the edit where a byte that is syntax was damaged. Whether that shows
// in the number of children, in what they are told or in the output hangs on the
// rest of the command, not on the fault.
const sideEffect = "other children or output"

// ID returns the hash of the signature, twelve hexadecimal digits.
func (s Signature) ID() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{s.Kind, s.Family, s.Fate, s.Edit, s.Context}, "\x00")))
	return hex.EncodeToString(sum[:6])
}

// Class returns the signature in words, as in "command sandbox: an argument
// gains backslash before ! in single quotes".
func (s Signature) Class() string {
	class := s.Kind + " " + s.Family + ": " + s.Edit
	if phrase, ok := contextPhrases[s.Context]; ok {
		return class + " " + phrase
	}
	return class + " (" + s.Context + ")"
}

// Sign returns the signature of a difference. Input is one command, or the
// payloads, or the lines of a session. It is to be called only for observations
// that differ.
func Sign(kind, family string, input [][]byte, expected, observed wire.Observation) Signature {
	s := Signature{Kind: kind, Family: family, Fate: FateOf(observed)}
	d := firstDifference(expected, observed)
	s.Edit = d.edit
	if kind != Payload && d.consequence && (s.Fate == wire.Ran || s.Fate == wire.Rewritten && !observed.Expanded) {
		s.Edit = sideEffect
	}
	text := bytes.Join(input, []byte{'\n'})
	switch {
	case kind == Payload:
		s.Context = payloadContext(input, d)
	case kind == Session && observed.Expanded && d.at < 0:
		// The shell does not look at quotes when it puts an event in its place.
		s.Context = "event"
	case kind == Session && s.Fate == wire.Gone && EndsOnBackslash(text):
		s.Context = "last-backslash"
	case kind == Session && pressesKey(text):
		s.Context = "key"
		// What a key does to the rest of the line is not another fault.
		if lost := strings.HasSuffix(d.edit, " loses blank") || strings.HasSuffix(d.edit, " loses control byte"); !lost && s.Fate == wire.Rewritten {
			s.Edit = sideEffect
		}
	default:
		s.Context = commandContext(text, d)
	}
	return s
}

var lastBackslash = regexp.MustCompile(`(^|\n)\\\n*$`)

// EndsOnBackslash reports whether the last line of the text is a backslash and
// nothing else.
func EndsOnBackslash(text []byte) bool { return lastBackslash.Match(text) }

// FateOf names the fate of a text that was run by bash -c.
func FateOf(o wire.Observation) string {
	switch o.Ended {
	case wire.Itself:
		if o.Fate != "" {
			return o.Fate
		}
		return wire.Ran
	case wire.Hung, wire.Spinning, wire.Overtime:
		return "alive"
	}
	return string(o.Ended)
}

// A difference is the first one between two observations.
type difference struct {
	edit string
	// value is the expected byte string that arrived otherwise, and at the
	// byte of it that the edit is about. at is -1 where there is none, for
	// example because a whole record is missing.
	value []byte
	at    int
	// consequence says that the program ran otherwise, rather than that bytes of
	// it were changed on their way.
	consequence bool
	// element is the index in argv of value, or of an argument that vanishes, and
	// 0 where it is no argument.
	element int
}

// firstDifference compares in a fixed order: how the runs ended, the records
// with their number, arguments and stdin, then stdout, then the status.
func firstDifference(expected, observed wire.Observation) difference {
	whole := func(edit string) difference { return difference{edit: edit, at: -1, consequence: true} }
	inside := func(what string, e, o []byte, element int) difference {
		edit, at, quoted := tell(e, o)
		return difference{edit: what + " " + edit, value: e, at: at, element: element, consequence: !quoted}
	}
	if expected.Ended != observed.Ended {
		d := difference{edit: "the run is " + FateOf(observed), at: -1}
		switch FateOf(observed) {
		case "ran":
			d.edit = "the run comes to an end"
		case "alive":
			d.edit = "the run does not end"
		}
		return d
	}
	// A line that the editor of the shell has changed differs in what it has run.
	if f := FateOf(observed); f != FateOf(expected) && f != wire.Ran && (f != wire.Rewritten || observed.Expanded) {
		return difference{edit: "the line is " + f, at: -1, consequence: true}
	}
	switch e, o := len(expected.Records), len(observed.Records); {
	case o == 0 && e > 0:
		return whole("no child runs")
	case o < e:
		return whole("fewer children run")
	case o > e:
		return whole("more children run")
	}
	if e, o, differs := unmatched(expected.Records, observed.Records); differs {
		if len(o.Argv) != len(e.Argv) {
			d := whole("fewer arguments arrive")
			if len(o.Argv) > len(e.Argv) {
				d = whole("more arguments arrive")
			}
			d.element = missing(e.Argv, o.Argv)
			return d
		}
		for i := range e.Argv {
			if !bytes.Equal(e.Argv[i], o.Argv[i]) {
				return inside("an argument", e.Argv[i], o.Argv[i], i)
			}
		}
		switch {
		case o.Stdin == nil && e.Stdin != nil:
			return whole("stdin becomes unreadable")
		case o.Stdin != nil && e.Stdin == nil:
			return whole("stdin becomes readable")
		case !bytes.Equal(e.Stdin, o.Stdin):
			return inside("stdin", e.Stdin, o.Stdin, 0)
		}
		return whole("stdin has another length")
	}
	if e, o := expected.Stdout, observed.Stdout; !bytes.Equal(e, o) {
		if len(e) > 0 && len(o) > 0 {
			if h := hunks(e, o)[0]; isText(h.inserted) || isText(h.deleted) {
				return whole("stdout is another")
			}
		}
		return inside("stdout", expected.Stdout, observed.Stdout, 0)
	}
	return difference{edit: "only the status is another", at: -1}
}

// missing returns the argument that is not as it should be, of two lists of
// different lengths: the first empty one where none arrives empty, and 0 where it
// cannot be told.
func missing(expected, observed [][]byte) int {
	empty := func(b []byte) bool { return len(b) == 0 }
	if slices.ContainsFunc(observed, empty) {
		return 0
	}
	return max(0, slices.IndexFunc(expected, empty))
}

// unmatched returns the first records that are left once all equal ones, in
// whatever order they came, are taken away.
func unmatched(expected, observed []wire.Record) (e, o wire.Record, differs bool) {
	left := slices.Clone(observed)
	var missing []wire.Record
	for _, r := range expected {
		if i := slices.IndexFunc(left, func(l wire.Record) bool { return sameRecord(r, l) }); i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else {
			missing = append(missing, r)
		}
	}
	if len(missing) == 0 || len(left) == 0 {
		return wire.Record{}, wire.Record{}, false
	}
	// Children of one pipeline come in any order: a record of the same
	// program, or else of the same length, is the more likely counterpart.
	e = missing[0]
	best, bestScore := 0, -1
	for i, l := range left {
		score := 0
		if len(l.Argv) > 0 && len(e.Argv) > 0 && bytes.Equal(l.Argv[0], e.Argv[0]) {
			score += 2
		}
		if len(l.Argv) == len(e.Argv) {
			score++
		}
		if score > bestScore {
			best, bestScore = i, score
		}
	}
	return e, left[best], true
}

func sameRecord(a, b wire.Record) bool {
	return wire.Observation{Records: []wire.Record{a}}.Equal(wire.Observation{Records: []wire.Record{b}})
}
