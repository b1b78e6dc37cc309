package cli

import (
	"bufio"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/argvdiff/argvdiff/fuzz/campaign"
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/oracles/wire"
)

// The campaign that these tests disturb in all ways. It has findings of both
// kinds, and takes some seconds.
const (
	someCases = "300"
	somePaths = "quote:shell-quote@1.7.3,quote:shell-quote@1.8.3,quote:go-shellquote,quote:posix,argv,sandbox@1.8.3"
)

// fuzz returns the command of that campaign, with more flags.
func fuzz(t testing.TB, out string, more ...string) *exec.Cmd {
	t.Helper()
	return as("argvdiff", append([]string{
		"fuzz", "--json", "--shell", usable(t)[0].ID, "--path", somePaths, "--cases", someCases, "--seed", "1", "--out", out,
	}, more...)...)
}

// kept is what a campaign's folder holds.
type kept struct {
	findings []finding.Finding // by id
	summary  campaign.Summary
}

// read reads a campaign's folder, and sees that the scripts are there.
func read(t testing.TB, out string) kept {
	t.Helper()
	var k kept
	var err error
	if k.findings, err = finding.Load(out); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(k.findings, func(a, b finding.Finding) int { return cmp.Compare(a.ID, b.ID) })
	for i := range k.findings {
		f := &k.findings[i]
		if b, err := os.ReadFile(filepath.Join(out, f.Repro)); err != nil || len(b) == 0 {
			t.Errorf("the script of %s has %d bytes, %v", f.ID, len(b), err)
		}
		if inImage := slices.ContainsFunc(f.Differ, func(id string) bool { return strings.Contains(id, "@") }); !inImage && (f.Reproduced == nil || !*f.Reproduced) {
			t.Errorf("the script of %s does not show the fault", f.ID)
		}
		// How far a run came that was ended from outside is chance.
		for _, o := range []*wire.Observation{&f.Expected, &f.Observed} {
			if o.Ended != wire.Itself {
				*o = wire.Observation{Ended: o.Ended}
			}
		}
	}
	b, err := os.ReadFile(filepath.Join(out, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &k.summary); err != nil {
		t.Fatal(err)
	}
	if n := k.summary.FindingsNew + k.summary.FindingsKnown; n != len(k.findings) {
		t.Errorf("the summary counts %d findings, there are %d", n, len(k.findings))
	}
	if s := k.summary; s.InfraFaults != 0 || s.CasesLost != 0 {
		t.Errorf("%d homes were replaced, %d cases lost", s.InfraFaults, s.CasesLost)
	}
	return k
}

// readDisturbed reads the folder of a campaign whose homes were made to fail.
func readDisturbed(t testing.TB, out string) (k kept) {
	t.Helper()
	var err error
	if k.findings, err = finding.Load(out); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(k.findings, func(a, b finding.Finding) int { return cmp.Compare(a.ID, b.ID) })
	b, err := os.ReadFile(filepath.Join(out, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &k.summary); err != nil {
		t.Fatal(err)
	}
	return k
}

// expectEqual compares what two campaigns have kept, but for the time they took.
func (k kept) expectEqual(t *testing.T, want kept) {
	t.Helper()
	expectFindings(t, k.findings, want.findings)
	a, b := k.summary, want.summary
	a.WallSeconds, a.PerSecond, a.Shard = b.WallSeconds, b.PerSecond, b.Shard
	a.Sampled, a.Cleared = b.Sampled, b.Cleared // by how many cases shared a shell, which hangs on the clock
	if !reflect.DeepEqual(a, b) {
		t.Errorf("the summary is\n%+v, want\n%+v", a, b)
	}
}

func expectFindings(t *testing.T, got, want []finding.Finding) {
	t.Helper()
	for _, w := range want {
		at := slices.IndexFunc(got, func(g finding.Finding) bool { return g.ID == w.ID })
		if at < 0 {
			t.Errorf("the finding %s of case %d, %s, is missing", w.ID, w.Case, w.Class)
			continue
		}
		if g := got[at]; !reflect.DeepEqual(g, w) {
			a, _ := json.Marshal(g)
			b, _ := json.Marshal(w)
			t.Errorf("the finding %s is\n%s, want\n%s", w.ID, a, b)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d findings, want %d", len(got), len(want))
	}
}

// expectEnd sees that a campaign came to its end with the exit code that its
// findings call for.
func expectEnd(t *testing.T, a answer, k kept) {
	t.Helper()
	want := exitNothing
	if k.summary.FindingsNew > 0 || len(k.summary.KnownGone) > 0 {
		want = exitFound
	}
	if a.code != want {
		t.Errorf("exit code %d, want %d; %s", a.code, want, a.stderr)
	}
}

// undisturbed is what the campaign keeps that one worker runs to its end.
var undisturbed struct {
	once sync.Once
	kept kept
}

func reference(t *testing.T) kept {
	t.Helper()
	undisturbed.once.Do(func() {
		out := t.TempDir()
		a := ask(t, fuzz(t, out, "--workers", "1"))
		undisturbed.kept = read(t, out)
		expectEnd(t, a, undisturbed.kept)
	})
	if undisturbed.kept.summary.Cases == 0 {
		t.Fatal("the campaign to compare with has failed")
	}
	return undisturbed.kept
}

// Many workers find what one finds.
func TestWorkers(t *testing.T) {
	t.Parallel()
	want := reference(t)
	if len(want.findings) < 4 {
		t.Errorf("only %d findings: these tests want a campaign with more", len(want.findings))
	}
	out := t.TempDir()
	a := ask(t, fuzz(t, out, "--workers", "4"))
	got := read(t, out)
	expectEnd(t, a, got)
	got.expectEqual(t, want)
}

// Two shards together are the whole.
func TestShards(t *testing.T) {
	t.Parallel()
	want := reference(t)
	var parts [2]kept
	for i := range parts {
		out := t.TempDir()
		a := ask(t, fuzz(t, out, "--shard", strconv.Itoa(i+1)+"/2"))
		parts[i] = read(t, out)
		expectEnd(t, a, parts[i])
		if s := parts[i].summary; s.Shard != strconv.Itoa(i+1)+"/2" || s.Cases != want.summary.Cases/2 || s.LastCase != want.summary.LastCase-1+uint64(i) {
			t.Errorf("shard %s has %d cases, the last one %d", s.Shard, s.Cases, s.LastCase)
		}
		for _, f := range parts[i].findings {
			if f.Case%2 != uint64(i+1)%2 {
				t.Errorf("shard %d has a finding of case %d", i+1, f.Case)
			}
		}
	}
	merged := parts[0].findings
	for _, f := range parts[1].findings {
		at := slices.IndexFunc(merged, func(m finding.Finding) bool { return m.ID == f.ID })
		switch {
		case at < 0:
			merged = append(merged, f)
		case f.Case < merged[at].Case:
			f.Count += merged[at].Count
			merged[at] = f
		default:
			merged[at].Count += f.Count
		}
	}
	expectFindings(t, merged, want.findings)
	sum := func(of func(campaign.Summary) uint64) {
		t.Helper()
		if a, b, w := of(parts[0].summary), of(parts[1].summary), of(want.summary); a+b != w {
			t.Errorf("%d and %d, want %d together", a, b, w)
		}
	}
	sum(func(s campaign.Summary) uint64 { return s.Cases })
	sum(func(s campaign.Summary) uint64 { return s.Checks })
	sum(func(s campaign.Summary) uint64 { return s.Refused })
	sum(func(s campaign.Summary) uint64 { return s.Unstable })
	for p := range want.summary.ChecksByPath {
		sum(func(s campaign.Summary) uint64 { return s.ChecksByPath[p] })
	}
}

// The same flags with more cases go on where the campaign was.
func TestContinue(t *testing.T) {
	t.Parallel()
	want := reference(t)
	out := t.TempDir()
	ask(t, fuzz(t, out, "--cases", "70"))
	first := read(t, out)
	if first.summary.Cases != 70 || first.summary.LastCase != 70 {
		t.Errorf("%d cases, the last one %d; want 70", first.summary.Cases, first.summary.LastCase)
	}
	a := ask(t, fuzz(t, out))
	got := read(t, out)
	expectEnd(t, a, got)
	got.expectEqual(t, want)
	for _, f := range first.findings {
		if strings.Contains(a.stdout, `"id":"`+f.ID+`"`) {
			t.Errorf("the finding %s is announced once more", f.ID)
		}
	}
	if got.summary.WallSeconds < first.summary.WallSeconds {
		t.Errorf("the time went back from %v to %v", first.summary.WallSeconds, got.summary.WallSeconds)
	}
}

// disturb runs the campaign until so many findings are announced, sends it a
// signal then, and returns the findings that were announced before its end.
func disturb(t *testing.T, cmd *exec.Cmd, after int, sig syscall.Signal) (announced []finding.Finding, a answer) {
	t.Helper()
	var stderr strings.Builder
	cmd.Stderr = &stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(pipe)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var f finding.Finding
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			t.Errorf("%q: %v", lines.Bytes(), err)
		}
		if f.ID == "" {
			continue // the summary
		}
		if announced = append(announced, f); len(announced) == after {
			if err := cmd.Process.Signal(sig); err != nil {
				t.Error(err)
			}
		}
	}
	cmd.Wait()
	return announced, answer{"", stderr.String(), cmd.ProcessState.ExitCode()}
}

// A campaign that is killed, and again, loses nothing that it has announced, and
// comes to the same end.
func TestKilled(t *testing.T) {
	t.Parallel()
	want := reference(t)
	out := t.TempDir()
	told := make(map[string]bool)
	for _, after := range []int{1, 2} {
		announced, a := disturb(t, fuzz(t, out, "--workers", "2"), after, syscall.SIGKILL)
		if a.code != -1 || len(announced) < after {
			t.Fatalf("exit code %d after %d findings: it was to be killed; %s", a.code, len(announced), a.stderr)
		}
		held, err := finding.Load(out)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range announced {
			told[f.ID] = true
		}
		for id := range told {
			at := slices.IndexFunc(held, func(h finding.Finding) bool { return h.ID == id })
			if at < 0 {
				t.Errorf("the finding %s was announced and is lost", id)
				continue
			}
			if b, err := os.ReadFile(filepath.Join(out, held[at].Repro)); err != nil || len(b) == 0 {
				t.Errorf("the script of %s has %d bytes, %v", id, len(b), err)
			}
		}
		if len(held) >= len(want.findings) {
			t.Errorf("it was killed too late: all %d findings were there", len(held))
		}
	}
	a := ask(t, fuzz(t, out, "--workers", "2"))
	got := read(t, out)
	expectEnd(t, a, got)
	got.expectEqual(t, want)
	if left, _ := filepath.Glob(filepath.Join(out, "*.new")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// Control-C is a clean end, from which the campaign goes on.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	want := reference(t)
	out := t.TempDir()
	announced, a := disturb(t, fuzz(t, out, "--workers", "2"), 1, syscall.SIGINT)
	early := read(t, out)
	expectEnd(t, a, early)
	if n := early.summary.Cases; n == 0 || n >= want.summary.Cases || early.summary.LastCase != n {
		t.Errorf("%d cases, the last one %d", n, early.summary.LastCase)
	}
	if len(announced) != len(early.findings) {
		t.Errorf("%d findings are announced, %d kept", len(announced), len(early.findings))
	}
	for line := range strings.Lines(a.stderr) {
		if !ordinary(line) {
			t.Errorf("it says %q", line)
		}
	}
	if !strings.Contains(a.stderr, "interrupted after case ") {
		t.Errorf("it does not say that it was interrupted: %s", a.stderr)
	}
	a = ask(t, fuzz(t, out, "--workers", "2"))
	got := read(t, out)
	expectEnd(t, a, got)
	got.expectEqual(t, want)
}

// ordinary reports whether a line is one that a campaign says beside its
// results: the head, the progress, that it was interrupted.
func ordinary(line string) bool {
	return strings.Contains(line, "findings") || strings.Contains(line, "known faults first") ||
		strings.Contains(line, "interrupted after case ") || strings.Contains(line, "interrupted: what is begun ")
}

// A campaign holds its folder, and where it finds nothing Control-C is no
// failure either.
func TestInUse(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	cmd := as("argvdiff", "fuzz", "--shell", usable(t)[0].ID, "--path", "argv", "--for", "1m", "--out", out)
	var stdout strings.Builder
	cmd.Stdout = &stdout
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(pipe)
	if !lines.Scan() || !strings.Contains(lines.Text(), "findings go to "+out) {
		t.Errorf("it begins with %q", lines.Text())
	}
	other := as("argvdiff", cmd.Args[1:]...)
	a := ask(t, other)
	if err := expectError(a.stderr, `^argvdiff: --out `+out+` is in use by another campaign: name another folder, or wait for its end$`); err != nil || a.code != exitFailed || a.stdout != "" {
		t.Errorf("exit code %d, %v, stdout %q", a.code, err, a.stdout)
	}
	time.Sleep(100 * time.Millisecond)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	for lines.Scan() {
		if !ordinary(lines.Text()) {
			t.Errorf("it says %q", lines.Text())
		}
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitNothing || !strings.Contains(stdout.String(), "everything is in "+out) {
		t.Errorf("exit code %d, %s", code, stdout.String())
	}
	if k := read(t, out); k.summary.Cases == 0 {
		t.Error("no case was run")
	}
}

// Control-C before there is anything to keep says that there is no result.
func TestInterruptedEarly(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"run", "probe x"}, {"shells"}, {"fuzz", "--out", filepath.Join(t.TempDir(), "o")}} {
		cmd := as("argvdiff", args...)
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// The first home is being opened when it has a child.
		for deadline := time.Now().Add(10 * time.Second); len(children(cmd.Process.Pid)) == 0 && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		cmd.Wait()
		err := expectError(stderr.String(), "^argvdiff: "+args[0]+" was interrupted before it had a result; run it again$")
		if code := cmd.ProcessState.ExitCode(); code != exitFailed || err != nil || stdout.Len() > 0 {
			t.Errorf("%q: exit code %d, %v, stdout %q", args, code, err, stdout.String())
		}
	}
}

// children returns the processes that a process has started.
func children(pid int) []string {
	var all []string
	files, _ := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "task/*/children"))
	for _, file := range files {
		b, _ := os.ReadFile(file)
		all = append(all, strings.Fields(string(b))...)
	}
	return all
}

// Each script that a campaign leaves shows its fault to someone who has nothing
// but the script and the shell.
func TestScriptsShow(t *testing.T) {
	t.Parallel()
	shell := usable(t)[0]
	out := t.TempDir()
	ask(t, fuzz(t, out, "--path", "quote:shell-quote@1.7.3,quote:shell-quote@1.4.0,quote:go-shellquote"))
	k := read(t, out)
	if len(k.findings) == 0 {
		t.Fatal("no findings")
	}
	// Never on the bare host.
	r, err := home.OpenRepro(t.Context(), shell)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, f := range k.findings {
		script, err := os.ReadFile(filepath.Join(out, f.Repro))
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Run(t.Context(), script)
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != 1 || got.Ended != wire.Itself {
			t.Errorf("%s: status %d, %s\n%s%s", f.Class, got.Status, got.Ended, got.Stdout, got.Stderr)
		}
	}
}
