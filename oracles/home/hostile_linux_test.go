//go:build amd64 || arm64

package home

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

// None of the commands below may ever run on the bare host.

// anyEnd allows whatever of these a run comes to; where it is chance which of
// its bounds a command hits first, that is no defect.
var anyEnd = []wire.Ended{wire.Itself, wire.Spinning, wire.Hung, wire.Flooding, wire.Greedy}

var (
	itself   = []wire.Ended{wire.Itself}
	spinning = []wire.Ended{wire.Spinning}
	hung     = []wire.Ended{wire.Hung}
	flooding = []wire.Ended{wire.Flooding}
)

const big = `printf -v x '%*s' 1000000 ''; `

var hostile = []struct {
	name, text string
	ended      []wire.Ended
	limits     wire.Limits
}{
	// Processes.
	{"fork bomb", `:(){ :|:& };:`, anyEnd, wire.Limits{}},
	{"fork bomb of subshells", `f(){ (f)& (f)& }; f`, anyEnd, wire.Limits{}},
	{"fork bomb that ignores signals", `trap '' {1..64} 2>&-; b(){ b & b & wait; }; b`, anyEnd, wire.Limits{}},
	{"fork bomb of shells", `printf '%s' 'bash f & bash f & bash f' >f; bash f`, anyEnd, wire.Limits{}},
	{"fork bomb with a lot of time", `:(){ :|:& };:`, anyEnd, wire.Limits{CPU: 200 * time.Millisecond}},
	{"fork chain", `f(){ [[ $1 -gt 5000 ]] || { f $(($1+1)) & }; }; f 0`, anyEnd, wire.Limits{}},
	{"exec chain", `printf 'exec bash f' >f; exec bash f`, spinning, wire.Limits{}},
	{"subshell storm", `while :; do (((:))); (:;(:;(:))); done`, spinning, wire.Limits{}},
	{"nested subshells", `eval "$(printf '%*s' 3000 '' | { read -rd '' x; printf %s "${x// /(}:${x// /)}"; })"; s='eval "( $s )"'; eval "$s"`, anyEnd, wire.Limits{}},
	{"background children", `for i in {1..30}; do read x </dev/pts/ptmx & done`, hung, wire.Limits{}},
	{"background spinners", `for i in {1..8}; do while :; do :; done & done`, spinning, wire.Limits{}},
	{"disowned child", `read x </dev/pts/ptmx & disown -a; exit 0`, hung, wire.Limits{}},
	{"double fork", `( ( (read x </dev/pts/ptmx) & ) & ) & exit 0`, hung, wire.Limits{}},
	{"double fork of spinners", `set -m; ( ( (trap '' {1..64} 2>&-; while :; do :; done) & ) & ) & kill -9 $$`, spinning, wire.Limits{}},
	{"job control", `set -m; for i in {1..10}; do (read x </dev/pts/ptmx; read y </dev/pts/ptmx) & done; kill -STOP %1 %2`, hung, wire.Limits{}},
	{"coproc", `coproc C { while :; do read x; done; }; read y <&${C[0]}`, anyEnd, wire.Limits{}},
	{"coproc that waits", `coproc C { read x; }; read y <&${C[0]}`, hung, wire.Limits{}},
	{"process substitutions", `while :; do : <(:) >(:) <(read x); done`, anyEnd, wire.Limits{}},
	{"pipeline of a hundred", `eval "$(printf 'read x | %.0s' {1..100}) read y </dev/pts/ptmx"`, anyEnd, wire.Limits{}},

	// Time.
	{"spinner", `while :; do :; done`, spinning, wire.Limits{}},
	{"spinner that traps all", `trap : {1..64} EXIT ERR DEBUG RETURN 2>&-; while :; do :; done`, spinning, wire.Limits{}},
	{"spinner that ignores all", `trap '' {1..64} EXIT ERR DEBUG RETURN 2>&-; while :; do :; done`, spinning, wire.Limits{}},
	{"sleeper on a terminal", `read x </dev/pts/ptmx`, hung, wire.Limits{}},
	{"sleeper on a pipe", `read x < <(read y </dev/pts/ptmx)`, hung, wire.Limits{}},
	{"sleeper on its own pipe", `exec {r}<> <(:); read x <&$r; read x </dev/pts/ptmx`, hung, wire.Limits{}},
	{"sleeper with a timeout", `read -t 1000 x </dev/pts/ptmx`, hung, wire.Limits{}},
	{"stopped", `kill -STOP $$`, hung, wire.Limits{}},
	{"stopped child", `( kill -STOP $BASHPID ) & wait`, hung, wire.Limits{}},
	{"suspend", `set -m; suspend -f`, hung, wire.Limits{}},
	{"wait for itself", `f(){ wait; }; { read x </dev/pts/ptmx; } & trap f EXIT; wait`, hung, wire.Limits{}},
	{"drowsy", `while :; do read -t 0.02 x; done </dev/pts/ptmx`, []wire.Ended{wire.Overtime, wire.Spinning}, wire.Limits{Wall: 300 * time.Millisecond}},

	// Output.
	{"endless output", big + `while :; do printf %s "$x"; done`, flooding, wire.Limits{CPU: 200 * time.Millisecond}},
	{"endless lines", `while :; do echo y; done`, []wire.Ended{wire.Spinning, wire.Flooding}, wire.Limits{}},
	{"output of many", big + `for i in {1..20}; do while :; do printf %s "$x"; done & done; wait`, flooding, wire.Limits{CPU: 200 * time.Millisecond}},
	{"endless errors", big + `while :; do printf %s "$x" >&2; done`, spinning, wire.Limits{}},
	{"errors of many", big + `for i in {1..30}; do while :; do printf %s "$x"; done >&2 & done; wait`, spinning, wire.Limits{}},
	{"both of many", big + `for i in {1..10}; do while :; do printf %s "$x" >&2; done & while :; do printf x; done & done; wait`, []wire.Ended{wire.Spinning, wire.Flooding}, wire.Limits{}},
	{"endless records", `while :; do probe x; done`, spinning, wire.Limits{}},
	{"endless records of many", `for i in {1..20}; do while :; do probe x; done & done; wait`, spinning, wire.Limits{}},
	{"large records", `printf -v x '%*s' 131071 ''; while :; do probe "$x" "$x" "$x" "$x" "$x" "$x" "$x" "$x"; done`, flooding, wire.Limits{CPU: 5 * time.Second}},
	{"records with much input", big + `while :; do printf %s "$x" | probe x; done`, []wire.Ended{wire.Spinning, wire.Flooding}, wire.Limits{}},
	{"probe in the background", `probe x </dev/pts/ptmx & probe y < <(read z </dev/pts/ptmx)`, hung, wire.Limits{}},

	// Memory.
	{"wide field", `printf '%999999999s'`, anyEnd, wire.Limits{}},
	{"wide variable", `printf -v x '%*s' 999999999 ''`, anyEnd, wire.Limits{}},
	{"brace expansion", `: {1..99999999}`, anyEnd, wire.Limits{CPU: 200 * time.Millisecond}},
	{"nested braces", `: {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}`, anyEnd, wire.Limits{}},
	{"doubling", `x=xxxxxxxx; while :; do x=$x$x; done`, anyEnd, wire.Limits{CPU: 200 * time.Millisecond}},
	{"doubling of many", `for i in {1..40}; do ( x=xxxxxxxx; while :; do x=$x$x; done ) & done; wait`, anyEnd, wire.Limits{CPU: 400 * time.Millisecond}},
	{"array", `while :; do a+=("${a[@]}" x); done`, anyEnd, wire.Limits{CPU: 200 * time.Millisecond}},
	{"recursion", `f(){ f; }; f`, anyEnd, wire.Limits{CPU: 200 * time.Millisecond}},
	{"recursive eval", `s='eval "$s"'; eval "$s"`, anyEnd, wire.Limits{CPU: 200 * time.Millisecond}},
	{"recursive arithmetic", `a=b b=a; echo $((a))`, itself, wire.Limits{}},
	{"endless mapfile", big + `mapfile -d '' a < <(while :; do printf %s "$x"; done)`, anyEnd, wire.Limits{CPU: 200 * time.Millisecond}},
	{"endless substitution", big + `y=$(while :; do printf %s "$x"; done)`, anyEnd, wire.Limits{CPU: 200 * time.Millisecond}},
	{"full pipes", `for i in {1..200}; do exec {f}<> <(read x </dev/pts/ptmx); printf '%65536s' x >&$f; done; read x </dev/pts/ptmx`, anyEnd, wire.Limits{CPU: 200 * time.Millisecond}},

	// Files.
	{"full disk", big + `while printf %s "$x"; do :; done >f`, anyEnd, wire.Limits{CPU: 200 * time.Millisecond}},
	{"full disk outside the work folder", big + `while printf %s "$x"; do :; done >/tmp/f; probe x`, anyEnd, wire.Limits{CPU: 200 * time.Millisecond}},
	{"no inodes", `while >f$((i++)); do :; done; probe x`, anyEnd, wire.Limits{CPU: 200 * time.Millisecond}},
	{"no inodes outside the work folder", `while >/tmp/f$((i++)); do :; done; probe x`, anyEnd, wire.Limits{CPU: 200 * time.Millisecond}},
	{"deleted while open", big + `exec {f}>f; while printf %s "$x" >&$f; do :; done; read x </dev/pts/ptmx`, hung, wire.Limits{CPU: 200 * time.Millisecond}},
	{"large here-document", big + `read y <<<"$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x"`, anyEnd, wire.Limits{CPU: 200 * time.Millisecond}},
	{"odd names", `>$'a\nb'; >-rf; >'*'; >.hidden; >$'\xff\xfe'; >"$(printf '%255s')"; umask 777; >closed`, itself, wire.Limits{}},
	{"sparse file", `ulimit -f unlimited; exec {f}>f; while printf '%1000000s' x; do :; done >&$f`, anyEnd, wire.Limits{CPU: 200 * time.Millisecond}},
	{"writes to the root", `for f in /f /bin/probe /bin/bash /lib/f /proc/f /dev/f /dev/pts/f /usr/f; do echo x >$f && echo "wrote $f"; done; for f in /bin/*; do >$f; done; :`, itself, wire.Limits{}},
	{"descriptors", `while exec {f}</dev/null; do :; done`, anyEnd, wire.Limits{}},
	{"terminals", `while exec {f}<>/dev/pts/ptmx; do :; done`, anyEnd, wire.Limits{}},
	{"terminals of many", `for i in {1..40}; do { while exec {f}<>/dev/pts/ptmx; do :; done; read x <&0; } & done 2>&-; wait`, anyEnd, wire.Limits{CPU: 200 * time.Millisecond}},
	{"its own terminal", `exec 3<>/dev/pts/ptmx; read -t 0 <&3; echo x >/dev/pts/0; kill -HUP 0; kill -HUP -1`, anyEnd, wire.Limits{}},

	// The agent and the kernel.
	{"kill everything", `kill -9 -1`, itself, wire.Limits{}},
	{"kill everything from a child", `(kill -9 -1) & wait`, itself, wire.Limits{}},
	{"kill the group", `kill -9 0`, itself, wire.Limits{}},
	{"stop everything", `read x </dev/pts/ptmx & kill -STOP -1; kill -STOP $$`, hung, wire.Limits{}},
	{"signals to the agent", `for s in {1..64}; do kill -$s 1; done`, itself, wire.Limits{}},
	{"SIGTERM", `kill -TERM 1; kill -INT 1; kill -QUIT 1; kill -HUP 1; kill -PIPE 1`, itself, wire.Limits{}},
	{"SIGKILL", `kill -9 1; kill -STOP 1`, itself, wire.Limits{}},
	{"SIGSEGV", `kill -SEGV 1; kill -BUS 1; kill -ABRT 1; kill -FPE 1; kill -ILL 1; kill -TRAP 1; kill -SYS 1`, itself, wire.Limits{}},
	{"signal storm", `while :; do kill -USR1 1; kill -URG 1; kill -CHLD 1; kill -PROF 1; kill -34 1; done`, spinning, wire.Limits{}},
	{"signal storm of many", `for i in {1..10}; do while :; do kill -SEGV 1; kill -PIPE 1; kill -ALRM 1; kill -64 1; done & done; wait`, spinning, wire.Limits{CPU: 300 * time.Millisecond}},
	{"forged frames", `for f in 0 1 2 3 4 5 6 7 8 9; do echo junk >/proc/1/fd/$f; read x </proc/1/fd/$f; printf 'd\0\0\0\0\0\0\0\0\0\0\0\0' >/proc/1/task/1/fd/$f; done; :`, itself, wire.Limits{}},
	{"kernel settings", `for f in kernel/hostname kernel/core_pattern vm/drop_caches fs/file-max kernel/pid_max user/max_user_namespaces net/ipv4/ip_forward; do echo 1 >/proc/sys/$f && echo "wrote $f"; done; echo b >/proc/sysrq-trigger && echo wrote; echo -1000 >/proc/self/oom_score_adj && echo wrote; :`, itself, wire.Limits{}},
	{"network", `for a in 127.0.0.1 1.1.1.1 ::1; do for p in tcp udp; do echo x >/dev/$p/$a/80 && echo "sent $p $a"; done; done; read x </dev/tcp/127.0.0.1/22; :`, anyEnd, wire.Limits{}},
	{"name service", `echo x >/dev/tcp/example.com/80; echo ~root ~nobody`, anyEnd, wire.Limits{}},
	{"loadable builtins", `printf '\177ELF' >x; enable -f ./x x; enable -f /lib/libc.so.6 y; enable -f /dev/pts/ptmx z; BASH_LOADABLES_PATH=/tmp enable -f x x`, anyEnd, wire.Limits{}},
	{"no room to live", `ulimit -v 1; probe x; ulimit -u 0; (probe y); ulimit -s 1; probe z; bash -c :`, anyEnd, wire.Limits{}},
	{"no files", `ulimit -f 0; echo x >f; probe x; ulimit -n 0; probe y`, anyEnd, wire.Limits{}},
	{"nothing but a wait", `ulimit -t 1; trap : CHLD; wait; while wait -n; do :; done; read x </dev/pts/ptmx`, hung, wire.Limits{}},
	{"substituted startup", `BASH_ENV=f; export BASH_ENV PS4='$(bash -xc :)' SHELLOPTS; printf 'set -x; bash -c "bash -xc :"' >f; set -x; bash -c :`, anyEnd, wire.Limits{}},
}

