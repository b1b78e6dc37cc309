package program

import "strings"

func followers(t *table) {
	t.named["tail"] = tail
	t.named["gtail"] = tail
	t.named["journalctl"] = subject("journalctl -f", grammarOf("n::u:o:t:p:S:U:b::g:D:M:c:", "follow no-pager version help lines=? unit= user-unit= output= identifier= priority= since= until= boot=? grep= directory= machine= cursor= file= field= fields= list-boots vacuum-size= vacuum-time= vacuum-files= no-tail no-full quiet namespace= root= image= header disk-usage rotate flush sync update-catalog utc all full reverse"),
		func(l line, on Terminals) bool { return l.has("-f", "--follow") && always(l, on) })
	t.named["dmesg"] = subject("dmesg -w", grammarOf("f:l:s:n:F:", "follow follow-new facility= level= buffer-size= console-level= file= time-format= since= until= color=? version help"),
		func(l line, on Terminals) bool { return l.has("-w", "-W", "--follow", "--follow-new") && always(l, on) })
	t.named["systemctl"] = subject("systemctl edit", grammarOf("t:p:P:H:M:n:o:s:", "type= state= property= host= machine= lines= output= root= signal= user system global runtime full force stdin drop-in= no-pager version help"),
		func(l line, on Terminals) bool {
			return len(l.operands) > 1 && l.operands[0] == "edit" && !l.has("--stdin") && always(l, on)
		})
}

// subject reads calls that are reported under one name.
func subject(name string, g *optionGrammar, waits func(l line, on Terminals) bool) func([]string, Terminals) string {
	return func(argv []string, on Terminals) string {
		if waits(g.read(argv[1:]), on) {
			return name
		}
		return ""
	}
}

var tailGrammar = grammarOf("c:n:s:", "bytes= follow=? lines= max-unchanged-stats= pid= quiet silent retry sleep-interval= verbose zero-terminated help version debug")

// tail follows with -f, -F or --follow; with --pid only as long as another process
// lives, and a pipe only up to its end.
func tail(argv []string, on Terminals) string {
	args := argv[1:]
	if len(args) > 0 && len(args[0]) > 2 { // as tail -5f, in its first argument only
		if a := strings.TrimLeft(args[0][1:], "0123456789"); strings.ContainsRune("-+", rune(args[0][0])) && a != args[0][1:] {
			if a = strings.TrimLeft(a, "bcl"); a == "f" {
				args = append([]string{"-f"}, args[1:]...)
			}
		}
	}
	l := tailGrammar.read(args)
	if !l.has("-f", "-F", "--follow") || l.has("--help", "--version", "--pid") || !on.In && len(l.operands) == 0 {
		return ""
	}
	return "tail -f"
}
