package oracles

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/wire"
	quoting "github.com/argvdiff/argvdiff/targets/path"
)

// parsed fills in the outcomes of whether the parser takes commands, against bash -n.
func (j *Judge) parsed(ctx context.Context, p quoting.Path, commands []string, all [][]Outcome, n int) error {
	requests := make([]wire.Request, len(commands))
	for i, c := range commands {
		requests[i] = wire.Request{Argv: [][]byte{[]byte("bash"), []byte("-n"), []byte("-c"), []byte(c)}}
	}
	results, err := j.run(ctx, requests)
	if err != nil {
		return err
	}
	for i, res := range results {
		_, err := syntax.NewParser().Parse(strings.NewReader(commands[i]), "")
		r := finding.Reading{Guard: p.Name, Verdict: "as bash", Class: finding.Agree, Truth: finding.Undecided}
		takes := res.Status == 0 && !bytes.Contains(res.Stderr, []byte("syntax error"))
		switch {
		case res.Refused != "":
			all[i][n] = Outcome{Path: p, Verdict: Refused, Reason: res.Refused}
			continue
		case res.Ended != wire.Itself:
			all[i][n] = Outcome{Path: p, Verdict: Unstable, Reason: endless(res.Ended)}
			continue
		case takes && err != nil:
			r.Verdict, r.Class, r.Cause = "the parser refuses what bash takes", finding.Differ, complaint(err)
		case !takes && err == nil:
			r.Verdict, r.Class, r.Cause = "the parser takes what bash refuses", finding.Differ, shellComplaint(res.Stderr)
		}
		all[i][n] = reading(p, r, wire.Observation{Stdout: res.Stderr, Status: res.Status})
	}
	return nil
}

// complaint is what the parser says, without where.
func complaint(err error) string {
	var parse syntax.ParseError
	var lang syntax.LangError
	switch {
	case errors.As(err, &parse):
		return parse.Text
	case errors.As(err, &lang):
		return lang.Feature
	}
	return err.Error()
}

var (
	located   = regexp.MustCompile(`^.*line \d+: `)
	openQuote = regexp.MustCompile(`unexpected EOF while looking for matching .`)
)

// shellComplaint is the first line of what bash says, without where.
func shellComplaint(stderr []byte) string {
	line, _, _ := bytes.Cut(stderr, []byte("\n"))
	line = located.ReplaceAll(line, nil)
	if open := openQuote.Find(line); open != nil {
		line = open
	}
	return strings.ToValidUTF8(strings.TrimSpace(string(line)), "?")
}
