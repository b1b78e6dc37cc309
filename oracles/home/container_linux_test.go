//go:build amd64 || arm64

package home

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/argvdiff/argvdiff/docker"
	"github.com/argvdiff/argvdiff/oracles/wire"
)

// required reports whether $ARGVDIFF_REQUIRE names what a test needs, so that it
// may not be skipped.
func required(what string) bool {
	return slices.Contains(strings.FieldsFunc(os.Getenv("ARGVDIFF_REQUIRE"), func(r rune) bool { return r == ',' || r == ' ' }), what)
}

var inImage struct {
	once  sync.Once
	shell Shell
	err   error
}

// imaged returns a shell in an image that was built out of the host's bash.
func imaged(t testing.TB) Shell {
	t.Helper()
	inImage.once.Do(func() {
		r, err := docker.Find(t.Context(), "")
		if err != nil {
			inImage.err = err
			return
		}
		if _, err := agentProgram(); err != nil {
			// As under the race detector: another build serves.
			static := filepath.Join(os.TempDir(), "argvdiff-agent-of-home-tests")
			build := exec.Command("go", "build", "-o", static, "../..")
			build.Env = append(os.Environ(), "CGO_ENABLED=0")
			if out, err := build.CombinedOutput(); err != nil {
				inImage.err = fmt.Errorf("%w: %s", err, out)
				return
			}
			os.Setenv(AgentVariable, static)
		}
		tag, err := BuildFrom(t.Context(), r, hostShell(t).Path)
		inImage.shell, inImage.err = Shell{Path: shellInside, Image: docker.Image{Ref: tag, Shell: shellInside, Built: true}, Runtime: r}, err
	})
	if errors.Is(inImage.err, docker.ErrNone) && !required("container") {
		t.Skipf("not run: %v; install docker and start it", inImage.err)
	}
	if inImage.err != nil {
		t.Fatal(inImage.err)
	}
	return inImage.shell
}

func openImage(t testing.TB) *link {
	t.Helper()
	h, err := Containers.Open(t.Context(), imaged(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h.(*link)
}

// ours returns the containers that this process has started.
func ours(t testing.TB) []string {
	t.Helper()
	out, err := exec.Command("docker", "ps", "-a", "--filter", "label="+docker.OwnerLabel, "--format", "{{.Names}}").Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, name := range strings.Fields(string(out)) {
		if strings.HasPrefix(name, fmt.Sprintf("argvdiff-%d-", os.Getpid())) {
			list = append(list, name)
		}
	}
	return list
}

// expectNone waits until no container of ours is left.
func expectNone(t testing.TB) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		list := ours(t)
		if len(list) == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("left: %q", list)
		}
	}
}

// A container is shut off as a home of namespaces is.
func TestInsideContainer(t *testing.T) {
	h := openImage(t)
	for _, c := range []struct{ name, text, want string }{
		{"identity", `echo $UID $EUID ${GROUPS[@]}`, "1000 1000 1000\n"},
		{"descriptors", `for f in {0..255}; do [[ -e /proc/$$/fd/$f ]] && echo $f; done`, "0\n1\n2\n"},
		{"capabilities", `while read k v; do case $k in CapPrm:|CapEff:|CapBnd:|CapAmb:|NoNewPrivs:|Seccomp:) echo $k $v;; esac; done </proc/self/status`,
			"CapPrm: 0000000000000000\nCapEff: 0000000000000000\nCapBnd: 0000000000000000\nCapAmb: 0000000000000000\nNoNewPrivs: 1\nSeccomp: 2\n"},
		{"the agent's secrets", `for f in mem environ maps fd fd/0 fd/1 root cwd ns/mnt; do { exec 9</proc/1/$f; } 2>&- && echo open $f; done; echo -`, "-\n"},
		{"the root is read-only", `for f in /x /argvdiff/x /argvdiff/bin/probe /etc/x /proc/sys/kernel/hostname; do { : >>$f; } 2>&- && echo wrote $f; done; echo -`, "-\n"},
		{"no network", `while read n x; do echo $n; done </proc/net/dev; (: </dev/tcp/127.0.0.1/1) 2>/dev/null || echo none`, "Inter-|\nface\nlo:\nnone\n"},
		{"environment", `while IFS= read -rd '' v; do echo "$v"; done </proc/$$/environ`, "PATH=/argvdiff/bin\nHOME=/home/u\nLC_ALL=C.UTF-8\n"},
		{"the agent cannot be ended", `kill -9 1; kill -TERM 1; echo still`, "still\n"},
		{"the folder is empty", `shopt -s dotglob nullglob; echo * $PWD`, "/tmp/work\n"},
	} {
		if got := run(t, h, request(c.text))[0]; string(got.Stdout) != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s\nstderr %s", c.name, got.Stdout, c.want, got.Stderr)
		}
	}
}

// What is hostile in namespaces is so in a container, and ends as it does there.
func TestHostileInContainer(t *testing.T) {
	h := openImage(t)
	rounds := 1
	if n := len(hostile); !testing.Short() && required("container") {
		rounds = (1000 + n - 1) / n
	}
	for range rounds {
		for _, c := range hostile {
			r := request(c.text)
			r.Limits = c.limits
			results, err := h.Run(t.Context(), r, request(`probe after; shopt -s dotglob nullglob; probe *; echo /proc/[0-9]*`))
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			after := results[1]
			if len(after.Records) != 2 || len(after.Records[1].Argv) != 1 || strings.Count(string(after.Stdout), "/proc/") != 2 {
				t.Errorf("after %s: %s", c.name, short(after.Observation))
			}
			if !slices.Contains(c.ended, results[0].Ended) && !slices.Contains(anyEnd, results[0].Ended) {
				t.Errorf("%s: ended %q, want one of %q", c.name, results[0].Ended, c.ended)
			}
		}
	}
}