func TestHostile(t *testing.T) {
	watchHost(t)
	h := open(t, Namespaces)
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			req := request(c.text)
			req.Limits = c.limits
			got := run(t, h, req)[0]
			if !slices.Contains(c.ended, got.Ended) {
				t.Errorf("ended %q, want one of %q: status %d, stdout %s, stderr %s", got.Ended, c.ended, got.Status, short(got.Stdout), short(got.Stderr))
			}
			if bytes.Contains(got.Stdout, []byte("wrote")) || bytes.Contains(got.Stdout, []byte("sent")) {
				t.Errorf("stdout %s", short(got.Stdout))
			}
			if n := len(got.Stdout); n > wire.DefaultOutput {
				t.Errorf("%d bytes of output", n)
			}
			for _, r := range got.Records {
				if string(r.Argv[0]) != "probe" || len(r.Argv) < 2 {
					t.Errorf("record %s", short(r))
				}
			}
			expectAlone(t, h)
		})
	}
}

// expectAlone is expectOrder, and no process is left.
func expectAlone(t *testing.T, h Home) {
	t.Helper()
	expectOrder(t, h)
	const text = `for p in /proc/[0-9]*; do [[ $p = /proc/$$ ]] || printf '%s ' "$p"; done; for p in /dev/pts/*; do printf '%s ' "$p"; done; echo "$HOSTNAME" $BASHPID`
	got := run(t, h, request(text))[0]
	fields := strings.Fields(string(got.Stdout))
	if len(fields) != 4 || fields[0] != "/proc/1" || fields[1] != "/dev/pts/ptmx" || fields[2] != "argvdiff" {
		t.Fatalf("afterwards there are: %q", fields)
	}
	pid := h.(*link).cmd.Process.Pid
	for _, p := range strays(t, os.Getpid()) {
		if p.pid != pid {
			t.Errorf("afterwards there is the process %+v", p)
		}
	}
}

