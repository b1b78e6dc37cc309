package fuzz

import (
	"bytes"
	"testing"

	"github.com/argvdiff/argvdiff/corpus"
	"github.com/argvdiff/argvdiff/fuzz/gen"
	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/targets/path"
)

// fuzzReaders fuzzes code that reads commands, on the paths of a list.
func fuzzReaders(f *testing.F, list string, seeds ...string) {
	paths, err := path.Select(list)
	if err != nil {
		f.Fatal(err)
	}
	for _, k := range corpus.Faults() {
		p, ok := path.Lookup(k.Path)
		if !ok || p.Reading == nil {
			continue
		}
		for _, mine := range paths {
			if mine.Name == p.Name {
				f.Add(k.Input[0], []byte(nil))
			}
		}
	}
	for _, s := range seeds {
		f.Add([]byte(s), []byte(nil))
	}
	f.Add([]byte(nil), []byte("a shape that the grammar makes into a command"))
	f.Fuzz(func(t *testing.T, text, shape []byte) {
		text = input(text, shape, gen.GuardedFromShape)
		if bytes.IndexByte(text, 0) >= 0 {
			t.Skip("no argument holds a NUL")
		}
		set(t)
		check(t, paths, oracles.Case{Command: text})
	})
}

func FuzzGuard(f *testing.F) {
	fuzzReaders(f, "guard@*", "", "vim x", "{ vim x; }", "a && less", "echo vim", "git rebase -i", "vim < f", "if a; then", "x | python")
}

func FuzzParse(f *testing.F) {
	fuzzReaders(f, path.Parse, "", "a", "a;", "{ a; }", "if a; then b; fi", "a &&", "(", "case a in b) c;; esac")
}
