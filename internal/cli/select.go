package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/argvdiff/argvdiff/docker"
	"github.com/argvdiff/argvdiff/oracles/home"
	"github.com/argvdiff/argvdiff/targets/path"
)

// selection holds the flags by which paths and shells are chosen.
type selection struct {
	paths       string
	shells      string
	unsandboxed bool
	runtime     string
	noEngine    error     // why there are no shells in containers
	warn        io.Writer // for what should be known and is no error
}

func (s *selection) register(fs *flag.FlagSet) {
	paths := "the `paths` to use, separated by commas; * matches anything, all means every one"
	if s.paths == "" {
		paths += " (default: those that argvdiff paths does not set aside)"
	}
	fs.StringVar(&s.paths, "path", s.paths, paths)
	s.registerShells(fs)
}

func (s *selection) registerShells(fs *flag.FlagSet) {
	fs.StringVar(&s.shells, "shell", "all", "the `shells` to use, separated by commas, or all")
	s.registerHome(fs)
}

func (s *selection) registerHome(fs *flag.FlagSet) {
	fs.BoolVar(&s.unsandboxed, "unsandboxed", false, "run commands on the bare host, as you, on your files")
	fs.StringVar(&s.runtime, "runtime", os.Getenv(home.RuntimeVariable), "the `engine` for shells in containers: docker, podman, nerdctl, or none (default: $"+home.RuntimeVariable+", or the first one that answers)")
}

func (s *selection) kind(warn io.Writer) home.Kind {
	s.warn = warn
	if !s.unsandboxed {
		return home.Isolated
	}
	fmt.Fprintln(warn, "argvdiff: warning: commands run on the bare host, as this user")
	return home.BareHost
}

func (s *selection) selectPaths() ([]path.Path, error) {
	paths, err := path.Select(s.paths)
	var unknown *path.UnknownError
	if errors.As(err, &unknown) {
		return nil, usagef("%w%s; argvdiff paths lists them", err, meant(unknown.Name, unknown.Names))
	}
	return paths, err
}

func (s *selection) selectShells(ctx context.Context, kind home.Kind) (usable []home.Shell, broken []home.Candidate, err error) {
	all, err := s.survey(ctx, kind)
	if err != nil {
		return nil, nil, err
	}
	usable, broken, err = home.Choose(all, s.shells)
	var unknown *home.UnknownError
	if errors.As(err, &unknown) && s.noEngine != nil && strings.Contains(unknown.Name, "@") {
		return nil, nil, fmt.Errorf("the shell %s is in a container: %w", unknown.Name, s.noEngine)
	}
	if errors.As(err, &unknown) {
		return nil, nil, usagef("%w%s; argvdiff shells lists them", err, meant(unknown.Name, unknown.IDs))
	}
	return usable, broken, err
}

// survey lets every shell prove itself, those in images too where an engine is
// there and they may be used.
func (s *selection) survey(ctx context.Context, kind home.Kind) ([]home.Candidate, error) {
	if kind.Name == home.BareHost.Name {
		return home.Survey(ctx, kind)
	}
	inImages, err := home.InImages(ctx, s.runtime)
	if errors.Is(err, docker.ErrNone) && s.runtime == "" {
		s.noEngine, err = err, nil
		if os.Getenv("DOCKER_HOST") != "" || strings.Contains(s.noEngine.Error(), "no answer") {
			fmt.Fprintf(s.warn, "argvdiff: shells in containers are left out: %v\n", s.noEngine)
		}
	}
	if err != nil {
		return nil, err
	}
	return home.Survey(ctx, kind, inImages...)
}

func ids(shells []home.Shell) string {
	list := make([]string, len(shells))
	for i, s := range shells {
		list[i] = s.ID
	}
	return strings.Join(list, " ")
}
