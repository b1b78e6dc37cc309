package pty

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

var sanitized = []struct{ in, text string }{
	{"", ""},
	{"a\r\nb\rc\nd", "a\nb\nc\nd"},
	{"a\r\r\n\nb\r", "a\n\n\nb\n"},
	{"\x1b[?2004hdsh> \x1b[?2004l\r", "dsh> \n"},
	{"a\x1b[31;1mred\x1b[0mb\x1b[@c", "aredbc"},
	{"a\x1b]0;title\ab\x1b]0;t\x1b\\c", "abc"},
	{"a\x1b]0;x\x1bQy\x1b\x1b\\b", "ab"},
	{"a\x1b7b\x1b\x1bc\x1b\ad\x1béf", "abcdf"},
	{"a\r\x1b[K\nb\r\a\nc", "a\nb\n\nc"},
	{"\x1b]133;D;0\adsh> ", "dsh> "},
	{"\x1b]133;D;130\x1b\\dsh> ", "dsh> "},
	{"\x1b]133;D;0\adsh> \x1b]133;D;0\ads", "dsh> ds"},
	{"\x1b]133;D;0\adsh> x", "dsh> x"},
	{"\x1b]133;C;0\adsh> ", "dsh> "},
	{"\x1b]133;D\adsh> ", "dsh> "},
	{"grün €𝄞\r\n", "grün €𝄞\n"},
	{"a\xffb\xe2\x82c\xc3", "a�b��c"},
	{"a\x1b", "a"},
	{"a\x1b[12", "a"},
	{"a\x1b]133;D;0", "a"},
	{"tab\tnul\x00del\x7f\b", "tab\tnul\x00del\x7f\b"},
}

// state is all that is seen of a Sanitizer.
type state struct {
	text, page   string
	mark, prompt bool
	written      int64
}

func push(parts ...string) state {
	var s Sanitizer
	for _, part := range parts {
		s.Push([]byte(part))
	}
	mark, prompt := s.Prompted()
	return state{s.Text(), s.Page(), mark, prompt, s.Written()}
}

func TestSanitize(t *testing.T) {
	for _, c := range sanitized {
		whole := push(c.in)
		if whole.text != c.text {
			t.Errorf("%q gives %q, want %q", c.in, whole.text, c.text)
		}
		for i := range len(c.in) + 1 {
			for j := i; j <= len(c.in); j++ {
				if got := push(c.in[:i], c.in[i:j], c.in[j:]); got != whole {
					t.Fatalf("%q split at %d and %d: %+v, want %+v", c.in, i, j, got, whole)
				}
			}
		}
		if got := push(strings.Split(c.in, "")...); got != whole && utf8.ValidString(c.in) {
			t.Errorf("%q, character by character: %+v", c.in, got)
		}
	}
}

func TestPrompted(t *testing.T) {
	for in, want := range map[string][2]bool{
		"dsh> ":                               {false, false},
		"\x1b]133;D;0\a":                      {true, false},
		"\x1b]133;D;0\adsh> ":                 {true, true},
		"\x1b]133;D;\x1b\\\x1b[Kds\x1b7h> \a": {true, true},
		"\x1b]133;D;0\adsh> \r\n":             {true, false},
		"\x1b]133;D;0\a\rdsh> ":               {true, false},
		"\x1b]133;D;0\ax\x1b]133;D;1\adsh> ":  {true, true},
		"\x1b]133;D;0\adsh> dsh> ":            {true, false},
		"\x1b]133;D;0":                        {false, false},
		"\x1b]133;D\a":                        {false, false},
		"\x1b]x133;D;0\a":                     {false, false},
	} {
		if got := push(in); got.mark != want[0] || got.prompt != want[1] {
			t.Errorf("%q: %+v", in, got)
		}
	}
	var s Sanitizer
	if !s.Push([]byte("\x1b]133;D;0\a")) || s.Push([]byte("\x1b[K\a")) || !s.Push([]byte("dsh> ")) {
		t.Error("Push misreports what it got")
	}
	if s.Forget(); s.Push([]byte("x")) {
		if mark, prompt := s.Prompted(); mark || prompt {
			t.Error("the prompt is not forgotten")
		}
	}
}

