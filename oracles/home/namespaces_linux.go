//go:build amd64 || arm64

package home

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/argvdiff/argvdiff/oracles/agent"
	"github.com/argvdiff/argvdiff/oracles/wire"
)

// insideID is the user and group of everything in a namespace home.
const insideID = 1000

// setupCaps are the capabilities with which an agent builds its root. It drops
// them before the first case.
var setupCaps = []uintptr{
	unix.CAP_SYS_ADMIN, unix.CAP_SYS_CHROOT, unix.CAP_SETPCAP, unix.CAP_DAC_OVERRIDE,
}

const namespaceFlags = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID |
	unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS

func openNamespaces(ctx context.Context, shell Shell) (Home, error) {
	nodes, err := rootNodes(shell)
	if err != nil {
		return nil, err
	}
	if shell.Acts {
		for i, n := range nodes {
			if n.Link == "" && bytes.HasPrefix(n.Data, []byte(shimHead)) {
				nodes[i].Data = bytes.Replace(n.Data, []byte(shellInside), []byte(agent.ActsShell), 1)
			}
		}
	}
	return isolate(ctx, nodes, wire.Setup{
		Version: wire.Version,
		Shell:   shellInside,
		Scratch: scratch,
		Names:   shell.names(),
		Acts:    shell.Acts,
	})
}

// openRepro opens a home in which /bin/sh runs with the tools of the host, and
// returns the path of the shell in it.
func openRepro(ctx context.Context, shell Shell) (Home, string, error) {
	const at = "/shell"
	var c copier
	inside := at + "/bash"
	var err error
	if shell.Sysroot != "" {
		inside = at
		err = c.tree(shell.Sysroot, at)
	} else {
		err = c.file(shell.Path, inside)
	}
	if err != nil {
		return nil, "", err
	}
	h, err := isolate(ctx, c.nodes, wire.Setup{
		Version: wire.Version,
		Shell:   "/bin/sh",
		Scratch: scratch,
		Tools:   true,
	})
	return h, inside, err
}

// agentEnv is the environment of an agent in namespaces.
var agentEnv = []string{"GOMAXPROCS=2"} // a variable for tests

// isolate starts an agent in fresh namespaces and lets it build its root.
func isolate(ctx context.Context, nodes []wire.Node, setup wire.Setup) (Home, error) {
	self, done, err := executable()
	if err != nil {
		return nil, err
	}
	defer done()
	cmd := exec.Command(self)
	cmd.Args = []string{agent.Name, string(agent.Namespace)}
	cmd.Env = agentEnv
	attr := &syscall.SysProcAttr{
		Cloneflags:  namespaceFlags,
		AmbientCaps: setupCaps,
		Credential:  &syscall.Credential{Uid: insideID, Gid: insideID, NoSetGroups: true},
	}
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		// Never to uid 0: a command mapped to it can write the host's
		// /proc/sys, and the limit on processes does not bind it.
		if uid, err = unusedID(); err != nil {
			return nil, &Unavailable{Kind: namespaces, Err: err, Mend: mend()}
		}
		gid = uid
		attr.GidMappingsEnableSetgroups = true
		attr.Credential.NoSetGroups = false
	}
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: insideID, HostID: uid, Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: insideID, HostID: gid, Size: 1}}
	cmd.SysProcAttr = attr
	l, err := dial(ctx, namespaces, cmd, nodes, setup)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &Unavailable{Kind: namespaces, Err: cause(err), Mend: mend()}
	}
	return l, nil
}

// cause says in words what the kernel says of the start of a process in new
// namespaces.
func cause(err error) error {
	switch {
	case errors.Is(err, unix.ENOSPC):
		return errors.New("the kernel's limit on user namespaces is reached")
	case errors.Is(err, unix.EPERM), errors.Is(err, unix.EACCES):
		return fmt.Errorf("the kernel or its security policy refuses namespaces (%w)", err)
	}
	return err
}

// mend says what makes the kernel grant what it has refused.
func mend() string {
	var switches []string
	for _, s := range []struct{ file, bad, set string }{
		{"/proc/sys/kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"},
		{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "kernel.apparmor_restrict_unprivileged_userns=0"},
		{"/proc/sys/user/max_user_namespaces", "0", "user.max_user_namespaces=10000"},
	} {
		if b, err := os.ReadFile(s.file); err == nil && strings.TrimSpace(string(b)) == s.bad {
			switches = append(switches, "sysctl -w "+s.set)
		}
	}
	how := "allow user namespaces (sysctl -w user.max_user_namespaces=10000)"
	if len(switches) > 0 {
		how = strings.Join(switches, " and ")
	}
	return how + ", or run argvdiff under sudo, or outside of a container that restricts it (docker run --privileged); --unsandboxed runs commands on the bare host"
}

// ids numbers the homes of this process.
var ids atomic.Int64

// unusedID returns an unprivileged id of the host that nobody has: from a range
// far above those which systems give out, another one for each home.
func unusedID() (int, error) {
	const base = 1_900_000_000
	inner, err := os.ReadFile("/proc/self/uid_map")
	if err != nil {
		return 0, err
	}
	id := base + os.Getpid()%1_000_000*100 + int(ids.Add(1))%100
	var first, host, size int64
	for _, line := range strings.Split(strings.TrimSpace(string(inner)), "\n") {
		if _, err := fmt.Sscan(line, &first, &host, &size); err != nil {
			return 0, fmt.Errorf("/proc/self/uid_map: %w", err)
		}
		if int64(id) >= first && int64(id) < first+size {
			return id, nil
		}
	}
	// This root is itself inside a user namespace, with few ids.
	if size > 1 {
		return int(first + size - 1 - int64(id)%min(size-1, 1000)), nil
	}
	return 0, errors.New("root has no other user id here to give to commands: run argvdiff as an ordinary user")
}

// executable returns a path to this program that any user may execute.
func executable() (path string, done func(), err error) {
	const self = "/proc/self/exe"
	info, err := os.Stat(self)
	if err != nil {
		return "", nil, err
	}
	if os.Getuid() != 0 || info.Mode()&0o005 == 0o005 {
		return self, func() {}, nil
	}
	data, err := os.ReadFile(self)
	if err != nil {
		return "", nil, err
	}
	fd, err := unix.MemfdCreate("argvdiff", unix.MFD_CLOEXEC)
	if err != nil {
		return "", nil, fmt.Errorf("copying this program: %w", err)
	}
	f := os.NewFile(uintptr(fd), "argvdiff")
	if _, err := f.Write(data); err != nil {
		f.Close()
		return "", nil, fmt.Errorf("copying this program: %w", err)
	}
	// The child finds the copy among its own descriptors; those of its parent
	// are closed to another user.
	return fmt.Sprintf("/proc/self/fd/%d", fd), func() { f.Close() }, nil
}

func openBare(ctx context.Context, shell Shell) (Home, error) {
	if shell.Sysroot != "" {
		return nil, errors.New("a sysroot cannot be used on the bare host")
	}
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = []string{agent.Name, string(agent.Bare)}
	cmd.Env = []string{"GOMAXPROCS=2", "TMPDIR=" + os.TempDir()}
	l, err := dial(ctx, bareHost, cmd, shims(), wire.Setup{
		Version: wire.Version,
		Shell:   shell.Path,
		Names:   shell.names(),
		Acts:    shell.Acts,
	})
	if err != nil {
		return nil, &Fault{Home: bareHost, Err: err}
	}
	return l, nil
}
