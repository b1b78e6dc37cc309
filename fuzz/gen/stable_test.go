package gen

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/argvdiff/argvdiff/oracles/agent"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/oracles/probe"
	"github.com/argvdiff/argvdiff/oracles/wire"
)

func TestMain(m *testing.M) {
	agent.Main()
	os.Exit(m.Run())
}

// Every name that a command may call is a probe in a home.
func TestNamesAreProbes(t *testing.T) {
	for _, name := range Names {
		if !slices.Contains(probe.Names, name) {
			t.Errorf("%s is no probe", name)
		}
	}
}

func bash(text []byte) wire.Request {
	return wire.Request{Argv: [][]byte{[]byte("bash"), []byte("-c"), text}}
}

// A place is a home with the name of its shell.
type place struct {
	home.Home
	shell string
}

// homes opens a home for each shell at hand.
func homes(t *testing.T) []place {
	found, err := home.Survey(t.Context(), home.Namespaces)
	if err != nil {
		t.Fatal(err)
	}
	shells, _, err := home.Choose(found, "all")
	if err != nil {
		t.Fatal(err)
	}
	var all []place
	for _, shell := range shells {
		h, err := home.Namespaces.Open(t.Context(), shell)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { h.Close() })
		all = append(all, place{h, shell.ID})
	}
	return all
}

// Commands do the same whenever they run, on every shell at hand, and end.
// Where every ! is damaged a command means something else, yet it must end.
func TestStable(t *testing.T) {
	cases := uint64(300)
	if testing.Short() {
		cases = 50
	}
	for _, h := range homes(t) {
		g := New(11)
		reached := uint64(0)
		for i := range cases {
			command := g.Command(i, nil)
			damaged := bytes.ReplaceAll(command, []byte("!"), []byte("\\!"))
			r, err := h.Run(t.Context(), bash(command), bash(damaged), bash(command))
			if err != nil {
				t.Fatal(err)
			}
			if r[0].Refused != "" {
				continue
			}
			if r[0].Ended != wire.Itself {
				t.Errorf("%s, case %d: %q is %s", h.shell, i, command, r[0].Ended)
			}
			if !r[0].Observation.Equal(r[2].Observation) {
				t.Errorf("%s, case %d: two runs of %q differ:\n%+v\n%+v", h.shell, i, command, r[0].Observation, r[2].Observation)
			}
			if r[1].Ended != wire.Itself {
				t.Errorf("%s, case %d: damaged, %q is %s", h.shell, i, damaged, r[1].Ended)
			}
			if len(r[0].Records) > 0 {
				reached++
			}
		}
		// That no record ever arrives would pass unnoticed otherwise.
		if reached*2 < cases {
			t.Errorf("%s: only %d of %d commands reached a probe", h.shell, reached, cases)
		}
	}
}

// Commands for guards end by themselves, whatever is no program in this home.
func TestGuardedEnds(t *testing.T) {
	cases := uint64(1000)
	if testing.Short() {
		cases = 100
	}
	for _, h := range homes(t) {
		g := New(12)
		reached := uint64(0)
		for i := range cases {
			command := g.Guarded(i, nil)
			r, err := h.Run(t.Context(), bash(command))
			if err != nil {
				t.Fatal(err)
			}
			if r[0].Refused == "" && r[0].Ended != wire.Itself {
				t.Errorf("%s, case %d: %q is %s", h.shell, i, command, r[0].Ended)
			}
			if len(r[0].Records) > 0 {
				reached++
			}
		}
		if reached*4 < cases {
			t.Errorf("%s: only %d of %d commands reached a probe", h.shell, reached, cases)
		}
		t.Logf("%s: %d of %d commands reached a probe", h.shell, reached, cases)
	}
}
