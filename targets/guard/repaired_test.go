package guard

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func repairedGuard(t testing.TB) Guard {
	g, ok := Lookup("guard@repaired")
	if !ok {
		t.Fatal("there is no guard@repaired")
	}
	return g
}

// golden calls each for the inputs of testdata, which the revisions are known for, and
// what the control says of them.
func golden(t *testing.T, each func(text, want string)) {
	data, err := os.ReadFile("testdata/repaired.txt")
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(data)) {
		quoted, want, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
		text, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatal(quoted, err)
		}
		each(text, want)
	}
}

func TestRepairedGolden(t *testing.T) {
	g := repairedGuard(t)
	golden(t, func(text, want string) {
		if got, hit := g.Judge(text, "linux"); got != want || hit != (want != "") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	})
}

// Texts, and whether bash starts vim for them.
var starts = []struct {
	text string
	vim  bool
}{
	// Words.
	{`f=vim; $f x`, true}, {`f=vim; "$f" x`, true}, {`f='vim x'; $f`, true}, {`f='vim x'; "$f"`, false}, {`f=vi; ${f}m x`, true},
	{`a=v b=im; $a$b x`, true}, {`unset x; ${x:-vim} y`, true}, {`unset x; ${x-vim} y`, true}, {`x=; ${x-vim} y`, false}, {`unset x; $x vim`, true}, {`x=cat; ${x:-vim} /dev/null`, false}, {`unset x; : ${x:=vim}; $x y`, true},
	{`x=1; ${x:+vim} y`, true}, {`set -- vim x; "$@"`, true}, {`set -- vim x; $1 y`, true}, {`set -- a vim; shift; $1`, true}, {`set -- a vim; $1 2>/dev/null`, false},
	{`a=(vim x); "${a[@]}"`, true}, {`a=(cat vim); ${a[1]} x`, true}, {`a=(true vim); $a x`, false}, {`a=(true); a+=(x vim); ${a[2]} x`, true},
	{`for p in true vim; do $p x; done`, true}, {`for p in true echo; do $p vim; done`, false}, {`$(echo vim) x`, true}, {"`echo vim` x", true}, {`$(printf v%s im) x`, true}, {`$(printf '\x76im') x`, true},
	{`{vim,x}`, true}, {`v{i,o}m x`, true}, {`echo {vim,x}`, false}, {`vi{m..m} x`, true}, {`IFS=,; f=vim,x; $f`, true}, {`IFS=; f='vim x'; $f`, false}, {`vim$IFS'x' y`, true},
	{`$'\166im' x`, true}, {`$'\u0076im' x`, true}, {`$'vim\0z' x`, true}, {`"vi"'m' x`, true}, {`"vi\m" x`, false}, {`v\im x`, true}, {"vi\\\nm x", true}, {"\"vi\\\nm\" x", true}, {`'vim x'`, false}, {`"$(echo 'vim x')"`, false}, {`"" vim`, false}, {`e=; $e vim x`, true},
	{`f=v; f+=im; $f x`, true}, {`printf -v f vim; $f x`, true}, {`read f <<<vim; $f x`, true}, {`f=vim eval '$f x'`, true}, {`f=true; g=$f; f=vim; $g x`, false}, {`f=$(echo vim); $f x`, true},
	// What is reached.
	{`exit; vim`, false}, {`exit 1 || vim`, false}, {`exec true; vim`, false}, {`(exit); vim`, true}, {`f() { return; vim; }; f`, false}, {`f() { return; }; f; vim`, true}, {`{ exit; }; vim`, false},
	{`for i in 1; do break; vim; done`, false}, {`for i in; do vim; done`, false}, {`while :; do break; done; vim`, true}, {`set -n; vim`, false}, {`if :; then exit; else exit; fi; vim`, false},
	{`case x in *) exit;; esac; vim`, false}, {`exec >/dev/null; vim`, true}, {`return 2>/dev/null; vim`, true}, {`eval exit; vim`, false}, {`: | exit; vim`, true}, {`command exit; vim`, false}, {`true && vim`, true}, {`false || vim`, true},
	// Functions and builtins.
	{`vim() { :; }; vim`, false}, {`vim() { :; }; command vim`, true}, {`vim() { :; }; env vim`, true}, {`f() { vim; }`, false}, {`f() { vim; }; g() { f; }; g`, true}, {`f; f() { vim; }`, false},
	{`f() { "$@"; }; f vim x`, true}, {`f() { $2; }; f a vim`, true}, {`f() { vim; }; unset -f f; f`, false}, {`(f() { vim; }); f`, false}, {`f() { vim; }; $(echo f)`, true}, {`f() { vim; }; env f`, false}, {`function f { vim; }; f`, true},
	{`f() { vim; }; f() { :; }; f`, false}, {`command -v vim`, false}, {`command -V vim`, false}, {`command -p -- true vim`, false}, {`type vim`, false}, {`builtin vim`, false}, {`builtin eval vim`, true}, {`builtin command vim`, true}, {`eval "v"im x`, true}, {`eval 'f=vim'; $f x`, true},
	{`exec vim`, true}, {`exec -a x vim`, true}, {`exec -c -l true vim`, false}, {`trap vim EXIT`, true}, {`trap vim 0; exit`, true}, {`trap vim EXIT; trap - EXIT`, false}, {`trap vim EXIT; exec true`, false}, {`trap vim INT`, false}, {`(trap vim EXIT)`, true}, {`trap 'true vim' EXIT`, false}, {`trap vim DEBUG; :`, true}, {`trap -- vim SIGEXIT`, false},
	{`time vim`, true}, {`time -p vim`, true}, {`! vim`, true}, {`coproc vim; wait`, true}, {`echo vim`, false}, {`: vim; true vim`, false},
	// Substitutions.
	{`x=$(vim)`, true}, {`: "$(vim)"`, true}, {`: ${x:-$(vim)}`, true}, {`: $((0$(vim)))`, true}, {`cat <(vim)`, true}, {`[[ $(vim) ]]`, true}, {`: <<<$(vim)`, true}, {": <<E\n$(vim)\nE", true}, {": <<'E'\n$(vim)\nE", false}, {": <<E\n\\$(vim)\nE", false}, {`: '$(vim)'`, false}, {`a=([$(vim)]=1)`, true}, {`export x=$(vim)`, true}, {`: >$(vim; echo /dev/null)`, true}, {`case $(vim) in x) ;; esac`, true}, {`for i in $(vim); do :; done`, true}, {`(( $(vim; echo 1) ))`, true},
	// Shells.
	{`bash -c 'vim x'`, true}, {`bash -ec 'vim x'`, true}, {`bash -o errexit -c 'vim x'`, true}, {`bash -c -e 'vim x'`, true}, {`bash -c -- 'vim x'`, true}, {`bash +x -c vim`, true}, {`bash -c '$0 x' vim`, true}, {`bash -c '$1 x' _ vim`, true}, {`bash -c '"$@"' _ vim x`, true}, {`bash -c 'true' vim`, false}, {`bash -s vim </dev/null`, false},
	{`bash <<<'vim x'`, true}, {"bash <<E\nvim\nE", true}, {"bash -s a <<'E'\n$1\nvim\nE", true}, {`echo vim | bash`, true}, {`printf 'vim\n' | sh`, true}, {`echo true vim | bash`, false}, {"cat <<E | sh\nvim\nE", true}, {`f=vim; bash -c '$f x'`, false}, {`export f=vim; bash -c '$f x'`, true}, {`f=vim bash -c '$f x'`, true}, {`echo exit | bash; vim`, true}, {`bash -c 'exit'; vim`, true}, {`. /dev/stdin <<<vim`, true}, {`bash -n -c vim`, false},
	// Wrappers.
	{`env vim`, true}, {`env -i PATH="$PATH" vim`, true}, {`env -u x vim`, true}, {`env x=1 true vim`, false}, {`env -S 'vim x'`, true}, {`env`, false}, {`timeout 5 vim`, true}, {`timeout -k 1 5s vim`, true}, {`timeout 5 true vim`, false}, {`nice -n 1 vim`, true}, {`nice vim`, true}, {`stdbuf -o0 vim`, true}, {`stdbuf -o 0 true vim`, false}, {`setsid -w vim`, true}, {`echo x | xargs vim`, true}, {`echo x | xargs -n 1 true vim`, false}, {`echo x | xargs -I {} vim {}`, true}, {`find . -maxdepth 0 -exec vim {} \;`, true}, {`find . -maxdepth 0 -name vim`, false}, {`env bash -c 'vim x'`, true}, {`timeout 5 env nice vim`, true},
	// Lines and errors.
	{"vim\n)", true}, {"vim; )", false}, {"true\nvim; )", false}, {"vim # )\n)", true}, {"vim\nif", true}, {"{ vim\n)", false}, {"'vim", false}, {"vim 'x", false}, {"vim\necho 'x", true}, {"true <<E\nvim\nE\n)", false}, {"vim <<E\nx\nE\n)", true}, {"bash -c 'vim; )'", false}, {"eval 'vim\n)'", true}, {"vim; true\ntrue; )", true}, {"true\nvim & )", false},
}

