//go:build amd64 || arm64

package agent

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// An input feeds the shell's standard input through a pipe. The zero input
// feeds nothing.
type input struct {
	end  int
	live bool
	rest []byte
}

// open makes the pipe and returns the end that the shell reads.
func (in *input) open(text []byte) (read int, err error) {
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_CLOEXEC); err != nil {
		return -1, fmt.Errorf("pipe: %w", err)
	}
	in.end, in.live, in.rest = fds[1], true, text
	if err := unix.SetNonblock(in.end, true); err != nil {
		unix.Close(fds[0])
		return -1, err
	}
	in.feed()
	return fds[0], nil
}

// typeInto feeds text to a terminal through a copy of its master's descriptor.
func (in *input) typeInto(master int, text []byte) error {
	end, err := dup(uintptr(master))
	if err != nil {
		return err
	}
	in.end, in.live, in.rest = end, true, text
	in.feed()
	return nil
}

// fd is what to poll for writing, or -1.
func (in *input) fd() int {
	if !in.live {
		return -1
	}
	return in.end
}

// feed writes what the pipe takes and closes it behind the last byte. It
// reports whether anything moved.
func (in *input) feed() bool {
	moved := false
	for in.live {
		if len(in.rest) == 0 {
			in.close()
			return true
		}
		n, err := retry(func() (int, error) { return unix.Write(in.end, in.rest) })
		if err == unix.EAGAIN {
			return moved
		}
		if err != nil {
			in.close() // the shell does not read any more
			return true
		}
		in.rest = in.rest[n:]
		moved = true
	}
	return moved
}

func (in *input) close() {
	if in.live {
		unix.Close(in.end)
		in.live = false
	}
}
