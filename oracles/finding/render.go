package finding

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

// Quote shows bytes as printable ASCII: a\!b stays as it is, a newline is \n, a
// tab \t, a carriage return \r, and other bytes are \xNN. A backslash is doubled
// only where it would be read as the start of one of these, or ends the string,
// so that different bytes always look different.
func Quote(b []byte) string {
	s, _ := shown(b)
	return s
}

// shown is Quote. It also returns where in the text each byte begins, and at
// last where the text ends.
func shown(b []byte) (string, []int) {
	var s strings.Builder
	at := make([]int, 0, len(b)+1)
	for i, c := range b {
		at = append(at, s.Len())
		switch {
		case c == '\n':
			s.WriteString(`\n`)
		case c == '\t':
			s.WriteString(`\t`)
		case c == '\r':
			s.WriteString(`\r`)
		case c == '\\':
			s.WriteByte(c)
			if i+1 == len(b) || b[i+1] < ' ' || b[i+1] > '~' || strings.IndexByte(`\nrtx`, b[i+1]) >= 0 {
				s.WriteByte(c)
			}
		case c < ' ', c > '~':
			fmt.Fprintf(&s, `\x%02x`, c)
		default:
			s.WriteByte(c)
		}
	}
	return s.String(), append(at, s.Len())
}

// margin is how much is shown around what differs in long strings.
const margin = 40

// Marked shows two byte strings as [Quote] does, with a line of carets that
// belongs underneath the second one: they stand below the bytes that differ, and
// where bytes are missing, below the one that follows. Long strings are cut to
// what is around their first difference.
func Marked(expected, observed []byte) (e, o, carets string) {
	list := hunks(expected, observed)
	e, _ = shown(expected)
	o, at := shown(observed)
	line := bytes.Repeat([]byte{' '}, len(o)+1)
	for _, h := range list {
		from, to := at[h.atObserved], at[h.atObserved+len(h.inserted)]
		for i := from; i < max(to, from+1); i++ {
			line[i] = '^'
		}
	}
	if len(list) == 0 {
		return e, o, ""
	}
	line = bytes.TrimRight(line, " ")
	// Both strings are the same up to the first difference, and so is their
	// text, but for a backslash that is doubled: cut both at the same place.
	from := max(at[list[0].atObserved]-margin, 0)
	if from > 0 {
		from += len("...")
	}
	carets = strings.ReplaceAll(window(string(line), from), ".", " ")
	return window(e, from), window(o, from), strings.TrimRight(carets, " ")
}

// window cuts text to what a person can compare.
func window(s string, from int) string {
	if from >= len(s) {
		from = max(len(s)-margin, 0)
	}
	head, tail := "", ""
	if from > 0 {
		head = "..."
	}
	s = s[from:]
	if len(s) > 2*margin {
		s, tail = s[:2*margin], "..."
	}
	return head + s + tail
}

// Diff shows every part in which two observations differ, with the differing
// bytes marked. It is empty where they are equal.
func Diff(expected, observed wire.Observation) string {
	if expected.Equal(observed) {
		return ""
	}
	var b strings.Builder
	pair := func(what, e, o, carets string) {
		fmt.Fprintf(&b, "%s\n  expected  %s\n  observed  %s\n", what, e, o)
		if carets != "" {
			fmt.Fprintf(&b, "            %s\n", carets)
		}
	}
	values := func(what string, e, o []byte) {
		es, os, carets := Marked(e, o)
		pair(what, es, os, carets)
	}
	if expected.Ended != observed.Ended {
		pair("end of the run", ending(expected), ending(observed), "")
	}
	if e, o := FateOf(expected), FateOf(observed); e != o && expected.Ended == observed.Ended {
		pair("fate of the line", e, o, "")
	}
	missing, extra := leftovers(expected.Records, observed.Records)
	for len(missing) > 0 && len(extra) > 0 {
		e, o, _ := unmatched(missing, extra)
		missing, extra = without(missing, e), without(extra, o)
		name := "child"
		if len(e.Argv) > 0 {
			name = Quote(e.Argv[0])
		}
		if len(e.Argv) != len(o.Argv) {
			pair("arguments of "+name, Arguments(e.Argv), Arguments(o.Argv), "")
		} else {
			for i := range e.Argv {
				if !bytes.Equal(e.Argv[i], o.Argv[i]) {
					values(fmt.Sprintf("argv[%d] of %s", i, name), e.Argv[i], o.Argv[i])
				}
			}
		}
		switch {
		case (e.Stdin == nil) != (o.Stdin == nil) || e.StdinCut != o.StdinCut:
			pair("stdin of "+name, input(e), input(o), "")
		case !bytes.Equal(e.Stdin, o.Stdin):
			values("stdin of "+name, e.Stdin, o.Stdin)
		}
	}
	for _, r := range missing {
		pair("child", Arguments(r.Argv), "did not run", "")
	}
	for _, r := range extra {
		pair("child", "does not run", Arguments(r.Argv), "")
	}
	if !bytes.Equal(expected.Stdout, observed.Stdout) {
		values("stdout", expected.Stdout, observed.Stdout)
	}
	if expected.Status != observed.Status {
		pair("status", fmt.Sprint(expected.Status), fmt.Sprint(observed.Status), "")
	}
	return b.String()
}

// Render shows all of an observation, one thing a line.
func Render(o wire.Observation) string {
	var b strings.Builder
	for _, r := range o.Records {
		fmt.Fprintf(&b, "child   %s", Arguments(r.Argv))
		if len(r.Stdin) > 0 || r.Stdin == nil {
			fmt.Fprintf(&b, "  stdin %s", input(r))
		}
		b.WriteByte('\n')
	}
	if len(o.Stdout) > 0 {
		fmt.Fprintf(&b, "stdout  %s\n", window(Quote(o.Stdout), 0))
	}
	fmt.Fprintf(&b, "status  %d\n", o.Status)
	if o.Ended != wire.Itself {
		fmt.Fprintf(&b, "ended   %s\n", ending(o))
	}
	return b.String()
}

// Arguments shows an argument vector with each element in brackets.
func Arguments(argv [][]byte) string {
	list := make([]string, len(argv))
	for i, a := range argv {
		list[i] = "[" + Quote(a) + "]"
	}
	return strings.Join(list, " ")
}

func input(r wire.Record) string {
	switch {
	case r.Stdin == nil:
		return "unreadable"
	case r.StdinCut:
		return "[" + window(Quote(r.Stdin), 0) + "] and more"
	}
	return "[" + window(Quote(r.Stdin), 0) + "]"
}

func ending(o wire.Observation) string {
	if o.Ended == wire.Itself {
		return "by itself"
	}
	return string(o.Ended)
}

// leftovers takes away what two lists of records have in common.
func leftovers(expected, observed []wire.Record) (missing, extra []wire.Record) {
	extra = slices.Clone(observed)
	for _, r := range expected {
		if rest := without(extra, r); len(rest) < len(extra) {
			extra = rest
		} else {
			missing = append(missing, r)
		}
	}
	return missing, extra
}

// without returns the list without the first record that equals r.
func without(list []wire.Record, r wire.Record) []wire.Record {
	for i := range list {
		if sameRecord(list[i], r) {
			return slices.Concat(list[:i], list[i+1:])
		}
	}
	return list
}
