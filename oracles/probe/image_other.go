//go:build !linux || !(amd64 || arm64)

package probe

import "errors"

var errOther = errors.New("probe: probes are made by an argvdiff for Linux, on amd64 or arm64: build the images there")

// Image would return the executable of a probe: it is copied out of a program for
// Linux, which this one is not.
func Image(socket string) ([]byte, error) {
	return nil, errOther
}

// Front would return the executable of a front.
func Front(socket, program string, shell bool) ([]byte, error) { return nil, errOther }
