//go:build linux && (amd64 || arm64)

// Package probe makes the tiny child program that records its argv and its
// standard input exactly as the kernel gave them to it, and hands the record to
// the agent over an abstract unix socket.
//
// The program is written in Go's assembler; [Image] makes an executable of it as
// package image does. It is a few hundred bytes, starts in a fraction of the time
// of a Go program, needs no files, no environment and no descriptors, and has the
// socket's name inside, so that nothing which a command does to its surroundings
// keeps a record from arriving.
package probe

import (
	"encoding/binary"
	"fmt"

	"github.com/argvdiff/argvdiff/oracles/image"
)

// StdinBound is how many bytes of its standard input a probe keeps.
const StdinBound = 64 << 10

// The data hold the address of the socket and its length; the header of the record
// and the buffer for standard input follow.
const (
	lengthOff = 128
	dataSize  = 200
	stdinAddr = 0x602000
	memSize   = stdinAddr - image.DataAddr + StdinBound + 8
)

// code is the program. It must not be called.
//
//lint:ignore U1000 codeAddress, in assembler, refers to it
func code()

func codeAddress() uintptr

// Image returns the executable of a probe which sends its record to the
// abstract unix socket of that name. The name is at most 100 bytes long.
func Image(socket string) ([]byte, error) {
	if len(socket) > 100 {
		return nil, fmt.Errorf("probe: socket name of %d bytes, at most 100 fit", len(socket))
	}
	data := make([]byte, dataSize)
	le := binary.LittleEndian
	le.PutUint16(data, 1) // AF_UNIX
	copy(data[3:], socket)
	le.PutUint32(data[lengthOff:], uint32(2+1+len(socket)))
	return image.Executable(image.Code(codeAddress()), data, memSize), nil
}
