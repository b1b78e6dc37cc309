package blame

import (
	"slices"
	"testing"
)

func TestBefore(t *testing.T) {
	for _, tt := range []struct{ command, call, want string }{
		{"vim", "", ""}, {"a; ", "vim", ""}, {"a && ", "vim", ""}, {"a | ", "vim", ""}, {"$(", "vim)", ""}, {"`", "vim`", ""},
		{"a\n", "vim", "a newline"}, {"a & ", "vim", "a single &"}, {"{ ", "vim; }", "a brace"}, {"( ", "vim)", "a parenthesis"},
		{"cat <(", "vim)", "a process substitution"}, {"if ", "vim; then", "a keyword"}, {"! ", "vim", "!"}, {"time ", "vim", "time"},
		{"case a in a) ", "vim;;", "a pattern of case"}, {"sh -c '", "vim'", "a quoted payload"}, {"A='b c' ", "vim", "a quoted payload"},
		{">f ", "vim", "a redirection"}, {"a; \\\n", "vim", ""}, {"echo ", "vim", ""},
	} {
		if got := Before(tt.command+tt.call, len(tt.command)); tt.call != "" && got != tt.want {
			t.Errorf("before %q in %q: %q, want %q", tt.call, tt.command+tt.call, got, tt.want)
		}
	}
}

func TestWithout(t *testing.T) {
	for _, tt := range []struct{ name, command, want string }{
		{"a comment", "a # b\nc", "a \nc"}, {"a comment", "a '# b'", ""},
		{"the body of a here-document", "a <<E\nb\nE\n", "a <<E\nE\n"},
		{"an ANSI-C quote", `a $'b\x41'`, "a x"}, {"an ANSI-C quote", "a 'b'", ""},
		{DynamicWord, `{ a "$f" b; }`, "{ a x b; }"}, {DynamicWord, "a b", ""},
		{"quoted text", `a 'b; c' "d"`, "a x x"}, {"a backslash", `a\;b`, "axb"},
		{"a redirection", "a <b c", "a  c"}, {"an assignment", "A='b c' d", " d"}, {"an assignment", "A=b", ""},
		{"a newline", "a\nb", "a;b"}, {"a single &", "a & b", "a ; b"},
	} {
		got, ok := Without(tt.command, tt.name)
		if ok != (tt.want != "") || ok && got != tt.want {
			t.Errorf("%q without %s: %q, %v, want %q", tt.command, tt.name, got, ok, tt.want)
		}
	}
}

func TestBecause(t *testing.T) {
	misled := func(text string) bool { return slices.Contains([]string{"a # vim", "a # vim; b"}, text) }
	if c := Because("a # vim", misled); c != "a comment" {
		t.Errorf("%q", c)
	}
	if c := Because("a vim", func(string) bool { return true }); c != "" {
		t.Errorf("%q", c)
	}
}

func TestUnexpanded(t *testing.T) {
	for _, tt := range [][2]string{
		{"a $b ${c:-$d} $(e $(f)) `g` $((1+2))", "a x x x x x"}, {"$(a(){ b;};c) d", "x d"}, {"a $ b", "a $ b"}, {"$(a", "$(a"}, {"`a", "`a"},
	} {
		if got := unexpanded(tt[0]); got != tt[1] {
			t.Errorf("%q: %q, want %q", tt[0], got, tt[1])
		}
	}
}

func TestLimited(t *testing.T) {
	names, texts := Limited("xargs /x/vim $a")
	if len(names) != 4 || texts[3] != "env vim x" {
		t.Errorf("%q %q", names, texts)
	}
	if names, _ := Limited("vim x"); len(names) != 0 {
		t.Errorf("%q", names)
	}
}
