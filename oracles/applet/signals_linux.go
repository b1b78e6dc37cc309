package applet

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// defaultSignals gives the signals that the Go runtime catches, and of which it
// would not end the process as the system does, back to the system. Among them is
// SIGPIPE, so that a write to a broken pipe ends the process whatever the
// descriptor. SIGHUP, SIGINT and SIGTERM the runtime treats as the system does.
func defaultSignals() {
	// A sigaction of zeros, which is the default action with nothing blocked.
	var action [4]uint64
	for _, s := range [...]unix.Signal{
		unix.SIGQUIT, unix.SIGILL, unix.SIGTRAP, unix.SIGABRT, unix.SIGUSR1, unix.SIGUSR2,
		unix.SIGPIPE, unix.SIGALRM, unix.SIGXCPU, unix.SIGXFSZ, unix.SIGVTALRM, unix.SIGPROF,
		unix.SIGIO, unix.SIGPWR, unix.SIGSYS, unix.SIGSTKFLT,
	} {
		unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(s), uintptr(unsafe.Pointer(&action)), 0, 8, 0, 0)
	}
}
