package blame

import "regexp"

// A limit is something that nobody can know who only reads a command, with what takes
// it out of the command.
type limit struct {
	name    string
	pattern *regexp.Regexp
	by      string
}

// limits are those of guard.Limits that a generated command can meet. All of them are
// taken out by the last one.
var limits = []limit{
	{"what is not in the command", regexp.MustCompile(`\$[A-Za-z_0-9@*#?!-]+|\$\{[^{}]*\}|\$\(\(?[^()]*\)\)?|` + "`[^`]*`"), "x"},
	{"name from elsewhere", regexp.MustCompile(`[A-Za-z0-9_.~-]*/[A-Za-z0-9_./-]*/?([A-Za-z0-9_.-]+)`), "$1"},
	{"name from elsewhere", regexp.MustCompile(`\bpython[0-9.]+`), "python3"},
	{"parser", regexp.MustCompile(`\btime[ \t]+!`), "! time"},
	{"name from elsewhere", regexp.MustCompile(`\bexec -a[ \t]*\S+`), "exec"},
	{"words for xargs", regexp.MustCompile(`\bxargs\b( -\S*)*`), "env"},
}

// without takes it out of a text, also where one stands in another.
func (l limit) without(text string) string {
	for range 8 {
		changed := l.pattern.ReplaceAllString(text, l.by)
		if changed == text {
			break
		}
		text = changed
	}
	return text
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
