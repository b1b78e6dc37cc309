package adapter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// bad is the adapter of testdata that misbehaves in that mode. Its processes, its
// goroutines and its descriptors must be gone when the test has ended.
func bad(t *testing.T, mode string) Spec {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("not run: python3 is not on PATH: apt-get install python3")
	}
	pids := filepath.Join(t.TempDir(), "pids")
	goroutines, files := runtime.NumGoroutine(), descriptors()
	t.Cleanup(func() {
		list, _ := os.ReadFile(pids)
		for pid := range strings.FieldsSeq(string(list)) {
			if mode != "forks-away" && !until(func() bool { return gone(pid) }) {
				t.Errorf("the process %s lives", pid)
			}
		}
		if !until(func() bool { return runtime.NumGoroutine() <= goroutines }) {
			t.Errorf("%d goroutines, before %d", runtime.NumGoroutine(), goroutines)
		}
		if !until(func() bool { return descriptors() <= files }) {
			t.Errorf("%d descriptors, before %d", descriptors(), files)
		}
	})
	return Spec{
		Name: mode, Role: Quoter, Command: []string{path, "testdata/bad.py", mode, pids},
		AnswerTime: 700 * time.Millisecond, MaxAnswer: 1 << 16,
	}
}

func until(f func() bool) bool {
	for range 300 {
		if f() {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

func gone(pid string) bool {
	n, _ := strconv.Atoi(pid)
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err == nil && strings.Contains(string(stat), ") Z ") { // its new parent does not reap
		return true
	}
	return errors.Is(syscall.Kill(n, 0), syscall.ESRCH)
}

func descriptors() int {
	list, _ := os.ReadDir("/proc/self/fd")
	return len(list)
}

// faultOf returns the fault that is in an error.
func faultOf(t *testing.T, err error) *Fault {
	t.Helper()
	var f *Fault
	if !errors.As(err, &f) {
		t.Fatalf("no fault: %v", err)
	}
	return f
}

func TestOpenFaults(t *testing.T) {
	for _, tc := range []struct {
		mode   string
		what   What
		detail string
	}{
		{"no-hello", NoHello, "within 700ms"},
		{"exit-early", Exited, "with status 5, before its hello"},
		{"hello-garbage", Garbage, `"Welcome to 1.0`},
		{"hello-endless", Garbage, `"xxxxxxxx`},
		{"wrong-version", WrongVersion, `"2" instead of 1`},
		{"wrong-role", WrongRole, "guard, not quoter"},
		{"no-role", WrongRole, `"cook"`},
	} {
		t.Run(tc.mode, func(t *testing.T) {
			spec := bad(t, tc.mode)
			if tc.what == NoHello {
				spec.StartTime = 700 * time.Millisecond
			}
			_, err := Open(context.Background(), spec)
			f := faultOf(t, err)
			if f.What != tc.what || !strings.Contains(f.Detail, tc.detail) || f.OfInput || f.Adapter != tc.mode {
				t.Errorf("%v, want %s: %s", err, tc.what, tc.detail)
			}
			if tc.what != NoHello && string(f.Stderr) != "this is "+tc.mode+"\n" {
				t.Errorf("standard error: %q", f.Stderr)
			}
		})
	}
	_, err := Open(context.Background(), Spec{Role: Quoter, Command: []string{"./testdata/none"}})
	if f := faultOf(t, err); f.What != DidNotStart {
		t.Error(err)
	}
}

func TestAnswerFaults(t *testing.T) {
	for _, tc := range []struct {
		mode   string
		what   What
		detail string
		stderr string
	}{
		{"sleeps", Sleeps, "within 700ms", ""},
		{"ignores-term", Sleeps, "within 700ms", ""},
		{"exits", Exited, "with status 3, before it answered", "boom\n"},
		{"signal", Exited, "by signal 9", ""},
		{"garbage", Garbage, `"debug: got 3 bytes\n"`, ""},
		{"binary", Garbage, `"\x00\xff"`, ""},
		{"head", Garbage, `"1 tt 4\nword\n"`, ""},
		{"other", OtherRequest, "8 instead of 1", ""},
		{"twice", Twice, "request 1", ""},
		{"chatters", Chatters, `"debug: done\n"`, ""},
		{"huge", TooMuch, "99999999999", ""},
		{"short", LiesLength, "announces 10 bytes and a newline, and writes 4", ""},
		{"long", LiesLength, `after the 2 bytes that it announces: "cdef\n"`, ""},
		{"cut", Exited, "with status 0, after 3 of 10 bytes", ""},
		{"closes", ClosedOutput, "", ""},
		{"forks", Exited, "with status 4", ""},
		{"forks-away", Exited, "with status 4", ""},
		{"form", WrongForm, "l, where a quoter answers t or n", ""},
	} {
		t.Run(tc.mode, func(t *testing.T) {
			a, err := Open(context.Background(), bad(t, tc.mode))
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			_, err = a.Quote(context.Background(), []byte("abc"))
			f := faultOf(t, err)
			if f.What != tc.what || !strings.Contains(f.Detail, tc.detail) || !f.OfInput {
				t.Errorf("%v, want %s: %s", err, tc.what, tc.detail)
			}
			if want := "this is " + tc.mode + "\n" + tc.stderr; string(f.Stderr) != want {
				t.Errorf("standard error: %q, want %q", f.Stderr, want)
			}
		})
	}
}

// What is said between requests is about no input; it is found at the next
// request, which is answered, or at the end.
func TestLateFaults(t *testing.T) {
	for mode, what := range map[string]What{"twice-late": Twice, "chatters-late": Chatters, "floods": Chatters} {
		t.Run(mode, func(t *testing.T) {
			a, err := Open(context.Background(), bad(t, mode))
			if err != nil {
				t.Fatal(err)
			}
			word, err := a.Quote(context.Background(), []byte("abc"))
			var f *Fault
			if errors.As(err, &f) { // it was quick
				f.OfInput = false
			} else if string(word) != "abc" {
				t.Fatalf("%q %v", word, err)
			}
			if f == nil {
				errors.As(a.Close(), &f)
			}
			if f == nil || f.What != what || f.OfInput {
				t.Errorf("%v, want %s", f, what)
			}
			a.Close()
		})
	}
}

// An adapter that fails at one input of a batch answers the others, and the fault
// is about that input.
func TestBatchFaults(t *testing.T) {
	for mode, what := range map[string]What{"exits-at": Exited, "sleeps-at": Sleeps, "twice-at": Twice} {
		t.Run(mode, func(t *testing.T) {
			a, err := Open(context.Background(), bad(t, mode))
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			inputs := make([][]byte, 700)
			for i := range inputs {
				inputs[i] = fmt.Appendf(nil, "%d", i)
			}
			inputs[300], inputs[301] = []byte("bad"), []byte("no")
			for i, answer := range a.QuoteAll(context.Background(), inputs) {
				var refusal *Refusal
				switch {
				case i == 300:
					if f := faultOf(t, answer.Err); f.What != what || !f.OfInput {
						t.Errorf("%d: %v", i, answer.Err)
					}
				case i == 301:
					if !errors.As(answer.Err, &refusal) || refusal.Reason != "not this one" {
						t.Errorf("%d: %q %v", i, answer.Word, answer.Err)
					}
				case answer.Err != nil || string(answer.Word) != string(inputs[i]):
					t.Errorf("%d: %q %v", i, answer.Word, answer.Err)
				}
			}
		})
	}
}

// A fault that does not repeat is told, and about no input.
func TestFaultOfNoInput(t *testing.T) {
	for _, mode := range []string{"exits-third", "one-each"} {
		t.Run(mode, func(t *testing.T) {
			a, err := Open(context.Background(), bad(t, mode))
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			inputs := [][]byte{[]byte("a"), []byte("b"), []byte("c"), []byte("d"), []byte("e")}
			for i, answer := range a.QuoteAll(context.Background(), inputs) {
				if answer.Err != nil || string(answer.Word) != string(inputs[i]) {
					t.Errorf("%d: %q %v", i, answer.Word, answer.Err)
				}
			}
			if len(a.Faults()) == 0 {
				t.Error("no fault is told")
			}
			for _, f := range a.Faults() {
				if f.What != Exited || f.OfInput {
					t.Error(f)
				}
			}
		})
	}
}

func TestRestarts(t *testing.T) {
	spec := bad(t, "exits")
	spec.Restarts = 2
	a, err := Open(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for i, want := range []What{Exited, Exited, Exited, GivenUp, GivenUp} {
		_, err := a.Quote(context.Background(), []byte("x"))
		f := faultOf(t, err)
		if f.What != want || f.OfInput != (want == Exited) {
			t.Errorf("%d: %v", i, err)
		}
		if want == GivenUp && (f.Cause == nil || f.Cause.What != Exited) {
			t.Errorf("%d: the cause is missing: %v", i, err)
		}
	}
}

// A batch to an adapter that reads nothing, larger than a pipe holds.
func TestDeaf(t *testing.T) {
	a, err := Open(context.Background(), bad(t, "deaf"))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	_, err = a.Quote(context.Background(), make([]byte, 1<<20))
	if f := faultOf(t, err); f.What != Sleeps {
		t.Error(err)
	}
}

// The end of a context is no fault, and the adapter can be asked again.
func TestContext(t *testing.T) {
	a, err := Open(context.Background(), bad(t, "sleeps-at"))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	answers := a.QuoteAll(ctx, [][]byte{[]byte("bad"), []byte("x")})
	for _, answer := range answers {
		if !errors.Is(answer.Err, context.DeadlineExceeded) {
			t.Errorf("%q %v", answer.Word, answer.Err)
		}
	}
	if word, err := a.Quote(context.Background(), []byte("x")); string(word) != "x" || err != nil || len(a.Faults()) > 0 {
		t.Errorf("%q %v %v", word, err, a.Faults())
	}
}

// One that does not end with its input is killed.
func TestStays(t *testing.T) {
	a, err := Open(context.Background(), bad(t, "stays"))
	if err != nil {
		t.Fatal(err)
	}
	if word, err := a.Quote(context.Background(), []byte("x")); string(word) != "x" || err != nil {
		t.Errorf("%q %v", word, err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if _, err := a.Quote(context.Background(), []byte("x")); err == nil {
		t.Error("a closed adapter answers")
	}
}
