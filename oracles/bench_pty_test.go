package oracles

import (
	"testing"

	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
)

// How long a line takes in a shell that stands, and how long a fresh shell does.
func BenchmarkTerminal(b *testing.B) {
	found, err := home.Survey(b.Context(), home.Namespaces)
	if err != nil {
		b.Fatal(err)
	}
	shells, _, err := home.Choose(found, "")
	if err != nil {
		b.Fatal(err)
	}
	for _, shell := range shells {
		for _, test := range []struct {
			name, path, command string
			fresh, bare         bool
		}{
			{"line", "pty", "probe 'a b'", false, false},
			{"bare-line", "pty", "probe 'a b'", false, true},
			{"noediting", "pty-noediting", "probe 'a b'", false, false},
			{"bare-noediting", "pty-noediting", "probe 'a b'", false, true},
			{"builtin", "pty", "echo 'a b'", false, false},
			{"bare-builtin", "pty", "echo 'a b'", false, true},
			{"cat", "pty", "cat </dev/null", false, false},
			{"fresh", "pty", "probe 'a b'", true, false},
		} {
			b.Run(test.name+"/"+shell.ID, func(b *testing.B) {
				h, err := home.Namespaces.Open(b.Context(), shell)
				if err != nil {
					b.Fatal(err)
				}
				defer h.Close()
				j := &Judge{Home: h, Shell: shell}
				p, _ := path.Lookup(test.path)
				for left := b.N; left > 0; left -= 256 {
					t := j.typing(p)
					t.Bare = test.bare
					for i := range min(left, 256) {
						s, _ := j.session(p, Case{Command: []byte(test.command)}, i, false)
						s.Fresh = test.fresh
						t.Sessions = append(t.Sessions, s)
					}
					script, err := h.Type(b.Context(), t)
					if err != nil || script.Refused != "" {
						b.Fatal(err, script.Refused)
					}
					for _, s := range script.Sessions {
						if s[0].Settled != wire.Prompted {
							b.Fatalf("%s %q", s[0].Settled, s[0].Output)
						}
					}
				}
			})
		}
	}
}
