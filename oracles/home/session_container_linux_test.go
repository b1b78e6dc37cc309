//go:build amd64 || arm64

package home

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/argvdiff/argvdiff/docker"
	"github.com/argvdiff/argvdiff/oracles/agent"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/pty"
)

// Sessions are in a container what they are in namespaces.
func TestSessionsInContainer(t *testing.T) {
	there, h := open(t, Namespaces), openImage(t)
	for _, v := range variants {
		for _, text := range []string{`probe a`, `echo b | cat`, `stty -a`, `sleep 0.01; cmp /dev/null /dev/null`, `echo 'a`, `read x`, `cat`, `sleep 60`, `x=$(sleep 60)`, `exit 3`, "echo \x13"} {
			s := session([]byte(text))
			want, got := script(t, there, typing(there, v, s)).Sessions[0], script(t, h, typing(h, v, s)).Sessions[0]
			if len(got) != 1 || got[0].Settled != want[0].Settled || string(got[0].Output) != string(want[0].Output) || len(got[0].Records) != len(want[0].Records) {
				t.Errorf("%s: got %s, want %s", text, short(got), short(want))
			}
			t.Logf("%s: %s in %s, in namespaces in %s", text, got[0].Settled, got[0].Took, want[0].Took)
		}
	}
}

// What is hostile in namespaces is so in a container.
func TestHostileSessionsInContainer(t *testing.T) {
	h := openImage(t)
	y := &tally{states: map[wire.Settled]int{}}
	y.typeHostile(t, h, variants[0], []scripted{{"nothing", session([]byte("echo a"))}})
	before := inUse(t, h)
	for from := 0; from < len(hostileSessions); from += 16 {
		var all []scripted
		for i, s := range hostileSessions[from:min(from+16, len(hostileSessions))] {
			all = append(all, scripted{s.name, session(s.typed(i%2 == 0)...)})
		}
		y.typeHostile(t, h, variants[from/16%2], all)
		expectSizes(t, h, before)
	}
	t.Log(y)
}

// toolSessions harm their home with programs that an image may hold.
var toolSessions = []hostileSession{
	{"no permissions", []string{`/bin/chmod 0 /tmp/work`, `echo b`}},
	{"no permissions, then another", []string{`/bin/chmod 500 /tmp/work; /bin/chmod 500 /tmp`, `echo b >/tmp/f`}},
	{"no work folder", []string{`/bin/rmdir /tmp/work; >/tmp/f`, `echo b`, `cd .; pwd`}},
	{"another work folder", []string{`/bin/rmdir /tmp/work; /bin/mkdir -m 0 /tmp/work`, `echo b`}},
	{"a link for a work folder", []string{`/bin/rmdir /tmp/work; /bin/ln -s / /tmp/work`, `echo b`}},
	{"a file for a work folder", []string{`/bin/rmdir /tmp/work; >/tmp/work`, `echo b`}},
	{"a moved work folder", []string{`/bin/mv /tmp/work /tmp/other`, `>f; echo b`}},
	{"folders", []string{`/bin/mkdir -p a/b/c/d; >a/b/c/d/e; /bin/chmod 0 a/b/c/d a/b/c a/b a`, `echo b`}},
	{"deep folders", []string{`for i in {1..300}; do /bin/mkdir a && cd a; done`, `echo b`}},
	{"pipes", []string{`/bin/mkfifo p; cat p`, `echo b`}},
	{"pipes in the background", []string{`/bin/mkfifo /tmp/p; (echo a >/tmp/p) & cat </tmp/p; (: >/tmp/p) &`, `echo b`}},
	{"a session of its own", []string{`/bin/setsid sleep 60 &`, `echo b`}},
	{"a shell in a session of its own", []string{`/bin/setsid bash -c '` + deafness + `; while :; do sleep 0.01; probe late; echo late; done' &`, `echo b`}},
	{"a thief of the terminal", []string{`/bin/setsid -c bash -c 'exec <>/dev/pts/0; cat' &`, `echo b`, `exit`}},
	{"all files", []string{`/bin/rm -rf /tmp /argvdiff /bin 2>/dev/null`, `echo b`}},
}

