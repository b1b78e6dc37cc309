package oracles

import (
	"fmt"
	"testing"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

// Between a and b, keys is what the argument a<byte>b becomes: the line editor
// takes the byte for a key. The word stands for a fate in which no argument arrives.
var keys = map[byte]string{
	0x01: wire.MarkerLost, 0x02: wire.MarkerLost, 0x03: wire.Continued, 0x04: "ab", 0x05: "ab", 0x06: "ab", 0x07: "ab", 0x08: "b",
	'\t': "ab", 0x0b: "ab", 0x0c: "ab", 0x0e: "ab", 0x0f: "a\nb", 0x10: wire.Continued, 0x11: "ab", 0x12: wire.Continued,
	0x13: wire.MarkerLost, 0x14: wire.Continued, 0x15: wire.Continued, 0x16: "ab", 0x17: "", 0x18: "a", 0x19: "ab",
	0x1a: wire.Continued, 0x1b: wire.MarkerLost, 0x1c: wire.Continued, 0x1d: "a", 0x1e: "ab", 0x1f: "", 0x7f: "b",
}

// controls is the same for the line discipline of the kernel.
var controls = map[byte]string{
	0x03: wire.Continued, 0x04: "ab", 0x11: "ab", 0x13: wire.MarkerLost, 0x15: wire.Continued, 0x16: "ab", 0x17: "b",
	0x1a: wire.Continued, 0x1c: wire.Continued, 0x7f: "b",
}

// checkControlBytes checks every control byte in an argument, and in what is
// printed (1.10).
func checkControlBytes(t *testing.T, j *Judge, old bool) {
	t.Helper()
	var session [][]byte
	for b := byte(1); b <= 0x7f; b++ {
		if b == ' ' {
			b = 0x7f
		}
		word := "'a" + string(rune(b)) + "b'"
		session = append(session, []byte("probe "+word))
		for name, becomes := range map[string]map[byte]string{"pty": keys, "pty-noediting": controls} {
			arrives, changed := becomes[b]
			want := "same"
			switch {
			case arrives == wire.MarkerLost, arrives == wire.Continued:
				want = arrives
			case b == 0x0f && changed && old:
				want = wire.Continued // the key submits the line, and older ones read no more of it
			case changed:
				want = wire.Rewritten
			}
			for command, shows := range map[string]string{"printf '%s' " + word: arrives, "probe " + word: fmt.Sprintf("%q ", []string{"probe", arrives})} {
				o := check(t, j, name, Case{Session: list(command)})
				if o.word() != want {
					t.Errorf("%s, %q: %s, want %s", name, command, o.word(), want)
				} else if arrives == "" {
					shows = "" // the key has taken the whole word, and more
				}
				if o.word() == wire.Rewritten && want == wire.Rewritten && shown(o.Observed) != shows {
					t.Errorf("%s, %q: shows %q, want %q", name, command, shown(o.Observed), shows)
				}
			}
		}
	}
	if o := check(t, j, "source-file", Case{Session: session}); o.word() != "same" || o.Line != len(session)-1 {
		t.Errorf("source-file: command %d is %s", o.Line, o.word())
	}
}

// localeRows hold text of many bytes where the locale has no such characters: the
// line editor of older ones takes its bytes for keys.
var localeRows = []sessionRow{
	{session: "probe 'é'", old: "same", later: "same", but: map[string]string{"old pty/C": wire.Rewritten}, shows: `["probe" ""] `},
	{session: "printf '%s' 'é'", old: "same", later: "same", but: map[string]string{"old pty/C": wire.Rewritten}},
	{session: "probe 'a漢字b'", old: "same", later: "same", but: map[string]string{"old pty/C": wire.Continued}},
}
