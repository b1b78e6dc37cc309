package program

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// a is an argument vector, of which an argument may be in quotes.
func a(text string) (words []string) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimLeft(text, " ") {
		var w string
		if text[0] == '\'' {
			w, text, _ = strings.Cut(text[1:], "'")
		} else {
			w, text, _ = strings.Cut(text, " ")
		}
		words = append(words, w)
	}
	return words
}

// lines are command lines of wrappers, and what they execute: "" for nothing.
var lines = []struct{ line, inner string }{
	{"env", ""}, {"env vim x", "vim x"}, {"env -i vim x", "vim x"}, {"env - vim x", "vim x"}, {"env A=1 B= vim x", "vim x"}, {"env A=1", ""},
	{"env -u A vim", "vim"}, {"env -uA vim", "vim"}, {"env --unset A vim", "vim"}, {"env --unset=A vim", "vim"}, {"env --uns=A vim", "vim"},
	{"env -iu A vim -i", "vim -i"}, {"env -u A=B vim", ""}, {"env -u", ""}, {"env -C / vim", "vim"}, {"env -C/ vim", "vim"}, {"env --chdir=/ vim", "vim"}, {"env -C /", ""},
	{"env -0", ""}, {"env -0 vim", ""}, {"env -- vim", "vim"}, {"env -- -vim", "-vim"}, {"env -- A=1 vim", "vim"}, {"env --help vim", ""}, {"env --version", ""}, {"env --nosuch vim", ""}, {"env -x vim", ""},
	{"env -S 'vim x'", "vim x"}, {"env '-Svim x' y", "vim x y"}, {"env '--split-string=vim x' y", "vim x y"}, {"env -S '-i A=1 vim' x", "vim x"}, {"env -vS vim", "vim"},
	{"env -S '\"vim\" \"a b\" c\\_d \"e\\_f\" \\$x # more'", "vim 'a b' c d 'e f' $x"}, {"env -S 'vim a\\tb\\cc'", "vim 'a\tb'"}, {"env -S 'vim \\q'", ""}, {"env -S 'vim \"x'", ""}, {"env -S 'vim $x'", ""},
	{"env -S 'vim #a' b", "vim b"}, {"env -S 'vim a#b'", "vim a#b"}, {"env -S vim -i", "vim -i"}, {"env -S '-S \"vim x\"'", "vim x"}, {"env -S ''", ""}, {"env -S '' vim", "vim"},
	{"env --ignore-signal=PIPE vim", "vim"}, {"env --ignore-signal vim", "vim"}, {"env --default-signal --block-signal=INT vim", "vim"}, {"env --i vim", ""}, {"env --ignore-e vim", "vim"},

	{"nohup", ""}, {"nohup vim x", "vim x"}, {"nohup -- vim", "vim"}, {"nohup --help", ""}, {"nohup --version vim", ""}, {"nohup -x vim", ""}, {"nohup vim --help", "vim --help"},

	{"nice", ""}, {"nice vim", "vim"}, {"nice -5 vim", "vim"}, {"nice -n5 vim", "vim"}, {"nice -n 5 vim", "vim"}, {"nice --adjustment=5 vim", "vim"}, {"nice --adj 5 vim", "vim"},
	{"nice -n 5", ""}, {"nice -5", ""}, {"nice -n x vim", ""}, {"nice -5x vim", ""}, {"nice -+5 vim", "vim"}, {"nice -5 -n 6 vim -7", "vim -7"}, {"nice -n 99999999999999999999 vim", "vim"},
	{"nice -- vim", "vim"}, {"nice -n +5 -- vim", "vim"}, {"nice --help", ""}, {"nice -x vim", ""}, {"nice -- -5 vim", "-5 vim"}, {"nice -n '' vim", ""},

	{"timeout", ""}, {"timeout 5", ""}, {"timeout 5 vim x", "vim x"}, {"timeout 5s vim", "vim"}, {"timeout 0.5m vim", "vim"}, {"timeout .5h vim", "vim"}, {"timeout 1e1d vim", "vim"}, {"timeout 0x10 vim", "vim"},
	{"timeout 5x vim", ""}, {"timeout 5ss vim", ""}, {"timeout s vim", ""}, {"timeout -- -5 vim", ""}, {"timeout vim 5", ""}, {"timeout '' vim", ""}, {"timeout inf vim", "vim"}, {"timeout nan vim", ""}, {"timeout 1_0 vim", ""}, {"timeout ' 5' vim", "vim"}, {"timeout '5 ' vim", ""},
	{"timeout -s KILL 5 vim", "vim"}, {"timeout -sKILL 5 vim", "vim"}, {"timeout -s9 5 vim", "vim"}, {"timeout --signal=sigint 5 vim", "vim"}, {"timeout -s NOSUCH 5 vim", ""}, {"timeout -k 1 5 vim", "vim"}, {"timeout -k1s 5 vim", "vim"},
	{"timeout --kill-after=1.5 5 vim", "vim"}, {"timeout -k x 5 vim", ""}, {"timeout -vk 1 5 vim -k", "vim -k"}, {"timeout --foreground --preserve-status 5 vim", "vim"}, {"timeout --fore 5 vim", "vim"}, {"timeout --foreground=1 5 vim", ""}, {"timeout -- 5 vim", "vim"}, {"timeout --help 5 vim", ""},

	{"stdbuf", ""}, {"stdbuf vim", ""}, {"stdbuf -oL vim x", "vim x"}, {"stdbuf -o L vim", "vim"}, {"stdbuf -o0 -e 0 vim", "vim"}, {"stdbuf -i0 vim", "vim"}, {"stdbuf -iL vim", ""}, {"stdbuf --output=L vim", "vim"}, {"stdbuf --out L vim", "vim"}, {"stdbuf -o 4K -- vim", "vim"}, {"stdbuf -oX vim", ""}, {"stdbuf -oL", ""}, {"stdbuf --help", ""},

	{"setsid", ""}, {"setsid vim x", "vim x"}, {"setsid -w vim", "vim"}, {"setsid -fw vim", "vim"}, {"setsid --wait --fork vim -c", "vim -c"}, {"setsid -h vim", ""}, {"setsid -V", ""}, {"setsid -x vim", ""}, {"setsid -- vim", "vim"},

	{"ionice", ""}, {"ionice vim x", "vim x"}, {"ionice -c3 vim", "vim"}, {"ionice -c 2 -n7 vim", "vim"}, {"ionice -tc idle vim", "vim"}, {"ionice --class=best-effort --classdata 3 vim", "vim"}, {"ionice -p 1", ""}, {"ionice -c3 -p 1 vim", ""}, {"ionice -c3", ""}, {"ionice -c nosuch vim", ""}, {"ionice -h", ""}, {"ionice -u 0", ""}, {"ionice -t", ""},

	{"time", ""}, {"time vim x", "vim x"}, {"time -p vim", "vim"}, {"time -f %e vim", "vim"}, {"time -f%e -q vim -v", "vim -v"}, {"time -o f -a vim", "vim"}, {"time --format=%e --output f vim", "vim"}, {"time -pv vim", "vim"}, {"time -V vim", ""}, {"time -x vim", ""}, {"time -- vim", "vim"},

	{"xargs vim", "vim"}, {"xargs -n1 vim x", "vim x"}, {"xargs -n 1 vim -n", "vim -n"}, {"xargs -0 vim", "vim"}, {"xargs -0r vim", "vim"}, {"xargs -I{} vim {} y", "vim {} y"}, {"xargs -I {} vim a{}b", "vim a{}b"},
	{"xargs -i vim {}", "vim {}"}, {"xargs -iX vim X", "vim X"}, {"xargs --replace vim {}", "vim {}"}, {"xargs --replace=X vim X", "vim X"}, {"xargs -l vim", "vim"}, {"xargs -l2 vim", "vim"}, {"xargs -L 2 vim", "vim"}, {"xargs --max-lines vim", "vim"},
	{"xargs -e vim", "vim"}, {"xargs -eX vim", "vim"}, {"xargs -E X vim", "vim"}, {"xargs -d , vim", "vim"}, {"xargs -d '\\n' vim", "vim"}, {"xargs -d ab vim", ""}, {"xargs -a /dev/null vim", "vim"}, {"xargs -P 4 -s 1000 vim", "vim"}, {"xargs --max-procs=4 vim", "vim"},
	{"xargs -n0 vim", ""}, {"xargs -nx vim", ""}, {"xargs -t -x vim", "vim"}, {"xargs --no-run-if-empty vim -r", "vim -r"}, {"xargs -- vim", "vim"}, {"xargs --help", ""}, {"xargs -Z vim", ""}, {"xargs --max vim", ""}, {"xargs --process-slot-var=A vim", "vim"},

	{"find", ""}, {"find .", ""}, {"find . -maxdepth 0 -exec vim {} ;", "vim {}"}, {"find -maxdepth 0 -exec vim {} +", "vim {}"}, {"find . -maxdepth 0 -exec vim a{}b {} c ;", "vim a{}b {} c"}, {"find . -maxdepth 0 -execdir vim {} ;", "vim {}"},
	{"find . -maxdepth 0 -exec vim {}", ""}, {"find . -exec ;", ""}, {"find . -exec {} +", ""}, {"find . -maxdepth 0 -exec vim {} + x", ""}, {"find . -exec vim x +", ""}, {"find . -maxdepth 0 -exec vim x + {} ;", "vim x + {}"}, {"find . -nosuch -exec vim {} ;", ""},
	{"find . -maxdepth 0 ( -type d -a ! -name -exec ) -exec vim x ;", "vim x"}, {"find -L . -maxdepth 0 -newermt 2001-01-01 -exec vim x ;", "vim x"}, {"find . -name", ""}, {"find . -maxdepth 0 -print0 -printf x -exec vim -name ;", "vim -name"}, {"find . -maxdepth 0 -exec vim {} ; -exec vi ;", "vim {}"},
	{"find -O2 -D tree . -maxdepth 0 -exec vim x ;", "vim x"}, {"find --help", ""}, {"find . -version", ""}, {"find . x:", ""}, {"find -- . -maxdepth 0 -exec vim x ;", "vim x"},

	{"vim x", ""}, {"", ""},
}

