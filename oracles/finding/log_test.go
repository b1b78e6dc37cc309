package finding

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/argvdiff/argvdiff/oracles/wire"
	"github.com/argvdiff/argvdiff/targets/path"
)

// numbered returns a finding that can be told from others, with bytes of all
// kinds and of a size that varies.
func numbered(n int) Finding {
	return Finding{
		ID: fmt.Sprintf("%012x", n), Kind: Command, Path: "argv", Fate: "ran", Count: uint64(n),
		Input:    [][]byte{[]byte(strings.Repeat(everyByte(), n%4))},
		Expected: ran(record("probe", "a!b")),
	}
}

// writerMain appends findings, and announces each, until it is killed or fails.
func writerMain(dir string) int {
	if limit, err := strconv.ParseUint(os.Getenv("FINDING_TEST_LIMIT"), 10, 64); err == nil {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			fmt.Println("setrlimit:", err)
			return 3
		}
	}
	first, _ := strconv.Atoi(os.Getenv("FINDING_TEST_FIRST"))
	l, err := Open(dir)
	if err != nil {
		fmt.Println("open:", err)
		return 3
	}
	for n := first; ; n++ {
		if err := l.Append(numbered(n)); err != nil {
			fmt.Println("append:", err)
			return 4
		}
		fmt.Println(n)
	}
}

func writer(dir string, first int, env ...string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), append(env, "FINDING_TEST_WRITER="+dir, fmt.Sprintf("FINDING_TEST_FIRST=%d", first))...)
	return c, nil
}

// checkAnnounced checks that the folder holds the findings from 0 on, whole and
// at least the announced ones.
func checkAnnounced(t *testing.T, dir string, announced int) (held int) {
	t.Helper()
	list, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < announced {
		t.Fatalf("%d findings were announced and %d are there", announced, len(list))
	}
	for n, f := range list {
		want, _ := json.Marshal(numbered(n))
		if got, _ := json.Marshal(f); string(got) != string(want) {
			t.Fatalf("finding %d is damaged: %s", n, got)
		}
	}
	return len(list)
}

func TestLogKeepsWhatWasAnnouncedWhenKilled(t *testing.T) {
	dir := t.TempDir()
	announced, torn := 0, 0
	for range 8 {
		c, err := writer(dir, announced)
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(10+rand.IntN(40))*time.Millisecond, func() { c.Process.Kill() })
		for lines := bufio.NewScanner(out); lines.Scan(); announced++ {
			if n, err := strconv.Atoi(lines.Text()); err != nil || n != announced {
				t.Fatalf("the writer says %q", lines.Text())
			}
		}
		c.Wait()
		timer.Stop()
		announced = checkAnnounced(t, dir, announced)
		// A process dies between two writes more often than within one: tear
		// the last line now and then.
		if rand.IntN(2) == 0 {
			f, err := os.OpenFile(filepath.Join(dir, LogName), os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				t.Fatal(err)
			}
			f.WriteString(`{"id":"torn`[:1+rand.IntN(10)])
			f.Close()
			torn++
		}
	}
	if announced == 0 {
		t.Error("no writer lived long enough to write")
	}
	t.Logf("%d findings, %d torn lines", announced, torn)
}

