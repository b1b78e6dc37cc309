//go:build amd64 || arm64

package home

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A process of the host.
type process struct {
	pid, parent, uid int
	name, state      string
}

func processes(t testing.TB) map[int]process {
	t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[int]process)
	for _, dir := range dirs {
		b, err := os.ReadFile(dir + "/status")
		if err != nil {
			continue // gone meanwhile
		}
		var p process
		for _, line := range strings.Split(string(b), "\n") {
			key, value, _ := strings.Cut(line, ":")
			fields := append(strings.Fields(value), "")
			switch key {
			case "Name":
				p.name = fields[0]
			case "Pid":
				p.pid, _ = strconv.Atoi(fields[0])
			case "State":
				p.state = fields[0]
			case "PPid":
				p.parent, _ = strconv.Atoi(fields[0])
			case "Uid":
				p.uid, _ = strconv.Atoi(fields[0])
			}
		}
		all[p.pid] = p
	}
	return all
}

// homeIDs are the host's user ids of the homes that the process opens as root.
func homeIDs(pid int) (first, last int) {
	first = 1_900_000_000 + pid%1_000_000*100
	return first, first + 99
}

// strays returns the processes that a process has started, or that run under
// the ids of its homes.
func strays(t testing.TB, of int) []process {
	t.Helper()
	all := processes(t)
	first, last := homeIDs(of)
	var found []process
	for _, p := range all {
		descends := false
		for q := p; q.parent != 0 && !descends; q = all[q.parent] {
			descends = q.parent == of
		}
		if descends || first <= p.uid && p.uid <= last {
			found = append(found, p)
		}
	}
	return found
}

// watchHost fails the test where it leaves a process, a mount or a file on the
// host. It is to be called before homes are opened.
func watchHost(t *testing.T) {
	t.Helper()
	shared, temp := os.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	look := func() (seen []string) {
		mounts, err := os.ReadFile("/proc/self/mountinfo")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range strings.Split(string(mounts), "\n") {
			// A container engine mounts for others meanwhile.
			if !strings.Contains(m, " - overlay ") && !strings.Contains(m, " - nsfs ") && !strings.Contains(m, "/containers/") {
				seen = append(seen, "mount "+m)
			}
		}
		for _, pattern := range []string{temp + "/*", shared + "/argvdiff-home-*", "/dev/shm/*"} {
			files, _ := filepath.Glob(pattern)
			for _, f := range files {
				seen = append(seen, "file "+f)
			}
		}
		host, _ := os.Hostname()
		return append(seen, "host name "+host)
	}
	before := make(map[string]bool)
	for _, s := range look() {
		before[s] = true
	}
	t.Cleanup(func() {
		for _, s := range look() {
			if !before[s] {
				t.Errorf("left on the host: %s", s)
			}
		}
		for _, p := range strays(t, os.Getpid()) {
			t.Errorf("left on the host: process %s", fmt.Sprintf("%+v", p))
		}
	})
}