// TestRecordsArrive sees that nothing which a command does to its surroundings
// keeps a record back.
func TestRecordsArrive(t *testing.T) {
	watchHost(t)
	h := open(t, Namespaces)
	const full = "/bin/probe"
	for _, c := range []struct {
		text string
		want []wire.Record
	}{
		{`PATH=; /bin/probe x`, records(call(full, "x"))},
		{`PATH=/nowhere:$PWD; ../../bin/probe x`, records(call("../../bin/probe", "x"))},
		{`exec -c /bin/probe x`, records(call(full, "x"))},
		{`for v in $(compgen -v); do unset "$v"; done 2>&-; /bin/probe x`, records(call(full, "x"))},
		{`export LD_PRELOAD=/nowhere LD_LIBRARY_PATH=/tmp IFS=x HOME= TMPDIR=/nowhere; probe x`, records(call("probe", "x"))},
		{`cd /; probe x; cd /proc/self; probe y; cd /bin; ./probe z`, records(call("probe", "x"), call("probe", "y"), call("./probe", "z"))},
		{`exec 0<&- 1>&- 2>&-; probe x`, records(blind("probe", "x"))},
		{`for f in /proc/self/fd/*; do f=${f##*/}; eval "exec $f>&-"; done; probe x`, records(blind("probe", "x"))},
		{`exec 0>/dev/null; probe x`, records(blind("probe", "x"))},
		{`exec 1</dev/null 2<&1; probe x`, records(call("probe", "x"))},
		{`ulimit -n 3; probe x`, records(call("probe", "x"))},
		{`ulimit -n 3; exec 2>&-; probe x`, records(call("probe", "x"))},
		{`ulimit -c 0 -f 0 -l 0; probe x`, records(call("probe", "x"))},
		{`umask 777; probe x`, records(call("probe", "x"))},
		{`trap '' {1..64} 2>&-; probe x`, records(call("probe", "x"))},
		{`set -r; probe x`, records(call("probe", "x"))},
		{`set -m; probe x & fg`, records(call("probe", "x"))},
		{`exec probe x`, records(call("probe", "x"))},
		{`exec -l probe x`, records(call("-probe", "x"))},
		{`hash -p /bin/probe y; y x`, records(call("y", "x"))},
		{`(probe x &) ; exit`, records(call("probe", "x"))},
		{`probe x; kill -9 $$`, records(call("probe", "x"))},
		{`probe x; while :; do :; done`, records(call("probe", "x"))},
		{`probe x; read y </dev/pts/ptmx`, records(call("probe", "x"))},
		{`probe() { builtin printf nothing; }; alias probe=:; command probe x`, records(call("probe", "x"))},
		{`bwrap --dev /dev -- probe x '' "a b"`, records(call("probe", "x", "", "a b"))},
		{`for s in {1..64}; do kill -$s 1; done; probe x`, records(call("probe", "x"))},
		{`for i in {1..200}; do probe $i; done | probe x`, nil},
	} {
		req := request(c.text)
		req.Limits.CPU = 500 * time.Millisecond
		got := run(t, h, req)[0]
		if c.want == nil {
			if len(got.Records) != 201 {
				t.Errorf("%s\n%d records", c.text, len(got.Records))
			}
		} else if !reflect.DeepEqual(got.Records, c.want) {
			t.Errorf("%s\ngot  %s\nwant %s\n%s, stderr %q", c.text, short(got.Records), short(c.want), got.Ended, got.Stderr)
		}
		expectAlone(t, h)
	}
}

