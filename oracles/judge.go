// Package oracles decides whether the bytes that a quoting path carries arrive:
// it runs a case on a path and on the path's reference, in one shell, and
// compares what was observed.
package oracles

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
	"github.com/argvdiff/argvdiff/targets/quote"
)

// A Verdict is what is said of one case on one path and shell.
type Verdict string

// The verdicts.
const (
	Same     Verdict = "same"
	Differs  Verdict = "differs"
	Refused  Verdict = "refused"  // a quoter of the path, or the kernel, declined the text
	Unstable Verdict = "unstable" // two runs of the same text differ, or the reference does not end
	NotRun   Verdict = "not-run"  // the shell cannot do what the path needs
)

// A Case is what is carried: a command, or else a list of payloads, or else a
// session, which is commands that are sent to one shell.
type Case struct {
	Command  []byte
	Payloads [][]byte
	Session  [][]byte
}

// NewCase returns the case of a kind with that input, of which a command has one
// element.
func NewCase(kind string, input [][]byte) Case {
	switch kind {
	case finding.Session, finding.Predictor:
		return Case{Session: input}
	case finding.Payload:
		return Case{Payloads: input}
	}
	return Case{Command: input[0]}
}

// Kind returns "command", "payload" or "session".
func (c Case) Kind() string {
	switch {
	case c.Session != nil:
		return finding.Session
	case c.Payloads != nil:
		return finding.Payload
	}
	return finding.Command
}

// Clone returns the case in memory of its own.
func (c Case) Clone() Case {
	return NewCase(c.Kind(), c.Input())
}

// Input returns the byte strings of the case, none of them nil.
func (c Case) Input() [][]byte {
	from := [][]byte{c.Command}
	switch {
	case c.Session != nil:
		from = c.Session
	case c.Payloads != nil:
		from = c.Payloads
	}
	list := make([][]byte, len(from))
	for i, b := range from {
		list[i] = append([]byte{}, b...)
	}
	return list
}

// An Outcome is a verdict with its evidence. What was not observed is nil.
type Outcome struct {
	Path    path.Path
	Verdict Verdict
	// Class is the name of the documented difference between path and
	// reference that explains a Same verdict on different observations.
	Class string
	// Reason says why the verdict is neither Same nor Differs, or explains the
	// class.
	Reason   string
	Expected *wire.Observation
	Observed *wire.Observation
	Layers   []path.Layer
	// Stderr is the beginning of what the path's run wrote there.
	Stderr []byte
	// Line is the index of the command of a session that the verdict is about,
	// and Typed what its line has shown; nil on other paths.
	Line  int
	Typed *wire.Typed
	// Reading is what was read, and what is true; nil on paths that carry.
	Reading *finding.Reading

	id string // in the markers of that line
}

// A Judge checks cases in one home.
type Judge struct {
	Home  home.Home
	Shell home.Shell
	// Runs counts the runs of the shell.
	Runs int
	// Meaning is the time that was spent to learn what the commands of sessions
	// mean, outside of their paths.
	Meaning time.Duration

	// Acting opens a home in which programs act, for guards. It may be nil where
	// there are no such paths.
	Acting func(context.Context) (home.Home, error)

	locales map[string]bool // whether the shell knows them

	meant map[string]wire.Result // what references have shown, by all that they run with
}

func (j *Judge) site() path.Site {
	temp := j.Home.Layout().Temp
	return path.Site{Shell: "bash", CwdFile: temp + "/cwd", LineFile: temp + "/line"}
}

// A plan is one path of a case on its way to a verdict.
type plan struct {
	path    path.Path
	text    int // index of the run of the path, -1 if none
	expects int // index of the run of the reference, -1 for the payloads
	outcome Outcome
}

// A batch collects the runs of a case; equal texts run once.
type batch struct {
	requests []wire.Request
}

func (b *batch) add(d path.Delivery) int {
	for i, r := range b.requests {
		if slices.EqualFunc(r.Argv, d.Argv, bytes.Equal) && bytes.Equal(r.Stdin, d.Stdin) {
			return i
		}
	}
	b.requests = append(b.requests, wire.Request{Argv: d.Argv, Stdin: d.Stdin})
	return len(b.requests) - 1
}

// same adds a request once more.
func (b *batch) same(r wire.Request) int { return b.add(path.Delivery{Argv: r.Argv, Stdin: r.Stdin}) }

// Check returns the outcome of the case on each of the paths. What differs has
// differed in two runs. An error is a fault of the home.
func (j *Judge) Check(ctx context.Context, paths []path.Path, c Case) ([]Outcome, error) {
	return j.check(ctx, paths, c, func(Outcome) bool { return true })
}

// Glance is Check on one path without the second run, for searches whose result
// is confirmed at their end.
//
// Of a line of which nothing has run it does not ask what its command means.
func (j *Judge) Glance(ctx context.Context, p path.Path, c Case) (Outcome, error) {
	if p.TakesSessions() {
		return j.checkSession(ctx, p, c, true, nil)
	}
	outcomes, err := j.check(ctx, []path.Path{p}, c, func(Outcome) bool { return false })
	if err != nil {
		return Outcome{}, err
	}
	return outcomes[0], nil
}

