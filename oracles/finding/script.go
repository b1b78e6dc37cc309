package finding

import (
	"bytes"
	_ "embed" // the parts of the script that never change
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/argvdiff/argvdiff/oracles/applet"
	"github.com/argvdiff/argvdiff/oracles/probe"
	"github.com/argvdiff/argvdiff/oracles/wire"
	quoting "github.com/argvdiff/argvdiff/targets/path"
	"github.com/argvdiff/argvdiff/targets/pty"
)

//go:embed head.sh
var scriptHead string

//go:embed body.sh
var scriptBody string

// How the case is run: by an argument or on standard input, or typed.
var (
	//go:embed launch.sh
	scriptLaunch string
	//go:embed run.sh
	scriptRun string
	//go:embed type.sh
	scriptType string
)

// launchers are the programs that paths call and that are not recorded.
var launchers = []string{"apply-seccomp", "bwrap", "sandbox-exec", "socat"}

// Bounds of a reproduction in seconds: of one that should end, and of one whose
// fault is that it does not.
const (
	endsWithin  = 10
	staysBeyond = 2
)

// Script returns the reproduction of a finding whose text enters a shell as the
// delivery says: a POSIX sh script, all ASCII, that needs a bash (its path as
// $1, or else the first one on PATH) and nothing of argvdiff. It exits 1 while
// the fault is there, 0 where the shell does what is expected, and 2 where that
// could not be found out. It runs the text of the finding, which may do
// anything: the second line says so.
//
// The stubs of the script cannot see argv[0] as the kernel has it. They tell
// their own name; where a record has another one, the names are not compared.
func Script(f Finding, d quoting.Delivery) []byte {
	b := head(f, d.Layers)
	line := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	names, anonymous := stubs(f, slices.Concat(d.Argv, [][]byte{d.Stdin}))
	line("launchers='%s'", strings.Join(mentioned(launchers, slices.Concat(d.Argv, [][]byte{d.Stdin})), " "))
	limit := endsWithin
	if FateOf(f.Observed) == "alive" {
		limit = staysBeyond
	}
	line("limit=%d", limit)
	if d.Stdin != nil {
		// A line for an interactive shell, which prints markers as well and ends,
		// with 0, where its input does.
		f.Expected.Stdout, f.Expected.Status = pty.Printed(f.Expected.Stdout, f.Expected.Status, quoting.LineID), 0
	}
	expect(b, f, names, anonymous)
	line("# What the shell reads.")
	line("text %s", strings.Join(formats(d.Stdin), " \\\n\t"))
	line("input=$text")
	line("")
	line("# The arguments of the shell.")
	line("set --")
	for _, a := range d.Argv[min(1, len(d.Argv)):] {
		line("text %s", strings.Join(formats(a), " \\\n\t"))
		line(`set -- "$@" "$text"`)
	}
	b.WriteString(scriptBody + scriptLaunch + scriptRun)
	return b.Bytes()
}

// typedWithin bounds the typing of one line of a session, in seconds.
const typedWithin = 30

// SessionScript is Script for a finding whose lines are typed into a shell in a
// terminal, which script(1) gives it. What is expected is that of the last line;
// the ids are those in the markers of the lines.
func SessionScript(f Finding, v pty.Variant, lines []quoting.Line, id string) []byte {
	last := lines[len(lines)-1]
	b := head(f, last.Layers)
	line := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	line("# It types the lines into a terminal of script(1), as fast as a slow typist, and needs that program and awk.")
	var texts [][]byte
	for _, l := range lines {
		texts = append(texts, l.Text, l.Data)
	}
	names, anonymous := stubs(f, texts)
	names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(applet.Names, name) })
	line("limit=%d", typedWithin*(len(lines)+1))
	expect(b, f, names, anonymous)
	start, end := pty.Markers(id)
	line("start=%s", start)
	line("end=%s", end)
	line("rows=%d columns=%d", pty.Rows, pty.Columns)
	line("arguments='%s'", strings.Join(v.Argv()[1:], " "))
	var words []string
	for _, variable := range v.Environ() {
		words = append(words, shellWord(variable))
		if name, value, _ := strings.Cut(variable, "="); name == "TERM" {
			line("term=%s", value)
		}
	}
	line("text %s", strings.Join(formats([]byte(strings.Join(words, " "))), " \\\n\t"))
	line("variables=$text")
	line("last=%d", len(lines))
	b.WriteString(scriptBody)
	line("# What is typed: first what the tool itself types into a fresh shell.")
	put := func(file string, data []byte) {
		line("text %s", strings.Join(formats(data), " \\\n\t"))
		line(`printf %%s "$text" >"$tmp/%s" || fail "no file in $tmp"`, file)
	}
	put("line.0", []byte(v.Begin()))
	for i, l := range lines {
		if l.File != "" {
			put(fmt.Sprintf("file.%d", i+1), l.Data)
		}
		put(fmt.Sprintf("line.%d", i+1), l.Text)
	}
	b.WriteString("\n" + scriptType)
	return b.Bytes()
}