// elsewhere are lines of programs that need more than a test may have.
var elsewhere = []struct{ line, inner string }{
	{"sudo", ""}, {"sudo vim x", "vim x"}, {"sudo -u root vim", "vim"}, {"sudo -uroot vim", "vim"}, {"sudo --user=root vim", "vim"}, {"sudo --user root vim -l", "vim -l"}, {"sudo --us root vim", "vim"}, {"sudo -nu root -- vim x", "vim x"},
	{"sudo A=1 vim x", "vim x"}, {"sudo A=1 -u root B=2 vim", "vim"}, {"sudo -- A=1 vim", "A=1 vim"}, {"sudo /a=b x", "/a=b x"}, {"sudo -E vim", "vim"}, {"sudo --preserve-env vim", "vim"}, {"sudo --preserve-env=A vim", "vim"}, {"sudo --preserve vim", ""},
	{"sudo -s", "bash"}, {"sudo -i", "bash"}, {"sudo -s vim 'a b' $c", "bash -c 'vim a\\ b $c'"}, {"sudo -i -u root vim ;", "bash -c 'vim \\;'"}, {"sudo -is", "bash"}, {"sudo --login vim", "bash -c vim"}, {"sudo --shell", "bash"},
	{"sudo -l", ""}, {"sudo -l vim", ""}, {"sudo -v", ""}, {"sudo -V", ""}, {"sudo -h", ""}, {"sudo -h vim x", ""}, {"sudo --help vim", ""}, {"sudo -K", ""}, {"sudo -k", ""}, {"sudo -k vim", "vim"}, {"sudo --list vim", ""}, {"sudo --validate", ""}, {"sudo -nv", ""},
	{"sudo -e f", "vi f"}, {"sudo --edit f g", "vi f g"}, {"sudo -e", ""}, {"sudo -b -n -p '' -C 3 vim", "vim"}, {"sudo -T 5 -g wheel -D / vim", "vim"}, {"sudo -x vim", ""}, {"sudo -u", ""}, {"sudo -A -P -S -H vim", "vim"}, {"/usr/bin/sudo vim", "vim"},
	{"doas", ""}, {"doas vim x", "vim x"}, {"doas -u root vim", "vim"}, {"doas -nuroot vim -s", "vim -s"}, {"doas -s", "bash"}, {"doas -s vim", ""}, {"doas -L", ""}, {"doas -C /f vim", ""}, {"doas -- vim", "vim"}, {"doas --user vim", ""}, {"doas -a x vim", "vim"},
	{"busybox", ""}, {"busybox vi x", "vi x"}, {"busybox --list", ""}, {"busybox sh -c vim", "sh -c vim"},
	{"xargs", "echo"}, {"xargs -p vim", "vim"}, {"xargs -o vim", "vim"}, {"find . -ok vim {} ;", "vim {}"}, {"find . -okdir vim {} ;", "vim {}"}, {"find . -ok vim {} +", ""}, {"env -S 'vim ${x}'", "vim ${x}"},
}

