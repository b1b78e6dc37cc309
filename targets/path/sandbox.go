package path

import (
	"fmt"
	"strings"

	"github.com/argvdiff/argvdiff/targets/quote"
)

// wrap returns the wrapper of a coding agent's shell tool around a command.
func (c *carrier) wrap(command []byte) []byte {
	w := []byte("eval ")
	w = append(w, posix(command)...)
	w = append(w, " < /dev/null && pwd -P >| "...)
	w = append(w, c.site.CwdFile...)
	c.layer("wrapper", w)
	return w
}

// A level is one of the ways in which a sandbox runtime nests its launchers.
type level struct {
	name string // "" for the plain route
	doc  string
	wrap func(c *carrier, q quote.Quoter, wrapper []byte) ([]byte, error)
}

var levels = []level{
	{"", "the wrapper re-quoted by shell-quote %s and run by an outer bash -c", func(c *carrier, q quote.Quoter, w []byte) ([]byte, error) {
		return words(q, c.site.Shell, "-c", string(w))
	}},
	{"L1", "the sandbox route of shell-quote %s inside bwrap, without network rule", launch},
	{"L2", "the same of shell-quote %s, with a seccomp launcher inside: two nested quotes", func(c *carrier, q quote.Quoter, w []byte) ([]byte, error) {
		inner, err := seccomp(c, q, w)
		if err != nil {
			return nil, err
		}
		return launch(c, q, inner)
	}},
	{"L3", "the same of shell-quote %s, with a network bridge around that: three nested quotes", func(c *carrier, q quote.Quoter, w []byte) ([]byte, error) {
		inner, err := seccomp(c, q, w)
		if err != nil {
			return nil, err
		}
		script := "socat TCP-LISTEN:3128,fork UNIX-CONNECT:/tmp/http.sock &\n" +
			"socat TCP-LISTEN:1080,fork UNIX-CONNECT:/tmp/socks.sock &\n" +
			"trap \"kill %1 %2 2>/dev/null; exit\" EXIT\n" + string(inner)
		quoted, err := words(q, script)
		if err != nil {
			return nil, err
		}
		return launch(c, q, append([]byte(c.site.Shell+" -c "), quoted...))
	}},
}

// launch puts text into the argument list of bwrap.
func launch(c *carrier, q quote.Quoter, text []byte) ([]byte, error) {
	c.layer("sandboxed", text)
	return words(q, "bwrap", "--new-session", "--die-with-parent", "--ro-bind", "/", "/", "--bind", "/tmp", "/tmp",
		"--dev", "/dev", "--unshare-pid", "--proc", "/proc", "--", c.site.Shell, "-c", string(text))
}

// seccomp puts text into the argument list of the filter's launcher.
func seccomp(c *carrier, q quote.Quoter, text []byte) ([]byte, error) {
	return words(q, "apply-seccomp", "/tmp/filter.bpf", c.site.Shell, "-c", string(text))
}

func words(q quote.Quoter, list ...string) ([]byte, error) {
	payloads := make([][]byte, len(list))
	for i, s := range list {
		payloads[i] = []byte(s)
	}
	return q.Quote(payloads...)
}

func sandboxPath(m *quote.ShellQuoteModel, l level) Path {
	version := strings.TrimPrefix(m.Name(), "shell-quote@")
	name := "sandbox@" + version
	if l.name != "" {
		name += "/" + l.name
	}
	aside := ""
	switch {
	case l.name != "":
		aside = "nesting changes nothing in what arrives, and costs two more shells a run"
	case m.Class() == "A":
		aside = "it escapes the wrapper's own && and >|, so that every command is damaged"
	}
	return Path{
		Name: name, Family: "sandbox", Reference: "posix-eval", Aside: aside,
		Doc: fmt.Sprintf(l.doc, version),
		command: func(c *carrier, command []byte) error {
			text, err := l.wrap(c, m, c.wrap(command))
			if err != nil {
				return err
			}
			c.shell(text)
			return nil
		},
	}
}

func quotePath(q quote.Quoter) Path {
	family, _, _ := strings.Cut(q.Name(), "@")
	return Path{Name: "quote:" + q.Name(), Family: "quote:" + family, Reference: Payload, Doc: q.Doc(), Quoter: q}
}

// The quoters that wrappers use themselves.
var (
	posixQuoter = builtIn("posix")
	ansiCQuoter = builtIn("ansi-c")
)

func builtIn(name string) quote.Quoter {
	q, ok := quote.Lookup(name)
	if !ok {
		panic("the quoter " + name + " is missing")
	}
	return q
}

// posix quotes text with the idiom that wrappers use. It refuses nothing.
func posix(text []byte) []byte {
	word, err := posixQuoter.Quote(text)
	if err != nil {
		panic(err)
	}
	return word
}

// doubleQuoted puts text into double quotes in which everything that is live
// there, and nothing else, has a backslash.
func doubleQuoted(text []byte) []byte {
	b := append(make([]byte, 0, len(text)+8), '"')
	for _, c := range text {
		if strings.IndexByte("\"\\$`", c) >= 0 {
			b = append(b, '\\')
		}
		b = append(b, c)
	}
	return append(b, '"')
}
