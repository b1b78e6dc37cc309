package oracles

import (
	"strings"
	"testing"

	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/guard"
	"github.com/argvdiff/argvdiff/targets/path"
)

// readings is what the guards say of commands, as the class, the name, who is wrong
// and why.
var readings = []struct{ guard, command, want string }{
	// Both sides of a plain call.
	{"base", "vim x", "agree vim"},
	{"head", "vim x", "agree vim"},
	{"head", "echo vim", "agree"},
	{"head", "ls -la", "agree"},

	// The gaps of a splitter: what stands before the call.
	{"base", "{ vim x; }", "miss vim: behind a brace (splitter)"},
	{"base", "echo ok\nvim x", "miss vim: behind a newline (splitter)"},
	{"base", "echo ok & vim", "miss vim: behind a single & (splitter)"},
	{"base", "( vim )", "miss vim: behind a parenthesis (splitter)"},
	{"base", "if true; then vim; fi", "miss vim: behind a keyword (splitter)"},
	{"base", "! vim", "miss vim: behind ! (splitter)"},
	{"base", "cat <(vim)", "miss vim: behind a process substitution (splitter)"},
	{"base", "case x in x) vim;; esac", "miss vim: behind a pattern of case (splitter)"},
	{"draft", "{ vim x; }", "agree vim"},

	// The gaps of the tree.
	{"f8c902c", `{ vim "$f"; }`, "agree vim"},
	{"df2cd63", `{ vim "$f"; }`, "miss vim: a dynamic word (both)"},
	{"head", "for f in a; do vim $f; done", "miss vim: a dynamic word (both)"},
	{"head", "timeout 5s vim", "miss vim: a wrapper's operand (both)"},
	{"head", `find . -exec vim {} \;`, "miss vim: a wrapper's operand (both)"},
	{"head", "env -S 'vim x'", "miss vim: a wrapper's operand (both)"},
	{"head", `A="b c" vim`, "agree vim"},
	{"base", `A="b c" vim`, "miss vim: an assignment (splitter)"},
	{"head", "eval vim", "miss vim: eval (both)"},
	{"head", "eval 'vim x'", "miss vim: behind a quoted payload (both)"},
	{"head", "builtin eval vim", "miss vim: builtin (both)"},
	{"head", "bash -lc 'vim x'", "miss vim: behind a quoted payload (both)"},
	{"head", "bash -i", "miss bash: not in its tables (both)"},
	{"head", "bash", "miss bash: not in its tables (both)"},
	{"head", `$'vi\x6d' x`, "miss vim: an ANSI-C quote (both)"},
	{"head", `EDITOR=vim; "$EDITOR" x`, "miss vim: a dynamic program (both)"},
	{"head", "ssh -p 22 host", "miss ssh: its rule for arguments (both)"},
	{"head", "psql -h host", "miss psql: its rule for arguments (both)"},
	{"head", "python3 -i s.py", "miss python3: its rule for arguments (both)"},
	{"head", "git commit", "miss git commit: not in its tables (both)"},
	{"head", "git add --patch", "miss git add -p: not in its tables (both)"},
	{"head", "docker exec -it c bash", "miss docker exec: not in its tables (both)"},
	{"head", "man ls", "miss man: not in its tables (both)"},

	// What was invented.
	{"f8c902c", "{ git $(printf foo)rebase -i HEAD~1 ; }", "false-alarm git rebase -i: a dynamic word (tree)"},
	{"df2cd63", "{ git $(printf foo)rebase -i HEAD~1 ; }", "agree"},
	{"base", "python < s.py", "agree"},
	{"draft", "python < s.py", "false-alarm python: a lost redirection of input (tree)"},
	{"head", "echo 'print(1)' | python", "false-alarm python: a lost redirection of input (both)"},
	{"head", "less x > f", "false-alarm less: a lost redirection of output (both)"},
	{"head", "less x | cat", "false-alarm less: a lost redirection of output (both)"},
	{"head", "echo hi # ; vim", "false-alarm vim: a comment (splitter)"},
	{"head", "cat <<'EOF'\na | less\nEOF", "false-alarm less: the body of a here-document (splitter)"},
	{"head", "command -v vim", "false-alarm vim: only looked up (both)"},
	{"head", "vim() { :; }; vim", "false-alarm vim: a function of that name (both)"},
	{"head", "echo $(echo a) vim", "false-alarm vim: a dynamic word (splitter)"},
	{"head", "vim --version", "false-alarm vim: its rule for arguments (both)"},
	{"head", "top -b -n1", "false-alarm top: its rule for arguments (both)"},
	{"head", "emacs --batch", "false-alarm emacs: its rule for arguments (both)"},
	{"head", "gdb -batch", "false-alarm gdb: its rule for arguments (both)"},
	{"head", "fzf --filter x", "false-alarm fzf: its rule for arguments (both)"},
	{"head", "1 vim", "false-alarm vim: an argument (both)"},
	{"head", "echo 'a\nb; vim'", "agree"},
	{"head", "exit; vim", "false-alarm vim: unreachable (both)"},
	{"head", "vim ((", "false-alarm vim: the text does not parse (splitter)"},

	// What runs on another branch is no false alarm, and no agreement by chance.
	{"head", "false && vim", "agree vim"},
	{"head", "true || vim", "agree vim"},
	{"head", "false && python3", "agree python3"},
	{"repaired", "psql | a &", "agree psql"},
	{"repaired", "a & psql", "agree psql"},
	{"repaired", "a & psql &", "agree psql"},
	{"repaired", "psql &", "agree"},
	{"head", "if [ -f x ]; then vim; fi", "agree vim"},
	{"head", "cd /nowhere || exit 1; vim", "agree vim"},
	{"base", "[ a = b ] && { vim x; }", "miss vim: behind a brace (splitter)"},
	{"head", "while read -r l; do vim; done < f", "agree vim"},
	{"head", "case $x in a) vim;; esac", "agree vim"},
	{"head", "bash -c 'false && vim'", "agree vim"},
	{"head", "f() { false && vim; }; f", "agree vim"},
	{"head", "[[ -n $x && -n $(vim) ]]", "agree vim"},
	{"head", "echo ${x:+$(vim)}", "agree vim"},
	{"head", "f() { vim; }", "false-alarm vim: unreachable (tree)"},
	{"head", "(vim &)", "agree vim"},
	{"head", "vim & : ", "agree vim"},

	// The control.
	{"repaired", `{ vim "$f"; }`, "agree vim"},
	{"repaired", "timeout 5s vim", "agree vim"},
	{"repaired", "python < s.py", "agree"},
	{"repaired", "echo hi # ; vim", "agree"},
	{"repaired", "vim() { :; }; vim", "agree"},
	{"repaired", "git commit", "agree git commit"},
}

