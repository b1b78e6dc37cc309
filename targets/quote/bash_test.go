package quote

import (
	"bytes"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// shell is the bash on PATH.
type shell struct {
	path         string
	major, minor int
}

// findShell skips the test where there is no bash.
func findShell(t *testing.T) shell {
	t.Helper()
	path, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("not run: no bash on PATH; put one there")
	}
	s := shell{path: path}
	out, _ := s.run(t, "C", `printf %s "${BASH_VERSINFO[0]} ${BASH_VERSINFO[1]}"`)
	if _, err := fmt.Sscan(out, &s.major, &s.minor); err != nil {
		t.Fatalf("version of %s: %q: %v", path, out, err)
	}
	return s
}

func (s shell) has(version string) bool {
	var major, minor int
	fmt.Sscanf(version, "%d.%d", &major, &minor)
	return s.major > major || s.major == major && s.minor >= minor
}

// run gives text to bash -c in an empty folder, with nothing on PATH to run.
func (s shell) run(t *testing.T, locale, text string, args ...string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(s.path, append([]string{"-c", text, "bash"}, args...)...)
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"LC_ALL=" + locale, "PATH=/nonexistent", "HOME=/nonexistent", "PWD=" + cmd.Dir}
	var out, diag bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diag
	if err := cmd.Run(); err != nil {
		if _, ok := err.(*exec.ExitError); !ok {
			t.Fatal(err)
		}
	}
	return out.String(), diag.String()
}

// expand returns what the shell makes of the words, which stand behind a
// command as its arguments.
func (s shell) expand(t *testing.T, locale, words string) []string {
	t.Helper()
	// printf applies its format once where no argument is left, so that a word
	// that vanishes would look like an empty one. The first argument is ours.
	out, diag := s.run(t, locale, `printf '%s\0' first `+words)
	if diag != "" {
		t.Logf("stderr: %s", diag)
	}
	got := splitNUL(out)
	if len(got) == 0 || got[0] != "first" {
		return nil
	}
	return got[1:]
}

func splitNUL(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\x00"), "\x00")
}

// eachByte holds every byte alone and embedded.
func eachByte() (payloads []string) {
	for c := 1; c < 256; c++ {
		b := string([]byte{byte(c)})
		payloads = append(payloads, b, "a"+b+"7", "'"+b+" ", b+b)
	}
	return payloads
}

// awkward holds texts at which quoters have gone wrong.
var awkward = []string{
	"", "-n", "--", "~", "~root", "a~", "a=~", "PATH=x:~", "#", "#c", "a#b", "a b", "it's", "'''", `"`, `'"'`,
	"!", "!!", "a!b", "it's!", `\`, `\\`, `a\`, `\'`, `\ `, `\!'`, "$x", "${x}", "$(:)", "`:`", "$'a'",
	"a\nb", "\n", "a\r\n", "a\tb", "*", "?", "[a]", "{a,b}", "{1..3}", "a;b", "a&b", "a|b", "(a)", "<", ">",
	"<(:)", "C:\\dir", "C:$x", "`:`pwd``:`", "^a^b", "%1", "if", "x=1", "\x01\x7f", "\x017", "\x80\xff",
	"é", "日本", "😀", "\u00a0", "\u0085", "\u2028", "\ufeff", "e\u0301", "\xc3", "\xed\xa0\x80", "\xf0\x9f\x98",
	strings.Repeat("'", 300), strings.Repeat("a!'\n", 100),
}

// broken are the payloads, out of awkward and eachByte, that a quoter is known
// to get wrong in any bash. Nothing else may go wrong, and these must.
var broken = map[string][]string{
	// A word that starts with # is a comment and takes the rest of the line
	// with it, so these are asked alone. A tilde behind = in what looks like
	// an assignment expands.
	"go-shellquote": {"#", "##", "#c", "a=~", "PATH=x:~"},
}

var locales = []string{"C", "C.UTF-8"}

// A quoter that is thought to be right must carry every payload through a real
// shell.
func TestBash(t *testing.T) {
	sh := findShell(t)
	for _, name := range []string{
		"posix", "posix-backslash", "ansi-c", "ansi-c-octal",
		"go-shellquote", "mvdan-bash", "mvdan-posix", "shell-quote@1.12.0",
	} {
		q, _ := Lookup(name)
		for _, locale := range locales {
			t.Run(name+"/"+locale, func(t *testing.T) { testInBash(t, sh, locale, q) })
		}
	}
}

func testInBash(t *testing.T, sh shell, locale string, q Quoter) {
	var payloads []string
	suspects := map[string]bool{}
	var words []byte
	for _, p := range slices.Concat(eachByte(), awkward) {
		if slices.Contains(broken[q.Name()], p) {
			suspects[p] = true
			continue
		}
		word, err := q.Quote([]byte(p))
		switch {
		case err != nil && mayRefuse(q, p):
		case err != nil:
			t.Errorf("Quote(%q): %v", p, err)
		case locale == "C" && bytes.Contains(word, []byte(`\u`)) && strings.HasPrefix(q.Name(), "mvdan"):
			// The escape asks for a character that the C locale does not
			// have; what bash writes in its stead depends on the version.
		case bytes.Contains(word, []byte(`\u`)) && strings.HasPrefix(q.Name(), "mvdan") && !sh.has("4.2"):
			// No such escape before 4.2.
		default:
			payloads = append(payloads, p)
			words = append(append(words, ' '), word...)
		}
	}
	if len(payloads) < 300 {
		t.Fatalf("only %d payloads", len(payloads))
	}
	got := sh.expand(t, locale, string(words))
	if len(got) != len(payloads) {
		t.Errorf("%d words arrived, want %d", len(got), len(payloads))
	}
	for i := range min(len(got), len(payloads)) {
		if got[i] != payloads[i] {
			t.Errorf("%q arrived as %q", payloads[i], got[i])
		}
	}
	if len(suspects) != len(broken[q.Name()]) {
		t.Errorf("%d of the known failures are among the payloads, want %d", len(suspects), len(broken[q.Name()]))
	}
	for p := range suspects {
		word, err := q.Quote([]byte(p))
		if err != nil {
			t.Errorf("Quote(%q): %v", p, err)
		}
		if got := sh.expand(t, locale, string(word)); slices.Equal(got, []string{p}) {
			t.Errorf("%q is listed as broken and arrived whole", p)
		}
	}
}

