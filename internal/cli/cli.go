// Package cli is the command line: one file a subcommand, which turns flags
// into calls of the packages that do the work, and outcomes into exit codes.
//
// The rules of its output: results go to standard output, everything else to
// standard error. An error is one line that begins with "argvdiff: " and says
// what failed, on which input, and how to mend it. JSON is one object a line.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/argvdiff/argvdiff/oracles/home"
)

// Version is the version of argvdiff. It is part of what determines a case.
const Version = "0.1.0"

// Exit codes of every subcommand.
const (
	exitNothing = 0 // nothing new was found
	exitFound   = 1 // something differs
	exitFailed  = 2 // what was asked could not be run
)

// env is what a subcommand works with.
type env struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
}

// A command is one subcommand.
type command struct {
	name string
	args string // behind the flags, for the usage
	doc  string // one line
	run  func(ctx context.Context, e *env, fs *flag.FlagSet, args []string) (int, error)
}

var commands = []command{
	{"fuzz", "", "generate strings, run them down every path, report what differs", runFuzz},
	{"run", "TEXT...", "carry one command, or one payload, down every path; several TEXTs are a session for one shell, or payloads of one call", runRun},
	{"guard", "TEXT", "what guards say of one command, beside what bash runs of it", runGuard},
	{"replay", "FILE|DIR...", "check findings and corpus files again", runReplay},
	{"shells", "", "list the shells that were found", runShells},
	{"paths", "", "list the quoting paths", runPaths},
	{"bench", "", "measure checks a second against plain loops of the same shells", runBench},
	{"versions", "TEXT", "what one command means to each shell", runVersions},
	{"images", "build|list|remove|kit", "make images of shells in containers", runImages},
	{"version", "", "print the version", runVersion},
}

// A usageError is an error in what was asked.
type usageError struct{ error }

func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// Main runs the command line and returns the exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	e := &env{stdin, stdout, stderr}
	if len(args) == 0 {
		usage(stderr)
		return exitFailed
	}
	name := args[0]
	if name == "help" || name == "-h" || name == "--help" {
		usage(stdout)
		return exitNothing
	}
	names := make([]string, len(commands))
	for i, c := range commands {
		names[i] = c.name
		if c.name != name {
			continue
		}
		fs := flag.NewFlagSet(name, flag.ContinueOnError)
		fs.SetOutput(io.Discard)
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		// A second signal ends the process at once: what is kept survives that.
		context.AfterFunc(ctx, stop)
		code, err := c.run(ctx, e, fs, args[1:])
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintf(stdout, "usage: argvdiff %s [flags] %s\n%s\n\n", c.name, c.args, c.doc)
			fs.SetOutput(stdout)
			fs.PrintDefaults()
			return exitNothing
		}
		if errors.Is(err, context.Canceled) && ctx.Err() != nil {
			err = fmt.Errorf("%s was interrupted before it had a result; run it again", name)
		}
		if err != nil {
			fmt.Fprintf(stderr, "argvdiff: %s\n", oneLine(err))
			if code != exitFound {
				code = exitFailed
			}
		}
		return code
	}
	fmt.Fprintf(stderr, "argvdiff: unknown command %q%s; argvdiff help lists them\n", name, meant(name, names))
	return exitFailed
}

func usage(w io.Writer) {
	fmt.Fprint(w, "argvdiff carries shell strings down every quoting path into real shells and says where bytes change.\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  argvdiff %-22s %s\n", strings.TrimSpace(c.name+" "+c.args), c.doc)
	}
	fmt.Fprint(w, "\nargvdiff COMMAND --help lists the flags.\nExit codes: 0 nothing new, 1 something differs, 2 what was asked could not be run.\n")
}

// parse reads the flags and says which one is wrong.
func parse(fs *flag.FlagSet, args []string) error {
	err := fs.Parse(args)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return err
	}
	return usagef("%s: %w; argvdiff %s --help lists the flags", fs.Name(), err, fs.Name())
}

func noArgs(fs *flag.FlagSet) error {
	if fs.NArg() > 0 {
		return usagef("%s takes no arguments, but got %q", fs.Name(), fs.Arg(0))
	}
	return nil
}

func oneLine(err error) string {
	return strings.ReplaceAll(err.Error(), "\n", " | ")
}

// meant says which name was probably meant.
func meant(asked string, names []string) string {
	if near := home.Nearest(asked, names); near != "" {
		return fmt.Sprintf(", did you mean %s?", near)
	}
	return ""
}

func runVersion(_ context.Context, e *env, fs *flag.FlagSet, args []string) (int, error) {
	if err := parse(fs, args); err != nil {
		return exitFailed, err
	}
	if err := noArgs(fs); err != nil {
		return exitFailed, err
	}
	_, err := fmt.Fprintf(e.stdout, "argvdiff %s\n", Version)
	return exitNothing, err
}
