package home

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

// A Candidate is a shell that was found, with what became of it.
type Candidate struct {
	Shell
	// Reason is why the shell cannot be used; "" where it has proved itself.
	Reason string
}

// Survey finds all shells of this machine and lets each of them, and of the
// others given, prove itself in a home of the kind. Versions are asked inside,
// never of a file name. The error says that no shell at all could be tried.
func Survey(ctx context.Context, kind Kind, others ...Shell) ([]Candidate, error) {
	shells, err := Discover()
	if err != nil {
		return nil, err
	}
	if shells = append(shells, others...); len(shells) == 0 {
		return nil, fmt.Errorf("no bash found on PATH, in $%s or in %s: install one or name it there", ShellsVariable, installed)
	}
	all := make([]Candidate, len(shells))
	refused := make([]error, len(shells))
	turns := make(chan struct{}, 2*runtime.GOMAXPROCS(0)) // starting a container is waiting, mostly
	var every sync.WaitGroup
	for i, s := range shells {
		all[i].Shell = s
		every.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			refused[i] = all[i].try(ctx, kind)
		})
	}
	every.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := refused[0]; err != nil && !slices.Contains(refused, nil) {
		return nil, err // no home of that kind for any
	}
	seen := make(map[string]int)
	for i := range all {
		c := &all[i]
		version := c.Version
		if version == "" {
			version = "unknown"
		}
		c.ID = "bash-" + version
		if seen[c.ID+c.at()]++; seen[c.ID+c.at()] > 1 {
			c.ID = fmt.Sprintf("%s_%d", c.ID, seen[c.ID+c.at()])
		}
		c.ID += c.at()
	}
	return all, nil
}

// at is the end of an ID that tells where the shell is.
func (c *Candidate) at() string {
	if c.Image.Ref == "" {
		return ""
	}
	return "@" + c.Runtime.Name
}

// try lets the shell prove itself. The error says that there is no home of the
// kind.
func (c *Candidate) try(ctx context.Context, kind Kind) error {
	h, err := kind.Open(ctx, c.Shell)
	if err == nil {
		c.Version, err = prove(ctx, h)
		h.Close()
	}
	if err != nil {
		c.Reason = err.Error()
	}
	var none *Unavailable
	if errors.As(err, &none) {
		return err
	}
	return nil
}

// A check is one thing that a shell must do right before any verdict rests on
// it. Builds without care of old versions fail some of them.
type check struct {
	what    string
	request wire.Request
	want    wire.Observation
}

func command(text string, args ...string) wire.Request {
	argv := [][]byte{[]byte("bash"), []byte("-c"), []byte(text)}
	for _, a := range args {
		argv = append(argv, []byte(a))
	}
	return wire.Request{Argv: argv}
}

func prints(text string) wire.Observation {
	return wire.Observation{Records: []wire.Record{}, Stdout: []byte(text)}
}

func record(stdin string, argv ...string) wire.Record {
	r := wire.Record{Stdin: []byte(stdin)}
	for _, a := range argv {
		r.Argv = append(r.Argv, []byte(a))
	}
	return r
}

var checks = []check{
	{"printf with %s and %q", command(`printf '%s|%q|%d\n' 'a b' 'x y' 5`), prints("a b|x\\ y|5\n")},
	{"the argv of a child", command(`probe a 'b c' '' "$1"`, "bash", "\x01!\xff"), wire.Observation{
		Records: []wire.Record{record("", "probe", "a", "b c", "", "\x01!\xff")},
	}},
	{"a here-document", command("probe <<'E'\n$x \\ !\nE\n"), wire.Observation{
		Records: []wire.Record{record("$x \\ !\n", "probe")},
	}},
	{"one character of two bytes in UTF-8", command("x='\xc3\xa9'; echo ${#x}"), prints("1\n")},
	{"the exit status", command("(exit 3)"), wire.Observation{Status: 3}},
	{"a pipeline", command("echo x | probe"), wire.Observation{Records: []wire.Record{record("x\n", "probe")}}},
}

// prove runs the checks, the last one interactive, and asks for the version.
func prove(ctx context.Context, h Home) (version string, err error) {
	const ask = `printf %s "${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}.${BASH_VERSINFO[2]}"`
	requests := []wire.Request{command(ask)}
	for _, c := range checks {
		requests = append(requests, c.request)
	}
	requests = append(requests, interactive)
	results, err := h.Run(ctx, requests...)
	if err != nil {
		return "", err
	}
	version = string(results[0].Stdout)
	if strings.Count(version, ".") != 2 {
		return "", fmt.Errorf("it is no bash: asked for its version, it said %.40q", version)
	}
	for i, c := range checks {
		if got := results[i+1].Observation; !got.Equal(c.want) {
			return version, fmt.Errorf("%s is wrong: %s", c.what, describe(results[i+1]))
		}
	}
	last := results[len(results)-1]
	if !strings.Contains(string(last.Stdout), "<42>") || last.Ended != wire.Itself || last.Status != 7 {
		return version, fmt.Errorf("-i on a terminal is wrong: %s", describe(last))
	}
	return version, nil
}

// interactive types two lines into an interactive shell.
var interactive = wire.Request{
	Argv:  [][]byte{[]byte("bash"), []byte("--noprofile"), []byte("--norc"), []byte("-i")},
	Env:   [][]byte{[]byte("TERM=dumb"), []byte("HISTFILE=/dev/null"), []byte("INPUTRC=/dev/null")},
	Stdin: []byte("echo \"<$((6*7))>\"\nexit 7\n"),
	PTY:   true,
}

func describe(r wire.Result) string {
	s := fmt.Sprintf("%d records, output %.60q, status %d", len(r.Records), r.Stdout, r.Status)
	if r.Ended != wire.Itself {
		s += ", " + string(r.Ended)
	}
	if len(r.Stderr) > 0 {
		s += fmt.Sprintf(", errors %.80q", r.Stderr)
	}
	return s
}
