package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/argvdiff/argvdiff/corpus"
	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/oracles/agent"
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
)

func TestMain(m *testing.M) {
	agent.Main()
	os.Exit(m.Run())
}

func shells(t *testing.T) []home.Shell {
	found, err := home.Survey(t.Context(), home.Namespaces)
	if err != nil {
		t.Fatal(err)
	}
	usable, _, err := home.Choose(found, "all")
	if err != nil {
		t.Fatal(err)
	}
	return usable
}

func selected(t *testing.T, list string) []path.Path {
	paths, err := path.Select(list)
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func config(t *testing.T, list string, cases uint64) Config {
	return Config{
		Version: "test", Seed: 5, Cases: cases, Paths: selected(t, list), Shells: shells(t)[:1],
		Kind: home.Namespaces, Faults: corpus.Faults(), Out: t.TempDir(),
	}
}

// Every known fault shows on every shell at hand of the versions that it names,
// and on no other.
func TestKnownFaultsShow(t *testing.T) {
	for _, shell := range shells(t) {
		h, err := home.Namespaces.Open(t.Context(), shell)
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close()
		acting := home.NewLazy(home.Namespaces, shell.Acting())
		defer acting.Close()
		j := &oracles.Judge{Home: h, Shell: shell, Acting: acting.Open}
		_, gone, err := Learn(t.Context(), j, corpus.Faults())
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range gone {
			t.Errorf("%s does not show on %s, %s", g.Name, g.Path, g.Shell)
		}
		for _, f := range corpus.Faults() {
			if f.Shows(shell.Version) {
				continue
			}
			p, _ := path.Lookup(f.Path)
			o, err := j.Check(t.Context(), []path.Path{p}, CaseOf(f))
			if err != nil {
				t.Fatal(err)
			}
			if o[0].Verdict == oracles.Differs {
				t.Errorf("%s shows on %s, and is listed for %s", f.Name, shell.ID, f.Shells)
			}
		}
	}
}

// A known fault that is repaired is as loud as a new one.
func TestGone(t *testing.T) {
	c := config(t, "sandbox@1.12.0", 2)
	c.Faults = []corpus.Fault{{Name: "repaired", Path: "sandbox@1.12.0", Shells: "all", Kind: "command", Input: [][]byte{[]byte("echo '!'")}}}
	sum, err := Run(t.Context(), c)
	if err != nil || len(sum.KnownGone) != 1 || sum.KnownGone[0].Name != "repaired" {
		t.Errorf("%+v, %v", sum.KnownGone, err)
	}
}

// ids returns what tells the findings of a campaign apart, with their counts.
func ids(t *testing.T, dir string) []string {
	all, err := finding.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range all {
		b, err := json.Marshal([]any{f.ID, f.Class, f.Path, f.Paths, f.Input, f.Case, f.Count, f.Known, f.Reproduced})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(b))
	}
	slices.Sort(list)
	return list
}

// The findings are those of the cases, however many workers share them and
// however many of them share a shell.
func TestSameFindingsHoweverTheyAreSought(t *testing.T) {
	cases, fewest := uint64(400), 8
	if testing.Short() {
		cases, fewest = 40, 2
	}
	seekAlike(t, "posix-eval,sandbox@1.8.3,quote:shell-quote@1.7.2,quote:go-shellquote", cases, fewest)
}

// So are those of sessions.
func TestSameSessionsHoweverTheyAreSought(t *testing.T) {
	if testing.Short() {
		t.Skip("each session that differs is typed many times")
	}
	seekAlike(t, "pty,source-file", 60, 3)
}

