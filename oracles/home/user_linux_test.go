//go:build amd64 || arm64

package home

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// userVar is set where these tests run as an ordinary user for the sake of
// TestOrdinaryUser.
const userVar = "ARGVDIFF_HOME_TEST_USER"

// TestOrdinaryUser runs the other tests of homes once more, as a user without
// any privilege and that nobody else is.
func TestOrdinaryUser(t *testing.T) {
	if os.Getenv(userVar) != "" {
		t.Skip("this is that run")
	}
	if os.Getuid() != 0 {
		t.Skip("not needed: the tests run as an ordinary user already")
	}
	watchHost(t)
	id := 1_800_000_000 + os.Getpid()
	dir, err := os.MkdirTemp("", "user")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	// All the folders above are to be passed, and the tests need one to write.
	for d := dir; d != "/" && d != filepath.Dir(d); d = filepath.Dir(d) {
		info, err := os.Stat(d)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode()&0o001 == 0 {
			if err := os.Chmod(d, info.Mode()|0o011); err != nil {
				t.Fatal(err)
			}
		}
	}
	temp := filepath.Join(dir, "tmp")
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(temp, id, id); err != nil {
		t.Fatal(err)
	}
	args := []string{"-test.run=^Test(Run|Hostile|RecordsArrive|Terminals|Inside|Limits|Neighbours|AgentKilled|Cancel|Close|ParentKilled|Unavailable|PrivateBinary|LateOutput|NoPlaceForFile|SessionInterrupted|SessionOwnerKilled)$", "-test.timeout=90s"}
	if testing.Verbose() {
		args = append(args, "-test.v")
	}
	cmd := exec.Command(copySelf(t, dir, 0o755), args...)
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), userVar+"=1", "TMPDIR="+temp, "ARGVDIFF_REQUIRE=") // an engine is not theirs to use
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(id), Gid: uint32(id)}}
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("as user %d: %v\n%s", id, err, said)
	} else {
		t.Logf("as user %d:\n%s", id, said)
	}
	for _, p := range processes(t) {
		if p.uid == id && p.state != "Z" { // the host's init buries orphans
			t.Errorf("left on the host: process %+v", p)
		}
	}
	if left, _ := filepath.Glob(temp + "/*"); len(left) > 0 {
		t.Errorf("left on the host: %q", left)
	}
}
