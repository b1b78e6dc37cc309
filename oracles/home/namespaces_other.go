//go:build !linux || !(amd64 || arm64)

package home

import (
	"context"
	"errors"
	"runtime"
)

var errPlatform = errors.New("shells run on linux/amd64 and linux/arm64 only, this is " + runtime.GOOS + "/" + runtime.GOARCH)

func openNamespaces(context.Context, Shell) (Home, error) {
	return nil, &Unavailable{Kind: namespaces, Err: errPlatform, Mend: "run argvdiff on Linux, or in a Linux container"}
}

func openRepro(context.Context, Shell) (Home, string, error) {
	return nil, "", &Unavailable{Kind: namespaces, Err: errPlatform, Mend: "run argvdiff on Linux, or in a Linux container"}
}

func openBare(context.Context, Shell) (Home, error) {
	return nil, &Unavailable{Kind: bareHost, Err: errPlatform, Mend: "run argvdiff on Linux, or in a Linux container"}
}
