package home

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/argvdiff/argvdiff/docker"
	"github.com/argvdiff/argvdiff/oracles/agent"
	"github.com/argvdiff/argvdiff/oracles/applet"
	"github.com/argvdiff/argvdiff/oracles/probe"
	"github.com/argvdiff/argvdiff/oracles/wire"
)

// AgentVariable names the environment variable with the path of the program that
// serves as agent in containers, where this one cannot: it is not for Linux, or
// not static.
const AgentVariable = "ARGVDIFF_AGENT"

// agentProgram returns a program that runs in any container.
func agentProgram() ([]byte, error) {
	name, mend := os.Getenv(AgentVariable), "build it with CGO_ENABLED=0"
	if name == "" {
		name, mend = "/proc/self/exe", "build argvdiff with CGO_ENABLED=0, or name an agent for Linux in $"+AgentVariable
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("no agent for containers: %w; %s", err, mend)
	}
	f, err := elf.NewFile(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("the agent %s is no program for Linux; %s", name, mend)
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			return nil, fmt.Errorf("the agent %s is not static; %s", name, mend)
		}
	}
	return b, nil
}

// kitNodes returns the files that a container needs beside its shell: the agent,
// and the folder that is all of PATH.
func kitNodes(shell string, names []string) ([]wire.Node, error) {
	program, err := agentProgram()
	if err != nil {
		return nil, err
	}
	image, err := probe.Image(agent.KitSocket)
	if err != nil {
		return nil, err
	}
	front, err := applet.Front(agent.KitAgent)
	if err != nil {
		return nil, err
	}
	nodes := []wire.Node{
		{Path: agent.Kit, Dir: true},
		{Path: agent.KitAgent, Data: program, Executable: true},
		{Path: agent.KitBin, Dir: true},
		{Path: agent.KitBin + "/bash", Link: shell},
	}
	taken := map[string]bool{"bash": true}
	for _, n := range shims() {
		base := filepath.Base(n.Path)
		taken[base] = true
		n.Path, n.Data = agent.KitBin+"/"+base, bytes.Replace(n.Data, []byte(shellInside), []byte(shell), 1)
		nodes = append(nodes, n)
	}
	names = append(names[:len(names):len(names)], probe.Cleaner)
	for _, name := range names {
		if !taken[name] {
			nodes = append(nodes, wire.Node{Path: agent.KitBin + "/" + name, Data: image, Executable: true})
		}
	}
	nodes = append(nodes, wire.Node{Path: agent.KitTerminal, Dir: true}, wire.Node{Path: agent.KitTerminal + "/bash", Link: shell})
	for _, name := range names {
		if !slices.Contains(applet.Names, name) && name != "bash" {
			nodes = append(nodes, wire.Node{Path: agent.KitTerminal + "/" + name, Data: image, Executable: true})
		}
	}
	for _, name := range applet.Names {
		nodes = append(nodes, wire.Node{Path: agent.KitTerminal + "/" + name, Data: front, Executable: true})
	}
	return actingNodes(nodes, shell)
}

// actingNodes adds the folder that is all of PATH in homes that act.
func actingNodes(nodes []wire.Node, shell string) ([]wire.Node, error) {
	fronts, err := agent.Fronts(agent.KitSocket, shell, agent.KitAgent)
	if err != nil {
		return nil, err
	}
	all := []wire.Node{{Path: agent.KitActs, Dir: true}}
	var taken []string
	for _, f := range fronts {
		taken = append(taken, f.Names...)
		for _, name := range f.Names {
			all = append(all, wire.Node{Path: agent.KitActs + "/" + name, Data: f.Image, Executable: true})
		}
	}
	for _, n := range nodes {
		if dir, name := filepath.Split(n.Path); dir == agent.KitBin+"/" && !slices.Contains(taken, name) {
			n.Path = agent.KitActs + "/" + name
			all = append(all, n)
		}
	}
	return append(nodes, all...), nil
}

// kitFolder returns a folder of this machine with the kit for a shell that lies
// there in its image. It is made once for all campaigns of a version.
func kitFolder(shell string, names []string) (string, error) {
	nodes, err := kitNodes(shell, names)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, n := range nodes {
		fmt.Fprintf(sum, "%q %q %d\n", n.Path, n.Link, len(n.Data))
		sum.Write(n.Data)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "argvdiff", "kit-"+hex.EncodeToString(sum.Sum(nil)[:8]))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", fmt.Errorf("the folder for what is mounted into containers: %w", err)
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "kit-new-")
	if err != nil {
		return "", fmt.Errorf("the folder for what is mounted into containers: %w", err)
	}
	defer os.RemoveAll(fresh)
	if err := os.Chmod(fresh, 0o755); err != nil {
		return "", err
	}
	if err := layNodes(fresh, agent.Kit, nodes); err != nil {
		return "", err
	}
	err = os.Rename(fresh, dir)
	if errors.Is(err, os.ErrExist) || err != nil && exists(dir) {
		return dir, nil // somebody else was faster
	}
	return dir, err
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// layNodes makes the nodes below a folder that stands for another one of theirs.
func layNodes(dir, of string, nodes []wire.Node) error {
	for _, n := range nodes {
		rel, err := filepath.Rel(of, n.Path)
		if err != nil {
			return err
		}
		name := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		mode := os.FileMode(0o644)
		if n.Executable {
			mode = 0o755
		}
		switch {
		case n.Dir:
			err = os.MkdirAll(name, 0o755)
		case n.Link != "":
			err = os.Symlink(n.Link, name)
		default:
			err = os.WriteFile(name, n.Data, mode)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// WriteContext writes the build context of the official images into a folder:
// the Dockerfile, the compose file and the kit.
func WriteContext(dir string) error {
	return writeContext(dir, docker.Dockerfile, officialShell, nil)
}

// writeContext writes a build context: the Dockerfile, the kit for a shell that
// lies there in its image and, for an image from nothing, the files of its root.
func writeContext(dir string, dockerfile []byte, shell string, root []wire.Node) error {
	nodes, err := kitNodes(shell, probe.Names)
	if err != nil {
		return err
	}
	kit := filepath.Join(dir, filepath.Base(agent.Kit))
	if exists(kit) {
		return fmt.Errorf("%s is there already: name a new folder, or remove it", kit)
	}
	if err := layNodes(kit, agent.Kit, nodes); err != nil {
		return err
	}
	if root != nil {
		if err := layNodes(filepath.Join(dir, "root"), "/", root); err != nil {
			return err
		}
	}
	for name, text := range map[string][]byte{"Dockerfile": dockerfile, "compose.yaml": docker.Compose} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
