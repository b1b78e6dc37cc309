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
//
// A front is the same program with the path of another one inside: it does not read
// its standard input and, with the record handed over, executes that one.
package probe

import (
	"encoding/binary"
	"fmt"

	"github.com/argvdiff/argvdiff/oracles/image"
)

// StdinBound is how many bytes of its standard input a probe keeps.
const StdinBound = 64 << 10

// The data hold the address of the socket and its length; the header of the record
// follows, then for a front its flags and its program; the buffer for standard input
// is behind them.
const (
	lengthOff = 128
	dataSize  = 200
	flagsOff  = 200
	pathOff   = 208
	mostPath  = 0x1000 - pathOff
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
	data, err := data(socket)
	if err != nil {
		return nil, err
	}
	return image.Executable(image.Code(codeAddress()), data, memSize), nil
}

// Front returns the executable of a front, which sends its record and executes the
// program of that absolute path with the argv and the environment that it was given.
// One for a shell succeeds instead where it has no argument and its standard input is
// a terminal.
func Front(socket, program string, shell bool) ([]byte, error) {
	if len(program) >= mostPath || len(program) == 0 || program[0] != '/' {
		return nil, fmt.Errorf("probe: a front cannot execute %.100q: not an absolute path of less than %d bytes", program, mostPath)
	}
	data, err := data(socket)
	if err != nil {
		return nil, err
	}
	data = append(data, make([]byte, pathOff-flagsOff)...)
	if shell {
		data[flagsOff] = 1
	}
	data = append(append(data, program...), 0)
	return image.Executable(image.Code(codeAddress()), data, memSize), nil
}

// data returns the data of a probe.
func data(socket string) ([]byte, error) {
	if len(socket) > 100 {
		return nil, fmt.Errorf("probe: socket name of %d bytes, at most 100 fit", len(socket))
	}
	data := make([]byte, dataSize)
	le := binary.LittleEndian
	le.PutUint16(data, 1) // AF_UNIX
	copy(data[3:], socket)
	le.PutUint32(data[lengthOff:], uint32(2+1+len(socket)))
	return data, nil
}
