package campaign

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"
)

// A Summary is what a campaign has done. It is written as summary.json.
type Summary struct {
	Version       string            `json:"version"`
	Seed          uint64            `json:"seed"`
	Shard         string            `json:"shard"`
	WallSeconds   float64           `json:"wall_s"`
	Cases         uint64            `json:"cases"`
	LastCase      uint64            `json:"last_case"`
	Checks        uint64            `json:"checks"`
	PerSecond     float64           `json:"checks_per_s"`
	ChecksByShell map[string]uint64 `json:"checks_by_shell"`
	ChecksByPath  map[string]uint64 `json:"checks_by_path"`
	Refused       uint64            `json:"refused"`
	Unstable      uint64            `json:"unstable"`
	Classes       map[string]uint64 `json:"named_classes"`
	// Sampled counts members of groups that were run alone to see whether the
	// group had said the same; SampledMissed those where it had not: defects of
	// argvdiff.
	Sampled       uint64 `json:"sampled"`
	SampledMissed uint64 `json:"sampled_missed"`
	// Cleared counts cases that differed in a group and not alone.
	Cleared       uint64 `json:"cleared"`
	InfraFaults   uint64 `json:"infra_faults"`
	CasesLost     uint64 `json:"cases_lost"`
	FindingsNew   int    `json:"findings_new"`
	FindingsKnown int    `json:"findings_known"`
	// VersionDependent counts the findings that show on some of the shells and not
	// on others. Matrix counts those, by path and shell.
	VersionDependent int                       `json:"version_dependent"`
	Matrix           map[string]map[string]int `json:"version_matrix"`
	// ScriptsFailed counts findings whose script did not show the fault: defects
	// of argvdiff.
	ScriptsFailed int `json:"scripts_failed"`
	// ScriptsNotRun counts those that were not tried, since their shells are only
	// in images, or on the bare host.
	ScriptsNotRun int    `json:"scripts_not_run"`
	KnownGone     []Gone `json:"known_gone"`
	// Readings counts what guards have said of the commands of the campaign, by guard
	// and by class: agree, miss, false-alarm, undecided, and limit-of-reading for what
	// was set aside since nobody can know it who only reads.
	Readings map[string]map[string]uint64 `json:"readings,omitempty"`
	// Predicted is what bash 3.2 would do, where none is among the shells.
	Predicted []Predicted `json:"predicted,omitempty"`
	// Dropped are the shells that were left out from some case on.
	Dropped []string `json:"dropped,omitempty"`
	NotRun  []NotRun `json:"not_run"`
}

