package pty

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	ms    = time.Millisecond
	begin = "__DSH_PERSISTENT_BASH_START_u__\r\n"
	end   = "__DSH_PERSISTENT_BASH_END_u:"
	back  = "\x1b]133;D;0\adsh> "
)

var (
	shellReads = Group{ID: 7, Shell: true, Reads: true}
	shellRuns  = Group{ID: 7, Shell: true}
	childReads = Group{ID: 9, Reads: true}
	childRuns  = Group{ID: 9}
)

// A step is what happens in a script at a time after the last input.
type step struct {
	at    time.Duration
	print string
	group Group // if not zero
	ended bool
}

// A script is a Terminal that follows its steps by its own clock.
type script struct {
	steps    []step              // up to the first input
	answers  func(string) []step // to an input
	code     int
	signal   string
	writeErr error

	now, base, last time.Time
	output          []byte
	group           Group
	ended           bool
	typed           []string
}

func (t *script) play() {
	for len(t.steps) > 0 && !t.now.Before(t.base.Add(t.steps[0].at)) {
		s := t.steps[0]
		t.steps = t.steps[1:]
		if s.print != "" {
			t.output = append(t.output, s.print...)
			t.last = t.base.Add(s.at)
		}
		if s.group != (Group{}) {
			t.group = s.group
		}
		t.ended = t.ended || s.ended
	}
}

func (t *script) Write(input []byte) error {
	t.typed = append(t.typed, string(input))
	t.steps, t.base = t.answers(string(input)), t.now
	t.play()
	return t.writeErr
}

func (t *script) Read() ([]byte, time.Time) {
	output := t.output
	t.output = nil
	return output, t.last
}

func (t *script) Exited() (bool, int, string) { return t.ended, t.code, t.signal }
func (t *script) Foreground() Group           { return t.group }
func (t *script) Now() time.Time              { return t.now }

func (t *script) Sleep(d time.Duration) {
	t.now = t.now.Add(d)
	t.play()
}

func newScript(steps ...step) *script {
	return &script{now: time.Unix(1e9, 0), group: shellReads, answers: func(string) []step { return steps }}
}

func prints(at time.Duration, text string) step { return step{at: at, print: text} }
func group(at time.Duration, group Group) step  { return step{at: at, group: group} }

func ticks(n int) (steps []step) {
	steps = []step{prints(0, begin), group(0, childRuns)}
	for i := range n {
		steps = append(steps, prints(time.Duration(i+1)*time.Second, "tick\r\n"))
	}
	return append(steps, group(time.Duration(n)*time.Second+ms, shellReads), prints(time.Duration(n)*time.Second+ms, end+"0\r\n"+back))
}

func idles(n int, last Wait) []Wait { return append(slices.Repeat([]Wait{WaitIdle}, n), last) }

const discarded = "bash: !x': event not found\r\ndsh> "

