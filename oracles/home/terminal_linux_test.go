//go:build amd64 || arm64

package home

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/argvdiff/argvdiff/oracles/agent"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/pty"
)

func script(t *testing.T, h Home, typing wire.Typing) wire.Typescript {
	t.Helper()
	s, err := h.Type(t.Context(), typing)
	if err != nil || s.Refused != "" {
		t.Fatalf("%v, %s", err, s.Refused)
	}
	return s
}

// What a line has left in the background is of that line, with what the shell says
// of its end.
func TestLateOutput(t *testing.T) {
	h := open(t, Namespaces)
	var sessions []wire.Session
	for i := range 60 {
		text := fmt.Sprintf(`(sleep 0.00%d; echo late; probe late) &`, i%10)
		sessions = append(sessions, session([]byte("set -b"), []byte(text), []byte("echo b")))
	}
	for i, s := range script(t, h, typing(h, pty.Variant{}, sessions...)).Sessions {
		if len(s) != 3 || bytes.Count(s[1].Output, []byte("late\r\n")) != 1 || len(s[1].Records) != 1 || string(s[2].Output) != "b\r\n\x1b]133;D;0\adsh> " {
			t.Errorf("session %d: %s", i, short(s))
		}
	}
}

// All records of a line are of that line, and all output, as much as there is.
func TestManyRecords(t *testing.T) {
	h := open(t, Namespaces)
	request := typing(h, pty.Variant{}, session([]byte("for i in {1..500}; do probe $i; echo $i; done"), []byte("probe b")))
	request.Limits = wire.Limits{CPU: 20 * time.Second, Wall: 20 * time.Second}
	got := script(t, h, request).Sessions[0]
	if len(got) != 2 || len(got[0].Records) != 500 || bytes.Count(got[0].Output, []byte("\n")) != 500 || len(got[1].Records) != 1 {
		t.Errorf("%s", short(got))
	}
}

// However much all sessions show, they are one answer.
func TestScriptOfFloods(t *testing.T) {
	if testing.Short() {
		t.Skip("not run: 70 MB of output take seconds")
	}
	h := open(t, Namespaces)
	var sessions []wire.Session
	for range 70 {
		sessions = append(sessions, session([]byte(flood)))
	}
	request := typing(h, pty.Variant{}, append(sessions, session([]byte("echo b")))...)
	got := script(t, h, request).Sessions
	for i, s := range got[:len(sessions)] {
		if len(s) != 1 || s[0].Settled != wire.Flooded || len(s[0].Output) < 4096 {
			t.Errorf("session %d: %s", i, short(s))
		}
	}
	if last := got[len(sessions)]; len(last) != 1 || last[0].Settled != wire.Prompted {
		t.Errorf("%s", short(last))
	}
}

// Where commands leave no place for the file of a line, that ends their session and
// nothing else.
func TestNoPlaceForFile(t *testing.T) {
	h := open(t, Namespaces)
	file := h.Layout().Temp + "/line"
	var sessions []wire.Session
	for _, text := range []string{
		`printf -v x '%*s' 1000000 ''; while printf %s "$x"; do :; done >/tmp/f 2>&-`,
		`while >f$((i++)); do :; done 2>&-`,
	} {
		s := session([]byte(text), []byte(". "+file))
		s.Lines[1].File, s.Lines[1].Data = file, bytes.Repeat([]byte("echo b\n"), 1000)
		after := session([]byte(". " + file))
		after.Lines[0].File, after.Lines[0].Data = file, []byte("echo b\n")
		sessions = append(sessions, s, after)
	}
	request := typing(h, pty.Variant{}, sessions...)
	request.Limits = wire.Limits{CPU: 3 * time.Second}
	got := script(t, h, request).Sessions
	for i := 0; i < len(got); i += 2 {
		if len(got[i]) != 1 || got[i][0].Settled != wire.Prompted {
			t.Errorf("session %d: %s", i, short(got[i]))
		}
		if s := got[i+1]; len(s) != 1 || !bytes.HasPrefix(s[0].Output, []byte("b\r\n")) {
			t.Errorf("session %d: %s", i+1, short(s))
		}
	}
}

// withChildren is a command with four children that waits for the last of them.
const withChildren = `for i in 1 2 3; do (` + deafness + `; ` + blocked + `) & done; disown -a; ` + sleeper