func (r *runner) summary() Summary {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, s := r.config, r.state
	sum := Summary{
		Version: c.Version, Seed: c.Seed, Shard: fmt.Sprintf("%d/%d", c.Shard, c.Shards),
		WallSeconds: s.Wall, Cases: s.Cases, Checks: s.Checks,
		ChecksByShell: s.ByShell, ChecksByPath: s.ByPath,
		Refused: s.Refused, Unstable: s.Unstable, Classes: s.Classes,
		Sampled: s.Sampled, SampledMissed: s.SampledMissed, Cleared: s.Cleared,
		InfraFaults: s.InfraFaults, CasesLost: s.Lost,
		Readings: cloned(s.Readings), KnownGone: r.gone, NotRun: slices.Clone(c.NotRun), Predicted: listed(s.Predicted),
	}
	if sum.WallSeconds > 0 {
		sum.PerSecond = float64(s.Checks) / sum.WallSeconds
	}
	if s.Next > uint64(c.Shards) {
		sum.LastCase = s.Next - uint64(c.Shards)
	}
	sum.Matrix = make(map[string]map[string]int)
	for _, e := range r.seen {
		if f := e.finding; e.written && len(f.Differ) > 0 && len(f.Same) > 0 {
			sum.VersionDependent++
			if sum.Matrix[f.Path] == nil {
				sum.Matrix[f.Path] = make(map[string]int)
			}
			for _, shell := range f.Differ {
				sum.Matrix[f.Path][shell]++
			}
		}
		if e.written && e.finding.Reproduced == nil {
			sum.ScriptsNotRun++
		}
		if e.finding.Reproduced != nil && !*e.finding.Reproduced {
			sum.ScriptsFailed++
		}
	}
	sum.FindingsNew, sum.FindingsKnown = r.tally()
	for shell := range r.config.Shells {
		if r.dropped[shell] {
			sum.Dropped = append(sum.Dropped, r.config.Shells[shell].ID)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(s.NotRun)) {
		sum.NotRun = append(sum.NotRun, NotRun{what, s.NotRun[what]})
	}
	if sum.KnownGone == nil {
		sum.KnownGone = []Gone{}
	}
	if sum.NotRun == nil {
		sum.NotRun = []NotRun{}
	}
	return sum
}

func cloned(m map[string]map[string]uint64) map[string]map[string]uint64 {
	c := maps.Clone(m)
	for k, v := range c {
		c[k] = maps.Clone(v)
	}
	return c
}

// tally counts the findings that are written.
func (r *runner) tally() (news, known int) {
	for _, e := range r.seen {
		switch {
		case !e.written:
		case e.finding.Known != nil:
			known++
		default:
			news++
		}
	}
	return news, known
}

// finish writes the last counts, the state and the summary.
func (r *runner) finish() error {
	err := r.keep()
	b, jsonErr := json.MarshalIndent(r.summary(), "", "  ")
	if jsonErr != nil {
		return jsonErr
	}
	if writeErr := r.out.replace("summary.json", append(b, '\n'), 0o666); err == nil {
		err = writeErr
	}
	return err
}

// keep writes what has changed since the last time.
func (r *runner) keep() error {
	r.mu.Lock()
	r.state.Wall += time.Since(r.recent.keptAt(r.started)).Seconds()
	s := r.state
	s.ByShell, s.ByPath, s.Classes = maps.Clone(s.ByShell), maps.Clone(s.ByPath), maps.Clone(s.Classes)
	s.Readings = cloned(s.Readings)
	s.NotRun, s.Counts, s.Predicted = maps.Clone(s.NotRun), maps.Clone(s.Counts), maps.Clone(s.Predicted)
	s.Pending = r.pendings()
	var changed []*entry
	for _, e := range r.seen {
		if e.dirty && e.written && e.count != e.finding.Count {
			e.finding.Count = e.count
			changed = append(changed, e)
		}
		if e.written {
			e.dirty = false
		}
	}
	r.mu.Unlock()
	slices.SortFunc(changed, func(a, b *entry) int { return int(a.original.number) - int(b.original.number) })
	for _, e := range changed {
		if err := r.out.update(e.finding); err != nil {
			return err
		}
	}
	return r.out.save(s)
}

// beat shows the progress and, every few beats, saves the state.
func (r *runner) beat() {
	const every = 4
	if r.recent.beats.Add(1)%every == 0 {
		if err := r.keep(); err != nil {
			r.stop(err)
		}
	}
	if r.config.Progress == nil {
		return
	}
	r.mu.Lock()
	p := Progress{Cases: r.state.Cases, Checks: r.state.Checks, Elapsed: time.Since(r.started)}
	p.Findings, p.Known = r.tally()
	p.Minimising = r.open
	if d := r.deadline(); !d.IsZero() {
		p.Left = max(0, time.Until(d))
	}
	r.mu.Unlock()
	p.PerSecond = r.recent.perSecond()
	r.config.Progress(p)
}

// A rate counts checks and remembers when it was last asked.
type rate struct {
	checks atomic.Uint64
	beats  atomic.Uint64
	last   uint64
	asked  time.Time
	kept   time.Time
}

func (r *rate) add(n int) { r.checks.Add(uint64(n)) }

// perSecond returns the checks a second since it was last asked.
func (r *rate) perSecond() float64 {
	now, n := time.Now(), r.checks.Load()
	since := now.Sub(r.asked).Seconds()
	done := n - r.last
	first := r.asked.IsZero()
	r.asked, r.last = now, n
	if first || since <= 0 {
		return 0
	}
	return float64(done) / since
}

// keptAt returns when it was last called, at first the start.
func (r *rate) keptAt(start time.Time) time.Time {
	last := r.kept
	if last.IsZero() {
		last = start
	}
	r.kept = time.Now()
	return last
}