// scenarios have what a tool must make of them and, where a line leads to a
// state that stays, the evidence of it.
var scenarios = []struct {
	name     string
	tool     Tool
	steps    []step
	code     int
	signal   string
	text     string // "late:" and "reset" stand for notices
	reason   Reason
	status   int
	waited   time.Duration
	sends    []Wait
	evidence *Evidence
}{
	{name: "finished", steps: []step{group(0, childRuns), prints(10*ms, begin+"hi\r\n"), group(20*ms, shellReads), prints(20*ms, end+"0\r\n"+back)},
		text: "hi", reason: Completed, waited: 100 * ms, sends: []Wait{WaitRead},
		evidence: &Evidence{Printed: []byte(begin + "hi\r\n" + end + "0\r\n" + back), Prompt: true}},
	{name: "status, no line end", steps: []step{prints(0, begin+"hi"+end+"12\r\n"+back)},
		text: "hi\n[exit code: 12]", reason: Completed, status: 12, waited: 50 * ms, sends: []Wait{WaitRead},
		evidence: &Evidence{Printed: []byte(begin + "hi" + end + "12\r\n" + back), Prompt: true}},
	{name: "prompt before the shell is in the foreground", steps: []step{prints(0, begin+end+"0\r\n"+back), group(0, childRuns), group(220*ms, shellReads)},
		reason: Completed, waited: 250 * ms, sends: []Wait{WaitRead}},
	{name: "end without prompt", steps: []step{prints(0, begin+end+"1\r\n$ ")},
		text: "[exit code: 1]", reason: Completed, status: 1, waited: 3 * time.Second, sends: []Wait{WaitIdle},
		evidence: &Evidence{Printed: []byte(begin + end + "1\r\n$ "), Prompt: true}},
	{name: "end with another prompt", steps: []step{prints(0, begin+end+"0\r\n"+back+"[1] done")},
		reason: Completed, waited: 3500 * ms, sends: []Wait{WaitIdle},
		evidence: &Evidence{Printed: []byte(begin + end + "0\r\n" + back + "[1] done"), Prompt: true}},
	{name: "interrupted", steps: []step{prints(0, begin+"a\r\n^C\r\n"+back)},
		text: "a\n^C\ndsh> ", reason: StdinRead, waited: 50 * ms, sends: []Wait{WaitRead},
		evidence: &Evidence{Printed: []byte(begin + "a\r\n^C\r\n" + back), Prompt: true}},
	{name: "discarded", steps: []step{prints(0, discarded)},
		text: "late:lost:bash: !x': event not found\ndsh> \nreset", reason: Deadline, waited: 300 * time.Second, sends: idles(99, WaitCut),
		evidence: &Evidence{Printed: []byte(discarded), Prompt: true}},
	{name: "continued", steps: []step{prints(0, "printf "+begin[:len(begin)-2]+"'\r\n> ")},
		text: "late:'\n> \nreset", reason: Deadline, waited: 300 * time.Second, sends: idles(99, WaitCut),
		evidence: &Evidence{Printed: []byte("printf " + begin[:len(begin)-2] + "'\r\n> "), ShellReads: true}},
	{name: "builtin read", steps: []step{prints(0, begin)}, tool: Tool{Deadline: 10 * time.Second},
		text: "late:reset", reason: Deadline, waited: 10 * time.Second, sends: idles(3, WaitCut),
		evidence: &Evidence{Printed: []byte(begin), ShellReads: true}},
	{name: "builtin read after work that a poll sees", steps: []step{prints(0, begin+"name? "), group(0, shellRuns), group(90*ms, shellReads)},
		text: "name? ", reason: StdinRead, waited: 150 * ms, sends: []Wait{WaitRead}},
	{name: "builtin read after work between polls", steps: []step{prints(0, begin), group(10*ms, shellRuns), group(40*ms, shellReads)}, tool: Tool{Deadline: time.Second},
		text: "late:reset", reason: Deadline, waited: time.Second, sends: []Wait{WaitCut}},
	{name: "builtin read in a later send", steps: []step{prints(0, begin), group(0, childRuns), group(5*time.Second, shellReads)},
		reason: StdinRead, waited: 5025 * ms, sends: []Wait{WaitIdle, WaitRead}},
	{name: "child reads", steps: []step{prints(0, begin+"a\r\n"), group(0, childReads)},
		text: "a", reason: StdinRead, waited: 150 * ms, sends: []Wait{WaitRead},
		evidence: &Evidence{Printed: []byte(begin + "a\r\n"), ChildReads: true}},
	{name: "child reads late", steps: []step{prints(0, begin), group(0, childRuns), group(410*ms, childReads)},
		reason: StdinRead, waited: 450 * ms, sends: []Wait{WaitRead}},
	{name: "child reads, macOS", steps: []step{prints(0, begin+"a\r\n"), group(0, childReads)}, tool: Tool{MacOS: true},
		text: "late:a\nreset", reason: Deadline, waited: 300 * time.Second, sends: idles(99, WaitCut),
		evidence: &Evidence{Printed: []byte(begin + "a\r\n"), ChildReads: true}},
	{name: "child runs", steps: []step{prints(0, begin), group(0, childRuns)}, tool: Tool{Deadline: 7 * time.Second},
		text: "late:reset", reason: Deadline, waited: 7 * time.Second, sends: idles(2, WaitCut),
		evidence: &Evidence{Printed: []byte(begin), ChildRuns: true}},
	{name: "shell runs", steps: []step{prints(0, begin), group(0, shellRuns)}, tool: Tool{Deadline: time.Second},
		text: "late:reset", reason: Deadline, waited: time.Second, sends: []Wait{WaitCut},
		evidence: &Evidence{Printed: []byte(begin)}},
	{name: "ticking for longer than a send", steps: ticks(31),
		text: strings.TrimSuffix(strings.Repeat("tick\n", 31), "\n"), reason: Completed, waited: 31025 * ms, sends: []Wait{WaitTimeout, WaitRead}},
	{name: "finished at the deadline", steps: ticks(31), tool: Tool{Deadline: 31025 * ms},
		text: "late:" + strings.Repeat("tick\n", 31) + end + "0\ndsh> \nreset", reason: Deadline, waited: 31025 * ms, sends: []Wait{WaitTimeout, WaitRead}},
	{name: "end without status", steps: []step{prints(0, begin+"a"+end+"\r\n"+back)},
		text: "a" + end + "\ndsh> ", reason: StdinRead, waited: 50 * ms, sends: []Wait{WaitRead},
		evidence: &Evidence{Printed: []byte(begin + "a" + end + "\r\n" + back), Prompt: true}},
	{name: "exit", steps: []step{prints(0, begin+"a\r\n"), {at: 60 * ms, ended: true}}, code: 3,
		text: "a\n[shell exited: code 3]\nreset", reason: Exited, waited: 100 * ms, sends: []Wait{WaitExit},
		evidence: &Evidence{Printed: []byte(begin + "a\r\n"), Exited: true, Code: 3}},
	{name: "killed", steps: []step{prints(0, begin), {ended: true}}, code: -1, signal: "SIGKILL",
		text: "[shell killed by signal: SIGKILL]\nreset", reason: Exited, waited: 50 * ms, sends: []Wait{WaitExit},
		evidence: &Evidence{Printed: []byte(begin), Exited: true, Code: -1, Signal: "SIGKILL"}},
	{name: "ended somehow", steps: []step{{ended: true}}, code: -1,
		text: "[shell exited]\nreset", reason: Exited, waited: 50 * ms, sends: []Wait{WaitExit},
		evidence: &Evidence{Exited: true, Code: -1}},
	{name: "exit after the end", steps: []step{prints(0, begin+end+"0\r\n"), {ended: true}},
		reason: Completed, waited: 50 * ms, sends: []Wait{WaitExit},
		evidence: &Evidence{Printed: []byte(begin + end + "0\r\n"), Exited: true}},
}