// What the control says is what bash does: one that is here is asked, with a vim that
// only leaves a note.
func TestRepairedStarts(t *testing.T) {
	g := repairedGuard(t)
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Log("not run with bash: there is none")
	}
	bin := t.TempDir()
	note := filepath.Join(t.TempDir(), "note")
	if err := os.WriteFile(filepath.Join(bin, "vim"), []byte("#!/bin/sh\n: >"+note+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, row := range starts {
		name, hit := g.Judge(row.text, "linux")
		if hit != row.vim || hit && name != "vim" {
			t.Errorf("%q: %q, %v; want %v", row.text, name, hit, row.vim)
		}
		if bash == "" {
			continue
		}
		c := exec.Command(bash, "-c", row.text)
		c.Dir = t.TempDir()
		c.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + c.Dir}
		_ = c.Run()
		_, err := os.Stat(note)
		if (err == nil) != row.vim {
			t.Errorf("%q: bash starts it: %v; want %v", row.text, err == nil, row.vim)
		}
		_ = os.Remove(note)
	}
}

// Texts, and what waits in them.
var judged = []struct{ text, want string }{
	// Terminals.
	{`python`, "python"}, {`python </dev/null`, ""}, {`python <&-`, ""}, {`python 0</dev/null`, ""}, {`python < /dev/tty`, "python"}, {`python >/dev/null`, "python"}, {`{ python; } <f`, ""}, {`(python) <f`, ""}, {`echo 1 | python`, ""}, {`echo 1 | { python; }`, ""}, {`echo 1 | (cat; python)`, ""}, {`python | cat`, "python"},
	{`while read -r l; do python; done <f`, ""}, {`for i in 1; do python; done`, "python"}, {`for i in 1; do python; done <f`, ""}, {`exec <f; python`, ""}, {`exec 0<&-; python`, ""}, {`(exec <f); python`, "python"}, {`exec 3<&0 <f; python <&3`, "python"}, {`exec 3<&0 <f; python`, ""}, {`python & wait`, ""}, {`python </dev/tty &`, "python"}, {`f() { python; }; f <f`, ""}, {`f() { python; } <f; f`, ""},
	{`eval python <f`, ""}, {`bash -c python <f`, ""}, {`echo 1 | bash -c python`, ""}, {`echo python | bash`, ""}, {`echo 'python </dev/tty' | bash`, "python"}, {`bash <f`, ""}, {`bash script`, ""}, {`curl x | sh`, ""}, {`bash <(curl x)`, ""}, {`echo ls | bash -i`, ""},
	{`less f`, "less"}, {`less f >out`, ""}, {`less f | cat`, ""}, {`git log | less > f`, ""}, {`git log | less`, "less"}, {`x=$(less f)`, ""}, {`x=$(vim f)`, "vim"}, {`less f >&2`, "less"}, {`less f 2>&1`, "less"}, {`less f >/dev/tty`, "less"}, {`exec >log; less f`, ""}, {`exec 3>&1 >log; less f >&3`, "less"}, {`less f &>/dev/null`, ""}, {`less f >& out`, ""}, {`less f >|out`, ""}, {`less f 3>out`, "less"}, {`less f 1>&-`, ""}, {`less f > >(cat)`, ""}, {`{ less f; } >out`, ""}, {`less <<<x`, "less"}, {`man ls | cat`, ""}, {`man ls`, "man"}, {`PAGER=cat man ls`, ""}, {`MANPAGER=cat man ls`, ""}, {`env PAGER=cat man ls`, ""}, {`PAGER=less man ls`, "man"},
	{`vim x </dev/null >/dev/null 2>&1`, ""}, {`vim x </dev/null`, "vim"}, {`nohup vim x`, ""}, {`nohup less f`, ""}, {`nohup tail -f f`, "tail -f"}, {`xargs python <f`, ""}, {`ssh host <<E
ls
E`, ""}, {`ssh host </dev/null`, ""}, {`find . -name x | xargs less`, "less"}, {`docker exec -i c psql < f`, ""}, {`psql db <f`, ""}, {`mysql -p db <f`, "mysql"},
	// Editors.
	{`GIT_EDITOR=true git commit`, ""}, {`GIT_EDITOR=: git rebase --continue`, ""}, {`export GIT_EDITOR=true; git commit --amend`, ""}, {`GIT_EDITOR=true; git commit`, "git commit"}, {`GIT_SEQUENCE_EDITOR=: git rebase -i x`, ""}, {`EDITOR=true git commit`, ""}, {`GIT_EDITOR=vim EDITOR=true git commit`, "git commit"}, {`env GIT_EDITOR=true git commit`, ""}, {`GIT_EDITOR=true git add -p`, "git add -p"}, {`git -c core.editor=true commit`, ""}, {`yes | git add -p`, ""}, {`EDITOR=true crontab -e`, ""}, {`GIT_EDITOR="sed -i s/pick/squash/" git rebase -i x`, "git rebase -i"},
	// What is not known.
	{`docker $x attach`, ""}, {`docker attach $x`, "docker attach"}, {`tail $x log`, ""}, {`tail -n$x -f log`, "tail -f"}, {`tail -$x log`, ""}, {`tail "-$x"f log`, ""}, {`tail --follow=$x log`, "tail -f"}, {`python $x`, ""}, {`ssh $h`, "ssh"}, {`ssh $h ls`, ""}, {`$HOME/bin/vim x`, "vim"}, {`"$x"vim`, ""}, {`psql "$URL"`, "psql"}, {`psql "$URL" -c "$q"`, ""}, {`docker exec -it "$c" bash`, "docker exec"}, {`git $x commit`, ""}, {`git commit $x`, "git commit"}, {`git commit -m "$x"`, ""}, {`bash "$x"`, ""}, {`bash -c "$x"`, ""}, {`bash -c "vim $x"`, "vim"}, {`bash -c "cd $x && vim"`, "vim"}, {`eval "$x"`, ""}, {`eval vim "$x"`, "vim"}, {`for i in $x; do vim $i; done`, "vim"}, {`for i in $x; do $i; done`, ""}, {`echo vim $x | bash`, "vim"},
	{`if [ $x ]; then p=vim; else p=cat; fi; $p f`, "vim"}, {`p=vim; if [ $x ]; then p=cat; $p f; exit; fi`, ""}, {`p=vim; if [ $x ]; then p=cat; else p=ls; fi; $p f`, ""}, {`p=cat; [ $x ] && p=vim; $p f`, "vim"}, {`while x; do $p f; p=vim; done`, "vim"}, {`case $x in a) p=vim;; esac; $p`, "vim"}, {`false && vim`, "vim"}, {`true || vim`, "vim"}, {`[ $x ] && f() { vim; }; f`, "vim"}, {`vim() { :; }; [ $x ] && unset -f vim; vim`, "vim"}, {`[ $x ] || exit; vim`, "vim"}, {`[ $x ] && trap vim EXIT`, "vim"}, {`f() { f; }; f`, ""}, {`f() { f | f & }; f`, ""}, {`f() { eval f; }; f`, ""},
	// Asking.
	{`read x`, "read"}, {`read -p 'Sure? ' x`, "read"}, {`read -t 5 x`, ""}, {`read x <f`, ""}, {`echo y | read x`, ""}, {`select x in a b; do break; done`, "select"}, {`select x in a b; do break; done <f`, ""}, {`cat f | while read l; do echo; done`, ""}, {`read -u 3 x 3<f`, ""},
	{`env`, ""}, {`sudo -v`, ""}, {`exec`, ""}, {`command`, ""}, {`eval`, ""}, {`.`, ""}, {`trap`, ""}, {`set`, ""}, {`builtin`, ""}, {`time`, ""}, {`!`, ""}, {`unset`, ""}, {`export`, ""}, {`git`, ""}, {`{}`, ""}, {`()`, ""}, {"", ""}, {"\n", ""}, {"\x00", ""},
}

