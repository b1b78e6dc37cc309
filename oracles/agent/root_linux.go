//go:build amd64 || arm64

package agent

import (
	"fmt"
	"io"
	"os"
	"path"

	"golang.org/x/sys/unix"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

const (
	binDir      = "/bin"
	terminalDir = "/terminal"
	tempDir     = "/tmp"
	workDir     = "/tmp/work"
)

// mountPoints are folders which a host has and over which the new root can be
// mounted, out of sight of the host.
var mountPoints = []string{"/tmp", "/mnt", "/var", "/usr", "/"}

// buildRoot makes a root of its own out of the files received and moves into
// it. What the commands see is that root, read-only, /proc of their own
// process namespace, a few devices and a small scratch file system.
func (p *place) buildRoot(in io.Reader) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making mounts private: %w", err)
	}
	root := ""
	for _, m := range mountPoints {
		if info, err := os.Stat(m); err == nil && info.IsDir() {
			root = m
			break
		}
	}
	if err := unix.Mount("tmpfs", root, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755,size=512m,nr_inodes=16384"); err != nil {
		return fmt.Errorf("mounting the root: %w", err)
	}
	setup, err := receive(in, func(n wire.Node) error { return writeNode(root, n) })
	if err != nil {
		return err
	}
	if setup.Shell == "" {
		return fmt.Errorf("the home has no shell")
	}
	p.shell, p.acts = setup.Shell, setup.Acts
	bin, exec := binDir, uintptr(unix.MS_NOEXEC)
	if setup.Tools {
		if err := layTools(root); err != nil {
			return err
		}
		// Reproductions make their stubs in the scratch file system.
		bin, exec = "/usr/bin:/bin", 0
	}

	for _, dir := range []string{binDir, tempDir, "/proc", "/dev/pts"} {
		if err := os.MkdirAll(root+dir, 0o755); err != nil {
			return err
		}
	}
	if setup.Acts {
		if err := p.makeWay(root); err != nil {
			return err
		}
	}
	if err := p.installProbes(root+binDir, setup, KitAgent); err != nil {
		return err
	}
	if !setup.Tools {
		if err := mountSelf(root + KitAgent); err != nil {
			return err
		}
	}
	terminal := ""
	if !setup.Tools && !setup.Acts {
		terminal = terminalDir
		if err := layTerminal(root+terminal, root+binDir, setup.Names, setup.Shell, KitAgent); err != nil {
			return err
		}
	}
	if err := unix.Mount("proc", root+"/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, ""); err != nil {
		return fmt.Errorf("mounting /proc: %w", err)
	}
	if err := os.WriteFile(root+"/dev/null", nil, 0o666); err != nil {
		return err
	}
	if err := unix.Mount("/dev/null", root+"/dev/null", "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("mounting /dev/null: %w", err)
	}
	if err := unix.Mount("devpts", root+"/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620,max=64"); err != nil {
		return fmt.Errorf("mounting /dev/pts: %w", err)
	}
	for _, l := range [][2]string{
		{"pts/ptmx", "/dev/ptmx"},
		{"/proc/self/fd", "/dev/fd"},
		{"/proc/self/fd/0", "/dev/stdin"},
		{"/proc/self/fd/1", "/dev/stdout"},
		{"/proc/self/fd/2", "/dev/stderr"},
	} {
		if err := os.Symlink(l[0], root+l[1]); err != nil {
			return err
		}
	}
	scratch := fmt.Sprintf("mode=700,size=%d,nr_inodes=1024", setup.Scratch)
	if err := unix.Mount("tmpfs", root+tempDir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|exec, scratch); err != nil {
		return fmt.Errorf("mounting the scratch file system: %w", err)
	}
	if err := enter(root); err != nil {
		return err
	}
	if err := unix.Sethostname([]byte("argvdiff")); err != nil {
		return fmt.Errorf("naming the host: %w", err)
	}
	p.layout = wire.Layout{Bin: bin, Terminal: terminal, Work: workDir, Temp: tempDir, Memory: memoryRule}
	if err := p.makeWork(); err != nil {
		return err
	}
	if err := drop(); err != nil {
		return err
	}
	var fs unix.Statfs_t
	if err := unix.Statfs(tempDir, &fs); err != nil {
		return err
	}
	p.clean = fs.Ffree
	return nil
}

// makeWay gives the name of the shell to its front, and lets the other folders in
// which programs are looked for lead to the one that there is.
func (p *place) makeWay(root string) error {
	if err := os.Rename(root+p.shell, root+ActsShell); err != nil {
		return err
	}
	p.shell = ActsShell
	for _, dir := range []string{"/usr/bin", "/usr/local/bin", "/usr/sbin", "/sbin"} {
		if _, err := os.Lstat(root + dir); err == nil {
			continue
		}
		if err := os.MkdirAll(root+path.Dir(dir), 0o755); err != nil {
			return err
		}
		if err := os.Symlink(binDir, root+dir); err != nil {
			return err
		}
	}
	return nil
}

