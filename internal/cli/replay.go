package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/argvdiff/argvdiff/corpus"
	"github.com/argvdiff/argvdiff/fuzz/campaign"
	"github.com/argvdiff/argvdiff/fuzz/gen"
	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/targets/path"
)

// A replayed is one case that was read from a file.
type replayed struct {
	source string // file, and where in it
	oracles.Case
	paths []path.Path // empty: those that were selected
	// known is the name of the known fault that the case is.
	known string
	fault *corpus.Fault

	shows   []string // on which paths and shells
	checked bool
	why     string // why it was not checked
}

func runReplay(ctx context.Context, e *env, flags *flag.FlagSet, args []string) (int, error) {
	var s selection
	s.register(flags)
	asJSON := flags.Bool("json", false, "print one JSON object a line")
	if err := parse(flags, args); err != nil {
		return exitFailed, err
	}
	if flags.NArg() == 0 {
		return exitFailed, usagef("replay takes files or folders: findings.jsonl, corpus files, or files of go test -fuzz")
	}
	var cases []replayed
	for _, name := range flags.Args() {
		more, err := readCases(name)
		if err != nil {
			return exitFailed, err
		}
		cases = append(cases, more...)
	}
	if len(cases) == 0 {
		return exitFailed, usagef("nothing to replay in %s", strings.Join(flags.Args(), " "))
	}
	chosen, err := s.selectPaths()
	if err != nil {
		return exitFailed, err
	}
	kind := s.kind(e.stderr)
	shells, broken, err := s.selectShells(ctx, kind)
	if err != nil {
		return exitFailed, err
	}
	notRun(e.stderr, broken)
	code := exitNothing
	for _, shell := range shells {
		h, err := kind.Open(ctx, shell)
		if err != nil {
			return exitFailed, err
		}
		acting := home.NewLazy(kind, shell.Acting())
		found, err := replayOn(ctx, e.stderr, &oracles.Judge{Home: h, Shell: shell, Acting: acting.Open}, cases, chosen, s.paths != "")
		h.Close()
		acting.Close()
		if err != nil {
			return exitFailed, err
		}
		if found {
			code = exitFound
		}
	}
	ran, show := 0, 0
	for _, c := range cases {
		state := "gone"
		if len(c.shows) > 0 {
			state = "shows"
			show++
		}
		if c.checked {
			ran++
			c.why = "" // it was on another path or shell
		} else {
			state = "not run"
		}
		if *asJSON {
			err := json.NewEncoder(e.stdout).Encode(struct {
				Source string   `json:"source"`
				Kind   string   `json:"kind"`
				Input  [][]byte `json:"input"`
				Shows  []string `json:"shows"`
				NotRun string   `json:"not_run"`
			}{c.source, c.Kind(), c.Input(), append([]string{}, c.shows...), c.why})
			if err != nil {
				return exitFailed, err
			}
			continue
		}
		fmt.Fprintf(e.stdout, "%-7s  %s  %s\n", state, c.source, quoteAll(c.Input()))
		if !c.checked {
			fmt.Fprintf(e.stdout, "         %s\n", c.why)
		}
		for _, where := range c.shows {
			fmt.Fprintf(e.stdout, "         %s\n", where)
		}
	}
	if !*asJSON {
		fmt.Fprintf(e.stdout, "%d of %d still show on %s\n", show, len(cases), ids(shells))
	}
	if ran == 0 {
		return exitFailed, fmt.Errorf("nothing in %s could be run: %s", strings.Join(flags.Args(), " "), cases[0].why)
	}
	return code, nil
}

