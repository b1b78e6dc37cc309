package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/argvdiff/argvdiff/oracles/finding"
)

// A folder is where a campaign keeps what it has found and how far it is.
type folder struct {
	dir      string
	lock     *os.File
	log      *finding.Log
	findings []finding.Finding
	state    state

	mu sync.Mutex
}

// A state is how far a campaign is. It is written at case borders, so that a
// campaign that was killed goes on where it was.
type state struct {
	Next          uint64            `json:"next"`
	Cases         uint64            `json:"cases"`
	Checks        uint64            `json:"checks"`
	ByShell       map[string]uint64 `json:"by_shell"`
	ByPath        map[string]uint64 `json:"by_path"`
	Classes       map[string]uint64 `json:"classes"`
	NotRun        map[string]string `json:"not_run"`
	Counts        map[string]uint64 `json:"counts"` // by finding
	Refused       uint64            `json:"refused"`
	Unstable      uint64            `json:"unstable"`
	InfraFaults   uint64            `json:"infra_faults"`
	Lost          uint64            `json:"lost"`
	Sampled       uint64            `json:"sampled"`
	SampledMissed uint64            `json:"sampled_missed"`
	Cleared       uint64            `json:"cleared"`
	Wall          float64           `json:"wall"`
	// Predicted is by path and fate.
	Predicted map[string]Predicted `json:"predicted,omitempty"`
	Pending   []pending            `json:"pending"`
	// Readings is by guard and class.
	Readings map[string]map[string]uint64 `json:"readings,omitempty"`
}

// flags are what two runs of one campaign must have in common.
func (c Config) flags() map[string]string {
	var paths, shells []string
	for _, p := range c.Paths {
		paths = append(paths, p.Name)
	}
	for _, s := range c.Shells {
		shells = append(shells, s.ID)
	}
	return map[string]string{
		"version": c.Version,
		"corpus":  c.Corpus,
		"seed":    fmt.Sprint(c.Seed),
		"shard":   fmt.Sprintf("%d/%d", c.Shard, c.Shards),
		"paths":   strings.Join(paths, ","),
		"shells":  strings.Join(shells, ","),
		"home":    c.Kind.Name,
	}
}

// openFolder makes the folder, or continues what is in it.
func openFolder(c Config) (*folder, error) {
	f := &folder{dir: c.Out}
	if err := os.MkdirAll(filepath.Join(c.Out, "repro"), 0o777); err != nil {
		return nil, fmt.Errorf("--out %s cannot be used: %w; name another folder", c.Out, err)
	}
	if err := f.claim(c); err != nil {
		f.close()
		return nil, err
	}
	var err error
	if f.findings, err = finding.Load(c.Out); err != nil {
		f.close()
		return nil, fmt.Errorf("--out %s cannot be continued: %w; name another folder", c.Out, err)
	}
	if f.log, err = finding.Open(c.Out); err != nil {
		f.close()
		return nil, err
	}
	if err := f.restore(uint64(c.Shard)); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

// claim locks the folder and makes sure that it is of this campaign.
func (f *folder) claim(c Config) error {
	name := filepath.Join(f.dir, "campaign.json")
	lock, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return fmt.Errorf("--out %s cannot be used: %w; name another folder", f.dir, err)
	}
	f.lock = lock
	if err := lockFile(lock); err != nil {
		return fmt.Errorf("--out %s is in use by another campaign: name another folder, or wait for its end", f.dir)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	mine := c.flags()
	if len(b) == 0 {
		b, err := json.MarshalIndent(mine, "", "  ")
		if err != nil {
			return err
		}
		if _, err := lock.Write(append(b, '\n')); err != nil {
			lock.Truncate(0) // or the rest would stand for a campaign with other flags
			return f.kept(filepath.Base(name), err)
		}
		return lock.Sync()
	}
	var theirs map[string]string
	if err := json.Unmarshal(b, &theirs); err != nil {
		return fmt.Errorf("--out %s holds a campaign.json that cannot be read (%w): name another folder", f.dir, err)
	}
	for _, key := range []string{"version", "corpus", "seed", "shard", "home", "shells", "paths"} {
		if mine[key] != theirs[key] {
			return fmt.Errorf("--out %s is of a campaign with other flags (%s was %.60q, now %.60q): use the same flags to continue it, or name another folder", f.dir, key, theirs[key], mine[key])
		}
	}
	return nil
}

func (f *folder) restore(first uint64) error {
	f.state = state{
		Next: first, ByShell: map[string]uint64{}, ByPath: map[string]uint64{}, Classes: map[string]uint64{},
		NotRun: map[string]string{}, Counts: map[string]uint64{}, Predicted: map[string]Predicted{},
	}
	b, err := os.ReadFile(filepath.Join(f.dir, "state.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, &f.state); err != nil {
		return fmt.Errorf("%s/state.json cannot be read (%w): remove it to begin again, findings are kept", f.dir, err)
	}
	return nil
}

// write makes a finding safe: its script first, then its line.
func (f *folder) write(x finding.Finding, script []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.replace(filepath.FromSlash(x.Repro), script, 0o777); err != nil {
		return err
	}
	return f.kept(finding.LogName, f.log.Append(x))
}

// update writes what has become of a finding since.
func (f *folder) update(x finding.Finding) error {
	return f.kept(finding.LogName, f.log.Update(x.ID, x.Count, finding.Shells{Differ: x.Differ, Same: x.Same}))
}

// kept says how to go on where a write to the folder has failed.
func (f *folder) kept(name string, err error) error {
	if err == nil {
		return nil
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	how := "when that is mended"
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		how = "make room, then"
	}
	return fmt.Errorf("writing %s: %w; what was announced is kept: %s the same flags continue", filepath.Join(f.dir, name), err, how)
}

// replace writes a file of the folder whole or not at all.
func (f *folder) replace(name string, data []byte, mode fs.FileMode) error {
	whole := filepath.Join(f.dir, name)
	tmp := whole + ".new"
	file, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return f.kept(name, err)
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(tmp, whole)
	}
	if err != nil {
		os.Remove(tmp)
	}
	return f.kept(name, err)
}

func (f *folder) save(s state) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return f.replace("state.json", b, 0o666)
}

func (f *folder) close() {
	if f.log != nil {
		f.log.Close()
	}
	if f.lock != nil {
		f.lock.Close()
	}
}