// Whatever becomes of a container, the run in it ends with a fault that says so,
// and nothing is left.
func TestContainerLost(t *testing.T) {
	imaged(t)
	defer func(d time.Duration) { containerPatience = d }(containerPatience)
	containerPatience = 2 * time.Second
	for _, how := range [][]string{{"kill"}, {"stop", "-t", "0"}, {"rm", "-f"}, {"pause"}} {
		t.Run(how[0], func(t *testing.T) {
			h := openImage(t)
			names := ours(t)
			if len(names) != 1 {
				t.Fatalf("containers: %q", names)
			}
			r := sleepy()
			r.Limits = wire.Limits{Quiet: time.Hour}
			done := make(chan error, 1)
			began := time.Now()
			go func() {
				_, err := h.Run(context.Background(), r)
				done <- err
			}()
			time.Sleep(100 * time.Millisecond)
			if out, err := exec.Command("docker", append(how, names[0])...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			var fault *Fault
			if err := <-done; !errors.As(err, &fault) {
				t.Errorf("the run says %v, want a fault", err)
			}
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("it took %s", took)
			}
			h.Close()
			expectNone(t)
			// A fresh one does.
			if got := run(t, openImage(t), request("probe a")); len(got[0].Records) != 1 {
				t.Errorf("%s", short(got[0].Observation))
			}
		})
		expectNone(t)
	}
}

// A process that is killed leaves no container: the engine ends it when its
// input ends, and what it does not see is swept by the next one.
func TestContainerOwnerKilled(t *testing.T) {
	shell := imaged(t)
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), roleVar+"=hold a container", "ARGVDIFF_TEST_IMAGE="+shell.Image.Ref)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	prefix := fmt.Sprintf("argvdiff-%d-", cmd.Process.Pid)
	held := func() []string {
		b, err := exec.Command("docker", "ps", "-a", "--filter", "name="+prefix, "--format", "{{.Names}}").Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Fields(string(b))
	}
	if n := len(held()); n != 1 {
		t.Fatalf("it holds %d containers", n)
	}
	// One that is paused does not see the end of its input.
	if b, err := exec.Command("docker", "pause", held()[0]).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	cmd.Process.Kill()
	cmd.Wait()
	if n, err := shell.Runtime.Sweep(t.Context()); err != nil || n != 1 {
		t.Errorf("swept %d, %v", n, err)
	}
	if left := held(); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	if n, err := shell.Runtime.Sweep(t.Context()); err != nil || n != 0 {
		t.Errorf("swept %d once more, %v", n, err)
	}
}

func init() {
	roles["hold a container"] = func() error {
		r, err := docker.Find(context.Background(), "")
		if err != nil {
			return err
		}
		ref := os.Getenv("ARGVDIFF_TEST_IMAGE")
		if _, err := Containers.Open(context.Background(), Shell{Path: shellInside, Image: docker.Image{Ref: ref, Shell: shellInside, Built: true}, Runtime: r}); err != nil {
			return err
		}
		fmt.Println("held")
		select {}
	}
}

// The official images need no build: the agent is mounted. One is stood in for
// by an image with the host's bash at its place; then ours is built on it.
func TestOfficialImage(t *testing.T) {
	shell := imaged(t)
	const version = "0.0-argvdiff-test"
	dir := t.TempDir()
	nodes, err := rootNodes(hostShell(t))
	if err != nil {
		t.Fatal(err)
	}
	for i := range nodes {
		if nodes[i].Path == shellInside {
			nodes[i].Path = officialShell
		}
	}
	if err := layNodes(filepath.Join(dir, "root"), "/", nodes); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "Dockerfile"), []byte("FROM scratch\nCOPY root /\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := shell.Runtime
	if err := r.Build(t.Context(), "bash:"+version, dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.RemoveImage(context.Background(), "bash:"+version) })
	find := func(ref string) Shell {
		t.Helper()
		all, err := InImages(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(all, func(s Shell) bool { return s.Image.Ref == ref })
		if at < 0 {
			t.Fatalf("%s is not among %v", ref, all)
		}
		return all[at]
	}
	mounted := find("bash:" + version)
	tag, err := BuildImage(t.Context(), r, version)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.RemoveImage(context.Background(), tag) })
	built := find(tag)
	for _, s := range []Shell{mounted, built} {
		h, err := Isolated.Open(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close()
		if s.Path != officialShell || s.Image.Built != (s.Image.Ref == tag) {
			t.Errorf("%+v", s)
		}
		if version, err := prove(t.Context(), h); err != nil || version == "" {
			t.Errorf("%s: %s, %v", s.Image.Ref, version, err)
		}
	}
	if _, err := BuildImage(t.Context(), r, "0.0-none"); err == nil || !strings.Contains(err.Error(), "pull bash:0.0-none") {
		t.Errorf("an image on nothing: %v", err)
	}
}

func BenchmarkOpenContainer(b *testing.B) {
	shell := imaged(b)
	for b.Loop() {
		h, err := Containers.Open(b.Context(), shell)
		if err != nil {
			b.Fatal(err)
		}
		h.Close()
	}
}