// sleepySession is typed for as long as nobody ends it from outside.
func sleepySession(h Home) wire.Typing {
	t := typing(h, pty.Variant{}, session([]byte(withChildren)))
	t.Limits = wire.Limits{CPU: time.Hour, Quiet: time.Hour, Wall: time.Hour}
	return t
}

// sleepyPlay is a command that the modelled tool waits for.
func sleepyPlay(h Home) wire.Playing {
	t := typing(h, pty.Variant{})
	const id = "00000000-0000-4000-8000-000000000000"
	text := pty.Wrap(withChildren, id)
	return wire.Playing{
		Argv: t.Argv, Env: t.Env, Rows: t.Rows, Columns: t.Columns, Begin: t.Begin[0], Deadline: time.Hour,
		Commands: []wire.Command{{Line: wire.Line{Text: []byte(text)}, ID: id}},
	}
}

// asks are the questions of terminals that can be in progress.
var asks = map[string]func(ctx context.Context, h Home) error{
	"type": func(ctx context.Context, h Home) error {
		_, err := h.Type(ctx, sleepySession(h))
		return err
	},
	"play": func(ctx context.Context, h Home) error {
		_, err := h.Play(ctx, sleepyPlay(h))
		return err
	},
}

// The death of an agent, and the end of a context, in the middle of a session leave
// nothing, and a fresh home works.
func TestSessionInterrupted(t *testing.T) {
	watchHost(t)
	for name, ask := range asks {
		for _, kill := range []bool{true, false} {
			h := open(t, Namespaces)
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan error, 1)
			go func() { done <- ask(ctx, h) }()
			await(t, os.Getpid(), 6) // the agent, the shell and its children
			if kill {
				h.(*link).cmd.Process.Kill()
			} else {
				cancel()
			}
			err := <-done
			var fault *Fault
			if kill && !errors.As(err, &fault) || !kill && !errors.Is(err, context.Canceled) {
				t.Errorf("%s, kill=%v: the error is %v", name, kill, err)
			}
			if again := ask(context.Background(), h); again != err {
				t.Errorf("%s, kill=%v: the next one says %v, want %v", name, kill, again, err)
			}
			cancel()
			h.Close()
			await(t, os.Getpid(), 0)
			h = open(t, Namespaces)
			y := &tally{states: map[wire.Settled]int{}}
			y.typeHostile(t, h, pty.Variant{}, []scripted{{"fresh", session([]byte("echo a"))}})
			h.Close()
		}
		// Between two sessions, with a shell that stands.
		h := open(t, Namespaces)
		script(t, h, typing(h, pty.Variant{}, session([]byte(sleeper+" &"))))
		h.(*link).cmd.Process.Kill()
		var fault *Fault
		if err := ask(context.Background(), h); !errors.As(err, &fault) {
			t.Errorf("%s: the error is %v, want a Fault", name, err)
		}
		h.Close()
	}
}

func init() {
	for name, ask := range asks {
		roles["hold a "+name] = func() error {
			h, err := Namespaces.Open(context.Background(), Shell{Path: os.Getenv("SHELL_PATH")})
			if err != nil {
				return err
			}
			fmt.Println("ready")
			return ask(context.Background(), h)
		}
	}
}

// When the owner of a home is killed in the middle of a session, nothing is left.
func TestSessionOwnerKilled(t *testing.T) {
	watchHost(t)
	for name := range asks {
		cmd := again(t, "hold a "+name)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil {
			t.Error(err)
		}
		owner := cmd.Process.Pid
		await(t, owner, 6)
		below := strays(t, owner)
		cmd.Process.Kill()
		cmd.Wait()
		expectGone(t, below)
	}
}

// openBlind opens a home whose agent cannot see what processes wait for.
func openBlind(t *testing.T) Home {
	t.Helper()
	agentEnv = append(agentEnv, agent.BlindVariable+"=1")
	defer func() { agentEnv = agentEnv[:len(agentEnv)-1] }()
	return open(t, Namespaces)
}

// pids are numbers that a shell tells of its children.
var pids = regexp.MustCompile(`(?m)^\[1\] [0-9]+`)

