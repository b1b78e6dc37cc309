package oracles

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/argvdiff/argvdiff/fuzz/gen"
)

// neighbours are sessions that find, or leave, something in a shell that others had
// before, or have after them.
var neighbours = []string{
	"probe '\xf0\x9f'", "probe 'é'", "probe '\xed\xa0\x80' || probe 'ö'", "probe a\x10b", "probe 'x' \x12b", "probe 'a\x0bb' c", "probe 'a\x19b'",
	"echo 'wow!!'", "echo 'a!$b'", "probe 'a!-1' || probe 'b!-1'", "probe 'a!b' || echo 'x!!'", "echo 'x!#:0'", "echo a\n\\\n", "probe 'b\\\n\\",
	"while :; do :; done", "probe a || while :; do :; done || probe b", "echo a >f || probe *", "x=1; probe $x || probe $x", "exit 3",
	"printf() { :; }", "exec >/dev/null", "declare -i x=1/0", "set -o vi", "set +o emacs", "kill -2 $$", "set -x || probe a", "trap 'probe d' DEBUG || probe b", "probe *", "probe 'a\tb'", "alias probe=echo || probe c",
}

// What a group says of its sessions is what each of them shows in a shell of its
// own, and it does not hang on the size of the group.
func TestSessionGroupsSayWhatRunsSay(t *testing.T) {
	n := 62
	if testing.Short() {
		n = 31
	}
	g := gen.New(7)
	var cases []Case
	for i, s := range neighbours {
		cases = append(cases, Case{Session: list(strings.Split(s, " || ")...)})
		for k := range n / len(neighbours) {
			cases = append(cases, Case{Session: g.Session(uint64(k*len(neighbours) + i))})
		}
	}
	var met []string // kinds of versions, one shell of each
	for _, j := range judges(t) {
		kind, names := "since 5.3", sessionPaths
		switch {
		case Older(j.Shell.Version, "4.0"):
			kind = "before 4.0"
		case Older(j.Shell.Version, "5.3"):
			kind, names = "from 4.0 to 5.2", []string{"pty"}
		}
		if slices.Contains(met, kind) {
			continue
		}
		met = append(met, kind)
		t.Run(j.Shell.ID, func(t *testing.T) {
			t.Parallel()
			for _, name := range names {
				compareGroups(t, j, name, cases)
			}
		})
	}
	if len(met) < 3 {
		t.Logf("not run on other kinds of versions than %q: none is at hand", met)
	}
}

func compareGroups(t *testing.T, j *Judge, name string, cases []Case) {
	t.Helper()
	said := func(size int, skip func(int, string) bool) map[int]string {
		tallies, err := (&Grouper{Judge: j, Size: size, Skip: skip}).Check(t.Context(), paths(t, name), cases)
		if err != nil {
			t.Fatal(err)
		}
		tally := tallies[0]
		if tally.NotRun != "" || tally.Checks != len(cases) || tally.Missed > 0 {
			t.Errorf("%s in groups of %d: %d checks of %d, %d missed; %s", name, size, tally.Checks, len(cases), tally.Missed, tally.NotRun)
		}
		ids := make(map[int]string)
		for _, d := range tally.Differences {
			ids[d.Index] = fmt.Sprint(d.ID, " ", Sign(cases[d.Index], d.Outcome).Class())
		}
		return ids
	}
	alone := said(1, nil)
	again := 0
	for _, size := range []int{0, 3} {
		// In one of the two nothing that a group says is run again before it counts.
		grouped := said(size, func(int, string) bool { return size == 0 })
		for i, c := range cases {
			if grouped[i] == alone[i] {
				continue
			}
			again++
			o := check(t, j, name, c)
			third := ""
			if o.Verdict == Differs {
				s := Sign(c, o)
				third = s.ID() + " " + s.Class()
			}
			if o.Verdict != Unstable && third != grouped[i] {
				t.Errorf("%s, %q: %q in groups of %d, %q alone and %q again", name, c.Session, grouped[i], size, alone[i], third)
			}
		}
	}
	if again > len(cases)/50 {
		t.Errorf("%s: %d of %d sessions do not show the same each time", name, again, len(cases))
	}
}
