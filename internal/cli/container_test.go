package cli

import (
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
	"github.com/argvdiff/argvdiff/oracles/home"
)

// required reports whether $ARGVDIFF_REQUIRE names what a test needs, so that it
// may not be skipped.
func required(what string) bool {
	return slices.Contains(strings.FieldsFunc(os.Getenv("ARGVDIFF_REQUIRE"), func(r rune) bool { return r == ',' || r == ' ' }), what)
}

var engine struct {
	once  sync.Once
	err   error
	agent string
	ids   []string // of shells that are on this machine and in an image
}

// imaged returns the ids of shells of this machine of which images were made.
func imaged(t *testing.T) []string {
	t.Helper()
	shells := usable(t)
	engine.once.Do(func() {
		if _, engine.err = docker.Find(t.Context(), "docker"); engine.err != nil {
			return
		}
		// This binary may be one that needs libraries, as under the race detector.
		engine.agent = filepath.Join(os.TempDir(), "argvdiff-agent-of-cli-tests")
		build := exec.Command("go", "build", "-o", engine.agent, "../..")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			engine.err = fmt.Errorf("%w: %s", err, out)
			return
		}
		os.Setenv(home.AgentVariable, engine.agent)
		for _, s := range shells {
			a := ask(t, as("argvdiff", "images", "build", "--runtime", "docker", "--from", s.Path))
			if want := "argvdiff/bash:" + s.Version + "\n"; a.code != exitNothing || a.stdout != want {
				engine.err = fmt.Errorf("images build --from %s: %q, %s", s.Path, a.stdout, a.stderr)
				return
			}
			engine.ids = append(engine.ids, s.ID)
		}
	})
	if errors.Is(engine.err, docker.ErrNone) && !required("container") {
		t.Skipf("not run: %v; install docker and start it", engine.err)
	}
	if engine.err != nil {
		t.Fatal(engine.err)
	}
	return engine.ids
}

// What is required must be there.
func TestRequired(t *testing.T) {
	shells := usable(t)
	for _, what := range []string{"3.2", "5.1", "5.2", "5.3"} {
		there := slices.ContainsFunc(shells, func(s home.Shell) bool { return strings.HasPrefix(s.Version, what+".") })
		if required("bash-"+what) && !there {
			t.Errorf("bash %s is required and not here", what)
		}
	}
	if required("container") {
		imaged(t)
	}
}

// The same binary shows the same in a container and in namespaces.
func TestHomesAgree(t *testing.T) {
	ids := imaged(t)
	var all []string
	for _, id := range ids {
		all = append(all, id, id+"@docker")
	}
	for _, text := range []string{"node -e 'console.log(1!==2)'", "probe \"$(echo é | cat)\" <<< '!'; exit 3", "[[ ! a ]]; echo $?"} {
		rows, _ := carried(t, "--runtime", "docker", "--shell", strings.Join(all, ","), text)
		byShell := make(map[string][]row)
		for _, r := range rows {
			byShell[r.Shell] = append(byShell[r.Shell], r)
		}
		for _, id := range ids {
			a, b := byShell[id], byShell[id+"@docker"]
			if len(a) == 0 || len(a) != len(b) {
				t.Fatalf("%s: %d and %d rows", id, len(a), len(b))
			}
			for i := range a {
				same := a[i].Observed == nil && b[i].Observed == nil || a[i].Observed != nil && b[i].Observed != nil && a[i].Observed.Equal(*b[i].Observed)
				if a[i].Path != b[i].Path || a[i].Verdict != b[i].Verdict || !same {
					t.Errorf("%q on %s, %s: %s, in a container %s", text, id, a[i].Path, a[i].Verdict, b[i].Verdict)
				}
			}
		}
	}
}

// containers returns the names of the containers of a process.
func containers(t *testing.T, pid int) []string {
	t.Helper()
	out, err := exec.Command("docker", "ps", "-a", "--filter", fmt.Sprintf("name=argvdiff-%d-", pid), "--format", "{{.Names}}").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// Two campaigns at once in containers, of which one is killed now and then, find
// what a calm one finds, and leave nothing.
func TestCampaignsInContainers(t *testing.T) {
	id := imaged(t)[0] + "@docker"
	campaign := func(out string) *exec.Cmd {
		return as("argvdiff", "fuzz", "--runtime", "docker", "--shell", id, "--path", "sandbox@1.8.3,quote:shell-quote@1.7.3", "--cases", "300", "--json", "--out", out)
	}
	calm, disturbed := t.TempDir(), t.TempDir()
	first, second := campaign(calm), campaign(disturbed)
	var stderr strings.Builder
	second.Stderr = &stderr
	if err := second.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- second.Wait() }()
	killed := make(chan int, 1)
	go func() {
		n := 0
		for {
			select {
			case err := <-done:
				done <- err
				killed <- n
				return
			case <-time.After(700 * time.Millisecond):
			}
			if list := containers(t, second.Process.Pid); n < 3 && len(list) > 0 {
				if exec.Command("docker", "kill", list[n%len(list)]).Run() == nil {
					n++
				}
			}
		}
	}()
	ask(t, first)
	n := <-killed
	<-done
	if code := second.ProcessState.ExitCode(); code == exitFailed {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	want, got := read(t, calm), readDisturbed(t, disturbed)
	expectFindings(t, got.findings, want.findings)
	if n == 0 || got.summary.InfraFaults == 0 || got.summary.CasesLost != 0 || got.summary.Cases != 300 {
		t.Errorf("%d containers were killed: %d faults, %d of %d cases lost", n, got.summary.InfraFaults, got.summary.CasesLost, got.summary.Cases)
	}
	for _, cmd := range []*exec.Cmd{first, second} {
		if left := containers(t, cmd.Process.Pid); len(left) > 0 {
			t.Errorf("left: %q", left)
		}
	}
}

func TestImagesCommand(t *testing.T) {
	imaged(t)
	a := ask(t, as("argvdiff", "images", "list", "--runtime", "docker"))
	if a.code != exitNothing || !strings.Contains(a.stdout, "argvdiff/bash:"+usable(t)[0].Version+" ") {
		t.Errorf("%d, %s%s", a.code, a.stdout, a.stderr)
	}
	dir := filepath.Join(t.TempDir(), "kit")
	if a := ask(t, as("argvdiff", "images", "kit", dir)); a.code != exitNothing {
		t.Errorf("%s", a.stderr)
	}
	for _, name := range []string{"Dockerfile", "compose.yaml", "argvdiff/argvdiff-agent", "argvdiff/bin/probe", "argvdiff/bin/bash"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []struct {
		args    []string
		pattern string
	}{
		{[]string{"build", "--shell", "0.0-none"}, `building argvdiff/bash:0\.0-none on bash:0\.0-none: .*; docker pull bash:0\.0-none fetches`},
		{[]string{"build", "--from", "/none"}, `/none is not an executable file`},
		{[]string{"build", "--from", "/bin/true"}, `/bin/true`},
		{[]string{"list", "--runtime", "podmann"}, `no container runtime: podmann is not installed`},
		{[]string{"kit", dir}, `is there already`},
		{[]string{"bulid"}, `say build, list, remove or kit, not "bulid"`},
	} {
		a := ask(t, as("argvdiff", append([]string{"images"}, bad.args...)...))
		if err := expectError(a.stderr, bad.pattern); err != nil || a.code != exitFailed {
			t.Errorf("%q: %d, %v", bad.args, a.code, err)
		}
	}
}
