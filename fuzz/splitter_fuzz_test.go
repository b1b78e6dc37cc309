package fuzz

import (
	"bytes"
	"slices"
	"testing"

	"github.com/argvdiff/argvdiff/fuzz/gen"
	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/oracles/words"
	"github.com/argvdiff/argvdiff/targets/splitter"
)

// children runs each text behind the word probe, and returns what the one child of
// each got.
func children(t *testing.T, j *oracles.Judge, texts ...[]byte) (argvs [][][]byte, ran []bool) {
	t.Helper()
	var requests []wire.Request
	for _, text := range texts {
		requests = append(requests, wire.Request{Argv: [][]byte{[]byte("bash"), []byte("-c"), append([]byte("probe "), text...)}})
	}
	results, err := j.Home.Run(t.Context(), requests...)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		argv, one := words.Child(r)
		argvs, ran = append(argvs, argv), append(ran, one)
	}
	return argvs, ran
}

// judge returns what is said of a splitter's reading of a text.
func judge(s splitter.Splitter, text []byte, argv [][]byte, ran bool) words.Verdict {
	list, err := s.Split(string(text))
	return words.Judge(string(text), list, err, argv, ran)
}

// FuzzSplitter fails where a splitter misreads a text in a way that is not known.
func FuzzSplitter(f *testing.F) {
	for _, m := range misreadings {
		f.Add([]byte(m.text), []byte(nil))
	}
	g := gen.New(1)
	for i := range uint64(seededWords) {
		f.Add(g.Words(i, nil), []byte(nil))
	}
	f.Add([]byte(nil), []byte("a shape that the grammar makes into text"))
	f.Fuzz(func(t *testing.T, text, shape []byte) {
		text = input(text, shape, gen.WordsFromShape)
		if bytes.IndexByte(text, 0) >= 0 {
			t.Skip("no argument holds a NUL")
		}
		set(t)
		for _, seat := range stage.shells {
			argvs, ran := children(t, seat.judge, text)
			for _, s := range splitter.All {
				if !isNews(s, judge(s, text, argvs[0], ran[0])) {
					continue
				}
				// Of several faults in one text the wrong one may be named, so it is
				// told of what is left when all that can be spared is gone.
				text := cut(t, seat.judge, s, text)
				argvs, ran := children(t, seat.judge, text)
				v := judge(s, text, argvs[0], ran[0])
				list, err := s.Split(string(text))
				t.Errorf("%s on %s, %s, %s\ntext %q\nbash %q\nread %q %v", s.Name, seat.judge.Shell.ID, v.Class, v.Cause, text, argvs[0], list, err)
			}
		}
	})
}

// isNews reports whether a verdict is of a misreading that is not known.
func isNews(s splitter.Splitter, v words.Verdict) bool {
	return v.Wrong() && !isMisreading(s.Name, v.Cause)
}

// cut returns a shorter text that is misread, and not in a known way.
func cut(t *testing.T, j *oracles.Judge, s splitter.Splitter, text []byte) []byte {
	for n := len(text) / 2; n > 0; {
		var shorter [][]byte
		for i := 0; i+n <= len(text); i++ {
			shorter = append(shorter, slices.Delete(slices.Clone(text), i, i+n))
		}
		argvs, ran := children(t, j, shorter...)
		i := 0
		for i < len(shorter) && !isNews(s, judge(s, shorter[i], argvs[i], ran[i])) {
			i++
		}
		if i == len(shorter) {
			n /= 2
			continue
		}
		text = shorter[i]
		n = min(n, len(text))
	}
	return text
}

func isMisreading(name, cause string) bool {
	return slices.ContainsFunc(misreadings, func(m misreading) bool {
		return m.cause == cause && slices.Contains(m.splitters(), name)
	})
}

// Each misreading that is known still shows, on the shells that are used.
func TestMisreadings(t *testing.T) {
	set(t)
	for _, seat := range stage.shells {
		var texts [][]byte
		for _, m := range misreadings {
			texts = append(texts, []byte(m.text))
		}
		argvs, ran := children(t, seat.judge, texts...)
		for i, m := range misreadings {
			version := seat.judge.Shell.Version
			if m.before != "" && !oracles.Older(version, m.before) || m.since != "" && oracles.Older(version, m.since) {
				continue
			}
			for _, name := range m.splitters() {
				s, ok := splitter.Lookup(name)
				if !ok {
					t.Fatalf("no splitter %s", name)
				}
				if v := judge(s, texts[i], argvs[i], ran[i]); !v.Wrong() || v.Cause != m.cause {
					t.Errorf("%s on %s, %q: %s, %s, known for %s", name, seat.judge.Shell.ID, m.text, v.Class, v.Cause, m.cause)
				}
			}
		}
	}
}
