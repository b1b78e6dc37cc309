package guard

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/argvdiff/argvdiff/targets/program"
)

// A manner says where the program of a call is looked for.
type manner int

const (
	anywhere manner = iota
	noFuncs         // not among functions
	programs        // only among programs
)

// call runs a simple command.
func (s *scope) call(c *syntax.CallExpr, redirs []*syntax.Redirect) flow {
	for _, a := range c.Assigns {
		if a.Value != nil {
			s.inside(a.Value)
		} else {
			s.inside(a)
		}
	}
	for _, w := range c.Args {
		s.inside(w)
	}
	if s.done() {
		return exits
	}
	var calls [][]string
	if len(c.Args) > 0 {
		calls = s.readings(c.Args)
	}
	before := s.files
	if len(redirs) > 0 {
		s.redirect(redirs)
	}
	f := ahead
	switch {
	case len(calls) == 0 || len(calls) == 1 && len(calls[0]) == 0:
		for _, a := range c.Assigns {
			s.assign(a)
		}
	case len(c.Assigns) > 0:
		f = s.with(func() {
			for _, a := range c.Assigns {
				s.assign(a)
				if a.Name != nil {
					v := s.vars[a.Name.Value]
					v.exported = true
					s.set(a.Name.Value, v)
				}
			}
		}, func() flow { return s.calls(calls) })
	default:
		f = s.calls(calls)
	}
	if len(calls) != 1 || len(calls[0]) != 1 || calls[0][0] != "exec" {
		s.files = before
	}
	return f
}

// with runs something while variables are set.
func (s *scope) with(set func(), run func() flow) flow {
	before := s.copied().vars
	set()
	f := run()
	s.vars = before
	return f
}

// calls runs one of several readings of a call.
func (s *scope) calls(list [][]string) flow {
	if len(list) == 1 {
		return s.run(list[0], anywhere)
	}
	var branches []func(*scope) flow
	for _, argv := range list {
		if len(argv) > 0 {
			branches = append(branches, func(s *scope) flow { return s.run(argv, anywhere) })
		}
	}
	if len(branches) == 0 {
		return ahead
	}
	return s.either(branches...)
}

// run runs a call.
func (s *scope) run(argv []string, m manner) flow {
	if s.steps++; s.done() {
		return exits
	}
	if len(argv) == 0 || s.depth >= maxDepth {
		return ahead
	}
	s.depth++
	defer func() { s.depth-- }()
	if bodies := s.funcs[argv[0]]; m == anywhere && bodies != nil {
		if len(bodies) == 1 && bodies[0] != nil {
			return s.function(bodies[0], argv)
		}
		var branches []func(*scope) flow
		for _, b := range bodies {
			branches = append(branches, func(s *scope) flow {
				if b == nil {
					return s.run(argv, noFuncs)
				}
				return s.function(b, argv)
			})
		}
		return s.either(branches...)
	}
	if m != programs {
		if b, ok := builtins[argv[0]]; ok {
			return b(s, argv)
		}
	}
	s.program(argv)
	return ahead
}

// function runs the body of a function.
func (s *scope) function(body *syntax.Stmt, argv []string) flow {
	args, known := s.args, s.known
	s.args, s.known = argv[1:], true
	s.calling++
	f := s.stmt(body)
	s.calling--
	s.args, s.known = args, known
	if f == returns || f == leaves {
		return ahead
	}
	return f
}

