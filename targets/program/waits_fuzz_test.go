//go:build linux

package program

import (
	"strings"
	"testing"
)

// No arguments make it fail, and a name is only given to a program that is known.
func FuzzWaits(f *testing.F) {
	text, _, _ := strings.Cut(strings.Join(here, " | "), "\x00")
	for row := range strings.SplitSeq(text, " | ") {
		f.Add(strings.ReplaceAll(row, " ", "\x00"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		argv := strings.Split(text, "\x00")
		for i := range 4 {
			if name := Waits(argv, Terminals{In: i&1 > 0, Out: i&2 > 0, Err: i&4 > 0}); name != "" && argv[0] == "" {
				t.Errorf("%q: %q", argv, name)
			}
		}
		Shell(argv)
	})
}
