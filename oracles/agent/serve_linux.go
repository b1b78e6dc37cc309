//go:build amd64 || arm64

package agent

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"

	"golang.org/x/sys/unix"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

// serve answers frames until its standard input ends, which is its signal to
// die: with it dies everything in its namespaces.
//
// All of it runs on one thread, since privileges, parent-death signals and
// tracing belong to threads.
func serve(mode Mode) error {
	runtime.LockOSThread()
	// What a run leaves is small and short-lived: collecting it less often costs
	// a few megabytes.
	debug.SetGCPercent(400)
	if err := closeInherited(); err != nil {
		return err
	}
	// A command may send signals to its agent. PID 1 gets from inside its
	// namespace only those that have a handler; the runtime has one for most,
	// so they are taken here and lead to nothing. A child gets the default
	// action for all of them.
	signals := make(chan os.Signal, 1)
	for s := unix.Signal(1); s <= unix.SIGSYS; s++ {
		switch s {
		case unix.SIGKILL, unix.SIGSTOP, unix.SIGCHLD, unix.SIGURG:
		default:
			signal.Notify(signals, s)
		}
	}
	go func() {
		for range signals {
		}
	}()

	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	place, err := settle(mode, in)
	if err != nil {
		send(wire.Frame{Kind: wire.Fault, Body: []byte(err.Error())})
		return nil
	}
	defer place.leave()
	if err := send(wire.Frame{Kind: wire.Ready, Body: place.layout.Encode()}); err != nil {
		return err
	}
	for {
		f, err := wire.ReadFrame(in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		place.asked = f.ID
		answer, err := place.answer(f)
		if errors.Is(err, errOrphaned) {
			return nil
		}
		if err != nil {
			answer = wire.Frame{Kind: wire.Fault, Body: []byte(err.Error())}
		}
		answer.ID = f.ID
		if err := send(answer); err != nil {
			return err
		}
	}
}

func (p *place) answer(f wire.Frame) (wire.Frame, error) {
	if f.Kind != wire.Type {
		// What runs now begins with nothing else in the home.
		if err := p.replace(); err != nil {
			return f, err
		}
	}
	switch f.Kind {
	case wire.Type:
		t, err := wire.DecodeTyping(f.Body)
		if err != nil {
			return f, err
		}
		script, err := p.typing(t)
		return wire.Frame{Kind: wire.Script, Body: script.Encode()}, err
	case wire.Play:
		q, err := wire.DecodePlaying(f.Body)
		if err != nil {
			return f, err
		}
		answers, err := p.playing(q)
		return wire.Frame{Kind: wire.Answered, Body: wire.EncodeAnswers(answers)}, err
	case wire.Run:
		req, err := wire.DecodeRequest(f.Body)
		if err != nil {
			return f, err
		}
		result, err := p.run(req)
		return wire.Frame{Kind: wire.Done, Body: result.Encode()}, err
	case wire.Repeat:
		l, err := wire.DecodeLoop(f.Body)
		if err != nil {
			return f, err
		}
		lap, err := p.loop(l)
		return wire.Frame{Kind: wire.Repeated, Body: lap.Encode()}, err
	}
	return f, fmt.Errorf("unexpected frame %q", f.Kind)
}

func send(f wire.Frame) error {
	_, err := os.Stdout.Write(wire.AppendFrame(nil, f))
	return err
}
