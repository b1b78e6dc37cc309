package bench

import (
	"context"
	"sync"
	"time"

	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/oracles/group"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
)

func list(words ...string) [][]byte {
	var l [][]byte
	for _, w := range words {
		l = append(l, []byte(w))
	}
	return l
}

// loop starts a program again and again.
func loop(program string, argv ...string) func(context.Context, *seat, time.Duration) (int, time.Duration, error) {
	return func(ctx context.Context, s *seat, long time.Duration) (int, time.Duration, error) {
		lap, err := s.home.Loop(ctx, wire.Loop{Program: program, Argv: list(argv...), For: long})
		return lap.Starts, lap.Wall, err
	}
}

// scriptSize is how many generated commands the plain scripts are made of.
const scriptSize = 96

// lines runs generated commands as plain scripts. Only the scripts are on the
// clock, not the making of them, nor the run which shows that they end.
func lines(ctx context.Context, s *seat, long time.Duration) (n int, took time.Duration, err error) {
	for began := time.Now(); took < long && time.Since(began) < 2*long; {
		var commands [][]byte
		var traits []group.Trait
		for range scriptSize {
			commands = append(commands, s.generator.Command(s.number(), nil))
			traits = append(traits, s.sorter.Trait(commands[len(commands)-1]))
		}
		groups, _ := group.Arrange(traits, scriptSize)
		for _, members := range groups {
			texts, some := make([][]byte, len(members)), make([]group.Trait, len(members))
			for i, m := range members {
				texts[i], some[i] = commands[m], traits[m]
			}
			marked := group.Compose(texts, some, 0)
			results, err := s.home.Run(ctx, wire.Request{
				Argv: append(list("bash", "-c"), marked.Text), Env: marked.Env(), Limits: wire.Limits{Mark: marked.Mark},
			})
			if err != nil {
				return n, took, err
			}
			well := len(marked.Split(results[0]))
			if well == 0 {
				continue
			}
			lap, err := s.home.Loop(ctx, wire.Loop{Argv: append(list("bash", "-c"), group.Plain(texts[:well], some[:well]))})
			if err != nil {
				return n, took, err
			}
			n, took = n+well, took+lap.Wall
		}
	}
	return n, took, nil
}

// number returns the number of a case that no other worker has.
func (s *seat) number() uint64 {
	s.next += s.step
	return s.next
}

// A register holds the signatures that were confirmed, for all workers.
type register struct {
	mu  sync.Mutex
	ids map[string]bool
}

func (r *register) has(_ int, id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ids[id]
}

func (r *register) add(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ids[id] = true
}

// checks generates cases and checks them on one path, as a campaign does.
func checks(name string, p path.Path, commands bool) func(context.Context, *seat, time.Duration) (int, time.Duration, error) {
	confirmed := &register{ids: make(map[string]bool)}
	return func(ctx context.Context, s *seat, long time.Duration) (n int, took time.Duration, err error) {
		s.grouper.Skip = confirmed.has
		// As many as fill a group, of commands at once; of payloads it grows.
		block := max(128, s.blocks[name])
		began := time.Now()
		for took < long {
			before := took
			cases := make([]oracles.Case, block)
			buf := make([]byte, 0, 32*block)
			for i := range cases {
				start := len(buf)
				if commands {
					buf = s.generator.Command(s.number(), buf)
					cases[i].Command = buf[start:len(buf):len(buf)]
				} else {
					buf = s.generator.Payload(s.number(), buf)
					cases[i].Payloads = [][]byte{buf[start:len(buf):len(buf)]}
				}
			}
			tallies, err := s.grouper.Check(ctx, []path.Path{p}, cases)
			if err != nil {
				return n, took, err
			}
			n += tallies[0].Checks
			for _, d := range tallies[0].Differences {
				if d.Confirmed {
					confirmed.add(d.ID)
				}
			}
			took = time.Since(began)
			if took-before < 100*time.Millisecond {
				block = min(2*block, 8192)
			}
		}
		s.blocks[name] = block
		return n, took, nil
	}
}

// blockSessions is how many sessions are made at once.
const blockSessions = 192

func (s *seat) sessions() (cases []oracles.Case, lines int) {
	for range blockSessions {
		c := oracles.Case{Session: s.generator.Session(s.number())}
		cases, lines = append(cases, c), lines+len(c.Session)
	}
	return cases, lines
}

// keys types the lines of generated sessions in a plain loop: those which are
// known to give the prompt back. Only the loop is on the clock.
func keys(p path.Path) func(context.Context, *seat, time.Duration) (int, time.Duration, error) {
	return func(ctx context.Context, s *seat, long time.Duration) (n int, took time.Duration, err error) {
		for began := time.Now(); took < long && time.Since(began) < 3*long; {
			cases, _ := s.sessions()
			lines, lap, err := s.grouper.TypeBare(ctx, p, cases)
			if err != nil {
				return n, took, err
			}
			n, took = n+lines, took+lap
		}
		return n, took, nil
	}
}

// sessions checks generated sessions on a path. What it takes to learn what their
// commands mean is not on the clock, nor the first block, most of which is the
// second runs of signatures that a campaign meets for the first time only once.
func sessions(name string, p path.Path) func(context.Context, *seat, time.Duration) (int, time.Duration, error) {
	confirmed := &register{ids: make(map[string]bool)}
	return func(ctx context.Context, s *seat, long time.Duration) (n int, took time.Duration, err error) {
		s.grouper.Skip = confirmed.has
		warm := s.blocks[name] > 0
		for s.blocks[name]++; took < long; {
			cases, lines := s.sessions()
			began, before := time.Now(), s.grouper.Meaning
			tallies, err := s.grouper.Check(ctx, []path.Path{p}, cases)
			if err != nil {
				return n, took, err
			}
			if warm {
				n, took = n+lines, took+time.Since(began)-(s.grouper.Meaning-before)
			}
			warm = true
			for _, d := range tallies[0].Differences {
				if d.Confirmed {
					confirmed.add(d.ID)
				}
			}
		}
		return n, took, nil
	}
}
