package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/argvdiff/argvdiff/oracles"
	"github.com/argvdiff/argvdiff/oracles/finding"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/targets/guard"
	"github.com/argvdiff/argvdiff/targets/path"
)

// guardPaths returns the paths of guards of a list of names, in which guard@ may be
// left out, * stands for any text, and all for every guard.
func guardPaths(list string) ([]path.Path, error) {
	names := make([]string, len(guard.All))
	var short []string
	for i, g := range guard.All {
		names[i] = g.Name
		short = append(short, strings.TrimPrefix(g.Name, "guard@"))
	}
	var chosen []path.Path
	for _, asked := range strings.Split(list, ",") {
		asked = strings.TrimSpace(asked)
		found := false
		for _, name := range names {
			if asked != "all" && !path.Matches(asked, name) && !path.Matches("guard@"+asked, name) {
				continue
			}
			found = true
			p, ok := path.Lookup(name)
			if ok && !slices.ContainsFunc(chosen, func(o path.Path) bool { return o.Name == p.Name }) {
				chosen = append(chosen, p)
			}
		}
		if !found {
			return nil, usagef("unknown guard %q%s; there are %s", asked, meant(asked, slices.Concat(names, short)), strings.Join(names, " "))
		}
	}
	return chosen, nil
}

func runGuard(ctx context.Context, e *env, fs *flag.FlagSet, args []string) (int, error) {
	var s selection
	s.registerShells(fs)
	guards := fs.String("guard", "all", "the `guards` to ask, separated by commas; guard@ may be left out, * matches anything, all means every one")
	asJSON := fs.Bool("json", false, "print one JSON object a line: what each guard says, on each shell")
	if err := parse(fs, args); err != nil {
		return exitFailed, err
	}
	texts, err := readTexts(e, fs)
	if err != nil {
		return exitFailed, err
	}
	if len(texts) > 1 {
		return exitFailed, usagef("guard takes one TEXT, but got %d: quote it as a whole", len(texts))
	}
	paths, err := guardPaths(*guards)
	if err != nil {
		return exitFailed, err
	}
	kind := s.kind(e.stderr)
	shells, broken, err := s.selectShells(ctx, kind)
	if err != nil {
		return exitFailed, err
	}
	notRun(e.stderr, broken)
	command := string(texts[0])
	if !*asJSON {
		if err := readers(e.stdout, command); err != nil {
			return exitFailed, err
		}
	}
	code := exitNothing
	for _, shell := range shells {
		shown, outcomes, err := watch(ctx, kind, shell, paths, texts[0])
		if err != nil {
			return exitFailed, err
		}
		for _, o := range outcomes {
			if o.Verdict == oracles.Differs {
				code = exitFound
			}
		}
		if *asJSON {
			err = guardLines(e.stdout, shell, outcomes)
		} else {
			err = guardTable(e.stdout, shell, shown, outcomes)
		}
		if err != nil {
			return exitFailed, err
		}
	}
	return code, nil
}

// watch runs a command in a home where programs act and asks guards about it.
func watch(ctx context.Context, kind home.Kind, shell home.Shell, paths []path.Path, command []byte) (*oracles.Shown, []oracles.Outcome, error) {
	h := home.NewLazy(kind, shell.Acting())
	defer h.Close()
	j := &oracles.Judge{Shell: shell, Acting: h.Open}
	return j.Watch(ctx, paths, oracles.Case{Command: command})
}

// guardLines prints what guards say, as JSON.
func guardLines(w io.Writer, shell home.Shell, outcomes []oracles.Outcome) error {
	for _, o := range outcomes {
		err := json.NewEncoder(w).Encode(struct {
			Shell string `json:"shell"`
			finding.Reading
		}{shell.ID, *o.Reading})
		if err != nil {
			return err
		}
	}
	return nil
}

// readers prints what the splitter and the parser see in a command.
func readers(w io.Writer, command string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "command\t%s\n", finding.Quote([]byte(command)))
	head := "segments"
	for _, s := range guard.Split(strings.Join(strings.Fields(command), " ")) {
		fmt.Fprintf(t, "%s\t%s\n", head, finding.Quote([]byte(s)))
		head = ""
	}
	head = "tree"
	for _, c := range guard.Calls(command) {
		words := make([]string, len(c.Words))
		for i, word := range c.Words {
			words[i] = finding.Quote([]byte(word))
			if !c.Literal[i] {
				words[i] += "?"
			}
		}
		fmt.Fprintf(t, "%s\t<%s>\n", head, strings.Join(words, "> <"))
		head = ""
	}
	if head != "" {
		fmt.Fprintf(t, "%s\tno call\n", head)
	}
	return t.Flush()
}

// guardTable prints what a shell has run and what guards say.
func guardTable(w io.Writer, shell home.Shell, shown *oracles.Shown, outcomes []oracles.Outcome) error {
	fmt.Fprintf(w, "\n%s\n", shell.ID)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, s := range shown.Starts {
		words := make([]string, len(s.Argv))
		for k, a := range s.Argv {
			words[k] = finding.Quote([]byte(a))
		}
		head, note := "ran", ""
		if i >= shown.Own {
			head = "on another branch"
		}
		if s.Waits != "" {
			note = "waits, as " + s.Waits
		}
		fmt.Fprintf(t, "  %s\t<%s>\t%s\n", head, strings.Join(words, "> <"), note)
	}
	if len(shown.Starts) == 0 {
		said := "no program"
		if shown.Refused {
			said += ": the shell does not take the text"
		}
		fmt.Fprintf(t, "  ran\t%s\t\n", said)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, o := range outcomes {
		r := o.Reading
		note := strings.ReplaceAll(r.Class, "-", " ")
		switch {
		case r.Class == finding.Miss:
			note += " of " + r.Name
		case r.Class == finding.Undecided && o.Reason != "":
			note += ": " + o.Reason
		}
		if r.Cause != "" {
			note += ": " + r.Cause
		}
		if r.Wrong != "" {
			note += " (" + r.Wrong + ")"
		}
		verdict := r.Verdict
		if r.Verdict == finding.Hit {
			verdict += " " + r.Name
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\n", r.Guard, verdict, note)
	}
	return t.Flush()
}