func expand(text string, tool Tool) string {
	late := map[time.Duration]string{0: "300", time.Second: "1", 7 * time.Second: "7", 10 * time.Second: "10", 31025 * ms: "31"}[tool.Deadline]
	text = strings.Replace(text, "late:", "[timed out: no end within "+late+" seconds, or the memory ran out; the output up to now follows]\n", 1)
	text = strings.Replace(text, "lost:", lostNotice+"\n", 1)
	if head, ok := strings.CutSuffix(text, "reset"); ok {
		text = head + resetNotice
	}
	return text
}

func TestRun(t *testing.T) {
	for _, c := range scenarios {
		term := newScript(c.steps...)
		term.code, term.signal = c.code, c.signal
		out := c.tool.Run(term, "true", "u")
		var waits []Wait
		for _, send := range out.Sends {
			waits = append(waits, send.Wait)
		}
		if want := expand(c.text, c.tool); out.Text != want {
			t.Errorf("%s: text %q, want %q", c.name, out.Text, want)
		}
		if out.Reason != c.reason || out.Status != c.status || out.Waited != c.waited || !slices.Equal(waits, c.sends) {
			t.Errorf("%s: %s, status %d, after %s, sends %v", c.name, out.Reason, out.Status, out.Waited, out.Sends)
		}
		if out.Reset != (c.reason == Deadline || c.reason == Exited) || out.Err != nil {
			t.Errorf("%s: reset %v, %v", c.name, out.Reset, out.Err)
		}
		if len(term.typed) != 1 || term.typed[0] != Wrap("true", "u")+"\r" {
			t.Errorf("%s: typed %q", c.name, term.typed)
		}
	}
}

