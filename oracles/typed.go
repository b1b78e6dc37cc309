package oracles

import (
	"bytes"
	"regexp"
	"strconv"

	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/pty"
)

// readTyped tells what became of one line that was typed into an interactive
// shell, and takes what the command itself has shown out of what arrived on the
// terminal. It goes by what was seen of the shell; of the path's markers it takes
// that they were printed, and nothing from their absence alone.
func readTyped(t wire.Typed, id string) wire.Observation {
	start, end := pty.Markers(id)
	o := wire.Observation{Records: t.Records}
	screen := written(t.Output)
	begins := lineOf(screen, start)
	// The shell shows such a line before it runs any of it; later the command may.
	unrun := screen
	if at := bytes.Index(screen, []byte(start+"\n")); at >= 0 {
		unrun = screen[:at]
	}
	o.Expanded = bytes.Contains(unrun, []byte(pty.Quote(start)))
	from := max(begins, 0)
	status, stops, ends := endOf(screen, end)
	if ends && begins >= 0 && begins <= stops {
		o.Stdout, o.Status = plain(screen[from:stops]), status
	} else {
		shown, _, _ := bytes.Cut(screen[from:], []byte(pty.PromptMark))
		o.Stdout = plain(bytes.TrimSuffix(shown, []byte(pty.Prompt)))
	}
	started := begins >= 0 || len(t.Records) > 0
	switch {
	case t.Settled == wire.Exited:
		o.Fate, o.Status = wire.Gone, t.Status
		o.Stdout = bytes.TrimSuffix(o.Stdout, []byte("exit\n")) // which such a shell says itself
	case ends && begins >= 0: // whether it was what it should be is not seen here
	case t.Settled == wire.ChildReading, t.Settled == wire.ChildRunning, t.Settled == wire.Flooded:
		o.Fate = wire.Alive
	case t.Settled == wire.Prompted && !started && (unread.Match(screen) || o.Expanded && !bytes.Contains(screen, []byte(pty.PromptMark))):
		o.Fate = wire.Discarded
	case t.Settled == wire.Reading && (!started && o.Expanded || secondary.Match(screen) && (!started || bytes.Contains(screen[from:], []byte(pty.PromptMark)))):
		o.Fate = wire.Continued
	default:
		o.Fate = wire.MarkerLost
	}
	return o
}

// unread matches the screen behind a line of which nothing was run: the prompt
// comes back at once, without the mark that is printed between two commands, with
// what history expansion has to say or with nothing.
var unread = regexp.MustCompile(`^(\S*bash: .*: (event not found|unrecognized history modifier|bad word specifier|substitution failed|no previous substitution)\n)?dsh> $`)

// secondary matches the secondary prompt of bash at the end of a screen, several
// times where the line has held line ends.
var secondary = regexp.MustCompile(`(^|\n|\a|> )> $`)

// lineOf returns the place behind the last line that ends with the text.
func lineOf(screen []byte, text string) int {
	at := bytes.LastIndex(screen, []byte(text+"\n"))
	if at < 0 {
		return -1
	}
	return at + len(text) + 1
}

// endOf finds the last end marker that a status and a line end follow.
func endOf(screen []byte, marker string) (status, at int, ok bool) {
	for to := len(screen); ; {
		at = bytes.LastIndex(screen[:to], []byte(marker))
		if at < 0 {
			return 0, 0, false
		}
		digits, _, whole := bytes.Cut(screen[at+len(marker):], []byte{'\n'})
		if n, err := strconv.Atoi(string(digits)); whole && err == nil {
			return n, at, true
		}
		to = at
	}
}

var (
	// messages are what a shell says of errors (of those in functions a bash -c
	// says environment for itself): not compared, as the standard
	// error of other paths. A terminal shows both together.
	messages = regexp.MustCompile(`((/bin/)?bash: |environment: line [0-9]+: )[^\n]*\n?`)
	jobs     = regexp.MustCompile(`(?m)^\[[0-9]+\]([-+ ] .*| [0-9]+)\n`)
)

// written returns what a terminal has shown with the line ends that were written to
// it.
func written(screen []byte) []byte { return bytes.ReplaceAll(screen, []byte("\r\n"), []byte("\n")) }

// plain returns what a terminal has shown without the shell's own messages.
func plain(screen []byte) []byte {
	if bytes.Contains(screen, []byte("bash: ")) || bytes.Contains(screen, []byte("environment: ")) {
		screen = messages.ReplaceAllLiteral(screen, nil)
	}
	if bytes.Contains(screen, []byte("[")) {
		screen = jobs.ReplaceAllLiteral(screen, nil)
	}
	return screen
}
