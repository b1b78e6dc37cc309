// Package pty models a tool that keeps one interactive bash in a terminal and
// sends it each command as one physical line with markers around it.
package pty

import (
	"strconv"
	"strings"
)

// The lines that a tool sends to a fresh shell before anything else.
const (
	Init        = "stty -echo"
	InitHistOff = "stty -echo; set +o histexpand"
)

// Prompt is what the shell prints when it waits for a line.
const Prompt = "dsh> "

// PromptMark is what the shell prints before its prompt, but for the status and the
// end of the sequence: not behind a line that history expansion has discarded.
const PromptMark = "\x1b]133;D;"

// Args are the arguments of the shell, without argv[0].
var Args = []string{"--noprofile", "--norc", "-i"}

// Env is the environment that the tool adds.
var Env = []string{
	"TERM=dumb", "PAGER=cat", "GIT_PAGER=cat", "DSH_SHELL=1", "PS1=" + Prompt, "BASH_SILENCE_DEPRECATION_WARNING=1",
	`PROMPT_COMMAND=printf "\033]133;D;%s\007" "$?"; PS1='` + Prompt + `'`,
}

// Markers returns what the line of a command prints before and behind the
// command's own output, for an id that no other line has.
func Markers(id string) (start, end string) {
	return "__DSH_PERSISTENT_BASH_START_" + id + "__", "__DSH_PERSISTENT_BASH_END_" + id + ":"
}

var escapes = strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\r", `\r`, "\n", `\n`)

// Quote puts text into $'...'. Nothing but backslashes, quotes and line ends is
// escaped: tabs, control bytes and ! stay as they are, as in the modelled tool.
func Quote(text string) string { return "$'" + escapes.Replace(text) + "'" }

// Wrap returns the physical line for a command, without the carriage return that
// submits it.
func Wrap(command, id string) string { return Around("eval -- "+Quote(command), id) }

// Printed returns what the line of a command prints that runs to its end, for
// what the command itself prints and its status.
func Printed(stdout []byte, status int, id string) []byte {
	start, end := Markers(id)
	b := append([]byte(start+"\n"), stdout...)
	return append(strconv.AppendInt(append(b, end...), int64(status), 10), '\n')
}
