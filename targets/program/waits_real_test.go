//go:build linux

package program

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// here are calls that the programs of this machine are asked about, in a folder that
// has their files and is a repository with a change.
var here = []string{
	"vim f | vim --version | vim -es | vim +q | vim -c wq g | > vim f | < vim f | vim -h | vim -Es -c q | view f",
	"less f | less --help | less --version | less | less +G | > less f | < less f | more f | more --help | more",
	"man ls | man -k x | > man ls | man -w ls | man | < man ls | man -P cat ls",
	"top | top -b -n1 | top -b | < top | top -h | top -n 1 | watch ls | watch --version | watch | > watch ls",
	"python3 | python3 s.py | python3 -i s.py | python3 -c 1 | < python3 | python3 - | python3 -V | python3 -c 1 -i | python3 -ic 1 | python3 -W d",
	"node | node -e 1 | node -i -e 1 | < node | node -r fs | node -p 1 | perl | perl -e 1 | < perl",
	"psql -V | psql --hel | psql -W -c x | sqlite3 db | sqlite3 db .tables | sqlite3 -batch | < sqlite3 db | sqlite3 -version | sqlite3 -separator , db .tables",
	"ssh | ssh -V | ssh -G h | ssh -Q cipher | sftp | gdb | gdb -batch | gdb --args true | < gdb | gdb --hel | gdb -ex quit | gdb --version",
	"git -C clean rebase -i --root | git add -p | < git add -p | git add --patch | git checkout -p | git commit --allow-empty | git commit -m x --dry-run | git commit --allow-empty -c HEAD | git help log | > git help log | git add -i | git tag -a x | git log | git config -e | git commit -h | git -c core.editor=true notes add | git commit --short",
	"tail f | tail -f f | tail -5f f | tail -n5f f | tail -f --version | tail --fol f | tail --retry f | tail -fn5 f | tail f -f | > tail -F f",
	"bash | bash -c : | bash s.sh | bash -i -c : | < bash | < bash -i | bash -s | bash --version | bash -lc : | bash -o posix s.sh | bash +O extglob s.sh | bash -x | dash | sh -c : | dash -s | dash s.sh",
	"su --help | passwd -S | ssh-keygen | bc | bc -v | < bc | ed f | < ed f | journalctl --version",
}

// What is said of calls is what the programs do that are here.
func TestReal(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"f": "a\n", "s.py": "pass\n", "s.sh": ":\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"TERM=xterm", "HOME=" + folder, "EDITOR=vi", "LC_ALL=C"}
	for _, e := range os.Environ() {
		if strings.HasPrefix(e, "PATH=") || strings.HasPrefix(e, "PYENV") {
			env = append(env, e)
		}
	}
	setup := exec.Command("sh", "-c", "git config --global user.email a@b && git config --global user.name a && git init -q . && git add . && git commit -qm x && git clone -q . clean; echo b >>f")
	setup.Dir, setup.Env = folder, env
	if out, err := setup.CombinedOutput(); err != nil {
		t.Skipf("no repository: %v %s", err, out)
	}

	var wait sync.WaitGroup
	slots := make(chan bool, 8)
	for _, list := range here {
		for row := range strings.SplitSeq(list, " | ") {
			argv, on := terminals(row)
			if _, err := exec.LookPath(argv[0]); err != nil {
				t.Logf("not run: %s: there is no %s", row, argv[0])
				continue
			}
			wait.Go(func() {
				slots <- true
				defer func() { <-slots }()
				want := Waits(argv, on) != ""
				limit := 4 * time.Second
				if want {
					limit = 600 * time.Millisecond
				}
				ended, err := ends(argv, on, folder, env, limit)
				if err != nil {
					t.Errorf("%s: %v", row, err)
				} else if ended == want {
					t.Errorf("%s: ends by itself: %v", row, ended)
				}
			})
		}
	}
	wait.Wait()
}

// ends starts a program in a terminal and reports whether it ends within a time.
func ends(argv []string, on Terminals, folder string, env []string, limit time.Duration) (bool, error) {
	master, slave, err := pty.Open()
	if err != nil {
		return false, err
	}
	defer master.Close()
	_ = pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: 80})
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	defer null.Close()
	c := exec.Command(argv[0], argv[1:]...)
	c.Dir, c.Env = folder, env
	c.Stdin, c.Stdout, c.Stderr = slave, slave, slave
	if !on.In {
		c.Stdin = null
	}
	if !on.Out {
		c.Stdout = null
	}
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 2}
	err = c.Start()
	slave.Close()
	if err != nil {
		return false, err
	}
	go func() { _, _ = io.Copy(io.Discard, master) }()
	done := make(chan struct{})
	go func() {
		_ = c.Wait()
		close(done)
	}()
	select {
	case <-done:
		return true, nil
	case <-time.After(limit):
	}
	_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
	master.Close()
	<-done
	return false, nil
}