func TestReadings(t *testing.T) {
	for _, j := range judges(t) {
		for _, tt := range readings {
			p, ok := path.Lookup("guard@" + tt.guard)
			if !ok {
				t.Fatal(tt.guard)
			}
			o, err := j.Check(t.Context(), []path.Path{p}, Case{Command: []byte(tt.command)})
			if err != nil {
				t.Fatal(err)
			}
			r := o[0].Reading
			got := strings.TrimRight(r.Class+" "+r.Name, " ")
			if r.Cause != "" {
				got += ": " + r.Cause + " (" + r.Wrong + ")"
			}
			if got != tt.want {
				t.Errorf("%s, guard@%s on %q:\n got %s (%s)\nwant %s", j.Shell.ID, tt.guard, tt.command, got, r.Truth, tt.want)
			}
			if (o[0].Verdict == Differs) != (r.Class == finding.Miss || r.Class == finding.FalseAlarm) {
				t.Errorf("%q: %s is %s", tt.command, r.Class, o[0].Verdict)
			}
		}
	}
}

// What runs in the background has told of itself when the run is over.
func TestBackground(t *testing.T) {
	j := judges(t)[0]
	h, err := j.Acting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"vim &", "(vim &)", "coproc vim", "env vim &", ": <(vim)"} {
		for range 20 {
			r, err := h.Run(t.Context(), wire.Request{Argv: [][]byte{[]byte("bash"), []byte("-c"), []byte(text)}, PTY: true, Stdin: typedEnd})
			if err != nil {
				t.Fatal(err)
			}
			if n := len(r[0].Records); n == 0 || string(r[0].Records[n-1].Argv[0]) != "vim" {
				t.Fatalf("%q: %d records, %+v", text, n, r[0])
			}
		}
	}
}

