package shrink

import (
	"bytes"
	"cmp"
	"slices"
)

// maxParts bounds how many parts of a text are tried by themselves.
const maxParts = 96

// keepPart tries to do with a single part of the text: what stands between two
// neighbouring separators, or else a run of two or three such pieces. Most faults
// sit in one simple command, however deep that is nested.
func (s *shrinker) keepPart() {
	for !s.over() {
		list := parts(s.cur)
		if s.try(len(list), func(i int) []byte { return slices.Clone(list[i]) }) < 0 {
			return
		}
	}
}

// parts returns the pieces of b between separators, and neighbouring ones taken
// together, the shortest first.
func parts(b []byte) [][]byte {
	var list [][]byte
	cuts := separators(b)
	for run := 1; run <= 3; run++ {
		for i := 0; i+run < len(cuts); i++ {
			piece := bytes.Trim(b[cuts[i]:cuts[i+run]], " \t\n;&|()")
			if len(piece) > 0 && len(piece) < len(b) {
				list = append(list, piece)
			}
		}
	}
	slices.SortFunc(list, func(x, y []byte) int { return cmp.Or(cmp.Compare(len(x), len(y)), bytes.Compare(x, y)) })
	list = slices.CompactFunc(list, bytes.Equal)
	return list[:min(len(list), maxParts)]
}

// separators returns 0, where each separator of commands stands, and the length.
func separators(b []byte) []int {
	cuts := []int{0}
	for i := 0; i < len(b); {
		if c := b[i]; c == '\n' || isOperator(c) || c == '{' || c == '}' {
			if i > cuts[len(cuts)-1] {
				cuts = append(cuts, i)
			}
			i++
			continue
		}
		if isBlank(b[i]) {
			i++
			continue
		}
		i = max(skipWord(b, i), i+1)
	}
	return append(cuts, len(b))
}
