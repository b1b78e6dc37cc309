package quote

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// decode reads one shell word the way bash does, as far as the quoters that
// are checked with it need: quotes of all kinds, backslashes, and $'...' with
// the escapes \\ \' \n \r and three octal digits. It knows nothing of the
// quoters. A character that is live in a shell makes it fail.
func decode(word []byte) (payload []byte, ok bool) {
	s := string(word)
	for s != "" {
		var part string
		switch {
		case s[0] == '\'':
			part, s, ok = strings.Cut(s[1:], "'")
		case strings.HasPrefix(s, "$'"):
			part, s, ok = decodeAnsiC(s[2:])
		case s[0] == '"':
			part, s, ok = decodeDouble(s[1:])
		case s[0] == '\\':
			ok = len(s) > 1 && s[1] != '\n'
			if ok {
				part, s = s[1:2], s[2:]
			}
		default:
			ok = !strings.ContainsRune(" \t\n;&|<>()$`*?[]{}~#", rune(s[0]))
			part, s = s[:1], s[1:]
		}
		if !ok {
			return nil, false
		}
		payload = append(payload, part...)
	}
	return payload, len(word) > 0
}

func decodeDouble(s string) (part, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:], true
		case s[i] == '$' || s[i] == '`':
			return "", "", false
		case s[i] == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\", s[i+1]) >= 0:
			i++
		}
		b.WriteByte(s[i])
	}
	return "", "", false
}

func decodeAnsiC(s string) (part, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\'' {
			return b.String(), s[i+1:], true
		}
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch {
		case i >= len(s):
			return "", "", false
		case s[i] == '\\' || s[i] == '\'':
			b.WriteByte(s[i])
		case s[i] == 'n':
			b.WriteByte('\n')
		case s[i] == 'r':
			b.WriteByte('\r')
		case i+2 < len(s):
			code := 0
			for _, d := range []byte(s[i : i+3]) {
				if d < '0' || '7' < d {
					return "", "", false
				}
				code = code*8 + int(d-'0')
			}
			b.WriteByte(byte(code))
			i += 2
		default:
			return "", "", false
		}
	}
	return "", "", false
}

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		word, want string
		ok         bool
	}{
		{`'a'"'"'b'`, `a'b`, true},
		{`'a'\''b'`, `a'b`, true},
		{`$'\0017\\\'\n'`, "\x017\\'\n", true},
		{`"\"\!\$"`, `"\!$`, true},
		{`a\ b`, `a b`, true},
		{`''`, ``, true},
		{``, ``, false},
		{`'a`, ``, false},
		{`a b`, ``, false},
		{`$'\01'`, ``, false},
		{`$'\x01'`, ``, false},
		{`"$x"`, ``, false},
		{`a\`, ``, false},
	} {
		if got, ok := decode([]byte(c.word)); string(got) != c.want || ok != c.ok {
			t.Errorf("decode(%q) = %q, %v, want %q, %v", c.word, got, ok, c.want, c.ok)
		}
	}
}

// decodable names the quoters whose words the decoder must read back.
var decodable = []string{
	"posix", "posix-backslash", "ansi-c", "ansi-c-octal", "shell-quote@1.11.0", "shell-quote@1.12.0",
}

// FuzzQuoters checks what must hold for any payload without asking a shell.
func FuzzQuoters(f *testing.F) {
	for _, p := range awkward {
		f.Add([]byte(p))
	}
	for c := range 256 {
		f.Add([]byte{byte(c), '1'})
	}
	f.Add([]byte("a\x00b"))
	f.Fuzz(func(t *testing.T, payload []byte) {
		before := bytes.Clone(payload)
		for _, q := range All {
			checkQuoter(t, q, payload)
		}
		if !bytes.Equal(payload, before) {
			t.Fatalf("a quoter changed the payload %q to %q", before, payload)
		}
	})
}

func checkQuoter(t *testing.T, q Quoter, payload []byte) {
	word, err := q.Quote(payload)
	model, isModel := q.(*ShellQuoteModel)
	if err != nil {
		if !errors.Is(err, ErrRefused) {
			t.Errorf("%s: Quote(%q): %v does not wrap ErrRefused", q.Name(), payload, err)
		}
		may := strings.HasPrefix(q.Name(), "mvdan-") || isModel && !utf8.Valid(payload)
		if !may || word != nil {
			t.Errorf("%s: Quote(%q) = %q, %v", q.Name(), payload, word, err)
		}
		return
	}
	if isModel && !utf8.Valid(payload) {
		t.Errorf("%s: Quote(%q) takes what is not UTF-8", q.Name(), payload)
	}
	if len(word) == 0 && !(isModel && !model.empty && len(payload) == 0) {
		t.Errorf("%s: Quote(%q) is empty", q.Name(), payload)
	}
	if slices.Contains(decodable, q.Name()) {
		if got, ok := decode(word); !ok || !bytes.Equal(got, payload) {
			t.Errorf("%s: Quote(%q) = %q, which reads as %q, %v", q.Name(), payload, word, got, ok)
		}
	}
	if q.Name() == "ansi-c-octal" && bytes.ContainsFunc(word, func(r rune) bool { return r < ' ' || r == 0x7f || r == '!' }) {
		t.Errorf("%s: Quote(%q) = %q holds a control byte or !", q.Name(), payload, word)
	}
	twice, err := Append([]byte("x "), q, payload, payload)
	if want := "x " + string(word) + " " + string(word); err != nil || string(twice) != want {
		t.Errorf("%s: Append(%q twice) = %q, %v, want %q", q.Name(), payload, twice, err, want)
	}
}
