package fuzz

import (
	"bytes"
	"context"
	"errors"
	"os"
	"sync"
	"testing"

	"github.com/argvdiff/argvdiff/corpus"
	"github.com/argvdiff/argvdiff/docker"
	"github.com/argvdiff/argvdiff/fuzz/campaign"
	"github.com/argvdiff/argvdiff/fuzz/gen"
	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/oracles/agent"
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/targets/path"
)

func TestMain(m *testing.M) {
	agent.Main()
	code := m.Run()
	for _, s := range stage.shells {
		s.judge.Home.Close()
	}
	os.Exit(code)
}

// stage is what every execution of a target shares. The engine starts one
// process a worker, so each worker has one home a shell.
var stage struct {
	once               sync.Once
	err                error
	commands, payloads []path.Path
	sessions           []path.Path
	shells             []*seat
}

// A seat is one shell of the stage.
type seat struct {
	judge *oracles.Judge
	known campaign.Known
}

// set opens the homes. Which shells and paths are used is told by
// $ARGVDIFF_FUZZ_SHELLS and $ARGVDIFF_FUZZ_PATHS; the default is the first
// shell that was found, and the paths that argvdiff fuzz uses.
func set(t testing.TB) {
	stage.once.Do(func() { stage.err = open() })
	if stage.err != nil {
		t.Fatal(stage.err)
	}
}

func open() error {
	ctx := context.Background()
	paths, err := path.Select(os.Getenv("ARGVDIFF_FUZZ_PATHS"))
	if err != nil {
		return err
	}
	stage.commands, stage.sessions, stage.payloads, _ = path.Split(paths)
	engine := os.Getenv(home.RuntimeVariable)
	inImages, err := home.InImages(ctx, engine)
	if err != nil && (engine != "" || !errors.Is(err, docker.ErrNone)) {
		return err
	}
	found, err := home.Survey(ctx, home.Isolated, inImages...)
	if err != nil {
		return err
	}
	names := os.Getenv("ARGVDIFF_FUZZ_SHELLS")
	shells, _, err := home.Choose(found, names)
	if err != nil {
		return err
	}
	if names == "" {
		shells = shells[:1]
	}
	for _, shell := range shells {
		h, err := home.Isolated.Open(ctx, shell)
		if err != nil {
			return err
		}
		s := &seat{judge: &oracles.Judge{Home: h, Shell: shell, Acting: home.NewLazy(home.Isolated, shell.Acting()).Open}}
		if s.known, _, err = campaign.Learn(ctx, s.judge, corpus.Faults()); err != nil {
			return err
		}
		stage.shells = append(stage.shells, s)
	}
	return nil
}

// check fails where a case differs in a way that is not known.
func check(t *testing.T, paths []path.Path, c oracles.Case) {
	for _, s := range stage.shells {
		outcomes, err := s.judge.Check(t.Context(), paths, c)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range outcomes {
			if o.Verdict != oracles.Differs {
				continue
			}
			sign := oracles.Sign(c, o)
			if _, ok := s.known[sign]; !ok {
				t.Errorf("%s on %s: %s\ninput %q\n%s", o.Path.Name, s.judge.Shell.ID, sign.Class(), c.Input(), finding.Diff(*o.Expected, *o.Observed))
			}
		}
	}
}

// input is the text as it is, or, where there is a shape, what the grammar makes
// of that.
func input(text, shape []byte, make func([]byte) []byte) []byte {
	if len(shape) > 0 {
		return make(shape)
	}
	return text
}

func FuzzPayload(f *testing.F) {
	for _, k := range corpus.Faults() {
		if k.Kind == "payload" && len(k.Input) == 1 {
			f.Add(k.Input[0], []byte(nil))
		}
	}
	for _, s := range []string{"", "a b", "it's", "!", "a'b!c", "$x `y` \\z", "\n", "-n", "~", "\xff", "\u00e9"} {
		f.Add([]byte(s), []byte(nil))
	}
	f.Add([]byte(nil), []byte("a shape that the grammar makes into text"))
	f.Fuzz(func(t *testing.T, text, shape []byte) {
		text = input(text, shape, gen.PayloadFromShape)
		if bytes.IndexByte(text, 0) >= 0 {
			t.Skip("no argument holds a NUL")
		}
		set(t)
		check(t, stage.payloads, oracles.Case{Payloads: [][]byte{text}})
	})
}

func FuzzCommand(f *testing.F) {
	for _, k := range corpus.Faults() {
		if k.Kind == "command" {
			f.Add(k.Input[0], []byte(nil))
		}
	}
	for _, s := range []string{"", "probe a 'b c'", "probe <<E\n$x\nE", "echo $((1+2)) | probe", "( exit 3 )", "probe \"", "x='a b'; probe \"$x\" $x"} {
		f.Add([]byte(s), []byte(nil))
	}
	f.Add([]byte(nil), []byte("a shape that the grammar makes into text"))
	f.Fuzz(func(t *testing.T, text, shape []byte) {
		text = input(text, shape, gen.CommandFromShape)
		if bytes.IndexByte(text, 0) >= 0 {
			t.Skip("no argument holds a NUL")
		}
		set(t)
		check(t, stage.commands, oracles.Case{Command: text})
	})
}
