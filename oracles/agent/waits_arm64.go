//go:build linux

package agent

import "golang.org/x/sys/unix"

// readCalls and selectCalls are the system calls in which a program may wait for
// its input: those whose first argument is a descriptor, and those whose first
// argument is one more than the highest of several.
var (
	readCalls   = []int{unix.SYS_READ, unix.SYS_READV}
	selectCalls = []int{unix.SYS_PSELECT6}
)