// TestTerminals does harm from inside a terminal.
func TestTerminals(t *testing.T) {
	watchHost(t)
	h := open(t, Namespaces)
	for _, c := range []struct {
		text  string
		ended []wire.Ended
	}{
		{`while :; do echo y; done`, []wire.Ended{wire.Spinning, wire.Flooding}},
		{`read x; read y; read z`, hung},
		{`exec 0<&- 1>&- 2>&-; read x </dev/pts/ptmx`, anyEnd},
		{`trap '' {1..64} 2>&-; exec 0<&- 1>&- 2>&-; while :; do :; done`, spinning},
		{`set -m; read x & read y & wait; fg`, anyEnd},
		{`suspend -f; kill -STOP 0`, anyEnd},
		{`printf '\3\4\32\34\21\23' >/dev/pts/0; echo x >/dev/pts/0; kill -TSTP 0`, anyEnd},
		{`bash -i; bash -i; bash -i`, anyEnd},
		{`kill -9 -1`, itself},
		{`:(){ :|:& };:`, anyEnd},
	} {
		for _, in := range []string{"", "a\nb\n", "\x03\x04\x1a\x1c", strings.Repeat("long", 5000)} {
			req := request(c.text)
			req.PTY = true
			req.Stdin = []byte(in)
			if got := run(t, h, req)[0]; !slices.Contains(c.ended, got.Ended) && in == "" {
				t.Errorf("%s\nended %q, stdout %s", c.text, got.Ended, short(got.Stdout))
			}
			expectAlone(t, h)
		}
	}
}

