package applet

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// wrapped are command lines of wrappers, each of which may read its text, around a
// program that tells what it was given. Its name is @.
var wrapped = []struct {
	text string
	line []string
}{
	{"in", []string{"env", "A=1", "@", "x", ""}},
	{"in", []string{"env", "-u", "A", "-C", "d", "@"}},
	{"", []string{"env", "-C", "nosuch", "@"}},
	{"", []string{"env", "nosuch"}}, {"", []string{"env", "./plain"}}, {"", []string{"env", "-S", `A="b c" @ "d e" ${PATH}`}}, {"", []string{"env", "-x"}}, {"", []string{"env", "PATH=/nosuch", "@"}},
	{"in", []string{"nice", "-n5", "@", "x"}}, {"", []string{"nice", "nosuch"}}, {"", []string{"nice", "-n", "x", "@"}},
	{"in", []string{"timeout", "5s", "@", "x"}}, {"", []string{"timeout", "5", "nosuch"}}, {"", []string{"timeout", "x", "@"}}, {"", []string{"timeout", "5", "./plain"}}, {"", []string{"timeout", "5", "@", "status"}},
	{"in", []string{"nohup", "@", "x"}}, {"", []string{"nohup", "nosuch"}}, {"", []string{"nohup"}},
	{"in", []string{"stdbuf", "-oL", "@", "x"}}, {"", []string{"stdbuf", "@"}}, {"", []string{"stdbuf", "-o0", "nosuch"}},
	{"in", []string{"setsid", "-w", "@", "x"}}, {"", []string{"setsid", "-w", "nosuch"}}, {"", []string{"setsid"}},
	{"in", []string{"ionice", "-t", "@", "x"}}, {"", []string{"ionice", "nosuch"}}, {"", []string{"ionice", "-c", "nosuch", "@"}},
	{"in", []string{"time", "-p", "@", "x"}}, {"", []string{"time", "nosuch"}}, {"", []string{"time"}},
	{"in", []string{"find", "d", "-maxdepth", "0", "-exec", "@", "a{}b", "{}", ";"}}, {"", []string{"find", "-maxdepth", "0", "-exec", "@", "{}", "+"}}, {"", []string{"find", "d", "-maxdepth", "0", "-execdir", "@", "{}", ";"}},
	{"", []string{"find", "d", "-maxdepth", "0", "-exec", "@", "status", "{}", "+"}}, {"", []string{"find", "d", "-maxdepth", "0", "-exec", "@", "status", ";"}}, {"", []string{"find", "-exec", "@"}},

	{"a b\n c\t'd e' \"f'g\" h\\ i\\\nj\n\n", []string{"xargs", "@", "x"}},
	{"", []string{"xargs", "@"}}, {"", []string{"xargs", "-r", "@"}}, {" \n", []string{"xargs", "@"}}, {"", []string{"xargs", "-I{}", "@", "{}"}}, {"''", []string{"xargs", "@"}},
	{"a b c d e", []string{"xargs", "-n2", "@", "x"}}, {"a b\nc\n\nd \ne\nf", []string{"xargs", "-L1", "@"}}, {"a b\nc\n\nd \ne\nf", []string{"xargs", "-L2", "@"}}, {"\n\na\n\nb\n", []string{"xargs", "-l", "@"}},
	{" a b \n\n'c'\td\n", []string{"xargs", "-I{}", "@", "x{}y", "{}{}"}}, {"a\nb\n", []string{"xargs", "-i", "@", "{}"}}, {"a b\nc\n", []string{"xargs", "-I", "X", "-n1", "@", "X"}},
	{"a b\nc", []string{"xargs", "-I", "X", "-n2", "@", "X"}}, {"a b\nc\n", []string{"xargs", "-n1", "-L2", "@"}},
	{"a\x00b c\x00\x00d", []string{"xargs", "-0", "@"}}, {"a\x00b\x00", []string{"xargs", "-0n1", "@"}}, {"a,b c,,'d'\n", []string{"xargs", "-d,", "@"}}, {"a b\n'c\n", []string{"xargs", "-d", `\n`, "@"}}, {"a,b,c", []string{"xargs", "-d,", "-L2", "@"}}, {"a,b", []string{"xargs", "-d,", "-I{}", "@", "x{}"}},
	{"a 'b\nc", []string{"xargs", "@"}}, {"a\nb 'c\nd", []string{"xargs", "-n1", "@"}}, {"a END b", []string{"xargs", "-EEND", "@"}}, {"a END b", []string{"xargs", "-eEND", "-n1", "@"}}, {"a\n'END'\nb", []string{"xargs", "-E", "END", "@"}},
	{"1", []string{"xargs", "@", "status"}}, {"255 1", []string{"xargs", "-n1", "@", "status"}}, {"''\n", []string{"xargs", "@"}}, {"a ''", []string{"xargs", "@"}}, {"1 255 2", []string{"xargs", "-n1", "@", "status"}}, {"1 2", []string{"xargs", "-n1", "@", "status"}}, {"a", []string{"xargs", "nosuch"}}, {"a", []string{"xargs", "./plain"}}, {"a b", []string{"xargs"}}, {"a b", []string{"xargs", "-n1"}},
	{"in", []string{"xargs", "-a", "words", "@"}}, {"in", []string{"xargs", "-a", "nosuch", "@"}}, {"a\\", []string{"xargs", "@"}}, {"a\vb\fc\rd", []string{"xargs", "@"}}, {"a\r\nb", []string{"xargs", "@"}},
}

// TestWrappers compares what wrappers of this machine let be executed.
func TestWrappers(t *testing.T) {
	dir := t.TempDir()
	const name = "argvdiff-stub"
	for file, text := range map[string]string{
		"bin/" + name: "#!/bin/sh\nprintf '<%s>' \"$@\" \"$A\" \"${PWD##*/}\" \"$(/bin/cat)\"\n[ \"$1\" != status ] || exit ${2-7}\n",
		"work/plain":  "", "work/words": "a b\n", "work/d/f": "",
	} {
		file = filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o644)
		if strings.HasPrefix(text, "#!") {
			mode = 0o755
		}
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	missing := map[string]bool{}
	for _, w := range wrapped {
		real, err := exec.LookPath(w.line[0])
		if err != nil || emulator != "" {
			if !missing[w.line[0]] {
				t.Logf("not compared: %s, %v", w.line[0], err)
			}
			missing[w.line[0]] = true
			continue
		}
		var got [2]result
		for i, program := range []string{real, ""} {
			var args []string
			for _, a := range w.line[1:] {
				args = append(args, strings.ReplaceAll(a, "@", name))
			}
			c := command(t, program, "C", filepath.Join(dir, "work"), w.text, w.line[0], args...)
			c.Env = []string{"PATH=" + filepath.Join(dir, "bin"), variable + "=1", "A=outer"}
			if w.line[0] == "xargs" && !strings.Contains(strings.Join(args, " "), name) && len(args) < 2 && !strings.Contains(strings.Join(args, " "), "/") {
				c.Env[0] += ":/bin" // where its echo is
			}
			got[i] = run(t, c)
			got[i].err = ""
		}
		if got[0] != got[1] {
			t.Errorf("%q of %q:\ngot  %v\nwant %v", w.line, w.text, got[1], got[0])
		}
	}
}
