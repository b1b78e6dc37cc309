package oracles

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/group"
	"github.com/argvdiff/argvdiff/oracles/probe"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
	"github.com/argvdiff/argvdiff/targets/pty"
)

// LineLimits bound one line of a session: the worst that a line may cost is a
// second.
var LineLimits = wire.Limits{CPU: 100 * time.Millisecond, Quiet: 100 * time.Millisecond, Wall: time.Second}

// lines returns the commands of a case for a path that takes sessions.
func (c Case) lines() [][]byte {
	switch {
	case c.Session != nil:
		return c.Session
	case c.Payloads != nil:
		return [][]byte{path.PayloadCommand(c.Payloads)}
	}
	return [][]byte{c.Command}
}

// typing returns the request for sessions on the path, without the sessions.
func (j *Judge) typing(p path.Path) wire.Typing {
	return wire.Typing{
		Argv: list(p.Terminal.Argv()...), Env: j.terminalEnv(p), Rows: pty.Rows, Columns: pty.Columns,
		Prompt: []byte(pty.Prompt), Begin: list(p.Terminal.Begin()), Limits: LineLimits,
	}
}

func (j *Judge) terminalEnv(p path.Path) [][]byte {
	return list(append(p.Terminal.Environ(), "PATH="+j.Home.Layout().Terminal)...)
}

func list(words ...string) [][]byte {
	l := make([][]byte, len(words))
	for i, w := range words {
		l[i] = []byte(w)
	}
	return l
}

// lineID returns the id in the markers of a line. It has the form of that which
// the modelled tool takes at random.
func lineID(n int) string { return fmt.Sprintf("%08x-0000-4000-8000-000000000000", n) }

// A line is one command of a session in one home.
type line struct {
	path.Line
	id string
}

func (l line) wire() wire.Line { return wire.Line{Text: l.Text, File: l.File, Data: l.Data} }

// session returns the lines of a case on the path. Ids count from first. Where
// apart is true the last command runs in a subshell.
func (j *Judge) session(p path.Path, c Case, first int, apart bool) (s wire.Session, lines []line) {
	commands := c.lines()
	for i, command := range commands {
		id := lineID(first + i)
		l := line{p.Type(command, id, apart && i == len(commands)-1, j.site()), id}
		lines = append(lines, l)
		s.Lines = append(s.Lines, l.wire())
	}
	return s, lines
}

// knowsLocale reports whether a locale that a path names is there: bash goes on in
// the C locale without a word where it is not.
func (j *Judge) knowsLocale(ctx context.Context, p path.Path) (bool, error) {
	name := p.Terminal.Locale
	switch name {
	case "", "C", "C.UTF-8", "POSIX":
		return true, nil
	}
	if known, ok := j.locales[name]; ok {
		return known, nil
	}
	results, err := j.run(ctx, []wire.Request{{Argv: list("bash", "-c", "LC_ALL="+string(group.Quoted([]byte(name)))+"; :")}})
	if err != nil {
		return false, err
	}
	if j.locales == nil {
		j.locales = make(map[string]bool)
	}
	j.locales[name] = !bytes.Contains(results[0].Stderr, []byte("cannot change locale"))
	return j.locales[name], nil
}

// withoutTerminal is why a home cannot take sessions.
const withoutTerminal = "this home has no programs for terminals: make its image anew"

