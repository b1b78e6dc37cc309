package fuzz

import (
	"bytes"
	"testing"

	"github.com/argvdiff/argvdiff/corpus"
	"github.com/argvdiff/argvdiff/fuzz/gen"
	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/targets/path"
)

// session is what the fuzzing engine's bytes stand for: the commands of the text,
// each set apart from the next by a NUL, or what the grammar makes of the shape.
func session(t *testing.T, text, shape []byte) oracles.Case {
	commands := gen.SplitSession(text)
	if len(shape) > 0 {
		commands = gen.SessionFromShape(shape)
	}
	if len(bytes.TrimSpace(commands[0])) == 0 || len(commands) > 8 {
		t.Skip("a tool sends no blank command, and what eight cannot show nine do not")
	}
	return oracles.Case{Session: commands}
}

// seedSessions adds the known faults of sessions, and some that go well.
func seedSessions(f *testing.F) {
	for _, k := range corpus.Faults() {
		if k.Kind == "session" {
			f.Add(bytes.Join(k.Input, []byte{0}), []byte(nil))
		}
	}
	for _, s := range []string{"probe a", "x=1\x00probe \"$x\"", "probe 'a b'\x00probe c", "cat <<'E'\n$x\nE", "set +o histexpand\x00echo 'a!b'", "! false; echo $?", "exit 3"} {
		f.Add([]byte(s), []byte(nil))
	}
	f.Add([]byte(nil), []byte("a shape that the grammar makes into text"))
}

// FuzzSession fails where a session does something else than its commands mean, in
// a way that is not known.
func FuzzSession(f *testing.F) {
	seedSessions(f)
	f.Fuzz(func(t *testing.T, text, shape []byte) {
		c := session(t, text, shape)
		set(t)
		check(t, stage.sessions, c)
	})
}

// FuzzExposure fails where a shell does something else than what is predicted of
// history expansion.
func FuzzExposure(f *testing.F) {
	seedSessions(f)
	exposure, ok := path.Lookup("exposure")
	if !ok {
		f.Fatal("the path exposure is missing")
	}
	f.Fuzz(func(t *testing.T, text, shape []byte) {
		c := session(t, text, shape)
		set(t)
		check(t, []path.Path{exposure}, c)
	})
}
