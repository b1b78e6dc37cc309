package oracles

import (
	"bytes"
	"context"
	"errors"

	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
	"github.com/argvdiff/argvdiff/targets/pty"
)

// PlayLimits bound one command that the modelled tool sends: what it prints is more
// than the tool keeps.
var PlayLimits = wire.Limits{Output: 16 << 20}

// Play lets the modelled tool send the commands, in its own way and time, to one
// shell for as long as it keeps that, on a path that takes sessions. Of the tool,
// its Deadline and MacOS count. There is an answer to each command.
func (j *Judge) Play(ctx context.Context, p path.Path, commands [][]byte, tool pty.Tool) ([]wire.Answer, error) {
	if j.Home.Layout().Terminal == "" {
		return nil, errors.New(withoutTerminal)
	}
	t := j.typing(p)
	asked := wire.Playing{
		Argv: t.Argv, Env: t.Env, Rows: t.Rows, Columns: t.Columns, Begin: []byte(p.Terminal.Begin()),
		MacOS: tool.MacOS, Deadline: tool.Deadline, Limits: PlayLimits,
	}
	answers := make([]wire.Answer, len(commands))
	var sent []int
	for i, command := range commands {
		if len(bytes.TrimSpace(command)) == 0 {
			answers[i].Outcome = pty.Outcome{Reason: pty.Refused, Err: pty.ErrBlank}
			continue
		}
		id := lineID(i)
		asked.Commands = append(asked.Commands, wire.Command{Line: line{p.Type(command, id, false, j.site()), id}.wire(), ID: id})
		sent = append(sent, i)
	}
	if len(sent) == 0 {
		return answers, nil
	}
	j.Runs += len(sent)
	played, err := j.Home.Play(ctx, asked)
	if err != nil {
		return nil, err
	}
	for n, i := range sent {
		answers[i] = played[n]
	}
	return answers, nil
}