func mayRefuse(q Quoter, p string) bool {
	_, model := q.(*ShellQuoteModel)
	return model && strings.ToValidUTF8(p, "") != p || q.Name() == "mvdan-posix"
}

// What is known to survive, and not to survive, in the releases of
// shell-quote.
var shellQuoteSurvival = map[string]struct{ right, wrong []string }{
	"1.4.0":  {[]string{"a", "a b", "it's", "a!b", "{a,b}"}, []string{"", "~", "a;b", "a>b", "it's!", "'(", `\ `}},
	"1.8.1":  {[]string{"a", "a b", "it's", "a!b", `a\b`}, []string{"", "~", "it's!", `\ `}},
	"1.8.2":  {[]string{"", "a b", "it's", `a\b`}, []string{"~", "it's!", `\ `}},
	"1.8.3":  {[]string{"", "a b", "it's", `a\b`, `\ `, "a~"}, []string{"~", "it's!", "~/x"}},
	"1.8.4":  {[]string{"", "a b", "it's", `a\b`, `\ `}, []string{"~", "it's!"}},
	"1.10.0": {[]string{"", "a b", "it's", `a\b`, `\ `, "~", "a!b"}, []string{"it's!", "!'"}},
	"1.11.0": {[]string{"", "~", "it's!", "!'", `\ `, "a!b"}, nil},
}

func TestBashShellQuoteHistory(t *testing.T) {
	sh := findShell(t)
	for _, version := range slices.Sorted(maps.Keys(shellQuoteSurvival)) {
		q := mustModel(t, version)
		survives := func(p string) bool {
			word, err := q.Quote([]byte(p))
			if err != nil {
				t.Fatal(err)
			}
			return slices.Equal(sh.expand(t, "C.UTF-8", string(word)), []string{p})
		}
		for _, p := range shellQuoteSurvival[version].right {
			if !survives(p) {
				t.Errorf("%s: %q does not survive", version, p)
			}
		}
		for _, p := range shellQuoteSurvival[version].wrong {
			if survives(p) {
				t.Errorf("%s: %q survives", version, p)
			}
		}
	}
}

// In class E the drive rule takes a backquote for a drive letter and leaves it
// live: the payload runs as a command.
func TestBashInjection(t *testing.T) {
	sh := findShell(t)
	for version, live := range map[string]bool{"1.6.1": false, "1.6.3": true, "1.7.2": true, "1.7.3": false} {
		word, err := mustModel(t, version).Quote([]byte("`:`pwd``:`"))
		if err != nil {
			t.Fatal(err)
		}
		_, diag := sh.run(t, "C", ": "+string(word))
		// bash tries to run a colon followed by what pwd printed.
		if ran := strings.Contains(diag, ":/"); ran != live {
			t.Errorf("%s: pwd ran = %v, want %v (stderr %q)", version, ran, live, diag)
		}
	}
}

// inShellBroken are the payloads that a quoter inside bash is known to get
// wrong, by version: the %q of 3.2 leaves a tilde alone wherever it expands.
var inShellBroken = map[string]map[string][]string{
	"3.2": {"printf-q": {"~", "~root", "a=~", "PATH=x:~"}},
}

// The quoters inside bash must answer words that give the payloads back, but
// for the known failures, which must still fail.
func TestBashInShell(t *testing.T) {
	sh := findShell(t)
	payloads := slices.Concat(eachByte(), awkward)
	for _, known := range inShellBroken {
		for name, list := range known {
			for _, p := range list {
				if !slices.Contains(payloads, p) {
					t.Errorf("known failure %q of %s is not among the payloads", p, name)
				}
			}
		}
	}
	for _, q := range AllInShell {
		for _, locale := range locales {
			t.Run(q.Name()+"/"+locale, func(t *testing.T) {
				if q.Since() != "" && !sh.has(q.Since()) {
					t.Skipf("not run: %s is bash %d.%d and %s came with %s", sh.path, sh.major, sh.minor, q.Name(), q.Since())
				}
				out, diag := sh.run(t, locale, q.Script(), payloads...)
				words := splitNUL(out)
				if len(words) != len(payloads) || diag != "" {
					t.Fatalf("%d words, want %d; stderr %q", len(words), len(payloads), diag)
				}
				got := sh.expand(t, locale, strings.Join(words, " "))
				if len(got) != len(payloads) {
					t.Errorf("%d words arrived, want %d", len(got), len(payloads))
				}
				known := inShellBroken[fmt.Sprintf("%d.%d", sh.major, sh.minor)][q.Name()]
				for i := range min(len(got), len(payloads)) {
					if whole := got[i] == payloads[i]; whole == slices.Contains(known, payloads[i]) {
						t.Errorf("%q arrived as %q by way of %q, known to fail: %v", payloads[i], got[i], words[i], whole)
					}
				}
				if out, diag := sh.run(t, locale, q.Script()); out != "" || diag != "" {
					t.Errorf("without arguments: stdout %q, stderr %q", out, diag)
				}
				if out, _ := sh.run(t, locale, q.Script(), ""); out != "''\x00" {
					t.Errorf("the empty argument gives %q", out)
				}
			})
		}
	}
}
