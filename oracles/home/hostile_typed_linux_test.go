//go:build amd64 || arm64

package home

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/argvdiff/argvdiff/fuzz/gen"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/pty"
)

// soakVariable names the environment variable with the time for which TestSoak
// types into each shell, as "10m".
const soakVariable = "ARGVDIFF_SOAK"

// typing returns a request for interactive shells as the modelled tool starts them.
func typing(h Home, v pty.Variant, sessions ...wire.Session) wire.Typing {
	t := wire.Typing{
		Rows: pty.Rows, Columns: pty.Columns, Prompt: []byte(pty.Prompt), Begin: [][]byte{[]byte(v.Begin())}, Sessions: sessions,
		Limits: wire.Limits{CPU: 100 * time.Millisecond, Quiet: 100 * time.Millisecond, Wall: time.Second},
	}
	for _, a := range v.Argv() {
		t.Argv = append(t.Argv, []byte(a))
	}
	for _, e := range append(v.Environ(), "PATH="+h.Layout().Terminal) {
		t.Env = append(t.Env, []byte(e))
	}
	return t
}

func session(lines ...[]byte) wire.Session {
	s := wire.Session{Fresh: true}
	for _, l := range lines {
		s.Lines = append(s.Lines, wire.Line{Text: l})
	}
	return s
}

// A witness is a session that sees whether its shell and its home are as they
// were at first.
func witness(h Home, n int) (s wire.Session, want wire.Typed) {
	id := fmt.Sprintf("%08x-0000-4000-8000-000000000000", n)
	temp := h.Layout().Temp
	text := fmt.Sprintf(`shopt -s dotglob nullglob; probe %d; set -- /proc/[0-9]*; echo $# %s/* * ~+`, n, temp)
	s = session([]byte(pty.Wrap(text, id)))
	shown := fmt.Sprintf("2 %s %s\n", h.Layout().Work, h.Layout().Work)
	shown = strings.ReplaceAll(string(pty.Printed([]byte(shown), 0, id)), "\n", "\r\n")
	return s, wire.Typed{
		Records: records(typed("probe", fmt.Sprint(n))), Settled: wire.Prompted, Output: []byte(shown + pty.PromptMark + "0\a" + pty.Prompt),
	}
}

// A tally is what was seen of hostile sessions.
type tally struct {
	sessions, lines  int
	states           map[wire.Settled]int
	worst, slowest   time.Duration
	worstOf          string
	late             int // lines that took more than a second and a half
	fresh            uint64
	faults, mistakes int
}

func (y *tally) String() string {
	var states []string
	for _, s := range slices.Sorted(maps.Keys(y.states)) {
		states = append(states, fmt.Sprintf("%s %d", s, y.states[s]))
	}
	return fmt.Sprintf("%d sessions, %d lines (%s), the longest %s (%s; %d took more than 1.5 s), %d shells, the slowest ready in %s; %d faults, %d mistakes",
		y.sessions, y.lines, strings.Join(states, ", "), y.worst.Round(time.Millisecond), y.worstOf, y.late, y.fresh, y.slowest.Round(time.Millisecond), y.faults, y.mistakes)
}

// A scripted is a session with its name.
type scripted struct {
	name string
	wire.Session
}

// typeHostile types sessions with a witness behind each, and checks that each line
// has its verdict and each witness sees what it should.
func (y *tally) typeHostile(t *testing.T, h Home, v pty.Variant, all []scripted) {
	t.Helper()
	var request []wire.Session
	var wants []wire.Typed
	for i, s := range all {
		after, want := witness(h, y.sessions+i)
		request, wants = append(request, s.Session, after), append(wants, want)
	}
	script, err := h.Type(t.Context(), typing(h, v, request...))
	if err != nil {
		y.faults++
		var names []string
		for _, s := range all {
			names = append(names, s.name)
		}
		t.Fatalf("typing %q: %v", names, err)
	}
	mistake := func(format string, args ...any) {
		y.mistakes++
		t.Errorf(format, args...)
	}
	if script.Refused != "" {
		mistake("refused: %s", script.Refused)
		return
	}
	y.fresh += script.Fresh
	y.slowest = max(y.slowest, script.Slowest)
	for i, s := range all {
		y.sessions++
		lines := script.Sessions[2*i]
		var path []string
		for n, l := range lines {
			y.lines++
			y.states[l.Settled]++
			path = append(path, fmt.Sprintf("%s in %s", l.Settled, l.Took.Round(time.Millisecond)))
			if l.Took > y.worst {
				y.worst, y.worstOf = l.Took, fmt.Sprintf("%s, line %d: %s", s.name, n+1, l.Settled)
			}
			if l.Took > 1500*time.Millisecond {
				y.late++
			}
			if len(l.Output) > wire.DefaultOutput+pty.Columns {
				mistake("%s: line %d has %d bytes of output", s.name, n+1, len(l.Output))
			}
			last := slices.Contains([]wire.Settled{wire.Exited, wire.ChildReading, wire.ChildRunning, wire.Flooded}, l.Settled)
			if last != (n == len(lines)-1) && (last || len(lines) < len(s.Lines)) {
				mistake("%s: %d lines of %d: %q", s.name, len(lines), len(s.Lines), path)
			}
		}
		if len(lines) == 0 && len(s.Lines) > 0 {
			mistake("%s: no line has a verdict", s.name)
		}
		if testing.Verbose() && os.Getenv(soakVariable) == "" {
			t.Logf("%s: %q", s.name, path)
		}
		after := script.Sessions[2*i+1]
		if len(after) != 1 || after[0].Settled != wire.Prompted || !bytes.Equal(after[0].Output, wants[i].Output) || short(after[0].Records) != short(wants[i].Records) {
			mistake("behind %s: %s\nwant %s", s.name, short(after), short(wants[i]))
		}
	}
}

