// Package agent is the program that lives next to a shell, inside its home, for
// a whole campaign: it builds the home's root, starts the shell for each case,
// collects the records of the probes, ends what does not end by itself, and
// leaves nothing of a case for the next one.
//
// The agent is the running binary itself, started again under the name
// [Name]. A main function, or TestMain, calls [Main] before anything else.
package agent

import (
	"fmt"
	"os"
	"path"

	"github.com/argvdiff/argvdiff/oracles/applet"
	"github.com/argvdiff/argvdiff/oracles/probe"
	"github.com/argvdiff/argvdiff/targets/program"
)

// Name is argv[0] of an agent's process.
const Name = "argvdiff-agent"

// BlindVariable names the environment variable of an agent that makes it do without
// what some kernels do not show of a process: its system call, its turns on a
// processor and its children. It is for tests.
const BlindVariable = "ARGVDIFF_AGENT_BLIND"

// A Mode says where an agent finds itself.
type Mode string

// The modes, as the second argument of an agent's process.
const (
	// Namespace: PID 1 of fresh namespaces, with the host's files still in
	// view and all capabilities over the namespaces.
	Namespace Mode = "namespace"
	// Bare: an ordinary process of the host.
	Bare Mode = "bare"
	// Container: PID 1 of a container in which the probes lie already.
	Container Mode = "container"
)

// Where things lie in a container: what comes with argvdiff is in one read-only
// folder. The probes there report to one socket, of which each container has its
// own since it has a network of its own.
const (
	Kit         = "/argvdiff"
	KitAgent    = Kit + "/" + Name
	KitBin      = Kit + "/bin"
	KitTerminal = Kit + "/terminal" // as KitBin, for shells in terminals
	KitActs     = Kit + "/acts"     // as KitBin, for homes that act
	KitSocket   = "argvdiff-probe"
)

// ActsShell is where the shell lies in a home that acts, with a front in its place.
const ActsShell = "/bin/.bash"

// Shells are the names of the home's shell on PATH in a home that acts.
var Shells = []string{"bash", "sh", "dash", "zsh", "ksh"}

// A Front is a front of a home that acts, under all its names.
type Front struct {
	Names []string
	Image []byte
}

// Fronts returns the fronts of a home that acts: of the shell and of the wrappers,
// which this program is, at these places in the home.
func Fronts(socket, shell, self string) ([]Front, error) {
	shells, err := probe.Front(socket, shell, true)
	if err != nil {
		return nil, err
	}
	wrappers, err := probe.Front(socket, self, false)
	return []Front{{Shells, shells}, {program.Wrappers, wrappers}}, err
}

// Main serves the agent and exits where this process was started as one, or as
// one of the programs in package applet. Otherwise it returns at once.
func Main() {
	if self, err := os.Executable(); err == nil && path.Base(self) == Name {
		if name, ok := applet.Is(os.Args[0], self); ok {
			os.Exit(applet.Main(name, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		}
	}
	if len(os.Args) != 2 || path.Base(os.Args[0]) != Name {
		return
	}
	if err := serve(Mode(os.Args[1])); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n", err)
		os.Exit(1)
	}
	os.Exit(0)
}
