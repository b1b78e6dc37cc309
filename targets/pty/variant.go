package pty

import "strings"

// The size of the modelled tool's terminal.
const (
	Rows    = 40
	Columns = 160
)

// A Variant is one way in which such a tool may start its shell.
type Variant struct {
	// HistOff switches history expansion off in the line that begins.
	HistOff bool
	// NoEditing starts the shell without its line editor, so that the kernel's
	// terminal takes the lines.
	NoEditing bool
	// Locale is LC_ALL; "" is C.UTF-8.
	Locale string
	// Term is the name of the terminal; "" is dumb, as in the modelled tool.
	Term string
}

// Argv is the argument vector of the shell, with argv[0].
func (v Variant) Argv() []string {
	argv := []string{"/bin/bash"}
	if v.NoEditing {
		argv = append(argv, "--noediting")
	}
	return append(argv, Args...)
}

// Environ is the environment that the tool adds, with what keeps one run of it
// like the next: no history file and no settings of the line editor.
func (v Variant) Environ() []string {
	locale, term := v.Locale, v.Term
	if locale == "" {
		locale = "C.UTF-8"
	}
	env := []string{"HISTFILE=/dev/null", "INPUTRC=/dev/null", "LC_ALL=" + locale, "LANG=" + locale}
	for _, e := range Env {
		if term != "" && strings.HasPrefix(e, "TERM=") {
			e = "TERM=" + term
		}
		env = append(env, e)
	}
	return env
}

// Begin is the line that the tool sends first.
func (v Variant) Begin() string {
	if v.HistOff {
		return InitHistOff
	}
	return Init
}

// Around puts the markers of an id around a statement, as a physical line.
func Around(statement, id string) string {
	start, end := Markers(id)
	return `printf '%s\n' ` + Quote(start) + `; ` + statement + `; __dsh_persistent_bash_status=$?; printf '%s%s\n' ` +
		Quote(end) + ` "$__dsh_persistent_bash_status"`
}
