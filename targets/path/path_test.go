package path

import (
	"errors"
	"strings"
	"testing"

	"github.com/argvdiff/argvdiff/targets/quote"
)

var site = Site{Shell: "bash", CwdFile: "/tmp/cwd"}

// The exact bytes of the public write-up of the sandbox route.
func TestDeliver(t *testing.T) {
	const command = `echo 'a!b'`
	const wrapper = `eval 'echo '"'"'a!b'"'"'' < /dev/null && pwd -P >| /tmp/cwd`
	for _, test := range []struct{ path, text string }{
		{"argv", command},
		{"posix-eval", wrapper},
		{"ansi-c-eval", `eval -- $'echo \'a!b\''`},
		{"sandbox@1.10.0", `bash -c "eval 'echo '\"'\"'a\!b'\"'\"'' < /dev/null && pwd -P >| /tmp/cwd"`},
		{"sandbox@1.11.0", `bash -c 'eval '"'"'echo '"'"'"'"'"'"'"'"'a!b'"'"'"'"'"'"'"'"''"'"' < /dev/null && pwd -P >| /tmp/cwd'`},
		{"sandbox-fixed/posix", `bash -c 'eval '"'"'echo '"'"'"'"'"'"'"'"'a!b'"'"'"'"'"'"'"'"''"'"' < /dev/null && pwd -P >| /tmp/cwd'`},
		{"sandbox-fixed/dq", `bash -c "eval 'echo '\"'\"'a!b'\"'\"'' < /dev/null && pwd -P >| /tmp/cwd"`},
	} {
		p, ok := Lookup(test.path)
		if !ok {
			t.Errorf("no path %s", test.path)
			continue
		}
		d, err := p.Deliver([]byte(command), site)
		if err != nil {
			t.Errorf("%s: %v", test.path, err)
			continue
		}
		if len(d.Argv) != 3 || string(d.Argv[0]) != "bash" || string(d.Argv[1]) != "-c" || string(d.Argv[2]) != test.text {
			t.Errorf("%s: argv %q\nwant text %q", test.path, d.Argv, test.text)
		}
		if last := d.Layers[len(d.Layers)-1]; string(last.Text) != test.text || string(d.Layers[0].Text) != command {
			t.Errorf("%s: layers %q", test.path, d.Layers)
		}
	}
}

func TestDeliverPayloads(t *testing.T) {
	payloads := [][]byte{[]byte("a!b"), []byte(""), []byte("it's")}
	for _, test := range []struct {
		path  string
		words []string
		text  string
	}{
		{"quote:posix", nil, `probe 'a!b' '' 'it'"'"'s'`},
		{"quote:shell-quote@1.7.3", nil, `probe a\!b  "it's"`},
		{"quote:printf-q", []string{`a\!b`, `''`, `it\'s`}, `probe a\!b '' it\'s`},
		{"argv", nil, `probe 'a!b' '' 'it'"'"'s'`},
	} {
		p, ok := Lookup(test.path)
		if !ok {
			t.Errorf("no path %s", test.path)
			continue
		}
		var words [][]byte
		for _, w := range test.words {
			words = append(words, []byte(w))
		}
		d, err := p.DeliverPayloads(payloads, words, site)
		if err != nil || string(d.Argv[2]) != test.text {
			t.Errorf("%s: %q, %v; want %q", test.path, d.Argv, err, test.text)
		}
	}
	p, _ := Lookup("sandbox@1.8.3")
	if _, err := p.DeliverPayloads([][]byte{{0xff}}, nil, site); !errors.Is(err, quote.ErrRefused) {
		t.Errorf("not UTF-8, and yet %v", err)
	}
	if q, _ := Lookup("quote:posix"); q.TakesCommands() {
		t.Error("a quoter carries commands")
	} else if _, err := q.Deliver([]byte("probe"), site); err == nil {
		t.Error("a quoter carried a command")
	}
}

