//go:build amd64 || arm64

package agent

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

// errOrphaned says that the other end of the agent's standard input is gone.
var errOrphaned = errors.New("the campaign is gone")

const (
	// tick is how often the processes of a run are looked at. Most runs end
	// before the first time.
	tick = 5 * time.Millisecond
	// nap is how long everything sleeps before the other side is told.
	nap = 2 * tick
	// maxStderr is how much of standard error is kept.
	maxStderr = 16 << 10
)

// A run is one case in flight.
type run struct {
	p        *place
	req      wire.Request
	result   wire.Result
	pid      int
	pidfd    int
	stdin    input
	stdout   int // read ends of pipes; -1 once at their end
	stderr   int
	records  collector
	exited   bool // the shell itself has ended
	started  time.Time
	activity time.Time // when something last moved
	spent    time.Duration
	parked   bool          // and the other side knows
	floods   bool          // so much output comes that a pipe fills within a tick
	marked   bool          // a mark has passed since the last look
	base     time.Duration // what was spent when the last mark passed
	before   time.Duration // CPU time of all children before this run
}

// run starts the shell and returns once it and everything that it started have
// ended, by themselves or by force, and the home is clean again. An error is a
// fault of ours; whatever a command does is a result.
func (p *place) run(req wire.Request) (wire.Result, error) {
	r := &run{p: p, req: req, pidfd: -1, stdout: -1, stderr: -1}
	r.records = collector{listener: p.listener, bound: maxRecordBytes}
	defer r.close()
	err := r.start()
	if err == nil && r.result.Refused == "" {
		err = r.watch()
	}
	if killErr := r.end(); err == nil {
		err = killErr
	}
	if sweepErr := p.sweep(); err == nil {
		err = sweepErr
	}
	return r.result, err
}

// start executes the shell and bounds it before its first instruction.
func (r *run) start() error {
	ends, err := r.connect()
	defer func() {
		for _, fd := range ends {
			unix.Close(fd)
		}
	}()
	if err != nil {
		return err
	}
	files := []uintptr{uintptr(r.p.null)}
	for _, fd := range ends {
		files = append(files, uintptr(fd))
	}
	attr := &syscall.SysProcAttr{Setsid: true, PidFD: &r.pidfd}
	switch {
	case r.req.PTY:
		files = []uintptr{files[1], files[1], files[1]}
		attr.Setctty = true
		if r.p.acts {
			// The end of a session's leader hangs up its terminal, which would end what
			// runs in the background before it has told of itself.
			attr.Setctty, attr.Setsid, attr.Setpgid = false, false, true
		}
	case r.req.Stdin != nil:
		files = []uintptr{files[3], files[1], files[2]}
	}
	r.before = childTime()
	r.started = time.Now()
	r.activity = r.started
	bounds := r.p.limits
	if r.req.PTY {
		bounds = r.p.terminalLimits
	}
	r.pid, err = r.p.launch(r.req.Argv, r.req.Env, files, attr, bounds)
	if errors.Is(err, syscall.E2BIG) || errors.Is(err, syscall.EINVAL) {
		r.result.Refused = err.Error()
		return nil
	}
	return err
}

// launch executes the shell and bounds it before its first instruction. An error
// of the kernel that is about the arguments is returned as it is.
func (p *place) launch(argv, env [][]byte, files []uintptr, attr *syscall.SysProcAttr, bounds []limit) (pid int, err error) {
	args := make([]string, len(argv))
	for i, a := range argv {
		args[i] = string(a)
	}
	// Ptrace stops the child behind its exec, so that no instruction of the
	// shell runs without limits. It costs no time that can be measured.
	attr.Ptrace = true
	pid, err = syscall.ForkExec(p.shell, args, &syscall.ProcAttr{
		Dir: p.layout.Work, Env: environment(p.env, env), Files: files, Sys: attr,
	})
	if errors.Is(err, syscall.E2BIG) || errors.Is(err, syscall.EINVAL) {
		return 0, err
	}
	if err != nil {
		return 0, fmt.Errorf("starting %s: %w", p.shell, err)
	}
	var status unix.WaitStatus
	if _, err := retry(func() (int, error) { return unix.Wait4(pid, &status, unix.WALL, nil) }); err != nil {
		return pid, fmt.Errorf("waiting for the shell to start: %w", err)
	}
	if !status.Stopped() {
		return pid, fmt.Errorf("the shell ended with wait status %#x before it started", status)
	}
	for _, l := range bounds {
		if err := l.set(pid); err != nil {
			return pid, err
		}
	}
	if err := unix.PtraceDetach(pid); err != nil {
		return pid, fmt.Errorf("letting the shell run: %w", err)
	}
	return pid, nil
}

