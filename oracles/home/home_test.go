//go:build linux && (amd64 || arm64)

package home

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/argvdiff/argvdiff/oracles/agent"
	"github.com/argvdiff/argvdiff/oracles/wire"
)

// roles are what this test binary does instead of its tests where roleVar says
// so: tests start it again to have a process that they can harm.
var roles = map[string]func() error{}

const roleVar = "ARGVDIFF_HOME_TEST_ROLE"

func TestMain(m *testing.M) {
	agent.Main()
	if role := os.Getenv(roleVar); role != "" {
		if err := roles[role](); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func request(text string) wire.Request {
	return wire.Request{Argv: [][]byte{[]byte("bash"), []byte("-c"), []byte(text)}}
}

// hostShell returns the bash of this machine.
func hostShell(t testing.TB) Shell {
	t.Helper()
	path, err := exec.LookPath("bash")
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		t.Skipf("not run: %v; install bash", err)
	}
	return Shell{Path: path}
}

// open opens a home that the test's end closes.
func open(t testing.TB, k Kind) Home {
	t.Helper()
	shell := hostShell(t)
	if k.Name == containers {
		shell = imaged(t)
	}
	h, err := k.Open(context.Background(), shell)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

func run(t testing.TB, h Home, requests ...wire.Request) []wire.Result {
	t.Helper()
	results, err := h.Run(context.Background(), requests...)
	if err != nil {
		t.Fatalf("Run: %v", err)
	}
	if len(results) != len(requests) {
		t.Fatalf("%d results of %d requests", len(results), len(requests))
	}
	return results
}

// call is the record of a probe whose standard input is empty.
func call(argv ...string) wire.Record { return fed("", argv...) }

// fed is the record of a probe with standard input.
func fed(stdin string, argv ...string) wire.Record {
	r := wire.Record{Argv: [][]byte{}, Stdin: []byte(stdin)}
	for _, a := range argv {
		r.Argv = append(r.Argv, []byte(a))
	}
	return r
}

// blind is the record of a probe without readable standard input.
func blind(argv ...string) wire.Record {
	r := call(argv...)
	r.Stdin = nil
	return r
}

// typed is the record of a probe in a terminal.
func typed(argv ...string) wire.Record {
	r := blind(argv...)
	r.InTTY, r.OutTTY, r.ErrTTY = true, true, true
	return r
}

func records(r ...wire.Record) []wire.Record { return append([]wire.Record{}, r...) }

// short keeps a failed comparison readable.
func short(v any) string {
	s := fmt.Sprintf("%+q", v)
	if len(s) > 1000 {
		s = s[:500] + "..." + s[len(s)-500:]
	}
	return s
}

func TestRun(t *testing.T) {
	for _, k := range Kinds {
		t.Run(k.Name, func(t *testing.T) { testRun(t, k) })
	}
}

// testRun runs only what does no harm to a bare host.
func testRun(t *testing.T, k Kind) {
	watchHost(t)
	h := open(t, k)
	every := make([]byte, 255)
	for i := range every {
		every[i] = byte(i + 1)
	}
	long := strings.Repeat("x", 128<<10-1)
	direct := func(argv ...string) wire.Request {
		r := wire.Request{}
		for _, a := range argv {
			r.Argv = append(r.Argv, []byte(a))
		}
		return r
	}
	stdin := func(r wire.Request, text string) wire.Request {
		r.Stdin = []byte(text)
		return r
	}
	pty := func(r wire.Request) wire.Request {
		r.PTY = true
		return r
	}
	cut := fed(strings.Repeat("i", 64<<10), "probe")
	cut.StdinCut = true

	for _, c := range []struct {
		name    string
		req     wire.Request
		records []wire.Record
		stdout  string
		status  int
	}{
		{"nothing", request(""), nil, "", 0},
		{"argv", request(`probe a 'b c' "d
e"`), records(call("probe", "a", "b c", "d\ne")), "", 0},
		{"empty arguments", request(`probe '' "" a ''`), records(call("probe", "", "", "a", "")), "", 0},
		{"no arguments", request("probe"), records(call("probe")), "", 0},
		{"empty argv[0]", request(`(exec -a '' probe x)`), records(call("", "x")), "", 0},
		{"another name", request("git log"), records(call("git", "log")), "", 0},
		{"full path", request(`exec "${PATH}/probe" x`), records(call(h.Layout().Bin+"/probe", "x")), "", 0},
		{"positional parameters", direct("bash", "-c", `probe "$0" "$@"`, "zero", "", "two\n", "*"), records(call("probe", "zero", "", "two\n", "*")), "", 0},
		{"every byte", direct("bash", "-c", `probe "$1"`, "-", string(every)), records(call("probe", string(every))), "", 0},
		{"every byte printed", direct("bash", "-c", `printf %s "$1"`, "-", string(every)), nil, string(every), 0},
		{"longest argument", request(`printf -v x '%0131071d' 0; probe "$x"`), records(call("probe", strings.Repeat("0", 128<<10-1))), "", 0},
		{"argument too long", request(`printf -v x '%*s' 131072 ''; probe "$x"`), nil, "", 126},
		{"longest text", direct("bash", "-c", `probe "$1"`, "-", long), records(call("probe", long)), "", 0},
		{"stdin unset", request("probe a; read x; probe $?"), records(call("probe", "a"), call("probe", "1")), "", 0},
		{"stdin", stdin(request(`read a; probe "$a"`), "first\nsecond\n\xff"), records(fed("second\n\xff", "probe", "first")), "", 0},
		{"empty stdin", stdin(request("probe"), ""), records(call("probe")), "", 0},
		{"stdin at the bound", stdin(request("probe"), strings.Repeat("i", 64<<10)), records(fed(strings.Repeat("i", 64<<10), "probe")), "", 0},
		{"stdin beyond the bound", stdin(request("probe"), strings.Repeat("i", 64<<10+1)), records(cut), "", 0},
		{"stdin that nobody reads", stdin(request("probe <&-"), strings.Repeat("i", 1<<20)), records(blind("probe")), "", 0},
		{"script on stdin", stdin(direct("bash"), "probe a <&-\nprobe b\nrest"), records(blind("probe", "a"), fed("rest", "probe", "b")), "", 0},
		{"here-document", request("probe <<'E'\n$x\nE"), records(fed("$x\n", "probe")), "", 0},
		{"pipe", request("printf 'a\\0b' | probe p"), records(fed("a\x00b", "probe", "p")), "", 0},
		{"stdin a folder", request("probe x <."), records(blind("probe", "x")), "", 0},
		{"stdout", request(`printf 'a\0b\n\377'`), nil, "a\x00b\n\xff", 0},
		{"stdout of children", request("echo a; (echo b); echo c | { read x; echo $x; }"), nil, "a\nb\nc\n", 0},
		{"stderr is not stdout", request("echo x >&2"), nil, "", 0},
		{"status", request("exit 7"), nil, "", 7},
		{"status of the probe", request("false() { return 9; }; probe && false"), records(call("probe")), "", 9},
		{"not found", request("no-such-program"), nil, "", 127},
		{"syntax error", request("("), nil, "", 2},
		{"SIGTERM", request("kill -TERM $$"), nil, "", 128 + 15},
		{"SIGKILL", request("probe x; kill -9 $$"), records(call("probe", "x")), "", 128 + 9},
		{"background", request("probe x & wait"), records(call("probe", "x")), "", 0},
		{"outlived", request("{ read x < <(:); probe late; } & exit 3"), records(call("probe", "late")), "", 3},
		{"working folder", request(`[[ $PWD = ` + h.Layout().Work + ` ]] && shopt -s nullglob dotglob && printf '<%s>' *`), nil, "<>", 0},
		{"a file", request("echo x >f && read y <f && echo $y"), nil, "x\n", 0},
		{"no file of the case before", request("[[ ! -e f ]]"), nil, "", 0},
		{"temporary folder", request("echo x >" + h.Layout().Temp + "/f; echo ?; exit"), nil, "?\n", 0},
		{"environment", wire.Request{Argv: request("probe \"$A\" \"$HOME\" \"$LC_ALL\"").Argv, Env: [][]byte{[]byte("A=1"), []byte("LC_ALL=C")}},
			records(call("probe", "1", "/home/u", "C")), "", 0},
		{"UTF-8", request("x=é; echo ${#x}"), nil, "1\n", 0},
		{"not a terminal", request("[[ -t 0 || -t 1 || -t 2 ]]"), nil, "", 1},
		{"terminal", pty(request("[[ -t 0 && -t 1 && -t 2 ]] && probe tty")), records(typed("probe", "tty")), "", 0},
		{"typed", pty(stdin(request(`read x; probe "$x"`), "a b\n")), records(typed("probe", "a b")), "a b\r\n", 0},
		{"terminal output", pty(request(`echo out; echo err >&2`)), nil, "out\r\nerr\r\n", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := run(t, h, c.req)[0]
			want := wire.Observation{Records: records(c.records...), Stdout: []byte(c.stdout), Status: c.status}
			if got.Refused != "" || !reflect.DeepEqual(got.Observation, want) {
				t.Errorf("got  %s\nwant %s\nstderr %q, refused %q", short(got.Observation), short(want), got.Stderr, got.Refused)
			}
			expectOrder(t, h)
		})
	}

	t.Run("order", func(t *testing.T) {
		var requests []wire.Request
		for i := range 50 {
			requests = append(requests, request(fmt.Sprintf("probe %d; exit %d", i, i)))
		}
		for i, r := range run(t, h, requests...) {
			if want := records(call("probe", fmt.Sprint(i))); !reflect.DeepEqual(r.Records, want) || r.Status != i {
				t.Errorf("result %d: %s, status %d", i, short(r.Records), r.Status)
			}
		}
		run(t, h) // none at all
	})
	t.Run("refused", func(t *testing.T) {
		for name, req := range map[string]wire.Request{
			"long text":       request(strings.Repeat(":", 128<<10)),
			"long argument":   direct("bash", "-c", ":", "-", long+"x"),
			"long variable":   {Argv: request(":").Argv, Env: [][]byte{[]byte("A=" + long)}},
			"many arguments":  {Argv: bytes.SplitAfter([]byte(strings.Repeat(long, 64)), []byte(long))},
			"NUL in an argv":  request("probe a\x00b"),
			"on a terminal":   pty(request(strings.Repeat(":", 128<<10))),
			"with some stdin": stdin(request(strings.Repeat(":", 128<<10)), "x"),
		} {
			got := run(t, h, req)[0]
			if got.Refused == "" || len(got.Records) > 0 || len(got.Stdout) > 0 || got.Ended != wire.Itself {
				t.Errorf("%s: %s, refused %q", name, short(got.Observation), got.Refused)
			}
			expectOrder(t, h)
		}
	})
	t.Run("closed", func(t *testing.T) {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
		if _, err := h.Run(context.Background(), request("probe")); err == nil {
			t.Error("a closed home ran a case")
		}
	})
}

// expectOrder runs a case that sees whether the home is as it was at first: a
// record arrives alone and whole, the folders are empty.
func expectOrder(t *testing.T, h Home) {
	t.Helper()
	folders := h.Layout().Temp + "/*"
	if h.Layout().Bin != "/bin" {
		folders = "" // the bare host's temporary folder may be anybody's
	}
	text := `shopt -s nullglob dotglob; probe ok; printf '<%s>' ` + folders + ` "$PWD"/*`
	want := wire.Observation{Records: records(call("probe", "ok")), Stdout: []byte("<" + h.Layout().Work + ">")}
	if folders == "" {
		want.Stdout = []byte("<>")
	}
	if got := run(t, h, request(text))[0]; !reflect.DeepEqual(got.Observation, want) {
		t.Fatalf("afterwards the home is not as it was:\ngot  %s\nwant %s\nstderr %q", short(got.Observation), short(want), got.Stderr)
	}
}

func BenchmarkRun(b *testing.B) {
	h, err := Namespaces.Open(context.Background(), Shell{Path: "/usr/bin/bash"})
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close()
	for b.Loop() {
		if _, err := h.Run(context.Background(), request("probe a b")); err != nil {
			b.Fatal(err)
		}
	}
}

// TestTools are the programs of a terminal, by themselves and through the agent.
func TestTools(t *testing.T) {
	const text = `PATH=%s; stty -echo && stty -a | { [[ $(cat) == *" -echo "* ]] && echo off; }; stty echo && stty size; echo in | cat; echo by | cat -n; true && ! false && sleep 0 && : >f && :clean f && [[ ! -e f ]] && echo yes`
	for _, k := range Kinds {
		t.Run(k.Name, func(t *testing.T) {
			h := open(t, k)
			if h.Layout().Terminal == "" {
				t.Skip("not run: no terminals here")
			}
			req := request(fmt.Sprintf(text, h.Layout().Terminal))
			req.PTY = true
			got := run(t, h, req)[0]
			if want := "off\r\n0 0\r\nin\r\n     1\tby\r\nyes\r\n"; string(got.Stdout) != want || len(got.Records) != 0 {
				t.Errorf("got %q, want %q; %s, records %s", got.Stdout, want, got.Ended, short(got.Records))
			}
		})
	}
}
