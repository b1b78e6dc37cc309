// Package campaign runs one fuzzing campaign: it generates cases, lets workers
// check them, takes the outcomes in the order of the case numbers, minimises
// what is new, and keeps everything in one folder.
package campaign

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/argvdiff/argvdiff/corpus"
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/targets/path"
)

// A Config says what a campaign does. Its zero bounds mean none.
type Config struct {
	Version string
	// Corpus is the digest of the known faults.
	Corpus string
	Seed   uint64
	// Cases bounds the number of the last case: the whole campaign has the
	// cases 1 to Cases, of which each shard takes its part.
	Cases uint64
	// For bounds the time in which cases are begun.
	For time.Duration
	// Shard, from 1 to Shards, takes the cases whose number is Shard modulo
	// Shards.
	Shard, Shards int

	Paths  []path.Path
	Shells []home.Shell
	Kind   home.Kind
	Faults []corpus.Fault
	// Workers is how many shells run at the same time; 0 stands for the number
	// of processors.
	Workers int
	// GroupSize bounds how many cases share a shell. 0 stands for what suits, 1
	// for a shell for each.
	GroupSize int
	// Out is the folder for everything that is kept. It is made if need be.
	Out string

	// NotRun goes into the summary.
	NotRun []NotRun
	// Begin is called once the folder is this campaign's.
	Begin func()
	// Warn is called with what the reader of a campaign should know meanwhile.
	Warn func(string)
	// Announce is called for each finding once it is safe on the disk.
	Announce func(finding.Finding)
	// Progress is called about twice a second.
	Progress func(Progress)
}

// A NotRun says what was asked for, or could have been, and was not run.
type NotRun struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// Progress is how far a campaign is.
type Progress struct {
	Cases, Checks   uint64
	Findings, Known int
	// Replaying is how many known faults are being replayed, before the first
	// case; Minimising how many findings wait to be made small.
	Replaying, Minimising int
	Elapsed               time.Duration
	Left                  time.Duration // 0 where there is no bound on time
	PerSecond             float64       // checks, over the last second
}

// Run runs the campaign until its bounds, or until the context ends, which is a
// clean end too. The summary holds what was done also where there is an error.
func Run(ctx context.Context, c Config) (Summary, error) {
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	if c.Shards == 0 {
		c.Shard, c.Shards = 1, 1
	}
	out, err := openFolder(c)
	if err != nil {
		return Summary{}, err
	}
	defer out.close()
	if c.Begin != nil {
		c.Begin()
	}
	r := &runner{config: c, out: out, started: time.Now(), state: out.state, seen: make(map[string]*entry), lowest: make(map[string]uint64), dropped: make(map[int]bool), jobs: make(chan *entry, 1024), turns: home.NewTurns(c.Workers)}
	r.commands, r.sessions, _, r.readings = path.Split(c.Paths)
	r.carriers = slices.DeleteFunc(slices.Clone(c.Paths), func(p path.Path) bool { return p.TakesSessions() || p.Reading != nil })
	isSplitter := func(p path.Path) bool { return p.Reading.Oracle == path.Words }
	for _, p := range r.readings {
		if isSplitter(p) {
			r.splitters = append(r.splitters, p)
		}
	}
	r.readings = slices.DeleteFunc(r.readings, isSplitter)
	for _, f := range out.findings {
		r.seen[f.ID] = &entry{finding: f, count: r.state.Counts[f.ID], written: true}
		r.lowest[f.ID] = f.Case
	}
	if err := r.learn(ctx); err != nil {
		return r.summary(), err
	}
	if err := r.recall(); err != nil {
		return r.summary(), err
	}
	// The bound on time is for cases, however long the known faults took.
	r.started = time.Now()
	err = r.work(ctx)
	if saveErr := r.finish(); err == nil {
		err = saveErr
	}
	return r.summary(), err
}

// A runner is a campaign in progress.
type runner struct {
	config  Config
	out     *folder
	started time.Time
	known   map[string]Known // by shell
	gone    []Gone
	// The paths that carry commands, and sessions, and those that payloads go down:
	// all but those of sessions.
	commands, sessions, carriers []path.Path
	// readings are those on which commands are read, splitters those on which lists of
	// words are.
	readings, splitters []path.Path

	mu    sync.Mutex // guards what follows
	state state
	seen  map[string]*entry // by id
	// lowest is, by id, the lowest case that has differed alone.
	lowest  map[string]uint64
	next    uint64       // the next case to hand out
	handed  int          // blocks that were handed out and are not committed
	dropped map[int]bool // shells whose homes cannot be opened any more
	open    int          // entries that are not settled yet
	err     error

	jobs   chan *entry
	turns  *home.Turns
	recent rate
}

// An entry is one signature that was met.
type entry struct {
	finding  finding.Finding
	signed   finding.Signature
	shell    int // on which shell it was met first
	original subject
	count    uint64
	written  bool
	dirty    bool // the count on the disk is old
}

// deadline returns when no case is begun any more.
func (r *runner) deadline() time.Time {
	if r.config.For == 0 {
		return time.Time{}
	}
	return r.started.Add(r.config.For)
}
