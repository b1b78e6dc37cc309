package guard

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A file is what a file descriptor is: the terminal, a known text, or something else.
type file struct {
	terminal bool
	known    bool
	text     string
}

// files are the file descriptors of a shell.
type files [10]file

var terminal = files{{terminal: true}, {terminal: true}, {terminal: true}}

// redirect changes the file descriptors of the scope.
func (s *scope) redirect(list []*syntax.Redirect) {
	for _, r := range list {
		s.inside(r.Word)
		at := 1
		switch r.Op {
		case syntax.RdrIn, syntax.RdrInOut, syntax.DplIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			at = 0
		}
		if r.N != nil {
			at = -1
			if n := r.N.Value; len(n) == 1 && '0' <= n[0] && n[0] <= '9' {
				at = int(n[0] - '0')
			}
		}
		if at < 0 {
			continue
		}
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			s.files[at] = s.document(r)
		case syntax.WordHdoc:
			text := s.quoted(r.Word)
			s.files[at] = file{text: text + "\n", known: true}
		case syntax.DplIn, syntax.DplOut:
			target := s.quoted(r.Word)
			number := strings.TrimSuffix(target, "-")
			switch {
			case len(number) == 1 && '0' <= number[0] && number[0] <= '9':
				s.files[at] = s.files[number[0]-'0']
				if number != target {
					s.files[number[0]-'0'] = file{}
				}
			case target == "-":
				s.files[at] = file{}
			default:
				f := s.open(target)
				s.files[at] = f
				if r.Op == syntax.DplOut && r.N == nil {
					s.files[2] = f
				}
			}
		case syntax.RdrAll, syntax.AppAll, syntax.RdrAllClob, syntax.AppAllClob:
			f := s.open(s.quoted(r.Word))
			s.files[1], s.files[2] = f, f
		default:
			s.files[at] = s.open(s.quoted(r.Word))
		}
	}
}

// open returns the file of a name.
func (s *scope) open(name string) file {
	switch name {
	case "/dev/tty", "/dev/console":
		return file{terminal: true}
	case "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0":
		return s.files[0]
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		return s.files[1]
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
		return s.files[2]
	}
	return file{}
}

// document returns the text of a here-document.
func (s *scope) document(r *syntax.Redirect) file {
	if r.Hdoc == nil {
		return file{known: true}
	}
	s.inside(r.Hdoc)
	raw := false
	for _, p := range r.Word.Parts {
		if l, ok := p.(*syntax.Lit); !ok || strings.Contains(l.Value, `\`) {
			raw = true
		}
	}
	var text string
	if raw {
		for _, p := range r.Hdoc.Parts {
			if l, ok := p.(*syntax.Lit); ok {
				text += l.Value
			}
		}
	} else {
		var e expansion
		e.scope = s
		e.inQuotes(r.Hdoc.Parts, "$`\\")
		text = e.text.String()
	}
	if r.Op == syntax.DashHdoc {
		lines := strings.SplitAfter(text, "\n")
		for i := range lines {
			lines[i] = strings.TrimLeft(lines[i], "\t")
		}
		text = strings.Join(lines, "")
	}
	return file{text: text, known: true}
}