// Both revisions of a pair, the laws, the segments and the parser.
func TestReaders(t *testing.T) {
	j := judges(t)[0]
	for _, tt := range []struct{ path, command, want string }{
		{"revisions:guard@base..draft", "{ vim x; }", "gains a program: behind a brace"},
		{"revisions:guard@base..draft", "python < s", "gains a program: a redirection"},
		{"revisions:guard@draft..f8c902c", "{ git $(a)rebase -i; }", "gains git rebase -i: a dynamic word"},
		{"revisions:guard@f8c902c..df2cd63", "{ git $(a)rebase -i; }", "loses git rebase -i: a dynamic word"},
		{"revisions:guard@f8c902c..df2cd63", `{ vim "$f"; }`, "loses a program: a dynamic word"},
		{"revisions:guard@df2cd63..head", "vim.exe x", "gains a program: something else"},
		{"revisions:guard@df2cd63..head", "vim x", "the same"},
		{"laws/group:guard@base", "vim x", "the hit is lost: group"},
		{"laws/group:guard@head", "vim $x", "the hit is lost: group"},
		{"laws/newline:guard@base", "vim x", "the hit is lost: newline"},
		{"laws/comment:guard@base", "ls", "a hit appears: comment"},
		{"laws/comment:guard@repaired", "ls", "the same"},
		{"laws/group:guard@repaired", "vim $x", "the same"},
		{"laws/printer:guard@base", "vim; ls", "the same"},
		{"laws/printer:guard@base", "ls; vim", "the hit is lost: printer"},
		{"laws/quotes:guard@head", "vim x", "the same"},
		{"laws/continuation:guard@base", "git rebase -i", "the hit is lost: continuation"},
		{"segments", "{ vim x; }", "the tree alone sees a call: behind a brace (splitter)"},
		{"segments", "echo # ; vim", "the splitter alone sees a call: a comment (splitter)"},
		{"segments", "vim; ls", "the same calls"},
		{"parse", "a; b", "as bash"},
		{"parse", "time ! a", "the parser refuses what bash takes"},
		{"parse", "if", "as bash"},
	} {
		p, ok := path.Lookup(tt.path)
		if !ok {
			t.Fatal(tt.path)
		}
		o, err := j.Check(t.Context(), []path.Path{p}, Case{Command: []byte(tt.command)})
		if err != nil {
			t.Fatal(err)
		}
		r := o[0].Reading
		got := r.Verdict
		if r.Cause != "" && p.Reading.Oracle != path.Parse {
			got += ": " + r.Cause
		}
		if r.Wrong != "" {
			got += " (" + r.Wrong + ")"
		}
		if got != tt.want {
			t.Errorf("%s on %q: %s, want %s", tt.path, tt.command, got, tt.want)
		}
	}
}

// Every guard is asked about by a path.
func TestGuardPaths(t *testing.T) {
	for _, g := range guard.All {
		if p, ok := path.Lookup(g.Name); !ok || p.Reading == nil || p.Reading.Guard.Name != g.Name {
			t.Errorf("no path of %s", g.Name)
		}
	}
}