func TestRepairedJudges(t *testing.T) {
	g := repairedGuard(t)
	for _, row := range judged {
		text := strings.NewReplacer(`\n`, "\n").Replace(row.text)
		if got, hit := g.Judge(text, "linux"); got != row.want || hit != (row.want != "") {
			t.Errorf("%q: %q, want %q", text, got, row.want)
		}
	}
}

// On Windows names of programs are written in other ways.
func TestRepairedWindows(t *testing.T) {
	g := repairedGuard(t)
	for text, want := range map[string]string{"notepad x": "notepad", "notepad.exe x": "notepad", "VIM x": "vim", "vim.exe x": "vim", `'C:\tools\vim.exe' x`: "vim", "C:/tools/vim.exe x": "vim", "dir & notepad x": "notepad", "dir": "", "echo notepad": ""} {
		if got, _ := g.Judge(text, "windows"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What the control cannot know is said, with examples that it lets pass.
func TestLimits(t *testing.T) {
	g := repairedGuard(t)
	for _, l := range Limits {
		if name, hit := g.Judge(l.Example, "linux"); hit {
			t.Errorf("%s: %q is known to wait: %q", l.Name, l.Example, name)
		}
		if l.Name == "" || l.Why == "" || l.Example == "" || strings.HasSuffix(l.Why, ".") {
			t.Errorf("%+v is incomplete", l)
		}
	}
}

func BenchmarkRepaired(b *testing.B) {
	g := repairedGuard(b)
	for _, text := range []string{"ls -la", "vim x", `git commit -m "x" && git push`, `for f in a b c; do if [ -f "$f" ]; then cat "$f" | less >out; fi; done`, `bash -lc "cd /tmp && env A=1 timeout 5s python3 s.py"`} {
		b.Run(strings.Fields(text)[0], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g.Judge(text, "linux")
			}
		})
	}
}

// What is large or grows ends soon.
func TestRepairedBounded(t *testing.T) {
	g := repairedGuard(t)
	for _, text := range []string{
		strings.Repeat("(", 1<<18), strings.Repeat("(", 1<<12), strings.Repeat("( ", 1<<11) + "x" + strings.Repeat(")", 1<<11), strings.Repeat("$(", 1<<12), strings.Repeat("{ ", 1<<15), strings.Repeat("`", 1<<15), strings.Repeat("if ", 1<<14), strings.Repeat("${x:-", 1<<13), "[[ " + strings.Repeat("! ", 1<<14), "$((" + strings.Repeat("-", 1<<15),
		strings.Repeat("$(echo ", 1<<12) + strings.Repeat(")", 1<<12), "echo " + strings.Repeat("{a,b}", 1<<12), "echo " + strings.Repeat("{", 1<<12), strings.Repeat("! ", 1<<15) + "true",
		"x=xxxx\n" + strings.Repeat("x=$x$x\n", 1000), "a=(x x)\n" + strings.Repeat("a=(\"${a[@]}\" \"${a[@]}\")\n", 1000), "set -- x x\n" + strings.Repeat("set -- \"$@\" \"$@\"\n", 1000),
		"f() { f; f; }; f", "f() { eval 'f; f'; }; f", "x='eval \"$x$x\"'; eval \"$x\"", "x='bash -c \"$x;$x\"'; export x; eval \"$x\"", strings.Repeat("for i in a b; do x$i=1; ", 200) + strings.Repeat("done;", 200),
		strings.Repeat("env ", 1<<14) + "vim", strings.Repeat("x && ", 1<<13) + "x", strings.Repeat("x | ", 1<<13) + "x", "printf '%s%s' " + strings.Repeat("x ", 1<<14), strings.Repeat("vim", 1<<18),
	} {
		begun := time.Now()
		g.Judge(text, "linux")
		took := time.Since(begun)
		if took > 100*time.Millisecond {
			t.Logf("%.40q of %d bytes: it took %v", text, len(text), took)
		}
		if took > 3*time.Second {
			t.Errorf("%.40q of %d bytes: it took %v", text, len(text), took)
		}
	}
}

// No text makes the control fail or go on without end.
func FuzzRepaired(f *testing.F) {
	for _, row := range starts {
		f.Add(row.text)
	}
	for _, row := range judged {
		f.Add(row.text)
	}
	for _, l := range Limits {
		f.Add(l.Example)
	}
	g := repairedGuard(f)
	f.Fuzz(func(t *testing.T, text string) {
		begun := time.Now()
		name, hit := g.Judge(text, "linux")
		if hit != (name != "") {
			t.Errorf("%q, %v", name, hit)
		}
		if took := time.Since(begun); took > 2*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}
