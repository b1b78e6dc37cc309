//go:build amd64 || arm64

package agent

import (
	"fmt"
	"os"
	"path"

	"golang.org/x/sys/unix"
)

// sweep empties the scratch folders and makes the work folder anew.
func (p *place) sweep() error {
	if p.clean > 0 {
		// The scratch file system is the home's own: as many free inodes as at
		// first, and no block in use, means that nothing was left there.
		var fs unix.Statfs_t
		if err := unix.Statfs(p.layout.Temp, &fs); err == nil && fs.Ffree == p.clean && fs.Bfree == fs.Blocks {
			return nil
		}
	}
	if err := empty(p.layout.Temp, ""); err != nil {
		return fmt.Errorf("emptying the scratch folder: %w", err)
	}
	return os.Mkdir(p.layout.Work, 0o700)
}

// empty removes everything in a folder but the entry to keep, also where
// permissions were taken away.
func empty(dir, keep string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		if err := os.Chmod(dir, 0o700); err != nil {
			return err
		}
		if entries, err = os.ReadDir(dir); err != nil {
			return err
		}
	}
	for _, e := range entries {
		if e.Name() == keep {
			continue
		}
		name := path.Join(dir, e.Name())
		err := unix.Unlink(name)
		if err == nil {
			continue
		}
		if !e.IsDir() {
			return fmt.Errorf("removing %s: %w", name, err)
		}
		if err := os.Chmod(name, 0o700); err != nil {
			return err
		}
		if err := empty(name, ""); err != nil {
			return err
		}
		if err := unix.Rmdir(name); err != nil {
			return fmt.Errorf("removing %s: %w", name, err)
		}
	}
	return nil
}
