package oracles

import (
	"bytes"
	"regexp"
	"strconv"

	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
	"github.com/argvdiff/argvdiff/targets/pty"
)

var (
	noEvent  = regexp.MustCompile(`: (event not found|unrecognized history modifier|bad word specifier|substitution failed|no previous substitution)`)
	openText = regexp.MustCompile(`unexpected EOF while looking for matching|unexpected end of file`)
	prompt   = regexp.MustCompile(`(?m)^bash-[0-9]+\.[0-9]+[$#] `)
)

// readLine tells, from what an interactive shell has printed, what became of the
// one line that it was sent, and takes what the command itself has shown out of
// it. The shell prints a line once more where history expansion has changed it.
func readLine(r wire.Result) wire.Observation {
	o := r.Observation
	if o.Ended != wire.Itself {
		return o
	}
	start, end := pty.Markers(path.LineID)
	// The echo of the line editor scrolls, so that the marker is never whole in it.
	expanded := bytes.Contains(r.Stderr, []byte(pty.Quote(start)))
	at := bytes.LastIndex(o.Stdout, []byte(end))
	if at >= 0 {
		if status, _, whole := bytes.Cut(o.Stdout[at+len(end):], []byte("\n")); whole {
			if n, err := strconv.Atoi(string(status)); err == nil {
				o.Stdout, o.Status = behind(o.Stdout[:at], start), n
				if o.Expanded = expanded; expanded {
					o.Fate = wire.Rewritten
				}
				return o
			}
		}
	}
	o.Stdout = behind(o.Stdout, start)
	switch {
	case noEvent.Match(r.Stderr):
		o.Fate, o.Status = wire.Discarded, 0
	case openText.Match(r.Stderr): // of the command's own text it is told behind which status
		o.Fate, o.Status = wire.Continued, 0
	case len(prompt.FindAll(r.Stderr, 2)) < 2:
		o.Fate = wire.Gone
	default:
		o.Fate, o.Status = wire.MarkerLost, 0
	}
	return o
}

// behind returns what stands behind the last line that is the marker.
func behind(text []byte, marker string) []byte {
	if at := bytes.LastIndex(text, []byte(marker+"\n")); at >= 0 {
		return text[at+len(marker)+1:]
	}
	return text
}

// tidy takes what the line editor has drawn out of what an interactive shell has
// printed on its standard error.
func tidy(stderr []byte) []byte {
	var lines [][]byte
	for _, l := range bytes.Split(stderr, []byte("\n")) {
		l = l[bytes.LastIndexByte(l, '\r')+1:]
		if !bytes.HasPrefix(l, []byte("<")) && !prompt.Match(l) && !noTerminal.Match(l) && len(l) > 0 {
			lines = append(lines, l)
		}
	}
	return bytes.Join(lines, []byte("\n"))
}

var noTerminal = regexp.MustCompile(`: (cannot set terminal process group .*|no job control in this shell)$`)
