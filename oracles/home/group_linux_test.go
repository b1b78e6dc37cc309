package home

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

// Each mark on standard output begins the budgets anew, so that a script of many
// commands has as much time for each of them as it would have alone.
func TestMark(t *testing.T) {
	h := open(t, Namespaces)
	// About 30 ms of work each: all together are far over the budget of one.
	const work = "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done\n"
	var script strings.Builder
	for i := range 12 {
		fmt.Fprintf(&script, "%secho :mark:%d\n", work, i)
	}
	plain, marked := request(script.String()), request(script.String())
	marked.Limits.Mark = []byte(":mark:")
	spinner := request("echo :mark:1\nwhile :; do :; done\necho :mark:2")
	spinner.Limits.Mark = []byte(":mark:")
	sleeper := request("echo :mark:1\nread x < /dev/ptmx\necho :mark:2")
	sleeper.Limits.Mark = []byte(":mark:")
	results := run(t, h, plain, marked, spinner, sleeper)
	for i, want := range []struct {
		ended wire.Ended
		marks int
	}{{wire.Spinning, -1}, {wire.Itself, 12}, {wire.Spinning, 1}, {wire.Hung, 1}} {
		r := results[i]
		if n := strings.Count(string(r.Stdout), ":mark:"); r.Ended != want.ended || want.marks >= 0 && n != want.marks {
			t.Errorf("run %d: %d marks, ended %q, %s of processor time; want %d, %q", i, n, r.Ended, r.CPU, want.marks, want.ended)
		}
	}
}

// Children say which part of a script they are of, also where they are started
// by other children.
func TestPart(t *testing.T) {
	h := open(t, Namespaces)
	r := request("probe a\nARGDIFF=2\nprobe b | probe c\n(probe d)\nARGDIFF=3\nenv -i probe; exec -c probe e")
	r.Env = [][]byte{[]byte("ARGDIFF=1")}
	got := map[string]uint64{}
	for _, rec := range run(t, h, r)[0].Records {
		got[string(rec.Argv[1])] = rec.Part
	}
	if fmt.Sprint(got) != "map[a:1 b:2 c:2 d:2 e:0]" {
		t.Errorf("%v", got)
	}
}

// What floods its output is ended soon, though nobody watches every byte.
func TestFloodEndsSoon(t *testing.T) {
	h := open(t, Namespaces)
	for to, want := range map[string][]wire.Ended{"1": {wire.Flooding}, "2": {wire.Spinning}} {
		r := request("x=" + strings.Repeat("x", 4000) + "; while :; do echo $x >&" + to + "; done")
		r.Limits.Wall = 5 * time.Second
		if to == "1" {
			r.Limits.CPU = time.Second
		}
		if got := run(t, h, r)[0]; !slices.Contains(want, got.Ended) {
			t.Errorf("to %s: ended %q with %d bytes", to, got.Ended, len(got.Stdout))
		}
	}
}

// A home in which everything sleeps does not keep others from running.
func TestTurns(t *testing.T) {
	turns := NewTurns(1)
	sleeping, working := turns.Share(open(t, Namespaces)), turns.Share(open(t, Namespaces))
	sleeper := request("read x < /dev/ptmx")
	sleeper.Limits.Quiet = 2 * time.Second
	slept := make(chan error, 1)
	go func() {
		_, err := sleeping.Run(context.Background(), sleeper)
		slept <- err
	}()
	for asleep := false; !asleep; {
		for range 20 {
			results := run(t, working, request("probe a"))
			if len(results[0].Records) != 1 {
				t.Fatalf("%+v", results[0])
			}
		}
		select {
		case err := <-slept:
			if err == nil {
				t.Error("nothing ran before the sleeper had ended")
			} else {
				t.Error(err)
			}
			return
		default:
			asleep = len(turns.free) == 0 // given back, though it is not at its end
		}
	}
	if err := <-slept; err != nil {
		t.Error(err)
	}
	run(t, working, request("probe a"))
	if n := len(turns.free); n != 0 {
		t.Errorf("%d turns are not given back", n)
	}
}

func TestLoop(t *testing.T) {
	h := open(t, Namespaces).(Clocked)
	lap, err := h.Loop(t.Context(), wire.Loop{Argv: [][]byte{[]byte("bash"), []byte("-c"), []byte("probe a; probe b")}, For: 20 * time.Millisecond})
	if err != nil || lap.Starts < 1 || lap.Records < 2*lap.Starts-2 || lap.Wall < 20*time.Millisecond {
		t.Errorf("%+v, %v", lap, err)
	}
	lap, err = h.Loop(t.Context(), wire.Loop{Program: "probe", Argv: [][]byte{[]byte("probe")}})
	if err != nil || lap.Starts != 1 {
		t.Errorf("%+v, %v", lap, err)
	}
	if _, told := h.CPU(); !told {
		t.Error("no processor time")
	}
	if _, err := h.Loop(t.Context(), wire.Loop{Program: "nothing", Argv: [][]byte{[]byte("nothing")}}); err == nil {
		t.Error("a program that is not there was started")
	}
}
