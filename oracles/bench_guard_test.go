package oracles

import (
	"testing"

	"github.com/argvdiff/argvdiff/corpus"
	"github.com/argvdiff/argvdiff/targets/path"
)

// commandsOfGuards are commands for guards, of the usual length.
func commandsOfGuards() []string {
	var list []string
	for _, f := range corpus.Faults() {
		if f.Kind == "guard" {
			list = append(list, string(f.Input[0]))
		}
	}
	return list
}

// BenchmarkReaders is the oracles that need no shell, on all processors: commands a
// second.
func BenchmarkReaders(b *testing.B) {
	commands := commandsOfGuards()
	for _, name := range []string{"segments", "revisions:guard@df2cd63..head", "laws/group:guard@head", "laws/printer:guard@head", "guard@head", "guard@repaired"} {
		p, _ := path.Lookup(name)
		b.Run(name, func(b *testing.B) {
			b.RunParallel(func(pb *testing.PB) {
				for i := 0; pb.Next(); i++ {
					switch c := commands[i%len(commands)]; p.Reading.Oracle {
					case path.Segments:
						segmentsDiffer(p, c)
					case path.Revisions:
						revised(p, c)
					case path.Laws:
						lawful(p, c)
					default:
						p.Reading.Guard.Judge(c, GOOS)
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commands/s")
		})
	}
}

// BenchmarkExecuted is all guards judged by what bash runs, in one home.
func BenchmarkExecuted(b *testing.B) {
	j := judges(b)[0]
	paths, err := path.Select("guard@*")
	if err != nil {
		b.Fatal(err)
	}
	commands := commandsOfGuards()
	runs := j.Runs
	for from := 0; b.Loop(); from += readTogether {
		cases := make([]Case, readTogether)
		for i := range cases {
			cases[i] = Case{Command: []byte(commands[(from+i)%len(commands)])}
		}
		if _, _, err := j.readAll(b.Context(), paths, cases); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*readTogether)/b.Elapsed().Seconds(), "commands/s")
	b.ReportMetric(float64(j.Runs-runs)/b.Elapsed().Seconds(), "runs/s")
}