// checkSession returns the outcome of a case on a path that takes sessions, each
// in a shell of its own. What differs has differed twice if confirm says so; at a
// glance it has differed once.
func (j *Judge) checkSession(ctx context.Context, p path.Path, c Case, glance bool, confirm func(Outcome) bool) (Outcome, error) {
	o := Outcome{Path: p}
	if j.Home.Layout().Terminal == "" {
		o.Verdict, o.Reason = NotRun, withoutTerminal
		return o, nil
	}
	for i, command := range c.lines() {
		if bytes.IndexByte(command, 0) >= 0 || len(bytes.TrimSpace(command)) == 0 {
			o.Verdict, o.Reason = Refused, fmt.Sprintf("command %d is blank, or holds a NUL: the tool sends nothing then", i+1)
			return o, nil
		}
	}
	if ok, err := j.knowsLocale(ctx, p); err != nil || !ok {
		o.Verdict, o.Reason = NotRun, "the shell does not know the locale "+p.Terminal.Locale
		return o, err
	}
	typed, lines, err := j.type1(ctx, p, c, &o)
	if err != nil || o.Verdict != "" {
		return o, err
	}
	if p.Reference == path.Prediction {
		return j.confirmPrediction(ctx, p, c, lines, typed, glance, confirm)
	}
	if at := len(typed) - 1; glance && at >= 0 {
		// The meaning of earlier commands is left to a run that is no glance.
		if got := readTyped(typed[at], lines[at].id); got.Fate == wire.Discarded || got.Fate == wire.Continued {
			o.Verdict, o.Line, o.Typed, o.Layers, o.id = Differs, at, &typed[at], lines[at].Layers, lines[at].id
			o.Expected, o.Observed = &wire.Observation{}, &got
			return o, nil
		}
	}
	references, err := j.recall(ctx, j.references(p, c))
	if err != nil {
		return o, err
	}
	o = j.judgeSession(p, c, lines, typed, references)
	if o.Verdict != Differs || glance || !confirm(o) {
		return o, nil
	}
	again, _, err := j.type1(ctx, p, c, &o)
	if err != nil || o.Verdict != Differs {
		return o, err
	}
	second, err := j.mean(ctx, j.references(p, c)[o.Line:o.Line+1])
	if err != nil {
		return o, err
	}
	repeat := j.judgeSession(p, c, lines, again, slices.Concat(references[:o.Line], second, references[o.Line+1:]))
	switch {
	case repeat.Verdict != o.Verdict || repeat.Line != o.Line || !repeat.Observed.Equal(*o.Observed):
		o.Verdict, o.Reason = Unstable, "two runs of the path differ"
	case o.Observed.Fate == wire.Discarded, o.Observed.Fate == wire.Continued: // whatever it means
	case !repeat.Expected.Equal(*o.Expected):
		o.Verdict, o.Reason = Unstable, "two runs of the reference differ"
	}
	return o, nil
}

