package group

import "bytes"

// A change is a stretch of a list that has become another one.
type change struct {
	// From and To bound the stretch in the list as it should be.
	From, To int
	// Got is what stands there instead.
	Got [][]byte
}

// maxShift bounds how far a list is searched for the place where it goes on as
// it should.
const maxShift = 24

// align returns where got differs from want. The stretches between the changes
// are equal in both.
func align(want, got [][]byte) []change {
	var changes []change
	w, g := 0, 0
	for w < len(want) || g < len(got) {
		if w < len(want) && g < len(got) && bytes.Equal(want[w], got[g]) {
			w++
			g++
			continue
		}
		if len(want) == len(got) {
			// Of as many as there should be, each stands for itself.
			changes = append(changes, change{w, w + 1, got[g : g+1 : g+1]})
			w++
			g++
			continue
		}
		dw, dg := resume(want[w:], got[g:])
		if last := len(changes) - 1; last >= 0 && changes[last].To == w {
			changes[last].To, changes[last].Got = w+dw, append(changes[last].Got[:len(changes[last].Got):len(changes[last].Got)], got[g:g+dg]...)
		} else {
			changes = append(changes, change{w, w + dw, got[g : g+dg : g+dg]})
		}
		w, g = w+dw, g+dg
	}
	return changes
}

// resume returns how much of both lists to leave out so that they go on alike:
// the least, and never nothing of want while there is some.
func resume(want, got [][]byte) (dw, dg int) {
	for sum := 1; sum <= 2*maxShift; sum++ {
		for dw := min(sum, len(want)); dw >= 0; dw-- {
			dg := sum - dw
			if dg > len(got) || (dw == 0 && len(want) > 0) {
				continue
			}
			if alike(want[dw:], got[dg:]) {
				return dw, dg
			}
		}
	}
	return len(want), len(got)
}

// alike reports whether both lists begin with the same elements, as many as it
// takes to believe that this is no chance, or end together.
func alike(a, b [][]byte) bool {
	const enough = 3
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	for i := range enough {
		if i == len(a) || i == len(b) {
			return len(a) == len(b)
		}
		if !bytes.Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

// A Part is a member of a call of which something else has arrived.
type Part struct {
	Member int
	// Got is what has arrived of it. Sure is false where that cannot be told
	// from what has arrived of its neighbours.
	Got  [][]byte
	Sure bool

	begin, end int
}

// Apart says what has become of the members of a call: sizes tells how many of
// the elements of want each of them has. It returns only those that have
// changed, in order.
func Apart(sizes []int, want, got [][]byte) []Part {
	var parts []Part
	m, from := 0, 0 // the member, and its first element in want
	shift := 0      // by which the place in got is another one
	for _, c := range align(want, got) {
		// What comes behind the last element is the last member's.
		for m < len(sizes)-1 && c.From >= from+sizes[m] {
			from += sizes[m]
			m++
		}
		if last := len(parts) - 1; len(c.Got) > c.To-c.From && c.From == from && m > 0 && (last < 0 || parts[last].Member < m) {
			// More has arrived between two members: it may be of either.
			if last >= 0 && parts[last].Member == m-1 {
				parts[last].Sure = false
			} else {
				parts = append(parts, Part{Member: m - 1})
			}
			parts = append(parts, Part{Member: m})
		}
		if len(parts) == 0 || parts[len(parts)-1].Member != m {
			parts = append(parts, Part{Member: m, Sure: true, begin: from + shift, end: from + sizes[m] + shift})
		}
		grown := len(c.Got) - (c.To - c.From)
		parts[len(parts)-1].end += grown
		shift += grown
		for m < len(sizes)-1 && c.To > from+sizes[m] {
			parts[len(parts)-1].Sure = false
			from += sizes[m]
			m++
			parts = append(parts, Part{Member: m})
		}
	}
	for i := range parts {
		if p := &parts[i]; p.Sure {
			p.Got = got[p.begin:p.end:p.end]
		}
	}
	return parts
}
