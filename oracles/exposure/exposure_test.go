package exposure

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/argvdiff/argvdiff/targets/pty"
)

// A recorded session of the real bash 3.2.57.
type session struct {
	Init, Editing, Locale string
	Session               [][]byte
	Fates                 []string
}

func recorded(t *testing.T) (all []session) {
	f, err := os.Open("testdata/fates-3.2.57.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s session
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// damaged reports whether the line editor or the terminal may change the line
// before history expansion sees it.
func damaged(command []byte, s session) bool {
	for _, c := range command {
		if c < ' ' && c != '\n' && c != '\r' || c == 0x7f || c >= 0x80 && s.Locale == "C" {
			return true
		}
	}
	return len(command) > 3000
}

// The predictor is right on every line that was recorded of the real bash 3.2.57,
// unless the line editor or the terminal damages it first, or an earlier command
// did to the shell what is not followed.
func TestRecordedLines(t *testing.T) {
	count := map[string]int{}
	sessions := recorded(t)
	for _, s := range sessions {
		init := pty.Init
		if s.Init != "plain" {
			init = pty.InitHistOff
		}
		state := State{Off: s.Init != "plain", UTF8: s.Locale != "C", History: []string{init}}
		for i, fate := range s.Fates {
			c := s.Session[i]
			if damaged(c, s) {
				count["damaged"]++
				break
			}
			line := pty.Wrap(string(c), "00000000-0000-0000-0000-000000000000")
			p := Predict([]byte(line), state)
			wrong := false
			switch p.Fate {
			case Discarded:
				wrong = fate != "discarded"
			case Continued:
				wrong = fate != "continued"
			case Rewritten:
				wrong = fate != "rewritten"
			case Untouched:
				wrong = fate == "discarded"
			}
			count[string(p.Fate)]++
			if wrong {
				count["wrong"]++
				if count["wrong"] < 60 {
					t.Errorf("%s %s, line %d of %q: %s, predicted %+v", s.Init, s.Editing, i, s.Session, fate, p)
				}
				break
			}
			if fate == "continued" || fate == "gone" || fate == "alive" {
				break
			}
			if state = state.After(string(c), []byte(line), p); state.Unsure {
				count["unsure"]++
				break
			}
		}
	}
	t.Log(len(sessions), count)
	// What the rule is tested on must not shrink unseen.
	for what, least := range map[string]int{"discarded": 1100, "rewritten": 600, "continued": 125, "untouched": 6900} {
		if count[what] < least {
			t.Errorf("%d lines were %s, want %d or more", count[what], what, least)
		}
	}
	if len(sessions) != 8842 {
		t.Errorf("%d sessions are recorded, want 8842", len(sessions))
	}
}

// The table of the modelled tool's faults: ⏎ stands for a line end.
func TestTable(t *testing.T) {
	fresh := State{UTF8: true, History: []string{pty.Init}}
	seeded := fresh.After("printf '%s\\n' seed", []byte(pty.Wrap("printf '%s\\n' seed", "s")), Prediction{Fate: Untouched})
	for _, test := range []struct {
		state   State
		command string
		fate    Fate
	}{
		{fresh, "cat <<'EOF'⏎#!/bin/bash⏎hello⏎EOF", Discarded},
		{fresh, "cat > f <<'EOF'⏎#!/usr/bin/env node⏎x⏎EOF", Discarded},
		{fresh, "cat <<'EOF'⏎if (!m) { console.log('matched') }⏎EOF", Discarded},
		{fresh, "cat <<EOF⏎if (!m) { console.log('matched') }⏎EOF", Untouched},
		{fresh, "echo 'hello!world'", Discarded},
		{fresh, "printf '%s\\n' --files -g '!node_modules'", Discarded},
		{fresh, "echo 'hi'⏎#!/bin/bash⏎", Discarded},
		{fresh, "echo hi⏎#!/bin/bash⏎", Untouched},
		{fresh, "echo !foo", Untouched},
		{fresh, "echo \"a!b\"", Untouched},
		{fresh, "echo '\"a!b\"'", Discarded},
		{fresh, "! cmp -s a b", Untouched},
		{fresh, "echo 'x'; ! cmp -s a b", Untouched},
		{fresh, "[ 'a' != b ]", Untouched},
		{fresh, "echo 'x!=y'", Untouched},
		{fresh, "echo 'x' !(abc", Discarded},
		{State{Extglob: true, History: fresh.History}, "echo 'x' !(bin)", Untouched},
		{fresh, "echo 'done!'", Discarded},
		{fresh, "echo 'x!'⏎echo 'y'", Discarded},
		{seeded, "echo 'x' '!!'", Continued},
		{seeded, "printf '%s\\n' ':!*.md'", Continued},
		{seeded, "echo 'a!-1'", Continued},
		{seeded, "echo 'a!?seed?b'", Continued},
		{seeded, "echo 'x!#y'", Continued},
		{seeded, "echo 'a!printf'", Discarded},
		{seeded, "echo 'x!1y'", Rewritten},
		{fresh, "echo 'wow!!'", Rewritten},
		{fresh, "git commit -m 'fix!: x' --dry-run", Discarded},
		{fresh, "echo 'v' ${!x}", Untouched},
		{fresh, "ls 'x' '[!a]'", Untouched},
		{fresh, "sleep 0 & echo 'pid' $!", Discarded},
		{fresh, `echo 'a\!b'`, Untouched},
		{fresh, "echo 'a' # !foo", Untouched},
		{fresh, "set +o histexpand; echo 'a!b'", Discarded},
		{State{Off: true, History: fresh.History}, "echo 'a!b'", Untouched},
	} {
		command := strings.ReplaceAll(test.command, "⏎", "\n")
		if p := Predict([]byte(pty.Wrap(command, "u")), test.state); p.Fate != test.fate {
			t.Errorf("%s: %s, want %s: %+v", test.command, p.Fate, test.fate, p)
		}
	}
	p := Predict([]byte(pty.Wrap("echo 'x!1y'", "u")), fresh)
	if !strings.Contains(p.Line, `echo \'xstty -echoy\'`) || p.Event != "!1" {
		t.Errorf("%+v", p)
	}
}

// Whatever the line, a prediction makes sense, and where expansion is off there
// is none.
func FuzzPredict(f *testing.F) {
	for _, s := range []string{"echo 'a!b'", "!!:s/a/b/", "'!?x?:%", "x \"!a\" !-2*", "!1:2-", "'é!x", "!:", "!", "'!#:0-$"} {
		f.Add(s, "printf a b 'c d'", true)
	}
	f.Fuzz(func(t *testing.T, command, earlier string, utf8 bool) {
		line := []byte(pty.Wrap(command, "u"))
		for _, line := range [][]byte{line, []byte(command)} {
			s := State{UTF8: utf8, History: []string{pty.Init, earlier}}
			p := Predict(line, s)
			fires := p.At >= 0
			if fires != (p.Fate != Untouched) || fires && (line[p.At] != '!' || !strings.HasPrefix(string(line[p.At:]), p.Event)) {
				t.Fatalf("%q: %+v", line, p)
			}
			if p.Line != "" && p.Fate != Rewritten && p.Fate != Continued {
				t.Fatalf("%q: %+v", line, p)
			}
			if s.Off = true; Predict(line, s).Fate != Untouched {
				t.Fatalf("%q fires though expansion is off", line)
			}
		}
	})
}
