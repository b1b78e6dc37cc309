//go:build amd64 || arm64

package home

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argvdiff/argvdiff/oracles/wire"
)

// openActing opens a home in which programs that run others do so.
func openActing(t testing.TB, k Kind, shell Shell) Home {
	t.Helper()
	shell.Acts = true
	h, err := k.Open(t.Context(), shell)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

// said are records as text, with < and > behind those whose standard input and output
// are terminals.
func said(list []wire.Record) (all []string) {
	for _, r := range list {
		text := strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%q", r.Argv), "["), "]")
		text = strings.ReplaceAll(text, "\"", "")
		if r.InTTY {
			text += " <"
		}
		if r.OutTTY {
			text += " >"
		}
		all = append(all, text)
	}
	return all
}

// acting are commands, and what is recorded in a home that acts.
var acting = []struct {
	text string
	tty  bool
	want []string
	// rooted are those that need a root of ours.
	rooted bool
}{
	{text: "timeout 5s vim x", want: []string{"timeout 5s vim x", "vim x"}},
	{text: "f=y; export f; sudo -u root bash -c 'vim $f'", want: []string{"sudo -u root bash -c vim $f", "bash -c vim $f", "vim y"}},
	{text: "env -S 'vim x'", want: []string{"env -S vim x", "vim x"}},
	{text: "env -i vim x", want: []string{"env -i vim x", "vim x"}},
	{text: "env A=1 bash -c 'vim $A'", want: []string{"env A=1 bash -c vim $A", "bash -c vim $A", "vim 1"}},
	{text: `find . -exec vim {} \;`, want: []string{"find . -exec vim {} ;", "vim ."}},
	{text: "echo a b | xargs -n1 vim", want: []string{"xargs -n1 vim", "vim a", "vim b"}},
	{text: `printf '%s\n' 'a b' | xargs -I% vim x%`, want: []string{"xargs -I% vim x%", "vim xa b"}},
	{text: "xargs vim </dev/null", want: []string{"xargs vim", "vim"}},
	{text: "xargs -r vim </dev/null", want: []string{"xargs -r vim"}},
	{text: "sudo env nice nohup stdbuf -oL setsid ionice -c3 vim x", want: []string{
		"sudo env nice nohup stdbuf -oL setsid ionice -c3 vim x", "env nice nohup stdbuf -oL setsid ionice -c3 vim x", "nice nohup stdbuf -oL setsid ionice -c3 vim x",
		"nohup stdbuf -oL setsid ionice -c3 vim x", "stdbuf -oL setsid ionice -c3 vim x", "setsid ionice -c3 vim x", "ionice -c3 vim x", "vim x",
	}},
	{text: "command time -p vim x", want: []string{"time -p vim x", "vim x"}},
	{text: "busybox vi x", want: []string{"busybox vi x", "vi x"}},
	{text: "sudo -l vim; env; nice", want: []string{"sudo -l vim", "env", "nice"}},
	{text: "timeout x vim; [ $? = 125 ] && timeout 5 no-such; [ $? = 127 ] && vim", want: []string{"timeout x vim", "timeout 5 no-such", "vim"}},
	{text: "sh -c 'vim $0' x; zsh -c 'vim y'", want: []string{"sh -c vim $0 x", "vim x", "zsh -c vim y", "vim y"}},
	{text: `sh -c 'case $SHELLOPTS in *posix*) vim ;; esac'`, want: []string{"sh -c case $SHELLOPTS in *posix*) vim ;; esac", "vim"}},
	{text: "bash -lc 'vim x'", want: []string{"bash -lc vim x", "vim x"}},
	{text: "echo 'vim x' | bash", want: []string{"bash", "vim x"}},
	{text: "/bin/sh -c 'vim x'", want: []string{"/bin/sh -c vim x", "vim x"}, rooted: true},
	{text: "/usr/bin/vim x; /usr/local/bin/less y", want: []string{"/usr/bin/vim x", "/usr/local/bin/less y"}, rooted: true},
	{text: "bash", tty: true, want: []string{"bash < >"}},
	{text: "sudo -s", tty: true, want: []string{"sudo -s < >", "bash < >"}},
	{text: "vim x", tty: true, want: []string{"vim x < >"}},
	{text: "vim < /dev/null", tty: true, want: []string{"vim >"}},
	{text: "less x > f", tty: true, want: []string{"less x <"}},
	{text: "git log | less", tty: true, want: []string{"git log <", "less >"}},
	{text: "echo x | xargs vim", tty: true, want: []string{"xargs vim >", "vim x >"}},
	{text: "nohup vim x", tty: true, want: []string{"nohup vim x < >", "vim x"}},
	{text: "timeout 5 vim x", tty: true, want: []string{"timeout 5 vim x < >", "vim x < >"}},
}

func testActs(t *testing.T, h Home, rooted bool) {
	for _, c := range acting {
		if c.rooted && !rooted {
			continue
		}
		r := request(c.text)
		r.PTY = c.tty
		got := run(t, h, r)[0]
		list := said(got.Records)
		if strings.Contains(c.text, " | ") {
			slices.Sort(list) // they run at the same time
			c.want = slices.Sorted(slices.Values(c.want))
		}
		if !slices.Equal(list, c.want) || got.Ended != wire.Itself {
			t.Errorf("%s: %q, want %q; ended %q with %d, stdout %q, stderr %q", c.text, list, c.want, got.Ended, got.Status, got.Stdout, got.Stderr)
		}
		t.Logf("%s: %v of CPU", c.text, got.CPU)
	}
}

// In a home that acts the shells and the wrappers do what they are for.
func TestActs(t *testing.T) {
	watchHost(t)
	testActs(t, openActing(t, Namespaces, hostShell(t)), true)
}

// TestActsInSysroots is the same for shells that are used with a root of their own.
func TestActsInSysroots(t *testing.T) {
	shells, err := Discover()
	if err != nil {
		t.Fatal(err)
	}
	some := false
	for _, s := range shells {
		if s.Sysroot != "" {
			some = true
			testActs(t, openActing(t, Namespaces, s), false)
		}
	}
	if !some {
		t.Skip("not run: no shell has a root of its own")
	}
}

func TestActsInContainer(t *testing.T) {
	testActs(t, openActing(t, Containers, imaged(t)), false)
}

// BenchmarkActs is what requests cost in a home that acts.
func BenchmarkActs(b *testing.B) {
	h := openActing(b, Namespaces, hostShell(b))
	for _, text := range []string{"vim x", "timeout 5 vim x", "bash -c 'vim x'"} {
		for _, pty := range []bool{false, true} {
			r := request(text)
			r.PTY = pty
			b.Run(fmt.Sprintf("%s/pty=%v", text, pty), func(b *testing.B) {
				var cpu time.Duration
				for b.Loop() {
					cpu += run(b, h, r)[0].CPU
				}
				b.ReportMetric(float64(cpu.Microseconds())/float64(b.N), "us-cpu/op")
			})
		}
	}
}
