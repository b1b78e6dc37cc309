package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/argvdiff/argvdiff/fuzz/campaign"
	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/oracles/exposure"
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
)

// maxText bounds what is read as TEXT: far above what any kernel takes as one
// argument.
const maxText = 16 << 20

// A row is one line of run's JSON output.
type row struct {
	Shell    string            `json:"shell"`
	Path     string            `json:"path"`
	Verdict  oracles.Verdict   `json:"verdict"`
	Fate     string            `json:"fate"`
	Reason   string            `json:"reason"`
	Class    string            `json:"class,omitempty"`
	Known    *string           `json:"known"`
	Expected *wire.Observation `json:"expected"`
	Observed *wire.Observation `json:"observed"`
	Layers   []path.Layer      `json:"layers"`
	// Tool is what a tool that goes by its markers would have made of the line of
	// a session, where that is not the verdict same.
	Tool *naive `json:"tool,omitempty"`
	// Reading is what was read, on paths that read.
	Reading *finding.Reading `json:"reading,omitempty"`

	stderr    []byte
	signature finding.Signature // where the verdict is differs
}

func runRun(ctx context.Context, e *env, fs *flag.FlagSet, args []string) (int, error) {
	var s selection
	s.register(fs)
	payload := fs.Bool("payload", false, "TEXT is a payload that must arrive as one argument")
	explain := fs.Bool("explain", false, "show the text at every layer")
	asJSON := fs.Bool("json", false, "print one JSON object a line")
	var tool toolFlags
	tool.register(fs)
	if err := parse(fs, args); err != nil {
		return exitFailed, err
	}
	if err := tool.check(fs); err != nil {
		return exitFailed, err
	}
	texts, err := readTexts(e, fs)
	if err != nil {
		return exitFailed, err
	}
	if tool.platform != "" {
		return runAsTheTool(ctx, e, &s, &tool, texts, *asJSON)
	}
	c := oracles.Case{Command: texts[0]}
	switch {
	case *payload:
		c = oracles.Case{Payloads: texts}
	case len(texts) > 1:
		c = oracles.Case{Session: texts}
	}
	paths, err := s.selectPaths()
	if err != nil {
		return exitFailed, err
	}
	if s.paths == "" {
		paths = slices.DeleteFunc(paths, func(p path.Path) bool { return !p.Carries(c.Kind()) })
	}
	if slices.ContainsFunc(paths, func(p path.Path) bool { return p.Reading != nil }) && c.Command == nil {
		paths = slices.DeleteFunc(paths, func(p path.Path) bool { return p.Reading != nil })
		if len(paths) == 0 {
			return exitFailed, usagef("run: the paths read one command: give one TEXT, and no --payload")
		}
	}
	kind := s.kind(e.stderr)
	shells, broken, err := s.selectShells(ctx, kind)
	if err != nil {
		return exitFailed, err
	}
	notRun(e.stderr, broken)
	var rows []row
	for _, shell := range shells {
		more, err := carry(ctx, kind, shell, paths, c)
		if err != nil {
			return exitFailed, err
		}
		rows = append(rows, more...)
	}
	if !slices.ContainsFunc(shells, func(s home.Shell) bool { return oracles.Foretells(s.Version) }) {
		rows = append(rows, predicted(paths, c)...)
	}
	if *asJSON {
		for _, r := range rows {
			if err := json.NewEncoder(e.stdout).Encode(r); err != nil {
				return exitFailed, err
			}
		}
	} else if err := table(e.stdout, rows, *explain); err != nil {
		return exitFailed, err
	}
	return verdictCode(rows)
}

// notRun tells of the shells that were found and failed their self-check.
func notRun(w io.Writer, broken []home.Candidate) {
	for _, b := range broken {
		fmt.Fprintf(w, "argvdiff: not run on %s (%s): %s\n", b.ID, b.Where(), b.Reason)
	}
}

