package oracles

import (
	"context"
	"errors"

	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/oracles/words"
	quoting "github.com/argvdiff/argvdiff/targets/path"
	"github.com/argvdiff/argvdiff/targets/splitter"
)

// ExpandsNothing is the class of what splitters misread since they expand nothing, or
// take only lists of words: that is how they are meant.
const ExpandsNothing = "expands-nothing"

// split fills in the outcomes of what splitters make of texts, which stand behind the
// name of a probe.
func (j *Judge) split(ctx context.Context, paths []quoting.Path, texts []string, all [][]Outcome) error {
	requests := make([]wire.Request, len(texts))
	for i, t := range texts {
		requests[i] = wire.Request{Argv: [][]byte{[]byte("bash"), []byte("-c"), []byte("probe " + t)}}
	}
	results, err := j.run(ctx, requests)
	if err != nil {
		return err
	}
	for i, res := range results {
		argv, ran := words.Child(res)
		for n, p := range paths {
			if p.Reading.Oracle != quoting.Words {
				continue
			}
			s := p.Reading.Splitter
			list, err := s.Split(texts[i])
			v := words.Judge(texts[i], list, err, argv, ran)
			r := finding.Reading{Guard: s.Name, Verdict: "the same words", Truth: finding.Undecided, Class: finding.Agree}
			documented := ""
			switch {
			case errors.Is(err, splitter.ErrNotModelled):
				all[i][n] = Outcome{Path: p, Verdict: Refused, Reason: err.Error()}
				continue
			case res.Refused != "":
				all[i][n] = Outcome{Path: p, Verdict: Refused, Reason: res.Refused}
				continue
			case v.Class == words.Undecided:
				r.Class = finding.Undecided
			case v.Documented:
				documented = v.Cause
			case v.Wrong():
				r.Class, r.Cause, r.Verdict = finding.Differ, v.Cause, "other words than bash"
				if v.Class == words.Refused {
					r.Verdict = "what bash takes is refused"
				}
			}
			said := wire.Observation{Records: []wire.Record{{Argv: [][]byte{[]byte("probe")}, Stdin: []byte{}}}}
			for _, w := range list {
				said.Records[0].Argv = append(said.Records[0].Argv, []byte(w))
			}
			if err != nil {
				said = wire.Observation{Stdout: []byte(err.Error())}
			}
			all[i][n] = reading(p, r, res.Observation)
			all[i][n].Observed = &said
			if documented != "" {
				all[i][n].Class, all[i][n].Reason = ExpandsNothing, documented
			}
		}
	}
	return nil
}
