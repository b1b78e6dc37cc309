package campaign

import (
	"fmt"
	"slices"

	"github.com/argvdiff/argvdiff/fuzz/gen"
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/targets/path"
)

// A pending is a signature that was met and is not a finding yet. It is part of
// the state, so that a campaign which is killed before it is minimised does not
// have to meet it again. Its case is generated anew from its number.
type pending struct {
	Signature finding.Signature `json:"signature"`
	Case      uint64            `json:"case"`
	Shell     int               `json:"shell"`
	Path      string            `json:"path"`
}

// pendings returns the entries that are not written, the lowest case first.
func (r *runner) pendings() []pending {
	var list []pending
	for _, e := range r.seen {
		if !e.written {
			list = append(list, pending{e.signed, e.original.number, e.shell, e.original.paths[0].Name})
		}
	}
	slices.SortFunc(list, func(a, b pending) int { return int(a.Case) - int(b.Case) })
	return list
}

// recall takes up what was pending when the campaign ended the last time.
func (r *runner) recall() error {
	g := gen.New(r.config.Seed)
	for _, p := range r.state.Pending {
		id := p.Signature.ID()
		if r.seen[id] != nil {
			continue // written after the state was
		}
		through, ok := path.Lookup(p.Path)
		if !ok || p.Shell >= len(r.config.Shells) {
			return fmt.Errorf("%s/state.json names the path %q and the shell %d, which the flags do not have: remove it to begin again, findings are kept", r.out.dir, p.Path, p.Shell)
		}
		c, _ := r.generate(g, p.Case, []byte{}) // an empty payload is not nil
		c.paths = []path.Path{through}
		r.lowest[id] = p.Case
		r.begin(&entry{signed: p.Signature, shell: p.Shell, original: c, count: r.state.Counts[id], dirty: true})
	}
	return nil
}