// Where the kernel does not show what processes wait for, the prompt is found as
// soon as elsewhere, and all else by the time.
func TestBlind(t *testing.T) {
	watchHost(t)
	sighted, h := open(t, Namespaces), openBlind(t)
	for _, c := range []struct {
		text string
		want wire.Settled
		most time.Duration
	}{
		{`echo a`, wire.Prompted, 0},
		{`probe a`, wire.Prompted, 0},
		{`cat </dev/null`, wire.Prompted, 0},
		{`sleep 0.03; echo late`, wire.Prompted, 40 * time.Millisecond},
		{`x=$(sleep 0.03; echo late); echo $x`, wire.Prompted, 40 * time.Millisecond},
		{`printf 'dsh> '; sleep 0.03; echo late`, wire.Prompted, 40 * time.Millisecond},
		{`sleep 0.03 & wait; echo late`, wire.Prompted, 40 * time.Millisecond},
		{`sleep 60 &`, wire.Prompted, 110 * time.Millisecond},
		{`exit 3`, wire.Exited, 0},
		{`echo 'a`, wire.Reading, 10 * time.Millisecond},
		{`read x`, wire.Reading, 10 * time.Millisecond},
		{`cat`, wire.ChildReading, 110 * time.Millisecond}, // blind: running
		{`exec cat`, wire.ChildReading, 110 * time.Millisecond},
		{`sleep 60`, wire.ChildRunning, 110 * time.Millisecond},
		{`while :; do :; done`, wire.Stuck, 200 * time.Millisecond},
		{`kill -STOP $$`, wire.Stuck, 110 * time.Millisecond},
		{`x=$(sleep 60)`, wire.Stuck, 110 * time.Millisecond},
		{`sleep 60 & wait`, wire.Stuck, 110 * time.Millisecond},
	} {
		for _, v := range variants {
			var got [2]wire.Typed
			for i, home := range []Home{sighted, h} {
				after, _ := witness(home, i)
				s := script(t, home, typing(home, v, session([]byte(c.text)), after)).Sessions
				got[i] = s[0][0]
				if len(s[1]) != 1 || s[1][0].Settled != wire.Prompted {
					t.Errorf("behind %s: %s", c.text, short(s[1]))
				}
			}
			want := c.want
			if got[0].Settled != want {
				t.Errorf("%s: %s, want %s", c.text, short(got[0]), want)
			}
			if c.text == "cat" {
				want = wire.ChildRunning
			}
			if got[1].Settled != want || !bytes.Equal(pids.ReplaceAll(got[0].Output, nil), pids.ReplaceAll(got[1].Output, nil)) {
				t.Errorf("%s: blind %s, sighted %s", c.text, short(got[1]), short(got[0]))
			}
			t.Logf("%s: %s in %s, blind in %s", c.text, want, got[0].Took, got[1].Took)
			if got[1].Took > 2*got[0].Took+c.most+150*time.Millisecond {
				t.Errorf("%s: blind it took %s", c.text, got[1].Took)
			}
		}
	}
}

// However late a busy machine gives a line to its shell, the shell is not taken for
// one that waits for more.
func TestBusyMachine(t *testing.T) {
	bound := time.Second
	if text := os.Getenv(soakVariable); text != "" {
		var err error
		if bound, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	var lines atomic.Int64
	end := time.Now().Add(bound)
	for i := range 3 * runtime.GOMAXPROCS(0) {
		h := open(t, Namespaces)
		all.Go(func() {
			for time.Now().Before(end) {
				var sessions []wire.Session
				for n := range 64 {
					s := session([]byte("echo b"), []byte("x=$(echo c); echo $x"), []byte("probe d"), []byte("true | cat; sleep 0"), []byte("echo e"))
					s.Fresh = n%8 == 0
					sessions = append(sessions, s)
				}
				request := typing(h, variants[i%2], sessions...)
				request.Limits.CPU, request.Limits.Wall = time.Second, 5*time.Second
				got, err := h.Type(t.Context(), request)
				if err != nil {
					t.Error(err)
					return
				}
				for _, s := range got.Sessions {
					for n, l := range s {
						lines.Add(1)
						if l.Settled != wire.Prompted || n == 0 && string(l.Output) != "b\r\n\x1b]133;D;0\adsh> " {
							t.Errorf("line %d: %s", n+1, short(s))
							return
						}
					}
				}
			}
		})
	}
	all.Wait()
	t.Logf("%d lines", lines.Load())
}
