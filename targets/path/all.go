package path

import (
	"slices"

	"github.com/argvdiff/argvdiff/targets/pty"
	"github.com/argvdiff/argvdiff/targets/quote"
)

// All lists the quoting paths.
var All = slices.Concat(
	[]Path{
		{
			Name: Untouched, Family: Untouched, Reference: Untouched,
			Doc: "the command handed over untouched, as execve of bash -c: what it means",
			command: func(c *carrier, command []byte) error {
				c.shell(command)
				return nil
			},
		},
		{
			Name: "posix-eval", Family: "posix-eval", Reference: Untouched,
			Doc: "the direct route of a coding agent: eval '...' < /dev/null && pwd -P >| file, by bash -c",
			command: func(c *carrier, command []byte) error {
				c.shell(c.wrap(command))
				return nil
			},
		},
		{
			Name: "ansi-c-eval", Family: "ansi-c-eval", Reference: Untouched,
			Doc: "the quoting of a persistent-shell tool without its terminal: eval -- $'...', by bash -c",
			command: func(c *carrier, command []byte) error {
				word, err := ansiCQuoter.Quote(command)
				c.shell(append([]byte("eval -- "), word...))
				return err
			},
		},
		{
			Name: "stdin-i", Family: "stdin-i", Reference: Untouched, Interactive: true,
			Aside: "each command has a shell of its own, since history expansion may take its line from it",
			Doc:   "the line of a persistent-shell tool, markers and eval -- $'...', on the standard input of bash -i: no terminal is needed for what history expansion does to it",
			command: func(c *carrier, command []byte) error {
				c.line([]byte(pty.Wrap(string(command), LineID)))
				return nil
			},
		},
		{
			Name: "sandbox-fixed/posix", Family: "sandbox-fixed", Reference: "posix-eval",
			Doc: `the sandbox route repaired: the wrapper re-quoted with '"'"'`,
			command: func(c *carrier, command []byte) error {
				c.shell(append([]byte(c.site.Shell+" -c "), posix(c.wrap(command))...))
				return nil
			},
		},
		{
			Name: "sandbox-fixed/dq", Family: "sandbox-fixed", Reference: "posix-eval",
			Doc: "the sandbox route repaired: double quotes in which ! is left alone",
			command: func(c *carrier, command []byte) error {
				c.shell(append([]byte(c.site.Shell+" -c "), doubleQuoted(c.wrap(command))...))
				return nil
			},
		},
	},
	sessions(),
	sandboxes(),
	quotes(),
	readings(),
)

// versions are the version classes of shell-quote. The one that a sandbox
// runtime asks for comes first: a fault that several share is shown on it.
var versions = []string{
	"1.8.3", "1.8.4", "1.10.0", "1.11.0", "1.12.0", "1.8.2",
	"1.7.3", "1.7.2", "1.6.3", "1.6.1", "1.4.3", "1.4.0",
}

func sandboxes() []Path {
	var paths []Path
	for _, version := range versions {
		m, err := quote.ShellQuote(version)
		if err != nil {
			panic(err) // the list above is wrong
		}
		for _, l := range levels {
			paths = append(paths, sandboxPath(m, l))
		}
	}
	return paths
}

func quotes() []Path {
	var paths []Path
	for _, q := range quote.All {
		paths = append(paths, quotePath(q))
	}
	for i := range quote.AllInShell {
		q := &quote.AllInShell[i]
		paths = append(paths, Path{
			Name: "quote:" + q.Name(), Family: "quote:" + q.Name(), Reference: Payload,
			Doc: q.Doc(), InShell: q,
		})
	}
	return paths
}
