package home

import (
	"bufio"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// libraries returns the loader of an ELF file and all the libraries that it
// will load, as absolute paths. A static file has none.
func libraries(binary string) ([]string, error) {
	s := &linker{dirs: defaultDirs()}
	loader, err := s.add(binary)
	if err != nil {
		return nil, err
	}
	if loader != "" {
		s.found = append(s.found, loader)
	}
	return s.found, nil
}

// A linker finds libraries as the dynamic loader would.
type linker struct {
	dirs  []string
	found []string
}

// add finds what one file needs, and what that needs in turn.
func (s *linker) add(file string) (loader string, err error) {
	f, err := elf.Open(file)
	var format *elf.FormatError
	if errors.As(err, &format) {
		return "", fmt.Errorf("%s is no ELF program", file)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			b := make([]byte, p.Filesz)
			if _, err := p.ReadAt(b, 0); err != nil {
				return "", fmt.Errorf("%s: %w", file, err)
			}
			loader = strings.TrimRight(string(b), "\x00")
		}
	}
	needed, err := f.DynString(elf.DT_NEEDED)
	if err != nil || len(needed) == 0 {
		return loader, nil // static
	}
	dirs := s.dirs
	for _, tag := range []elf.DynTag{elf.DT_RUNPATH, elf.DT_RPATH} {
		paths, _ := f.DynString(tag)
		for _, p := range paths {
			for _, dir := range filepath.SplitList(p) {
				dir = strings.NewReplacer("$ORIGIN", filepath.Dir(file), "${ORIGIN}", filepath.Dir(file)).Replace(dir)
				dirs = append([]string{dir}, dirs...)
			}
		}
	}
	for _, name := range needed {
		path, err := locate(name, f.Machine, dirs)
		if err != nil {
			return "", fmt.Errorf("%s needs %s: %w", file, name, err)
		}
		if slices.Contains(s.found, path) {
			continue
		}
		s.found = append(s.found, path)
		if _, err := s.add(path); err != nil {
			return "", err
		}
	}
	return loader, nil
}

// locate finds a library for the machine in the first folder that has it.
func locate(name string, machine elf.Machine, dirs []string) (string, error) {
	if filepath.IsAbs(name) {
		return name, nil
	}
	for _, dir := range dirs {
		path := filepath.Join(dir, name)
		f, err := elf.Open(path)
		if err != nil {
			continue
		}
		fits := f.Machine == machine
		f.Close()
		if fits {
			return path, nil
		}
	}
	return "", fmt.Errorf("not found in %s", strings.Join(dirs, ", "))
}

// standardDirs are where loaders look without being told.
var standardDirs = []string{"/lib", "/usr/lib", "/lib64", "/usr/lib64"}

// defaultDirs are the folders in which the host's loader looks.
func defaultDirs() []string {
	var dirs []string
	dirs = append(dirs, filepath.SplitList(os.Getenv("LD_LIBRARY_PATH"))...)
	dirs = append(dirs, configured("/etc/ld.so.conf", 0)...)
	for _, d := range standardDirs {
		dirs = append(dirs, d)
		multiarch, _ := filepath.Glob(d + "/*-linux-gnu*")
		dirs = append(dirs, multiarch...)
	}
	return dirs
}

// configured reads the folders of a loader's configuration file and of those
// that it includes.
func configured(file string, depth int) []string {
	f, err := os.Open(file)
	if err != nil || depth > 4 {
		return nil
	}
	defer f.Close()
	var dirs []string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(line)
		switch {
		case len(fields) == 2 && fields[0] == "include":
			pattern := fields[1]
			if !filepath.IsAbs(pattern) {
				pattern = filepath.Join(filepath.Dir(file), pattern)
			}
			files, _ := filepath.Glob(pattern)
			for _, f := range files {
				dirs = append(dirs, configured(f, depth+1)...)
			}
		case len(fields) == 1 && filepath.IsAbs(fields[0]):
			dirs = append(dirs, fields[0])
		}
	}
	return dirs
}
