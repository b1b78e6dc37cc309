package oracles

import (
	"fmt"
	"slices"
	"testing"

	"github.com/argvdiff/argvdiff/fuzz/gen"
	"github.com/argvdiff/argvdiff/targets/path"
)

// generated returns commands, or payloads, as a campaign has them.
func generated(n int, commands bool) []Case {
	g := gen.New(7)
	cases := make([]Case, n)
	for i := range cases {
		if commands {
			cases[i].Command = g.Command(uint64(i), nil)
		} else {
			cases[i].Payloads = [][]byte{g.Payload(uint64(i), []byte{})}
			if i%5 == 0 {
				cases[i].Payloads = append(cases[i].Payloads, g.Payload(uint64(i+n), []byte{}))
			}
		}
	}
	return cases
}

func paths(t testing.TB, list string) []path.Path {
	t.Helper()
	some, err := path.Select(list)
	if err != nil {
		t.Fatal(err)
	}
	return some
}

// differing returns what tells the differences of tallies apart.
func differing(tallies []Tally, cases []Case) []string {
	var list []string
	for _, t := range tallies {
		for _, d := range t.Differences {
			list = append(list, fmt.Sprintf("%s %05d %s", t.Path.Name, d.Index, Sign(cases[d.Index], d.Outcome).Class()))
		}
	}
	slices.Sort(list)
	return list
}

// What a group says of its members is what each of them shows alone.
func TestGroupsSayWhatRunsSay(t *testing.T) {
	const list = "argv,posix-eval,ansi-c-eval,sandbox@1.8.3,sandbox@1.12.0,quote:*"
	n := 160
	if testing.Short() {
		n = 60
	}
	for _, j := range judges(t) {
		for _, kind := range []bool{true, false} {
			cases := generated(n, kind)
			all := paths(t, list)
			if kind {
				all, _, _, _ = path.Split(all)
			}
			grouped := &Grouper{Judge: j, Skip: func(int, string) bool { return true }}
			single := &Grouper{Judge: j, Size: 1}
			a, err := grouped.Check(t.Context(), all, cases)
			if err != nil {
				t.Fatal(err)
			}
			b, err := single.Check(t.Context(), all, cases)
			if err != nil {
				t.Fatal(err)
			}
			got, want := differing(a, cases), differing(b, cases)
			for _, x := range got {
				if !slices.Contains(want, x) {
					t.Errorf("%s: only in a group: %s", j.Shell.ID, x)
				}
			}
			for _, x := range want {
				if !slices.Contains(got, x) {
					t.Errorf("%s: only alone: %s", j.Shell.ID, x)
				}
			}
			for i := range a {
				if a[i].Refused != b[i].Refused || a[i].NotRun != b[i].NotRun || a[i].Checks != b[i].Checks {
					t.Errorf("%s, %s: %d checks, %d refused %s; alone %d, %d %s", j.Shell.ID, a[i].Path.Name,
						a[i].Checks, a[i].Refused, a[i].NotRun, b[i].Checks, b[i].Refused, b[i].NotRun)
				}
			}
		}
	}
}
