package blame

import (
	"regexp"
	"strings"
)

// A limit is something that nobody can know who only reads a command, with what takes
// it out of the command.
type limit struct {
	name    string
	pattern *regexp.Regexp // nil for expansions
	by      string
}

// limits are those of guard.Limits that a generated command can meet. All of them are
// taken out by the last one.
var limits = []limit{
	{"what is not in the command", nil, ""},
	{"name from elsewhere", regexp.MustCompile(`(?:[A-Za-z0-9_.~-]*/)+([A-Za-z0-9_.-]+)`), "$1"},
	{"name from elsewhere", regexp.MustCompile(`\bpython[0-9.]+`), "python3"},
	{"parser", regexp.MustCompile(`\btime[ \t]+!`), "! time"},
	{"name from elsewhere", regexp.MustCompile(`\bexec -a[ \t]*\S+`), "exec"},
	{"words for xargs", regexp.MustCompile(`\bxargs\b( -\S*)*`), "env"},
}

// without takes it out of a text.
func (l limit) without(text string) string {
	if l.pattern == nil {
		return unexpanded(text)
	}
	return l.pattern.ReplaceAllString(text, l.by)
}

var parameter = regexp.MustCompile(`^\$[A-Za-z_0-9@*#?!-]+`)

// unexpanded writes x for expansions, in whatever quotes they stand.
func unexpanded(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		n := 0
		switch rest := text[i:]; {
		case strings.HasPrefix(rest, "$("):
			n = closing(rest, '(', ')')
		case strings.HasPrefix(rest, "${"):
			n = closing(rest, '{', '}')
		case rest[0] == '`':
			n = strings.IndexByte(rest[1:], '`') + 2
			if n < 2 {
				n = 0
			}
		default:
			n = len(parameter.FindString(rest))
		}
		if n > 0 {
			b.WriteByte('x')
			i += n
			continue
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String()
}

// closing returns the length up to what closes the first bracket, 0 where nothing
// does.
func closing(text string, open, end byte) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// Limited returns the texts of which one shows, where the guard is right about it, by
// which limit it was wrong about the command.
func Limited(command string) (names, texts []string) {
	all := command
	for _, l := range limits {
		changed := l.without(command)
		all = l.without(all)
		if changed != command {
			names, texts = append(names, l.name), append(texts, changed)
		}
	}
	if len(texts) > 1 {
		names, texts = append(names, names[0]), append(texts, all)
	}
	return names, texts
}