// buildContainer takes a container as it is: its engine has made the root and
// bounds it, and the probes are there.
func (p *place) buildContainer(in io.Reader) error {
	setup, err := receive(in, func(n wire.Node) error {
		return fmt.Errorf("a container takes no file, but got %s", n.Path)
	})
	if err != nil {
		return err
	}
	if os.Getpid() != 1 {
		return fmt.Errorf("in a container the agent must be process 1, but is %d", os.Getpid())
	}
	p.shell, p.acts = setup.Shell, setup.Acts
	p.layout = wire.Layout{Bin: KitBin, Terminal: KitTerminal, Work: workDir, Temp: tempDir, Memory: memoryRule + ", and the container's"}
	if p.acts {
		p.layout.Bin, p.layout.Terminal = KitActs, ""
	}
	if err := p.listen(KitSocket); err != nil {
		return err
	}
	if err := empty(tempDir, ""); err != nil {
		return fmt.Errorf("emptying %s: %w", tempDir, err)
	}
	if err := p.makeWork(); err != nil {
		return err
	}
	var fs unix.Statfs_t
	if err := unix.Statfs(tempDir, &fs); err != nil {
		return err
	}
	p.clean = fs.Ffree
	if err := onAllThreads(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0); err != nil {
		return fmt.Errorf("forbidding new privileges: %w", err)
	}
	return undump()
}

// layTools binds the host's /usr into the root, and the top-level folders that
// are not links into it.
func layTools(root string) error {
	for _, dir := range []string{"/usr", "/bin", "/lib", "/lib32", "/lib64", "/libx32"} {
		info, err := os.Lstat(dir)
		switch {
		case err != nil:
			continue
		case info.Mode()&os.ModeSymlink != 0:
			target, err := os.Readlink(dir)
			if err != nil {
				return err
			}
			if err := os.Symlink(target, root+dir); err != nil {
				return err
			}
			continue
		}
		if err := os.MkdirAll(root+dir, 0o755); err != nil {
			return err
		}
		if err := unix.Mount(dir, root+dir, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("mounting %s: %w", dir, err)
		}
		if err := readOnly(root + dir); err != nil {
			return err
		}
	}
	return nil
}

// readOnly makes a place that something is bound to read-only.
func readOnly(at string) error {
	// Flags that the host has set cannot be taken away here.
	var fs unix.Statfs_t
	if err := unix.Statfs(at, &fs); err != nil {
		return err
	}
	flags := uintptr(fs.Flags)&(unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_NOATIME|unix.MS_NODIRATIME|unix.MS_RELATIME) |
		unix.MS_REMOUNT | unix.MS_BIND | unix.MS_RDONLY | unix.MS_NOSUID | unix.MS_NODEV
	if err := unix.Mount("", at, "", flags, ""); err != nil {
		return fmt.Errorf("making %s read-only: %w", at, err)
	}
	return nil
}

// enter makes the folder the root of all that this process sees and lets go
// of the old one.
func enter(root string) error {
	if err := unix.Chdir(root); err != nil {
		return err
	}
	// The old root comes to lie over the new one, where it is detached.
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("changing the root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("detaching the host's root: %w", err)
	}
	if err := unix.Chdir("/"); err != nil {
		return err
	}
	const flags = unix.MS_REMOUNT | unix.MS_BIND | unix.MS_RDONLY | unix.MS_NOSUID | unix.MS_NODEV
	if err := unix.Mount("", "/", "", flags, ""); err != nil {
		return fmt.Errorf("making the root read-only: %w", err)
	}
	return nil
}

// buildFolder lays the probes and links to the host's shell into a temporary
// folder of the host.
func (p *place) buildFolder(in io.Reader) error {
	dir, err := os.MkdirTemp("", "argvdiff-home-")
	if err != nil {
		return err
	}
	p.remove = dir
	setup, err := receive(in, func(n wire.Node) error { return writeNode(dir, n) })
	if err != nil {
		return err
	}
	p.shell, p.acts = setup.Shell, setup.Acts
	p.layout = wire.Layout{Bin: dir + binDir, Terminal: dir + terminalDir, Temp: dir + tempDir, Work: dir + workDir, Memory: memoryRule}
	if err := os.MkdirAll(p.layout.Bin, 0o755); err != nil {
		return err
	}
	if err := os.MkdirAll(p.layout.Temp, 0o755); err != nil {
		return err
	}
	if err := p.makeWork(); err != nil {
		return err
	}
	if err := os.Symlink(setup.Shell, path.Join(p.layout.Bin, "bash")); err != nil {
		return err
	}
	self := path.Join(dir, Name)
	if err := p.installProbes(p.layout.Bin, setup, self); err != nil {
		return err
	}
	if err := copySelf(self); err != nil {
		return err
	}
	if p.acts {
		p.layout.Terminal = ""
	} else if err := layTerminal(p.layout.Terminal, p.layout.Bin, setup.Names, setup.Shell, self); err != nil {
		return err
	}
	// Whatever a command leaves behind becomes a child of the agent, so that
	// the agent can end it.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("adopting orphans: %w", err)
	}
	return undump()
}
