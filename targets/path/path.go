// Package path holds the quoting paths under test: ordered lists of quoters and
// wrappers with, at their end, the way in which the text enters a shell.
package path

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/argvdiff/argvdiff/targets/pty"
	"github.com/argvdiff/argvdiff/targets/quote"
)

// Payload is the reference of paths whose argument must arrive as it is.
const Payload = "payload"

// Prediction is the reference of the path that tests predictions of what history
// expansion does.
const Prediction = "prediction"

// Untouched is the path that defines what a command means.
const Untouched = "argv"

// A Site is what a path has to know of the place where its text will run.
type Site struct {
	// Shell is the word by which text calls the shell under test.
	Shell string
	// CwdFile is an absolute file name, outside the working folder, into which
	// wrappers write the final working folder.
	CwdFile string
	// LineFile is likewise the name of the file into which a tool writes a command
	// that its shell is to read from there.
	LineFile string
}

// A Layer is the text at one stage of a path.
type Layer struct {
	Name string `json:"name"`
	Text []byte `json:"text"`
}

// A Delivery is how the text enters the shell under test.
type Delivery struct {
	// Argv is the argument vector of the shell, with argv[0].
	Argv [][]byte
	// Stdin is what the shell reads; nil means that there is nothing.
	Stdin []byte
	// Layers are the stages of the text, the input first.
	Layers []Layer
}

// A Path carries commands or payloads into a shell.
type Path struct {
	// Name identifies the path on the command line.
	Name string
	// Family is Name without version classes and variants: faults of one cause
	// have one family.
	Family string
	// Doc says in one line, without a final period, what the path models.
	Doc string
	// Aside is why the path is used only where it is asked for, or "".
	Aside string
	// Reference is the name of the path which defines what must happen, or
	// Payload.
	Reference string

	// Interactive says that the text is a line for an interactive shell, which
	// prints markers around what its command prints: see package pty.
	Interactive bool

	// Terminal says how the shell in a terminal is started that takes the lines of
	// a session one after the other; nil where the path is not of that kind.
	Terminal *pty.Variant
	// statement returns what the line of a command runs between its markers, with
	// a file that the line needs, for paths with a Terminal. Where apart is true
	// the command runs in a subshell.
	statement func(command string, apart bool, site Site) (text string, file bool)

	// command carries a command; nil where only payloads are carried.
	command func(c *carrier, command []byte) error
	// Quoter turns payloads into words, for paths of single words.
	Quoter quote.Quoter
	// InShell does the same in the shell under test.
	InShell *quote.InShell

	// Reading says that the path is code which reads commands; nil where it carries
	// them.
	Reading *Reading
}

// TakesCommands reports whether the path carries whole commands, each to a shell
// of its own.
func (p Path) TakesCommands() bool { return p.command != nil }

// TakesSessions reports whether the path carries sessions: commands for one shell,
// one after the other. Paths that take neither carry payloads only.
func (p Path) TakesSessions() bool { return p.Terminal != nil }

// Carries reports whether the path carries what is of that kind: "command",
// "session" or "payload". A command is a session of one to paths that take those.
func (p Path) Carries(kind string) bool {
	switch kind {
	case "command":
		return p.TakesCommands() || p.TakesSessions()
	case "session":
		return p.TakesSessions()
	case "guard", "splitter":
		return p.Reading != nil
	}
	return p.Reading == nil
}

// A Line is a command as it is typed into an interactive shell, without the
// carriage return that submits it.
type Line struct {
	Text []byte
	// File holds Data when the line is typed; "" for none.
	File string
	Data []byte
	// Layers are the stages of the text, the command first.
	Layers []Layer
}

