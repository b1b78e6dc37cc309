//go:build linux && (amd64 || arm64)

// Package probe makes the tiny child program that records its argv and its
// standard input exactly as the kernel gave them to it, and hands the record to
// the agent over an abstract unix socket.
//
// The program is written in Go's assembler and is part of the ordinary build;
// [Image] copies its instructions out of the running binary and puts an ELF
// header before them. It is a few hundred bytes, starts in a fraction of the
// time of a Go program, needs no files, no environment and no descriptors, and
// has the socket's name inside, so that nothing which a command does to its
// surroundings keeps a record from arriving.
package probe

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"runtime"
	"unsafe"
)

// StdinBound is how many bytes of its standard input a probe keeps.
const StdinBound = 64 << 10

// The image as it lies in memory. The text is one page at textAddr, with the
// ELF header before it; the data page, which follows in the file, holds the
// address of the socket and its length; the header of the record and the
// buffer for standard input follow.
const (
	loadAddr  = 0x400000
	dataAddr  = 0x601000
	dataOff   = 0x1000
	lengthOff = 128
	dataSize  = 200
	stdinAddr = 0x602000
	memSize   = stdinAddr - dataAddr + StdinBound + 8
	align     = 0x10000 // the largest page size of arm64
	headSize  = 64 + 2*56
)

// endMark stands behind the last instruction of code.
const endMark = 0x646e652d65626f72

// code is the program. It must not be called.
//
//lint:ignore U1000 codeAddress, in assembler, refers to it
func code()

func codeAddress() uintptr

// text returns the instructions of code.
func text() []byte {
	const most = 2048
	// The address is that of a function of ours, in memory that is never moved
	// or freed.
	addr := codeAddress()
	all := unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), most)
	mark := binary.LittleEndian.AppendUint64(nil, endMark)
	for n := 0; n+len(mark) <= most; n++ {
		if bytes.Equal(all[n:n+len(mark)], mark) {
			return all[:n]
		}
	}
	panic("probe: the end mark of the program is missing")
}

// Image returns the executable of a probe which sends its record to the
// abstract unix socket of that name. The name is at most 100 bytes long.
func Image(socket string) ([]byte, error) {
	if len(socket) > 100 {
		return nil, fmt.Errorf("probe: socket name of %d bytes, at most 100 fit", len(socket))
	}
	machine := map[string]uint16{"amd64": 62, "arm64": 183}[runtime.GOARCH]
	program := text()
	le := binary.LittleEndian

	b := make([]byte, 0, dataOff+dataSize)
	b = append(b, 0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	b = le.AppendUint16(b, 2) // ET_EXEC
	b = le.AppendUint16(b, machine)
	b = le.AppendUint32(b, 1)
	b = le.AppendUint64(b, loadAddr+headSize) // entry
	b = le.AppendUint64(b, 64)                // program headers
	b = le.AppendUint64(b, 0)
	b = le.AppendUint32(b, 0)
	for _, n := range []uint16{64, 56, 2, 64, 0, 0} {
		b = le.AppendUint16(b, n)
	}
	segment := func(flags uint32, off, addr, fileSize, memSize uint64) {
		b = le.AppendUint32(b, 1) // PT_LOAD
		b = le.AppendUint32(b, flags)
		for _, n := range []uint64{off, addr, addr, fileSize, memSize, align} {
			b = le.AppendUint64(b, n)
		}
	}
	size := uint64(headSize + len(program))
	segment(5, 0, loadAddr, size, size)
	segment(6, dataOff, dataAddr, dataSize, memSize)
	b = append(b, program...)

	b = append(b, make([]byte, dataOff+dataSize-len(b))...)
	data := b[dataOff:]
	le.PutUint16(data, 1) // AF_UNIX
	copy(data[3:], socket)
	le.PutUint32(data[lengthOff:], uint32(2+1+len(socket)))
	return b, nil
}