// check runs the case on the paths. Where an outcome differs it asks confirm
// whether that needs the second run.
func (j *Judge) check(ctx context.Context, paths []path.Path, c Case, confirm func(Outcome) bool) ([]Outcome, error) {
	plans := make([]plan, len(paths))
	var b batch
	for i, p := range paths {
		plans[i] = plan{path: p, text: -1, expects: -1}
		plans[i].outcome.Path = p
		if p.TakesSessions() || p.Reading != nil {
			continue
		}
		if err := j.prepare(ctx, &plans[i], &b, c); err != nil {
			return nil, err
		}
	}
	first, err := j.runBatch(ctx, b, plans)
	if err != nil {
		return nil, err
	}
	var again batch
	type pair struct{ text, expects int }
	repeats := make(map[int]pair)
	for i := range plans {
		p := &plans[i]
		if p.text < 0 || !p.judge(first, c, j.Shell) || !confirm(p.outcome) {
			continue
		}
		// Different, or not to be trusted: once more, with the reference.
		r := pair{again.same(b.requests[p.text]), -1}
		if p.expects >= 0 {
			r.expects = again.same(b.requests[p.expects])
		}
		repeats[i] = r
	}
	if len(repeats) > 0 {
		second, err := j.run(ctx, again.requests)
		if err != nil {
			return nil, err
		}
		for i, r := range repeats {
			p := &plans[i]
			if !p.seen(second[r.text]).Equal(p.seen(first[p.text]).Observation) {
				p.outcome.Verdict, p.outcome.Reason = Unstable, "two runs of the path differ"
			} else if r.expects >= 0 && !second[r.expects].Equal(first[p.expects].Observation) {
				p.outcome.Verdict, p.outcome.Reason = Unstable, "two runs of the reference differ"
			}
		}
	}
	outcomes := make([]Outcome, len(plans))
	for i := range plans {
		outcomes[i] = plans[i].outcome
		if paths[i].Reading != nil {
			outcomes[i] = Outcome{Path: paths[i]}
		}
		if paths[i].TakesSessions() {
			if outcomes[i], err = j.checkSession(ctx, paths[i], c, false, confirm); err != nil {
				return nil, err
			}
		}
	}
	_, err = j.read(ctx, outcomes, c, confirm)
	return outcomes, err
}

// runBatch runs the requests. The reference comes first, the untouched command if
// it is one: where that does not come to an end by itself nothing is learned from
// what is compared with it, which would cost as much time again on each path.
func (j *Judge) runBatch(ctx context.Context, b batch, plans []plan) ([]wire.Result, error) {
	root := -1
	for _, p := range plans {
		if p.expects >= 0 && (root < 0 || p.path.Reference == path.Untouched) {
			root = p.expects
		}
	}
	if root < 0 || len(b.requests) == 1 {
		return j.run(ctx, b.requests)
	}
	head, err := j.run(ctx, b.requests[root:root+1])
	if err != nil {
		return nil, err
	}
	results := make([]wire.Result, len(b.requests))
	results[root] = head[0]
	var left []int
	for i := range b.requests {
		// A chain of references begins with the untouched command.
		needed := head[0].Ended == wire.Itself || slices.ContainsFunc(plans, func(p plan) bool {
			return p.expects < 0 && p.text == i
		})
		switch {
		case i == root:
		case needed:
			left = append(left, i)
		default:
			results[i] = head[0]
		}
	}
	requests := make([]wire.Request, len(left))
	for n, i := range left {
		requests[n] = b.requests[i]
	}
	rest, err := j.run(ctx, requests)
	if err != nil {
		return nil, err
	}
	for n, i := range left {
		results[i] = rest[n]
	}
	return results, nil
}

// Deliver returns the delivery of the case on a path in this home. For a quoter
// of the shell itself it runs the shell.
func (j *Judge) Deliver(ctx context.Context, p path.Path, c Case, site path.Site) (path.Delivery, error) {
	if c.Session != nil {
		return path.Delivery{}, fmt.Errorf("%w: the path carries no sessions", errNotRun)
	}
	if c.Payloads == nil {
		if !p.TakesCommands() {
			return path.Delivery{}, fmt.Errorf("%w: the path carries payloads, not commands", errNotRun)
		}
		return p.Deliver(c.Command, site)
	}
	var words [][]byte
	if p.InShell != nil {
		var err error
		if words, err = j.ask(ctx, p.InShell, c.Payloads); err != nil {
			return path.Delivery{}, err
		}
	}
	return p.DeliverPayloads(c.Payloads, words, site)
}

var errNotRun = errors.New("not run")

