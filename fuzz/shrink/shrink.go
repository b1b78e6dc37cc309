package shrink

import (
	"context"
	"encoding/binary"
	"slices"
)

// Bytes returns the smallest string it finds for which keep answers yes, and how often it asked. The input is taken to
// be kept and is not asked about. Candidates hold no NUL unless the input does.
//
// An error is that of keep or of the context; the string returned with it is the best so far.
func Bytes(ctx context.Context, in []byte, keep Keep, opt Options) (smallest []byte, checks int, err error) {
	return BytesAll(ctx, in, oneByOne[[]byte](keep), opt)
}

// BytesAll is [Bytes] for a predicate that answers several candidates at once.
func BytesAll(ctx context.Context, in []byte, keep KeepAll, opt Options) (smallest []byte, checks int, err error) {
	j := newJudge(ctx, keep, func(buf []byte, c []byte) []byte { return append(buf, c...) }, opt)
	s := &shrinker{cur: slices.Clone(in), first: j.first, over: j.over}
	s.run()
	return s.cur, j.checks, j.err
}

// List returns the smallest list it finds for which keep answers yes: it takes out whole elements first and makes the
// remaining ones smaller after that. Everything else is as for [Bytes].
func List(ctx context.Context, in [][]byte, keep func([][]byte) (bool, error), opt Options) (smallest [][]byte, checks int, err error) {
	return ListAll(ctx, in, oneByOne(keep), opt)
}

// ListAll is [List] for a predicate that answers several candidates at once.
func ListAll(ctx context.Context, in [][]byte, keep func([][][]byte) ([]bool, error), opt Options) (smallest [][]byte, checks int, err error) {
	j := newJudge(ctx, keep, listKey, opt)
	cur := make([][]byte, len(in))
	for i, e := range in {
		cur[i] = slices.Clone(e)
	}
	for changed := true; changed && !j.over(); {
		changed = dropElements(j, &cur)
		for i := range cur {
			s := &shrinker{cur: cur[i], over: j.over}
			s.first = func(n int, build func(int) ([]byte, bool)) int {
				return j.first(n, func(k int) ([][]byte, bool) {
					c, ok := build(k)
					if !ok {
						return nil, false
					}
					list := slices.Clone(cur)
					list[i] = c
					return list, true
				})
			}
			s.accepted = func(b []byte) { cur[i] = b }
			changed = s.run() || changed
		}
	}
	return cur, j.checks, j.err
}

// dropElements takes elements out of the list, many at a time first.
func dropElements(j *judge[[][]byte], cur *[][]byte) bool {
	changed := false
	for size := len(*cur); size > 0; {
		hit := false
		for at := 0; at < len(*cur); {
			list := *cur
			without := func(from int) [][]byte {
				return slices.Concat(list[:from], list[min(from+size, len(list)):])
			}
			k := j.first((len(list)-at+size-1)/size, func(k int) ([][]byte, bool) {
				return without(at + k*size), true
			})
			if k < 0 {
				break
			}
			at += k * size
			*cur = without(at)
			hit, changed = true, true
		}
		size = nextSize(size, len(*cur), hit)
	}
	return changed
}

// nextSize is how many pieces are taken out at once after those of a size were tried: half of them, and single pieces
// again for as long as one could go.
func nextSize(size, n int, hit bool) int {
	if size == 1 {
		if hit && n > 0 {
			return 1
		}
		return 0
	}
	return min(size/2, max(n, 1))
}

func listKey(buf []byte, list [][]byte) []byte {
	for _, e := range list {
		buf = binary.AppendUvarint(buf, uint64(len(e)))
		buf = append(buf, e...)
	}
	return buf
}

// oneByOne makes a predicate for many candidates of one for a single candidate.
func oneByOne[T any](keep func(T) (bool, error)) func([]T) ([]bool, error) {
	return func(candidates []T) ([]bool, error) {
		answers := make([]bool, len(candidates))
		for i, c := range candidates {
			var err error
			if answers[i], err = keep(c); err != nil {
				return nil, err
			}
		}
		return answers, nil
	}
}

// shrinker runs the passes over one string.
type shrinker struct {
	cur      []byte
	first    func(n int, build func(int) ([]byte, bool)) int
	over     func() bool
	accepted func([]byte) // told about every smaller string, if set

	cuts  []int
	spans []span
}

// run repeats all passes until none of them finds anything. Coarse passes come first: what they take out need not be
// taken out in pieces.
func (s *shrinker) run() bool {
	from := s.cur
	for round := 0; ; round++ {
		before := s.cur
		for _, pass := range []func(){
			s.keepPart,
			func() { s.deleteChunks(cutLines) },
			func() { s.deleteChunks(cutWords) },
			s.unwrap,
			func() { s.deleteChunks(cutTokens) },
			func() { s.deleteChunks(cutBytes) },
			s.plainWords,
			s.plainBytes,
		} {
			if s.over() {
				break
			}
			pass()
		}
		if s.over() || slices.Equal(before, s.cur) {
			return !slices.Equal(from, s.cur)
		}
	}
}

// try asks about n candidates and takes the first that is kept. Only smaller ones are asked about, so that the search
// ends.
func (s *shrinker) try(n int, build func(i int) []byte) int {
	k := s.first(n, func(i int) ([]byte, bool) {
		c := build(i)
		return c, smaller(c, s.cur)
	})
	if k >= 0 {
		s.cur = build(k)
		if s.accepted != nil {
			s.accepted(s.cur)
		}
	}
	return k
}

// deleteChunks takes out the pieces that cut makes of the text, many neighbours at once first.
func (s *shrinker) deleteChunks(cut func([]int, []byte) []int) {
	s.cuts = cut(s.cuts, s.cur)
	for size := len(s.cuts) - 1; size > 0 && !s.over(); {
		hit := false
		// Earlier pieces are not tried again in this sweep: the next one does that.
		for at := 0; at < len(s.cuts)-1; {
			pieces := len(s.cuts) - 1
			n := (pieces - at + size - 1) / size
			k := s.try(n, func(i int) []byte {
				from := at + i*size
				to := min(from+size, pieces)
				return slices.Concat(s.cur[:s.cuts[from]], s.cur[s.cuts[to]:])
			})
			if k < 0 {
				break
			}
			hit = true
			at += k * size
			to := min(at+size, pieces)
			gone := s.cuts[to] - s.cuts[at]
			s.cuts = slices.Delete(s.cuts, at, to)
			for i := at; i < len(s.cuts); i++ {
				s.cuts[i] -= gone
			}
		}
		size = nextSize(size, len(s.cuts)-1, hit)
	}
}

// unwrap takes out pairs of quotes, brackets or keywords: all they enclose and more, or only themselves.
func (s *shrinker) unwrap() {
	for !s.over() {
		s.spans = spans(s.spans, s.cur)
		list := s.spans
		k := s.try(3*len(list), func(i int) []byte {
			p := list[i%len(list)]
			inside := s.cur[p.inner:p.innerEnd]
			switch i / len(list) {
			case 0: // nothing but the inside
				return slices.Clone(inside)
			case 1: // all but the pair and what it encloses
				return slices.Concat(s.cur[:p.from], s.cur[p.end:])
			default: // all but the pair
				return slices.Concat(s.cur[:p.from], inside, s.cur[p.end:])
			}
		})
		if k < 0 {
			return
		}
	}
}
