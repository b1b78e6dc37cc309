package finding

import (
	"bytes"
	_ "embed" // the part of the script that never changes
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/argvdiff/argvdiff/oracles/wire"
	quoting "github.com/argvdiff/argvdiff/targets/path"
	"github.com/argvdiff/argvdiff/targets/program"
)

//go:embed read.sh
var scriptRead string

//go:embed parse.sh
var scriptParse string

// ReadingScript is [Script] for a finding about code that reads a command. The script
// cannot ask that code: it shows which programs the text starts, and exits 1 while
// they are those of the records, by which the verdict is wrong. The text may be a
// variant of the command that takes another branch.
func ReadingScript(f Finding, text []byte, records []wire.Record) []byte {
	b := head(f, []quoting.Layer{{Name: "command", Text: f.Input[0]}, {Name: "run", Text: text}})
	line := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	line("limit=%d keep=0 anonymous=", endsWithin)
	var names []string
	for _, r := range records {
		if len(r.Argv) > 0 {
			names = append(names, path.Base(string(r.Argv[0])))
		}
	}
	names = append(append(names, "probe"), mentioned(program.Names(), [][]byte{text})...)
	names = slices.DeleteFunc(names, func(n string) bool { return strings.Trim(n, nameBytes) != "" || n == "" })
	slices.Sort(names)
	line("names='%s'", strings.Join(slices.Compact(names), " "))
	about(line, f.Reading)
	line("")
	line("# The programs that are started, each with whether its input (= or <) and its")
	line("# output (> where not) are those of the command as a whole.")
	line("child() {")
	line("\tends=$1 line=")
	line("\tshift")
	line("\tfor format; do")
	line("\t\tline=\"$line / $(printf \"$format\" | octal)\"")
	line("\tdone")
	line("\twant=$want$(echo $line $ends)$nl")
	line("}")
	for _, r := range records {
		words := []string{"'='"}
		if !r.InTTY {
			words[0] = "'<'"
		}
		if !r.OutTTY {
			words[0] = words[0][:2] + " >'"
		}
		for i, a := range r.Argv {
			if i == 0 {
				a = []byte(path.Base(string(a)))
			}
			words = append(words, format(a))
		}
		line("child %s", strings.Join(words, " "))
	}
	argument(b, text)
	b.WriteString(scriptBody + scriptRead + scriptRun)
	return b.Bytes()
}

// nameBytes are those of names that a script makes stubs for.
const nameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-"

// ParseScript is the script of a finding about whether a command parses.
func ParseScript(f Finding) []byte {
	b := head(f, []quoting.Layer{{Name: "command", Text: f.Input[0]}})
	line := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	about(line, f.Reading)
	line("takes=%s", map[bool]string{true: "yes", false: "no"}[f.Expected.Status == 0])
	argument(b, f.Input[0])
	b.WriteString(scriptParse)
	return b.Bytes()
}

// about writes what was said.
func about(line func(string, ...any), r *Reading) {
	said := r.Guard + " says " + r.Verdict
	if r.Verdict == Hit {
		said += " " + r.Name
	}
	fault := r.Class
	switch {
	case r.Class == Miss:
		fault = r.Name + " runs, and waits for a person"
	case r.Class == FalseAlarm:
		fault = "no " + r.Name + " that waits runs"
	case r.Cause != "":
		fault = r.Cause
	}
	line("verdict=%s", shellWord(Quote([]byte(said))))
	line("fault=%s", shellWord(Quote([]byte(fault))))
}

// argument writes the text as that of bash -c.
func argument(b *bytes.Buffer, text []byte) {
	fmt.Fprintf(b, "\ntext %s\n", strings.Join(formats(text), " \\\n\t"))
	b.WriteString("set -- -c \"$text\"\n")
}
