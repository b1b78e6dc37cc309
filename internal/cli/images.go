package cli

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/argvdiff/argvdiff/docker"
	"github.com/argvdiff/argvdiff/oracles/home"
)

func runImages(ctx context.Context, e *env, fs *flag.FlagSet, args []string) (int, error) {
	engine := fs.String("runtime", "", "the `engine`: docker, podman or nerdctl (default: the first one that answers)")
	shells := fs.String("shell", "", "the `versions`, separated by commas, as 3.2.57,5.2, or all (default: those whose official image is there)")
	from := fs.String("from", "", "build an image out of this bash `binary` of this machine")
	what, rest := "", args
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		what, rest = args[0], args[1:]
	}
	if err := parse(fs, rest); err != nil {
		return exitFailed, err
	}
	if what == "kit" {
		if fs.NArg() != 1 {
			return exitFailed, usagef("images kit takes one DIR, for a build context")
		}
		if err := home.WriteContext(fs.Arg(0)); err != nil {
			return exitFailed, err
		}
		_, err := fmt.Fprintf(e.stdout, "%s holds a build context; docker compose build there builds every version\n", fs.Arg(0))
		return exitNothing, err
	}
	if err := noArgs(fs); err != nil {
		return exitFailed, err
	}
	do := map[string]func(context.Context, *env, docker.Runtime, string, string) error{
		"build": buildImages, "list": listImages, "remove": removeImages,
	}[what]
	if do == nil {
		return exitFailed, usagef("images: say build, list, remove or kit, not %q", what)
	}
	r, err := docker.Find(ctx, *engine)
	if err != nil {
		return exitFailed, fmt.Errorf("images: %w; one of %s must be installed, started and open to this user", err, strings.Join(docker.Names, ", "))
	}
	if err := do(ctx, e, r, *shells, *from); err != nil {
		return exitFailed, err
	}
	return exitNothing, nil
}

// versions reads the flag, with those that are meant where it is empty.
func versions(list string, otherwise []string) []string {
	switch list {
	case "":
		return otherwise
	case "all":
		return docker.Versions
	}
	return strings.Split(list, ",")
}

func buildImages(ctx context.Context, e *env, r docker.Runtime, shells, from string) error {
	if from != "" {
		tag, err := home.BuildFrom(ctx, r, from)
		if err == nil {
			_, err = fmt.Fprintln(e.stdout, tag)
		}
		return err
	}
	images, err := r.Images(ctx)
	if err != nil {
		return err
	}
	var there []string
	for _, i := range images {
		if !i.Built {
			_, tag, _ := strings.Cut(i.Ref, ":")
			there = append(there, tag)
		}
	}
	list := versions(shells, there)
	if len(list) == 0 {
		return fmt.Errorf("no official image of bash is there to build on: %s pull bash:3.2.57 fetches one, and --from makes an image of a binary", r.Name)
	}
	for _, v := range list {
		tag, err := home.BuildImage(ctx, r, v)
		if err != nil {
			return err
		}
		fmt.Fprintln(e.stdout, tag)
	}
	return nil
}

func listImages(ctx context.Context, e *env, r docker.Runtime, _, _ string) error {
	images, err := r.Images(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "IMAGE\tSHELL\tAGENT")
	for _, i := range images {
		agent := "mounted"
		if i.Built {
			agent = "inside"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", i.Ref, i.Shell, agent)
	}
	return w.Flush()
}

func removeImages(ctx context.Context, e *env, r docker.Runtime, shells, _ string) error {
	if n, err := r.Sweep(ctx); err != nil {
		return err
	} else if n > 0 {
		fmt.Fprintf(e.stdout, "removed %d containers that nobody owns any more\n", n)
	}
	images, err := r.Images(ctx)
	if err != nil {
		return err
	}
	for _, v := range versions(shells, nil) {
		if shells != "all" && !slices.ContainsFunc(images, func(i docker.Image) bool { return i.Built && strings.HasSuffix(i.Ref, ":"+v) }) {
			return fmt.Errorf("there is no image of ours for bash %s; argvdiff images list shows what there is", v)
		}
	}
	for _, i := range images {
		_, tag, _ := strings.Cut(i.Ref, ":")
		if !i.Built || shells != "" && shells != "all" && !slices.Contains(strings.Split(shells, ","), tag) {
			continue // what others have built is not ours to remove
		}
		if err := r.RemoveImage(ctx, i.Ref); err != nil {
			return err
		}
		fmt.Fprintln(e.stdout, i.Ref)
	}
	return nil
}
