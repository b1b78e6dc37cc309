//go:build amd64 || arm64

package agent

import (
	"fmt"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// undump keeps the commands out of the agent: its memory, its descriptors
// through /proc and tracing it are denied even to processes of the same user.
// Without this a case writes into /proc/1/fd/1 and forges frames.
func undump() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("becoming undumpable: %w", err)
	}
	return nil
}

// closeInherited closes what whoever started argvdiff has left open. It would
// reach the commands otherwise: Go closes only its own on exec.
func closeInherited() error {
	const dir = "/proc/self/fd"
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("closing inherited descriptors: %w", err)
	}
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil || fd <= 2 {
			continue
		}
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
			unix.Close(fd)
		}
	}
	return nil
}

// drop gives up every capability for good and forbids getting new privileges
// by executing a file.
func drop() error {
	if err := onAllThreads(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0); err != nil {
		return fmt.Errorf("forbidding new privileges: %w", err)
	}
	for c := uintptr(0); c <= 63; c++ {
		if err := onAllThreads(unix.SYS_PRCTL, unix.PR_CAPBSET_DROP, c, 0); err != nil {
			if err == unix.EINVAL && c > 0 {
				break // no more capabilities on this kernel
			}
			return fmt.Errorf("dropping capability %d: %w", c, err)
		}
	}
	if err := onAllThreads(unix.SYS_PRCTL, unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0); err != nil {
		return fmt.Errorf("clearing ambient capabilities: %w", err)
	}
	if err := dropEffective(); err != nil {
		return fmt.Errorf("dropping capabilities: %w", err)
	}
	return undump()
}

// onAllThreads makes a system call on every thread where the runtime can do
// that, which it cannot in a binary with cgo, as the race detector makes it;
// there it makes the call on this thread, from which all children come.
func onAllThreads(trap, a1, a2, a3 uintptr) error {
	_, _, errno := syscall.AllThreadsSyscall6(trap, a1, a2, a3, 0, 0, 0)
	if errno == unix.ENOTSUP {
		_, _, errno = syscall.RawSyscall6(trap, a1, a2, a3, 0, 0, 0)
	}
	if errno != 0 {
		return errno
	}
	return nil
}

// memoryRule is said in reports, since it is weaker than a bound on the whole.
var memoryRule = fmt.Sprintf("%d processes of %d MiB of address space each, %d MiB in use together", maxProcesses, maxAddressSpace>>20, maxResident>>20)

// The bounds on what one case may use.
const (
	maxProcesses    = 64 // counted when they are looked at
	hardProcesses   = 96 // enforced by the kernel, with the agent's threads
	maxAddressSpace = 256 << 20
	// In a terminal some programs are this one, whose runtime reserves much of
	// what it never uses, and has threads.
	terminalSpace     = 1 << 30
	terminalProcesses = 256

	maxResident    = 512 << 20
	maxFile        = 64 << 20
	maxDescriptors = 256
	maxSeconds     = 5 // of CPU a process; the budget of a run ends it before
)

// A limit is set on every shell before its first instruction.
type limit struct {
	what string
	id   int
	max  uint64
}

// limits returns the limits of a case, with the bounds given on the address space
// of a process and on the number of processes. The number of processes counts those of
// the user in the agent's user namespace, so in a home of namespaces it counts
// one home.
func limits(mode Mode, space, processes uint64) []limit {
	l := []limit{
		{"address space", unix.RLIMIT_AS, space},
		{"core size", unix.RLIMIT_CORE, 0},
		{"CPU time", unix.RLIMIT_CPU, maxSeconds},
		{"file size", unix.RLIMIT_FSIZE, maxFile},
		{"descriptors", unix.RLIMIT_NOFILE, maxDescriptors},
		{"locked memory", unix.RLIMIT_MEMLOCK, 0},
	}
	if mode == Namespace {
		// The threads of the agent count too. A container's engine has a bound of
		// its own, and there the processes of all containers would count.
		l = append(l, limit{"processes", unix.RLIMIT_NPROC, processes})
	}
	return l
}

// set bounds what the process may use, without raising what is lower already.
func (l limit) set(pid int) error {
	var old unix.Rlimit
	if err := unix.Prlimit(pid, l.id, nil, &old); err != nil {
		return fmt.Errorf("limit on %s: %w", l.what, err)
	}
	n := unix.Rlimit{Cur: min(l.max, old.Max), Max: min(l.max, old.Max)}
	if err := unix.Prlimit(pid, l.id, &n, nil); err != nil {
		return fmt.Errorf("limit on %s: %w", l.what, err)
	}
	return nil
}
