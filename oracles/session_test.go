package oracles

import (
	"fmt"
	"strings"
	"testing"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

// A sessionRow says what becomes of the last command of a session on the paths
// through a terminal, in a word: same, unstable, the name of a class, or, where it
// differs, its fate.
type sessionRow struct {
	session string // commands, with || between them
	// old is for bash before 4.0 and later for the others, on pty and
	// pty-noediting; fixed is for pty-histoff and source-file.
	old, later, fixed string
	// but names the exceptions, by "path", "old path" or "later path".
	but map[string]string
	// shows is what a rewritten line has run: its children, then its output.
	shows string
}

var sessionPaths = []string{"pty", "pty-noediting", "pty-histoff", "source-file"}

func (r sessionRow) commands() Case {
	return Case{Session: list(strings.Split(r.session, " || ")...)}
}

func (r sessionRow) want(name string, old bool) string {
	age, word := "later", r.later
	if old {
		age, word = "old", r.old
	}
	if name == "pty-histoff" || name == "source-file" {
		word = r.fixed
	}
	for _, key := range []string{name, age + " " + name} {
		if w, ok := r.but[key]; ok {
			word = w
		}
	}
	return word
}

// word says in a word what came out.
func (o Outcome) word() string {
	switch {
	case o.Class != "":
		return o.Class
	case o.Verdict == Differs:
		return o.Fate()
	}
	return string(o.Verdict)
}

// shown says what a line has run and printed.
func shown(o *wire.Observation) string {
	var b strings.Builder
	for _, r := range o.Records {
		fmt.Fprintf(&b, "%q ", r.Argv)
	}
	return b.String() + string(o.Stdout)
}

// What becomes of sessions on the paths through a terminal, on each shell at hand.
func TestSessions(t *testing.T) {
	onShells(t, func(t *testing.T, j *Judge, old bool) {
		checkRows(t, j, old, historyRows(), sessionPaths...)
		checkRows(t, j, old, shellRows(), sessionPaths...)
		checkRows(t, j, old, localeRows, "pty", "pty-noediting", "pty/C", "pty-noediting/C")
		checkControlBytes(t, j, old)
	})
}

func checkRows(t *testing.T, j *Judge, old bool, rows []sessionRow, names ...string) {
	t.Helper()
	for _, r := range rows {
		for _, name := range names {
			c := r.commands()
			o := check(t, j, name, c)
			if o.Verdict == Unstable {
				o = check(t, j, name, c) // on a busy machine a job may be late
			}
			got, want := o.word(), r.want(name, old)
			if got != want {
				var typed wire.Typed
				if o.Typed != nil {
					typed = *o.Typed
				}
				t.Errorf("%s, %.80q: %s, want %s; %s; line %d (%s) shows %q", name, c.Session, got, want, o.Reason, o.Line, typed.Settled, typed.Output)
				continue
			}
			if o.Verdict == Differs && o.Line != len(c.Session)-1 {
				t.Errorf("%s, %.80q: command %d differs", name, c.Session, o.Line)
			}
			if got == wire.Rewritten && r.shows != "" && shown(o.Observed) != r.shows {
				t.Errorf("%s, %.80q: ran %q, want %q", name, c.Session, shown(o.Observed), r.shows)
			}
		}
	}
}

// onShells runs a test on each shell at hand, and says which kind there is none of.
// Old ones come before 4.0.
func onShells(t *testing.T, test func(t *testing.T, j *Judge, old bool)) {
	t.Helper()
	met := make(map[bool]bool)
	for _, j := range judges(t) {
		old := Older(j.Shell.Version, "4.0")
		met[old] = true
		t.Run(j.Shell.ID, func(t *testing.T) {
			t.Parallel()
			test(t, j, old)
		})
	}
	if !met[true] {
		t.Log("not run: no bash before 4.0 is at hand")
	}
	if !met[false] {
		t.Log("not run: no bash since 4.0 is at hand")
	}
}

// historyRows hold what history expansion does: that happens on the exposed paths
// of old shells only.
func historyRows() []sessionRow {
	fires := func(session, fate string) sessionRow {
		return sessionRow{session: session, old: fate, later: "same", fixed: "same"}
	}
	syntax := map[string]string{"old pty-histoff": "syntax-status", "old source-file": "syntax-status"}
	const seed = "printf '%s\\n' seed || "
	rows := []sessionRow{
		// 1.9
		fires("cat <<'EOF'\n#!/bin/bash\nhello\nEOF", wire.Discarded),
		fires("cat > f <<'EOF'\n#!/usr/bin/env node\nx\nEOF", wire.Discarded),
		fires("cat <<'EOF'\nif (!m) { console.log('matched') }\nEOF", wire.Discarded),
		fires("cat <<EOF\nif (!m) { console.log('matched') }\nEOF", "same"),
		fires("echo 'hello!world'", wire.Discarded),
		fires("printf '%s\\n' --files -g '!node_modules'", wire.Discarded),
		fires("echo 'hi'\n#!/bin/bash\n", wire.Discarded),
		fires("echo hi\n#!/bin/bash\n", "same"),
		fires("echo !foo", "same"),
		fires("echo \"a!b\"", "same"),
		fires("echo '\"a!b\"'", wire.Discarded),
		fires("! cmp -s a b", "same"),
		fires("echo 'x'; ! cmp -s a b", "same"),
		fires("[ 'a' != b ]", "same"),
		fires("echo 'x!=y'", "same"),
		{session: "echo 'x' !(abc", old: wire.Discarded, later: "same", fixed: "same", but: syntax},
		{session: "shopt -s extglob; echo 'x' !(bin)", old: wire.Discarded, later: "same", fixed: "same", but: syntax},
		fires("shopt -s extglob || echo 'x' !(bin)", "same"),
		fires("echo 'done!'", wire.Discarded),
		fires("cat <<'EOF'\ndone!\nEOF", wire.Discarded),
		fires("echo 'x!'\necho 'y'", wire.Discarded),
		fires(seed+"echo 'x' '!!'", wire.Continued),
		fires(seed+"echo 'x!$y'", wire.Continued),
		fires(seed+"printf '%s\\n' ':!*.md'", wire.Continued),
		fires(seed+"echo 'a!-1'", wire.Continued),
		fires(seed+"echo 'a!?seed?b'", wire.Continued),
		fires(seed+"echo 'x!#y'", wire.Continued),
		fires(seed+"echo 'a!printf'", wire.Discarded),
		{session: "echo 'x!1y'", old: wire.Rewritten, later: "same", fixed: "same", shows: "xstty -echoy\n"},
		fires("git commit -m 'fix!: x' --dry-run", wire.Discarded),
		fires("echo 'v' ${!x}", "same"),
		fires("ls 'x' '[!a]'", "same"),
		{session: "sleep 0 & echo 'pid' $!", old: wire.Discarded, later: "interactive-shell", fixed: "interactive-shell"},
		fires("echo 'a\\!b'", "same"),
		fires("echo 'a' # !foo", "same"),
		fires("set +o histexpand; echo 'a!b'", wire.Discarded),
		fires("set +o histexpand || echo 'a!b'", "same"),
		{session: "set -H || echo 'a!b'", old: wire.Discarded, later: "same", fixed: "same", but: map[string]string{"old pty-histoff": wire.Discarded}},
		// 1.12
		{session: "echo 'wow!!'", old: wire.Rewritten, later: "same", fixed: "same", shows: "wowstty -echo\n"},
		{session: "echo 'a!$b'", old: wire.Rewritten, later: "same", fixed: "same", shows: "a-echob\n"},
		{session: "echo 'a!^b'", old: wire.Rewritten, later: "same", fixed: "same", shows: "a-echob\n"},
		{session: "probe 'a!*'", old: wire.Rewritten, later: "same", fixed: "same", shows: `["probe" "a-echo"] `},
		{session: "probe 'a!-1'", old: wire.Rewritten, later: "same", fixed: "same", shows: `["probe" "astty -echo"] `},
		{session: "probe . ':!*.lock'", old: wire.Rewritten, later: "same", fixed: "same", shows: `["probe" "." ":-echo.lock"] `},
		{session: seed + "echo 'x!!:0'", old: wire.Rewritten, later: "same", fixed: "same", shows: "xprintf\n"},
		{session: seed + "echo 'x!1:$'", old: wire.Rewritten, later: "same", fixed: "same", shows: "x-echo\n"},
		{session: "echo seed || echo 'x!2:$'", old: wire.Rewritten, later: "same", fixed: "same"},
		{session: seed + "echo 'x!pr:0'", old: wire.Rewritten, later: "same", fixed: "same", shows: "xprintf\n"},
		{session: "echo 'x!#:0'", old: wire.Rewritten, later: "same", fixed: "same", shows: "xprintf\n"},
		fires("echo 'a!1:p'", wire.Discarded),
	}
	return rows
}

// shellRows hold what commands do to the shell that keeps them, on every version.
func shellRows() []sessionRow {
	all := func(session, word string) sessionRow {
		return sessionRow{session: session, old: word, later: word, fixed: word}
	}
	except := func(r sessionRow, but ...string) sessionRow {
		r.but = make(map[string]string)
		for i := 0; i < len(but); i += 2 {
			r.but[but[i]] = but[i+1]
		}
		return r
	}
	since4 := func(session, old, later string) sessionRow {
		return except(sessionRow{session: session, old: old, later: later, fixed: later}, "old pty-histoff", old, "old source-file", old)
	}
	const ends, syntax = "ends-the-shell", "syntax-status"
	rows := []sessionRow{
		// 1.11
		all("exit 3", ends),
		all("exec true", ends),
		all("set -e; false", ends),
		all("set -e; false; probe x", ends),
		all("kill -9 $$", ends),
		all("printf(){ :; }", wire.MarkerLost),
		all("alias printf=echo || probe a", wire.MarkerLost),
		all("exec >/dev/null", wire.MarkerLost),
		except(all("eval(){ :; } || probe a", wire.Rewritten), "source-file", "same"),
		all("stty echo || probe a", "same"),
		all("set -v || probe a", "same"),
		all("set -x || probe a", "trace"),
		all("trap 'probe d' DEBUG || probe a", "debug-trap"),
		since4("probe 'a", syntax, "same"),
		since4("probe a }; )", syntax, "same"),
		all("cat <<E\nx", "same"),
		all("probe 'x' a\\", "same"),
		except(all("return 5", "same"), "source-file", "return-from-source"),
		all("PS1='x '; probe a || probe b", "same"),
		all("unset PROMPT_COMMAND; PS1='x '; probe a || probe b", "same"),
		// Errors that end what is being evaluated end the line only where they are in
		// a builtin.
		all("probe $((1/0)); probe b", "same"),
		all("declare -i x=1/0; probe b", wire.MarkerLost),
		all("probe ${x?}; probe b", "interactive-shell"),
		all("kill -15 $$; probe a", "ignored-signal"),
		all("kill -15 $$ || probe a", "ignored-signal"),
		all("kill -2 $$", wire.MarkerLost),
		all("trap 'probe d' EXIT || probe a", "exit-trap"),
		all("probe $_", "place-in-the-wrapper"),
		all("echo a >f || probe *", "same"),
		// 1.10
		except(all("probe "+strings.Repeat("x", 4000), "same"), "pty-noediting", wire.Continued),
		all("probe "+strings.Repeat("x", 3000), "same"),
		except(all("probe 'y' "+strings.Repeat("x", 8000), "same"), "pty-noediting", wire.Continued),
		// 1.12
		except(since4("echo a\n\\", wire.Gone, "same"), "old source-file", "same", "old pty-histoff", wire.Gone),
		except(all("echo a\n\\\n", wire.Gone), "source-file", "same"),
		except(since4("\\", wire.Gone, "same"), "old source-file", "same", "old pty-histoff", wire.Gone),
		except(all("set -o vi", "same"), "old pty-noediting", wire.MarkerLost, "later pty-noediting", wire.Gone),
		except(all("set -o emacs", "same"), "old pty-noediting", wire.MarkerLost, "later pty-noediting", wire.Gone),
		since4("git commit -m \"$(cat <<'EOF'\nIt's x\nEOF\n)\"", syntax, "same"),
	}
	return rows
}
