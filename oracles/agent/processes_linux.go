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

// processes sums up the living processes of the run.
func (p *place) processes() load {
	var sum load
	for _, pid := range p.pids() {
		sum.add(pid)
	}
	return sum
}

// pids returns the processes of the run: in a namespace all but the agent, on
// the bare host the descendants of the agent.
func (p *place) pids() []int {
	if p.mode == Bare {
		return descendants(os.Getpid(), nil)
	}
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil
	}
	var pids []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil && pid != 1 {
			pids = append(pids, pid)
		}
	}
	return pids
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
func (l *load) add(pid int) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
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
	switch f[0][0] {
	case 'S', 'T', 't', 'Z', 'X', 'I':
	default:
		l.running = true
	}
	number := func(i int) int64 {
		n, err := strconv.ParseInt(string(f[i]), 10, 64)
		if err != nil {
			return 0
		}
		return n
	}
	own := time.Duration(number(11)+number(12)) * jiffy
	// Finer where the kernel keeps it.
	if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", pid)); err == nil {
		if f := bytes.Fields(b); len(f) > 0 {
			if ns, err := strconv.ParseInt(string(f[0]), 10, 64); err == nil {
				own = time.Duration(ns)
			}
		}
	}
	l.count++
	l.cpu += own + time.Duration(number(13)+number(14))*jiffy
	l.resident += int(number(21)) * os.Getpagesize()
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