// ask lets the shell under test quote the payloads.
func (j *Judge) ask(ctx context.Context, q *quote.InShell, payloads [][]byte) ([][]byte, error) {
	if q.Since() != "" && Older(j.Shell.Version, q.Since()) {
		return nil, fmt.Errorf("%w: it needs bash %s or later", errNotRun, q.Since())
	}
	argv := append([][]byte{[]byte("bash"), []byte("-c"), []byte(q.Script()), []byte("bash")}, payloads...)
	results, err := j.run(ctx, []wire.Request{{Argv: argv, Limits: manyLimits(len(payloads))}})
	if err != nil {
		return nil, err
	}
	r := results[0]
	if r.Refused != "" {
		return nil, fmt.Errorf("%w: %s", quote.ErrRefused, r.Refused)
	}
	words := bytes.Split(r.Stdout, []byte{0})
	if r.Status != 0 || r.Ended != wire.Itself || len(words) != len(payloads)+1 {
		return nil, fmt.Errorf("%w: the shell's quoter ended with status %d and %d words", quote.ErrRefused, r.Status, len(words)-1)
	}
	return words[:len(payloads)], nil
}

// manyLimits bounds a run that has that many cases to do.
func manyLimits(n int) wire.Limits {
	if n < 100 {
		return wire.Limits{}
	}
	return wire.Limits{CPU: wire.DefaultCPU + time.Duration(n)*wire.DefaultCPU/500}
}

func (j *Judge) run(ctx context.Context, requests []wire.Request) ([]wire.Result, error) {
	if len(requests) == 0 {
		return nil, nil
	}
	j.Runs += len(requests)
	return j.Home.Run(ctx, requests...)
}

// prepare plans the runs of the path and of its reference, or settles the
// outcome where there is nothing to run.
func (j *Judge) prepare(ctx context.Context, p *plan, b *batch, c Case) error {
	var fault *home.Fault
	settle := func(err error) error {
		switch {
		case errors.As(err, &fault), ctx.Err() != nil:
			return err
		case errors.Is(err, quote.ErrRefused):
			p.outcome.Verdict = Refused
		default:
			p.outcome.Verdict = NotRun
		}
		// The verdict says already what these begin with.
		p.outcome.Reason = strings.TrimPrefix(strings.TrimPrefix(err.Error(), quote.ErrRefused.Error()+": "), errNotRun.Error()+": ")
		return nil
	}
	d, err := j.Deliver(ctx, p.path, c, j.site())
	p.outcome.Layers = d.Layers
	if err != nil {
		return settle(err)
	}
	if c.Payloads == nil || (p.path.Reference != path.Payload && p.path.Reference != p.path.Name) {
		r, ok := path.Lookup(p.path.Reference)
		if !ok {
			return fmt.Errorf("the path %s has the unknown reference %q", p.path.Name, p.path.Reference)
		}
		ref, err := j.Deliver(ctx, r, c, j.site())
		if err != nil {
			return settle(err)
		}
		p.expects = b.add(ref)
	}
	p.text = b.add(d)
	return nil
}

// seen is what a run of the path has shown, without the path's own markers.
func (p *plan) seen(r wire.Result) wire.Result {
	if p.path.Interactive && r.Refused == "" {
		r.Observation = readLine(r)
	}
	return r
}

// judge compares the first runs and fills in the outcome. It reports whether
// the runs must be repeated.
func (p *plan) judge(first []wire.Result, c Case, shell home.Shell) (again bool) {
	o := &p.outcome
	got := p.seen(first[p.text])
	o.Observed, o.Stderr = &got.Observation, got.Stderr
	if p.path.Interactive {
		o.Stderr = tidy(got.Stderr)
	}
	if got.Refused != "" {
		o.Verdict, o.Observed = Refused, nil
		o.Reason = fmt.Sprintf("the kernel declined a text of %d bytes: %s", len(o.Layers[len(o.Layers)-1].Text), got.Refused)
		return false
	}
	want := arrival(c)
	if p.expects >= 0 {
		ref := first[p.expects]
		if ref.Refused != "" {
			o.Verdict, o.Observed = Refused, nil
			o.Reason = "the kernel declined the reference: " + ref.Refused
			return false
		}
		want = ref.Observation
	}
	o.Expected = &want
	switch {
	case want.Ended != wire.Itself:
		o.Verdict, o.Reason = Unstable, endless(want.Ended)
		return false
	case want.Equal(got.Observation):
		o.Verdict = Same
		return false
	}
	if class, ok := explain(p.path, shell, c, want, got); ok {
		o.Verdict, o.Class, o.Reason = Same, class.Name, class.Reason
		return false
	}
	o.Verdict = Differs
	return true
}

// endless says of a reference why nothing can be learned from it.
func endless(why wire.Ended) string { return "the reference does not end by itself: " + string(why) }

// arrival is what must be observed where payloads arrive untouched.
func arrival(c Case) wire.Observation {
	argv := append([][]byte{[]byte("probe")}, c.Payloads...)
	return wire.Observation{Records: []wire.Record{{Argv: argv, Stdin: []byte{}}}, Stdout: []byte{}}
}

// Fate names the fate of a path's text, for an outcome that was observed.
func (o Outcome) Fate() string {
	if o.Observed == nil {
		return ""
	}
	return finding.FateOf(*o.Observed)
}
