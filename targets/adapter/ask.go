package adapter

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// maxBatch is how many requests are open at a time.
const maxBatch = 256

// An Answer is one of a batch: a word, or the error that Quote would return.
type Answer struct {
	Word []byte
	Err  error
}

// Quote returns the word for a payload. The error is a Refusal, or a Fault of the
// adapter; of a fault that came at several open requests, or in a process that had
// served others, the input is asked once more, alone and in a fresh process.
func (a *Adapter) Quote(ctx context.Context, payload []byte) ([]byte, error) {
	answer := a.QuoteAll(ctx, [][]byte{payload})[0]
	return answer.Word, answer.Err
}

// QuoteAll is Quote for many payloads, which are sent without waiting for the
// answers in between.
func (a *Adapter) QuoteAll(ctx context.Context, payloads [][]byte) []Answer {
	answers := make([]Answer, len(payloads))
	a.all(ctx, Quoter, payloads, func(i int, body []byte, err error) error {
		answers[i] = Answer{body, err}
		return nil
	})
	return answers
}

// Split returns the pieces of a text.
func (a *Adapter) Split(ctx context.Context, text []byte) ([]Piece, error) {
	return one(ctx, a, Splitter, text, a.pieces)
}

// Judge returns the verdict on a text.
func (a *Adapter) Judge(ctx context.Context, text []byte) (Verdict, error) {
	return one(ctx, a, Guard, text, parseVerdict)
}

// Wrap returns the argv that executes a command.
func (a *Adapter) Wrap(ctx context.Context, command []byte) ([][]byte, error) {
	return one(ctx, a, Wrapper, command, func(b []byte) ([][]byte, error) {
		list, err := a.pieces(b)
		if err != nil {
			return nil, err
		}
		argv, err := words(list)
		if err == nil && len(argv) == 0 {
			err = errors.New("an argv without a program")
		}
		return argv, err
	})
}

// Run has a command executed and returns its exit status.
func (a *Adapter) Run(ctx context.Context, command []byte) (int, error) {
	return one(ctx, a, Runner, command, func(b []byte) (int, error) {
		n, ok := decimal(b)
		if !ok || n > 255 {
			return 0, fmt.Errorf("%s is no exit status", shown(b))
		}
		return int(n), nil
	})
}

// one asks for a single answer and parses it.
func one[T any](ctx context.Context, a *Adapter, role Role, input []byte, parse func([]byte) (T, error)) (v T, err error) {
	a.all(ctx, role, [][]byte{input}, func(_ int, body []byte, given error) error {
		err = given
		if given != nil {
			var none T
			v = none
			return nil
		}
		v, given = parse(body)
		return given
	})
	return v, err
}

// pieces reads a list in the form of the mode.
func (a *Adapter) pieces(b []byte) ([]Piece, error) {
	if a.spec.Mode == Frames && a.spec.Local == nil {
		return parsePieces(b)
	}
	return parseNULs(b)
}

// all asks for every input and hands on, for each, the body of the answer or an
// error. put may be called again for an input, and its last call stands; the
// error that it returns is one of the form of the answer.
func (a *Adapter) all(ctx context.Context, role Role, inputs [][]byte, put func(i int, body []byte, err error) error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var err error
	switch {
	case a.closed:
		err = fmt.Errorf("adapter %s is closed", a.spec.Name)
	case a.spec.Role != role:
		err = a.note(&Fault{What: WrongRole, Detail: fmt.Sprintf("%s, not %s", a.spec.Role, role)})
	}
	for i := 0; i < len(inputs); {
		switch {
		case err != nil:
			put(i, nil, err)
			i++
		case a.spec.Mode == Frames && a.spec.Local == nil:
			i, err = a.stretch(ctx, inputs, i, put)
		default:
			body, e := a.once(ctx, inputs[i])
			if form := put(i, body, e); form != nil {
				put(i, nil, a.note(&Fault{What: WrongForm, Detail: form.Error(), OfInput: true}))
			}
			i++
			err = ctx.Err()
		}
	}
}

// stretch asks for the inputs from one on, until all have an answer or a fault
// has been settled, and returns the first input that is still open.
func (a *Adapter) stretch(ctx context.Context, inputs [][]byte, from int, put func(i int, body []byte, err error) error) (next int, err error) {
	alone := false
	for from < len(inputs) {
		s, err := a.session(ctx)
		if ctx.Err() != nil {
			return from, ctx.Err()
		}
		if err != nil {
			put(from, nil, err)
			return from + 1, nil
		}
		if f := s.stray(0); f != nil { // it is about no input, or about an earlier one
			a.drop(f)
			a.note(f)
			continue
		}
		fresh := s.asked == 0
		chunk := inputs[from:min(from+maxBatch, len(inputs))]
		if alone {
			chunk = chunk[:1]
		}
		at, err := s.batch(ctx, chunk, alone, func(i int, f frame) error {
			if f.kind == kindRefused {
				return put(from+i, nil, &Refusal{string(f.body)})
			}
			return put(from+i, f.body, nil)
		})
		if ctx.Err() != nil {
			a.drop(nil)
			a.starts-- // it was not the adapter that ended it
			return from, ctx.Err()
		}
		var f *Fault
		if !errors.As(err, &f) {
			from += len(chunk)
			alone = false
			continue
		}
		a.drop(f)
		a.note(f)
		from += at
		if fresh && len(chunk) == 1 {
			f.OfInput = true
			put(from, nil, f)
			return from + 1, nil
		}
		alone = true
	}
	return from, nil
}

// parseNULs reads words that each end with a NUL.
func parseNULs(b []byte) ([]Piece, error) {
	list := []Piece{}
	for len(b) > 0 {
		n := slices.Index(b, 0)
		if n < 0 {
			return nil, fmt.Errorf("no NUL after the last word: %s", shown(b))
		}
		list = append(list, Piece{Word, b[:n:n]})
		b = b[n+1:]
	}
	return list, nil
}