// replayOn checks the cases in one home. It reports whether it has found what
// fails a run: a difference that is not known, or a known fault that is gone.
func replayOn(ctx context.Context, warn io.Writer, judge *oracles.Judge, cases []replayed, chosen []path.Path, asked bool) (found bool, err error) {
	type difference struct {
		at   int // among the cases
		path path.Path
		sign finding.Signature
	}
	var differing []difference
	var paths []path.Path
	var seen []finding.Signature
	for i := range cases {
		c := &cases[i]
		if slices.ContainsFunc(c.Input(), holdsNUL) {
			c.why = "it holds a NUL byte, and no argument can hold one"
			continue
		}
		outcomes, err := judge.Check(ctx, c.choose(chosen, asked), c.Case)
		if err != nil {
			return false, err
		}
		if len(outcomes) == 0 {
			c.why = "none of the paths carries a " + c.Kind()
		}
		for _, o := range outcomes {
			switch o.Verdict {
			case oracles.Differs:
				c.checked = true
				d := difference{i, o.Path, oracles.Sign(c.Case, o)}
				differing, paths, seen = append(differing, d), append(paths, d.path), append(seen, d.sign)
			case oracles.Same:
				c.checked = true
				if c.fault != nil && c.fault.Path == o.Path.Name && c.fault.Shows(judge.Shell.Version) {
					found = true
					fmt.Fprintf(warn, "argvdiff: known fault gone: %s on %s, %s\n", c.known, o.Path.Name, judge.Shell.ID)
				}
			default:
				c.why = fmt.Sprintf("%s on %s: %s", o.Path.Name, judge.Shell.ID, o.Reason)
			}
		}
	}
	known, err := campaign.Find(ctx, judge, paths, seen)
	if err != nil {
		return false, err
	}
	for _, d := range differing {
		c := &cases[d.at]
		where := d.path.Name + " on " + judge.Shell.ID
		if name, ok := known[d.sign]; ok {
			where += " (known: " + name + ")"
		} else if c.known == "" {
			found = true
		}
		c.shows = append(c.shows, where)
	}
	return found, nil
}

// choose returns the paths for a case: its own, or those selected that carry
// its kind.
func (c replayed) choose(selected []path.Path, asked bool) []path.Path {
	if len(c.paths) > 0 && !asked {
		return c.paths
	}
	var some []path.Path
	kind := c.Kind()
	if len(c.paths) > 0 && c.paths[0].Reading != nil {
		kind = finding.Guard
	}
	for _, p := range selected {
		if p.Carries(kind) {
			some = append(some, p)
		}
	}
	return some
}

func holdsNUL(b []byte) bool { return bytes.IndexByte(b, 0) >= 0 }

func quoteAll(list [][]byte) string {
	var words []string
	for _, b := range list {
		words = append(words, finding.Quote(b))
	}
	return strings.Join(words, " ")
}

// readCases reads a file, or all files below a folder that hold cases.
func readCases(name string) ([]replayed, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	if !info.IsDir() {
		return readCaseFile(name)
	}
	var all []replayed
	err = filepath.WalkDir(name, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return unreadable(file, err)
		}
		if d.IsDir() || !holdsCases(file) {
			return nil
		}
		more, err := readCaseFile(file)
		all = append(all, more...)
		return err
	})
	return all, err
}

// unreadable names the file once, and the cause.
func unreadable(name string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("cannot replay %s: %w", name, err)
}

const fuzzHeader = "go test fuzz v1\n"

// targetOf names the fuzz target of a file, after its folder: "" where that is
// none of argvdiff's.
func targetOf(file string) string {
	file, err := filepath.Abs(file)
	if err != nil {
		return ""
	}
	switch target := filepath.Base(filepath.Dir(file)); target {
	case "FuzzCommand", "FuzzPayload", "FuzzSession", "FuzzExposure", "FuzzGuard", "FuzzParse":
		return target
	}
	return ""
}

// holdsCases tells files with cases from others in a folder.
func holdsCases(file string) bool {
	return filepath.Base(file) == finding.LogName || filepath.Base(file) == "faults.txt" || targetOf(file) != ""
}

// readCaseFile reads a file of one of the three kinds.
func readCaseFile(name string) ([]replayed, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	read := readFaults
	switch {
	case bytes.HasPrefix(b, []byte(fuzzHeader)):
		read = readFuzzFile
	case filepath.Base(name) == finding.LogName:
		read = readFindings
	}
	return read(name, b)
}