// environment returns the variables with more of them, those of the same name
// replaced.
func environment(base []string, more [][]byte) []string {
	env := slices.Clone(base)
	for _, v := range more {
		name, _, _ := strings.Cut(string(v), "=")
		at := slices.IndexFunc(env, func(s string) bool { return strings.HasPrefix(s, name+"=") })
		if at < 0 {
			env = append(env, string(v))
		} else {
			env[at] = string(v)
		}
	}
	return env
}

// connect opens what the run is watched through and returns the ends for the
// shell, which are to be closed here in any case: standard output, standard
// error and, where there is text for it, standard input; or one terminal.
func (r *run) connect() (ends []int, err error) {
	if r.req.PTY {
		master, slave, err := openTerminal()
		if err != nil {
			return nil, fmt.Errorf("opening a terminal: %w", err)
		}
		defer master.Close()
		defer slave.Close()
		end, err := dup(slave.Fd())
		if err != nil {
			return nil, err
		}
		ends = append(ends, end)
		if r.stdout, err = dup(master.Fd()); err != nil {
			return ends, err
		}
		if err := unix.SetNonblock(r.stdout, true); err != nil {
			return ends, err
		}
		return ends, r.stdin.typeInto(r.stdout, r.req.Stdin)
	}
	for _, fd := range []*int{&r.stdout, &r.stderr} {
		var p [2]int
		if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
			return ends, fmt.Errorf("pipe: %w", err)
		}
		*fd = p[0]
		ends = append(ends, p[1])
		if err := unix.SetNonblock(*fd, true); err != nil {
			return ends, err
		}
	}
	if r.req.Stdin != nil {
		end, err := r.stdin.open(r.req.Stdin)
		if err != nil {
			return ends, err
		}
		ends = append(ends, end)
	}
	return ends, nil
}

func dup(fd uintptr) (int, error) {
	return unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0)
}

// watch follows the run until it ends or has to be ended.
//
// Without a terminal nothing waits for the agent, so what arrives is taken only
// at each tick and at the end: waking for each record and each line of output
// would cost as much as the probe that sent it.
func (r *run) watch() error {
	next := r.started.Add(tick)
	for {
		fds := []unix.PollFd{
			{Fd: 0}, // only whether it is hung up
			{Fd: int32(r.pidfd), Events: unix.POLLIN},
			{Fd: int32(r.stdin.fd()), Events: unix.POLLOUT},
			{Fd: -1, Events: unix.POLLIN},
			{Fd: -1, Events: unix.POLLIN},
		}
		if r.req.PTY || r.floods {
			fds[3].Fd, fds[4].Fd = int32(r.stdout), int32(r.stderr)
		}
		if r.req.PTY {
			fds = append(fds, unix.PollFd{Fd: int32(r.p.listener), Events: unix.POLLIN})
			fds = r.records.appendPoll(fds)
		}
		wait := max(0, time.Until(next))
		if r.exited || r.pidfd < 0 {
			// What a shell leaves behind has no descriptor to wait on.
			wait = min(wait, time.Millisecond/2)
		}
		ts := unix.NsecToTimespec(wait.Nanoseconds())
		if _, err := unix.Ppoll(fds, &ts, nil); err != nil && err != unix.EINTR {
			return fmt.Errorf("poll: %w", err)
		}
		if fds[0].Revents != 0 {
			return errOrphaned
		}
		now := time.Now()
		late := now.After(next)
		if r.req.PTY || late || r.exited || fds[1].Revents != 0 {
			if _, err := r.transfer(); err != nil {
				return err
			}
			if none, err := r.reap(); none || err != nil {
				return err
			}
		} else {
			r.stdin.feed()
			if fds[3].Revents|fds[4].Revents != 0 {
				if _, err := r.transfer(); err != nil {
					return err
				}
			}
		}
		if r.result.Ended != wire.Itself {
			return nil
		}
		if late {
			// One that has run for longer is one of many commands, most likely.
			next = now.Add(tick + min(now.Sub(r.started)/16, 2*tick))
			if r.look(now); r.result.Ended != wire.Itself {
				return nil
			}
		}
	}
}