func seekAlike(t *testing.T, list string, cases uint64, fewest int) {
	var want []string
	for _, how := range []struct{ workers, size int }{{1, 0}, {3, 0}, {2, 1}, {2, 3}, {1, 1000}} {
		c := config(t, list, cases)
		c.Workers, c.GroupSize = how.workers, how.size
		sum, err := Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if sum.Cases != cases || sum.InfraFaults != 0 || sum.ScriptsFailed != 0 || sum.SampledMissed != 0 {
			t.Errorf("%+v", sum)
		}
		got := ids(t, c.Out)
		if want == nil {
			if want = got; len(want) < fewest {
				t.Errorf("only %d findings", len(want))
			}
		} else if !slices.Equal(got, want) {
			t.Errorf("with %+v:\n%s\nwith one worker:\n%s", how, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// blind opens homes that show of every group of cases what its reference shows:
// a fault of grouping.
func blind() home.Kind {
	kind := home.Namespaces
	kind.Open = func(ctx context.Context, s home.Shell) (home.Home, error) {
		h, err := home.Namespaces.Open(ctx, s)
		return &blindHome{h}, err
	}
	return kind
}

type blindHome struct{ home.Home }

func (b *blindHome) Run(ctx context.Context, requests ...wire.Request) ([]wire.Result, error) {
	results, err := b.Home.Run(ctx, requests...)
	// With one path, a group runs with its reference in one call. That of
	// commands is the first request of two, that of payloads the last one.
	if err == nil && len(results) == 2 {
		reference := results[1]
		if len(requests[0].Limits.Mark) > 0 {
			reference = results[0]
		} else if len(reference.Records) != 1 || len(reference.Records[0].Argv) < 6 {
			return results, err // a case alone
		}
		results[0], results[1] = reference, reference
	}
	return results, err
}

// What grouping misses shows in the sample.
func TestSampleShowsWhatGroupsMiss(t *testing.T) {
	if testing.Short() {
		t.Skip("not run: it takes many cases")
	}
	for _, planted := range []bool{true, false} {
		cases := uint64(800)
		if planted {
			cases = 2500 // a sample can miss it by chance: several cannot
		}
		c := config(t, "sandbox@1.8.3", cases)
		c.GroupSize, c.Faults = 10, nil
		if planted {
			c.Kind = blind()
		}
		sum, err := Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if sum.Sampled == 0 || (sum.SampledMissed > 0) != planted {
			t.Errorf("planted %v: of %d sampled members %d were missed", planted, sum.Sampled, sum.SampledMissed)
		}
		if planted && sum.FindingsNew == 0 {
			t.Error("what the sample showed is no finding")
		}
	}
}

// A campaign that is stopped and continued finds what one in a piece finds.
func TestContinue(t *testing.T) {
	const list = "sandbox@1.8.3,quote:shell-quote@1.7.2"
	whole := config(t, list, 120)
	if _, err := Run(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	parts := config(t, list, 0)
	for _, parts.Cases = range []uint64{20, 21, 90, 120, 120} {
		sum, err := Run(t.Context(), parts)
		if err != nil {
			t.Fatal(err)
		}
		if sum.Cases != parts.Cases {
			t.Errorf("%d cases, want %d", sum.Cases, parts.Cases)
		}
	}
	if got, want := ids(t, parts.Out), ids(t, whole.Out); !slices.Equal(got, want) {
		t.Errorf("in parts:\n%s\nin one piece:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	other := parts
	other.Seed++
	if _, err := Run(t.Context(), other); err == nil || !strings.Contains(err.Error(), "seed") {
		t.Errorf("another seed in the same folder: %v", err)
	}
}

// The context's end is a clean one: everything that was announced is kept, and
// the summary is written.
func TestInterrupt(t *testing.T) {
	c := config(t, "sandbox@1.8.3", 0)
	ctx, cancel := context.WithCancel(t.Context())
	announced := 0
	var mu sync.Mutex
	c.Announce = func(finding.Finding) {
		mu.Lock()
		defer mu.Unlock()
		if announced++; announced == 2 {
			cancel()
		}
	}
	if _, err := Run(ctx, c); err != nil {
		t.Fatal(err)
	}
	if got := ids(t, c.Out); len(got) != announced || announced < 2 {
		t.Errorf("%d announced, %d kept", announced, len(got))
	}
	if _, err := os.Stat(filepath.Join(c.Out, "summary.json")); err != nil {
		t.Error(err)
	}
}

// flaky opens homes whose agent dies now and then.
func flaky(every int) home.Kind {
	runs := 0
	var mu sync.Mutex
	kind := home.Namespaces
	kind.Open = func(ctx context.Context, s home.Shell) (home.Home, error) {
		h, err := home.Namespaces.Open(ctx, s)
		return &dying{h, func() bool {
			mu.Lock()
			defer mu.Unlock()
			runs++
			return runs%every == 0
		}}, err
	}
	return kind
}

type dying struct {
	home.Home
	now func() bool
}

func (d *dying) Run(ctx context.Context, requests ...wire.Request) ([]wire.Result, error) {
	if d.now() {
		d.Home.Close() // its agent is gone: what follows is the real failure
	}
	return d.Home.Run(ctx, requests...)
}

// A home that fails is our fault, never a finding: the case is repeated and the
// campaign finds what it finds without failures.
func TestHomeFails(t *testing.T) {
	const list, cases = "sandbox@1.8.3,sandbox@1.12.0", 200
	calm := config(t, list, cases)
	if _, err := Run(t.Context(), calm); err != nil {
		t.Fatal(err)
	}
	c := config(t, list, cases)
	c.Kind = flaky(300)
	c.Faults = nil
	sum, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if sum.InfraFaults == 0 || sum.CasesLost != 0 || sum.Cases != cases {
		t.Errorf("%d faults, %d cases lost, %d cases", sum.InfraFaults, sum.CasesLost, sum.Cases)
	}
	if got, want := len(ids(t, c.Out)), len(ids(t, calm.Out)); got != want {
		t.Errorf("%d findings with failing homes, %d without", got, want)
	}
}

// What a path does right must stay without findings.
func TestCleanPaths(t *testing.T) {
	cases := uint64(200)
	if testing.Short() {
		cases = 20
	}
	c := config(t, "argv,posix-eval,ansi-c-eval,sandbox@1.11.0,sandbox@1.12.0,sandbox-fixed/*,quote:posix*,quote:ansi-c*", cases)
	c.Shells = shells(t)
	sum, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if sum.FindingsNew+sum.FindingsKnown > 0 || sum.Unstable > 0 {
		t.Errorf("%d findings, %d unstable: %s", sum.FindingsNew+sum.FindingsKnown, sum.Unstable, strings.Join(ids(t, c.Out), "\n"))
	}
	for _, p := range c.Paths {
		if sum.ChecksByPath[p.Name] == 0 {
			t.Errorf("%s was not checked", p.Name)
		}
	}
}

// One worker or many find the same in what is read, and count the same.
func TestReaders(t *testing.T) {
	var first []string
	var counts map[string]map[string]uint64
	for _, workers := range []int{1, 3} {
		c := config(t, "guard@head,guard@repaired,segments,words:shlex", 160)
		c.Faults, c.Workers = nil, workers
		sum, err := Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if sum.ScriptsFailed > 0 || sum.FindingsNew < 5 {
			t.Errorf("%d findings, %d scripts that do not show theirs", sum.FindingsNew, sum.ScriptsFailed)
		}
		list := ids(t, c.Out)
		slices.Sort(list)
		if first == nil {
			first, counts = list, sum.Readings
			continue
		}
		if !slices.Equal(list, first) {
			t.Errorf("%d workers find\n%s\nand one\n%s", workers, strings.Join(list, "\n"), strings.Join(first, "\n"))
		}
		if fmt.Sprint(sum.Readings) != fmt.Sprint(counts) {
			t.Errorf("%d workers count %v, and one %v", workers, sum.Readings, counts)
		}
	}
}
