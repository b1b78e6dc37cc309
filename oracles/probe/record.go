//go:build linux && (amd64 || arm64)

package probe

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// ErrShort is returned by Decode while the record has not arrived whole.
var ErrShort = errors.New("probe: the record is not complete")

const recordHead = 40

// A Record is what one run of the probe was given.
type Record struct {
	Argv [][]byte
	// Stdin is what was read from standard input, at most StdinBound bytes;
	// nil where it could not be read or is a terminal, and of a front.
	Stdin []byte
	// Cut says that standard input went on behind Stdin, or broke off with an
	// error.
	Cut bool
	// InTTY, OutTTY and ErrTTY say that standard input, output and error are terminals.
	InTTY, OutTTY, ErrTTY bool
	// Number is that of the environment variable Variable, 0 without one.
	Number uint64
}

// Decode reads a record from the bytes that a probe sent.
func Decode(b []byte) (Record, error) {
	if len(b) < recordHead {
		return Record{}, ErrShort
	}
	le := binary.LittleEndian
	argc, argvLen := le.Uint64(b), le.Uint64(b[8:])
	state, stdinLen := le.Uint64(b[16:]), le.Uint64(b[24:])
	rest := b[recordHead:]
	if uint64(len(rest)) < argvLen || uint64(len(rest))-argvLen < stdinLen {
		return Record{}, ErrShort
	}
	if uint64(len(rest)) != argvLen+stdinLen || argc > argvLen || state > 31 || state&3 > 2 || stdinLen > StdinBound {
		return Record{}, errors.New("probe: malformed record")
	}
	r := Record{Argv: make([][]byte, 0, argc), Cut: state&3 == 2, InTTY: state&4 != 0, OutTTY: state&8 != 0, ErrTTY: state&16 != 0, Number: le.Uint64(b[32:])}
	args := rest[:argvLen]
	for len(args) > 0 {
		end := bytes.IndexByte(args, 0)
		if end < 0 {
			return Record{}, errors.New("probe: malformed record: an argument has no end")
		}
		r.Argv = append(r.Argv, args[:end:end])
		args = args[end+1:]
	}
	if uint64(len(r.Argv)) != argc {
		return Record{}, errors.New("probe: malformed record: the number of arguments is wrong")
	}
	if state&3 != 0 {
		r.Stdin = rest[argvLen : argvLen+stdinLen : argvLen+stdinLen]
	}
	return r, nil
}