// Type returns the line of a command, with the markers of an id, for a path that
// takes sessions. Where apart is true the command runs in a subshell, so that what
// it does to its shell is not seen by later lines; that is for searches only.
func (p Path) Type(command []byte, id string, apart bool, site Site) Line {
	text, file := p.statement(string(command), apart, site)
	l := Line{Text: []byte(pty.Around(text, id)), Layers: []Layer{{"command", command}}}
	if file {
		l.File, l.Data = site.LineFile, command
		l.Layers = append(l.Layers, Layer{"file", l.Data})
	}
	l.Layers = append(l.Layers, Layer{"line", l.Text})
	return l
}

// Deliver returns the delivery of a command. The error wraps quote.ErrRefused
// where a quoter of the path declines it.
func (p Path) Deliver(command []byte, site Site) (Delivery, error) {
	if p.command == nil {
		return Delivery{}, fmt.Errorf("the path %s carries payloads, not commands", p.Name)
	}
	c := &carrier{site: site}
	c.layer("command", command)
	err := p.command(c, command)
	return Delivery{c.argv, c.stdin, c.layers}, err
}

// DeliverPayloads returns the delivery of a call of the probe with the payloads
// as its arguments. For a quoter of the shell itself, words are the answers of
// its script to the payloads; otherwise words are not used.
func (p Path) DeliverPayloads(payloads, words [][]byte, site Site) (Delivery, error) {
	c := &carrier{site: site}
	for _, b := range payloads {
		c.layer("payload", b)
	}
	var text []byte
	var err error
	switch {
	case p.Quoter != nil:
		text, err = p.Quoter.Quote(payloads...)
	case p.InShell != nil:
		text = bytes.Join(words, []byte{' '})
	default:
		d, err := p.Deliver(PayloadCommand(payloads), site)
		d.Layers = append(c.layers, d.Layers...)
		return d, err
	}
	if err != nil {
		return Delivery{Layers: c.layers}, err
	}
	c.layer("words", text)
	c.shell(append([]byte("probe "), text...))
	return Delivery{Argv: c.argv, Layers: c.layers}, nil
}

// PayloadCommand returns a command that calls the probe with the payloads,
// quoted beyond doubt.
func PayloadCommand(payloads [][]byte) []byte {
	command := []byte("probe")
	for _, b := range payloads {
		command = append(append(command, ' '), posix(b)...)
	}
	return command
}

// A carrier collects the layers of a text on its way.
type carrier struct {
	site   Site
	argv   [][]byte
	stdin  []byte
	layers []Layer
}

// line sends a physical line to an interactive shell, on its standard input.
func (c *carrier) line(text []byte) {
	c.layer("line", text)
	c.argv = [][]byte{[]byte("bash")}
	for _, a := range pty.Args {
		c.argv = append(c.argv, []byte(a))
	}
	c.stdin = append(text[:len(text):len(text)], '\n')
}

// LineID is the id of the markers of interactive paths. Each line is the first one
// of its shell, so that one will do for all.
const LineID = "00000000-0000-4000-8000-000000000000"

func (c *carrier) layer(name string, text []byte) {
	c.layers = append(c.layers, Layer{name, text})
}

// shell lets the text enter the shell as the argument of -c.
func (c *carrier) shell(text []byte) {
	c.layer("bash -c", text)
	c.argv = [][]byte{[]byte("bash"), []byte("-c"), text}
}

// Lookup returns the path of that name. Besides those in All, it knows a
// sandbox path and a quote path for every published version of shell-quote.
func Lookup(name string) (Path, bool) {
	for _, p := range All {
		if p.Name == name {
			return p, true
		}
	}
	if rest, ok := strings.CutPrefix(name, "quote:"); ok {
		if q, ok := quote.Lookup(rest); ok {
			return quotePath(q), true
		}
	}
	if rest, ok := strings.CutPrefix(name, "sandbox@"); ok {
		version, level, nested := strings.Cut(rest, "/")
		if m, err := quote.ShellQuote(version); err == nil {
			for _, l := range levels {
				if (nested && level != "" && l.name == level) || (!nested && l.name == "") {
					return sandboxPath(m, l), true
				}
			}
		}
	}
	return sessionPath(name)
}
