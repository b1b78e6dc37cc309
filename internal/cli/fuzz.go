package cli

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/argvdiff/argvdiff/corpus"
	"github.com/argvdiff/argvdiff/fuzz/campaign"
	"github.com/argvdiff/argvdiff/oracles/finding"
)

func runFuzz(ctx context.Context, e *env, fs *flag.FlagSet, args []string) (int, error) {
	var s selection
	s.register(fs)
	guards := fs.String("guard", "", "the `guards` to fuzz, separated by commas; all means every one. Without --path they are all that is fuzzed")
	budget := fs.Duration("for", 0, "begin no case after this `time`, as 30s or 8h (default 30s, unless --cases is given)")
	cases := fs.Uint64("cases", 0, "the `number` of cases of the whole campaign")
	seed := fs.Uint64("seed", 1, "the `seed`: the same seed, version and flags give the same cases")
	shard := fs.String("shard", "1/1", "take part `i/n` of the cases, i from 1 to n")
	out := fs.String("out", "", "the `folder` for findings, scripts and the summary; the same flags continue it (default: one below argvdiff-out, named after the flags)")
	workers := fs.Int("workers", runtime.GOMAXPROCS(0), "the `number` of shells that run at the same time")
	groupSize := fs.Int("group", 0, "let at most this `number` of cases share a shell: 1 for a shell for each, 0 for what suits; the findings are the same")
	strict := fs.Bool("strict", false, "known faults fail the run too")
	asJSON := fs.Bool("json", false, "print findings, one JSON object a line, and the summary last")
	if err := parse(fs, args); err != nil {
		return exitFailed, err
	}
	if err := noArgs(fs); err != nil {
		return exitFailed, err
	}
	zero := *budget < 0 || *workers < 1
	fs.Visit(func(f *flag.Flag) {
		zero = zero || f.Name == "for" && *budget == 0 || f.Name == "cases" && *cases == 0
	})
	if zero {
		return exitFailed, usagef("fuzz: --for, --cases and --workers must be above 0, as in --for 30s")
	}
	if *groupSize < 0 {
		return exitFailed, usagef("fuzz: --group %d is no number of cases: 1 gives each a shell of its own, 0 what suits", *groupSize)
	}
	if *budget == 0 && *cases == 0 {
		*budget = 30 * time.Second
	}
	part, parts, err := parseShard(*shard)
	if err != nil {
		return exitFailed, err
	}
	paths, err := s.fuzzed(*guards)
	if err != nil {
		return exitFailed, err
	}
	kind := s.kind(e.stderr)
	shells, broken, err := s.selectShells(ctx, kind)
	if err != nil {
		return exitFailed, err
	}
	c := campaign.Config{
		Version: Version, Corpus: corpus.Digest(), Seed: *seed, Cases: *cases, For: *budget, Shard: part, Shards: parts,
		Paths: paths, Shells: shells, Kind: kind, Faults: corpus.Faults(), Workers: *workers, GroupSize: *groupSize, Out: *out,
	}
	if c.Out == "" {
		c.Out = defaultOut(c)
	}
	for _, b := range broken {
		c.NotRun = append(c.NotRun, campaign.NotRun{What: b.ID + " (" + b.Where() + ")", Why: b.Reason})
	}
	v := &fuzzView{e: e, out: c.Out, json: *asJSON, terminal: isTerminal(e.stderr)}
	c.Announce, c.Progress = v.announce, v.progress
	warnings := 0
	c.Warn = func(text string) {
		v.mu.Lock()
		warnings++
		n := warnings
		v.mu.Unlock()
		if n <= maxWarnings {
			v.say("%s", oneLine(errors.New(text)))
		}
	}
	quiet := context.AfterFunc(ctx, func() {
		v.say("interrupted: what is begun comes to its end first; Control-C once more ends at once, and loses only the summary")
	})
	c.Begin = func() {
		v.say("%d paths, %d shells (%s), seed %d, findings go to %s", len(paths), len(shells), ids(shells), *seed, c.Out)
	}
	sum, err := campaign.Run(ctx, c)
	quiet()
	v.clear()
	if err == nil {
		err = v.summary(sum)
	}
	if ctx.Err() != nil {
		v.say("interrupted after case %d; the same flags continue", sum.LastCase)
	}
	if err == nil && sum.Cases > 0 && sum.Checks == 0 {
		err = fmt.Errorf("none of %d cases could be checked: %s", sum.Cases, nothingRan(sum))
	}
	if err == nil && sum.ScriptsFailed > 0 {
		err = fmt.Errorf("%d scripts in %s/repro did not show the fault of their finding: a defect of argvdiff, please report it", sum.ScriptsFailed, c.Out)
	}
	if err == nil && len(sum.Dropped) > 0 {
		err = fmt.Errorf("%s could not be used to the end; the same flags continue the campaign", strings.Join(sum.Dropped, ", "))
	}
	if sum.FindingsNew > 0 || len(sum.KnownGone) > 0 || (*strict && sum.FindingsKnown > 0) {
		return exitFound, err
	}
	return exitNothing, err
}

