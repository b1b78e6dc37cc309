package oracles

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/argvdiff/argvdiff/fuzz/gen"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/targets/path"
)

// bench checks generated cases on one path in blocks, on all processors as a
// campaign does, and reports checks a second.
func bench(b *testing.B, name string, block int, one func(g *gen.Generator, i uint64) Case) {
	some, shell := []path.Path{paths(b, name)[0]}, judges(b)[0].Shell
	turns := home.NewTurns(runtime.GOMAXPROCS(0))
	var seen sync.Map
	var next, checks atomic.Uint64
	b.ReportAllocs()
	b.SetParallelism(2)
	b.RunParallel(func(pb *testing.PB) {
		h, err := home.Namespaces.Open(b.Context(), shell)
		if err != nil {
			b.Error(err)
			return
		}
		defer h.Close()
		generator := gen.New(1)
		g := &Grouper{Judge: &Judge{Home: turns.Share(h), Shell: shell}, Skip: func(_ int, id string) bool { _, ok := seen.Load(id); return ok }}
		for pb.Next() {
			cases := make([]Case, block)
			for i := range cases {
				cases[i] = one(generator, next.Add(1))
			}
			tallies, err := g.Check(b.Context(), some, cases)
			if err != nil {
				b.Error(err)
				return
			}
			checks.Add(uint64(tallies[0].Checks))
			for _, d := range tallies[0].Differences {
				seen.Store(d.ID, true)
			}
		}
	})
	b.ReportMetric(float64(checks.Load())/b.Elapsed().Seconds(), "checks/s")
}

func aPayload(g *gen.Generator, i uint64) Case {
	return Case{Payloads: [][]byte{g.Payload(i, []byte{})}}
}

func aCommand(g *gen.Generator, i uint64) Case { return Case{Command: g.Command(i, nil)} }

func BenchmarkPayloads(b *testing.B) {
	for _, name := range []string{"quote:posix", "quote:shell-quote@1.8.3", "sandbox@1.8.3"} {
		b.Run(name, func(b *testing.B) { bench(b, name, 5000, aPayload) })
	}
}

func BenchmarkCommands(b *testing.B) {
	for _, name := range []string{"posix-eval", "sandbox@1.8.3"} {
		b.Run(name, func(b *testing.B) { bench(b, name, 128, aCommand) })
	}
}

// hostile are commands that do not come to an end, or take what they can get.
var hostile = []string{
	"while :; do :; done",
	"x=1; until [ $x = 0 ]; do x=2; done",
	"read x < /dev/ptmx",
	"exec 3<> /dev/ptmx; read -u 3 x",
	"f() { f | f & }; f",
	"f() { f; f; }; f",
	"for ((;;)); do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done",
	"a=(x); while [ ${#a[@]} -gt 0 ]; do a+=(\"${a[@]}\"); done",
}

// One command in a hundred that is hostile.
func BenchmarkHostile(b *testing.B) {
	for _, some := range []bool{false, true} {
		name := "none"
		if some {
			name = "one-percent"
		}
		b.Run(name, func(b *testing.B) {
			bench(b, "posix-eval", 200, func(g *gen.Generator, i uint64) Case {
				if some && i%100 == 0 {
					return Case{Command: []byte(hostile[i/100%uint64(len(hostile))])}
				}
				return aCommand(g, i)
			})
		})
	}
}
