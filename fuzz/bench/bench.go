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
	Seed uint64
	// Payloads, Commands and Sessions are the paths that are measured with each.
	Payloads, Commands, Sessions []path.Path
	Shells                       []home.Shell
	Kind                         home.Kind
	// Workers is how many homes run at the same time. For checks there are twice
	// as many that take turns, as in a campaign.
	Workers int
	// For is the time for all measures together.
	For time.Duration
	// Each is called with the rows of each shell when that is done.
	Each func(Row)
}

// A Row is one measure of one shell.
type Row struct {
	Shell string `json:"shell"`
	// Measure is what was done: "spawn" is a start of the shell that runs one
	// probe, "probe" a start of the probe alone, "script" a line of a plain
	// script, "payload:PATH" and "command:PATH" a check; "pty-loop" is a line of a
	// plain loop that types lines into one interactive shell and waits for the end
	// of each, "pty:PATH" a line that is checked, without what it takes to learn
	// what its command means.
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
	typed  = "pty-loop"
)

// The paths that are measured where nothing else is asked for: the cheapest
// ones, those that fail often, and those that are slow.
const (
	DefaultPayloads = "quote:posix,quote:shell-quote@1.8.3,quote:mvdan-bash,quote:printf-q,sandbox@1.8.3"
	DefaultCommands = "posix-eval,sandbox@1.8.3"
	DefaultSessions = "pty,pty-noediting"
)

// A measure is a thing to do for some time.
type measure struct {
	name string
	of   string
	// each is how many of the other measure one of this stands for.
	each float64
	// share is how many slices of time are on its clock, weight how many it takes.
	share, weight int
	// turns says that all seats do it, in turns.
	turns bool
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
	blocks    map[string]int // how many cases are checked at once, by measure
}

// Rows returns how many rows there will be for each shell.
func (c Config) Rows() int { return len(c.measures()) }

func (c Config) measures() []measure {
	list := []measure{
		{name: spawn, share: 1, weight: 1, run: loop("", "bash", "-c", "probe x")},
		{name: "probe", of: spawn, each: 1, share: 1, weight: 1, run: loop("probe", "probe", "x")},
		{name: script, of: spawn, each: 1, share: 2, weight: 4, run: lines},
	}
	for _, p := range c.Payloads {
		if p.TakesSessions() {
			continue
		}
		name := "payload:" + p.Name
		list = append(list, measure{name: name, of: spawn, each: 1, share: 1, weight: 1, turns: true, run: checks(name, p, false)})
	}
	for _, p := range c.Commands {
		if p.TakesCommands() && p.Name != p.Reference {
			name := "command:" + p.Name
			list = append(list, measure{name: name, of: script, each: 2, share: 2, weight: 2, turns: true, run: checks(name, p, true)})
		}
	}
	for _, p := range c.Sessions {
		if p.TakesSessions() {
			loop := typed
			if p.Name != "pty" {
				loop += ":" + p.Name
			}
			list = append(list, measure{name: loop, of: spawn, each: 1, share: 1, weight: 4, run: keys(p)},
				measure{name: "pty:" + p.Name, of: loop, each: 1, share: 2, weight: 4, run: sessions("pty:"+p.Name, p)})
		}
	}
	return list
}

// Slice is the slice of time that each measure takes, or two of them.
func (c Config) Slice() time.Duration {
	weight := 0
	for _, m := range c.measures() {
		weight += m.weight
	}
	return c.For / time.Duration(weight*len(c.Shells))
}

// Run measures one shell after the other.
func Run(ctx context.Context, c Config) error {
	long := c.Slice()
	for _, shell := range c.Shells {
		list := c.measures() // what they have confirmed is of one shell
		seats, err := open(ctx, c, shell)
		if err == nil {
			err = measureAll(ctx, c, shell, seats, list, long)
		}
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
	turns := home.NewTurns(c.Workers)
	for i := range 2 * c.Workers {
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
			next: uint64(i), step: uint64(2 * c.Workers), blocks: make(map[string]int),
		}
		s.grouper = &oracles.Grouper{Judge: &oracles.Judge{Home: turns.Share(h), Shell: shell}}
		seats = append(seats, s)
	}
	return seats, nil
}

// The time of each measure is cut into rounds, so that what else the machine does
// meanwhile hits all of them; but not into shorter ones than a block of commands
// takes.
const (
	maxRounds = 3
	minRound  = 200 * time.Millisecond
)

// A sum is what the rounds of one measure came to.
type sum struct {
	n         int
	perSecond float64
	cpu       time.Duration
	untold    bool // the processor time is not known
}

func measureAll(ctx context.Context, c Config, shell home.Shell, seats []*seat, list []measure, long time.Duration) error {
	sums := make([]sum, len(list))
	rounds := min(max(1, int(long/minRound)), maxRounds)
	for range rounds {
		for i, m := range list {
			if err := sums[i].add(ctx, m, seats, time.Duration(m.share)*long/time.Duration(rounds)); err != nil {
				return fmt.Errorf("measuring %s on %s: %w", m.name, shell.ID, err)
			}
		}
	}
	rates := make(map[string]float64)
	for i, m := range list {
		s := sums[i]
		row := Row{Shell: shell.ID, Measure: m.name, PerSecond: s.perSecond / float64(rounds), Of: m.of}
		if s.n > 0 && !s.untold {
			row.CPU = s.cpu.Seconds() * 1e3 / float64(s.n)
		}
		rates[m.name] = row.PerSecond
		if base := rates[m.of]; base > 0 {
			row.Ratio = row.PerSecond * m.each / base
		}
		c.Each(row)
	}
	return nil
}

// add measures for one round, on all seats at the same time.
func (s *sum) add(ctx context.Context, m measure, seats []*seat, long time.Duration) error {
	before, told := spent(seats)
	var mu sync.Mutex
	var failed error
	var all sync.WaitGroup
	taking := seats
	if !m.turns {
		taking = seats[:len(seats)/2]
	}
	for _, seat := range taking {
		all.Go(func() {
			n, took, err := m.run(ctx, seat, long)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed = err
			} else if took > 0 {
				s.perSecond += float64(n) / took.Seconds()
				s.n += n
			}
		})
	}
	all.Wait()
	after, still := spent(seats)
	s.cpu += after - before
	s.untold = s.untold || !told || !still
	return failed
}

// spent is the processor time of this process and of all homes, if it is told.
func spent(seats []*seat) (sum time.Duration, told bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	sum = time.Duration(u.Utime.Nano() + u.Stime.Nano())
	for _, s := range seats {
		cpu, ok := s.home.CPU()
		if !ok {
			return 0, false
		}
		sum += cpu
	}
	return sum, true
}
