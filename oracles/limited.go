package oracles

import (
	"context"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/argvdiff/argvdiff/oracles/blame"
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/targets/guard"
	quoting "github.com/argvdiff/argvdiff/targets/path"
)

// Limit is the class of what the control is wrong about since nobody can know it who
// only reads: see guard.Limits.
const Limit = "limit-of-reading"

// limited looks at what the control is wrong about. It is set aside where the control
// is right as soon as what no reader can know is taken out of the command, or where
// the parser takes what the shell does not, or the other way round.
func (j *Judge) limited(ctx context.Context, p quoting.Path, command string, o *Outcome, s *Shown) error {
	if p.Reading.Oracle != quoting.Executed || p.Reading.Guard.Name != guard.Repaired || o.Verdict != Differs {
		return nil
	}
	if _, err := syntax.NewParser().Parse(strings.NewReader(command), ""); s.Refused != (err != nil) {
		o.limit("parser")
		return nil
	}
	names, texts := blame.Limited(command)
	shown, err := j.show(ctx, texts, func(i int, s *Shown) bool { return unexplained([]quoting.Path{p}, texts[i], s) })
	if err != nil {
		return err
	}
	for i, s := range shown {
		if o2 := judged(p, texts[i], s); o2.Reading.Class == finding.Agree {
			o.limit(names[i])
			return nil
		}
	}
	return nil
}

func (o *Outcome) limit(name string) {
	o.Verdict, o.Class, o.Reason = Same, Limit, name
	o.Reading.Cause = name
}
