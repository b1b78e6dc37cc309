package program

import (
	"os"
	"strings"
	"testing"
)

// words splits a row: _ is a space in a word, and ” an empty word.
func words(row string) []string {
	list := strings.Fields(row)
	for i, w := range list {
		list[i] = strings.ReplaceAll(strings.ReplaceAll(w, "_", " "), "''", "")
	}
	return list
}

// rows calls each for every call in testdata, with the name under which it is reported.
func rows(t *testing.T, each func(row, want string)) {
	text, err := os.ReadFile("testdata/calls.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := ""
	for l := range strings.Lines(string(text)) {
		switch l = strings.TrimSpace(l); {
		case l == "" || l[0] == '#':
		case l[0] == '[':
			want = strings.Trim(l, "[]")
		default:
			for row := range strings.SplitSeq(l, " | ") {
				each(row, want)
			}
		}
	}
}

// Calls that wait for a person are told from those that do not.
func TestWaits(t *testing.T) {
	n := 0
	rows(t, func(row, want string) {
		n++
		argv, on := terminals(row)
		if got := Waits(argv, on); got != want {
			t.Errorf("%s: %q, want %q", row, got, want)
		}
	})
	if n < 600 {
		t.Errorf("only %d calls", n)
	}
}

// terminals reads a row of the table.
func terminals(row string) (argv []string, on Terminals) {
	on = Terminals{In: true, Out: true, Err: true}
	argv = words(row)
	for {
		switch argv[0] {
		case "<":
			on.In = false
		case ">":
			on.Out = false
		default:
			return argv, on
		}
		argv = argv[1:]
	}
}
