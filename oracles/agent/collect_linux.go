//go:build amd64 || arm64

package agent

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/argvdiff/argvdiff/oracles/probe"
	"github.com/argvdiff/argvdiff/oracles/wire"
)

const (
	// maxRecordBytes bounds the records of one run, all together.
	maxRecordBytes = 16 << 20
	maxRecords     = 1 << 16
)

var errTooManyRecords = errors.New("more records than are kept")

// A collector takes the records of one run in the order in which the probes
// have called.
type collector struct {
	listener int
	bound    int
	size     int
	open     []*call // not at their end yet, and those that wait behind them
	done     []wire.Record
}

// A call is one probe that reports.
type call struct {
	fd   int // -1 at its end
	data []byte
}

// appendPoll appends what to wait for.
func (c *collector) appendPoll(fds []unix.PollFd) []unix.PollFd {
	for _, o := range c.open {
		if o.fd >= 0 {
			fds = append(fds, unix.PollFd{Fd: int32(o.fd), Events: unix.POLLIN})
		}
	}
	return fds
}

// collect takes what has arrived, of new calls only so many at a time. It
// reports whether that was anything.
func (c *collector) collect(buf []byte) (moved bool, err error) {
	for range 64 {
		fd, err := retry(func() (int, error) {
			fd, _, err := unix.Accept4(c.listener, unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK)
			return fd, err
		})
		if err == unix.EAGAIN || err == unix.ECONNABORTED {
			break
		}
		if err != nil {
			return moved, fmt.Errorf("accepting a probe: %w", err)
		}
		moved = true
		o := &call{fd: fd}
		c.open = append(c.open, o)
		// Most records are complete when their probe is noticed.
		c.read(o, buf)
		if len(c.open)+len(c.done) > maxRecords || c.size > c.bound {
			return true, errTooManyRecords
		}
	}
	for _, o := range c.open {
		if o.fd >= 0 {
			moved = c.read(o, buf) || moved
		}
	}
	if c.size > c.bound {
		return moved, errTooManyRecords
	}
	for len(c.open) > 0 && c.open[0].fd < 0 {
		c.take(c.open[0])
		c.open = c.open[1:]
	}
	return moved, nil
}

// read takes what a probe has sent so far.
func (c *collector) read(o *call, buf []byte) (moved bool) {
	for {
		n, err := retry(func() (int, error) { return unix.Read(o.fd, buf) })
		if err == unix.EAGAIN {
			return moved
		}
		moved = true
		if n <= 0 || err != nil {
			unix.Close(o.fd)
			o.fd = -1
			return moved
		}
		o.data = append(o.data, buf[:n]...)
		if c.size += n; c.size > c.bound {
			return moved
		}
	}
}

// take appends the record of a probe that has ended. One that is not complete
// is of a probe that was killed while it reported: it has not run to its end,
// so it has no record. One that is malformed is of no probe of ours.
func (c *collector) take(o *call) {
	if r, err := probe.Decode(o.data); err == nil {
		c.done = append(c.done, wire.Record{Argv: r.Argv, Stdin: r.Stdin, StdinCut: r.Cut, Part: r.Number, InTTY: r.InTTY, OutTTY: r.OutTTY, ErrTTY: r.ErrTTY})
	}
}

// finish takes what is left when every probe has ended and nothing arrives any
// more.
func (c *collector) finish() {
	for _, o := range c.open {
		c.take(o)
	}
	c.close()
}

// close gives up what has not been taken, including the probes that nobody has
// noticed yet.
func (c *collector) close() {
	for _, o := range c.open {
		if o.fd >= 0 {
			unix.Close(o.fd)
		}
	}
	c.open = nil
	for {
		fd, _, err := unix.Accept4(c.listener, unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK)
		if err != nil {
			return
		}
		unix.Close(fd)
	}
}
