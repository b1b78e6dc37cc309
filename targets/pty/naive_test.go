package pty

import "testing"

// TestForeseeAgrees compares what is foreseen with what a tool does over time.
func TestForeseeAgrees(t *testing.T) {
	n := 0
	for _, c := range scenarios {
		if c.evidence == nil {
			continue
		}
		n++
		term := newScript(c.steps...)
		term.code, term.signal = c.code, c.signal
		tool := c.tool
		out := tool.Run(term, "true", "u")
		got := c.tool.Foresee(*c.evidence, "u")
		if got.Seen != out.Text || got.Reason != out.Reason || got.Reset != out.Reset {
			t.Errorf("%s: foreseen %+v, got %+v", c.name, got, out)
		}
		if d := (got.Waits - out.Waited).Abs(); d > Poll {
			t.Errorf("%s: foreseen %s, waited %s", c.name, got.Waits, out.Waited)
		}
	}
	if n < 12 {
		t.Errorf("only %d scenarios have evidence", n)
	}
}

// TestForesee has the rules worked out by hand.
func TestForesee(t *testing.T) {
	run := begin + "x\r\n" + end + "0\r\n" + back
	for _, c := range []struct {
		name  string
		tool  Tool
		e     Evidence
		want  Naive
		macOS bool // the same there
	}{
		{"finished", Tool{}, Evidence{Printed: []byte(run), Prompt: true}, Naive{"x", Poll, Completed, false}, true},
		{"finished, a job reads", Tool{}, Evidence{Printed: []byte(run), ChildReads: true}, Naive{"x", readAfter, Completed, false}, false},
		{"another prompt, a job runs", Tool{}, Evidence{Printed: []byte(run), ChildRuns: true}, Naive{"x", idle + idleGrace, Completed, false}, true},
		{"prompt only", Tool{}, Evidence{Printed: []byte(begin + back), Prompt: true}, Naive{"dsh> ", Poll, StdinRead, false}, true},
		{"nothing printed", Tool{}, Evidence{ChildReads: true}, Naive{"", readAfter, StdinRead, false}, false},
		{"discarded", Tool{}, Evidence{Printed: []byte(discarded), Prompt: true},
			Naive{expand("late:lost:bash: !x': event not found\ndsh> \nreset", Tool{}), DefaultDeadline, Deadline, true}, true},
		{"read", Tool{}, Evidence{Printed: []byte(begin), ShellReads: true}, Naive{expand("late:reset", Tool{}), DefaultDeadline, Deadline, true}, true},
		{"sleep", Tool{Deadline: 7e9}, Evidence{Printed: []byte(begin), ChildRuns: true}, Naive{expand("late:reset", Tool{Deadline: 7e9}), 7e9, Deadline, true}, true},
		{"exit", Tool{}, Evidence{Printed: []byte(begin), Exited: true}, Naive{expand("[shell exited: code 0]\nreset", Tool{}), Poll, Exited, true}, true},
	} {
		if got := c.tool.Foresee(c.e, "u"); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		c.tool.MacOS = true
		if got := c.tool.Foresee(c.e, "u"); (got == c.want) != c.macOS {
			t.Errorf("%s, macOS: %+v", c.name, got)
		}
	}
}

func BenchmarkForesee(b *testing.B) {
	e := Evidence{Printed: []byte(discarded), Prompt: true}
	b.ReportAllocs()
	for b.Loop() {
		Tool{}.Foresee(e, "u")
	}
}
