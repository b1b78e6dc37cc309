package program

import (
	"strconv"
	"strings"
)

// Words is how xargs makes calls out of what it reads.
type Words struct {
	// File is what it reads in place of standard input, or "".
	File string
	// Terminal gives its commands the terminal for standard input.
	Terminal bool
	// Plain says that words end at each Delimiter, and nothing quotes.
	Plain     bool
	Delimiter byte
	// Args and Lines bound a call, where they are not 0.
	Args, Lines int
	// Replace is what each line takes the place of, or "".
	Replace string
	// End is a word that ends the input, or "".
	End string
	// Never says that nothing is run where nothing is read.
	Never bool
}

// xargs runs echo where no command is named.
func xargs(args []string) Plan {
	g := grammar{
		"0a:E:e::i::I:l::L:n:prs:txP:d:o",
		"null=0 arg-file=a: delimiter=d: eof=e:: replace=i:: max-lines=l:: max-args=n: open-tty=o interactive=p no-run-if-empty=r " +
			"max-chars=s: verbose=t show-limits=t exit=x max-procs=P: process-slot-var=v:" + told,
	}
	w := &Words{}
	s := scanner{grammar: g, args: args}
	for {
		o, f := s.next()
		if f == bad {
			return Plan{Status: 1}
		}
		if f == none {
			break
		}
		n, least := int64(0), int64(1)
		switch o.code {
		case help:
			return Plan{}
		case '0':
			w.Plain, w.Delimiter = true, 0
		case 'd':
			var ok bool
			if w.Delimiter, ok = delimiter(o.value); !ok {
				return Plan{Status: 1}
			}
			w.Plain = true
		case 'a':
			w.File = o.value
		case 'E', 'e':
			w.End = o.value
		case 'I', 'i':
			w.Replace, w.Args, w.Lines = o.value, 0, 0
			if !o.has {
				w.Replace = "{}"
			}
		case 'o':
			w.Terminal = true
		case 'r':
			w.Never = true
		case 'P':
			least = 0
			fallthrough
		case 'l', 'L', 'n', 's':
			if o.code == 'l' && !o.has {
				o.value = "1"
			}
			var ok bool
			if n, ok = number(o.value, least); !ok {
				return Plan{Status: 1}
			}
		}
		n = min(n, 1<<30)
		switch o.code {
		case 'l', 'L':
			w.Lines, w.Args, w.Replace = int(n), 0, ""
		case 'n':
			if w.Lines = 0; n > 1 || w.Replace == "" {
				w.Args, w.Replace = int(n), ""
			}
		}
	}
	p := Plan{Inner: s.args, Missing: 127, Words: w}
	if len(s.args) == 0 {
		p.Inner = []string{"echo"}
	}
	return p
}

// delimiter reads a byte as xargs -d does.
func delimiter(s string) (c byte, ok bool) {
	if len(s) == 1 {
		return s[0], true
	}
	if len(s) < 2 || s[0] != '\\' {
		return 0, false
	}
	if i := strings.IndexByte(`abfnrtv\`, s[1]); i >= 0 {
		return "\a\b\f\n\r\t\v\\"[i], len(s) == 2
	}
	base, digits := 8, s[1:]
	if s[1] == 'x' {
		base, digits = 16, s[2:]
	}
	n, err := strconv.ParseUint(digits, base, 8)
	return byte(n), err == nil
}

// Find is what find does with its arguments.
type Find struct {
	Start string // the first place where it looks
	Runs  []Run
}

// A Run is a command that find executes for what it has found.
type Run struct {
	Argv []string
	Many bool // with + at its end
	Dir  bool // in the folder of what was found
}

// What find's primaries take: one argument, two, or none.
const (
	findOne = " -amin -anewer -atime -cmin -cnewer -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links " +
		"-lname -mmin -mtime -name -newer -path -perm -regex -samefile -size -type -uid -used -user -wholename -xtype -context " +
		"-maxdepth -mindepth -regextype -files0-from -printf -fprint -fprint0 -fls "
	findTwo  = " -fprintf "
	findNone = " -depth -d -daystart -follow -ignore_readdir_race -noignore_readdir_race -mount -nowarn -warn -noleaf -xdev -empty -executable " +
		"-false -true -nogroup -nouser -readable -writable -delete -print -print0 -ls -prune -quit -a -and -o -or -not ! ( ) , "
)

// find executes nothing where anything in its expression is wrong.
func find(args []string) Plan {
	f := &Find{Start: "."}
options:
	for ; len(args) > 0; args = args[1:] {
		switch arg := args[0]; {
		case arg == "--":
			args = args[1:]
			break options
		case arg == "-H" || arg == "-L" || arg == "-P" || strings.HasPrefix(arg, "-O") && count(arg[2:], 0):
		case arg == "-D" && len(args) > 1:
			args = args[1:]
		default:
			break options
		}
	}
	for first := true; len(args) > 0 && !expression(args[0]); args, first = args[1:], false {
		if first {
			f.Start = args[0]
		}
	}
	misuse := Plan{Status: 1}
	for len(args) > 0 {
		word := " " + args[0] + " "
		takes := 1
		switch {
		case args[0] == "-help" || args[0] == "--help" || args[0] == "-version" || args[0] == "--version":
			return Plan{}
		case args[0] == "-exec" || args[0] == "-execdir" || args[0] == "-ok" || args[0] == "-okdir":
			r, left, ok := command(args[1:], args[0][1] == 'e')
			if !ok {
				return misuse
			}
			r.Dir = strings.HasSuffix(args[0], "dir")
			f.Runs = append(f.Runs, r)
			args = left
			continue
		case args[0] == "" || strings.Contains(args[0], " "):
			return misuse
		case strings.Contains(findNone, word):
			takes = 0
		case strings.Contains(findTwo, word):
			takes = 2
		case !strings.Contains(findOne, word) && !(strings.HasPrefix(args[0], "-newer") && len(args[0]) == 8):
			return misuse
		}
		if len(args) <= takes {
			return misuse
		}
		args = args[1+takes:]
	}
	if len(f.Runs) == 0 {
		return Plan{}
	}
	return Plan{Inner: f.Runs[0].Argv, Find: f}
}

// expression reports whether an argument of find begins its expression.
func expression(arg string) bool {
	return len(arg) > 1 && arg[0] == '-' || arg == "!" || arg == "(" || arg == ")" || arg == ","
}

// command reads the command of an -exec, and + as its end where that may be one.
func command(args []string, many bool) (r Run, left []string, ok bool) {
	for i, arg := range args {
		switch {
		case arg == ";":
			return Run{Argv: args[:i:i]}, args[i+1:], i > 0
		case many && arg == "+" && i > 0 && args[i-1] == "{}":
			return Run{Argv: args[:i:i], Many: true}, args[i+1:], i > 1
		}
	}
	return Run{}, nil, false
}
