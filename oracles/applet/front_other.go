//go:build !linux || !(amd64 || arm64)

package applet

import "errors"

// Front would return the executable of a front: it is copied out of a program for
// Linux, which this one is not.
func Front(program string) ([]byte, error) {
	return nil, errors.New("applet: fronts are made by an argvdiff for Linux, on amd64 or arm64: build the images there")
}
