package gen

import (
	fuzz "github.com/google/gofuzz"
)

// Names lists the programs that commands run. In every home each of them is a child that records its arguments, reads
// its standard input to the end unless that is a terminal, prints nothing and exits with 0.
var Names = []string{
	"probe",
	"awk", "cargo", "cat", "curl", "docker", "find", "git", "go", "grep", "head", "jq", "less", "ls", "make", "man",
	"node", "npm", "python3", "rg", "sed", "sort", "ssh", "tar", "tee", "tr", "vim", "xargs",
}

// Generator makes payloads, commands and sessions by number. It reuses its buffers and its random source, so it must
// not be used by two goroutines at once; give each worker its own.
type Generator struct {
	seed    uint64
	source  source
	fuzzer  *fuzz.Fuzzer
	payload payload
	command command
	session session
	guarded guardedCommand
	words   words
}

// New returns a generator for a seed. Generators with the same seed answer the same number with the same bytes, in
// whichever order they are asked.
func New(seed uint64) *Generator {
	g := &Generator{seed: seed}
	g.fuzzer = fuzz.New().RandSource(&g.source).Funcs(fillPayload, fillCommand, fillSession, fillWords, fillGuarded)
	return g
}

// Payload appends payload number i to dst. A payload holds no NUL; it may be empty.
func (g *Generator) Payload(i uint64, dst []byte) []byte {
	g.source.reset(g.seed, streamPayload, i)
	g.payload.b, g.payload.start = dst, len(dst)
	g.fuzzer.Fuzz(&g.payload)
	dst, g.payload.b = g.payload.b, nil
	return dst
}

// Command appends command number i to dst. A command holds no NUL and is never empty; a few in a hundred are not valid
// bash.
func (g *Generator) Command(i uint64, dst []byte) []byte {
	g.source.reset(g.seed, streamCommand, i)
	g.command.b, g.command.start = dst, len(dst)
	g.fuzzer.Fuzz(&g.command)
	dst, g.command.b = g.command.b, nil
	return dst
}

// PayloadFromShape makes a payload from bytes that a coverage-guided fuzzer mutates. The bytes are the random numbers
// of the grammar; where they run out, the rest follows from the first eight of them.
func PayloadFromShape(shape []byte) []byte {
	var p payload
	fuzz.NewFromGoFuzz(shape).Funcs(fillPayload, fillCommand).Fuzz(&p)
	return p.b
}

// CommandFromShape makes a command from bytes that a coverage-guided fuzzer mutates, as [PayloadFromShape] does.
func CommandFromShape(shape []byte) []byte {
	var c command
	fuzz.NewFromGoFuzz(shape).Funcs(fillPayload, fillCommand).Fuzz(&c)
	return c.b
}

// payload and command are types by which gofuzz picks the function that fills them.
type (
	payload struct{ builder }
	command struct{ builder }
)

func fillPayload(p *payload, c fuzz.Continue) {
	p.begin(c)
	p.choose(&grammar.payloads)
}

func fillCommand(m *command, c fuzz.Continue) {
	m.begin(c)
	m.program()
}
