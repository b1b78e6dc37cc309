package adapter

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// closeTime is how long an adapter may take to end when its input has ended, and
// settleTime how long one that is watched may take to say something unasked.
const (
	closeTime  = 500 * time.Millisecond
	settleTime = 50 * time.Millisecond
)

// A session is one process that speaks the protocol. The first fault ends it.
type session struct {
	p     *process
	r     *bufio.Reader
	spec  Spec
	hello Hello
	// asked is the id of the last request. Ids count from 1.
	asked uint64
}

func newSession(p *process, spec Spec) *session {
	return &session{p: p, r: bufio.NewReaderSize(p.stdout, 64<<10), spec: spec}
}

// greet reads the hello.
func (s *session) greet(ctx context.Context) (Hello, error) {
	defer context.AfterFunc(ctx, s.stop)()
	s.p.deadline(time.Now().Add(s.spec.StartTime))
	line, err := s.line(maxHello)
	switch {
	case ctx.Err() != nil:
		return Hello{}, ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded) && !s.p.exited(0) && len(line) == 0:
		return Hello{}, &Fault{What: NoHello, Detail: fmt.Sprintf("none within %s", s.spec.StartTime)}
	case err != nil && (len(line) > 0 || errors.Is(err, errLine)):
		return Hello{}, &Fault{What: Garbage, Detail: "where the hello should stand: " + s.seen(line)}
	case err != nil:
		return Hello{}, s.broken(err, "before its hello")
	}
	h, err := parseHello(strings.TrimSuffix(string(line), "\n"))
	var bad *helloError
	switch {
	case errors.As(err, &bad):
		return Hello{}, &Fault{What: bad.what, Detail: bad.detail}
	case s.spec.Role != "" && h.Role != s.spec.Role:
		return Hello{}, &Fault{What: WrongRole, Detail: fmt.Sprintf("%s, not %s", h.Role, s.spec.Role)}
	}
	s.hello = h
	return h, nil
}

// stop makes every read return now.
func (s *session) stop() { s.p.cap(time.Unix(1, 0)) }

var (
	errLine = errors.New("no newline")
	newline = []byte("\n")
)

// line reads up to a newline and no more than max bytes. Without an error the
// newline is the last one.
func (s *session) line(max int) ([]byte, error) {
	var line []byte
	for len(line) < max {
		c, err := s.r.ReadByte()
		if err != nil {
			return line, err
		}
		line = append(line, c)
		if c == '\n' {
			return line, nil
		}
	}
	return line, errLine
}

// seen shows bytes that were read and the ones that wait behind them.
func (s *session) seen(read []byte) string {
	rest, _ := s.r.Peek(min(s.r.Buffered(), shownBytes))
	return shown(append(bytes.Clone(read), rest...))
}

// broken names what the end of a read means.
func (s *session) broken(err error, when string) *Fault {
	ended := s.p.exited(0)
	if !ended && !errors.Is(err, os.ErrDeadlineExceeded) {
		ended = s.p.exited(graceTime)
	}
	switch {
	case ended:
		return &Fault{What: Exited, Detail: how(s.p.state) + ", " + when}
	case errors.Is(err, io.EOF):
		return &Fault{What: ClosedOutput, Detail: "and goes on, " + when}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &Fault{What: Sleeps, Detail: fmt.Sprintf("no answer within %s (if it has answered: its output is not flushed)", s.spec.AnswerTime)}
	}
	return &Fault{What: Exited, Detail: err.Error()}
}

// answer reads one frame.
func (s *session) answer() (frame, *Fault) {
	s.p.deadline(time.Now().Add(s.spec.AnswerTime))
	first, err := s.r.Peek(1)
	if err != nil {
		return frame{}, s.broken(err, "before it answered")
	}
	if first[0] < '0' || '9' < first[0] {
		return frame{}, &Fault{What: Garbage, Detail: "where an answer should begin: " + s.seen(nil)}
	}
	line, err := s.line(maxHead)
	if err != nil && !errors.Is(err, errLine) {
		return frame{}, s.broken(err, "inside the head of an answer")
	}
	f, size, ok := parseHead(bytes.TrimSuffix(line, newline))
	if err != nil || !ok {
		return frame{}, &Fault{What: Garbage, Detail: "where an answer should begin: " + s.seen(line)}
	}
	if size > s.spec.MaxAnswer {
		return frame{}, &Fault{What: TooMuch, Detail: fmt.Sprintf("announces %d bytes, of which %d are allowed", size, s.spec.MaxAnswer)}
	}
	f.body = make([]byte, size+1)
	n, err := io.ReadFull(s.r, f.body)
	if errors.Is(err, os.ErrDeadlineExceeded) && !s.p.exited(0) {
		return frame{}, &Fault{What: LiesLength, Detail: fmt.Sprintf("announces %d bytes and a newline, and writes %d", size, n)}
	}
	if err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = io.EOF
		}
		return frame{}, s.broken(err, fmt.Sprintf("after %d of %d bytes of an answer", n, size))
	}
	if f.body[size] != '\n' {
		return frame{}, &Fault{What: LiesLength, Detail: fmt.Sprintf("no newline after the %d bytes that it announces: %s", size, s.seen(f.body[size:]))}
	}
	f.body = f.body[:size:size]
	return f, nil
}

