package program

import (
	"strings"
)

// The options of sudo. Those whose codes are digits have no short form.
var sudoOptions = grammar{
	"Aa:BbC:c:D:Eeg:Hh::iKklNnPp:R:r:SsT:t:U:u:Vv",
	"askpass=A auth-type=a: background=b bell=B chdir=D: chroot=R: close-from=C: command-timeout=T: edit=e group=g: help=! host=h: " +
		"list=l login=i login-class=c: no-update=N non-interactive=n other-user=U: preserve-env=E:: preserve-groups=P prompt=p: " +
		"remove-timestamp=K reset-timestamp=k role=r: set-home=H shell=s stdin=S type=t: user=u: validate=v version=V",
}

// sudo takes variables among its options. By -s and -i a shell runs the command, by -e
// an editor opens its files, and -k has a meaning of its own only without a command.
func sudo(args []string, lookup func(string) (string, bool)) Plan {
	p := Plan{Missing: 1}
	s := scanner{grammar: sudoOptions, args: args}
	shell, edit, nothing, reset := false, false, false, false
	ended := false // by --
	for {
		before := s.args
		o, f := s.next()
		if f == bad {
			return Plan{Status: 1}
		}
		if f == none {
			ended = ended || len(s.args) < len(before)
			if ended || len(s.args) == 0 || s.args[0][:min(1, len(s.args[0]))] == "/" || !strings.Contains(s.args[0], "=") {
				break
			}
			p.Set, s.args = append(p.Set, s.args[0]), s.args[1:]
			continue
		}
		switch o.code {
		case 's', 'i':
			shell = true
		case 'e':
			edit = true
		case 'k':
			reset = true
		case 'D':
			p.Dir = o.value
		case 'l', 'v', 'V', 'K', 'h', help:
			// By -h a command is asked for that another host would run, which is
			// refused.
			nothing = true
		}
	}
	switch {
	case nothing:
		return Plan{}
	case edit && (shell || len(s.args) == 0):
		return Plan{Status: 1}
	case edit:
		p.Inner = append(editor(lookup), s.args...)
	case shell && len(s.args) == 0:
		p.Inner = []string{"bash"}
	case shell:
		p.Inner = []string{"bash", "-c", escape(s.args)}
	case len(s.args) > 0:
		p.Inner = s.args
	case reset:
		return Plan{}
	default:
		return Plan{Status: 1}
	}
	return p
}

// editor is what sudo opens files with.
func editor(lookup func(string) (string, bool)) []string {
	for _, name := range []string{"SUDO_EDITOR", "VISUAL", "EDITOR"} {
		if lookup == nil {
			break
		}
		if v, _ := lookup(name); strings.TrimSpace(v) != "" {
			return strings.Fields(v)
		}
	}
	return []string{"vi"}
}

// escape joins words as sudo does for its shell: with a backslash before each byte
// that is no letter, digit, underscore, dash or dollar sign.
func escape(words []string) string {
	var b []byte
	for i, w := range words {
		if i > 0 {
			b = append(b, ' ')
		}
		for _, c := range []byte(w) {
			if !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || strings.IndexByte("_-$", c) >= 0) {
				b = append(b, '\\')
			}
			b = append(b, c)
		}
	}
	return string(b)
}

// env splits the value of -S and goes on with the words as if they had stood there.
func env(args []string, lookup func(string) (string, bool)) Plan {
	g := grammar{
		"a:C:iS:u:v0",
		"argv0=a: ignore-environment=i null=0 unset=u: chdir=C: default-signal=d:: ignore-signal=d:: block-signal=d:: list-signal-handling=d " +
			"debug=v split-string=S:" + told,
	}
	misuse := Plan{Status: 125}
	p := Plan{Missing: 127}
	s := scanner{grammar: g, args: args}
	null := false
	for splits := 0; ; {
		o, f := s.next()
		if f == bad {
			return misuse
		}
		if f == none {
			break
		}
		switch o.code {
		case help:
			return Plan{}
		case 'i':
			p.Clear = true
		case 'u':
			if o.value == "" || strings.Contains(o.value, "=") {
				return misuse
			}
			p.Unset = append(p.Unset, o.value)
		case 'C':
			p.Dir = o.value
		case '0':
			null = true
		case 'S':
			words, ok := split(o.value, lookup)
			if splits++; !ok || splits > 1000 {
				return misuse
			}
			s.args = append(words, s.args...)
		}
	}
	if len(s.args) > 0 && s.args[0] == "-" {
		p.Clear, s.args = true, s.args[1:]
	}
	for len(s.args) > 0 && strings.Contains(s.args[0], "=") {
		p.Set, s.args = append(p.Set, s.args[0]), s.args[1:]
	}
	switch {
	case len(s.args) == 0 && p.Dir != "", len(s.args) > 0 && null:
		return misuse
	case len(s.args) == 0:
		return Plan{}
	}
	p.Inner = s.args
	return p
}

// split is how env -S makes words of a text.
func split(text string, lookup func(string) (string, bool)) (words []string, ok bool) {
	var single, double bool
	between := true
	add := func(s string) {
		if between {
			words = append(words, "")
		}
		between = false
		words[len(words)-1] += s
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'' && !double:
			single = !single
			add("")
		case c == '"' && !single:
			double = !double
			add("")
		case strings.IndexByte(" \t\n\v\f\r", c) >= 0 && !single && !double:
			between = true
		case c == '#' && between:
			return words, true
		case c == '\\' && !(single && (i+1 == len(text) || text[i+1] != '\\' && text[i+1] != '\'')):
			if i++; i == len(text) {
				return nil, false
			}
			switch c := text[i]; {
			case strings.IndexByte(`"#$'\`, c) >= 0:
				add(string(c))
			case c == '_' && double:
				add(" ")
			case c == '_':
				between = true
			case c == 'c' && !double:
				return words, true
			case strings.IndexByte("fnrtv", c) >= 0:
				add(string("\f\n\r\t\v"[strings.IndexByte("fnrtv", c)]))
			default:
				return nil, false
			}
		case c == '$' && !single:
			n := reference(text[i:])
			if n == 0 {
				return nil, false
			}
			if lookup == nil {
				add(text[i : i+n])
			} else if v, ok := lookup(text[i+2 : i+n-1]); ok {
				add(v)
			}
			i += n - 1
		default:
			add(text[i : i+1])
		}
	}
	return words, !single && !double
}

// reference is the length of the ${NAME} that s begins with, 0 without one.
func reference(s string) int {
	end := strings.IndexByte(s, '}')
	if end < 3 || s[1] != '{' {
		return 0
	}
	for i, c := range []byte(s[2:end]) {
		if !(c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || i > 0 && '0' <= c && c <= '9') {
			return 0
		}
	}
	return end + 1
}
