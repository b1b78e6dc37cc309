package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"strings"

	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
)

// A camp is what some shells agree on.
type camp struct {
	Shells []string          `json:"shells"`
	Shows  *wire.Observation `json:"shows"`
	// Unstable says that two runs were different.
	Unstable bool `json:"unstable,omitempty"`
}

// runVersions shows what one command, untouched, does in each shell. That is no
// finding: it is what the command means there.
func runVersions(ctx context.Context, e *env, fs *flag.FlagSet, args []string) (int, error) {
	var s selection
	fs.StringVar(&s.shells, "shell", "all", "the `shells` to use, separated by commas, or all")
	s.registerHome(fs)
	asJSON := fs.Bool("json", false, "print one JSON object for each group of shells that agree")
	if err := parse(fs, args); err != nil {
		return exitFailed, err
	}
	texts, err := readTexts(e, fs)
	if err != nil {
		return exitFailed, err
	}
	if len(texts) > 1 {
		return exitFailed, usagef("versions takes one TEXT, but got %d", len(texts))
	}
	text := texts[0]
	kind := s.kind(e.stderr)
	shells, broken, err := s.selectShells(ctx, kind)
	if err != nil {
		return exitFailed, err
	}
	notRun(e.stderr, broken)
	untouched, _ := path.Lookup(path.Untouched)
	var camps []camp
	for _, shell := range shells {
		h, err := kind.Open(ctx, shell)
		if err != nil {
			return exitFailed, err
		}
		j := &oracles.Judge{Home: h, Shell: shell}
		d, err := j.Deliver(ctx, untouched, oracles.Case{Command: text}, path.Site{})
		var twice []wire.Result
		if err == nil {
			twice, err = h.Run(ctx, wire.Request{Argv: d.Argv}, wire.Request{Argv: d.Argv})
		}
		h.Close()
		if err != nil {
			return exitFailed, err
		}
		if twice[0].Refused != "" {
			return exitFailed, fmt.Errorf("the kernel declined a text of %d bytes: %s", len(text), twice[0].Refused)
		}
		camps = join(camps, shell.ID, twice[0].Observation, !twice[0].Equal(twice[1].Observation))
	}
	for _, c := range camps {
		if *asJSON {
			if err := json.NewEncoder(e.stdout).Encode(c); err != nil {
				return exitFailed, err
			}
			continue
		}
		fmt.Fprintf(e.stdout, "%s%s\n", strings.Join(c.Shells, " "), map[bool]string{true: " (unstable: two runs differ)"}[c.Unstable])
		fmt.Fprint(e.stdout, indent(finding.Render(*c.Shows), "  "))
	}
	if len(camps) > 1 {
		return exitFound, nil
	}
	return exitNothing, nil
}

// join adds a shell to the camp that shows the same, or founds one.
func join(camps []camp, shell string, o wire.Observation, unstable bool) []camp {
	for i := range camps {
		if camps[i].Shows.Equal(o) && camps[i].Unstable == unstable {
			camps[i].Shells = append(camps[i].Shells, shell)
			return camps
		}
	}
	return append(camps, camp{[]string{shell}, &o, unstable})
}
