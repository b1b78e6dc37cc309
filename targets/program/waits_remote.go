package program

import "strings"

var sshGrammar = grammarOf("b:c:e:i:k:l:m:o:p:B:D:E:F:I:J:L:O:P:Q:R:S:W:w:", "").ended()

func talkers(t *table) {
	t.addRule("ssh", rule{sshGrammar, ssh})
	t.addRule("telnet", rule{grammarOf("b:e:l:n:S:X:", "version help").ended(), prompts})
	t.add("ftp lftp ncftp", "e:u:p:c:f:P:N:o:q:r:s:T:w:x:", "version help", func(l line, on Terminals) bool {
		return prompts(l, on) && !l.has("-c", "-f") && !strings.Contains(strings.Join(l.operands, " "), "://")
	})
	// A batch is no talk, but where it comes from the terminal.
	t.add("sftp", "c:D:i:l:o:s:S:b:B:F:J:P:R:X:", "", func(l line, on Terminals) bool {
		batch, ok := l.value("-b")
		return on.In && !l.has("-h") && len(l.operands) > 0 && (!ok || batch == "-")
	})
	t.add("nslookup bluetoothctl", "", "version help", func(l line, on Terminals) bool { return prompts(l, on) && len(l.operands) == 0 })
	// Whether they know the person already is not theirs to say: they would ask.
	t.add("su", "c:s:g:G:w:T:", "command= session-command= shell= group= supp-group= whitelist-environment= version help login preserve-environment fast pty", func(l line, on Terminals) bool { return on.In && always(l, on) })
	t.add("passwd", "x:n:w:i:r:R:", "status delete lock unlock expire help all maxdays= mindays= warndays= inactive= repository= root= quiet stdin", func(l line, on Terminals) bool {
		return on.In && !l.has("-h", "--help", "-S", "--status", "-d", "--delete", "-l", "--lock", "-u", "--unlock", "-e", "--expire", "-x", "--maxdays", "-n", "--mindays", "-w", "--warndays", "-i", "--inactive", "--stdin")
	})
	t.add("crontab", "u:c:", "", func(l line, on Terminals) bool {
		return l.has("-e") || on.In && !l.has("-l", "-r", "-V", "-h") && script(l) == ""
	})
	t.add("visudo", "f:x:", "check export= file= help version quiet strict", func(l line, on Terminals) bool {
		return always(l, on) && !l.has("-c", "--check", "-x", "--export")
	})
	t.add("vipw vigr sudoedit chfn chsh", "u:g:s:", "version help", always)
	// It asks for a file and for a pass phrase that are not given.
	t.add("ssh-keygen", "a:b:C:D:E:F:f:I:m:M:N:n:O:P:R:r:s:t:V:w:Y:z:Z:", "", func(l line, on Terminals) bool {
		return on.In && !l.has("-l", "-y", "-R", "-F", "-e", "-i", "-H", "-A", "-Y", "-Q", "-k", "-s", "-B", "-r", "-L", "-D", "-?") && !(l.has("-f") && l.has("-N"))
	})
}

// ssh waits where no command is given. -N holds a connection without end; -f gives
// the terminal back. With -t, a command has the terminal for its own.
func ssh(l line, on Terminals) bool {
	if len(l.operands) > 0 { // options may stand behind the host, too
		more := sshGrammar.read(l.operands[1:])
		if l.behind == len(l.operands) {
			more = line{operands: l.operands[1:]}
		}
		l.options = append(l.options[:len(l.options):len(l.options)], more.options...)
		l.operands = append(l.operands[:1:1], more.operands...)
	}
	switch {
	case len(l.operands) == 0 || l.has("-V", "-G", "-Q", "-O", "-f"):
		return false
	case l.has("-N"):
		return true
	case l.has("-n"):
		return false
	case len(l.operands) == 1:
		return on.In
	case l.has("-s") || !on.In || !l.has("-t"):
		return false
	}
	text := strings.Join(l.operands[1:], " ")
	for _, part := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(";&|\n", c) }) {
		if Waits(strings.Fields(part), on) != "" {
			return true
		}
	}
	return false
}
