package gen

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"regexp"
	"testing"
)

// A case depends on seed and number alone: not on what was asked before, nor on what dst holds.
func TestSameBytes(t *testing.T) {
	const n = 3000
	forward, backward := New(7), New(7)
	payloads, commands := make([][]byte, n), make([][]byte, n)
	for i := range n {
		payloads[i] = forward.Payload(uint64(i), nil)
		commands[i] = forward.Command(uint64(i), nil)
	}
	buf := []byte("before(")
	for i := n - 1; i >= 0; i-- {
		buf = backward.Command(uint64(i), buf[:7])
		if string(buf[:7]) != "before(" || !bytes.Equal(buf[7:], commands[i]) {
			t.Fatalf("command %d: %q, then %q", i, commands[i], buf)
		}
		if i%3 == 0 {
			buf = backward.Payload(uint64(i), buf[:7])
			if string(buf[:7]) != "before(" || !bytes.Equal(buf[7:], payloads[i]) {
				t.Fatalf("payload %d: %q, then %q", i, payloads[i], buf)
			}
		}
	}
	other := New(8)
	same := 0
	for i := range n {
		if bytes.Equal(other.Command(uint64(i), nil), commands[i]) {
			same++
		}
	}
	if same > n/20 {
		t.Errorf("%d of %d commands are the same with another seed", same, n)
	}
}

// The digest changes when any case does. Findings name cases by seed and number, so that must be meant: it belongs with
// a new version.
func TestGolden(t *testing.T) {
	const want = "9e17f0c6b0c23108e1c1258552ac31be71e0afccb96c9f0f0dc271331867074d"
	h := sha256.New()
	for _, seed := range []uint64{0, 1, 1 << 63} {
		g := New(seed)
		var buf []byte
		for i := range uint64(4000) {
			for _, make := range []func(uint64, []byte) []byte{g.Payload, g.Command} {
				buf = make(i*i*i, buf[:0])
				var size [8]byte
				binary.LittleEndian.PutUint64(size[:], uint64(len(buf)))
				h.Write(size[:])
				h.Write(buf)
			}
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

// unstable matches what a command must not hold, for it differs between runs, machines or paths.
var unstable = regexp.MustCompile(`\$[$!_0-]|\$\{[$_0-]|\$\{![^a-zA-Z]|~[a-zA-Z0-9_.+-]|RANDOM|SECONDS|PPID|LINENO|EPOCH|BASH|\bjobs\b|\bulimit\b|\bumask\b|\btimes\b|\bcaller\b|printf (-v v )?["'][^"']*%\(`)

func TestBytesAllowed(t *testing.T) {
	g := New(2)
	var buf []byte
	var seen [256]bool
	empty, long := 0, 0
	for i := range uint64(40_000) {
		buf = g.Payload(i, buf[:0])
		if bytes.IndexByte(buf, 0) >= 0 {
			t.Fatalf("payload %d holds a NUL: %q", i, buf)
		}
		if len(buf) > 8<<10 {
			t.Errorf("payload %d has %d bytes", i, len(buf))
		}
		for _, c := range buf {
			seen[c] = true
		}
		if len(buf) == 0 {
			empty++
		}
		if len(buf) > 1000 {
			long++
		}
	}
	for c := 1; c < 256; c++ {
		if !seen[c] {
			t.Errorf("no payload holds byte %#02x", c)
		}
	}
	if empty == 0 || long == 0 || long > 600 {
		t.Errorf("%d empty payloads and %d long ones", empty, long)
	}
	total := 0
	for i := range uint64(40_000) {
		buf = g.Command(i, buf[:0])
		if bytes.IndexByte(buf, 0) >= 0 || len(buf) == 0 || len(buf) > 8<<10 {
			t.Fatalf("command %d: %q", i, buf)
		}
		if m := unstable.Find(buf); m != nil {
			t.Errorf("command %d holds %q: %q", i, m, buf)
		}
		total += len(buf)
	}
	if mean := total / 40_000; mean < 30 || mean > 120 {
		t.Errorf("commands have %d bytes in the mean", mean)
	}
}

// Every rule of every table must be reached.
func TestRulesReached(t *testing.T) {
	g := New(3)
	g.payload.hits, g.command.hits, g.session.hits = make(map[string]int), make(map[string]int), make(map[string]int)
	var buf []byte
	for i := range uint64(20_000) {
		buf = g.Payload(i, buf[:0])
		buf = g.Command(i, buf[:0])
		g.Session(i)
	}
	names := make(map[string]bool)
	for _, tab := range []*table{
		&grammar.payloads, &grammar.statements, &grammar.flat, &grammar.words, &grammar.plain, &grammar.quoted,
		&grammar.inDouble, &grammar.lines, &grammar.tests, &grammar.arith,
		&grammar.typed, &grammar.typedWords, &grammar.typedText, &grammar.typedLines, &grammar.events,
		&grammar.designators, &grammar.modifiers, &grammar.settings, &grammar.ends,
	} {
		for _, r := range tab.rules {
			if names[r.name] {
				t.Errorf("two rules are named %s", r.name)
			}
			names[r.name] = true
			if n := g.payload.hits[r.name] + g.command.hits[r.name] + g.session.hits[r.name]; n < 20 {
				t.Errorf("rule %s is taken %d times", r.name, n)
			}
		}
	}
}

// FuzzShape feeds any bytes to the grammar: it must end, hold its bounds and repeat.
func FuzzShape(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0})
	f.Add(bytes.Repeat([]byte{0xff}, 4096))
	f.Add(bytes.Repeat([]byte{0}, 4096))
	f.Add(bytes.Repeat([]byte{0x80, 1, 2, 3, 4, 5, 6, 7}, 512))
	f.Add([]byte("the quick brown fox jumps over the lazy dog"))
	f.Fuzz(func(t *testing.T, shape []byte) {
		for _, make := range []func([]byte) []byte{PayloadFromShape, CommandFromShape} {
			got := make(shape)
			if len(got) > 16<<10 {
				t.Errorf("%d bytes from %d", len(got), len(shape))
			}
			if bytes.IndexByte(got, 0) >= 0 {
				t.Errorf("%q holds a NUL", got)
			}
			if again := make(shape); !bytes.Equal(got, again) {
				t.Errorf("%q, then %q", got, again)
			}
		}
		if m := unstable.Find(CommandFromShape(shape)); m != nil {
			t.Errorf("%q in %q", m, CommandFromShape(shape))
		}
	})
}

func BenchmarkPayload(b *testing.B) {
	g := New(1)
	var buf []byte
	i := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		buf = g.Payload(i, buf[:0])
		i++
	}
}

func BenchmarkCommand(b *testing.B) {
	g := New(1)
	var buf []byte
	i := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		buf = g.Command(i, buf[:0])
		i++
	}
}

func BenchmarkCommandFromShape(b *testing.B) {
	shape := bytes.Repeat([]byte{0x80, 1, 2, 3, 4, 5, 6, 7}, 16)
	b.ReportAllocs()
	for b.Loop() {
		CommandFromShape(shape)
	}
}