// openTools opens a container of an image that holds programs beside its shell.
func openTools(t *testing.T) Home {
	t.Helper()
	shell := imaged(t)
	nodes, err := rootNodes(hostShell(t))
	if err != nil {
		t.Fatal(err)
	}
	c := copier{nodes: nodes}
	for _, name := range []string{"chmod", "rmdir", "mkdir", "ln", "mv", "mkfifo", "setsid", "rm"} {
		path, err := exec.LookPath(name)
		if err == nil {
			path, err = filepath.EvalSymlinks(path)
		}
		if err != nil {
			t.Skipf("not run: %v", err)
		}
		files, err := libraries(path)
		if err == nil {
			err = c.file(path, "/bin/"+name)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if !slices.ContainsFunc(c.nodes, func(n wire.Node) bool { return n.Path == f }) {
				if err := c.file(f, f); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	dir := t.TempDir()
	if err := layNodes(filepath.Join(dir, "root"), "/", c.nodes); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "Dockerfile"), []byte("FROM scratch\nCOPY root /\nUSER 1000:1000\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	const tag = "bash:0.0-argvdiff-tools"
	if err := shell.Runtime.Build(t.Context(), tag, dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shell.Runtime.RemoveImage(context.Background(), tag) })
	h, err := Containers.Open(t.Context(), Shell{Path: shellInside, Image: docker.Image{Ref: tag, Shell: shellInside}, Runtime: shell.Runtime})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

// Programs of an image cannot harm what comes after them, neither sessions nor runs.
func TestToolsInContainer(t *testing.T) {
	h := openTools(t)
	if want := agent.KitTerminal; h.Layout().Terminal != want {
		t.Errorf("PATH is %s, want %s", h.Layout().Terminal, want)
	}
	y := &tally{states: map[wire.Settled]int{}}
	for _, s := range toolSessions {
		y.typeHostile(t, h, variants[0], []scripted{{s.name, session(s.typed(true)...)}, {s.name, session(s.typed(false)...)}})
		r := request(s.lines[0])
		results, err := h.Run(t.Context(), r, request(`shopt -s dotglob nullglob; echo * ~+ /tmp/*; >f; >/tmp/f; echo $?`))
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if got := string(results[1].Stdout); got != "/tmp/work /tmp/work\n0\n" {
			t.Errorf("behind a run of %s: %q, %s", s.name, got, short(results[1].Stderr))
		}
	}
	t.Log(y)
}

// A container that is lost in the middle of a session is a fault, and nothing is left.
func TestSessionInContainerLost(t *testing.T) {
	imaged(t)
	defer func(d time.Duration) { containerPatience = d }(containerPatience)
	containerPatience = 2 * time.Second
	for name, ask := range asks {
		h := openImage(t)
		done := make(chan error, 1)
		go func() { done <- ask(context.Background(), h) }()
		time.Sleep(300 * time.Millisecond)
		if out, err := exec.Command("docker", "kill", ours(t)[0]).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		var fault *Fault
		if err := <-done; !errors.As(err, &fault) {
			t.Errorf("%s: the error is %v, want a Fault", name, err)
		}
		h.Close()
		expectNone(t)
	}
}

// How long a line takes in a shell that stands, by where it stands.
func BenchmarkLine(b *testing.B) {
	for _, k := range []Kind{Namespaces, Containers} {
		for _, fresh := range []bool{false, true} {
			name := k.Name
			if fresh {
				name += "-fresh"
			}
			b.Run(name, func(b *testing.B) {
				h := open(b, k)
				var slowest time.Duration
				for left := b.N; left > 0; left -= 256 {
					var all []wire.Session
					for range min(left, 256) {
						s := session([]byte(pty.Wrap("probe 'a b'", "00000000-0000-4000-8000-000000000000")))
						s.Fresh = fresh
						all = append(all, s)
					}
					script, err := h.Type(b.Context(), typing(h, pty.Variant{}, all...))
					if err != nil || script.Refused != "" {
						b.Fatal(err, script.Refused)
					}
					slowest = max(slowest, script.Slowest)
				}
				if b.ReportMetric(float64(slowest.Microseconds())/1000, "slowest-ms"); fresh && slowest > 100*time.Millisecond {
					b.Errorf("a shell was ready in %s", slowest)
				}
			})
		}
	}
}
