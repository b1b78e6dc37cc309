package home

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ShellsVariable names the environment variable with more shells, separated by
// colons: binaries, folders whose executables are named bash*, or sysroots.
const ShellsVariable = "ARGVDIFF_SHELLS"

// installed are the places where shells may be laid beside those of the system.
const installed = "/opt/argvdiff-shells/*/bin/bash"

// Discover returns every bash that is on PATH, in $ARGVDIFF_SHELLS, or among
// the installed ones, each once. IDs and versions are not known yet. It fails
// where a shell is named that is not there.
func Discover() ([]Shell, error) {
	var found []Shell
	add := func(path, sysroot string, named bool) error {
		path, err := filepath.EvalSymlinks(path)
		if err != nil {
			return err
		}
		if at := slices.IndexFunc(found, func(s Shell) bool { return s.Path == path }); at < 0 {
			found = append(found, Shell{Path: path, Sysroot: sysroot, Named: named})
		} else if named {
			found[at].Named = true
		}
		return nil
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if path := filepath.Join(dir, "bash"); filepath.IsAbs(dir) && executableFile(path) {
			if err := add(path, "", false); err != nil {
				return nil, err
			}
		}
	}
	for _, entry := range filepath.SplitList(os.Getenv(ShellsVariable)) {
		if entry == "" {
			continue
		}
		if err := addEntry(entry, add); err != nil {
			return nil, fmt.Errorf("$%s names %s: %w", ShellsVariable, entry, err)
		}
	}
	binaries, _ := filepath.Glob(installed)
	for _, path := range binaries {
		if !executableFile(path) {
			continue
		}
		if err := add(path, sysrootOf(path), false); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// addEntry adds what one entry of the variable names.
func addEntry(entry string, add func(path, sysroot string, named bool) error) error {
	entry, err := filepath.Abs(entry)
	if err != nil {
		return err
	}
	info, err := os.Stat(entry)
	if err != nil {
		return errorText(err)
	}
	if !info.IsDir() {
		if !executableFile(entry) {
			return fmt.Errorf("not an executable file")
		}
		return add(entry, sysrootOf(entry), true)
	}
	if path := filepath.Join(entry, "bin", "bash"); executableFile(path) {
		return add(path, sysrootOf(path), true)
	}
	paths, err := filepath.Glob(filepath.Join(entry, "bash*"))
	if err != nil {
		return err
	}
	n := 0
	for _, path := range paths {
		if executableFile(path) {
			n++
			if err := add(path, "", false); err != nil {
				return err
			}
		}
	}
	if n == 0 {
		return fmt.Errorf("no executable bash* in this folder")
	}
	return nil
}

// sysrootOf returns the folder above bin/bash where it holds libraries too.
func sysrootOf(path string) string {
	if filepath.Base(path) != "bash" || filepath.Base(filepath.Dir(path)) != "bin" {
		return ""
	}
	root := filepath.Dir(filepath.Dir(path))
	libs, _ := filepath.Glob(filepath.Join(root, "lib*"))
	// The host's own root, or /usr, is not copied.
	if len(libs) == 0 || root == "/" || root == "/usr" {
		return ""
	}
	return root
}

func executableFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// errorText leaves out the path that the caller names itself.
func errorText(err error) error {
	if p, ok := err.(*os.PathError); ok {
		return p.Err
	}
	return err
}

// Nearest returns the name among those given that is most like the one asked
// for, or "".
func Nearest(asked string, names []string) string {
	best, least := "", len(asked)/2+2
	for _, name := range names {
		d := distance(asked, name)
		if strings.HasPrefix(name, asked) {
			d = 1
		}
		if d < least {
			best, least = name, d
		}
	}
	return best
}

// distance is the number of single-byte edits between two names.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j]+1, row[j+1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
