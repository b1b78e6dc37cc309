// Package home runs shells where a command cannot do harm: each home is one
// shell, the probes and an agent beside them, shut off from the host.
//
// Homes differ only in how their agent is started. The embedded default is a
// sandbox of Linux namespaces; the bare host is a home only for those who ask
// for it.
package home

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/argvdiff/argvdiff/docker"
	"github.com/argvdiff/argvdiff/oracles/probe"
	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/program"
)

// A Shell is a bash that was found. Its ID and Version are known once it has
// proved itself: see [Survey].
type Shell struct {
	// ID names the shell on the command line, as "bash-5.2.15".
	ID string
	// Version is what the shell says of itself: major, minor and patch level.
	Version string
	// Path is the binary on the host, with symbolic links resolved.
	Path string
	// Sysroot is the folder with bin/bash and its own libraries that is used
	// whole, or "".
	Sysroot string
	// Named says that $ARGVDIFF_SHELLS names this very shell, not a folder of
	// shells: one that cannot be used is an error then.
	Named bool
	// Image is where the shell lies, with Runtime to run it: Path is that inside
	// then. Without a Ref the shell lies on the host.
	Image   docker.Image
	Runtime docker.Runtime
	// Names are the program names under which the probe lies on PATH; nil
	// means probe.Names.
	Names []string
	// Acts asks for a home in which the shells and the wrappers on PATH (see
	// agent.Shells and program.Wrappers) record and then do what they are for. In a
	// container that is so for PATH alone: the image may have files of these names.
	Acts bool
}

// Home names what the shell runs in, in a home of the kind.
func (s Shell) Home(k Kind) string {
	switch {
	case s.Image.Ref != "":
		return s.Runtime.Name
	case k.Name == Isolated.Name:
		return namespaces
	}
	return k.Name
}

// Where names the file of the shell, or its image.
func (s Shell) Where() string {
	if s.Image.Ref != "" {
		return s.Image.Ref
	}
	return s.Path
}

func openIsolated(ctx context.Context, shell Shell) (Home, error) {
	if shell.Image.Ref != "" {
		return openContainer(ctx, shell)
	}
	return openNamespaces(ctx, shell)
}

// ActingNames returns the names of programs in homes that act: those of other homes,
// and all that something is known of.
func ActingNames() []string {
	list := slices.Concat(probe.Names, program.Names())
	slices.Sort(list)
	return slices.Compact(list)
}

func (s Shell) names() []string {
	if s.Names != nil {
		return s.Names
	}
	if s.Acts {
		return ActingNames()
	}
	return probe.Names
}

// A Home is one standing home. It runs one case at a time and is not safe for
// concurrent use.
type Home interface {
	// Layout says where things lie inside.
	Layout() wire.Layout

	// Run runs the shell once for each request, in order. The error is a
	// *Fault, or the context's; the home is of no use after it.
	Run(ctx context.Context, requests ...wire.Request) ([]wire.Result, error)

	// Type types lines into interactive shells in terminals. Its error is as that
	// of Run.
	Type(ctx context.Context, t wire.Typing) (wire.Typescript, error)

	// Play sends commands as the modelled tool does, with its waits, and returns an
	// answer to each. Its error is as that of Run.
	Play(ctx context.Context, p wire.Playing) ([]wire.Answer, error)

	// Close ends the home and everything in it.
	Close() error
}

// A Clocked is a home that can be measured by.
type Clocked interface {
	Home
	// Loop starts a program many times, with nothing watched or bounded. It is
	// for texts of ours, not for generated ones that have not been run before.
	Loop(ctx context.Context, l wire.Loop) (wire.Lap, error)
	// CPU is the processor time that was spent in the home until now, without
	// that of what is still running, if it can be told.
	CPU() (spent time.Duration, told bool)
}

// A Kind is a way to start homes.
type Kind struct {
	// Name is what reports call it.
	Name string
	// Doc says in one line what keeps commands away from the host.
	Doc string
	// Open starts a home for the shell.
	Open func(ctx context.Context, shell Shell) (Home, error)
}

// Kinds are all the ways there are.
var Kinds = []Kind{Isolated, Namespaces, Containers, BareHost}

const (
	namespaces = "namespaces"
	containers = "containers"
	bareHost   = "bare-host"
)

// scratch bounds what one case may leave in files, in bytes.
const scratch = 16 << 20

// The kinds of homes.
var (
	Isolated = Kind{
		Name: "isolated",
		Doc:  "a container for a shell that lies in an image, namespaces for one of this machine",
		Open: openIsolated,
	}
	Containers = Kind{
		Name: containers,
		Doc:  "a container without network, privileges or a writable root, of an engine that bounds it",
		Open: openContainer,
	}
	Namespaces = Kind{
		Name: namespaces,
		Doc:  "Linux user, mount, process, network, IPC and host-name namespaces, a root of its own, no privileges, bounded resources",
		Open: openNamespaces,
	}
	BareHost = Kind{
		Name: bareHost,
		Doc:  "nothing: commands run as this user, on this machine's files",
		Open: openBare,
	}
)

// A Fault says that a home, not the command in it, has failed.
type Fault struct {
	Home string
	Err  error
}

func (f *Fault) Error() string { return fmt.Sprintf("the home %s failed: %v", f.Home, f.Err) }

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// Unavailable says that homes of a kind cannot be had on this machine.
type Unavailable struct {
	Kind string
	Err  error
	// Mend says what to do about it.
	Mend string
}

func (u *Unavailable) Error() string {
	return fmt.Sprintf("no home of the kind %s here: %v; %s", u.Kind, u.Err, u.Mend)
}

// Unwrap returns the cause.
func (u *Unavailable) Unwrap() error { return u.Err }
