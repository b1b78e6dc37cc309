// Package image makes tiny static executables for Linux out of programs that are
// written in Go's assembler and are part of the ordinary build: it copies their
// instructions out of the running binary and puts an ELF header before them.
//
// Such a program stands by itself. It begins at its first instruction with what the
// kernel gives a process, refers to its data by the addresses here, and ends with
// the eight bytes of an end mark, which is never executed.
package image

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"unsafe"
)

// The image as it lies in memory. The text is one page at loadAddr, with the ELF
// header before it; the data, which follow in the file, have pages of their own.
const (
	loadAddr = 0x400000
	DataAddr = 0x601000 // where the data lie
	dataOff  = 0x1000
	align    = 0x10000 // the largest page size of arm64
	headSize = 64 + 2*56
)

// endMark stands behind the last instruction of a program.
const endMark = 0x646e652d65626f72

// Code returns the instructions of the program whose first one lies at the address,
// which must be that of a function.
func Code(address uintptr) []byte {
	const most = 2048
	// A function lies in memory that is never moved or freed.
	all := unsafe.Slice(*(**byte)(unsafe.Pointer(&address)), most)
	mark := binary.LittleEndian.AppendUint64(nil, endMark)
	n := bytes.Index(all, mark)
	if n < 0 {
		panic("image: the end mark of a program is missing")
	}
	return all[:n]
}

// Executable returns an executable of this architecture with that code, and with
// data at DataAddr. From there on it has memory of that many bytes, of which those
// behind the data are zero.
func Executable(code, data []byte, memory uint64) []byte {
	machine := map[string]uint16{"amd64": 62, "arm64": 183}[runtime.GOARCH]
	le := binary.LittleEndian

	b := make([]byte, 0, dataOff+len(data))
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
	size := uint64(headSize + len(code))
	segment(5, 0, loadAddr, size, size)
	segment(6, dataOff, DataAddr, uint64(len(data)), memory)
	b = append(b, code...)
	b = append(b, make([]byte, dataOff-len(b))...)
	return append(b, data...)
}
