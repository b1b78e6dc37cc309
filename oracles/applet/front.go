//go:build linux && (amd64 || arm64)

package applet

import (
	"fmt"

	"github.com/argvdiff/argvdiff/oracles/image"
)

// The data of the front are the path of the program. Behind them are two places for
// what the kernel tells, and the buffer of cat, which is as large as that of GNU.
const (
	mostPath   = 0x1000
	bufferAddr = 0x603000
	bufferSize = 128 << 10
)

// front is the program. It must not be called.
//
//lint:ignore U1000 frontAddress, in assembler, refers to it
func front()

func frontAddress() uintptr

// Front returns the executable of a front: a tiny program that lies under the names
// of the applets, does by itself what commands want of them most often, and executes
// the program of that absolute path, as the same applet, for all else. It starts in a
// fraction of the time of that program.
//
// By itself it is true and false, stty that switches echo on or off, and cat that
// copies standard input. Where anything goes wrong with these it executes the program
// too, which meets the same problem and has the words for it.
func Front(program string) ([]byte, error) {
	if len(program) >= mostPath || len(program) == 0 || program[0] != '/' {
		return nil, fmt.Errorf("applet: a front cannot execute %.100q: not an absolute path of less than %d bytes", program, mostPath)
	}
	return image.Executable(image.Code(frontAddress()), append([]byte(program), 0), bufferAddr-image.DataAddr+bufferSize), nil
}