func TestRunIncomplete(t *testing.T) {
	term := newScript(prints(0, begin+strings.Repeat("é\r\n", keptLines)+end+"0\r\n"+back))
	out := new(Tool).Run(term, "seq", "u")
	want := lostNotice + "\n" + strings.Repeat("é\n", textLimit/2) + "\n[cut: only the first 16000 characters are shown]"
	if !out.Incomplete || out.Reason != Completed || out.Text != want {
		t.Errorf("%v, %s, %d bytes of text, want %d", out.Incomplete, out.Reason, len(out.Text), len(want))
	}
}

func TestRunRefused(t *testing.T) {
	term := newScript()
	if out := new(Tool).Run(term, " \n\t", "u"); out.Reason != Refused || out.Err != ErrBlank || term.typed != nil {
		t.Errorf("blank: %+v", out)
	}
	term.writeErr = errors.New("gone")
	if out := new(Tool).Run(term, "true", "u"); out.Reason != Failed || out.Err != term.writeErr || !out.Reset {
		t.Errorf("write error: %+v", out)
	}
	term = newScript()
	term.ended = true
	if out := new(Tool).Run(term, "true", "u"); out.Reason != Exited || !out.Reset || term.typed != nil {
		t.Errorf("ended before: %+v", out)
	}
}

func TestStart(t *testing.T) {
	ready := []step{group(0, shellRuns), prints(70*ms, back), group(80*ms, shellReads)}
	term := newScript(prints(0, Init+"\r\n"+back))
	term.base, term.steps = term.now, ready
	tool := Tool{Begun: term.now.Add(-time.Second)}
	if err := tool.Start(term, Init); err != nil || !slices.Equal(term.typed, []string{Init + "\r"}) {
		t.Fatalf("%v, typed %q", err, term.typed)
	}
	if took := term.now.Sub(term.base); took != 50*ms {
		t.Errorf("the first line took %s", took)
	}

	// The first command has what the start has left of the deadline, later
	// ones have all of it; text of earlier ones does not show.
	term.answers = func(string) []step { return []step{prints(0, discarded)} }
	begun := term.now
	out := tool.Run(term, "a", "u")
	if want := DefaultDeadline - begun.Sub(tool.Begun); out.Reason != Deadline || out.Waited != want {
		t.Errorf("first command: %s after %s, want %s", out.Reason, out.Waited, want)
	}
	if want := expand("late:lost:bash: !x': event not found\ndsh> \nreset", tool); out.Text != want {
		t.Errorf("%q", out.Text)
	}
	if out = tool.Run(term, "a", "u"); out.Waited != DefaultDeadline {
		t.Errorf("second command: after %s", out.Waited)
	}
}

func TestStartFails(t *testing.T) {
	never := func(string) []step { return ticks(1000) }
	for name, c := range map[string]struct {
		tool Tool
		term script
		says string
	}{
		"no prompt":      {term: script{steps: ticks(1000)}, says: "prompt: timeout after 30s"},
		"exit":           {term: script{steps: []step{{ended: true}}}, says: "prompt: session_exit"},
		"no second":      {term: script{steps: []step{prints(0, back)}, answers: never}, says: "first line: timeout"},
		"exit at second": {term: script{steps: []step{prints(0, back)}, answers: func(string) []step { return []step{{ended: true}} }}, says: "first line: session_exit"},
		"deadline":       {tool: Tool{Deadline: time.Second}, term: script{steps: ticks(1000)}, says: "prompt: deadline after 1s"},
		"write":          {term: script{steps: []step{prints(0, back)}, answers: never, writeErr: errors.New("gone")}, says: "first line: gone"},
	} {
		term := c.term
		term.now, term.group = time.Unix(1e9, 0), shellReads
		term.base = term.now
		term.play()
		if err := c.tool.Start(&term, Init); !errors.Is(err, ErrStart) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
