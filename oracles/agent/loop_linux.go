//go:build amd64 || arm64

package agent

import (
	"fmt"
	"path"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

// loop starts a program again and again, as a plain loop of spawns would: no
// pipes, no limits, no look at what it does but the taking of its records.
func (p *place) loop(l wire.Loop) (wire.Lap, error) {
	file := p.shell
	if l.Program != "" {
		file = path.Join(p.layout.Bin, path.Base(l.Program))
	}
	argv := make([]string, len(l.Argv))
	for i, a := range l.Argv {
		argv[i] = string(a)
	}
	out, err := unix.Open("/dev/null", unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return wire.Lap{}, fmt.Errorf("open /dev/null: %w", err)
	}
	defer unix.Close(out)
	attr := &syscall.ProcAttr{
		Dir: p.layout.Work, Env: p.env,
		Files: []uintptr{uintptr(p.null), uintptr(out), uintptr(out)},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	}
	var lap wire.Lap
	records := collector{listener: p.listener, bound: maxRecordBytes}
	defer records.close()
	began := time.Now()
	for time.Since(began) < l.For || lap.Starts == 0 {
		pid, err := syscall.ForkExec(file, argv, attr)
		if err != nil {
			return lap, fmt.Errorf("starting %s: %w", file, err)
		}
		var status unix.WaitStatus
		if _, err := retry(func() (int, error) { return unix.Wait4(pid, &status, unix.WALL, nil) }); err != nil {
			return lap, fmt.Errorf("wait: %w", err)
		}
		lap.Starts++
		if _, err := records.collect(p.buf); err != nil {
			return lap, err
		}
		lap.Records += len(records.done)
		records.done, records.size = records.done[:0], 0
	}
	lap.Wall = time.Since(began)
	return lap, p.sweep()
}