// type1 types one session into a fresh shell. It settles the outcome where none
// can be had.
func (j *Judge) type1(ctx context.Context, p path.Path, c Case, o *Outcome) ([]wire.Typed, []line, error) {
	t := j.typing(p)
	s, lines := j.session(p, c, 0, false)
	s.Fresh = true
	t.Sessions = []wire.Session{s}
	j.Runs++
	script, err := j.Home.Type(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	if script.Refused != "" {
		o.Verdict, o.Reason = NotRun, script.Refused
		return nil, lines, nil
	}
	return script.Sessions[0], lines, nil
}

// mean runs references, and keeps the account of their time.
func (j *Judge) mean(ctx context.Context, requests []wire.Request) ([]wire.Result, error) {
	began := time.Now()
	defer func() { j.Meaning += time.Since(began) }()
	return j.run(ctx, requests)
}

// maxMeant bounds how many results of references are remembered.
const maxMeant = 256

// recall is mean for references that other paths have too: what was run for one of
// them lately is not run again.
func (j *Judge) recall(ctx context.Context, requests []wire.Request) ([]wire.Result, error) {
	results := make([]wire.Result, len(requests))
	var missing []wire.Request
	var at []int
	keys := make([]string, len(requests))
	for i, r := range requests {
		keys[i] = string(r.Encode())
		if known, ok := j.meant[keys[i]]; ok {
			results[i] = known
			continue
		}
		missing, at = append(missing, r), append(at, i)
	}
	fresh, err := j.mean(ctx, missing)
	if err != nil {
		return nil, err
	}
	if j.meant == nil || len(j.meant) > maxMeant {
		j.meant = make(map[string]wire.Result)
	}
	for n, i := range at {
		results[i] = fresh[n]
		j.meant[keys[i]] = fresh[n]
	}
	return results, nil
}

// references returns the run for each command of a session that says what it
// means: the command in a shell of its own, with the earlier ones before it there
// where they change anything.
func (j *Judge) references(p path.Path, c Case) []wire.Request {
	commands := c.lines()
	var requests []wire.Request
	sorter := group.NewSorter()
	var before []byte // what the earlier commands have changed
	for i, command := range commands {
		env := j.terminalEnv(p)
		text := command
		if before != nil {
			env = append(env, []byte(probe.Variable+"=1"))
			text = slices.Concat([]byte("shopt -s expand_aliases\n"), before, []byte(`\builtin echo `+behindMark+`; \builtin export `+probe.Variable+"="+strconv.Itoa(lastPart)+"\n"), command)
		}
		requests = append(requests, wire.Request{
			Argv: [][]byte{[]byte("/bin/bash"), []byte("-c"), text}, Env: env, PTY: true, Limits: wire.Limits{CPU: LineLimits.CPU},
		})
		if t := sorter.Trait(command); i < len(commands)-1 && (t.Manner != group.Line || len(t.Writes) > 0) {
			if killsItself.Match(command) {
				before = append(before, "trap '' TERM QUIT\n"...) // as an interactive shell has it
			}
			before = slices.Concat(before, []byte("eval "), group.Quoted(command), []byte("\n"))
		}
	}
	return requests
}

const (
	// behindMark stands in the output of a reference behind that of the earlier
	// commands, and lastPart is the number of the probes behind it.
	behindMark = ":argvdiff:earlier:"
	lastPart   = 2
)

// meant takes what a command of a session means from the run of its reference.
func meant(r wire.Result) wire.Result {
	if at := behindMarkAt(r.Stdout); at >= 0 {
		_, r.Stdout, _ = bytes.Cut(r.Stdout[at:], []byte("\n"))
		r.Records = slices.DeleteFunc(slices.Clone(r.Records), func(rec wire.Record) bool { return rec.Part != lastPart })
	}
	r.Stderr = r.Stdout // a terminal shows both
	r.Stdout = plain(written(r.Stdout))
	return r
}

// behindMarkAt returns the place of behindMark. Where the earlier commands have
// switched a trace on, the command that prints it stands there before.
func behindMarkAt(text []byte) int {
	for from := 0; ; from += len(behindMark) {
		at := bytes.Index(text[from:], []byte(behindMark))
		if at < 0 {
			return -1
		}
		if from += at; !bytes.HasSuffix(text[:from], []byte("echo ")) {
			return from
		}
	}
}

// judgeSession compares line by line, up to the first that differs.
func (j *Judge) judgeSession(p path.Path, c Case, lines []line, typed []wire.Typed, references []wire.Result) Outcome {
	o := Outcome{Path: p, Verdict: Same}
	for i := range typed {
		more := j.judgeLine(p, lines[i], Case{Command: c.lines()[i], Session: c.lines()[:i]}, typed[i], references[i])
		more.Line = i
		if o.Class != "" && more.Class == "" && more.Verdict == Same {
			more.Class, more.Reason = o.Class, o.Reason
		}
		o = more
		if o.Verdict != Same || o.Class == doesNotEnd {
			break // what is typed into a command that waits says nothing of the path
		}
	}
	if len(typed) == 0 {
		o.Verdict, o.Reason = Unstable, "nothing could be typed"
	}
	return o
}

// doesNotEnd is the class of a line whose command waits, or works, for good.
const doesNotEnd = "does-not-end"

// judgeLine compares one line with its reference. The case is its command, with
// the earlier ones as a session.
func (j *Judge) judgeLine(p path.Path, l line, c Case, typed wire.Typed, reference wire.Result) Outcome {
	o := Outcome{Path: p, Verdict: Same, Layers: l.Layers, Typed: &typed, id: l.id}
	want := meant(reference)
	got := wire.Result{Observation: readTyped(typed, l.id), Stderr: typed.Output}
	o.Expected, o.Observed, o.Stderr = &want.Observation, &got.Observation, nil
	switch {
	case reference.Refused != "":
		o.Verdict, o.Observed, o.Reason = Refused, nil, "the kernel declined the reference: "+reference.Refused
	case got.Fate == wire.Discarded, got.Fate == wire.Continued:
		// Whatever the command means: nothing of it was run.
		o.Verdict = Differs
	case want.Ended != wire.Itself:
		if got.Fate == wire.Alive || got.Fate == wire.MarkerLost && typed.Settled != wire.Prompted {
			o.Class, o.Reason = doesNotEnd, "the command itself does not come to an end, and a tool waits with it"
			break
		}
		o.Verdict, o.Reason = Unstable, endless(want.Ended)
	case want.Equal(got.Observation):
	default:
		if class, ok := explain(p, j.Shell, c, want.Observation, got); ok {
			o.Class, o.Reason = class.Name, class.Reason
			break
		}
		o.Verdict = Differs
		if got.Fate == "" {
			o.Observed.Fate = wire.Rewritten
		}
	}
	return o
}

// Script returns the reproduction of a finding of the case on the path.
func (j *Judge) Script(ctx context.Context, p path.Path, c Case, f finding.Finding, site path.Site) ([]byte, error) {
	if p.Reading != nil {
		return j.readingScript(ctx, p, c, f)
	}
	if !p.TakesSessions() {
		d, err := j.Deliver(ctx, p, c, site)
		return finding.Script(f, d), err
	}
	commands := c.lines()
	lines := make([]path.Line, len(commands))
	for i, command := range commands {
		lines[i] = p.Type(command, lineID(i), false, site)
	}
	return finding.SessionScript(f, *p.Terminal, lines, lineID(len(lines)-1)), nil
}