// maxWarnings bounds what is said of homes that fail; the summary counts all.
const maxWarnings = 10

// nothingRan says why a campaign has no checks.
func nothingRan(s campaign.Summary) string {
	switch n := len(s.NotRun); {
	case s.CasesLost > 0:
		return "the homes failed each time, a defect of argvdiff; please report it"
	case n > 0:
		return s.NotRun[n-1].What + ": " + s.NotRun[n-1].Why
	}
	return "all were refused"
}

func parseShard(text string) (i, n int, err error) {
	a, b, ok := strings.Cut(text, "/")
	i, errI := strconv.Atoi(a)
	n, errN := strconv.Atoi(b)
	if !ok || errI != nil || errN != nil || i < 1 || n < i {
		return 0, 0, usagef("--shard %s is no part: write i/n, with i from 1 to n", text)
	}
	return i, n, nil
}

// defaultOut names a folder after all that must be the same to continue it.
func defaultOut(c campaign.Config) string {
	text := fmt.Sprintln(c.Version, c.Corpus, c.Seed, c.Shard, c.Shards, c.Kind.Name)
	for _, p := range c.Paths {
		text += p.Name + "\n"
	}
	for _, s := range c.Shells {
		text += s.ID + "\n"
	}
	return filepath.Join("argvdiff-out", fmt.Sprintf("seed%d-%x", c.Seed, sha256.Sum256([]byte(text)))[:len(fmt.Sprintf("seed%d-", c.Seed))+8])
}

// A fuzzView shows a campaign to people, or as JSON. Its methods are called by
// several workers.
type fuzzView struct {
	e        *env
	out      string
	json     bool
	terminal bool
	mu       sync.Mutex
	told     time.Time
	drawn    bool
}

// say prints a line beside the results.
func (v *fuzzView) say(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.wipe()
	fmt.Fprintf(v.e.stderr, "argvdiff: "+format+"\n", args...)
}

func (v *fuzzView) wipe() {
	if v.drawn {
		fmt.Fprint(v.e.stderr, "\r\x1b[K")
		v.drawn = false
	}
}

func (v *fuzzView) clear() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.wipe()
}

// announce prints a finding that is safe on the disk.
func (v *fuzzView) announce(f finding.Finding) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.wipe()
	if v.json {
		json.NewEncoder(v.e.stdout).Encode(f)
		return
	}
	if f.Reading != nil {
		v.announceReading(f)
		return
	}
	var input []string
	for _, in := range f.Input {
		input = append(input, finding.Quote(in))
	}
	news := "NEW"
	if f.Known != nil {
		news = "known"
	}
	fmt.Fprintf(v.e.stdout, "%-5s %s  %s\n      input   %s\n", news, f.ID, f.Class, strings.Join(input, " "))
	fmt.Fprint(v.e.stdout, indent(finding.Diff(f.Expected, f.Observed), "    "))
	fmt.Fprintf(v.e.stdout, "      path    %s%s\n      shells  %s", f.Path, others(f.Paths, f.Path), strings.Join(f.Differ, " "))
	if len(f.Same) > 0 {
		fmt.Fprintf(v.e.stdout, " (not on %s)", strings.Join(f.Same, " "))
	}
	if f.Known != nil {
		fmt.Fprintf(v.e.stdout, "\n      known   %s", *f.Known)
	}
	fmt.Fprintf(v.e.stdout, "\n      try     sh %s /bin/bash\n", filepath.Join(v.out, f.Repro))
}

func others(paths []string, first string) string {
	n := 0
	for _, p := range paths {
		if p != first {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more of its family", n)
}

func indent(text, by string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = by + l
		}
	}
	return strings.Join(lines, "")
}

