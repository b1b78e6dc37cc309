package gen

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/argvdiff/argvdiff/targets/guard"
)

// verdicts are what the revisions of the modelled guard say of a command.
type verdicts struct {
	text                            string
	base, draft, first, all, newest string
}

var (
	braceGroup     = regexp.MustCompile(`(^|[\s;&|({!])\{\s`)
	readsFrom      = regexp.MustCompile(`\b(python3?|node|psql|mysql|sqlite3|redis-cli|mongo(sh)?|ruby|php|ssh)[^;&|\n]*<`)
	suffixed       = regexp.MustCompile(`\btimeout [^;&|\n]*\b[0-9.]+[smh] (vim?|nvim|nano|less|more|most|top|htop|watch|emacs|gdb|irb|pico|fzf)\b`)
	quotedSetting  = regexp.MustCompile(`(^|[;&|{(\n] *)[A-Z_]+=('[^'\n]* [^'\n]*'|"[^"\n]* [^"\n]*") (vim?|nvim|nano|less|more|most|top|htop|watch|emacs|gdb|irb|pico|fzf)\b`)
	found          = regexp.MustCompile(`\bfind [^;&|\n]*-exec (vim?|less|nano|more|top)\b`)
	loginShell     = regexp.MustCompile(`\b(ba|z|k|da)?sh -lc ['"]?(vim?|less|nano|more|top)\b`)
	spelledProgram = regexp.MustCompile(`(^|[;&|]\s*)\$'[a-z]*\\x[0-9a-f]{2}[^']*'`)
	named          = regexp.MustCompile(`\beval '?(vim?|less|nano|more|top)\b`)
)

// sought are situations in which the revisions disagree with each other or are likely to be wrong. That they arise
// shows that the grammar can reach what is known; none of it is written down there.
var sought = []struct {
	name string
	in   func(v *verdicts) bool
}{
	{"only from draft on", func(v *verdicts) bool { return v.base == "" && v.draft != "" }},
	{"rebase, only at f8c902c", func(v *verdicts) bool { return v.first == "git rebase -i" && v.all == "" }},
	{"in a group, at draft and no more", func(v *verdicts) bool {
		return v.draft != "" && v.all == "" && braceGroup.MatchString(v.text)
	}},
	{"reads from a file, from draft on", func(v *verdicts) bool {
		return v.base == "" && v.draft != "" && readsFrom.MatchString(v.text)
	}},
	{"only in a comment or here-document", func(v *verdicts) bool { return v.base != "" && onlyBeside(v.text) }},
	{"duration with a unit", func(v *verdicts) bool { return v.newest == "" && suffixed.MatchString(v.text) }},
	{"quoted assignment before a program", func(v *verdicts) bool { return v.newest == "" && quotedSetting.MatchString(v.text) }},
	{"find", func(v *verdicts) bool { return v.newest == "" && found.MatchString(v.text) }},
	{"login shell", func(v *verdicts) bool { return v.newest == "" && loginShell.MatchString(v.text) }},
	{"eval", func(v *verdicts) bool { return v.newest == "" && named.MatchString(v.text) }},
	{"program in escapes", func(v *verdicts) bool { return v.newest == "" && spelledProgram.MatchString(v.text) }},
	{"head alone", func(v *verdicts) bool { return v.newest != "" && v.all == "" }},
}

// onlyBeside reports whether the oldest guard sees nothing any more where comments and the bodies of here-documents are
// blank.
func onlyBeside(text string) bool {
	file, err := syntax.NewParser(syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
	if err != nil {
		return false
	}
	blank := []byte(text)
	wipe := func(n syntax.Node) {
		for i := n.Pos().Offset(); i < min(n.End().Offset(), uint(len(blank))); i++ {
			blank[i] = ' '
		}
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Comment:
			wipe(n)
		case *syntax.Redirect:
			if n.Hdoc != nil {
				wipe(n.Hdoc)
			}
		}
		return true
	})
	if string(blank) == text {
		return false
	}
	_, hit := guard.All[0].Judge(string(blank), "linux")
	return !hit
}

// What is known of the modelled guard arises within some thousand commands.
func TestGuardedSearch(t *testing.T) {
	n, late := uint64(200_000), uint64(20_000)
	seeds := []uint64{1, 2, 3}
	if testing.Short() {
		n, seeds = late, seeds[:1]
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { t.Parallel(); searchGuarded(t, seed, n, late) })
	}
}

func searchGuarded(t *testing.T, seed, n, late uint64) {
	g := New(seed)
	first, count, example := make([]uint64, len(sought)), make([]int, len(sought)), make([]string, len(sought))
	hits := make([]int, len(guard.All))
	var buf []byte
	for i := range n {
		buf = g.Guarded(i, buf[:0])
		v := verdicts{text: string(buf)}
		for k, at := range []*string{&v.base, &v.draft, &v.first, &v.all, &v.newest} {
			if name, hit := guard.All[k].Judge(v.text, "linux"); hit {
				*at = name
				hits[k]++
			}
		}
		for k, s := range sought {
			if !s.in(&v) {
				continue
			}
			if count[k]++; count[k] == 1 {
				first[k] = i
			}
			if example[k] == "" || len(v.text) < len(example[k]) {
				example[k] = v.text
			}
		}
	}
	for k, s := range sought {
		t.Logf("seed %d: %-36s %6d times, first is %5d, smallest is %q", seed, s.name, count[k], first[k], example[k])
		if count[k] == 0 || first[k] >= late {
			t.Errorf("seed %d: %s: %d times in %d commands, the first is %d", seed, s.name, count[k], n, first[k])
		}
	}
	t.Logf("seed %d: hits of the revisions: %d", seed, hits)
}
