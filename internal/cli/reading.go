package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/targets/guard"
	"github.com/argvdiff/argvdiff/targets/path"
)

// fuzzed returns the paths of a campaign: those that are named, and the guards.
func (s *selection) fuzzed(guards string) ([]path.Path, error) {
	if guards == "" {
		return s.selectPaths()
	}
	paths, err := guardPaths(guards)
	if err != nil || s.paths == "" {
		return paths, err
	}
	named, err := s.selectPaths()
	for _, p := range named {
		if !slices.ContainsFunc(paths, func(o path.Path) bool { return o.Name == p.Name }) {
			paths = append(paths, p)
		}
	}
	return paths, err
}

// announceReading prints a finding about code that reads commands.
func (v *fuzzView) announceReading(f finding.Finding) {
	w, r := v.e.stdout, f.Reading
	news := "NEW"
	if f.Known != nil {
		news = "known"
	}
	fmt.Fprintf(w, "%-5s %s  %s\n      input   %s\n", news, f.ID, f.Class, finding.Quote(f.Input[0]))
	said := r.Guard + " says " + r.Verdict
	if r.Name != "" && r.Verdict == finding.Hit {
		said += " " + r.Name
	}
	fmt.Fprintf(w, "      says    %s\n", said)
	switch {
	case r.Truth == finding.RanProgram:
		fmt.Fprintf(w, "      bash    ran %s\n", r.Name)
	case r.Truth == finding.DidNotRun && r.Class == finding.FalseAlarm:
		fmt.Fprintf(w, "      bash    started no %s that waits\n", r.Name)
	}
	if f.Kind == finding.Guard && len(f.Expected.Records) > 0 {
		for _, rec := range f.Expected.Records {
			words := make([]string, len(rec.Argv))
			for i, a := range rec.Argv {
				words[i] = finding.Quote(a)
			}
			fmt.Fprintf(w, "      child   <%s>\n", strings.Join(words, "> <"))
		}
	}
	fmt.Fprintf(w, "      shells  %s", strings.Join(f.Differ, " "))
	if len(f.Same) > 0 {
		fmt.Fprintf(w, " (not on %s)", strings.Join(f.Same, " "))
	}
	if f.Known != nil {
		fmt.Fprintf(w, "\n      known   %s", *f.Known)
	}
	fmt.Fprintf(w, "\n      try     sh %s /bin/bash\n", filepath.Join(v.out, f.Repro))
}

// printReadings prints what guards have said, by class.
func printReadings(w io.Writer, readings map[string]map[string]uint64) {
	classes := []string{finding.Agree, finding.Miss, finding.FalseAlarm, oracles.Limit, finding.Undecided}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "  GUARD\tCOMMANDS\t%s\t\n", strings.ToUpper(strings.Join(classes, "\t")))
	for _, g := range guard.All {
		counts, ok := readings[g.Name]
		if !ok {
			continue
		}
		var sum uint64
		for _, n := range counts {
			sum += n
		}
		fmt.Fprintf(t, "  %s\t%d", g.Name, sum)
		for _, c := range classes {
			fmt.Fprintf(t, "\t%d (%.1f %%)", counts[c], 100*float64(counts[c])/float64(max(sum, 1)))
		}
		fmt.Fprint(t, "\t\n")
	}
	t.Flush()
}