func TestAll(t *testing.T) {
	names := make(map[string]bool)
	for _, p := range All {
		if names[p.Name] {
			t.Errorf("%s is listed twice", p.Name)
		}
		names[p.Name] = true
		if p.Doc == "" || strings.HasSuffix(p.Doc, ".") || strings.Contains(p.Doc, "\n") {
			t.Errorf("%s: documentation %q", p.Name, p.Doc)
		}
		if p.Reading != nil {
			if p.Reference != p.Reading.Oracle || p.Aside == "" || !strings.HasPrefix(p.Name, p.Family) {
				t.Errorf("%s: reference %q, family %q, aside %q", p.Name, p.Reference, p.Family, p.Aside)
			}
			continue
		}
		if p.Reference != Payload && p.Reference != Prediction && (p.TakesCommands() || p.TakesSessions()) {
			if r, ok := Lookup(p.Reference); !ok || !r.TakesCommands() {
				t.Errorf("%s: reference %q", p.Name, p.Reference)
			}
		} else if p.Reference != Payload && p.Reference != Prediction {
			t.Errorf("%s: reference %q", p.Name, p.Reference)
		}
		if !strings.HasPrefix(p.Name, p.Family) || strings.Contains(p.Family, "@") {
			t.Errorf("%s: family %q", p.Name, p.Family)
		}
		if got, ok := Lookup(p.Name); !ok || got.Name != p.Name {
			t.Errorf("Lookup(%q) = %q, %v", p.Name, got.Name, ok)
		}
	}
	for _, name := range []string{"sandbox@1.7.1", "sandbox@1.9.0/L3", "quote:shell-quote@1.8.1", "pty-histoff/C", "pty/de_DE.UTF-8", "pty-noediting/C/vt100"} {
		if p, ok := Lookup(name); !ok || p.Name != name {
			t.Errorf("Lookup(%q) = %q, %v", name, p.Name, ok)
		}
	}
	for _, name := range []string{"", "sandbox@", "sandbox@2.0.0", "sandbox@1.8.3/", "sandbox@1.8.3/L4", "quote:", "Argv", "pty-", "pty/", "pty-loud", "pty-noediting-histoff", "pty/C/x/y", "pty/C D", "source-file/C"} {
		if p, ok := Lookup(name); ok {
			t.Errorf("Lookup(%q) = %q", name, p.Name)
		}
	}
}

func TestSelect(t *testing.T) {
	count := func(list string) int {
		paths, err := Select(list)
		if err != nil {
			t.Errorf("Select(%q): %v", list, err)
		}
		return len(paths)
	}
	if n := count("all"); n != len(All) {
		t.Errorf("all are %d of %d", n, len(All))
	}
	if n := count(""); n != len(Default()) || n >= len(All) || n < 30 {
		t.Errorf("the default has %d paths", n)
	}
	if n := count("sandbox@1.8.3*, argv,argv"); n != 5 {
		t.Errorf("selected %d paths, want 5", n)
	}
	for _, list := range []string{"nonsense", "argv,", "x*", "sandbox@9*"} {
		var unknown *UnknownError
		if _, err := Select(list); !errors.As(err, &unknown) {
			t.Errorf("Select(%q): %v", list, err)
		}
	}
}

// Nesting more quotes leaves exactly one backslash before each ! once all of
// them are taken off; here only that every level carries the wrapper whole.
func TestLevels(t *testing.T) {
	before := 0
	for _, name := range []string{"sandbox@1.12.0", "sandbox@1.12.0/L1", "sandbox@1.12.0/L2", "sandbox@1.12.0/L3"} {
		p, _ := Lookup(name)
		d, err := p.Deliver([]byte("probe it's"), site)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(d.Argv[2]); n <= before {
			t.Errorf("%s: %d bytes, the level before has %d", name, n, before)
		} else {
			before = n
		}
		for _, word := range []string{"pwd -P", "/tmp/cwd", "probe it"} {
			if !strings.Contains(string(d.Argv[2]), word) {
				t.Errorf("%s: %q is missing", name, word)
			}
		}
	}
}

// The exact line of the modelled tool, and that of its alternative.
func TestType(t *testing.T) {
	site := Site{LineFile: "/tmp/line"}
	for _, test := range []struct {
		path, command string
		apart         bool
		line, file    string
	}{
		{"pty", `echo 'a!b'`, false, `printf '%s\n' $'__DSH_PERSISTENT_BASH_START_U__'; eval -- $'echo \'a!b\''; __dsh_persistent_bash_status=$?; printf '%s%s\n' $'__DSH_PERSISTENT_BASH_END_U:' "$__dsh_persistent_bash_status"`, ""},
		{"pty-noediting", "a\n\tb", true, `printf '%s\n' $'__DSH_PERSISTENT_BASH_START_U__'; (eval -- $'a\n` + "\t" + `b'); __dsh_persistent_bash_status=$?; printf '%s%s\n' $'__DSH_PERSISTENT_BASH_END_U:' "$__dsh_persistent_bash_status"`, ""},
		{"source-file", `echo 'a!b'`, false, `printf '%s\n' $'__DSH_PERSISTENT_BASH_START_U__'; . /tmp/line; __dsh_persistent_bash_status=$?; printf '%s%s\n' $'__DSH_PERSISTENT_BASH_END_U:' "$__dsh_persistent_bash_status"`, "echo 'a!b'"},
	} {
		p, _ := Lookup(test.path)
		l := p.Type([]byte(test.command), "U", test.apart, site)
		if string(l.Text) != test.line || string(l.Data) != test.file || (l.File != "") != (test.file != "") {
			t.Errorf("%s: %q with %q in %q", test.path, l.Text, l.Data, l.File)
		}
	}
}
