package oracles

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
	"github.com/argvdiff/argvdiff/targets/pty"
)

// playSessions come to every reason for which the tool returns. What they come to
// may differ between shells.
var playSessions = [][]string{
	{"probe a; false", `echo "in the same shell"`},
	{"printf x"},
	{"printf '%s\\n' {1..20000}"},
	{"echo 'a!b'"},                       // discarded by 3.2
	{"printf '%s\\n' seed", "x='' '!!'"}, // continued by 3.2
	{"printf(){ :; }"},
	{"cat"},
	{"sleep 60"},
	{"read x"},
	{"exit 3"},
	{"exit 137"},
	{"kill -9 $$"},
	{"exec sleep 60"},
	{"stty echo; exec >/dev/null"},
}

// What is foreseen from what was seen of a typed line is what the tool answers,
// when it really plays.
func TestPlayAsForeseen(t *testing.T) {
	met := make(map[pty.Reason]bool)
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, j := range judges(t) {
		// They wait most of the time, so that all at once are not slower.
		all.Go(func() {
			for _, texts := range playSessions {
				reasons, err := playAsForeseen(t.Context(), j, list(texts...))
				if err != nil {
					t.Errorf("%s: %q: %v", j.Shell.ID, texts, err)
				}
				mu.Lock()
				for _, r := range reasons {
					met[r] = true
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	for _, r := range []pty.Reason{pty.Completed, pty.Deadline, pty.Exited, pty.StdinRead} {
		if !met[r] {
			t.Errorf("no command was %s", r)
		}
	}
}

// playAsForeseen lets the tool play a session and compares it with what is foreseen.
// In a shell that is slow a poll may see more, so it may try again.
func playAsForeseen(ctx context.Context, j *Judge, texts [][]byte) (reasons []pty.Reason, err error) {
	p, _ := path.Lookup("pty")
	tool := pty.Tool{Deadline: 1500 * time.Millisecond}
	request := j.typing(p)
	request.Limits = wire.Limits{CPU: 300 * time.Millisecond, Quiet: 250 * time.Millisecond, Wall: 3 * time.Second}
	s, lines := j.session(p, Case{Session: texts}, 0, false)
	s.Fresh = true
	request.Sessions = []wire.Session{s}
	script, err := j.Home.Type(ctx, request)
	if err != nil {
		return nil, err
	}
	if script.Refused != "" || len(script.Sessions[0]) == 0 {
		return nil, fmt.Errorf("nothing could be typed: %s", script.Refused)
	}
	for range 3 {
		answers, why := j.Play(ctx, p, texts, tool)
		if why != nil {
			return nil, why
		}
		reasons, err = nil, nil
		for i, typed := range script.Sessions[0] {
			a, want := answers[i], tool.Foresee(Evidence(typed), lines[i].id)
			reasons = append(reasons, a.Reason)
			if a.Text != want.Seen || a.Reason != want.Reason || a.Reset != want.Reset {
				err = fmt.Errorf("command %d: %s: %.300q; foreseen %s: %.300q", i+1, a.Reason, a.Text, want.Reason, want.Seen)
				break
			}
			if a.Fresh != (i == 0 || answers[i-1].Reset) {
				return reasons, fmt.Errorf("command %d: made a new shell: %v", i+1, a.Fresh)
			}
		}
		if err == nil {
			break
		}
	}
	return reasons, err
}

// The records are those of each command, and a blank command is not sent.
func TestPlayRecords(t *testing.T) {
	for _, name := range []string{"pty", "source-file"} {
		p, _ := path.Lookup(name)
		j := judges(t)[0]
		answers, err := j.Play(t.Context(), p, list("probe a; probe b", " \n", "probe c; exit 3", "echo $$; probe d"), pty.Tool{})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{"a b", "", "c", "d"} {
			var got []string
			for _, r := range answers[i].Records {
				got = append(got, string(r.Argv[1]))
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s: command %d ran %q, want %q", name, i, got, want)
			}
		}
		if a := answers[1]; a.Reason != pty.Refused || a.Err != pty.ErrBlank {
			t.Errorf("%s: blank: %+v", name, a)
		}
	}
}

// A command that prints without end is read until the deadline, and the next one has
// another shell.
// Nothing but the deadline bounds the time of a command.
func TestPlayBounds(t *testing.T) {
	p, _ := path.Lookup("pty")
	j := judges(t)[0]
	commands := list("printf -v x '%*s' 100000 ''; while :; do printf '%s' \"$x\"; done", "ulimit -t", "while :; do :; done", "echo z")
	answers, err := j.Play(t.Context(), p, commands, pty.Tool{Deadline: 1500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if a := answers[0]; a.Reason != pty.Deadline || !a.Reset || len(a.Text) < 1000 {
		t.Errorf("%s, %v, %d bytes", a.Reason, a.Err, len(a.Text))
	}
	if a := answers[1]; a.Reason != pty.Completed || a.Text == "5" {
		t.Errorf("%s, %v, %q", a.Reason, a.Err, a.Text)
	}
	if a := answers[2]; a.Reason != pty.Deadline || !a.Reset {
		t.Errorf("%s, %v, %q", a.Reason, a.Err, a.Text)
	}
	if a := answers[3]; a.Reason != pty.Completed || a.Text != "z" {
		t.Errorf("%s, %v, %q", a.Reason, a.Err, a.Text)
	}
}
