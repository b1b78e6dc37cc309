package guard

import "strings"

// builtins are those that run something, change what is known, or ask.
var builtins map[string]func(s *scope, argv []string) flow

func init() {
	builtins = map[string]func(s *scope, argv []string) flow{
		"command": command, "builtin": builtin, "exec": execute, "eval": eval, "trap": trap,
		".": source, "source": source, "set": setArgs, "unset": unset, "read": read1, "printf": printf,
		"exit":     func(*scope, []string) flow { return exits },
		"break":    func(s *scope, _ []string) flow { return s.leaving() },
		"continue": func(s *scope, _ []string) flow { return s.leaving() },
		"return": func(s *scope, _ []string) flow {
			if s.calling > 0 {
				return returns
			}
			return ahead // an error, and it goes on
		},
		"shift": func(s *scope, argv []string) flow {
			if n := number(argv[1:], 1); s.known && 0 <= n && n <= len(s.args) {
				s.args = s.args[n:]
			}
			return ahead
		},
	}
}

func (s *scope) leaving() flow {
	if s.looping > 0 {
		return leaves
	}
	return ahead
}

func command(s *scope, argv []string) flow {
	for argv = argv[1:]; len(argv) > 0 && len(argv[0]) > 1 && argv[0][0] == '-'; argv = argv[1:] {
		if argv[0] == "--" {
			return s.run(argv[1:], noFuncs)
		}
		if strings.Trim(argv[0], "-p") != "" {
			return ahead // tells what would run, or an error
		}
	}
	return s.run(argv, noFuncs)
}

func builtin(s *scope, argv []string) flow {
	argv = argv[1:]
	if len(argv) > 0 && argv[0] == "--" {
		argv = argv[1:]
	}
	if len(argv) > 0 {
		if b, ok := builtins[argv[0]]; ok {
			return b(s, argv)
		}
	}
	return ahead
}

func execute(s *scope, argv []string) flow {
	for argv = argv[1:]; len(argv) > 0 && len(argv[0]) > 1 && argv[0][0] == '-'; argv = argv[1:] {
		if argv[0] == "--" {
			argv = argv[1:]
			break
		}
		if strings.Trim(argv[0][1:], "cla") != "" {
			return ahead // an error, and it goes on
		}
		if argv[0][len(argv[0])-1] == 'a' && len(argv) > 1 {
			argv = argv[1:]
		}
	}
	if len(argv) == 0 {
		return ahead
	}
	s.run(argv, programs)
	s.traps = nil
	return exits
}

func eval(s *scope, argv []string) flow {
	argv = argv[1:]
	if len(argv) > 0 && argv[0] == "--" {
		argv = argv[1:]
	}
	return s.text(strings.Join(argv, " "))
}

// source reads a file, which is not there to be read but for standard input.
func source(s *scope, argv []string) flow {
	if len(argv) > 1 && argv[1] == "/dev/stdin" && s.files[0].known {
		return s.text(s.files[0].text)
	}
	return ahead
}

// trap keeps what is to run at the end; what is to run between is looked at here.
func trap(s *scope, argv []string) flow {
	argv = argv[1:]
	if len(argv) > 0 && argv[0] == "--" {
		argv = argv[1:]
	}
	if len(argv) == 0 || len(argv[0]) > 1 && argv[0][0] == '-' {
		return ahead
	}
	action, signals := argv[0], argv[1:]
	if len(signals) == 0 {
		action, signals = "-", argv
	}
	for _, name := range signals {
		name = strings.ToUpper(name)
		delete(s.traps, name)
		if action == "-" || action == "" {
			continue
		}
		switch name {
		case "EXIT", "0":
			s.trap(name, []string{action})
		case "DEBUG", "ERR":
			s.apart(func(s *scope) { s.text(action) })
		}
	}
	return ahead
}

func setArgs(s *scope, argv []string) flow {
	for argv = argv[1:]; len(argv) > 0; argv = argv[1:] {
		a := argv[0]
		switch {
		case a == "--" || a == "-":
			if a == "--" || len(argv) > 1 {
				s.args, s.known = argv[1:], true
			}
			return ahead
		case len(a) > 1 && (a[0] == '-' || a[0] == '+'):
			if strings.Contains(a, "o") && len(argv) > 1 {
				argv = argv[1:]
				if a[0] == '-' && argv[0] == "noexec" {
					return exits
				}
			}
			if a[0] == '-' && strings.Contains(a, "n") {
				return exits // it only reads from here on
			}
		default:
			s.args, s.known = argv, true
			return ahead
		}
	}
	return ahead
}

func unset(s *scope, argv []string) flow {
	funcs := false
	for _, a := range argv[1:] {
		switch {
		case a == "-f":
			funcs = true
		case a == "-v" || a == "-n":
		case funcs:
			delete(s.funcs, a)
		default:
			if _, ok := s.vars[a]; !ok {
				delete(s.funcs, a)
			}
			if i := strings.IndexByte(a, '['); i >= 0 {
				s.set(a[:i], value{open: true})
				continue
			}
			delete(s.vars, a)
			s.set(a, value{texts: []string{""}, gone: true})
		}
	}
	return ahead
}

// read1 is the builtin read: it asks where its input is the terminal.
func read1(s *scope, argv []string) flow {
	from, timed := 0, false
	argv = argv[1:]
	for ; len(argv) > 0 && len(argv[0]) > 1 && argv[0][0] == '-'; argv = argv[1:] {
		if argv[0] == "--" {
			argv = argv[1:]
			break
		}
		i := strings.IndexAny(argv[0], "adinNptu")
		if i < 0 {
			continue
		}
		option, v := argv[0][i], argv[0][i+1:]
		if v == "" && len(argv) > 1 {
			argv = argv[1:]
			v = argv[0]
		}
		switch option {
		case 't':
			timed = true
		case 'u':
			from = max(number([]string{v}, 9), 0)
		case 'a':
			s.set(v, value{open: true})
		}
	}
	if from < len(s.files) && s.files[from].terminal && !timed {
		s.name = "read"
		return exits
	}
	v := value{open: true}
	if f := s.files[0]; f.known && from == 0 && len(argv) == 1 {
		text, _, _ := strings.Cut(f.text, "\n")
		v = value{texts: []string{strings.Trim(text, " \t")}}
	}
	for _, name := range argv {
		s.set(name, v)
	}
	return ahead
}

func printf(s *scope, argv []string) flow {
	if len(argv) > 2 && argv[1] == "-v" {
		v := value{open: true}
		if text, ok := printed(argv[3:]); ok {
			v = value{texts: []string{text}}
		}
		s.set(argv[2], v)
	}
	return ahead
}
