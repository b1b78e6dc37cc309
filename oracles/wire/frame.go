package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Version is the version of the protocol. Both sides say theirs first and stop
// where they differ.
const Version = 4

// MaxFrame bounds the body of a frame, in bytes.
const MaxFrame = 64 << 20

// Kind says what a frame holds.
type Kind byte

// The kinds of frames. The ones up to Play go to the agent.
const (
	File     Kind = 'F' // a file for the root of the home
	Start    Kind = 'S' // no more files: build the home
	Run      Kind = 'R' // run a shell
	Repeat   Kind = 'L' // start a program many times, for the clock alone
	Type     Kind = 'T' // type lines into interactive shells
	Play     Kind = 'P' // send commands as the modelled tool does
	Ready    Kind = 'r' // the home stands
	Parked   Kind = 'p' // everything in a run sleeps: it needs no processor for now
	Done     Kind = 'd' // the answer to Run
	Repeated Kind = 'l' // the answer to Repeat
	Script   Kind = 't' // the answer to Type
	Answered Kind = 'a' // the answer to Play
	Fault    Kind = 'f' // the agent cannot go on: the body says why
)

// A Frame is the unit of transport. ID ties an answer to its question.
type Frame struct {
	Kind Kind
	ID   uint64
	Body []byte
}

// AppendFrame appends the bytes of f to b.
func AppendFrame(b []byte, f Frame) []byte {
	b = append(b, byte(f.Kind))
	b = binary.LittleEndian.AppendUint64(b, f.ID)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(f.Body)))
	return append(b, f.Body...)
}

// ReadFrame reads one frame. It returns io.EOF at the end of the stream and
// io.ErrUnexpectedEOF inside a frame.
func ReadFrame(r io.Reader) (Frame, error) {
	var head [13]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return Frame{}, err
	}
	f := Frame{Kind: Kind(head[0]), ID: binary.LittleEndian.Uint64(head[1:])}
	n := binary.LittleEndian.Uint32(head[9:])
	if n > MaxFrame {
		return Frame{}, fmt.Errorf("wire: frame of %d bytes, more than the bound of %d", n, MaxFrame)
	}
	f.Body = make([]byte, n)
	if _, err := io.ReadFull(r, f.Body); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return Frame{}, err
	}
	return f, nil
}

// encoder and decoder write and read the fields of a body. A decoder keeps its
// first error; what it returns after that is empty.
type encoder struct{ b []byte }

func (e *encoder) uint(n uint64) { e.b = binary.AppendUvarint(e.b, n) }

func (e *encoder) bool(v bool) {
	n := byte(0)
	if v {
		n = 1
	}
	e.b = append(e.b, n)
}

func (e *encoder) bytes(v []byte) {
	e.uint(uint64(len(v)))
	e.b = append(e.b, v...)
}

// maybe writes bytes that may be nil.
func (e *encoder) maybe(v []byte) {
	e.bool(v != nil)
	if v != nil {
		e.bytes(v)
	}
}

func (e *encoder) list(v [][]byte) {
	e.uint(uint64(len(v)))
	for _, s := range v {
		e.bytes(s)
	}
}

type decoder struct {
	b   []byte
	err error
}

var errBody = errors.New("wire: malformed frame body")

func (d *decoder) uint() uint64 {
	n, size := binary.Uvarint(d.b)
	if size <= 0 {
		d.b, d.err = nil, errBody
		return 0
	}
	d.b = d.b[size:]
	return n
}

// count reads a number of items that follow, each of at least one byte.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.b)) {
		d.b, d.err = nil, errBody
		return 0
	}
	return int(n)
}

func (d *decoder) bool() bool {
	if len(d.b) == 0 || d.b[0] > 1 {
		d.b, d.err = nil, errBody
		return false
	}
	v := d.b[0] == 1
	d.b = d.b[1:]
	return v
}

func (d *decoder) bytes() []byte {
	n := d.count()
	v := d.b[:n:n]
	d.b = d.b[n:]
	return v
}

func (d *decoder) maybe() []byte {
	if !d.bool() {
		return nil
	}
	return d.bytes()
}

func (d *decoder) list() [][]byte {
	v := make([][]byte, d.count())
	for i := range v {
		v[i] = d.bytes()
	}
	return v
}

// end returns the first error, or one where something is left over.
func (d *decoder) end() error {
	if d.err == nil && len(d.b) > 0 {
		d.err = errBody
	}
	return d.err
}