// shellWord is the text as one word of sh.
func shellWord(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'"'"'`) + "'"
}

// head begins a script: what it is about, and functions.
func head(f Finding, layers []quoting.Layer) *bytes.Buffer {
	b := new(bytes.Buffer)
	line := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	line("#!/bin/sh")
	line("# WARNING: this runs the text of a finding, which may do anything once it is misquoted: use a machine to throw away.")
	line("#")
	line("# finding %s: %s", Quote([]byte(f.ID)), Quote([]byte(f.Class)))
	line("# path: %s", Quote([]byte(f.Path)))
	if len(f.Differ) > 0 {
		line("# shows on: %s", Quote([]byte(strings.Join(f.Differ, " "))))
	}
	if len(f.Same) > 0 {
		line("# does not show on: %s", Quote([]byte(strings.Join(f.Same, " "))))
	}
	for _, l := range layers {
		line("# %s: %s", Quote([]byte(l.Name)), window(Quote(l.Text), 0))
	}
	line("#")
	line("# usage: sh SCRIPT [BASH]; exits 1 while the fault is there, 0 if not, 2 if it could not run")
	line("")
	b.WriteString(scriptHead)

	line("")
	line("# ---- the finding ----")
	line("")
	return b
}

// expect writes what the shell is expected to do.
func expect(b *bytes.Buffer, f Finding, names []string, anonymous bool) {
	line := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	line("names='%s'", strings.Join(names, " "))
	line("keep=%d", len(f.Expected.Stdout)+64<<10)
	line("# With yes, a child has a name that a stub cannot see: names are not compared.")
	line("anonymous=%s", map[bool]string{true: "yes"}[anonymous])
	line("")
	line("# What the shell is expected to do.")
	for _, r := range f.Expected.Records {
		line("record %s", recordWords(r, anonymous))
	}
	line("stdout %s", format(f.Expected.Stdout))
	line("want_status=%d", f.Expected.Status)
	line("")
}

// recordWords is a record as the arguments of the function of that name.
func recordWords(r wire.Record, anonymous bool) string {
	mode := "read"
	switch {
	case r.Stdin == nil:
		mode = "unreadable"
	case r.StdinCut:
		mode = "cut"
	}
	words := []string{mode, format(r.Stdin)}
	for i, a := range r.Argv {
		if i == 0 {
			a = []byte(path.Base(string(a)))
			if anonymous {
				a = []byte("probe")
			}
		}
		words = append(words, format(a))
	}
	return strings.Join(words, " ")
}

// stubs returns the program names that a finding needs. It reports anonymous
// where a record has a name that is none of the probe's.
func stubs(f Finding, texts [][]byte) (names []string, anonymous bool) {
	names = append(mentioned(probe.Names, texts), "probe")
	for _, r := range slices.Concat(f.Expected.Records, f.Observed.Records) {
		if len(r.Argv) == 0 {
			anonymous = true
			continue
		}
		name := path.Base(string(r.Argv[0]))
		if slices.Contains(probe.Names, name) {
			names = append(names, name)
		} else {
			anonymous = true
		}
	}
	slices.Sort(names)
	return slices.Compact(names), anonymous
}

// mentioned returns those of the names that occur in the texts.
func mentioned(names []string, texts [][]byte) []string {
	var list []string
	for _, name := range names {
		in := func(text []byte) bool { return bytes.Contains(text, []byte(name)) }
		if slices.ContainsFunc(texts, in) {
			list = append(list, name)
		}
	}
	return list
}

// format returns a format of printf, in single quotes, that prints the bytes.
func format(text []byte) string {
	var b strings.Builder
	b.WriteByte('\'')
	for i, c := range text {
		switch {
		case c == '\n':
			b.WriteString(`\n`)
		case c == '%':
			b.WriteString("%%")
		case c < ' ', c > '~', c == '\'', c == '\\', c == '-' && i == 0:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// formats is format with one piece for each line of the text.
func formats(text []byte) []string {
	list := []string{}
	for line := range bytes.Lines(text) {
		list = append(list, format(line))
	}
	return list
}
