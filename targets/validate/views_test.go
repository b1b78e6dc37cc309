package validate

import (
	"bytes"
	"strings"
	"testing"
)

func TestExtract(t *testing.T) {
	for _, c := range []struct{ text, double, unquoted, marks string }{
		{`echo "it's" 'a b' x\'y`, `echo it's  x\'y`, `echo   x\'y`, `echo "" '' x\'y`},
		{`echo 'x'#c`, `echo #c`, `echo #c`, `echo ''#c`},
		{`a"b'c"d`, `ab'cd`, `ad`, `a""d`},
		{`echo "a\"b" c`, `echo a\"b c`, `echo  c`, `echo "" c`},
		{`'a\' b`, ` b`, ` b`, `'' b`},
		{`"a`, `a`, ``, `"`},
		{`a\`, `a\`, `a\`, `a\`},
		{``, ``, ``, ``},
	} {
		v := Extract([]byte(c.text), false)
		if string(v.Double) != c.double || string(v.Unquoted) != c.unquoted || string(v.Marks) != c.marks {
			t.Errorf("%s: %q %q %q, want %q", c.text, v.Double, v.Unquoted, v.Marks, []string{c.double, c.unquoted, c.marks})
		}
	}
}

// With jq double quotes stay where they did not, and closing ones stay twice.
func TestExtractJQ(t *testing.T) {
	for _, c := range []struct{ text, double, unquoted, marks string }{
		{`jq "a" b`, `jq "a" b`, `jq " b`, `jq """ b`},
		{`jq 'a"b' c`, `jq  c`, `jq  c`, `jq '' c`},
		{`jq "it's"`, `jq "it's"`, `jq "`, `jq """`},
		{`jq \"a`, `jq \"a`, `jq \"a`, `jq \"a`},
		{`a"b'c"d`, `a"b'c"d`, `a"d`, `a"""d`},
	} {
		v := Extract([]byte(c.text), true)
		if string(v.Double) != c.double || string(v.Unquoted) != c.unquoted || string(v.Marks) != c.marks {
			t.Errorf("%s: %q %q %q, want %q", c.text, v.Double, v.Unquoted, v.Marks, []string{c.double, c.unquoted, c.marks})
		}
	}
}

func TestStripRedirections(t *testing.T) {
	for text, want := range map[string]string{
		"ls 2>&1":                     "ls",
		"ls 2>&1 | x":                 "ls | x",
		"ls 2>&1;":                    "ls 2>&1;",
		"ls2>&1":                      "ls2>&1",
		"ls  2 >& 1":                  "ls",
		"ls >/dev/null":               "ls",
		"ls 2> /dev/null x":           "ls  x",
		"ls > /dev/nullx":             "ls > /dev/nullx",
		"ls 3>/dev/null":              "ls 3",
		"cat < /dev/null":             "cat",
		"cat </dev/null >/dev/null x": "cat x",
		"a >/dev/null >/dev/null b":   "a b",
		"a >/dev/null 2>&1":           "a",
		"a >/dev/null 2>&1; b":        "a 2>&1; b",
		"a 2>&1 2>&1":                 "a",
		"a >/dev/null\u00a0b":         "a\u00a0b",
		"a >/dev/null\nb":             "a\nb",
		"echo hi >/dev/null 2>&1; ls": "echo hi 2>&1; ls",
		"a >f":                        "a >f",
		"":                            "",
	} {
		if got := string(StripRedirections([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// drawn shows how each byte is held: - bare, s single-quoted, d double-quoted, e
// escaped, and the capital for marks.
func drawn(text string) string {
	var out strings.Builder
	for _, h := range Scan([]byte(text)) {
		letter := "-sde"[h.State : h.State+1]
		if h.Mark {
			letter = strings.ToUpper(strings.Replace(letter, "-", "b", 1))
		}
		out.WriteString(letter)
	}
	return out.String()
}

func TestScan(t *testing.T) {
	for text, want := range map[string]string{
		`a b`:     `---`,
		`a'b"c'd`: `-SsssS-`,
		`a"b'c"d`: `-DdddD-`,
		`a\'b`:    `-Be-`,
		`"a\"b"`:  `DdDedD`,
		`'a\'b`:   `SssS-`,
		`"\n"`:    `DDeD`,
		`$'a\'b'`: `-SssS-S`,
		`a\`:      `-B`,
		`\\'`:     `BeS`,
	} {
		if got := drawn(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// The views are those parts of the text that the scanner holds for what they leave.
func TestViewsFollowScan(t *testing.T) {
	for _, text := range []string{`a'b'"c\"d"\e f`, `"'"'"'\'x`, `'\'\\"\\"`, "\\\n\"\\\n\"'\\\n'"} {
		var double, unquoted, marks []byte
		in := false // double quotes
		for i, h := range Scan([]byte(text)) {
			quote := h.Mark && text[i] != '\\'
			if quote && text[i] == '"' {
				in = !in
			}
			if quote {
				marks = append(marks, text[i])
				continue
			}
			if h.State == SingleQuoted {
				continue
			}
			double = append(double, text[i])
			if !in {
				unquoted, marks = append(unquoted, text[i]), append(marks, text[i])
			}
		}
		if v := Extract([]byte(text), false); !bytes.Equal(v.Double, double) || !bytes.Equal(v.Unquoted, unquoted) || !bytes.Equal(v.Marks, marks) {
			t.Errorf("%q: %q, want %q %q %q", text, v, double, unquoted, marks)
		}
	}
}
