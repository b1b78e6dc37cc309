package explore_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/argvdiff/argvdiff/oracles/explore"
)

func vim(c explore.Call) bool { return slices.Contains(c.Words, "vim") }

func TestVariants(t *testing.T) {
	tests := []struct{ command, want string }{
		{"vim", ""},
		{"{ vim x; }; (vim); echo $(vim)", ""},
		{"a && vim", "{ a ; ((1)); } && M0 vim"},
		{"a || vim", "{ a ; ((0)); } || M0 vim"},
		{"a && b || vim", "{ a && b ; ((0)); } || M0 vim"},
		{"a | vim", ""},
		{"if a; then vim; else vim x; fi", "if a; ((1)); then M0 vim; else vim x; fi\nif a; ((0)); then vim; else M1 vim x; fi"},
		{"while a; do vim; done", "while a; ((argvdiff_1++<1)); do M0 vim; done"},
		{"until a; do vim; done", "until a; ((argvdiff_1++>=1)); do M0 vim; done"},
		{"for f in $x; do vim $f; done", "for f in $x argvdiff; do M0 vim $f; done"},
		{"for f; do vim $f; done", "for f; do M0 vim $f; done"},
		{"for f in a; do vim $f; done", ""},
		{"case $x in (a) vim;; b) vim y;; esac", "case $x in (*|a) M0 vim;; b) vim y;; esac\ncase $x_argvdiff in (a) vim;; *|b) M1 vim y;; esac"},
		{"f() { vim; }; f", "f() { M0 vim; }; f"},
		{"[[ -n $x ]] && exit; vim", "{ [[ -n $x ]] ; ((0)); } && exit; M0 vim"},
		{"cd /x || exit 1; vim", "{ cd /x ; ((1)); } || exit 1; M0 vim"},
		{"if a; then exit; fi; vim", "if a; ((0)); then exit; fi; M0 vim"},
		{"exit; vim", "exit; M0 vim"},
		{"vim < f", ">>'f'; M0 vim < f"},
		{"[[ a || $(vim) ]]", "[[ ( ( a ) && ! x ) || $(M0 vim) ]]"},
		{"echo ${x:-$(vim)}", "echo ${x:+$(M0 vim)}\necho ${x:-$(M0 vim)}"},
		{"bash -c 'a && vim'", "bash -c '{ a ; ((1)); } && M0 vim'"},
		{"sudo -u r sh -c \"a || vim\"", "sudo -u r sh -c \"{ a ; ((0)); } || M0 vim\""},
		{"sh <<E\na && vim\nE", "sh <<E\n{ a ; ((1)); } && M0 vim\nE"},
		{"for f in; do vim; done", "for f in; do M0 vim; done"},
		{"trap 'vim' EXIT", "trap 'M1 vim' EXIT"},
		{"a && { b || vim; }", "{ a ; ((1)); } && { { b ; ((0)); } || M0 vim; }"},
		{"a && A=b vim && vim y", "{ { a ; ((1)); } && M0 A=b vim ; ((1)); } && M1 vim y"},
		{"cat <<E && vim\nbody\nE", "{ cat <<E ; ((1)); } && M0 vim\nbody\nE"},
	}
	for _, tt := range tests {
		s := explore.Of(tt.command, vim)
		if !s.Parsed {
			t.Errorf("%q does not parse", tt.command)
		}
		var got []string
		for _, v := range s.Variants {
			if _, err := syntax.NewParser().Parse(strings.NewReader(v.Text), ""); err != nil {
				t.Errorf("%q: the variant %q does not parse: %v", tt.command, v.Text, err)
			}
			text := v.Text
			for _, k := range v.Calls {
				text = strings.ReplaceAll(text, fmt.Sprintf("argvdiff_=$(probe %s%d)", explore.Mark, k), fmt.Sprintf("M%d", k))
			}
			got = append(got, text)
		}
		if g := strings.Join(got, "\n"); g != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.command, g, tt.want)
		}
	}
}
