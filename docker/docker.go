// Package docker says how shells are had and started in containers, by the
// command lines of docker, podman and nerdctl, which agree in what is used here.
// It knows nothing of what runs inside.
package docker

import (
	"bytes"
	"context"
	_ "embed" // the Dockerfile
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// The files of this folder that are needed to build images, besides the kit.
var (
	//go:embed Dockerfile
	Dockerfile []byte
	//go:embed compose.yaml
	Compose []byte
)

// Names are the runtimes that are known, in the order in which they are tried.
var Names = []string{"docker", "podman", "nerdctl"}

// Versions are those of the official images.
var Versions = []string{"3.2.57", "4.4", "5.0", "5.1", "5.2", "5.3"}

// The labels of images and containers of ours.
const (
	// ShellLabel holds the path of the shell in an image.
	ShellLabel = "argvdiff.shell"
	// BaseLabel holds the image that one of ours was built on.
	BaseLabel = "argvdiff.base"
	// OwnerLabel holds the process that started a container.
	OwnerLabel = "argvdiff.owner"
)

// A Runtime is a command line that runs containers.
type Runtime struct {
	Name string
	path string
}

// ErrNone says that no runtime is there, or none that answers.
var ErrNone = errors.New("no container runtime")

// answerTime is how long a runtime may take for an answer, and probeTime for the
// first one, which says whether it is there.
const (
	answerTime = 20 * time.Second
	probeTime  = 5 * time.Second
)

// Find returns the runtime of that name, or with "" the first one that answers.
// The error wraps ErrNone and says of each why it is none.
func Find(ctx context.Context, name string) (Runtime, error) {
	names := Names
	if name != "" {
		names = []string{name}
	}
	var why []string
	for _, n := range names {
		path, err := exec.LookPath(n)
		if err != nil {
			why = append(why, n+" is not installed")
			continue
		}
		r := Runtime{n, path}
		if _, err := r.within(ctx, probeTime, "version"); err != nil {
			why = append(why, err.Error())
			continue
		}
		return r, nil
	}
	return Runtime{}, fmt.Errorf("%w: %s", ErrNone, strings.Join(why, "; "))
}

// output runs the command line and returns what it prints.
func (r Runtime) output(ctx context.Context, args ...string) ([]byte, error) {
	return r.within(ctx, answerTime, args...)
}

func (r Runtime) within(ctx context.Context, long time.Duration, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.path, args...)
	cmd.WaitDelay = time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if ctx.Err() == context.DeadlineExceeded {
			return nil, fmt.Errorf("%s %s gave no answer in %s", r.Name, args[0], long)
		}
		said := lastLine(errs.Bytes())
		if said == "" {
			said = err.Error()
		}
		return nil, fmt.Errorf("%s %s: %s", r.Name, args[0], said)
	}
	return out.Bytes(), nil
}

func lastLine(b []byte) string {
	b = bytes.TrimSpace(b)
	return string(b[bytes.LastIndexByte(b, '\n')+1:])
}

// Local reports whether the engine sees the files of this machine, so that
// folders can be mounted.
func (r Runtime) Local() bool {
	host := os.Getenv("DOCKER_HOST")
	return r.Name != "docker" || host == "" || strings.HasPrefix(host, "unix://")
}

// An Image is an image with a bash.
type Image struct {
	// Ref names the image.
	Ref string
	// Shell is the path of the shell inside, or "" where no label tells it.
	Shell string
	// Base is the image that one of ours is built on, or "".
	Base string
	// Built says that agent and probes are inside.
	Built bool
}

// Images lists the images of ours, and the official images of bash on which none
// of ours is built.
func (r Runtime) Images(ctx context.Context) ([]Image, error) {
	format := "{{.Repository}}:{{.Tag}}"
	var list []Image
	bases := make(map[string]bool)
	out, err := r.output(ctx, "image", "ls", "--filter", "label="+ShellLabel, "--format", format)
	if err != nil {
		return nil, err
	}
	for _, ref := range strings.Fields(string(out)) {
		if strings.Contains(ref, "<none>") {
			continue
		}
		labels, err := r.output(ctx, "image", "inspect", "--format",
			fmt.Sprintf("{{index .Config.Labels %q}}\n{{index .Config.Labels %q}}", ShellLabel, BaseLabel), ref)
		if err != nil {
			return nil, err
		}
		shell, base, _ := strings.Cut(string(labels), "\n")
		i := Image{Ref: ref, Shell: strings.TrimSpace(shell), Base: strings.TrimSpace(base), Built: true}
		bases[i.Base] = true
		list = append(list, i)
	}
	out, err = r.output(ctx, "image", "ls", "--format", format)
	if err != nil {
		return nil, err
	}
	for _, ref := range strings.Fields(string(out)) {
		name := strings.TrimPrefix(ref, "docker.io/library/")
		if strings.HasPrefix(name, "bash:") && !strings.Contains(name, "<none>") && !bases[name] {
			list = append(list, Image{Ref: ref})
		}
	}
	return list, nil
}

// buildTime is how long a build may take.
const buildTime = 10 * time.Minute

// Build builds an image from a folder with a Dockerfile.
func (r Runtime) Build(ctx context.Context, tag, dir string, args ...string) error {
	line := append([]string{"build", "--network", "none", "-t", tag}, args...)
	_, err := r.within(ctx, buildTime, append(line, dir)...)
	return err
}

// Tag gives an image one more name.
func (r Runtime) Tag(ctx context.Context, ref, tag string) error {
	_, err := r.output(ctx, "tag", ref, tag)
	return err
}

// RemoveImage removes an image, or one of its names.
func (r Runtime) RemoveImage(ctx context.Context, ref string) error {
	_, err := r.output(ctx, "image", "rm", ref)
	return err
}

// Remove ends a container, whatever it is at. One that is gone, or that somebody
// removes already, is no error.
func (r Runtime) Remove(ctx context.Context, name string) error {
	_, err := r.output(ctx, "rm", "-f", name)
	if err != nil {
		said := strings.ToLower(err.Error())
		if strings.Contains(said, "no such container") || strings.Contains(said, "already in progress") {
			return nil
		}
	}
	return err
}