// transfer moves what has arrived in the pipes and from the probes, up to a
// bound: many writers could keep it busy for ever. It reports whether that was
// anything.
func (r *run) transfer() (moved bool, err error) {
	moved = r.stdin.feed()
	read := 0
	for _, pipe := range []struct {
		fd    *int
		to    *[]byte
		bound int
		must  bool
	}{
		{&r.stdout, &r.result.Stdout, r.req.Limits.Output, true},
		{&r.stderr, &r.result.Stderr, maxStderr, false},
	} {
		for reads := 0; *pipe.fd >= 0 && reads < 16; reads++ {
			n, err := retry(func() (int, error) { return unix.Read(*pipe.fd, r.p.buf) })
			if err == unix.EAGAIN {
				break
			}
			if err != nil || n == 0 {
				unix.Close(*pipe.fd)
				*pipe.fd = -1
				break
			}
			moved = true
			read += n
			keep := min(n, pipe.bound-len(*pipe.to))
			*pipe.to = append(*pipe.to, r.p.buf[:keep]...)
			if mark := r.req.Limits.Mark; pipe.must && len(mark) > 0 && !r.marked {
				fresh := (*pipe.to)[max(0, len(*pipe.to)-keep-len(mark)+1):]
				r.marked = bytes.Contains(fresh, mark)
			}
			if keep < n && pipe.must {
				r.result.Ended = wire.Flooding
				break
			}
		}
	}
	r.floods = read >= 16<<10
	more, err := r.records.collect(r.p.buf)
	if errors.Is(err, errTooManyRecords) {
		r.result.Ended = wire.Flooding
		err = nil
	}
	if moved = moved || more; moved {
		r.activity = time.Now()
	}
	return moved, err
}

// reap takes the children that have ended and reports whether none is left.
func (r *run) reap() (none bool, err error) { return reap(r.ended) }

func (r *run) ended(pid int, status unix.WaitStatus) {
	r.activity = time.Now()
	if pid != r.pid {
		return
	}
	r.exited = true
	if r.pidfd >= 0 {
		unix.Close(r.pidfd)
		r.pidfd = -1
	}
	if status.Signaled() {
		r.result.Status = 128 + int(status.Signal())
	} else {
		r.result.Status = status.ExitStatus()
	}
}

// look decides whether the run has to be ended.
func (r *run) look(now time.Time) {
	sum := r.p.processes()
	spent := childTime() - r.before + sum.cpu
	if spent > r.spent || sum.running {
		r.activity = now
	}
	r.spent = max(r.spent, spent)
	if r.marked {
		r.marked, r.base, r.activity = false, spent, now
	}
	limits := r.req.Limits
	switch {
	case spent-r.base > limits.CPU:
		r.result.Ended = wire.Spinning
	case sum.resident > maxResident, sum.count > maxProcesses:
		r.result.Ended = wire.Greedy
	case now.Sub(r.activity) > limits.Quiet:
		r.result.Ended = wire.Hung
	case now.Sub(r.activity) > nap && !r.parked:
		r.parked = true
		// Where that cannot be sent the answer cannot be either, which shows.
		_ = send(wire.Frame{Kind: wire.Parked, ID: r.p.asked})
	case now.Sub(r.started) > limits.Wall:
		r.result.Ended = wire.Overtime
	}
}

// end kills whatever is left of the run and takes in what had been sent.
func (r *run) end() error {
	if r.pid == 0 {
		return nil
	}
	alive := !r.exited
	deadline := time.Now().Add(10 * time.Second)
	for {
		r.p.killAll(r.pid)
		none, err := r.reap()
		if err != nil {
			return err
		}
		if none {
			break
		}
		if time.Now().After(deadline) {
			return errors.New("a process of the case cannot be ended")
		}
		time.Sleep(100 * time.Microsecond)
	}
	ended := r.result.Ended
	r.result.Ended = wire.Itself
	moved, err := true, error(nil)
	for moved && err == nil && r.result.Ended == wire.Itself {
		moved, err = r.transfer()
	}
	r.records.finish()
	if ended != wire.Itself {
		r.result.Ended = ended
		if alive {
			r.result.Status = 0 // not that of our own signal
		}
	}
	r.result.CPU = childTime() - r.before
	r.result.Records = r.records.done
	return err
}

func (r *run) close() {
	for _, fd := range []int{r.pidfd, r.stdout, r.stderr} {
		if fd >= 0 {
			unix.Close(fd)
		}
	}
	r.stdin.close()
	r.records.close()
}

// retry repeats a system call that a signal has interrupted.
func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return n, err
		}
	}
}