// batch sends requests and hands on the answers in their order. Of an error, at
// is the input at which it came: the answers before that one stand, also where
// it has been handed on. With watch it waits a little for what comes unasked.
func (s *session) batch(ctx context.Context, inputs [][]byte, watch bool, take func(i int, f frame) error) (at int, err error) {
	defer context.AfterFunc(ctx, s.stop)()
	first := s.asked + 1
	written := make(chan error, 1)
	s.p.stdin.SetWriteDeadline(time.Time{})
	go func() { written <- s.write(first, inputs) }()
	s.asked += uint64(len(inputs))
	// Whoever gets an error kills the process, and with that ends the writing.
	for i := range inputs {
		f, fault := s.answer()
		if ctx.Err() != nil {
			return i, ctx.Err()
		}
		if fault != nil {
			return i, fault
		}
		if id := first + uint64(i); f.id != id {
			if f.id < id && f.id >= first {
				return int(f.id - first), twice(f.id)
			}
			return i, &Fault{What: OtherRequest, Detail: fmt.Sprintf("%d instead of %d", f.id, id)}
		}
		if f.kind != s.hello.Role.answer() && f.kind != kindRefused {
			return i, &Fault{What: WrongForm, Detail: fmt.Sprintf("%c, where a %s answers %c or %c", f.kind, s.hello.Role, s.hello.Role.answer(), kindRefused)}
		}
		if err := take(i, f); err != nil {
			return i, &Fault{What: WrongForm, Detail: err.Error()}
		}
	}
	last := len(inputs) - 1
	s.p.stdin.SetWriteDeadline(time.Now().Add(s.spec.AnswerTime))
	if err := <-written; errors.Is(err, os.ErrDeadlineExceeded) {
		return last, &Fault{What: Chatters, Detail: "it answers a request that it has not read"}
	}
	settle := time.Duration(0)
	if watch {
		settle = settleTime
	}
	if f := s.stray(settle); f != nil && f.What != Exited && f.What != ClosedOutput {
		return last, f
	}
	return 0, nil
}

func twice(id uint64) *Fault {
	return &Fault{What: Twice, Detail: fmt.Sprintf("the request %d", id)}
}

func (s *session) write(id uint64, inputs [][]byte) error {
	var b []byte
	for i, input := range inputs {
		b = appendFrame(b, frame{id + uint64(i), s.hello.Role[0], input})
		if len(b) < 32<<10 && i < len(inputs)-1 {
			continue
		}
		if _, err := s.p.stdin.Write(b); err != nil {
			return err
		}
		b = b[:0]
	}
	return nil
}

// waiting reports whether a read of the output would return at once.
func (s *session) waiting() bool {
	raw, err := s.p.stdout.SyscallConn()
	if err != nil {
		return true
	}
	ready := 0
	err = raw.Control(func(fd uintptr) {
		ready, _ = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
	})
	return err != nil || ready > 0
}

// stray returns a fault where the adapter has said something though nothing is
// open, or has ended.
func (s *session) stray(settle time.Duration) *Fault {
	if s.r.Buffered() == 0 && settle == 0 && !s.waiting() {
		return nil
	}
	s.p.deadline(time.Now().Add(max(settle, settleTime)))
	if _, err := s.r.Peek(1); err != nil {
		if errors.Is(err, os.ErrDeadlineExceeded) && !s.p.exited(0) {
			return nil
		}
		return s.broken(err, "between requests")
	}
	// The head of a frame tells a second answer from noise.
	line, _ := s.line(maxHead)
	if f, _, ok := parseHead(bytes.TrimSuffix(line, newline)); ok && 0 < f.id && f.id <= s.asked {
		return twice(f.id)
	}
	return &Fault{What: Chatters, Detail: "without a request: " + s.seen(line)}
}

// end lets the adapter end and returns what it has said unasked.
func (s *session) end() *Fault {
	s.p.stdin.Close()
	f := s.stray(closeTime)
	if f != nil && (f.What == Exited || f.What == ClosedOutput) {
		f = nil
	}
	s.p.kill()
	if f != nil {
		f.Stderr = s.p.tail.bytes()
	}
	return f
}
