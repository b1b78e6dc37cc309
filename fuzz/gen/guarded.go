package gen

import (
	"bytes"

	fuzz "github.com/google/gofuzz"
)

// GuardNames lists the programs that commands for guards may run, those that a wrapper looks up although a shell has
// them built in among them.
var GuardNames = []string{
	"probe",
	"awk", "bash", "btm", "btop", "cargo", "cat", "curl", "dash", "doas", "docker", "echo", "emacs", "env", "false", "find",
	"ftp", "fzf", "gdb", "ghci", "git", "go", "grep", "head", "htop", "ionice", "irb", "journalctl", "jq", "ksh", "kubectl",
	"less", "lldb", "ls", "make", "man", "mongo", "mongosh", "more", "most", "mysql", "nano", "nice", "node", "nohup",
	"notepad", "npm", "nvim", "peco", "php", "pico", "printf", "pry", "psql", "python", "python3", "redis-cli", "rg", "ruby",
	"sed", "setsid", "sftp", "sh", "sort", "sqlite3", "ssh", "stdbuf", "sudo", "tail", "tar", "tee", "telnet", "test", "time",
	"timeout", "top", "tr", "true", "vi", "vim", "watch", "xargs", "zsh",
}

// waiting are programs that wait for a person unless their words or what they read from say otherwise.
var waiting = []string{
	"vim", "vim", "vim", "vi", "nvim", "nano", "emacs", "pico", "less", "less", "more", "most", "top", "htop", "btop", "btm",
	"watch", "python", "python", "python3", "python3", "node", "node", "irb", "ruby", "pry", "php", "ghci", "psql", "psql",
	"mysql", "sqlite3", "redis-cli", "mongo", "mongosh", "ssh", "ssh", "telnet", "ftp", "sftp", "gdb", "lldb", "fzf", "peco",
	"man", "bash", "sh", "notepad",
}

// calm are programs and builtins that wait for nobody.
var calm = []string{
	"echo", "echo", "echo", "printf", "cat", "cat", "ls", "grep", "sort", "make", "true", "false", "test", ":", "cd", "export",
}

// subjects are programs of which the first words decide whether they wait.
var subjects = []struct {
	name string
	subs []string
}{
	{"git", []string{"rebase", "rebase", "rebase", "add", "add", "commit", "commit", "log", "diff", "status"}},
	{"git", []string{"rebase", "add", "commit"}},
	{"git", []string{"rebase", "add", "commit", "stash"}},
	{"tail", nil},
	{"tail", nil},
	{"journalctl", nil},
	{"git", []string{"rebase", "add", "log"}},
	{"kubectl", []string{"logs", "exec", "attach", "run"}},
	{"docker", []string{"logs", "attach", "exec", "run"}},
}

// shells are programs that take a command as an argument.
var shells = []string{"sh", "sh", "bash", "bash", "zsh", "ksh", "dash"}

// streamGuarded keeps the commands for guards apart from the other cases of a seed.
const streamGuarded = 0xa0761d6478bd642f

// guardedCommand is the type by which gofuzz picks fillGuarded.
type guardedCommand struct{ builder }

// Guarded appends command number i for guards to dst: code that reads a command and decides whether it would start a
// program that waits for a person. It holds no NUL and is never empty, and it is short; a few in a hundred are not valid
// bash. It runs only programs of [GuardNames], and it ends.
func (g *Generator) Guarded(i uint64, dst []byte) []byte {
	g.source.reset(g.seed, streamGuarded, i)
	g.guarded.b, g.guarded.start = dst, len(dst)
	g.fuzzer.Fuzz(&g.guarded)
	dst, g.guarded.b = g.guarded.b, nil
	return dst
}

// GuardedFromShape makes a command for guards from bytes that a coverage-guided fuzzer mutates, as [PayloadFromShape]
// does.
func GuardedFromShape(shape []byte) []byte {
	var m guardedCommand
	fuzz.NewFromGoFuzz(shape).Funcs(fillGuarded).Fuzz(&m)
	return m.b
}

// guardGrammar is the grammar with its statements, words and lines changed for those of commands for guards.
var guardGrammar = guardRules()

func guardRules() rules {
	r := grammar
	r.statements = guardStatementTable()
	r.flat = guardFlatTable()
	r.words = guardWordTable()
	r.plain = guardPlainTable()
	r.quoted = guardQuotedTable()
	r.lines = guardLineTable()
	return r
}

func fillGuarded(m *guardedCommand, c fuzz.Continue) {
	m.begin(c)
	m.rules = &guardGrammar
	m.guardedText()
}

// guardedText appends a whole command. Most are one or two calls long, so that what is found is small.
func (w *builder) guardedText() {
	switch w.n(40) {
	case 0:
		w.limit = 90
	case 1, 2, 3:
		w.limit = 45
	case 4, 5, 6, 7, 8, 9, 10, 11, 12:
		w.limit = 22
	default:
		w.limit = 8
	}
	from := len(w.b)
	if w.oneIn(60) {
		w.opening()
	}
	w.statement()
	for w.size() < w.limit && w.oneIn(4) {
		w.separate()
		w.statement()
	}
	w.endLine()
	if w.oneIn(24) {
		w.closing()
	}
	if w.oneIn(44) {
		w.tear(from)
	}
	w.sweep(from)
}

// tear makes text that does not parse: it cuts the text, or puts something stray behind it or in it. Where a loop or a
// function might lose what ends it by that, nothing is put in.
func (w *builder) tear(from int) {
	text := w.b[from:]
	stray := strays[w.n(len(strays))]
	switch {
	case w.oneIn(2) && len(text) > 1:
		w.b = w.b[:from+1+w.n(len(text)-1)]
	case w.oneIn(2) || bytes.Contains(text, []byte("do")) || bytes.Contains(text, []byte("()")) || bytes.Contains(text, []byte("function")):
		w.add(stray)
	default:
		w.insert(from+w.n(len(text)+1), stray[len(stray)-1:])
	}
}

// insert puts s into the text at a place.
func (w *builder) insert(at int, s string) {
	w.scratch = append(w.scratch[:0], w.b[at:]...)
	w.b = append(w.b[:at], s...)
	w.b = append(w.b, w.scratch...)
}
