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
	var s selection
	s.register(fs)
	fs.Lookup("path").Usage = "the `paths` to measure, separated by commas; * matches anything, all means every one (default: some fast ones, some slow ones and some that fail often)"
	asJSON := fs.Bool("json", false, "print one JSON object a line")
	long := fs.Duration("for", 29*time.Second, "the `time` for all measures together")
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
	var c bench.Config
	for _, some := range []struct {
		names string
		to    *[]path.Path
	}{{bench.DefaultPayloads, &c.Payloads}, {bench.DefaultCommands, &c.Commands}, {bench.DefaultSessions, &c.Sessions}} {
		which := s
		if s.paths == "" {
			which.paths = some.names
		}
		var err error
		if *some.to, err = which.selectPaths(); err != nil {
			return exitFailed, err
		}
	}
	kind := s.kind(e.stderr)
	shells, broken, err := s.selectShells(ctx, kind)
	if err != nil {
		return exitFailed, err
	}
	for _, b := range broken {
		fmt.Fprintf(e.stderr, "argvdiff: not run: %s: %s\n", b.ID, b.Reason)
	}
	c.Seed, c.Shells, c.Kind, c.Workers, c.For = *seed, shells, kind, *workers, *long
	fmt.Fprintf(e.stderr, "argvdiff: %d measures of %.1f s or more on each of %d shells, %d workers, home %s, seed %d\n",
		c.Rows(), c.Slice().Seconds(), len(shells), *workers, kind.Name, *seed)
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
		cpu := "-"
		if r.CPU > 0 {
			cpu = fmt.Sprintf("%.4f", r.CPU)
		}
		fmt.Fprintf(w, "%s\t%s\t%.0f\t%s\t%s\n", r.Shell, r.Measure, r.PerSecond, cpu, ratio)
	}
	if err := bench.Run(ctx, c); err != nil {
		w.Flush()
		return exitFailed, err
	}
	if len(c.Payloads) < len(path.All) {
		fmt.Fprintln(e.stderr, "argvdiff: these are some of the paths; --path measures others, and all every one")
	}
	return exitNothing, w.Flush()
}
