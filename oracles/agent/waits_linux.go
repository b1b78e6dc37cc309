//go:build amd64 || arm64

package agent

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// A home has no program that waits in a poll: only the shell, and programs of ours.

// waitsForInput reports whether the text of a file /proc/PID/syscall is of a
// program that is blocked in a read of its standard input.
func waitsForInput(text []byte) bool {
	call, rest, ok := bytes.Cut(text, []byte{' '})
	if !ok {
		return false // running
	}
	number, err := strconv.Atoi(string(call))
	if err != nil {
		return false
	}
	first, _, _ := bytes.Cut(rest, []byte{' '})
	argument, err := strconv.ParseUint(string(bytes.TrimPrefix(first, []byte("0x"))), 16, 64)
	if err != nil {
		return false
	}
	return slices.Contains(readCalls, number) && argument == 0 || slices.Contains(selectCalls, number) && argument > 0
}

// writeCall is what a file /proc/PID/syscall of a program in a write begins with.
var writeCall = fmt.Appendf(nil, "%d ", unix.SYS_WRITE)

// A state is what /proc tells of a process.
type state struct {
	letter byte
	group  int
}

func (p *place) state(pid int) (s state, ok bool) {
	b, err := p.readFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return s, false
	}
	// The name, in parentheses, may hold anything.
	f := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(f) < 3 {
		return s, false
	}
	s.group, err = strconv.Atoi(string(f[2]))
	s.letter = f[0][0]
	return s, err == nil
}

// asleep reports whether the process sleeps.
func (p *place) asleep(pid int) bool {
	s, ok := p.state(pid)
	return ok && s.letter == 'S'
}

// shared reports whether another process is in the process group that the shell
// leads: then it may wait for that one.
func (p *place) shared(shell int) bool {
	for _, pid := range p.pids() {
		if s, ok := p.state(pid); ok && pid != shell && s.group == shell {
			return true
		}
	}
	return false
}

// inputWanted reports whether a process of the group, besides the shell, is
// blocked in a read of its standard input, among those that count.
func (p *place) inputWanted(group, shell int, counts func(pid int) bool) bool {
	for _, pid := range p.pids() {
		if s, ok := p.state(pid); !ok || s.group != group || pid == shell {
			continue
		}
		tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
		if err != nil {
			continue
		}
		for _, task := range tasks {
			b, err := p.readFile(fmt.Sprintf("/proc/%d/task/%s/syscall", pid, task.Name()))
			if err == nil && !p.blind && waitsForInput(b) && (counts == nil || counts(pid)) {
				return true
			}
		}
	}
	return false
}
