package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
	"github.com/argvdiff/argvdiff/targets/pty"
)

// A toolFlag asks for the modelled tool on a platform; "" does not ask.
type toolFlag string

func (f *toolFlag) String() string   { return string(*f) }
func (f *toolFlag) IsBoolFlag() bool { return true }

func (f *toolFlag) Set(value string) error {
	if value == "true" {
		value = "linux" // the flag alone
	}
	*f = toolFlag(value)
	return nil
}

// toolFlags are the flags of run about the modelled tool.
type toolFlags struct {
	platform toolFlag
	deadline time.Duration
}

func (o *toolFlags) register(fs *flag.FlagSet) {
	fs.Var(&o.platform, "as-the-tool", "send each TEXT as the modelled tool does, with its waits, and show what its user gets; =linux (default) or =macos, where it never sees a program wait for input")
	fs.DurationVar(&o.deadline, "deadline", pty.DefaultDeadline, "with --as-the-tool, the `time` that a command may take")
}

// check says what is wrong with the flags.
func (o *toolFlags) check(fs *flag.FlagSet) error {
	given := make(map[string]bool)
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	switch {
	case !given["as-the-tool"] && given["deadline"]:
		return usagef("run: --deadline is for --as-the-tool only")
	case !given["as-the-tool"]:
	case o.platform != "linux" && o.platform != "macos":
		return usagef("run: --as-the-tool=%s is no platform: it is linux or macos", o.platform)
	case o.deadline <= 0:
		return usagef("run: --deadline must be above 0, as in --deadline 2s")
	case given["payload"], given["explain"]:
		return usagef("run: --as-the-tool takes commands, and neither --payload nor --explain")
	}
	return nil
}

// A played is what the tool answers to one command, in run's JSON output.
type played struct {
	Shell   string        `json:"shell"`
	Path    string        `json:"path"`
	Command []byte        `json:"command"`
	Text    string        `json:"text"`
	Reason  pty.Reason    `json:"reason"`
	Status  int           `json:"status"`
	Waited  int64         `json:"waited_ms"`
	Sends   []playedSend  `json:"sends"`
	Reset   bool          `json:"reset"`
	Records []wire.Record `json:"records"`
	Error   string        `json:"error,omitempty"`
}

type playedSend struct {
	Wait pty.Wait `json:"wait"`
	Took int64    `json:"took_ms"`
}

// runAsTheTool shows what the modelled tool answers to each text.
func runAsTheTool(ctx context.Context, e *env, s *selection, o *toolFlags, texts [][]byte, asJSON bool) (int, error) {
	s.paths = cmp.Or(s.paths, "pty")
	paths, err := s.selectPaths()
	if err != nil {
		return exitFailed, err
	}
	if at := slices.IndexFunc(paths, func(p path.Path) bool { return !p.TakesSessions() }); at >= 0 {
		return exitFailed, usagef("run: the tool keeps its shell in a terminal: --as-the-tool goes with pty, its variants and source-file, not with the path %s", paths[at].Name)
	}
	kind := s.kind(e.stderr)
	shells, broken, err := s.selectShells(ctx, kind)
	if err != nil {
		return exitFailed, err
	}
	notRun(e.stderr, broken)
	code := exitNothing
	var failed error
	playIn := func(shell home.Shell) error {
		h, err := kind.Open(ctx, shell)
		if err != nil {
			return err
		}
		defer h.Close()
		for _, p := range paths {
			answers, err := (&oracles.Judge{Home: h, Shell: shell}).Play(ctx, p, texts, pty.Tool{Deadline: o.deadline, MacOS: o.platform == "macos"})
			if err != nil {
				return err
			}
			for i, a := range answers {
				if err := showAnswer(e.stdout, shell.ID, p.Name, texts[i], a, asJSON); err != nil {
					return err
				}
				switch {
				case a.Err != nil:
					failed = fmt.Errorf("command %d could not be run: %s on %s: %w", i+1, p.Name, shell.ID, a.Err)
				case a.Reason != pty.Completed:
					code = exitFound
				}
			}
		}
		return nil
	}
	for _, shell := range shells {
		if err := playIn(shell); err != nil {
			return exitFailed, err
		}
	}
	// That something was not completed says more than that something was not run.
	if failed != nil && code == exitNothing {
		code = exitFailed
	}
	return code, failed
}

// showAnswer prints what the tool answers to one command: the text as its user gets it,
// and below that what was behind it.
func showAnswer(w io.Writer, shell, path string, command []byte, a wire.Answer, asJSON bool) error {
	if asJSON {
		r := played{
			Shell: shell, Path: path, Command: command, Text: a.Text, Reason: a.Reason, Status: a.Status, Waited: a.Waited.Milliseconds(),
			Sends: []playedSend{}, Reset: a.Reset, Records: append([]wire.Record{}, a.Records...),
		}
		for _, s := range a.Sends {
			r.Sends = append(r.Sends, playedSend{s.Wait, s.Took.Milliseconds()})
		}
		if a.Err != nil {
			r.Error = a.Err.Error()
		}
		return json.NewEncoder(w).Encode(r)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %s: %s\n", path, shell, finding.Quote(command))
	if a.Text != "" {
		fmt.Fprintf(&b, "%s\n", a.Text)
	}
	field := func(name, text string) { fmt.Fprintf(&b, "  %-9s %s\n", name, text) }
	reason := fmt.Sprintf("%s after %s", a.Reason, seconds(a.Waited))
	switch {
	case a.Err != nil:
		reason += ": " + oneLine(a.Err)
	case a.Reason == pty.Completed:
		reason += fmt.Sprintf(", status %d", a.Status)
	}
	field("reason", reason)
	if len(a.Sends) > 0 {
		field("sends", sends(a.Sends))
	}
	switch {
	case a.Fresh && a.Reset:
		field("shell", "new, and reset")
	case a.Fresh:
		field("shell", "new")
	case a.Reset:
		field("shell", "reset")
	}
	for _, r := range a.Records {
		field("child", finding.Arguments(r.Argv))
	}
	if but := contradiction(a); but != "" {
		field("but", but)
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// sends lists sends, those of one wait in a row as one.
func sends(list []pty.Send) string {
	var parts []string
	for i := 0; i < len(list); {
		wait, first, took := list[i].Wait, i, time.Duration(0)
		for ; i < len(list) && list[i].Wait == wait; i++ {
			took += list[i].Took
		}
		part := string(wait)
		if n := i - first; n > 1 {
			part = fmt.Sprintf("%d times %s", n, wait)
		}
		parts = append(parts, part+" after "+seconds(took))
	}
	return strings.Join(parts, ", ")
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2fs", d.Seconds()) }

// contradiction says where what the user reads is not what has happened.
func contradiction(a wire.Answer) string {
	switch {
	case a.Reason == pty.Deadline && len(a.Records) > 0:
		return "children ran: a retry would run them again"
	case a.Reason == pty.Deadline && a.Incomplete:
		return "no child ran, and the marker before the command never came: the shell did not take up the line"
	case a.Reason == pty.StdinRead:
		return "the text reads as if the command had ended, and that was not seen: the next line goes to whatever reads the terminal"
	}
	return ""
}
