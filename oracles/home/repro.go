package home

import (
	"context"
	"time"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

// A Repro is a home for reproductions: scripts for sh that need the tools of a
// system. It is shut off like any home, with the host's /usr in view, read-only.
type Repro struct {
	home Home
	// shell is the shell under test as scripts are told of it.
	shell string
}

// OpenRepro opens a home for the reproductions of faults of the shell.
func OpenRepro(ctx context.Context, shell Shell) (*Repro, error) {
	h, inside, err := openRepro(ctx, shell)
	if err != nil {
		return nil, err
	}
	return &Repro{h, inside}, nil
}

// Run runs a script, with the shell under test as its argument. Its exit status
// is 1 while the fault is there.
func (r *Repro) Run(ctx context.Context, script []byte) (wire.Result, error) {
	results, err := r.home.Run(ctx, wire.Request{
		Argv:  [][]byte{[]byte("sh"), []byte("-s"), []byte(r.shell)},
		Stdin: script,
		// A script bounds what it runs; these are for the script as a whole.
		Limits: wire.Limits{CPU: 20 * time.Second, Quiet: 15 * time.Second, Wall: 60 * time.Second},
	})
	if err != nil {
		return wire.Result{}, err
	}
	return results[0], nil
}

// Close ends the home.
func (r *Repro) Close() error { return r.home.Close() }