// sizes are what a home has in use, as the host sees it: of the agent's
// descriptors, -1 where that cannot be seen.
type sizes struct{ processes, descriptors, terminals, files int }

func (s sizes) String() string {
	return fmt.Sprintf("%d processes, %d descriptors, %d terminals, %d files", s.processes, s.descriptors, s.terminals, s.files)
}

// inUse counts what a home has in use, with a shell that stands.
func inUse(t *testing.T, h Home) (s sizes) {
	t.Helper()
	pid := h.(*link).cmd.Process.Pid
	if h.(*link).remove != nil { // that process speaks with the engine
		out, err := exec.Command("docker", "inspect", "--format", "{{.State.Pid}}", ours(t)[0]).Output()
		if err != nil {
			t.Fatal(err)
		}
		if pid, err = strconv.Atoi(strings.TrimSpace(string(out))); err != nil {
			t.Fatal(err)
		}
	}
	count := func(dir string) int {
		entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/%s", pid, dir))
		if errors.Is(err, fs.ErrPermission) {
			return -1
		}
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	return sizes{len(strays(t, pid)), count("fd"), count("root/dev/pts"), count("root/tmp") + count("root/tmp/work")}
}

// expectSizes waits a moment for a home to have no more in use than it had.
func expectSizes(t *testing.T, h Home, want sizes) {
	t.Helper()
	for end := time.Now().Add(time.Second); ; time.Sleep(5 * time.Millisecond) {
		got := inUse(t, h)
		if got == want {
			return
		}
		if time.Now().After(end) {
			t.Errorf("in use: %s; at first: %s", got, want)
			return
		}
	}
}

// variants are the ways of the modelled tool that differ in who reads the lines.
var variants = []pty.Variant{{}, {NoEditing: true}}

// TestHostileSessions types the hostile sessions, each as it is and as the tool
// wraps it.
func TestHostileSessions(t *testing.T) {
	watchHost(t)
	for _, v := range variants {
		t.Run(fmt.Sprintf("noediting=%v", v.NoEditing), func(t *testing.T) {
			h := open(t, Namespaces)
			y := &tally{states: map[wire.Settled]int{}}
			y.typeHostile(t, h, v, nil)
			y.typeHostile(t, h, v, []scripted{{"nothing", session([]byte("echo a"))}})
			before := inUse(t, h)
			for from := 0; from < len(hostileSessions); from += 16 {
				var all []scripted
				for i, s := range hostileSessions[from:min(from+16, len(hostileSessions))] {
					for _, wrapped := range []bool{true, false} {
						if os.Getenv(soakVariable) == "" && wrapped == (i%2 == 0) == v.NoEditing {
							continue // one half on each variant
						}
						all = append(all, scripted{fmt.Sprintf("%s, wrapped=%v", s.name, wrapped), session(s.typed(wrapped)...)})
					}
				}
				y.typeHostile(t, h, v, all)
				expectSizes(t, h, before)
			}
			t.Log(y)
		})
	}
}

// installedShells returns the bash of this machine and those that are installed
// beside it.
func installedShells(t *testing.T) map[string]Shell {
	all := map[string]Shell{"host": hostShell(t)}
	paths, _ := filepath.Glob(installed)
	for _, p := range paths {
		all[filepath.Base(filepath.Dir(filepath.Dir(p)))] = Shell{Path: p, Sysroot: sysrootOf(p)}
	}
	return all
}

// TestSoak mixes hostile and generated sessions for as long as the environment
// says: nothing fails, nothing grows, nothing is left.
func TestSoak(t *testing.T) {
	bound := time.Second
	if text := os.Getenv(soakVariable); text != "" {
		var err error
		if bound, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	watchHost(t)
	for name, shell := range installedShells(t) {
		t.Run(name, func(t *testing.T) {
			h, err := Namespaces.Open(context.Background(), shell)
			if err != nil {
				t.Fatal(err)
			}
			defer h.Close()
			seed := uint64(time.Now().UnixNano())
			r, g := rand.New(rand.NewPCG(seed, 0)), gen.New(seed)
			y := &tally{states: map[wire.Settled]int{}}
			y.typeHostile(t, h, variants[0], []scripted{{"nothing", session([]byte("echo a"))}})
			before := inUse(t, h)
			for end := time.Now().Add(bound); time.Now().Before(end) && y.mistakes < 20; {
				var all []scripted
				for range 8 {
					s := hostileSession{name: "generated"}
					if r.IntN(3) == 0 {
						s = hostileSessions[r.IntN(len(hostileSessions))]
					} else {
						for _, l := range g.Session(uint64(y.sessions*8 + len(all))) {
							s.lines = append(s.lines, string(l))
						}
						if r.IntN(4) == 0 { // a hostile line among others
							other := hostileSessions[r.IntN(len(hostileSessions))]
							s.name += " with " + other.name
							s.lines = slices.Insert(s.lines, r.IntN(len(s.lines)+1), other.lines[r.IntN(len(other.lines))])
						}
					}
					one := session(s.typed(r.IntN(3) > 0)...)
					one.Fresh = r.IntN(2) == 0
					all = append(all, scripted{s.name, one})
				}
				y.typeHostile(t, h, variants[r.IntN(len(variants))], all)
				expectSizes(t, h, before)
			}
			t.Logf("seed %d: %s; in use: %s", seed, y, inUse(t, h))
		})
	}
}
