package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/argvdiff/argvdiff/fuzz/bench"
	"github.com/argvdiff/argvdiff/targets/path"
)

func runBench(ctx context.Context, e *env, fs *flag.FlagSet, args []string) (int, error) {
	s := selection{paths: bench.DefaultPaths}
	s.register(fs)
	asJSON := fs.Bool("json", false, "print one JSON object a line")
	long := fs.Duration("for", 40*time.Second, "the `time` for all measures together")
	seed := fs.Uint64("seed", 1, "the `seed` of the cases")
	workers := fs.Int("workers", runtime.GOMAXPROCS(0), "the `number` of homes that run at the same time")
	if err := parse(fs, args); err != nil {
		return exitFailed, err
	}
	if err := noArgs(fs); err != nil {
		return exitFailed, err
	}
	if *long <= 0 || *workers < 1 {
		return exitFailed, usagef("bench: --for and --workers must be more than nothing")
	}
	paths, err := s.selectPaths()
	if err != nil {
		return exitFailed, err
	}
	kind := s.kind(e.stderr)
	shells, broken, err := s.selectShells(ctx, kind)
	if err != nil {
		return exitFailed, err
	}
	for _, b := range broken {
		fmt.Fprintf(e.stderr, "argvdiff: not run: %s: %s\n", b.ID, b.Reason)
	}
	c := bench.Config{Seed: *seed, Paths: paths, Shells: shells, Kind: kind, Workers: *workers, For: *long}
	rows := bench.Measures(paths) * len(shells)
	fmt.Fprintf(e.stderr, "argvdiff: %d measures of %.1f s each, %d workers, home %s, seed %d\n",
		rows, long.Seconds()/float64(rows), *workers, kind.Name, *seed)
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	if !*asJSON {
		fmt.Fprintln(w, "SHELL\tMEASURE\tPER SECOND\tCPU MS\tRATIO")
	}
	c.Each = func(r bench.Row) {
		if *asJSON {
			json.NewEncoder(e.stdout).Encode(r)
			return
		}
		ratio := ""
		if r.Of != "" {
			ratio = fmt.Sprintf("%.2f of %s", r.Ratio, r.Of)
		}
		fmt.Fprintf(w, "%s\t%s\t%.0f\t%.4f\t%s\n", r.Shell, r.Measure, r.PerSecond, r.CPU, ratio)
	}
	if err := bench.Run(ctx, c); err != nil {
		w.Flush()
		return exitFailed, err
	}
	if asked(paths) {
		fmt.Fprintln(e.stderr, "argvdiff: these are some of the paths; --path measures others, and all every one")
	}
	return exitNothing, w.Flush()
}

// asked reports whether there are more paths than those that were measured.
func asked(paths []path.Path) bool { return len(paths) < len(path.All) }
