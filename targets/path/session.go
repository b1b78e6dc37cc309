package path

import (
	"strings"

	"github.com/argvdiff/argvdiff/targets/pty"
)

// The parts of the names of paths through a terminal, behind pty: what the shell
// is started with, then, behind slashes, its locale and its terminal's name.
const (
	histOff   = "-histoff"
	noEditing = "-noediting"
)

// sessions lists the paths through a terminal. There are more, see Lookup: each
// may have any locale and any name of a terminal.
func sessions() []Path {
	const other = "the C.UTF-8 locale and a dumb terminal show most of what there is"
	var paths []Path
	for _, entry := range []struct{ name, aside string }{
		{"pty", ""},
		{"pty-histoff", ""},
		{"pty-noediting", ""},
		{"pty-histoff-noediting", "it is pty-histoff and pty-noediting together"},
		{"pty/C", other},
		{"pty/C.UTF-8/xterm-256color", other},
		{"pty-noediting/C", other},
		{"source-file", ""},
		{"exposure", "it tests the prediction of what history expansion does, and no way of quoting"},
	} {
		p, ok := sessionPath(entry.name)
		if !ok {
			panic("no path " + entry.name)
		}
		p.Aside = entry.aside
		paths = append(paths, p)
	}
	return paths
}

// sessionPath returns the path through a terminal of that name.
func sessionPath(name string) (Path, bool) {
	base, rest, _ := strings.Cut(name, "/")
	locale, term, _ := strings.Cut(rest, "/")
	if strings.HasSuffix(name, "/") || strings.Contains(term, "/") || strings.ContainsAny(rest, " \t\n\x00") {
		return Path{}, false
	}
	v := &pty.Variant{Locale: locale, Term: term}
	p := Path{Name: name, Family: "pty", Reference: Untouched, Terminal: v, statement: evaluate}
	doc := "a line for a persistent bash in a terminal"
	switch family, parts, _ := strings.Cut(base, "-"); {
	case base == "exposure":
		p.Family, p.Reference, v.NoEditing = base, Prediction, true
		p.Doc = "a line for a persistent bash without its line editor, compared with what is predicted of history expansion"
		return p, rest == ""
	case base == "source-file":
		p.Family, p.statement = base, source
		p.Doc = doc + ": markers around the sourcing of a file that holds the command"
		return p, rest == ""
	case family != "pty":
		return Path{}, false
	default:
		parts = "-" + parts
		parts, v.NoEditing = strings.CutSuffix(parts, noEditing)
		parts, v.HistOff = strings.CutSuffix(parts, histOff)
		if parts != "" && base != "pty" {
			return Path{}, false
		}
	}
	p.Doc = doc + ": markers and eval -- $'...'"
	if v.HistOff {
		p.Doc += ", with history expansion off"
	}
	if v.NoEditing {
		p.Doc += ", without the line editor"
	}
	if locale != "" {
		p.Doc += ", LC_ALL=" + locale
	}
	if term != "" {
		p.Doc += ", TERM=" + term
	}
	return p, true
}

func evaluate(command string, apart bool, _ Site) (string, bool) {
	text := "eval -- " + pty.Quote(command)
	if apart {
		text = "(" + text + ")"
	}
	return text, false
}

func source(_ string, apart bool, site Site) (string, bool) {
	text := ". " + site.LineFile
	if apart {
		text = "(" + text + ")"
	}
	return text, true
}