// progress draws one line on a terminal, and prints one every ten seconds
// elsewhere.
func (v *fuzzView) progress(p campaign.Progress) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if p.Replaying > 0 {
		fmt.Fprintf(v.e.stderr, "argvdiff: replaying %d known faults first\n", p.Replaying)
		return
	}
	line := fmt.Sprintf("%.0f checks/s, %d cases, %d checks, findings: %d new, %d known", p.PerSecond, p.Cases, p.Checks, p.Findings, p.Known)
	if p.Left > 0 {
		line += fmt.Sprintf(", %s left", p.Left.Round(time.Second))
	}
	if p.Minimising > 0 {
		line += fmt.Sprintf(", minimising %d", p.Minimising)
	}
	if v.terminal {
		fmt.Fprintf(v.e.stderr, "\r\x1b[K%s", line)
		v.drawn = true
		return
	}
	if time.Since(v.told) > 10*time.Second && p.Elapsed > 2*time.Second {
		v.told = time.Now()
		fmt.Fprintf(v.e.stderr, "argvdiff: %s\n", line)
	}
}

// summary prints the end of a campaign.
func (v *fuzzView) summary(s campaign.Summary) error {
	if v.json {
		return json.NewEncoder(v.e.stdout).Encode(s)
	}
	w := v.e.stdout
	fmt.Fprintf(w, "\n%d cases, %d checks confirmed by a real shell in %.1f s (%.0f a second)\n", s.Cases, s.Checks, s.WallSeconds, s.PerSecond)
	fmt.Fprintf(w, "findings: %d new, %d known; refused %d, unstable %d, homes replaced %d\n", s.FindingsNew, s.FindingsKnown, s.Refused, s.Unstable, s.InfraFaults)
	if s.ScriptsNotRun > 0 {
		fmt.Fprintf(w, "%d scripts were not run by argvdiff, since their shells are not on this machine\n", s.ScriptsNotRun)
	}
	if len(s.Readings) > 0 {
		fmt.Fprintf(w, "what the guards said of the commands of seed %d, on all shells together:\n", s.Seed)
		printReadings(w, s.Readings)
	}
	if s.VersionDependent > 0 {
		fmt.Fprintf(w, "%d findings depend on the version of bash; how many show where:\n", s.VersionDependent)
		printMatrix(w, s.Matrix)
	}
	if s.SampledMissed > 0 {
		fmt.Fprintf(w, "of %d members of groups that were run alone %d did what their group had not shown: a defect of argvdiff, please report it\n", s.Sampled, s.SampledMissed)
	}
	if s.CasesLost > 0 {
		fmt.Fprintf(w, "%d cases were not checked, since their home failed twice: a defect of argvdiff, please report it\n", s.CasesLost)
	}
	if len(s.Predicted) > 0 {
		fmt.Fprintln(w, "no bash 3.2 is here; what its history expansion is predicted to do with the sessions above, unobserved:")
	}
	for _, p := range s.Predicted {
		fmt.Fprintf(w, "  %s: %d sessions with a line %s, the first at %s in %s\n", p.Path, p.Count, p.Fate, finding.Quote(p.Event), finding.Quote(p.Session[p.Line]))
	}
	for _, g := range s.KnownGone {
		fmt.Fprintf(w, "known fault gone: %s on %s, %s\n", g.Name, g.Path, g.Shell)
	}
	for _, n := range s.NotRun {
		fmt.Fprintf(w, "not run: %s: %s\n", n.What, n.Why)
	}
	_, err := fmt.Fprintf(w, "everything is in %s; the last case was %d\n", v.out, s.LastCase)
	return err
}

// printMatrix prints counts by path and shell.
func printMatrix(w io.Writer, matrix map[string]map[string]int) {
	var shells []string
	for _, row := range matrix {
		for shell := range row {
			if !slices.Contains(shells, shell) {
				shells = append(shells, shell)
			}
		}
	}
	slices.Sort(shells)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "  PATH\t%s\n", strings.Join(shells, "\t"))
	for _, p := range slices.Sorted(maps.Keys(matrix)) {
		fmt.Fprintf(t, "  %s", p)
		for _, shell := range shells {
			fmt.Fprintf(t, "\t%d", matrix[p][shell])
		}
		fmt.Fprintln(t)
	}
	t.Flush()
}

// isTerminal reports whether what is written there is read by a person.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