func TestKept(t *testing.T) {
	var s Sanitizer
	for range 30 {
		s.Push([]byte(strings.Repeat("line\r\n", 1_000)))
	}
	s.Push([]byte("x"))
	if want := strings.Repeat("line\n", keptLines-1) + "x"; s.Text() != want || s.Since(0) != want {
		t.Errorf("%d bytes of text, want %d", len(s.Text()), len(want))
	}
	if want := strings.Repeat("line\n", pageLines-1) + "x"; s.Page() != want {
		t.Errorf("%d bytes of page, want %d", len(s.Page()), len(want))
	}
	if s.Written() != 150_001 || s.Since(150_000-5) != "line\nx" || s.Since(150_001) != "" || s.Since(200_000) != "" {
		t.Errorf("%d written, %q", s.Written(), s.Since(150_000-5))
	}
	s = Sanitizer{}
	for range 7 {
		s.Push([]byte(strings.Repeat("€", 1<<18)))
	}
	if text := s.Text(); len(text) != keptBytes/3*3 || !utf8.ValidString(text) {
		t.Errorf("%d bytes of text", len(text))
	}
	if page := s.Page(); len(page) != pageBytes/3*3 || !utf8.ValidString(page) {
		t.Errorf("%d bytes of page", len(page))
	}
}

func TestExtract(t *testing.T) {
	const start, end = "__DSH_PERSISTENT_BASH_START_u__", "__DSH_PERSISTENT_BASH_END_u:"
	for _, c := range []struct {
		text, output   string
		status         int
		incomplete, ok bool
	}{
		{start + "\nout\n" + end + "0\n", "out", 0, false, true},
		{start + "\nout" + end + "1\ndsh> ", "out", 1, false, true},
		{start + "\n\n\nout\n\n" + end + "255\n", "\n\nout\n", 255, false, true},
		{start + "\n" + end + "0\n", "", 0, false, true},
		{start + end + "0\n", "", 0, false, true},
		{start + "\nout\n" + end + "0", "", 0, false, false},
		{start + "\nout\n" + end + "\n", "", 0, false, false},
		{start + "\nout\n" + end + "0x\n", "", 0, false, false},
		{start + "\nout\n" + end + "-1\n", "", 0, false, false},
		{start + "\nout\n", "", 0, false, false},
		{"", "", 0, false, false},
		{"old\nout\n" + end + "2\n", "old\nout", 2, true, true},
		{end + "0\n", "", 0, true, true},
		// The last end marker counts, and the last start marker before it.
		{start + "\na\n" + end + "1\nb\n" + end + "2\n", "a\n" + end + "1\nb", 2, false, true},
		{start + "\na\n" + end + "1\n" + end + "'\n", "", 0, false, false},
		{start + "\na\n" + start + "\nb\n" + end + "0\n", "b", 0, false, true},
		{start + "\na\n" + end + "0\n" + start + "\nb\n", "a", 0, false, true},
		// A line that is echoed has the markers in quotes.
		{"printf $'" + start + "'; printf $'" + end + "' 1\n" + start + "\na\n" + end + "0\n", "a", 0, false, true},
		{start + "\na\n" + end + "99999999999999999999\n", "a", math.MaxInt, false, true},
		{strings.ReplaceAll(start, "_u_", "_v_") + "\na\n" + end + "0\n", strings.ReplaceAll(start, "_u_", "_v_") + "\na", 0, true, true},
	} {
		output, status, incomplete, ok := extract(c.text, "u")
		if output != c.output || status != c.status || incomplete != c.incomplete || ok != c.ok {
			t.Errorf("%q: %q, %d, %v, %v", c.text, output, status, incomplete, ok)
		}
	}
}

func TestRender(t *testing.T) {
	long := strings.Repeat("é", textLimit)
	if render(long, false) != long || render("", true) != "" {
		t.Error("text within the limit is changed")
	}
	if got := render(long+"é", true); got != lostNotice+"\n"+long+"\n[cut: only the first 16000 characters are shown]" {
		t.Errorf("%d bytes", len(got))
	}
}

func FuzzSanitize(f *testing.F) {
	for i, c := range sanitized {
		f.Add([]byte(c.in), uint(i), uint(i/2))
	}
	f.Fuzz(func(t *testing.T, in []byte, i, j uint) {
		i %= uint(len(in)) + 1
		j = i + j%(uint(len(in))-i+1)
		whole := push(string(in))
		if got := push(string(in[:i]), string(in[i:j]), string(in[j:])); got != whole {
			t.Errorf("split at %d and %d: %+v, want %+v", i, j, got, whole)
		}
		if strings.ContainsAny(whole.text, "\x1b\a\r") || !utf8.ValidString(whole.text) {
			t.Errorf("%q left in", whole.text)
		}
		if !strings.HasSuffix(whole.text, whole.page) || whole.prompt && !whole.mark {
			t.Errorf("%+v does not fit together", whole)
		}
	})
}
