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
)

// Name is argv[0] of an agent's process.
const Name = "argvdiff-agent"

// A Mode says where an agent finds itself.
type Mode string

// The modes, as the second argument of an agent's process.
const (
	// Namespace: PID 1 of fresh namespaces, with the host's files still in
	// view and all capabilities over the namespaces.
	Namespace Mode = "namespace"
	// Bare: an ordinary process of the host.
	Bare Mode = "bare"
)

// Main serves the agent and exits where this process was started as one.
// Otherwise it returns at once.
func Main() {
	if len(os.Args) != 2 || os.Args[0] != Name {
		return
	}
	if err := serve(Mode(os.Args[1])); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n", err)
		os.Exit(1)
	}
	os.Exit(0)
}
