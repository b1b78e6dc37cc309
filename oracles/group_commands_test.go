package oracles

import (
	"testing"

	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/group"
	"github.com/argvdiff/argvdiff/oracles/wire"
)

// A command that shares a shell leaves no file, no variable, no function and no
// option to the next one.
func TestGroupedCommandsLeaveNothing(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 300
	}
	cases := generated(n, true)
	// What the next command sees of a fresh shell.
	look := []byte("probe .[!.]* * \"$?\" \"$-\" \"$#\" \"${x-}${v-}${w-}${y-}${a-}\" \"${!#}\" \"$IFS\"; type f0; trap; shopt -p; pwd; wait")
	observe := func(j *Judge, commands [][]byte, traits []group.Trait) []wire.Observation {
		s := group.Compose(commands, traits, 1)
		r, err := j.Home.Run(t.Context(), wire.Request{
			Argv: [][]byte{[]byte("bash"), []byte("-c"), s.Text}, Env: s.Env(), Limits: wire.Limits{Mark: s.Mark},
		})
		if err != nil {
			t.Fatal(err)
		}
		return s.Split(r[0])
	}
	for _, j := range judges(t) {
		fresh := observe(j, [][]byte{[]byte("probe"), look}, []group.Trait{{Manner: group.Line}, {Manner: group.Line}})
		if len(fresh) != 2 {
			t.Fatalf("%s: %v", j.Shell.ID, fresh)
		}
		sorter := group.NewSorter()
		seen := 0
		for _, c := range cases {
			trait := sorter.Trait(c.Command)
			if trait.Manner == group.Alone {
				continue
			}
			got := observe(j, [][]byte{c.Command, look}, []group.Trait{trait, {Manner: group.Line, Looks: true}})
			if len(got) < 2 {
				continue // it has ended the script, which shows
			}
			seen++
			if !got[1].Equal(fresh[1]) {
				t.Errorf("%s: after %q: %s, want %s", j.Shell.ID, c.Command, finding.Diff(fresh[1], got[1]), fresh[1].Stdout)
			}
		}
		if seen < n*8/10 {
			t.Errorf("%s: only %d of %d commands were seen", j.Shell.ID, seen, n)
		}
	}
}
