//go:build amd64 || arm64

package home

import (
	"strings"

	"github.com/argvdiff/argvdiff/targets/pty"
)

// None of the sessions below may ever run on the bare host.

// A hostileSession is lines for one interactive shell, without markers.
type hostileSession struct {
	name  string
	lines []string
}

const (
	sleeper  = `sleep 60`
	spinner  = `while :; do :; done`
	flood    = `printf -v x '%*s' 1000000 ''; while :; do printf %s "$x"; done`
	deafness = `trap '' HUP TERM INT QUIT TSTP TTIN TTOU CHLD PIPE`
	blocked  = `read -t 60 z </dev/pts/ptmx`
)

func long(n int) string { return "echo '" + strings.Repeat("x", n) + "'" }

// hostileSessions do to their shell, their terminal and their home what can be done.
var hostileSessions = []hostileSession{
	// The end of the shell.
	{"exit", []string{`exit 3`, `echo b`}},
	{"exit in a subshell", []string{`(exit 3)`, `echo b`}},
	{"exec", []string{`exec true`}},
	{"exec of a sleeper", []string{`exec sleep 60`, `echo b`}},
	{"exec of a reader", []string{`exec cat`, `echo b`, "\x04"}},
	{"exec of a shell", []string{`exec bash --norc -i`, `echo b`, `exec /bin/bash --norc --noprofile -i`, `echo c`}},
	{"exec of nothing", []string{`exec nothing`, `echo b`}},
	{"a shell in the shell", []string{`bash --norc -i`, `echo b`, `exit`, `echo c`}},
	{"SIGKILL", []string{`kill -9 $$`}},
	{"SIGKILL from a child", []string{`(kill -9 $$) & ` + sleeper}},
	{"SIGSTOP", []string{`kill -STOP $$`, `echo b`}},
	{"SIGSTOP and back", []string{`(sleep 0.03; kill -CONT $$) & kill -STOP $$`, `echo b`}},
	{"signals", []string{`for s in {1..31}; do [[ $s = 9 || $s = 19 ]] || kill -$s $$; done`, `echo b`}},
	{"everything dies", []string{`kill -9 -1`, `echo b`}},
	{"everything stops", []string{`(` + blocked + `) & kill -STOP -1; kill -STOP $$`}},
	{"errexit", []string{`set -e; false`, `echo b`}},
	{"end of input", []string{"\x04", `echo b`}},
	{"syntax without an end", []string{`echo $'a`, `echo 'b`, `cat <<E`, `x`}},
	{"read-only options", []string{`set -r -n`, `echo b`, `set +n`}},

	// The terminal.
	{"raw", []string{`stty raw`, `echo b`, `stty sane`, `echo c`}},
	{"no signals", []string{`stty -isig`, "\x03", `cat`, "\x03"}},
	{"sane and echo", []string{`stty sane`, `echo b`, `stty echo`, `echo c`}},
	{"no size", []string{`stty rows 0 cols 0`, `echo b`, `stty rows 1 cols 1`, long(500)}},
	{"no canonical mode", []string{`stty -icanon min 0 time 0`, `echo b`, `stty min 255 time 255`, `echo c`}},
	{"no output processing", []string{`stty -opost`, `echo b`, `stty -onlcr`, `echo c`}},
	{"stopped output", []string{"echo a\x13b", `echo b`, "\x11"}},
	{"stopped output of a child", []string{"\x13", `cat /proc/self/maps`, `echo b`}},
	{"raw bytes", []string{"echo a\x03b", "echo a\x04b", "echo a\x1ab", "echo a\x1cb", "echo b"}},
	{"suspended child", []string{sleeper, "\x1a", "fg"}},
	{"suspended reader", []string{`cat`, "\x1a", `echo b`, "fg", "x\x04"}},
	{"20 KB", []string{long(20000), `echo b`}},
	{"200 KB", []string{long(200000), `echo b`}},
	{"200 KB into a spinner", []string{spinner, long(200000), `echo b`}},
	{"200 KB into a sleeper", []string{sleeper, long(200000)}},
	{"200 KB into a stopped shell", []string{`kill -STOP $$`, long(200000)}},
	{"many lines at once", []string{strings.Repeat("echo a\r", 300), `echo b`}},
	{"many sleepers at once", []string{strings.Repeat("sleep 0.01\r", 300), `echo b`}},
	{"no input", []string{`exec 0<&-`, `echo b`}},
	{"empty input", []string{`exec 0</dev/null`, `echo b`}},
	{"other input", []string{`exec 0</dev/pts/ptmx`, `echo b`}},
	{"input from a pipe", []string{`exec 0< <(` + blocked + `)`, `echo b`}},
	{"no errors", []string{`exec 2>&-`, `echo b`, `exec 1>&-`, `echo c`}},
	{"no descriptors", []string{`for f in /proc/self/fd/*; do eval "exec ${f##*/}>&-"; done`, `echo b`}},
	{"another open of the terminal", []string{`exec 0<&- 0</proc/self/fd/1`, `echo b`, `exec 9<>/dev/pts/0; exec 0<&9 1>&9 2>&9`, `echo c`}},
	{"writes to the terminal", []string{`printf '\3\4\32\34\23' >/dev/pts/0; echo x >/dev/pts/0`, `echo b`}},
	{"its own terminals", []string{`exec 8<>/dev/pts/ptmx 9<>/dev/pts/ptmx; echo x >/dev/pts/1`, `echo b`, `while exec {f}<>/dev/pts/ptmx; do :; done`, `echo c`}},
	{"a fake prompt", []string{`printf 'dsh> '; sleep 0.05; echo late`, `printf 'dsh> '; ` + sleeper}},
	{"a fake prompt and a read", []string{`printf 'dsh> '; read x; echo "$x"`, `echo b`}},
	{"a fake second prompt", []string{`printf '\n> '; sleep 0.05; echo late`, `printf '\n> '; ` + sleeper}},
	{"prompts of its own", []string{`PS1=; PS2=; PROMPT_COMMAND=`, `echo b`, `echo 'b`, `'`}},
	{"a prompt that does not come", []string{`PROMPT_COMMAND='` + spinner + `'`, `echo b`}},
	{"a prompt that sleeps", []string{`PROMPT_COMMAND='` + sleeper + `'`, `echo b`}},
	{"a prompt that writes later", []string{`PROMPT_COMMAND='(sleep 0.02; echo late)&'`, `echo b`, `echo c`}},
	{"a prompt that ends it", []string{`PROMPT_COMMAND='exit 7'`, `echo b`}},
	{"a prompt that is a loop of expansions", []string{`PS1='$(echo $(sleep 0.01))dsh> '; unset PROMPT_COMMAND`, `echo b`}},
	{"modes of the editor", []string{`set -o vi`, "\x1b", `echo b`, `set +o vi +o emacs`, `echo c`}},
	{"keys of the editor", []string{"\x12echo\x07", "\x0e\x10\x19", "\x18\x05", "\x1b\x05", `echo b`}},
	{"a terminal that is not one", []string{`TERM=nothing LINES= COLUMNS=-1`, `kill -WINCH $$`, `echo b`}},

	// What lines mean.
	{"printf", []string{`printf(){ :; }`, `echo b`}},
	{"printf that ends it", []string{`printf(){ exit; }`, `echo b`}},
	{"eval", []string{`eval(){ :; }`, `echo b`}},
	{"eval that sleeps", []string{`eval(){ ` + sleeper + `; }`, `echo b`}},
	{"not found", []string{`command_not_found_handle(){ ` + sleeper + `; }`, `nothing`, `echo b`}},
	{"aliases", []string{`alias printf=cat echo=cat`, `echo b`}},
	{"traps", []string{`trap 'echo d' DEBUG; trap 'echo i' INT; trap 'echo w' WINCH; trap 'echo c' CHLD; trap 'echo e' EXIT`, `sleep 0`, "\x03", `kill -WINCH $$`, `exit`}},
	{"traps that spin", []string{`trap '` + spinner + `' CHLD DEBUG EXIT`, `sleep 0`, `exit`}},
	{"a trap that sleeps", []string{`trap '` + sleeper + `' EXIT`, `exit`}},
	{"a trap in the next read", []string{`trap 'echo t' USR1; (sleep 0.02; kill -USR1 $$) & `, `echo b`}},
	{"deaf", []string{deafness, sleeper, "\x03"}},
	{"a time limit", []string{`TMOUT=1`, `echo b`, `TMOUT=`, `echo c`}},
	{"no posix", []string{`set -o posix; trap 'exit 5' 0`, `export POSIXLY_CORRECT=1`, `. nothing`, `echo b`}},
	{"history", []string{`set -o histexpand; HISTSIZE=0; HISTFILE=/tmp/h`, `echo '!!' !x`, `history -w; history -c; fc -l`, `fc`}},
	{"recursion", []string{`f(){ f; }; f`, `echo b`}},
	{"tracing", []string{`set -vx; BASH_XTRACEFD=9; PS4='$(sleep 0.01)'`, `echo b`}},
	{"substituted", []string{`x=$(` + sleeper + `)`, `echo b`}},
	{"substituted, then more", []string{`x=$(sleep 0.05); echo late`, `x=$(sleep 0.09; echo dsh\>); echo "$x"`}},

	// Waiting.
	{"a reader", []string{`cat`, `x`, "\x04", `echo b`}},
	{"a read", []string{`read x`, `y`, `echo b`}},
	{"reads without a key", []string{`while ! read -t 0.02 x; do :; done`, `y`}},
	{"short reads", []string{`read -n 1 -t 0.05 x; read -t 0.01 x; echo late`, `echo b`}},
	{"a menu", []string{`select x in a b; do :; done`, `1`, "\x04"}},
	{"a sleeper", []string{sleeper}},
	{"a short sleeper", []string{`sleep 0.05; echo late`, `echo b`}},
	{"a sleeper in between", []string{`sleep 0.08; read x; sleep 0.08; echo late`, `y`}},
	{"wait", []string{sleeper + ` & wait`, "\x03", `echo b`}},
	{"wait for a short one", []string{`sleep 0.05 & wait; echo late`, `echo b`}},
	{"drowsy", []string{`while :; do sleep 0.01; done`}},
	{"drowsy itself", []string{`while :; do read -t 0.01 z </dev/pts/ptmx; done`, `echo b`}},
	{"a pipe that waits", []string{sleeper + ` | cat`}},
	{"a pipe that reads", []string{`cat | cat`, `x`, "\x04"}},

	// Children.
	{"in the background", []string{sleeper + ` &`, `echo b`, `jobs`, `kill %1`, `echo c`}},
	{"a reader in the background", []string{`cat &`, `echo b`, `fg`, "\x04"}},
	{"output in the background", []string{`(sleep 0.01; echo late; probe late) &`, `echo b`}},
	{"a lot of output in the background", []string{`(` + flood + `) &`, `echo b`}},
	{"lines in the background", []string{`while :; do echo y; done &`, `echo b`}},
	{"a spinner in the background", []string{spinner + ` &`, `echo b`, `echo c`}},
	{"records in the background", []string{`while :; do probe late; done &`, `echo b`, `echo c`}},
	{"orphans", []string{`((` + blocked + `) & (` + spinner + `) &)`, `echo b`}},
	{"orphans that print", []string{`((while sleep 0.01; do echo late; probe late; done) &)`, `echo b`, `echo c`}},
	{"orphans behind the end", []string{`((` + deafness + `; while sleep 0.01; do echo late; probe late; done) &); exit`}},
	{"orphans that flood the terminal behind the end", []string{`((` + deafness + `; printf -v x '%*s' 60000 ''; while :; do printf %s "$x" >/dev/pts/0; done) 2>&- &) ; exit`}},
	{"orphans that flood all terminals", []string{`((` + deafness + `; printf -v x '%*s' 60000 ''; while :; do for f in /dev/pts/[0-9]*; do printf %s "$x" >$f; done; done) 2>&- &)`, `echo b`, `exit`}},
	{"thieves of input", []string{`(while read -n 1 x; do :; done </dev/pts/0) & (cat </dev/pts/0) &`, `echo b`, `echo c`}},
	{"late words of a child", []string{`(sleep 0.03; echo late; echo later) & set -b`, `echo b`}},
	{"deaf children", []string{`(` + deafness + `; while :; do sleep 60; done) &`, `disown -a`, `exit`}},
	{"deaf children in front", []string{`(` + deafness + `; while :; do sleep 60; done)`, "\x03"}},
	{"another in the foreground", []string{`set +m; (cat; cat) &`, `set -m; (read x; read y)`, `x`}},
	{"monitor off", []string{`set +m`, sleeper, "\x03"}},
	{"monitor off and short", []string{`set +m`, `sleep 0.05; echo late`, `cat`, `x`, "\x04"}},
	{"stopped children", []string{`(kill -STOP $BASHPID) & wait`, `fg`, `bg`, `echo b`}},
	{"suspend", []string{`suspend -f`, `echo b`}},
	{"coproc", []string{`coproc cat`, `echo x >&${COPROC[1]}; read y <&${COPROC[0]}; echo $y`, `echo b`}},
	{"a process substitution left open", []string{`exec 7> >(cat)`, `echo x >&7`, `exec 8< <(` + blocked + `)`, `echo b`}},
	{"jobs", []string{`for i in {1..20}; do sleep 60 & done`, `jobs`, `kill %{1..20}`, `wait`, `echo b`}},
	{"fork bomb", []string{`:(){ :|:& };:`, `echo b`}},
	{"fork bomb of subshells", []string{`f(){ (f)& (f)& }; f`, `echo b`}},
	{"deaf fork bomb", []string{deafness + `; b(){ b & b & wait; }; b`, `echo b`}},
	{"fork chain", []string{`f(){ [[ $1 -gt 5000 ]] || { f $(($1+1)) & }; }; f 0`, `echo b`}},
	{"fork bomb behind the end", []string{`f(){ (f)& (f)& }; f; exit`}},

	// Output.
	{"endless output", []string{flood, `echo b`}},
	{"endless lines", []string{`while :; do echo y; done`, `echo b`}},
	{"endless output of a child", []string{`cat /dev/zero`, `cat < <(` + flood + `)`, `echo b`}},
	{"endless errors", []string{`while :; do echo y >&2; done`, `echo b`}},
	{"endless records", []string{`while :; do probe x; done`, `echo b`}},
	{"endless records of many", []string{`for i in {1..20}; do while :; do probe x; done & done; wait`, `echo b`}},
	{"endless zeros", []string{`while :; do printf '\0\0\0\0'; done`}},
	{"endless prompts", []string{`while :; do printf 'dsh> '; done`}},
	{"hundreds of records", []string{`for i in {1..300}; do probe $i; done`, `echo b`}},

	// Memory and files.
	{"memory", []string{`x=xxxxxxxx; while :; do x=$x$x; done`, `echo b`}},
	{"memory of many", []string{`for i in {1..40}; do ( x=xxxxxxxx; while :; do x=$x$x; done ) & done; wait`}},
	{"full disk", []string{`printf -v x '%*s' 1000000 ''; while printf %s "$x"; do :; done >/tmp/f`, `echo b >g`}},
	{"no inodes", []string{`while >/tmp/f$((i++)); do :; done`, `echo b`}},
	{"no inodes in the work folder", []string{`while >f$((i++)); do :; done`, `echo b`}},
	{"odd files", []string{`umask 777; >/tmp/a; >$'b\n'; >-rf`, `cd /; echo b`, `cd /proc/self; echo c`}},
	{"links", []string{`:clean /tmp/work; :clean /tmp`, `echo b`}},
	{"no limits", []string{`ulimit -n 0`, `echo b`, `sleep 0`}},
	{"no processes", []string{`ulimit -u 0`, `sleep 0`, `(echo b)`}},
	{"no memory", []string{`ulimit -v 1`, `echo b`, `sleep 0`, long(3000)}},
	{"no processor", []string{`ulimit -t 0; ` + spinner, `echo b`}},
	{"no file sizes", []string{`ulimit -f 0; echo x >f`, `echo b`}},
	{"no stack", []string{`ulimit -s 8`, `echo b`, `sleep 0`}},
	{"the agent", []string{`for s in {1..64}; do kill -$s 1; done; echo x >/proc/1/fd/1; echo b`, `echo c`}},
}

// typed returns the lines as they are, or as the tool wraps them.
func (s hostileSession) typed(wrapped bool) [][]byte {
	var lines [][]byte
	for _, l := range s.lines {
		if wrapped {
			l = pty.Wrap(l, "00000000-0000-4000-8000-000000000000")
		}
		lines = append(lines, []byte(l))
	}
	return lines
}
