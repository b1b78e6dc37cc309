package program

import (
	"slices"
	"strings"
)

// shellLetters are the options of one letter that bash and other shells know.
const shellLetters = "abcefghiklmnoprstuvxyABCDEGHIKLMNOPQRSTUVWXYZ"

const shellNames = "sh bash zsh ksh dash fish ash mksh rbash"

func shellPrograms(t *table) {
	for _, n := range strings.Fields(shellNames) {
		t.named[n] = func(argv []string, on Terminals) string {
			s := shellOf(argv)
			if s.text || s.tells || len(s.rest) > 0 && !s.input || !on.In {
				return ""
			}
			return n
		}
	}
}

// A shell is what a shell makes of its arguments.
type shell struct {
	text  bool // -c: its text is the first of rest
	input bool // -s: it reads commands from its input
	tells bool // it only tells about itself
	reads bool // -n: it executes nothing, but where a person types
	rest  []string
}

// Shell reports whether a call starts a shell and what that runs: the text behind -c
// with the arguments from $0 on, or with input what it reads from its input, and the
// arguments from $1 on. A script file is neither.
func Shell(argv []string) (text string, args []string, command, input bool) {
	if len(argv) == 0 {
		return "", nil, false, false
	}
	name := argv[0][strings.LastIndexByte(argv[0], '/')+1:]
	if !slices.Contains(strings.Fields(shellNames), name) {
		return "", nil, false, false
	}
	s := shellOf(argv)
	switch {
	case s.tells || s.reads:
	case s.text && len(s.rest) > 0:
		return s.rest[0], s.rest[1:], true, false
	case !s.text && (len(s.rest) == 0 || s.input):
		return "", s.rest, false, true
	}
	return "", nil, false, false
}

// shellOf reads a shell's options; they end at its first operand.
func shellOf(argv []string) (s shell) {
	fish := strings.HasSuffix(argv[0], "fish")
	i := 1
	for ; i < len(argv); i++ {
		a := argv[i]
		switch {
		case a == "-" || a == "--":
			s.rest = argv[i+1:]
			return s
		case a == "--version" || a == "--help":
			s.tells = true
		case a == "--rcfile" || a == "-rcfile" || a == "--init-file" || a == "-init-file" || fish && (a == "--init-command" || a == "--features" || a == "--debug"):
			i++
		case a == "--command" && fish:
			s.text = true
		case strings.HasPrefix(a, "--command=") && fish:
			s.text = true
			s.rest = append([]string{a[10:]}, argv[i+1:]...)
			return s
		case strings.HasPrefix(a, "--"), a == "-login", a == "-norc", a == "-noprofile", a == "-posix", a == "-noediting":
		case len(a) > 1 && (a[0] == '-' || a[0] == '+'):
			for _, c := range a[1:] {
				switch {
				case !fish && !strings.ContainsRune(shellLetters, c):
					s.tells = true // an error
				case c == 'o' && i+1 < len(argv) && argv[i+1] == "noexec" && a[0] == '-':
					s.reads = true
					i++
				case c == 'o' || c == 'O' && !fish, fish && strings.ContainsRune("Cdf", c):
					i++
				case a[0] == '+':
				case c == 'c':
					s.text = true
				case c == 'n':
					s.reads = true
				case c == 's' && !fish:
					s.input = true
				case c == 'v' && fish, c == 'h' && fish:
					s.tells = true
				}
			}
		default:
			s.rest = argv[i:]
			return s
		}
	}
	return s
}