func TestBehind(t *testing.T) {
	for _, l := range slices.Concat(lines, elsewhere) {
		got, ok := Behind(a(l.line))
		if !slices.Equal(got, a(l.inner)) || ok != (l.inner != "") {
			t.Errorf("%s: %q, %v; want %q", l.line, got, ok, a(l.inner))
		}
	}
}

func TestBehindAll(t *testing.T) {
	got := BehindAll(a("find . -exec vim {} ; -o -ok rm -i {} ; -execdir a {} +"))
	if want := [][]string{a("vim {}"), a("rm -i {}"), a("a {}")}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%q", got)
	}
	if got := BehindAll(a("nice vim")); len(got) != 1 {
		t.Errorf("%q", got)
	}
	if got := BehindAll(a("vim")); got != nil {
		t.Errorf("%q", got)
	}
}

func TestOf(t *testing.T) {
	lookup := func(name string) (string, bool) { return "<" + name + ">", name != "NONE" }
	if got := Of(a("env -S 'A=1 vim ${B}c ${NONE} \"${NONE}\"' -x"), lookup); !slices.Equal(got.Inner, a("vim <B>c '' -x")) || !slices.Equal(got.Set, a("A=1")) {
		t.Errorf("%+v", got)
	}
	if got := Of(a("env -iu A -C /x vim"), nil); !got.Clear || !slices.Equal(got.Unset, a("A")) || got.Dir != "/x" {
		t.Errorf("%+v", got)
	}
	if got := Of(a("sudo -e f"), lookup); !slices.Equal(got.Inner, a("<SUDO_EDITOR> f")) {
		t.Errorf("%+v", got)
	}
	for line, want := range map[string]int{"env -x": 125, "nice -n x vim": 125, "timeout 5": 125, "nohup": 125, "sudo": 1, "find . -exec": 1, "xargs -n0": 1, "env": 0, "nice": 0} {
		if got := Of(a(line), nil); got.Inner != nil || got.Status != want {
			t.Errorf("%s: %+v, want status %d", line, got, want)
		}
	}
}

