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
	if p.untouched() {
		return nil
	}
	p.unlock()
	if err := empty(p.layout.Temp, ""); err != nil {
		return fmt.Errorf("emptying the scratch folder: %w", err)
	}
	return p.makeWork()
}

// makeWork makes the work folder and notes which one it is.
func (p *place) makeWork() error {
	if err := os.Mkdir(p.layout.Work, 0o700); err != nil {
		return err
	}
	var info unix.Stat_t
	if err := unix.Stat(p.layout.Temp, &info); err != nil {
		return err
	}
	if p.tempMode == 0 {
		p.tempMode = info.Mode
	}
	if err := unix.Stat(p.layout.Work, &info); err != nil {
		return err
	}
	p.work = info.Ino
	return nil
}

// untouched reports whether nothing was left in the scratch folders, where that can
// be told at once: the file system there is the home's own, so as many free inodes as
// at first, and no block in use, mean that. A container may hold a program that
// changes permissions, or puts another file into the place of the work folder.
func (p *place) untouched() bool {
	if p.clean == 0 {
		return false
	}
	var fs unix.Statfs_t
	if err := unix.Statfs(p.layout.Temp, &fs); err != nil || fs.Ffree != p.clean || fs.Bfree != fs.Blocks {
		return false
	}
	var info unix.Stat_t
	return unix.Lstat(p.layout.Temp, &info) == nil && info.Mode == p.tempMode && p.sound()
}

// sound reports whether the work folder is the one that was made.
func (p *place) sound() bool {
	var info unix.Stat_t
	return unix.Lstat(p.layout.Work, &info) == nil && info.Ino == p.work && info.Mode&(unix.S_IFMT|0o777) == unix.S_IFDIR|0o700
}

// unlock gives the scratch folder its permissions back. Where that is not allowed
// nobody in the home has taken them.
func (p *place) unlock() { _ = unix.Chmod(p.layout.Temp, p.tempMode&0o7777) }

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