func TestLogOnFullDisk(t *testing.T) {
	dir := t.TempDir()
	const limit = 20_000
	c, err := writer(dir, 0, fmt.Sprintf("FINDING_TEST_LIMIT=%d", limit))
	if err != nil {
		t.Fatal(err)
	}
	out, _ := c.CombinedOutput()
	if c.ProcessState.ExitCode() != 4 {
		t.Fatalf("the writer exits %d: %s", c.ProcessState.ExitCode(), out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	last := lines[len(lines)-1]
	if !strings.Contains(last, filepath.Join(dir, LogName)) || !strings.Contains(last, "file too large") {
		t.Errorf("the error names not both path and cause: %s", last)
	}
	if held := checkAnnounced(t, dir, len(lines)-1); held != len(lines)-1 {
		t.Errorf("%d findings were announced and %d are there", len(lines)-1, held)
	}
	data, err := os.ReadFile(filepath.Join(dir, LogName))
	if err != nil || len(data) >= limit || data[len(data)-1] != '\n' {
		t.Errorf("the failed write left something behind: %d bytes, %v", len(data), err)
	}
	// With room again, it goes on.
	l, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := l.Append(numbered(len(lines) - 1)); err != nil {
		t.Fatal(err)
	}
	checkAnnounced(t, dir, len(lines))
}

func TestLogOnFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("not run: no /dev/full here")
	}
	dir := t.TempDir()
	if err := os.Symlink("/dev/full", filepath.Join(dir, LogName)); err != nil {
		t.Fatal(err)
	}
	l, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	err = l.Append(numbered(1))
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), filepath.Join(dir, LogName)) {
		t.Errorf("the error is %v", err)
	}
}

func TestLogMerges(t *testing.T) {
	dir := t.TempDir()
	known := "bang"
	a, b := numbered(1), numbered(2)
	a.Known = &known
	a.Layers = []path.Layer{{Name: "command", Text: []byte("a\xff")}}
	l, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		l.Append(a), l.Append(b),
		l.Update(a.ID, 7, Shells{Differ: []string{"bash-3.2.57"}}),
		l.Update(a.ID, 9, Shells{Differ: []string{"bash-3.2.57", "bash-5.3"}, Same: []string{"bash-5.2.37"}}),
		l.Close(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	list, err := Load(dir)
	if err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	a.Count, a.Differ, a.Same = 9, []string{"bash-3.2.57", "bash-5.3"}, []string{"bash-5.2.37"}
	for i, want := range []Finding{a, b} {
		w, _ := json.Marshal(want)
		if g, _ := json.Marshal(list[i]); string(g) != string(w) {
			t.Errorf("finding %d is %s, want %s", i, g, w)
		}
	}
}

func TestLogRefusesASecondWriter(t *testing.T) {
	dir := t.TempDir()
	l, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if second, err := Open(dir); err == nil {
		second.Close()
		t.Error("a second writer was let in")
	} else if !strings.Contains(err.Error(), "in use") {
		t.Error(err)
	}
}

func TestLoadNamesTheBadLine(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no JSON":         {"{}x\n", ":1: "},
		"unknown finding": {`{"id":"a","kind":"command"}` + "\n" + `{"id":"b","count":1}` + "\n", `:2: an update of "b"`},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, LogName), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if list, err := Load(t.TempDir()); err != nil || len(list) != 0 {
		t.Errorf("of an empty folder: %v, %v", list, err)
	}
}

func TestWholeLines(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
	}{
		{"", 0}, {"a", 0}, {"\n", 1}, {"a\nb", 2}, {"a\nb\n", 4},
		{"a\n" + strings.Repeat("x", 200<<10), 2},
		{strings.Repeat("x", 64<<10-1) + "\n" + strings.Repeat("y", 64<<10), 64 << 10},
	} {
		got, err := wholeLines(strings.NewReader(c.text), int64(len(c.text)))
		if err != nil && err != io.EOF || got != c.want {
			t.Errorf("%d bytes: %d, %v; want %d", len(c.text), got, err, c.want)
		}
	}
}

func TestFindingJSON(t *testing.T) {
	got, err := json.Marshal(Finding{ID: "a", Kind: Payload, Input: byteStrings("!"), Expected: wire.Observation{Records: []wire.Record{{}}}, Repro: ReproFile("a")})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"id":"a","class":"","kind":"payload","path":"","paths":[],"input":["IQ=="],` +
		`"expected":{"records":[{"argv":[],"stdin":null,"stdin_cut":false}],"stdout":"","status":0},` +
		`"observed":{"records":[],"stdout":"","status":0},"fate":"","shells_differ":[],"shells_same":[],` +
		`"known":null,"seed":0,"case":0,"count":0,"layers":[],"repro":"repro/a.sh","reproduced":null}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