// TestRealPrograms compares with what the programs of this machine execute, where the
// only other program that they can find is one that tells of its arguments.
func TestRealPrograms(t *testing.T) {
	dir := t.TempDir()
	bin, record := filepath.Join(dir, "bin"), filepath.Join(dir, "record")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	stub := "#!/bin/sh\n[ -e " + record + " ] || printf '%s\\0' \"${0##*/}\" \"$@\" >" + record + "\n"
	// No program of this machine has that name, since env -i does without PATH.
	const name = "argvdiff-stub"
	for _, name := range []string{name, "-" + name, "vi"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(stub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	missing := map[string]bool{}
	for _, l := range lines {
		argv := a(strings.ReplaceAll(l.line, "vim", name))
		if len(argv) == 0 || !slices.Contains(Wrappers, argv[0]) || missing[argv[0]] {
			continue
		}
		real, err := exec.LookPath(argv[0])
		if err != nil {
			missing[argv[0]] = true
			t.Logf("not compared: %v", err)
			continue
		}
		work := t.TempDir()
		os.Remove(record)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		c := exec.CommandContext(ctx, real, argv[1:]...)
		c.WaitDelay = time.Second
		c.Dir, c.Env = work, []string{"PATH=" + bin}
		inner, _ := Behind(argv)
		want := ""
		for _, w := range inner {
			if argv[0] == "find" {
				w = strings.ReplaceAll(w, "{}", map[bool]string{true: "./.", false: "."}[strings.Contains(l.line, "dir")])
			}
			want += w + "\x00"
		}
		// env -i and the like take PATH away.
		cleared := want != "" && Of(argv, nil).Clear
		if plan := Of(argv, nil); plan.Words != nil && (plan.Words.Replace != "" || plan.Words.Never) {
			c.Stdin = strings.NewReader("w\n")
			if plan.Words.Never {
				want += map[bool]string{true: "w\n", false: "w"}[plan.Words.Plain] + "\x00"
			} else {
				want = strings.ReplaceAll(want, plan.Words.Replace, "w")
			}
		}
		out, err := c.CombinedOutput()
		cancel()
		got, _ := os.ReadFile(record)
		if cleared && len(got) == 0 && strings.Contains(string(out), "'"+inner[0]+"'") {
			continue
		}
		if string(got) != want && strings.HasPrefix(want, "-5\x00") && strings.Contains(string(out), "-5") {
			continue // no such program
		}
		if string(got) != want {
			t.Errorf("%s: executes %q, want %q (%v, %s)", l.line, got, want, err, out)
		}
	}
}