// TestInside looks at a home with the eyes of a command.
func TestInside(t *testing.T) {
	watchHost(t)
	// What this process has got from its parent must not reach a command.
	fd, err := unix.Dup(1)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	h := open(t, Namespaces)
	for _, c := range []struct{ name, text, want string }{
		{"identity", `echo $UID $EUID ${GROUPS[@]}`, "1000 1000 1000\n"},
		{"descriptors", `for f in {0..255}; do [[ -e /proc/$$/fd/$f ]] && echo $f; done`, "0\n1\n2\n"},
		{"capabilities", `while read k v; do case $k in Cap*|NoNewPrivs:) echo $k $v;; esac; done </proc/self/status`,
			"CapInh: 0000000000000000\nCapPrm: 0000000000000000\nCapEff: 0000000000000000\nCapBnd: 0000000000000000\nCapAmb: 0000000000000000\nNoNewPrivs: 1\n"},
		{"the agent's secrets", `for f in mem environ maps auxv fd fd/0 fd/1 exe root cwd ns/mnt map_files task/1/mem stack syscall; do { exec 9</proc/1/$f; } 2>&- && echo open $f; [[ -L /proc/1/$f && /proc/1/$f -ef /proc/1/$f ]] && echo link $f; done; cd /proc/1/root 2>&- && pwd; echo -`, "-\n"},
		{"the agent's threads", `for d in /proc/1/task/*; do { exec 9<$d/mem; } 2>&- && echo open $d; { exec 9>$d/fd/1; } 2>&- && echo open $d; done; echo -`, "-\n"},
		{"folders", `shopt -s dotglob; echo /*; echo /dev/*; echo /proc/[0-9]* | { read a b; echo $a; }`, "/argvdiff /bin /dev /lib /lib64 /proc /terminal /tmp /usr\n/dev/fd /dev/null /dev/ptmx /dev/pts /dev/stderr /dev/stdin /dev/stdout\n/proc/1\n"},
		{"mounts", `while read -a f; do echo ${f[4]} ${f[5]%%,*}; done </proc/self/mountinfo`, "/ ro\n/proc ro\n/dev/null rw\n/dev/pts rw\n/tmp rw\n"},
		{"network", `while read n x; do echo $n; done </proc/net/dev; mapfile -t a </proc/net/unix; echo ${#a[@]}`, "Inter-|\nface\nlo:\n2\n"},
		{"probes are equal", `[[ /bin/probe -ef /bin/git && ! /bin/probe -ef /bin/bash && ! -w /bin/probe && ! -w /bin && -w /tmp ]] && echo yes`, "yes\n"},
		{"environment", `while IFS= read -rd '' v; do echo "$v"; done </proc/$$/environ`, "PATH=/bin\nHOME=/home/u\nLC_ALL=C.UTF-8\n"},
		{"signals (bash itself ignores SIGQUIT)", `while read k v; do case $k in SigBlk:|SigIgn:) echo $k $v;; esac; done </proc/self/status`, "SigBlk: 0000000000000000\nSigIgn: 0000000000000004\n"},
	} {
		got := run(t, h, request(c.text))[0]
		if string(got.Stdout) != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s\nstderr %s", c.name, got.Stdout, c.want, got.Stderr)
		}
	}

	// And with those of the host.
	pid := h.(*link).cmd.Process.Pid
	for _, file := range []string{"environ", "fd", "maps"} {
		info, err := os.Stat(fmt.Sprintf("/proc/%d/%s", pid, file))
		if err != nil {
			t.Fatal(err)
		}
		if uid := info.Sys().(*syscall.Stat_t).Uid; uid != 0 {
			t.Errorf("the agent's %s belongs to %d: it is dumpable", file, uid)
		}
	}
	p := processes(t)[pid]
	if first, last := homeIDs(os.Getpid()); os.Getuid() == 0 && (p.uid < first || p.uid > last) {
		t.Errorf("the agent runs as %d on the host, want one of %d to %d", p.uid, first, last)
	}
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	if err != nil || len(tasks) == 0 {
		t.Fatalf("the agent's threads: %v", err)
	}
	bare := 0
	for _, task := range tasks {
		b, err := os.ReadFile(task)
		if err != nil {
			continue
		}
		if strings.Contains(string(b), "CapPrm:\t0000000000000000\n") && strings.Contains(string(b), "CapBnd:\t0000000000000000\n") && strings.Contains(string(b), "NoNewPrivs:\t1\n") {
			bare++
		}
	}
	// A binary with cgo, as the race detector makes it, can do this only on
	// the thread from which all children come.
	if bare == 0 || !raceEnabled() && bare != len(tasks) {
		t.Errorf("%d of %d threads of the agent have no privileges", bare, len(tasks))
	}
}

