//go:build amd64 || arm64

package agent

import (
	"fmt"
	"io"
	"os"
	"path"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/argvdiff/argvdiff/oracles/applet"
	"github.com/argvdiff/argvdiff/oracles/probe"
)

const self = "/proc/self/exe"

// mountSelf puts this program, read-only, at a place in a root. It is bound there
// where that can be done, since a copy costs memory for each home.
func mountSelf(at string) error {
	if err := os.MkdirAll(path.Dir(at), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(at, nil, 0o755); err != nil {
		return err
	}
	if err := unix.Mount(self, at, "", unix.MS_BIND, ""); err != nil {
		return copySelf(at)
	}
	return readOnly(at)
}

// copySelf writes this program to a file.
func copySelf(at string) error {
	from, err := os.Open(self)
	if err != nil {
		return fmt.Errorf("copying this program: %w", err)
	}
	defer from.Close()
	to, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o755)
	if err != nil {
		return fmt.Errorf("copying this program: %w", err)
	}
	if _, err := io.Copy(to, from); err != nil {
		to.Close()
		return fmt.Errorf("copying this program: %w", err)
	}
	return to.Close()
}

// layTerminal makes the folder that is PATH in terminals: the probes of the folder
// bin, but under the names of applets the front of this program, which lies at self
// once the home stands, and the shell.
func layTerminal(dir, bin string, names []string, shell, self string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range append(slices.Clone(names), probe.Cleaner) {
		if slices.Contains(applet.Names, name) || name == "bash" {
			continue
		}
		if err := os.Link(path.Join(bin, name), path.Join(dir, name)); err != nil {
			return err
		}
	}
	front, err := applet.Front(self)
	if err != nil {
		return err
	}
	first := path.Join(dir, applet.Names[0])
	if err := os.WriteFile(first, front, 0o755); err != nil {
		return err
	}
	for _, name := range applet.Names[1:] {
		if err := os.Link(first, path.Join(dir, name)); err != nil {
			return err
		}
	}
	return os.Symlink(shell, path.Join(dir, "bash"))
}
