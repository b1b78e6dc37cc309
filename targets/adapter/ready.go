package adapter

import (
	"context"
	_ "embed" // the scripts
	"fmt"
	"os/exec"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"al.essio.dev/pkg/shellescape"
)

// The scripts of the ready adapters, each in the language of what it adapts.
var (
	//go:embed ready/node.js
	nodeScript string
	//go:embed ready/python.py
	pythonScript string
	//go:embed ready/ruby.rb
	rubyScript string
	//go:embed ready/perl.pl
	perlScript string
	//go:embed ready/php.php
	phpScript string
)

// A Ready is an adapter that comes with argvdiff.
type Ready struct {
	// Name is what Lookup takes, without a version.
	Name string
	Role Role
	// Doc says in one line, without a final period, what is adapted.
	Doc string
	// Language is what it is written in.
	Language *Language

	args    []string
	pkg     string // of npm
	version string // of pkg
	module  string // that the language must have
	local   func([]byte) ([]byte, error)
	path    string // of any executable
}

// A Language is an interpreter that runs ready adapters.
type Language struct {
	Name string
	// Program is the interpreter, and Get says how it is had.
	Program, Get string
	flag         string // before a script
	script       *string
}

// Languages lists every language of a ready adapter.
var Languages = []*Language{node, python, ruby, perl, php}

var (
	node   = &Language{"Node.js", "node", "apt-get install nodejs npm", "-e", &nodeScript}
	python = &Language{"Python", "python3", "apt-get install python3", "-c", &pythonScript}
	ruby   = &Language{"Ruby", "ruby", "apt-get install ruby", "-e", &rubyScript}
	perl   = &Language{"Perl", "perl", "apt-get install perl", "-e", &perlScript}
	php    = &Language{"PHP", "php", "apt-get install php-cli", "-r", &phpScript}
)

// All lists every ready adapter. Behind the name of a package of npm may stand
// @ and a version; the one given here is used without.
var All = []Ready{
	{Name: "node:shell-quote", Role: Quoter, Language: node, pkg: "shell-quote", version: "1.12.0", args: []string{"quote"},
		Doc: "quote() of npm shell-quote"},
	{Name: "node:shell-quote.parse", Role: Splitter, Language: node, pkg: "shell-quote", version: "1.12.0", args: []string{"parse"},
		Doc: "parse() of npm shell-quote, with no variable set"},
	{Name: "node:shell-escape", Role: Quoter, Language: node, pkg: "shell-escape", version: "0.2.0", args: []string{"quote"},
		Doc: "npm shell-escape, of a list of one"},
	{Name: "node:shescape", Role: Quoter, Language: node, pkg: "shescape", version: "3.0.2", args: []string{"quote"},
		Doc: "quote() of npm shescape, for bash"},
	{Name: "node:any-shell-escape", Role: Quoter, Language: node, pkg: "any-shell-escape", version: "0.1.1", args: []string{"quote"},
		Doc: "npm any-shell-escape, of a list of one"},
	{Name: "python:shlex.quote", Role: Quoter, Language: python, args: []string{"quote"},
		Doc: "quote of Python's shlex"},
	{Name: "python:shlex.join", Role: Quoter, Language: python, args: []string{"join"},
		Doc: "join of Python's shlex, of a list of one"},
	{Name: "python:shlex.split", Role: Splitter, Language: python, args: []string{"split"},
		Doc: "split of Python's shlex"},
	{Name: "ruby:Shellwords.escape", Role: Quoter, Language: ruby, args: []string{"escape"},
		Doc: "escape of Ruby's Shellwords"},
	{Name: "ruby:Shellwords.split", Role: Splitter, Language: ruby, args: []string{"split"},
		Doc: "split of Ruby's Shellwords"},
	{Name: "perl:String::ShellQuote", Role: Quoter, Language: perl, module: "String::ShellQuote",
		Doc: "shell_quote of Perl's String::ShellQuote"},
	{Name: "php:escapeshellarg", Role: Quoter, Language: php,
		Doc: "escapeshellarg of PHP, in a locale of UTF-8"},
	{Name: "go:shellescape", Role: Quoter, local: shellescapeQuote,
		Doc: "Quote of " + shellescapePath + ", in this process"},
}

