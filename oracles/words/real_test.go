package words

import (
	"os"

	"strings"
	"testing"

	"github.com/argvdiff/argvdiff/oracles/agent"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/splitter"
)

func TestMain(m *testing.M) {
	agent.Main()
	os.Exit(m.Run())
}

// homes returns a home for each usable shell at hand, by its name.
func homes(t *testing.T) map[string]home.Home {
	t.Helper()
	found, err := home.Survey(t.Context(), home.Namespaces)
	if err != nil {
		t.Fatal(err)
	}
	shells, _, err := home.Choose(found, "all")
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]home.Home)
	for _, s := range shells {
		h, err := home.Namespaces.Open(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { h.Close() })
		all[s.ID] = h
	}
	return all
}

// disagreements lists what the splitters make of a text otherwise than bash, each
// cause with the splitters behind it.
func disagreements(text string, argv [][]byte, ran bool) string {
	var causes []string
	names := make(map[string][]string)
	for _, s := range splitter.All {
		list, err := s.Split(text)
		v := Judge(text, list, err, argv, ran)
		if v.Class == Agree {
			continue
		}
		cause := string(v.Class) + ": " + v.Cause
		if v.Documented {
			cause = "(" + cause + ")"
		}
		if names[cause] == nil {
			causes = append(causes, cause)
		}
		names[cause] = append(names[cause], strings.Replace(s.Name, "shell-quote-parse@", "@", 1))
	}
	var out []string
	for _, c := range causes {
		list := strings.Join(names[c], " ")
		list = strings.Replace(list, "@1.6.3 @1.7.0 @1.7.3 @1.8.0 @1.8.3 @1.10.0 @1.11.0 @1.12.0", "@all", 1)
		list = strings.Replace(list, "@1.7.3 @1.8.0 @1.8.3 @1.10.0", "@1.7.3...1.10.0", 1)
		out = append(out, c+" "+list)
	}
	return strings.Join(out, "; ")
}

// Each text is run on every shell at hand, and every splitter judged.
func TestReal(t *testing.T) {
	for id, h := range homes(t) {
		var requests []wire.Request
		for _, row := range table {
			requests = append(requests, wire.Request{Argv: [][]byte{[]byte("bash"), []byte("-c"), []byte(program + row.text)}})
		}
		results, err := h.Run(t.Context(), requests...)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range table {
			argv, ran := Child(results[i])
			want := row.want
			if row.old != "" && strings.HasPrefix(id, "bash-3.2") {
				want = row.old
			}
			if got := disagreements(row.text, argv, ran); got != want {
				t.Errorf("%s of %q, %q:\n got %s\nwant %s", id, row.text, argv, got, want)
			}
		}
	}
}
