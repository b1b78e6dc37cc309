//go:build amd64 || arm64

package agent

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// A load is what the living processes of a run amount to.
type load struct {
	cpu      time.Duration // theirs and that of children that they have waited for
	running  bool          // at least one is on a processor, waits for one, or for a disk
	resident int           // bytes
	count    int
}

// jiffy is the unit of CPU times in /proc, the same on every architecture that
// we run on.
const jiffy = 10 * time.Millisecond

// childTime is the CPU time of all children of the agent that have ended.
func childTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_CHILDREN, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// reap takes the children that have ended, and reports whether none is left.
func reap(ended func(pid int, status unix.WaitStatus)) (none bool, err error) {
	for {
		var status unix.WaitStatus
		pid, err := retry(func() (int, error) { return unix.Wait4(-1, &status, unix.WALL|unix.WNOHANG, nil) })
		switch {
		case err == unix.ECHILD:
			return true, nil
		case err != nil:
			return false, fmt.Errorf("wait: %w", err)
		case pid == 0:
			return false, nil
		}
		ended(pid, status)
	}
}

// processes sums up the living processes of the run.
func (p *place) processes() load {
	var sum load
	for _, pid := range p.pids() {
		sum.add(p, pid)
	}
	return sum
}

// pids returns the processes of the run: in a namespace all but the agent, on
// the bare host the descendants of the agent.
func (p *place) pids() []int {
	if p.mode == Bare {
		return descendants(os.Getpid(), nil)
	}
	fd, err := unix.Open("/proc", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	var names []string
	for {
		n, err := retry(func() (int, error) { return unix.ReadDirent(fd, p.buf) })
		if err != nil || n <= 0 {
			break
		}
		_, _, names = unix.ParseDirent(p.buf[:n], -1, names)
	}
	var pids []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil && pid != 1 {
			pids = append(pids, pid)
		}
	}
	return pids
}

// readFile returns what a small file holds, in a buffer that the next call uses
// again.
func (p *place) readFile(name string) ([]byte, error) {
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	n, err := retry(func() (int, error) { return unix.Read(fd, p.buf) })
	return p.buf[:max(n, 0)], err
}

// descendants appends the children of a process, their children and so on.
func descendants(pid int, to []int) []int {
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return to
	}
	for _, task := range tasks {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task.Name()))
		if err != nil {
			continue
		}
		for _, field := range bytes.Fields(b) {
			if child, err := strconv.Atoi(string(field)); err == nil {
				to = descendants(child, append(to, child))
			}
		}
	}
	return to
}

// add adds one process, unless it has gone meanwhile.
func (l *load) add(p *place, pid int) {
	b, err := p.readFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return
	}
	// The name, in parentheses, may hold anything.
	end := bytes.LastIndexByte(b, ')')
	if end < 0 {
		return
	}
	f := bytes.Fields(b[end+1:])
	if len(f) < 22 {
		return
	}
	l.running = l.running || works(f[0][0])
	number := func(i int) int64 {
		n, err := strconv.ParseInt(string(f[i]), 10, 64)
		if err != nil {
			return 0
		}
		return n
	}
	own := time.Duration(number(11)+number(12)) * jiffy
	l.count++
	l.cpu += time.Duration(number(13)+number(14)) * jiffy
	l.resident += int(number(21)) * os.Getpagesize()
	several := number(17) > 1
	// Finer where the kernel keeps it. This reads over what f holds.
	if b, err := p.readFile(fmt.Sprintf("/proc/%d/schedstat", pid)); err == nil {
		if f := bytes.Fields(b); len(f) > 0 {
			if ns, err := strconv.ParseInt(string(f[0]), 10, 64); err == nil {
				own = time.Duration(ns)
			}
		}
	}
	l.cpu += own
	if several && !l.running {
		// All that was said of its state is of its first thread.
		l.running = p.threadWorks(pid)
	}
}

// works reports whether a letter in /proc is of what is on a processor, waits for
// one, or for a disk.
func works(letter byte) bool { return bytes.IndexByte([]byte("STtZXI"), letter) < 0 }

// threadWorks reports whether one of the threads of a process works.
func (p *place) threadWorks(pid int) bool {
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return false
	}
	for _, task := range tasks {
		b, err := p.readFile(fmt.Sprintf("/proc/%d/task/%s/stat", pid, task.Name()))
		if err != nil {
			continue
		}
		if f := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:]); len(f) > 0 && works(f[0][0]) {
			return true
		}
	}
	return false
}

// killAll sends SIGKILL to every process of the run whose shell is given.
func (p *place) killAll(shell int) {
	if p.mode != Bare {
		unix.Kill(-1, unix.SIGKILL)
		return
	}
	// The group first: the kernel does that in one step, which no fork escapes.
	unix.Kill(-shell, unix.SIGKILL)
	for _, pid := range descendants(os.Getpid(), nil) {
		unix.Kill(pid, unix.SIGKILL)
	}
}