func readFaults(name string, b []byte) ([]replayed, error) {
	faults, err := corpus.Parse(string(b))
	if err != nil {
		return nil, fmt.Errorf("%s is none of %s, corpus, go test fuzz v1: %.200s", name, finding.LogName, err)
	}
	var all []replayed
	for _, f := range faults {
		p, ok := path.Lookup(f.Path)
		if !ok {
			return nil, fmt.Errorf("%s: the fault %s names the unknown path %q", name, f.Name, f.Path)
		}
		all = append(all, replayed{source: name + ":" + f.Name, Case: campaign.CaseOf(f), paths: []path.Path{p}, known: f.Name, fault: &f})
	}
	return all, nil
}

func readFindings(name string, _ []byte) ([]replayed, error) {
	findings, err := finding.Load(filepath.Dir(name))
	if err != nil {
		return nil, fmt.Errorf("cannot replay a file that argvdiff fuzz did not write: %w", err)
	}
	var all []replayed
	for _, f := range findings {
		p, ok := path.Lookup(f.Path)
		if !ok {
			return nil, fmt.Errorf("%s: the finding %s names the unknown path %q", name, f.ID, f.Path)
		}
		r := replayed{source: name + ":" + f.ID, paths: []path.Path{p}}
		switch {
		case len(f.Input) == 1 || len(f.Input) > 1 && f.Kind != finding.Command:
			r.Case = oracles.NewCase(f.Kind, f.Input)
		default:
			return nil, fmt.Errorf("%s: the finding %s of the kind %q cannot be replayed", name, f.ID, f.Kind)
		}
		if f.Known != nil {
			r.known = *f.Known
		}
		all = append(all, r)
	}
	return all, nil
}

// readFuzzFile reads a file of go test -fuzz: text and shape, as the targets in
// package fuzz take them. The folder names the target.
func readFuzzFile(name string, b []byte) ([]replayed, error) {
	var args [][]byte
	for _, line := range strings.Split(strings.TrimSpace(string(b[len(fuzzHeader):])), "\n") {
		literal, ok := strings.CutPrefix(line, "[]byte(")
		literal, closed := strings.CutSuffix(literal, ")")
		s, err := strconv.Unquote(literal)
		if !ok || !closed || err != nil {
			return nil, fmt.Errorf("%s: the line %.60q is no []byte literal", name, line)
		}
		args = append(args, []byte(s))
	}
	if len(args) != 2 {
		return nil, fmt.Errorf("%s holds %d values, a target of argvdiff takes text and shape", name, len(args))
	}
	text, shape := args[0], args[1]
	r := replayed{source: name}
	var err error
	switch targetOf(name) {
	case "":
		return nil, fmt.Errorf("%s: put it into a folder named FuzzCommand, FuzzPayload, FuzzSession, FuzzExposure, FuzzGuard or FuzzParse, which tells what it holds", name)
	case "FuzzPayload":
		if len(shape) > 0 {
			text = gen.PayloadFromShape(shape)
		}
		r.Payloads = [][]byte{text}
	case "FuzzGuard", "FuzzParse":
		names := "guard@*"
		if targetOf(name) == "FuzzParse" {
			names = path.Parse
		}
		if len(shape) > 0 {
			text = gen.GuardedFromShape(shape)
		}
		r.Command = text
		r.paths, err = path.Select(names)
		if err != nil {
			return nil, err
		}
	case "FuzzSession", "FuzzExposure":
		if p, ok := path.Lookup("exposure"); ok && targetOf(name) == "FuzzExposure" {
			r.paths = []path.Path{p}
		}
		r.Session = gen.SplitSession(text)
		if len(shape) > 0 {
			r.Session = gen.SessionFromShape(shape)
		}
	default:
		if len(shape) > 0 {
			text = gen.CommandFromShape(shape)
		}
		r.Command = text
	}
	return []replayed{r}, nil
}