// raceEnabled reports whether this binary has cgo.
func raceEnabled() bool {
	_, _, errno := syscall.AllThreadsSyscall(unix.SYS_GETPID, 0, 0, 0)
	return errno == unix.ENOTSUP
}

// TestLimits sees that limits are as intended and that no case can raise them.
func TestLimits(t *testing.T) {
	watchHost(t)
	h := open(t, Namespaces)
	const show = `echo $(ulimit -Hv) $(ulimit -Hc) $(ulimit -Ht) $(ulimit -Hf) $(ulimit -Hn) $(ulimit -Hl) $(ulimit -Hu); echo $(ulimit -Sv) $(ulimit -Sc) $(ulimit -St) $(ulimit -Sf) $(ulimit -Sn) $(ulimit -Sl) $(ulimit -Su); `
	const want = "262144 0 5 65536 256 0 96\n"
	got := run(t, h, request(show))[0]
	if string(got.Stdout) != want+want {
		t.Errorf("limits %q, want %q twice", got.Stdout, want)
	}
	const raise = `for o in v c t f n l u; do ulimit -$o unlimited && echo $o; ulimit -H$o unlimited && echo $o; ulimit -S$o hard; ulimit -$o 1000000 && echo $o; done; `
	got = run(t, h, request(raise+show+"(exec bash -c 'ulimit -n 257; ulimit -Hn'); ulimit -Sn 10; ulimit -Hn"))[0]
	if string(got.Stdout) != want+want+"256\n256\n" {
		t.Errorf("after raising the limits are %q", got.Stdout)
	}
	if got := run(t, h, request("ulimit -n 20; ulimit -t 1"), request(show))[1]; string(got.Stdout) != want+want {
		t.Errorf("limits of the case before: %q", got.Stdout)
	}

	// Processes: the agent's threads count too.
	req := request(`for i in {1..100}; do read x </dev/pts/ptmx & set -- /proc/[0-9]*; echo $#; done`)
	req.Limits.CPU = 5 * time.Second
	got = run(t, h, req)[0]
	most := 0
	for _, f := range strings.Fields(string(got.Stdout)) {
		n, _ := strconv.Atoi(f)
		most = max(most, n)
	}
	if most < 32 || most > 96 {
		t.Errorf("%d processes at once, %s", most, short(got.Stderr))
	}
	expectAlone(t, h)

	for _, c := range []struct {
		text   string
		limits wire.Limits
		want   wire.Ended
	}{
		{"printf '%100s'", wire.Limits{Output: 99}, wire.Flooding},
		{"printf '%100s'", wire.Limits{Output: 100}, wire.Itself},
		{"printf '%1048576s'", wire.Limits{}, wire.Itself},
		{"printf '%1048577s'", wire.Limits{}, wire.Flooding},
		{"printf '%1048577s' >&2", wire.Limits{}, wire.Itself},
		{"read x </dev/pts/ptmx", wire.Limits{Quiet: 10 * time.Millisecond}, wire.Hung},
		{"read x </dev/pts/ptmx", wire.Limits{Quiet: time.Hour, Wall: 50 * time.Millisecond}, wire.Overtime},
		{"read -t 0.3 x </dev/pts/ptmx; exit 0", wire.Limits{Quiet: time.Hour}, wire.Itself},
		{"while :; do :; done", wire.Limits{CPU: time.Hour, Wall: 50 * time.Millisecond}, wire.Overtime},
		{"for ((i=0;i<100000;i++)); do :; done", wire.Limits{CPU: 10 * time.Millisecond}, wire.Spinning},
		{"for ((i=0;i<100000;i++)); do :; done", wire.Limits{CPU: 5 * time.Second}, wire.Itself},
		{"for i in {1..16}; do ( printf -v x '%*s' 60000000; read y </dev/pts/ptmx ) & done; wait", wire.Limits{CPU: time.Hour, Wall: 30 * time.Second}, wire.Greedy},
	} {
		req := request(c.text)
		req.Limits = c.limits
		got := run(t, h, req)[0]
		if got.Ended != c.want {
			t.Errorf("%s with %+v: ended %q, want %q; stderr %s", c.text, c.limits, got.Ended, c.want, short(got.Stderr))
		}
		if got.Ended == wire.Flooding {
			if n := max(c.limits.Output, 0); n > 0 && len(got.Stdout) != n {
				t.Errorf("%s: %d bytes of output are kept, want %d", c.text, len(got.Stdout), n)
			}
		}
		expectAlone(t, h)
	}
}