// readTexts returns each TEXT, from the command line or from standard input.
func readTexts(e *env, fs *flag.FlagSet) ([][]byte, error) {
	if fs.NArg() == 0 {
		return nil, usagef("%s takes a TEXT, or - for standard input, behind its flags", fs.Name())
	}
	var texts [][]byte
	fromInput := false
	for i, arg := range fs.Args() {
		if arg == "-" && fromInput {
			return nil, usagef("%s reads one TEXT from standard input, but - stands there twice", fs.Name())
		}
		fromInput = fromInput || arg == "-"
		name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if i > 0 && strings.HasPrefix(arg, "-") && fs.Lookup(name) != nil {
			return nil, usagef("%s stands behind TEXT: flags come before it", arg)
		}
		text, err := readText(e, arg)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

func readText(e *env, arg string) ([]byte, error) {
	text := []byte(arg)
	if arg == "-" {
		var err error
		if text, err = io.ReadAll(io.LimitReader(e.stdin, maxText+1)); err != nil {
			return nil, fmt.Errorf("reading TEXT from standard input: %w", err)
		}
		if len(text) > maxText {
			return nil, usagef("TEXT on standard input is longer than %d bytes", maxText)
		}
	}
	if i := bytes.IndexByte(text, 0); i >= 0 {
		return nil, usagef("TEXT holds a NUL byte, at offset %d: no argument can hold one; take it out", i)
	}
	return text, nil
}

// carry runs the case on all paths in one shell.
func carry(ctx context.Context, kind home.Kind, shell home.Shell, paths []path.Path, c oracles.Case) ([]row, error) {
	h, err := kind.Open(ctx, shell)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	acting := home.NewLazy(kind, shell.Acting())
	defer acting.Close()
	judge := &oracles.Judge{Home: h, Shell: shell, Acting: acting.Open}
	outcomes, err := judge.Check(ctx, paths, c)
	if err != nil {
		return nil, err
	}
	rows := make([]row, len(outcomes))
	var differing []path.Path
	var seen []finding.Signature
	for i, o := range outcomes {
		rows[i] = row{
			Shell: shell.ID, Path: o.Path.Name, Verdict: o.Verdict, Fate: o.Fate(), Reason: o.Reason, Class: o.Class,
			Expected: o.Expected, Observed: o.Observed, Layers: append([]path.Layer{}, o.Layers...), stderr: o.Stderr, Reading: o.Reading,
		}
		if o.Verdict == oracles.Differs {
			rows[i].signature, rows[i].Tool = oracles.Sign(c, o), naiveOf(o)
			differing, seen = append(differing, o.Path), append(seen, rows[i].signature)
		}
	}
	known, err := campaign.Find(ctx, judge, differing, seen)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		if name, ok := known[rows[i].signature]; ok {
			rows[i].Known = &name
		}
	}
	return rows, nil
}

// A naive is what a tool sees of a line.
type naive struct {
	Seen   []byte `json:"seen"`
	WaitMS int64  `json:"wait_ms"`
	Reset  bool   `json:"reset"`
	// Again says that something has run, so that a retry runs it twice.
	Again bool `json:"again"`
	// Asks says what a key would have to be pressed for, or is "".
	Asks string `json:"asks,omitempty"`
}

func naiveOf(o oracles.Outcome) *naive {
	n, ok := o.Naive()
	if !ok {
		return nil
	}
	return &naive{[]byte(n.Seen), n.Waits.Milliseconds(), n.Reset, len(o.Observed.Records) > 0, oracles.Waits(*o.Typed)}
}

// String says it in one line.
func (n naive) String() string {
	s := fmt.Sprintf("waits %.1f s and gets %s", float64(n.WaitMS)/1000, finding.Quote(n.Seen))
	if n.Asks != "" {
		s += "; " + n.Asks
	}
	if n.Reset {
		s += "; its shell is lost"
		if n.Again {
			s += ", and a retry runs again what has run"
		}
	}
	return s
}

// predictedVerdict is said of a shell that is not there.
const predictedVerdict oracles.Verdict = "predicted"

// predicted says what bash 3.2 would make of the case on paths to interactive
// shells, where none of that version is there.
func predicted(paths []path.Path, c oracles.Case) []row {
	var rows []row
	for _, p := range paths {
		for _, e := range oracles.Predict(p, c) {
			if e.Fate == exposure.Untouched {
				continue
			}
			rows = append(rows, row{
				Shell: "bash-3.2", Path: p.Name, Verdict: predictedVerdict, Fate: string(e.Fate), Layers: []path.Layer{},
				Reason: fmt.Sprintf("command %d would be %s: history expansion at %s (no bash 3.2 is here, so nothing was observed)", e.Line+1, e.Fate, finding.Quote([]byte(e.Event))),
			})
			break
		}
	}
	return rows
}

// verdictCode returns the exit code for what the rows say.
func verdictCode(rows []row) (int, error) {
	code := exitNothing
	ran := false
	refused := ""
	for _, r := range rows {
		switch r.Verdict {
		case oracles.Differs:
			if r.Known == nil {
				code = exitFound
			}
			ran = true
		case oracles.Same:
			ran = true
		case predictedVerdict:
		default:
			refused = fmt.Sprintf("%s on %s: %s", r.Path, r.Shell, r.Reason)
		}
	}
	if !ran {
		return exitFailed, fmt.Errorf("nothing could be compared: %s", refused)
	}
	return code, nil
}

// table prints the rows for people: those on which shells agree as one.
func table(w io.Writer, rows []row, explain bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "PATH\tSHELL\tVERDICT")
	for _, g := range agreeing(rows, row.line) {
		fmt.Fprintf(t, "%s\t%s\t%s\n", g.path, g.shells(), strings.TrimRight(g.text, " "))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	detail := func(r row) string { return r.detail(explain) }
	for _, g := range agreeing(rows, detail) {
		if g.text == "" {
			continue
		}
		if _, err := fmt.Fprintf(w, "\n%s on %s:\n%s", g.path, g.shells(), g.text); err != nil {
			return err
		}
	}
	return nil
}

// line is what the table says of the row, besides path and shell.
func (r row) line() string {
	note := r.Reason
	if r.Class != "" {
		note = r.Class + ": " + r.Reason
	}
	if r.Known != nil {
		note = "known fault " + *r.Known
	}
	return fmt.Sprintf("%-8s %s", r.Verdict, note)
}

// detail is what is shown below the table.
func (r row) detail(explain bool) string {
	var b strings.Builder
	if r.Verdict == oracles.Differs {
		b.WriteString(finding.Diff(*r.Expected, *r.Observed))
		if len(r.stderr) > 0 {
			fmt.Fprintf(&b, "  errors    %s\n", finding.Quote(bytes.TrimRight(r.stderr, "\n")))
		}
	}
	if r.Tool != nil {
		fmt.Fprintf(&b, "  a tool    %s\n", r.Tool)
	}
	if explain {
		for _, l := range r.Layers {
			fmt.Fprintf(&b, "  %-9s %s\n", l.Name, finding.Quote(l.Text))
		}
	}
	return b.String()
}

// A group is a path with the shells on which the same is said of it.
type group struct {
	path, text string
	ids        []string
	all        bool // every shell that was asked
}

func (g group) shells() string {
	if g.all && len(g.ids) > 1 {
		return fmt.Sprintf("all %d", len(g.ids))
	}
	return strings.Join(g.ids, " ")
}

// agreeing puts together the rows of one path of which the same is said, in the
// order of the paths.
func agreeing(rows []row, say func(row) string) []group {
	var order []string
	of := make(map[string][]row)
	for _, r := range rows {
		if of[r.Path] == nil {
			order = append(order, r.Path)
		}
		of[r.Path] = append(of[r.Path], r)
	}
	var groups []group
	for _, p := range order {
		first := len(groups)
		for _, r := range of[p] {
			text := say(r)
			at := slices.IndexFunc(groups[first:], func(g group) bool { return g.text == text })
			if at < 0 {
				groups = append(groups, group{path: p, text: text})
				at = len(groups) - 1 - first
			}
			groups[first+at].ids = append(groups[first+at].ids, r.Shell)
		}
		groups[first].all = len(groups) == first+1
	}
	return groups
}
