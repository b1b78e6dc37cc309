package shrink

import (
	"context"
	"errors"
	"fmt"
)

// Keep reports whether a candidate still shows what is being minimised. It must not change the candidate. Its error
// ends the search.
type Keep func(candidate []byte) (bool, error)

// KeepAll is Keep for several candidates at once, for predicates that answer many in one round trip. It returns one
// answer for each candidate.
type KeepAll func(candidates [][]byte) ([]bool, error)

// Options bound a search.
type Options struct {
	// MaxChecks is how many candidates the predicate is asked about at most; 0 stands for DefaultMaxChecks. When they
	// are used up, the best result so far is returned without an error.
	MaxChecks int

	// Batch is how many candidates KeepAll gets at once at most; 0 stands for 1. A larger batch saves round trips and
	// costs checks, for answers behind the first yes are not used. It does not change the result unless the checks run
	// out.
	Batch int
}

// DefaultMaxChecks bounds a search whose options do not.
const DefaultMaxChecks = 2000

// errAnswers is the error for a KeepAll that does not answer what it was asked.
var errAnswers = errors.New("shrink: the predicate returned another number of answers than it got candidates")

// judge asks the predicate, remembers the answers and counts them.
type judge[T any] struct {
	ctx    context.Context
	ask    func([]T) ([]bool, error)
	key    func([]byte, T) []byte
	batch  int
	left   int
	checks int
	memo   map[string]bool
	err    error

	buf     []byte
	pending []T
	order   []int
	keys    []string
}

func newJudge[T any](ctx context.Context, ask func([]T) ([]bool, error), key func([]byte, T) []byte, opt Options) *judge[T] {
	j := &judge[T]{ctx: ctx, ask: ask, key: key, batch: max(1, opt.Batch), left: opt.MaxChecks, memo: make(map[string]bool)}
	if j.left <= 0 {
		j.left = DefaultMaxChecks
	}
	return j
}

// over reports whether nothing can be asked any more.
func (j *judge[T]) over() bool { return j.err != nil || j.left <= 0 }

// first returns the lowest of the numbers 0 to n-1 whose candidate is kept, or -1. Candidates come from build, which
// may decline to make one. They are asked in batches, but it is always the first yes in order that counts: so the size
// of a batch does not steer the search.
func (j *judge[T]) first(n int, build func(i int) (T, bool)) int {
	j.reset()
	for i := 0; i < n && !j.over(); i++ {
		c, ok := build(i)
		if !ok {
			continue
		}
		j.buf = j.key(j.buf[:0], c)
		answer, known := j.memo[string(j.buf)]
		switch {
		case known && answer:
			if hit := j.flush(); hit >= 0 || j.err != nil {
				return hit
			}
			return i
		case known:
			continue
		}
		k := string(j.buf)
		if j.isPending(k) {
			continue
		}
		j.pending = append(j.pending, c)
		j.order = append(j.order, i)
		j.keys = append(j.keys, k)
		if len(j.pending) >= min(j.batch, j.left) {
			if hit := j.flush(); hit >= 0 || j.err != nil {
				return hit
			}
		}
	}
	return j.flush()
}

func (j *judge[T]) isPending(k string) bool {
	for _, p := range j.keys {
		if p == k {
			return true
		}
	}
	return false
}

// flush asks about the pending candidates and returns the number of the first that is kept, or -1.
func (j *judge[T]) flush() int {
	defer j.reset()
	if len(j.pending) == 0 || j.over() {
		return -1
	}
	if j.err = j.ctx.Err(); j.err != nil {
		return -1
	}
	j.checks += len(j.pending)
	j.left -= len(j.pending)
	answers, err := j.ask(j.pending)
	if err != nil {
		j.err = fmt.Errorf("failed to check a candidate: %w", err)
		return -1
	}
	if len(answers) != len(j.pending) {
		j.err = errAnswers
		return -1
	}
	hit := -1
	for i, yes := range answers {
		j.memo[j.keys[i]] = yes
		if yes && hit < 0 {
			hit = j.order[i]
		}
	}
	return hit
}

func (j *judge[T]) reset() {
	clear(j.pending)
	j.pending, j.order, j.keys = j.pending[:0], j.order[:0], j.keys[:0]
}
