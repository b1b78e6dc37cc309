package adapter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// once asks an adapter that starts anew for each input.
func (a *Adapter) once(ctx context.Context, input []byte) ([]byte, error) {
	if a.spec.Local != nil {
		return a.spec.Local(input)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	words := a.spec.Command
	if a.spec.Mode == Template {
		if bytes.IndexByte(input, 0) >= 0 {
			return nil, &Refusal{"an argument cannot hold a NUL"}
		}
		words = append([]string(nil), words...)
		for i := 1; i < len(words); i++ {
			if words[i] == Slot {
				words[i] = string(input)
			}
		}
		input = nil
	}
	cmd, err := a.command(words)
	if err != nil {
		return nil, err
	}
	p, err := launch(cmd)
	if errors.Is(err, syscall.E2BIG) {
		return nil, &Refusal{"an argument cannot be as long"}
	}
	if err != nil {
		return nil, a.note(&Fault{What: DidNotStart, Detail: err.Error()})
	}
	out, fault := a.collect(ctx, p, input)
	p.kill()
	stderr := p.tail.bytes()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if fault != nil {
		fault.OfInput, fault.Stderr = true, stderr
		return nil, a.note(fault)
	}
	if status := p.state.ExitCode(); status != 0 {
		reason := string(bytes.TrimSpace(stderr))
		if reason == "" {
			reason = fmt.Sprintf("status %d", status)
		}
		return nil, &Refusal{reason}
	}
	if a.spec.StripNewline {
		out = bytes.TrimSuffix(out, newline)
	}
	return out, nil
}

// collect feeds a process and returns all that it prints, when it has ended by
// itself.
func (a *Adapter) collect(ctx context.Context, p *process, input []byte) ([]byte, *Fault) {
	end := time.Now().Add(a.spec.AnswerTime)
	late := &Fault{What: Sleeps, Detail: fmt.Sprintf("it has not ended within %s", a.spec.AnswerTime)}
	defer context.AfterFunc(ctx, func() { p.cap(time.Unix(1, 0)); p.interrupt() })()
	go func() { // until the process is killed, at the latest
		p.stdin.Write(input)
		p.stdin.Close()
	}()
	p.deadline(end)
	out, err := io.ReadAll(io.LimitReader(p.stdout, a.spec.MaxAnswer+1))
	switch {
	case int64(len(out)) > a.spec.MaxAnswer:
		return nil, &Fault{What: TooMuch, Detail: fmt.Sprintf("more than %d bytes", a.spec.MaxAnswer)}
	case err != nil && !p.exited(0), !p.exited(time.Until(end)):
		return nil, late
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, &Fault{What: Sleeps, Detail: "a process that it left behind keeps its output open"}
	case p.state == nil || !p.state.Exited():
		return nil, &Fault{What: Exited, Detail: how(p.state)}
	}
	return out, nil
}
