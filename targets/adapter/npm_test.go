package adapter

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestLookup(t *testing.T) {
	for name, says := range map[string]string{
		"node:shell-quote@1.8.3":    "",
		"python:shlex.quote":        "",
		"exec:./testdata/echo.sh":   "",
		"node:shell-quote@latest":   "whole version",
		"node:shell-quote@1":        "whole version",
		"node:shell-quote@../1.2.3": "whole version",
		"python:shlex.quote@3":      "cannot be chosen",
		"cobol:quote":               "there are node:shell-quote",
		"exec:":                     "no adapter",
	} {
		_, err := Lookup(name)
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	seen := map[string]bool{}
	for _, r := range All {
		if seen[r.Name] || r.Doc == "" || r.Role.answer() == 0 {
			t.Errorf("%+v", r)
		}
		seen[r.Name] = true
	}
}

// What is not there is said, with the way to get it.
func TestMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, r := range All {
		why := r.Missing()
		if r.local != nil {
			if why != "" {
				t.Errorf("%s: %s", r.Name, why)
			}
			continue
		}
		if !strings.Contains(why, "is not on PATH: apt-get install") {
			t.Errorf("%s: %q", r.Name, why)
		}
		_, err := r.Spec(context.Background())
		if missing := new(MissingError); !errors.As(err, &missing) {
			t.Errorf("%s: %v", r.Name, err)
		}
	}
}

// Several processes install a package at the same time: it is there once, whole,
// and does not tell where it came from.
func TestInstall(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("not run: npm is not on PATH: apt-get install npm")
	}
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache) // of a Mac
	ctx := context.Background()
	var missing *MissingError
	if _, err := install(ctx, "shell-escape", "0.2.0"); errors.As(err, &missing) {
		t.Skipf("not run: %v", err)
	}
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			dir, err := install(ctx, "any-shell-escape", "0.1.1")
			if err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(filepath.Join(dir, "node_modules", "any-shell-escape", "package.json")); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if _, err := install(ctx, "shell-escape", "9.9.9"); !errors.As(err, &missing) || !strings.Contains(err.Error(), "no such version: shell-escape@9.9.9") {
		t.Error(err)
	}
	dir, _ := packageDir("x", "1")
	list, err := os.ReadDir(filepath.Dir(dir))
	if err != nil || len(list) != 2 {
		t.Errorf("%v %v", list, err)
	}
	hidden, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "*", "node_modules", ".package-lock.json"))
	if len(hidden) > 0 {
		t.Errorf("%q name a registry", hidden)
	}
	t.Setenv("npm_config_registry", "http://127.0.0.1:1/")
	t.Setenv("npm_config_fetch_retries", "0")
	if _, err := install(ctx, "shell-quote", "1.8.3"); !errors.As(err, &missing) || strings.Contains(err.Error(), "127.0.0.1") {
		t.Error(err)
	}
	// What is there needs no registry.
	if _, err := install(ctx, "any-shell-escape", "0.1.1"); err != nil {
		t.Error(err)
	}
}

func TestNpmErrors(t *testing.T) {
	for said, want := range map[string]string{
		"npm error code E404\nnpm error 404 Not Found\n":                         "npm has no such package: p@1",
		"npm ERR! code ENOTFOUND\nnpm ERR! syscall getaddrinfo\n":                "npm does not reach its registry (ENOTFOUND)",
		"npm error code EACCES\nnpm error to https://example.org/x is refused\n": "npm install p@1: code EACCES; to the registry is refused",
		"": "npm install p@1: status",
	} {
		if err := npmError("p@1", []byte(said), errors.New("status")); !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", said, err)
		}
	}
}

// The adapter that PROTOCOL.md shows is one.
func TestProtocolExample(t *testing.T) {
	spec := bad(t, "none")
	page, err := os.ReadFile("PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	_, page, _ = bytes.Cut(page, []byte("## An adapter\n\n"))
	page, _, _ = bytes.Cut(page, []byte("\n\nThe session"))
	spec.Command = []string{spec.Command[0], "-c", strings.ReplaceAll("\n"+string(page), "\n    ", "\n")}
	a := open(t, spec)
	if word, err := a.Quote(context.Background(), []byte("a b")); string(word) != "'a b'" || err != nil {
		t.Errorf("%q %v", word, err)
	}
}
