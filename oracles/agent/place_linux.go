//go:build amd64 || arm64

package agent

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/argvdiff/argvdiff/oracles/probe"
	"github.com/argvdiff/argvdiff/oracles/wire"
)

// A place is a home that stands, seen from its agent.
type place struct {
	mode     Mode
	acts     bool // see wire.Setup
	layout   wire.Layout
	shell    string // the file to execute
	env      []string
	null     int // /dev/null for reading
	listener int // where probes report
	limits   []limit
	// terminalLimits are those of what runs in a terminal.
	terminalLimits []limit
	terminal       *terminal // the shell in a terminal that stands, if one does
	clean          uint64    // free inodes of the scratch file system when empty
	work           uint64    // the inode of the work folder
	tempMode       uint32    // of the folder above it
	blind          bool      // see BlindVariable
	remove         string    // what leave deletes
	buf            []byte
	asked          uint64 // the number of the question that is being answered
}

// settle reads the files of the home and its setup, and builds it.
func settle(mode Mode, in io.Reader) (*place, error) {
	p := &place{mode: mode, null: -1, listener: -1, buf: make([]byte, 64<<10), blind: os.Getenv(BlindVariable) != ""}
	var err error
	switch mode {
	case Namespace:
		err = p.buildRoot(in)
	case Bare:
		err = p.buildFolder(in)
	case Container:
		err = p.buildContainer(in)
	default:
		err = fmt.Errorf("unknown mode %q of an agent", mode)
	}
	if err != nil {
		p.leave()
		return nil, err
	}
	p.env = []string{"PATH=" + p.layout.Bin, "HOME=/home/u", "LC_ALL=C.UTF-8"}
	if p.null, err = unix.Open("/dev/null", unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
		p.leave()
		return nil, fmt.Errorf("open /dev/null: %w", err)
	}
	p.terminalLimits = limits(mode, terminalSpace, terminalProcesses)
	if p.limits = limits(mode, maxAddressSpace, hardProcesses); p.acts {
		p.limits = p.terminalLimits // wrappers are this program, too
	}
	p.layout.Version = wire.Version
	return p, nil
}

// leave removes what the place has put on the host.
func (p *place) leave() {
	if p.terminal != nil {
		p.terminal.close()
	}
	if p.remove != "" {
		empty(p.remove, "")
		os.Remove(p.remove)
	}
}

// receive passes each file of the home to add until the setup comes.
func receive(in io.Reader, add func(wire.Node) error) (wire.Setup, error) {
	for {
		f, err := wire.ReadFrame(in)
		if err != nil {
			return wire.Setup{}, fmt.Errorf("reading the home's files: %w", err)
		}
		switch f.Kind {
		case wire.File:
			n, err := wire.DecodeNode(f.Body)
			if err != nil {
				return wire.Setup{}, err
			}
			if !path.IsAbs(n.Path) || path.Clean(n.Path) != n.Path {
				return wire.Setup{}, fmt.Errorf("a file of the home has the path %q", n.Path)
			}
			if err := add(n); err != nil {
				return wire.Setup{}, err
			}
		case wire.Start:
			s, err := wire.DecodeSetup(f.Body)
			if err == nil && s.Version != wire.Version {
				err = fmt.Errorf("the agent speaks version %d of the protocol, the other side %d", wire.Version, s.Version)
			}
			return s, err
		default:
			return wire.Setup{}, fmt.Errorf("unexpected frame %q", f.Kind)
		}
	}
}

// writeNode creates n below the folder root.
func writeNode(root string, n wire.Node) error {
	name := root + n.Path
	if err := os.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	switch {
	case n.Dir:
		return os.MkdirAll(name, 0o755)
	case n.Link != "":
		return os.Symlink(n.Link, name)
	case n.Executable:
		return os.WriteFile(name, n.Data, 0o755)
	}
	return os.WriteFile(name, n.Data, 0o644)
}

// listen opens the socket for records.
func (p *place) listen(name string) error {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return fmt.Errorf("socket for records: %w", err)
	}
	if err := unix.Bind(fd, &unix.SockaddrUnix{Name: "@" + name}); err != nil {
		return fmt.Errorf("socket for records: %w", err)
	}
	if err := unix.Listen(fd, 4096); err != nil {
		return fmt.Errorf("socket for records: %w", err)
	}
	p.listener = fd
	return nil
}

// installProbes opens the socket for records and lays the probe into the
// folder bin under every name that is not taken; before it, in a home that acts, the
// fronts of the shell and of this program at self.
func (p *place) installProbes(bin string, setup wire.Setup, self string) error {
	socket := "argvdiff-" + strings.ToLower(rand.Text())
	if err := p.listen(socket); err != nil {
		return err
	}
	image, err := probe.Image(socket)
	if err != nil {
		return err
	}
	names := setup.Names
	if len(names) > 0 {
		names = append(slices.Clone(names), probe.Cleaner)
	}
	if setup.Acts {
		fronts, err := Fronts(socket, p.shell, self)
		if err != nil {
			return err
		}
		for _, f := range fronts {
			for _, name := range f.Names {
				if err := os.RemoveAll(path.Join(bin, name)); err != nil {
					return err
				}
			}
			if err := lay(bin, f.Image, f.Names); err != nil {
				return err
			}
		}
	}
	return lay(bin, image, names)
}

// lay puts an executable into a folder under every name that is not taken.
func lay(bin string, image []byte, names []string) (err error) {
	first := ""
	for _, name := range names {
		if path.Base(name) != name {
			return fmt.Errorf("a probe cannot be named %q", name)
		}
		file := path.Join(bin, name)
		if _, err := os.Lstat(file); err == nil {
			continue
		}
		if first == "" {
			first = file
			err = os.WriteFile(file, image, 0o755)
		} else {
			err = os.Link(first, file)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