// program runs a program.
func (s *scope) program(argv []string) {
	name := argv[0][strings.LastIndexByte(argv[0], '/')+1:]
	if s.goos == "windows" {
		name = windowsName(argv[0])
		argv = append([]string{name}, argv[1:]...)
	}
	if strings.Contains(name, opaque) {
		return
	}
	if s.goos == "windows" && name == windowsOnly {
		s.name = name
		return
	}
	text, args, command, input := program.Shell(argv)
	switch {
	case command:
		s.child(text, args)
		return
	case input && s.files[0].known:
		text := s.files[0].text
		s.apart(func(s *scope) {
			s.files[0] = file{}
			s.child(text, append([]string{argv[0]}, args...))
		})
		return
	}
	if inner, ok := program.Behind(argv); ok {
		s.wrapped(name, argv, inner)
		return
	}
	on := program.Terminals{In: s.files[0].terminal, Out: s.files[1].terminal, Err: s.files[2].terminal}
	if name == "man" && s.idle("MANPAGER", "PAGER") {
		on.Out = false
	}
	name = program.Waits(shown(argv), on)
	if name == "" || s.edits(name) {
		return
	}
	s.name = name
}

// shown returns arguments as options are read in them: of one that has an unknown
// part, only what stands before that can be an option.
func shown(argv []string) []string {
	out := argv
	for i, a := range argv {
		if k := strings.Index(a, opaque); k >= 0 && i > 0 && a[0] == '-' && k+len(opaque) < len(a) {
			if i > 0 && &out[0] == &argv[0] {
				out = slices.Clone(argv)
			}
			out[i] = a[:k+len(opaque)]
		}
	}
	return out
}

func windowsName(word string) string {
	word = strings.ToLower(word[strings.LastIndexAny(word, `\/`)+1:])
	for _, s := range suffixes {
		if n, ok := strings.CutSuffix(word, s); ok {
			return n
		}
	}
	return word
}

// apart runs something that changes nothing here.
func (s *scope) apart(run func(s *scope)) { run(s.copied()) }

// child runs a text in another shell, whose arguments begin with $0.
func (s *scope) child(text string, args []string) {
	c := &scope{reading: s.reading, files: s.files, known: true}
	if len(args) > 0 {
		c.zero, c.args = args[0], args[1:]
	}
	for k, v := range s.vars {
		if v.exported {
			c.set(k, v)
		}
	}
	c.script(text)
}

// wrapped runs what stands behind a wrapper.
func (s *scope) wrapped(name string, argv, inner []string) {
	s.apart(func(s *scope) {
		switch name {
		case "xargs": // its command gets words, and no input
			inner = append(slices.Clip(inner), opaque)
			s.files[0] = file{}
		case "nohup":
			for i := range s.files[:3] {
				if s.files[i].terminal {
					s.files[i] = file{}
				}
			}
		case "env", "sudo":
			for _, w := range argv[1 : len(argv)-min(len(inner), len(argv)-1)] {
				if k, v, ok := strings.Cut(w, "="); ok && k != "" && k[0] != '-' {
					s.set(k, value{texts: []string{v}, exported: true})
				}
			}
		}
		s.run(inner, programs)
	})
}

// edits reports whether a call that opens an editor has one that does nothing.
func (s *scope) edits(name string) bool {
	switch name {
	case "git rebase -i":
		return s.idle("GIT_SEQUENCE_EDITOR", "GIT_EDITOR", "VISUAL", "EDITOR")
	case "git commit", "git tag", "git merge", "git revert", "git cherry-pick", "git notes", "git config -e", "git branch --edit-description", "git replace --edit", "git add -e":
		return s.idle("GIT_EDITOR", "VISUAL", "EDITOR")
	case "crontab", "visudo", "sudoedit", "systemctl edit", "kubectl edit":
		return s.idle("VISUAL", "EDITOR")
	}
	return false
}

// idle reports whether the first of the variables that the text exports names a
// program that does not wait.
func (s *scope) idle(names ...string) bool {
	for _, n := range names {
		if v, ok := s.vars[n]; ok && v.exported && len(v.texts) == 1 {
			return program.Idle(v.texts[0])
		}
	}
	return false
}

// number reads a number of a builtin's argument.
func number(args []string, otherwise int) int {
	if len(args) > 0 {
		if n, err := strconv.Atoi(args[0]); err == nil {
			return n
		}
	}
	return otherwise
}
