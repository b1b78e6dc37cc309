package pty

import "testing"

func TestWrap(t *testing.T) {
	const want = `printf '%s\n' $'__DSH_PERSISTENT_BASH_START_u__'; eval -- $'echo \'a!b\''; __dsh_persistent_bash_status=$?; printf '%s%s\n' $'__DSH_PERSISTENT_BASH_END_u:' "$__dsh_persistent_bash_status"`
	if got := Wrap("echo 'a!b'", "u"); got != want {
		t.Errorf("%s", got)
	}
	for text, want := range map[string]string{
		"": "$''", `a\b`: `$'a\\b'`, "it's": `$'it\'s'`, "a\nb\r\n": `$'a\nb\r\n'`, "\t\x1b!é\xff": "$'\t\x1b!é\xff'", `\'`: `$'\\\''`,
	} {
		if got := Quote(text); got != want {
			t.Errorf("Quote(%q) = %q, want %q", text, got, want)
		}
	}
}
