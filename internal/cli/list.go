package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/argvdiff/argvdiff/docker"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/targets/path"
)

func runShells(ctx context.Context, e *env, fs *flag.FlagSet, args []string) (int, error) {
	asJSON := fs.Bool("json", false, "print one JSON object a line")
	var s selection
	s.registerHome(fs)
	if err := parse(fs, args); err != nil {
		return exitFailed, err
	}
	if err := noArgs(fs); err != nil {
		return exitFailed, err
	}
	kind := s.kind(e.stderr)
	all, err := s.survey(ctx, kind)
	if err != nil {
		return exitFailed, err
	}
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	if !*asJSON {
		fmt.Fprintln(w, "SHELL\tVERSION\tHOME\tSELF-CHECK\tBINARY")
	}
	usable, named := false, false
	for _, c := range all {
		check := "ok"
		if c.Reason != "" {
			check = "failed"
			named = named || c.Named
		} else {
			usable = true
		}
		if !*asJSON {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", c.ID, c.Version, c.Home(kind), check, c.Where())
			if c.Reason != "" {
				fmt.Fprintf(w, "\t\t\t%s\n", c.Reason)
			}
			continue
		}
		err := json.NewEncoder(e.stdout).Encode(struct {
			ID        string `json:"id"`
			Version   string `json:"version"`
			Home      string `json:"home"`
			SelfCheck string `json:"self_check"`
			Reason    string `json:"reason"`
			Binary    string `json:"binary"`
		}{c.ID, c.Version, c.Home(kind), check, c.Reason, c.Where()})
		if err != nil {
			return exitFailed, err
		}
	}
	if err := w.Flush(); err != nil {
		return exitFailed, err
	}
	if !*asJSON && kind.Name != home.BareHost.Name {
		couldBeHad(ctx, e, &s, all)
	}
	if !usable || named {
		return exitFailed, nil
	}
	return exitNothing, nil
}

// couldBeHad says which other versions of bash there are for the asking.
func couldBeHad(ctx context.Context, e *env, s *selection, all []home.Candidate) {
	if s.runtime == "none" {
		return
	}
	var r docker.Runtime
	err := s.noEngine // which did not answer a moment ago
	if err == nil {
		r, err = docker.Find(ctx, s.runtime)
	}
	if err != nil {
		fmt.Fprintf(e.stderr, "argvdiff: more versions could be had in containers: %v\n", err)
		return
	}
	for _, v := range docker.Versions {
		if !slices.ContainsFunc(all, func(c home.Candidate) bool { return c.Version == v || strings.HasPrefix(c.Version, v+".") }) {
			fmt.Fprintf(e.stderr, "argvdiff: bash %s could be had: %s pull bash:%s\n", v, r.Name, v)
		}
	}
}

func runPaths(_ context.Context, e *env, fs *flag.FlagSet, args []string) (int, error) {
	asJSON := fs.Bool("json", false, "print one JSON object a line")
	if err := parse(fs, args); err != nil {
		return exitFailed, err
	}
	if err := noArgs(fs); err != nil {
		return exitFailed, err
	}
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	for _, p := range path.All {
		carries := "payloads"
		switch {
		case p.TakesCommands():
			carries = "commands"
		case p.TakesSessions():
			carries = "sessions"
		case p.Reading != nil:
			carries = "nothing"
		}
		if !*asJSON && p.Reading != nil && slices.Contains(manyReadings, p.Reading.Oracle) {
			continue
		}
		if !*asJSON {
			doc := p.Doc
			if p.Aside != "" {
				doc += " (set aside)"
			}
			fmt.Fprintf(w, "%s\t%s\n", p.Name, doc)
			continue
		}
		err := json.NewEncoder(e.stdout).Encode(struct {
			Name      string `json:"name"`
			Carries   string `json:"carries"`
			Reference string `json:"reference"`
			Aside     string `json:"aside,omitempty"`
			Doc       string `json:"doc"`
		}{p.Name, carries, p.Reference, p.Aside, p.Doc})
		if err != nil {
			return exitFailed, err
		}
	}
	if !*asJSON {
		fmt.Fprintln(w, "words:SPLITTER, laws/LAW:GUARD, revisions:GUARD..REVISION\tmore that read: argvdiff paths --json lists them (set aside)")
	}
	return exitNothing, w.Flush()
}

// manyReadings are the oracles with a path for each of many readers.
var manyReadings = []string{path.Words, path.Laws, path.Revisions}
