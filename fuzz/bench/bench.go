// Package bench measures how many checks argvdiff does in a second, against what
// the same shells do in plain loops in the same homes.
package bench

import (
	"context"
	"fmt"
	"sync"
	"syscall"
	"time"

	"github.com/argvdiff/argvdiff/fuzz/gen"
	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/oracles/group"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/targets/path"
)

// A Config says what is measured.
type Config struct {
	Seed   uint64
	Paths  []path.Path
	Shells []home.Shell
	Kind   home.Kind
	// Workers is how many homes run at the same time.
	Workers int
	// For is the time for all measures together.
	For time.Duration
	// Each is called with each row as soon as it is there.
	Each func(Row)
}

// A Row is one measure of one shell.
type Row struct {
	Shell string `json:"shell"`
	// Measure is what was done: "spawn" is a start of the shell that runs one
	// probe, "probe" a start of the probe alone, "script" a line of a plain
	// script, "payload:PATH" and "command:PATH" a check.
	Measure string `json:"measure"`
	// PerSecond is how often that was done, all workers together.
	PerSecond float64 `json:"per_s"`
	// CPU is the processor time of one, in milliseconds, with everything that
	// generates, carries and compares it. It is 0 where it cannot be told.
	CPU float64 `json:"cpu_ms"`
	// Of is the measure that Ratio compares with. Commands are compared by
	// their sides: the path and its reference each are one line of a script.
	Of    string  `json:"of,omitempty"`
	Ratio float64 `json:"ratio,omitempty"`
}

// Measures that others are compared with.
const (
	spawn  = "spawn"
	script = "script"
)

// DefaultPaths are measured where nothing else is asked for: the cheapest ones,
// those that fail often, and those that are slow.
const DefaultPaths = "quote:posix,quote:ansi-c,quote:shell-quote@1.8.3,quote:mvdan-bash,quote:printf-q,posix-eval,ansi-c-eval,sandbox@1.8.3"

// A measure is a thing to do for some time.
type measure struct {
	name string
	of   string
	// each is how many of the other measure one of this stands for.
	each float64
	// run does it for about that long and returns how often, and how long it
	// really took.
	run func(ctx context.Context, s *seat, long time.Duration) (n int, took time.Duration, err error)
}

// A seat is what one worker needs for one shell.
type seat struct {
	home      home.Clocked
	grouper   *oracles.Grouper
	generator *gen.Generator
	sorter    *group.Sorter
	next      uint64
	step      uint64
	block     int
	confirmed map[string]bool
}

// Measures returns how many rows the measures of one shell have.
func Measures(paths []path.Path) int { return len(measures(paths)) }

func measures(paths []path.Path) []measure {
	list := []measure{
		{name: spawn, run: loop("", "bash", "-c", "probe x")},
		{name: "probe", of: spawn, each: 1, run: loop("probe", "probe", "x")},
		{name: script, of: spawn, each: 1, run: lines},
	}
	for _, p := range paths {
		list = append(list, measure{name: "payload:" + p.Name, of: spawn, each: 1, run: checks(p, false)})
	}
	for _, p := range paths {
		if p.TakesCommands() && p.Name != p.Reference {
			list = append(list, measure{name: "command:" + p.Name, of: script, each: 2, run: checks(p, true)})
		}
	}
	return list
}

// Run measures one shell after the other.
func Run(ctx context.Context, c Config) error {
	list := measures(c.Paths)
	long := c.For / time.Duration(len(list)*len(c.Shells))
	for _, shell := range c.Shells {
		seats, err := open(ctx, c, shell)
		if err != nil {
			return err
		}
		err = measureAll(ctx, c, shell, seats, list, long)
		for _, s := range seats {
			s.home.Close()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func open(ctx context.Context, c Config, shell home.Shell) (seats []*seat, err error) {
	for i := range c.Workers {
		h, err := c.Kind.Open(ctx, shell)
		if err != nil {
			return seats, fmt.Errorf("opening a home for %s: %w", shell.ID, err)
		}
		clocked, ok := h.(home.Clocked)
		if !ok {
			h.Close()
			return seats, fmt.Errorf("homes of the kind %s cannot be measured by", c.Kind.Name)
		}
		s := &seat{
			home: clocked, generator: gen.New(c.Seed), sorter: group.NewSorter(),
			next: uint64(i), step: uint64(c.Workers), confirmed: make(map[string]bool),
		}
		s.grouper = &oracles.Grouper{
			Judge: &oracles.Judge{Home: h, Shell: shell},
			Skip:  func(_ int, id string) bool { return s.confirmed[id] },
		}
		seats = append(seats, s)
	}
	return seats, nil
}

func measureAll(ctx context.Context, c Config, shell home.Shell, seats []*seat, list []measure, long time.Duration) error {
	rates := make(map[string]float64)
	for _, m := range list {
		row := Row{Shell: shell.ID, Measure: m.name, Of: m.of}
		before := spent(seats)
		var mu sync.Mutex
		var failed error
		var total int
		var all sync.WaitGroup
		for _, s := range seats {
			all.Go(func() {
				n, took, err := m.run(ctx, s, long)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					failed = err
				} else if took > 0 {
					row.PerSecond += float64(n) / took.Seconds()
					total += n
				}
			})
		}
		all.Wait()
		if failed != nil {
			return fmt.Errorf("measuring %s on %s: %w", m.name, shell.ID, failed)
		}
		if after := spent(seats); before > 0 && total > 0 {
			row.CPU = (after - before).Seconds() * 1e3 / float64(total)
		}
		rates[m.name] = row.PerSecond
		if base := rates[m.of]; base > 0 {
			row.Ratio = row.PerSecond * m.each / base
		}
		c.Each(row)
	}
	return nil
}

// spent is the processor time of this process and of all homes.
func spent(seats []*seat) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	sum := time.Duration(u.Utime.Nano() + u.Stime.Nano())
	for _, s := range seats {
		cpu := s.home.CPU()
		if cpu == 0 {
			return 0
		}
		sum += cpu
	}
	return sum
}
