package home

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

// shellInside is where the shell lies in a home with a root of its own.
const shellInside = "/bin/bash"

// maxSysroot bounds what is copied into one home.
const maxSysroot = 256 << 20

// rootNodes returns the files that a root needs for the shell to run in it.
func rootNodes(s Shell) ([]wire.Node, error) {
	var c copier
	if s.Sysroot != "" {
		if err := c.tree(s.Sysroot, ""); err != nil {
			return nil, err
		}
	} else {
		if err := c.file(s.Path, shellInside); err != nil {
			return nil, err
		}
		libs, err := libraries(s.Path)
		if err != nil {
			return nil, err
		}
		for _, lib := range libs {
			if err := c.file(lib, lib); err != nil {
				return nil, err
			}
			// A loader without its cache looks only in the standard folders.
			if dir := filepath.Dir(lib); !slices.Contains(standardDirs, dir) {
				c.link(lib, filepath.Join("/lib", filepath.Base(lib)))
				c.link(lib, filepath.Join("/lib64", filepath.Base(lib)))
			}
		}
		// Without its files C.UTF-8 becomes C, silently.
		locales, _ := filepath.Glob("/usr/lib/locale/C.*")
		for _, dir := range locales {
			if err := c.tree(dir, dir); err != nil {
				return nil, err
			}
		}
	}
	return append(c.nodes, shims()...), nil
}

// A copier collects files of the host for a root.
type copier struct {
	nodes []wire.Node
	size  int64
	taken map[string]bool
}

func (c *copier) add(n wire.Node) error {
	if c.taken == nil {
		c.taken = make(map[string]bool)
	}
	if c.taken[n.Path] {
		return nil
	}
	c.taken[n.Path] = true
	c.nodes = append(c.nodes, n)
	if c.size += int64(len(n.Data)); c.size > maxSysroot {
		return fmt.Errorf("more than %d MiB of files for one shell", maxSysroot>>20)
	}
	return nil
}

func (c *copier) link(target, at string) { c.add(wire.Node{Path: at, Link: target}) }

func (c *copier) file(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return c.add(wire.Node{Path: to, Data: data, Executable: true})
}

// tree adds a folder of the host under another name. Links are kept where they
// are relative or the folder is a root of its own, and followed otherwise.
func (c *copier) tree(from, to string) error {
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at := to + path[len(from):]
		switch {
		case e.IsDir():
			if at == "" {
				return nil
			}
			return c.add(wire.Node{Path: at, Dir: true})
		case e.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			if filepath.IsAbs(target) && to != "" {
				err := c.file(path, at)
				if errors.Is(err, fs.ErrNotExist) {
					return nil
				}
				return err
			}
			c.link(target, at)
			return nil
		case e.Type().IsRegular():
			return c.file(path, at)
		}
		return nil // devices and the like
	})
}

const shimHead = "#!" + shellInside + "\n"

// shims stand in for the launchers of a sandbox: each executes the command that
// follows its own arguments, as the real one does at the end of its work, with
// the argument bytes untouched. They are not recorded.
func shims() []wire.Node {
	const behindDashes = shimHead + "while [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n"
	var nodes []wire.Node
	for name, text := range map[string]string{
		"bwrap":         behindDashes,
		"apply-seccomp": shimHead + "shift\nexec \"$@\"\n",
		"sandbox-exec":  shimHead + "shift 2\nexec \"$@\"\n",
		"socat":         shimHead,
	} {
		nodes = append(nodes, wire.Node{Path: "/bin/" + name, Data: []byte(text), Executable: true})
	}
	slices.SortFunc(nodes, func(a, b wire.Node) int { return strings.Compare(a.Path, b.Path) })
	return nodes
}
