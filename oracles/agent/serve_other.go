//go:build !linux || !(amd64 || arm64)

package agent

import (
	"fmt"
	"runtime"
)

func serve(Mode) error {
	return fmt.Errorf("no agent for %s/%s", runtime.GOOS, runtime.GOARCH)
}
