package adapter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
	"time"
)

// installTime is how long npm may take.
const installTime = 3 * time.Minute

// packageDir is the folder of a package, with node_modules in it.
func packageDir(pkg, version string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "argvdiff", "npm", pkg+"@"+version), nil
}

func missingPackage(pkg, version string) string {
	dir, err := packageDir(pkg, version)
	if err != nil {
		return err.Error()
	}
	if _, err := os.Stat(dir); err == nil {
		return ""
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return fmt.Sprintf("npm is not on PATH, and %s@%s is not installed yet: apt-get install npm", pkg, version)
	}
	return ""
}

// install returns the folder of a package. Where it is not there yet, npm fills a
// fresh folder, which then gets the name: another process sees all of it or none.
// The registry is the one that npm is set up with.
func install(ctx context.Context, pkg, version string) (string, error) {
	dir, err := packageDir(pkg, version)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), ".new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	if err := npm(ctx, fresh, pkg+"@"+version); err != nil {
		return "", err
	}
	// It names the registry.
	if err := os.RemoveAll(filepath.Join(fresh, "node_modules", ".package-lock.json")); err != nil {
		return "", err
	}
	if err := os.Chmod(fresh, 0o755); err != nil {
		return "", err
	}
	err = os.Rename(fresh, dir)
	if _, there := os.Stat(dir); err != nil && there != nil {
		return "", err
	}
	return dir, nil // of two processes the first one counts
}

func npm(ctx context.Context, dir, what string) error {
	ctx, cancel := context.WithTimeout(ctx, installTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save",
		"--no-package-lock", "--no-update-notifier", "--loglevel", "error", "--fetch-retries", "1",
		"--fetch-retry-mintimeout", "1000", "--prefix", dir, what)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	var said tail
	cmd.Stderr = &said
	err := cmd.Run()
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("npm install %s: %w", what, ctx.Err())
	}
	return npmError(what, said.bytes(), err)
}

var (
	npmCode = regexp.MustCompile(`(?m)^npm (?:error|ERR!) code (\S+)$`)
	npmLine = regexp.MustCompile(`(?m)^npm (?:error|ERR!) (.*)$`)
	aURL    = regexp.MustCompile(`\b[a-z]+://\S+`)
)

// npmError says what the failure of npm means.
func npmError(what string, said []byte, err error) error {
	code := ""
	if m := npmCode.FindSubmatch(said); m != nil {
		code = string(m[1])
	}
	switch {
	case code == "ETARGET":
		return &MissingError{fmt.Sprintf("npm has no such version: %s", what)}
	case code == "E404":
		return &MissingError{fmt.Sprintf("npm has no such package: %s", what)}
	case slices.Contains(unreached, code):
		return &MissingError{fmt.Sprintf("npm does not reach its registry (%s) and cannot install %s: connect this machine to a network, or set npm's registry to one that it reaches", code, what)}
	}
	var lines [][]byte
	for _, m := range npmLine.FindAllSubmatch(said, 3) {
		lines = append(lines, aURL.ReplaceAll(m[1], []byte("the registry")))
	}
	if len(lines) == 0 {
		return fmt.Errorf("npm install %s: %w", what, err)
	}
	return errors.New("npm install " + what + ": " + string(bytes.Join(lines, []byte("; "))))
}

// unreached are the codes of npm for a registry that is not there.
var unreached = []string{
	"ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "ERR_SOCKET_TIMEOUT",
}
