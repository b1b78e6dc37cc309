package guard

import (
	"slices"
	"strings"
)

// wrappers are words that run the command behind them, with those of their options
// that take a value as the next word.
var wrappers = map[string][]string{
	"sudo":    {"-u", "--user", "-g", "--group", "-p", "--prompt", "-C", "--close-from", "-r", "--role", "-T", "--command-timeout", "-U", "--other-user", "-h", "--host", "-D", "--chdir", "-R", "--chroot"},
	"command": nil, "nohup": nil, "time": nil, "exec": nil, "setsid": nil,
	"env":     {"-u", "--unset", "-S", "--split-string", "-C", "--chdir"},
	"doas":    {"-u", "-C"},
	"nice":    {"-n", "--adjustment"},
	"timeout": {"-s", "--signal", "-k", "--kill-after"},
	"stdbuf":  {"-i", "--input", "-o", "--output", "-e", "--error"},
	"ionice":  {"-c", "--class", "-n", "--classdata", "-p", "--pid"},
	"xargs":   {"-a", "--arg-file", "-d", "--delimiter", "-E", "-I", "--replace", "-L", "--max-lines", "-n", "--max-args", "-P", "--max-procs", "-s", "--max-chars"},
}

// interactive are the programs that wait for a person.
var interactive = strings.Fields(`
	vim vi nvim nano emacs pico
	less more most
	top htop btop btm watch
	python python3 node irb ruby pry php ghci
	psql mysql sqlite3 redis-cli mongo mongosh
	ssh telnet ftp sftp
	gdb lldb
	fzf peco`)

// windowsOnly is interactive on Windows.
const windowsOnly = "notepad"

// segments are beginnings of commands that wait for a person, with the names under
// which they are reported.
var segments = []struct{ text, name string }{
	{"git rebase -i", "git rebase -i"},
	{"git rebase --interactive", "git rebase -i"},
	{"git add -i", "git add -i"},
	{"git add -p", "git add -p"},
	{"git commit -p", "git commit -p"},
	{"tail -f", "tail -f"},
	{"tail --follow", "tail -f"},
	{"journalctl -f", "journalctl -f"},
	{"kubectl logs -f", "kubectl logs -f"},
	{"docker logs -f", "docker logs -f"},
	{"docker attach", "docker attach"},
}

// flags are options by which programs that read commands otherwise do not.
var flags = map[string][]string{
	"python":  {"-c", "-m"},
	"python3": {"-c", "-m"},
	"node":    {"-e", "--eval", "-p", "--print", "-v", "--check", "-h"},
	"ruby":    {"-e"},
	"php":     {"-r", "-f"},
	"psql":    {"-c", "--command", "-f", "--file", "-l", "--list"},
	"mysql":   {"-e", "--execute"},
	"mongo":   {"--eval", "-f", "--file"},
	"mongosh": {"--eval", "-f", "--file"},
}

// operands is how many arguments that are no options keep a program from waiting.
var operands = map[string]int{"ssh": 2, "sqlite3": 2, "redis-cli": 1}

var shells = []string{"sh", "bash", "zsh", "ksh", "dash"}

// A reader reads the words of one revision of the guard.
type reader struct {
	// paths says that program names are read as Windows writes them, too.
	paths bool
}

var suffixes = []string{".exe", ".cmd", ".bat", ".com"}

var unquoted = strings.NewReplacer(`"`, "", `'`, "", "`", "")

// norm returns a word as the name of a program.
func (r reader) norm(word string) string {
	word = strings.TrimSpace(word)
	word = strings.TrimLeft(word, "$(")
	word = strings.TrimRight(word, ")")
	word = unquoted.Replace(word)
	if r.paths {
		lower := strings.ToLower(word)
		executable := slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(lower, s) })
		drive := len(word) > 2 && word[1] == ':' && (word[2] == '\\' || word[2] == '/')
		if drive || strings.HasPrefix(word, `\\`) || strings.HasPrefix(word, `.\`) || strings.HasPrefix(word, `..\`) || executable && strings.Contains(word, `\`) {
			word = word[strings.LastIndexAny(word, `\/`)+1:]
		}
	}
	word = strings.ReplaceAll(word, `\`, "")
	word = strings.ToLower(word[strings.LastIndexByte(word, '/')+1:])
	if r.paths {
		for _, s := range suffixes {
			if strings.HasSuffix(word, s) {
				return strings.TrimSuffix(word, s)
			}
		}
	}
	return word
}

// program returns the program that words call, and where its name stands: behind
// assignments, options, numbers and wrappers. at is -1 where there is none.
func (r reader) program(words []string) (name string, at int) {
	var valued []string
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case strings.IndexByte(w, '=') > 0:
			continue
		case strings.HasPrefix(w, "-"):
			if slices.Contains(valued, w) {
				i++
			}
			continue
		case strings.Trim(w, "0123456789") == "":
			continue
		}
		t := r.norm(w)
		options, wraps := wrappers[t]
		if !wraps {
			return t, i
		}
		valued = options
	}
	return "", -1
}

// payload returns the text behind -c of a shell, or "".
func (r reader) payload(name string, words []string) string {
	from := slices.IndexFunc(words, func(w string) bool { return r.norm(w) == name })
	for i := from + 1; i < len(words); i++ {
		if words[i] == "-c" || words[i] == "--command" {
			return strings.Join(words[i+1:], " ")
		}
	}
	return ""
}

// waits reports whether the program waits for a person when it is called so.
func (r reader) waits(name string, words []string, goos string) bool {
	if !slices.Contains(interactive, name) && (name != windowsOnly || goos != "windows") {
		return false
	}
	from := slices.IndexFunc(words, func(w string) bool { return r.norm(w) == name })
	later := words[from+1:]
	if list, ok := flags[name]; ok {
		for _, w := range later {
			before, _, _ := strings.Cut(w, "=")
			if before == "--version" || before == "--help" || slices.Contains(list, before) || !strings.HasPrefix(w, "-") {
				return false
			}
		}
	}
	if n, ok := operands[name]; ok {
		for _, w := range later {
			if !strings.HasPrefix(w, "-") {
				n--
			}
		}
		return n > 0
	}
	return true
}

// segment returns the name of the beginning that the words from a place on have, or
// "".
func segment(words []string, at int) string {
	if at < 0 {
		return ""
	}
	body := strings.ToLower(strings.Join(words[at:], " "))
	for _, s := range segments {
		if body == s.text || strings.HasPrefix(body, s.text+" ") {
			return s.name
		}
	}
	return ""
}
