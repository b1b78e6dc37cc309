package home

import (
	"context"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

// Turns lets only so many of many homes run at the same time: as many as there
// are processors. A home in which everything sleeps gives its turn to another
// one, so that what hangs costs time and no processor. It does the rest of its
// requests without one: for so long there may be one more at work.
type Turns struct{ free chan struct{} }

// NewTurns returns n turns.
func NewTurns(n int) *Turns { return &Turns{make(chan struct{}, n)} }

// Share returns the home with its runs taking turns.
func (t *Turns) Share(h Home) Home { return &sharing{h, t} }

type sharing struct {
	Home
	turns *Turns
}

func (s *sharing) Run(ctx context.Context, requests ...wire.Request) ([]wire.Result, error) {
	defer s.take()()
	return s.Home.Run(ctx, requests...)
}

func (s *sharing) Type(ctx context.Context, t wire.Typing) (wire.Typescript, error) {
	defer s.take()()
	return s.Home.Type(ctx, t)
}

func (s *sharing) Play(ctx context.Context, p wire.Playing) ([]wire.Answer, error) {
	defer s.take()()
	return s.Home.Play(ctx, p)
}

// take waits for a turn and returns what gives it back, if that was not done
// earlier since everything slept.
func (s *sharing) take() (give func()) {
	s.turns.free <- struct{}{}
	holds := true
	give = func() {
		if holds {
			holds = false
			<-s.turns.free
		}
	}
	if l, ok := s.Home.(*link); ok {
		l.parked = give // called within Run, Type and Play
	}
	return give
}