// anyPrefix stands before the path of an executable that speaks the protocol.
const anyPrefix = "exec:"

var exact = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$`)

// Lookup finds an adapter: one of All, with or without a version where it has
// one, or "exec:PATH", an executable that speaks the protocol.
func Lookup(name string) (Ready, error) {
	if path, ok := strings.CutPrefix(name, anyPrefix); ok && path != "" {
		return Ready{Name: name, Doc: "an executable", path: path}, nil
	}
	base, version, has := strings.Cut(name, "@")
	for _, r := range All {
		switch {
		case r.Name != base:
			continue
		case has && r.pkg == "":
			return Ready{}, fmt.Errorf("adapter %s has the version of what is installed; %q cannot be chosen", base, version)
		case has && !exact.MatchString(version):
			return Ready{}, fmt.Errorf("adapter %s needs a whole version, as %s@%s, not %q", base, base, r.version, version)
		case has:
			r.version = version
		}
		return r, nil
	}
	var names []string
	for _, r := range All {
		names = append(names, r.Name)
	}
	return Ready{}, fmt.Errorf("no adapter %q; there are %s, and %sPATH", name, strings.Join(names, ", "), anyPrefix)
}

// checkTime is how long an interpreter may take to say what it has.
const checkTime = 10 * time.Second

// Missing says what is not on this machine and how to get it, or "".
func (r Ready) Missing() string {
	l := r.Language
	if l == nil {
		if r.path != "" {
			if _, err := exec.LookPath(r.path); err != nil {
				return err.Error()
			}
		}
		return ""
	}
	if _, err := exec.LookPath(l.Program); err != nil {
		return fmt.Sprintf("%s is not on PATH: %s", l.Program, l.Get)
	}
	if r.pkg != "" {
		return missingPackage(r.pkg, r.version)
	}
	if r.module != "" {
		ctx, cancel := context.WithTimeout(context.Background(), checkTime)
		defer cancel()
		if exec.CommandContext(ctx, l.Program, "-M"+r.module, "-e", "1").Run() != nil {
			return fmt.Sprintf("%s has no module %s: apt-get install libstring-shellquote-perl, or cpan %s", l.Program, r.module, r.module)
		}
	}
	return ""
}

// Spec returns what Open takes. A package of npm is installed first where it is
// not there yet. The error is a MissingError where something is to be had.
func (r Ready) Spec(ctx context.Context) (Spec, error) {
	if why := r.Missing(); why != "" {
		return Spec{}, &MissingError{"adapter " + r.Name + ": " + why}
	}
	spec := Spec{Name: r.Name, Role: r.Role, Local: r.local}
	switch {
	case r.local != nil:
		spec.Version = linked(shellescapePath)
	case r.path != "":
		spec.Command = []string{r.path}
	default:
		l := r.Language
		spec.Command = []string{l.Program, l.flag, *l.script}
		if r.pkg != "" {
			dir, err := install(ctx, r.pkg, r.version)
			if err != nil {
				return Spec{}, fmt.Errorf("adapter %s: %w", r.Name, err)
			}
			spec.Name += "@" + r.version
			spec.Command = append(spec.Command, dir, r.pkg)
		}
		spec.Command = append(spec.Command, r.args...)
	}
	return spec, nil
}

const shellescapePath = "al.essio.dev/pkg/shellescape"

func shellescapeQuote(payload []byte) ([]byte, error) {
	return []byte(shellescape.Quote(string(payload))), nil
}

// linked returns the version of a module in this binary.
func linked(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range info.Deps {
		if m.Path == path {
			return m.Version
		}
	}
	return ""
}
