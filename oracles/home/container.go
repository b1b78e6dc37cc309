package home

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/argvdiff/argvdiff/docker"
	"github.com/argvdiff/argvdiff/oracles/agent"
	"github.com/argvdiff/argvdiff/oracles/wire"
)

// officialShell is where bash lies in the official images.
const officialShell = "/usr/local/bin/bash"

// RuntimeVariable names the environment variable with the name of the engine
// whose containers are used, or "none".
const RuntimeVariable = "ARGVDIFF_RUNTIME"

// InImages returns the shells that lie in images of the engine of that name, or
// with "" of the first one that answers, and with "none" none. The error wraps
// docker.ErrNone where no engine answers. What a campaign that was killed has left
// is cleared away first, as far as that can be done.
func InImages(ctx context.Context, engine string) ([]Shell, error) {
	if engine == "none" {
		return nil, nil
	}
	r, err := docker.Find(ctx, engine)
	if err != nil {
		return nil, err
	}
	_, _ = r.Sweep(ctx)
	images, err := r.Images(ctx)
	if err != nil {
		return nil, err
	}
	var shells []Shell
	for _, i := range images {
		path := i.Shell
		if path == "" {
			path = officialShell
		}
		shells = append(shells, Shell{Path: path, Image: i, Runtime: r})
	}
	return shells, nil
}

// openContainer starts a container of the shell's image with the agent in it.
func openContainer(ctx context.Context, shell Shell) (Home, error) {
	if shell.Image.Ref == "" {
		return nil, &Unavailable{Kind: containers, Err: errNoImage, Mend: "argvdiff images build --from " + shell.Path + " makes one of it"}
	}
	r := shell.Runtime
	c := docker.Container{
		Image: shell.Image.Ref, Name: docker.NewName(), Entry: []string{agent.KitAgent, string(agent.Container)}, Scratch: scratch,
	}
	if !shell.Image.Built {
		if !r.Local() {
			return nil, fmt.Errorf("the engine is not on this machine, so that nothing can be mounted: argvdiff images build puts the agent into an image")
		}
		var err error
		if c.Kit, err = kitFolder(shell.Path, shell.names()); err != nil {
			return nil, err
		}
		c.At = agent.Kit
	}
	cmd := r.Command(c)
	l, err := dialWith(ctx, r.Name, cmd, nil, wire.Setup{Version: wire.Version, Shell: shell.Path, Scratch: scratch, Acts: shell.Acts}, linkOptions{
		patience: containerPatience,
		remove: func() {
			// The engine may be slow, or gone; what is left then is cleared away by
			// the next campaign.
			ctx, cancel := context.WithTimeout(context.Background(), containerPatience)
			defer cancel()
			_ = r.Remove(ctx, c.Name)
		},
	})
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &Fault{Home: r.Name, Err: fmt.Errorf("the image %s cannot be run: %w", shell.Image.Ref, err)}
	}
	return l, nil
}

// containerPatience is how long an engine may take beyond what a run may.
var containerPatience = 15 * time.Second // a variable for tests

// BuildImage builds the image of an official bash, by its version, with the agent
// inside, and returns its name.
func BuildImage(ctx context.Context, r docker.Runtime, version string) (string, error) {
	tag := "argvdiff/bash:" + version
	if err := build(ctx, r, tag, docker.Dockerfile, officialShell, nil, "--build-arg", "BASH_VERSION="+version); err != nil {
		return "", fmt.Errorf("building %s on bash:%s: %w; %s pull bash:%s fetches what it stands on", tag, version, err, r.Name, version)
	}
	return tag, nil
}

// build builds an image from a context that lies in a folder for as long as that
// takes.
func build(ctx context.Context, r docker.Runtime, tag string, dockerfile []byte, shell string, root []wire.Node, args ...string) error {
	dir, err := os.MkdirTemp("", "argvdiff-image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := writeContext(dir, dockerfile, shell, root); err != nil {
		return err
	}
	return r.Build(ctx, tag, dir, args...)
}

// scratchDockerfile makes an image out of nothing but a shell.
const scratchDockerfile = `FROM scratch
LABEL argvdiff.shell=` + shellInside + `
COPY root /
COPY argvdiff /argvdiff
USER 1000:1000
ENTRYPOINT ["` + agent.KitAgent + `", "container"]
`

// BuildFrom builds an image out of a bash of this machine, its loader, libraries
// and locale, names it after its version, and returns that name.
func BuildFrom(ctx context.Context, r docker.Runtime, binary string) (string, error) {
	s := Shell{Path: binary, Sysroot: sysrootOf(binary)}
	if !executableFile(binary) {
		return "", fmt.Errorf("%s is not an executable file", binary)
	}
	root, err := rootNodes(s)
	if err != nil {
		return "", fmt.Errorf("collecting the files of %s: %w", binary, err)
	}
	fresh := "argvdiff/bash:" + strings.ReplaceAll(docker.NewName(), "argvdiff-", "new-")
	if err := build(ctx, r, fresh, []byte(scratchDockerfile), shellInside, root); err != nil {
		return "", fmt.Errorf("building an image from %s: %w", binary, err)
	}
	defer func() { _ = r.RemoveImage(context.WithoutCancel(ctx), fresh) }()
	h, err := openContainer(ctx, Shell{Path: shellInside, Image: docker.Image{Ref: fresh, Shell: shellInside, Built: true}, Runtime: r})
	if err != nil {
		return "", err
	}
	version, err := prove(ctx, h)
	h.Close()
	if err != nil {
		return "", fmt.Errorf("an image of %s cannot be used: %w", binary, err)
	}
	tag := "argvdiff/bash:" + version
	return tag, r.Tag(ctx, fresh, tag)
}

// linkOptions are what differs between the kinds of homes.
type linkOptions struct {
	patience time.Duration
	// remove ends what the end of the agent's process leaves standing.
	remove func()
}

func dial(ctx context.Context, name string, cmd *exec.Cmd, nodes []wire.Node, setup wire.Setup) (*link, error) {
	return dialWith(ctx, name, cmd, nodes, setup, linkOptions{patience: patience})
}

var errNoImage = errors.New("the shell is in no image")
