package gen

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/argvdiff/argvdiff/oracles/exposure"
	"github.com/argvdiff/argvdiff/targets/pty"
)

// A session depends on seed and number alone, and is the caller's own.
func TestSameSessions(t *testing.T) {
	const n = 2000
	forward, backward := New(7), New(7)
	sessions := make([][][]byte, n)
	for i := range n {
		forward.Command(uint64(i), nil)
		sessions[i] = forward.Session(uint64(i))
	}
	for i := n - 1; i >= 0; i-- {
		again := backward.Session(uint64(i))
		if !slices.EqualFunc(again, sessions[i], bytes.Equal) {
			t.Fatalf("session %d: %q, then %q", i, sessions[i], again)
		}
		for _, c := range again {
			for k := range c {
				c[k] = 'x'
			}
			_ = append(c, 'y')
		}
	}
	other, same := New(8), 0
	for i := range n {
		if slices.EqualFunc(other.Session(uint64(i)), sessions[i], bytes.Equal) {
			same++
		}
	}
	if same > n/100 {
		t.Errorf("%d of %d sessions are the same with another seed", same, n)
	}
}

// The digest changes when any session does, be it by a change of the predictor: that belongs with a new version.
func TestGoldenSessions(t *testing.T) {
	const want = "0e335a190a74f6c66dfc6e1f495e3e69db1cd1cc89f4a42fe717d867c2f56dd0"
	h := sha256.New()
	for _, seed := range []uint64{0, 1, 1 << 63} {
		g := New(seed)
		for i := range uint64(2000) {
			fmt.Fprintf(h, "%q\n", g.Session(i*i*i))
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

// unstableInSession is unstable without the names of builtins: words of a session are random letters, and few of them run.
var unstableInSession = regexp.MustCompile(`\$[$!_0-]|\$\{[$_0-]|\$\{![^a-zA-Z]|~[a-zA-Z0-9_.+-]|RANDOM|SECONDS|PPID|LINENO|EPOCH|BASH`)

// wellFormed fails where a session is none, or holds what differs between runs.
func wellFormed(t *testing.T, session [][]byte) {
	t.Helper()
	if len(session) < 1 || len(session) > 4 {
		t.Fatalf("%d commands: %q", len(session), session)
	}
	for _, c := range session {
		if bytes.IndexByte(c, 0) >= 0 || len(bytes.TrimSpace(c)) == 0 || len(c) > 48<<10 {
			t.Fatalf("a command that cannot be typed: %q", session)
		}
		if m := unstableInSession.Find(c); m != nil && !bytes.HasPrefix(c, []byte("kill -")) {
			t.Fatalf("%q in %q", m, session)
		}
	}
}

// sessionFeatures are what sessions must be able to hold, with the least that 20 000 of them hold.
var sessionFeatures = []struct {
	name, re string
	least    int
}{
	{"! in single quotes", `'[^'"\n]*![^'"\n]*'`, 3000},
	{"! in double quotes", `"[^'"\n]*![^'"\n]*"`, 1000},
	{"! in $'...'", `\$'[^'\\]*![^'\\]*'`, 300},
	{"! bare", ` [a-z0-9]+![a-z0-9]`, 200},
	{"! then a quote", `'[^'"\n]*!'`, 300},
	{"! then a blank", `'[^'"\n]*! `, 100},
	{"! then a line end", `!\n`, 200},
	{"! then a TAB", `!\t`, 20},
	{"! then =", `![=]`, 1000},
	{"! then (", `!\(`, 500},
	{"! then a letter", `![a-z]`, 3000},
	{"! then a digit", `![0-9]`, 1000},
	{"! then punctuation", `![;:,./&|>{}@%+~]`, 500},
	{"! with a backslash", `\\!`, 300},
	{"!!", `!!`, 1000},
	{"!$", `!\$`, 500},
	{"!^", `!\^`, 200},
	{"!*", `!\*`, 300},
	{"!#", `!#`, 300},
	{"!-N", `!-[0-9]`, 300},
	{"!N", `![1-9]`, 500},
	{"!word", `![a-z]{3}`, 500},
	{"!?text?", `!\?[a-zA-Z0-9_]+\?`, 300},
	{"designator: 0", `![!a-z0-9-]*:0`, 50},
	{"designator: sign", `![!a-z0-9-]*:[$*^]`, 100},
	{"designator: range", `:[0-3]-[2-5$]`, 50},
	{"modifier", `![!$^*#a-z0-9-]*:[htrepqx]`, 200},
	{"modifier: change", `:g?s[/^,][^/^,]+[/^,]`, 50},
	{"reference in a here-document", `(?s)<<-?'?"?[A-Z]+['"]?[^\n]*\n[^\n]*!(!|\$|\*|#|\?|-[0-9]|[0-9])`, 100},
	{"here-document, quoted", `<<-? ?['"\\]`, 500},
	{"here-document, bare", `<<-? ?[A-Z]`, 300},
	{"here-document, shebang", `(?s)<<[^\n]+\n.*#! ?/`, 200},
	{"here-document, negation", `(?s)<<[^\n]+\n.*\(!`, 200},
	{"reference in a comment", `(?m) #.*!`, 100},
	{"! in [ ]", `\[!`, 300},
	{"! in ${ }", `\$\{[^}\n]*!`, 300},
	{"! in arithmetic", `\(\([^)\n]*!`, 200},
	{"quick substitution", `\^[a-zA-Z0-9]+\^[a-z]`, 300},
	{"quick substitution first", `\A\^[a-zA-Z0-9_]+\^`, 100},
	{"extended glob", `[!?*+@]\([a-zA-Z0-9]+(\|[^)]*)?\)`, 500},
	{"set -H", `(?m)^set -H`, 50},
	{"set +H", `(?m)^set \+H`, 50},
	{"set -o", `(?m)^set -o histexpand`, 30},
	{"set +o", `(?m)^set \+o histexpand`, 30},
	{"shopt -s extglob", `(?m)^shopt -s extglob`, 50},
	{"shopt -u", `(?m)^shopt -u `, 20},
	{"history -c", `(?m)^history -c`, 30},
	{"HISTCONTROL", `HISTCONTROL=`, 30},
	{"histchars", `histchars=`, 30},
	{"TAB", `\t`, 1000},
	{"other control byte", `[\x01-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]`, 500},
	{"escape sequence", `\x1b(\[[A-H]|[bf])`, 50},
	{"character of many bytes", `[\x{80}-\x{10ffff}]`, 2000},
	{"long word", `[^\s]{300}`, 50},
	{"very long word", `[a-zA-Z0-9]{990}[a-zA-Z0-9]{400}`, 5},
	{"exit", `(?m)^exit [0-9]`, 10},
	{"exec", `(?m)^exec probe`, 10},
	{"read", `(?m)\Aread (-r )?[a-z]\z`, 10},
	{"cat without input", `\Acat\z`, 5},
	{"sleep", `\Asleep [0-9]\z`, 10},
	{"kill", `\Akill -9 \$\$\z`, 5},
	{"return", `\Areturn [0-9]`, 10},
	{"function in place of a builtin", `\A(printf|eval)\(\)`, 10},
	{"exec > /dev/null", `\Aexec >/dev/null`, 3},
	{"stty raw", `\Astty raw`, 3},
	{"stty echo", `\Astty echo`, 3},
	{"trap", `\Atrap `, 10},
	{"set -x", `\Aset -x`, 3},
	{"unterminated quote", ` \$?['"][a-zA-Z0-9]\z`, 20},
	{"trailing backslash", `\\\z`, 100},
	{"last line a backslash", `\n\\\n?\z`, 20},
	{"calls a recorded program", `(?m)(^|[|;&] ?)(probe|git|node|grep|rg|awk|make) `, 9000},
	{"prints", `(?m)^(echo|printf) `, 4000},
}

func TestSessionFeatures(t *testing.T) {
	const n = 20_000
	g := New(12)
	sessions := make([][][]byte, n)
	var sizes [5]int
	bytesIn, raw, wide, torn, set, typed, parsed := 0, 0, 0, 0, 0, 0, 0
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	for i := range sessions {
		s := g.Session(uint64(i))
		sessions[i] = s
		wellFormed(t, s)
		sizes[len(s)]++
		all := bytes.Join(s, nil)
		bytesIn += len(all)
		if bytes.ContainsFunc(all, func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' || r == 0x7f }) {
			raw++
		}
		if bytes.ContainsFunc(all, func(r rune) bool { return r >= 0x80 }) {
			wide++
		}
		if !bytes.Equal(bytes.ToValidUTF8(all, nil), all) {
			torn++
		}
		for _, c := range s {
			typed++
			if _, err := parser.Parse(bytes.NewReader(c), ""); err == nil {
				parsed++
			}
		}
		for _, c := range s[:len(s)-1] {
			if setting.Match(c) {
				set++
				break
			}
		}
	}
	t.Logf("%.1f%% of the commands parse", 100*float64(parsed)/float64(typed))
	if parsed*100 < typed*80 {
		t.Errorf("only %d of %d commands parse", parsed, typed)
	}
	share := func(k int) float64 { return 100 * float64(k) / n }
	t.Logf("1 to 4 commands: %.1f %.1f %.1f %.1f%%; %d bytes in the mean", share(sizes[1]), share(sizes[2]), share(sizes[3]), share(sizes[4]), bytesIn/n)
	for _, c := range []struct {
		name        string
		k           int
		least, most float64
	}{
		{"one or two commands", sizes[1] + sizes[2], 70, 95},
		{"control bytes", raw, 15, 25},
		{"bytes from 0x80", wide, 13, 21},
		{"not UTF-8", torn, 0.2, 4},
		{"an earlier setting", set, 6, 14},
	} {
		t.Logf("%-34s %5.1f%%", c.name, share(c.k))
		if share(c.k) < c.least || share(c.k) > c.most {
			t.Errorf("%s: in %.1f%% of the sessions, want %.1f to %.1f", c.name, share(c.k), c.least, c.most)
		}
	}
	for _, f := range sessionFeatures {
		re := regexp.MustCompile(f.re)
		k := 0
		for _, s := range sessions {
			if slices.ContainsFunc(s, re.Match) {
				k++
			}
		}
		t.Logf("%-34s %5.2f%%", f.name, share(k))
		if k < f.least {
			t.Errorf("%s: in %d of %d sessions, want %d", f.name, k, n, f.least)
		}
	}
}

// setting matches a command that changes how lines are read.
var setting = regexp.MustCompile(`\A(set [-+][HBo]|shopt -[su] (extglob|hist|lithist|nullglob)|history|HIST|histchars)`)

// Every fate must come up, so that none is tested too little.
func TestSessionFates(t *testing.T) {
	const n = 20_000
	g := New(13)
	fates := make(map[exposure.Fate]int)
	for i := range uint64(n) {
		state := exposure.State{UTF8: true, History: []string{pty.Init}}
		var p exposure.Prediction
		for _, c := range g.Session(i) {
			line := []byte(pty.Wrap(string(c), "ffffffff-ffff-ffff-ffff-ffffffffffff"))
			p = exposure.Predict(line, state)
			state = state.After(string(c), line, p)
		}
		fates[p.Fate]++
	}
	for _, f := range []exposure.Fate{exposure.Untouched, exposure.Discarded, exposure.Rewritten, exposure.Continued} {
		share := 100 * float64(fates[f]) / n
		t.Logf("%s: %.1f%%", f, share)
		if share < 2 {
			t.Errorf("only %.1f%% of the last commands are %s", share, f)
		}
	}
}

// FuzzSessionShape feeds any bytes to the grammar of sessions: it must end, hold its bounds and repeat.
func FuzzSessionShape(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0})
	f.Add(bytes.Repeat([]byte{0xff}, 4096))
	f.Add(bytes.Repeat([]byte{0}, 4096))
	f.Add(bytes.Repeat([]byte{0x80, 1, 2, 3, 4, 5, 6, 7}, 512))
	f.Add([]byte("the quick brown fox jumps over the lazy dog"))
	f.Fuzz(func(t *testing.T, shape []byte) {
		got := SessionFromShape(shape)
		wellFormed(t, got)
		if again := SessionFromShape(shape); !slices.EqualFunc(got, again, bytes.Equal) {
			t.Errorf("%q, then %q", got, again)
		}
	})
}

func BenchmarkSession(b *testing.B) {
	g := New(1)
	i := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		g.Session(i)
		i++
	}
}
