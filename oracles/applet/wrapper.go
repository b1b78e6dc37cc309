package applet

import (
	"os"
	ossignal "os/signal"
	"path"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/argvdiff/argvdiff/targets/program"
)

// defaultPath is where programs are looked for without a PATH: in a container first
// where those of homes that act lie.
const defaultPath = "/argvdiff/acts:/bin:/usr/bin"

// partVariable is the variable by which a child tells of which part of a script it is. It
// outlives env -i, as the home it is in.
const partVariable = "ARGDIFF="

// wrap is a program that executes another one: it does so, and nothing else of its
// work. A command for find and xargs is executed as often as they would.
func (t *tool) wrap(args []string) (status int) {
	p := program.Of(append([]string{t.name}, args...), os.LookupEnv)
	if p.Inner == nil {
		if p.Status != 0 {
			t.warn("this is no command line of it")
		}
		return p.Status
	}
	env := environment(os.Environ(), p)
	if p.Dir != "" {
		if err := os.Chdir(p.Dir); err != nil {
			t.warn("cannot change directory to " + p.Dir)
			return 125
		}
	}
	switch path.Base(t.name) {
	case "find":
		return t.find(p.Find, env)
	case "xargs":
		return t.xargs(p.Words, p.Inner, env)
	case "nohup":
		if status := t.detach(); status != 0 {
			return status
		}
	case "setsid":
		_, _ = unix.Setsid() // one that leads a group has to stay
	}
	file, err := locate(p.Inner[0], env)
	if err == nil {
		err = syscall.Exec(file, p.Inner, env)
	}
	t.warn("'" + p.Inner[0] + "': " + problem(err))
	return notRun(err, p.Missing)
}

// notRun is the status for a program that cannot be executed.
func notRun(err error, missing int) int {
	if err != unix.ENOENT && missing == 127 {
		return 126
	}
	return missing
}

// environment is what the program that is executed gets.
func environment(env []string, p program.Plan) []string {
	without := func(name string) {
		env = slices.DeleteFunc(env, func(v string) bool { return strings.HasPrefix(v, name+"=") })
	}
	if p.Clear {
		env = slices.DeleteFunc(env, func(v string) bool { return !strings.HasPrefix(v, partVariable) })
	}
	for _, name := range p.Unset {
		without(name)
	}
	for _, v := range p.Set {
		name, _, _ := strings.Cut(v, "=")
		without(name)
		env = append(env, v)
	}
	return env
}

// locate returns the file of a program, as execvp finds it.
func locate(name string, env []string) (file string, err error) {
	if strings.Contains(name, "/") {
		return name, nil
	}
	folders := defaultPath
	for _, v := range env {
		if value, ok := strings.CutPrefix(v, "PATH="); ok {
			folders = value
			break
		}
	}
	err = unix.ENOENT
	for folder := range strings.SplitSeq(folders, ":") {
		if name == "" {
			break
		}
		file := path.Join(folder, name)
		if folder == "" {
			file = "./" + name
		}
		info, statErr := os.Stat(file)
		if statErr != nil || info.IsDir() {
			continue
		}
		if unix.Access(file, unix.X_OK) == nil {
			return file, nil
		}
		err = unix.EACCES
	}
	return "", err
}

// call runs a program to its end. A status of a wrapper is negative where the program
// could not be run, and above 256 where a signal has ended it.
func (t *tool) call(argv, env []string, in int) (status int) {
	file, err := locate(argv[0], env)
	pid := 0
	if err == nil {
		pid, err = syscall.ForkExec(file, argv, &syscall.ProcAttr{Env: env, Files: []uintptr{uintptr(in), uintptr(t.out), uintptr(t.err)}})
	}
	if err != nil {
		t.warn(argv[0] + ": " + problem(err))
		return -notRun(err, 127)
	}
	var ws unix.WaitStatus
	if _, err := again(func() (int, error) { return unix.Wait4(pid, &ws, 0, nil) }); err != nil {
		return 256
	}
	if ws.Signaled() {
		return 256 + int(ws.Signal())
	}
	return ws.ExitStatus()
}

// detach is what nohup does: most of it only where it is run in a terminal.
func (t *tool) detach() (status int) {
	terminal := func(fd int) bool {
		_, err := unix.IoctlGetWinsize(fd, unix.TIOCGWINSZ)
		return err == nil
	}
	put := func(file string, flags, to int) bool {
		fd, err := unix.Open(file, flags, 0o600)
		if err != nil {
			return false
		}
		defer unix.Close(fd)
		return unix.Dup2(fd, to) == nil
	}
	// Of a terminal that nobody has open any more the kernel tells by this signal.
	ossignal.Ignore(unix.SIGHUP)
	said := ""
	if terminal(t.in) {
		if !put("/dev/null", unix.O_WRONLY, t.in) {
			return 125
		}
		said = "ignoring input"
	}
	toErr := terminal(t.err)
	if terminal(t.out) {
		const flags = unix.O_WRONLY | unix.O_CREAT | unix.O_APPEND
		if !put("nohup.out", flags, t.out) && !put(os.Getenv("HOME")+"/nohup.out", flags, t.out) {
			t.warn("failed to open 'nohup.out'")
			return 125
		}
		if said != "" {
			said += " and "
		}
		said += "appending output to 'nohup.out'"
	}
	if said != "" {
		t.warn(said)
	}
	if toErr && unix.Dup2(t.out, t.err) != nil {
		return 125
	}
	return 0
}

// find runs each of its commands once, as if its tests were true of the first place
// where it looks, and of nothing else.
func (t *tool) find(f *program.Find, env []string) (status int) {
	for _, r := range f.Runs {
		at := f.Start
		if r.Dir {
			at = "./" + path.Base(f.Start)
		}
		argv := slices.Clone(r.Argv)
		for i := range argv {
			argv[i] = strings.ReplaceAll(argv[i], "{}", at)
		}
		if t.call(argv, env, t.in) != 0 && r.Many {
			status = 1
		}
	}
	return status
}
