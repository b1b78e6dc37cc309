package gen

// settingTable holds commands that change how the shell reads or keeps the lines behind them.
func settingTable() table {
	return newTable(
		rule{6, "o-letter", func(w *builder) {
			w.add("set ")
			w.pickByte("-+")
			w.pickByte("HHHHHB")
		}},
		rule{6, "o-name", func(w *builder) {
			w.add("set ")
			w.pick([]string{"-o", "+o"})
			w.put(' ')
			w.pick([]string{"histexpand", "histexpand", "histexpand", "history", "emacs", "vi", "posix"})
		}},
		rule{6, "o-shopt", func(w *builder) {
			w.add("shopt ")
			w.pick([]string{"-s", "-s", "-u"})
			w.put(' ')
			w.pick([]string{"extglob", "extglob", "extglob", "histverify", "histreedit", "lithist", "nullglob"})
		}},
		rule{3, "o-history", func(w *builder) {
			w.add("history")
			w.pick([]string{" -c", " -c", " -d 1", " -d 2", " -s x"})
		}},
		rule{4, "o-variable", func(w *builder) {
			switch w.n(4) {
			case 0, 1:
				w.add("HISTCONTROL=")
				w.pick([]string{"ignorespace", "ignoredups", "ignoreboth", "erasedups"})
			case 2:
				w.add("HISTIGNORE=")
				w.pick([]string{"'*'", "'p*'", "'&'", "'*!*'", "s*"})
			default:
				w.add("HISTSIZE=")
				w.pickByte("0123")
			}
		}},
		rule{2, "o-characters", func(w *builder) {
			w.add("histchars=")
			w.pick([]string{"", "'@'", "'@^'", "'%^#'", "'!'", "x"})
		}},
	)
}

// endTable holds commands that end the shell, keep it waiting, or change what the markers around a command rely on.
func endTable() table {
	return newTable(
		rule{3, "n-exit", func(w *builder) { w.add("exit "); w.pick([]string{"0", "1", "3", "7", "255"}) }},
		rule{2, "n-replace", func(w *builder) { w.add("exec probe"); w.typedWords(1) }},
		rule{2, "n-read", func(w *builder) { w.pick([]string{"read ", "read -r "}); w.scalar() }},
		rule{2, "n-input", func(w *builder) { w.add("cat"); w.pick([]string{"", "", " -", "; "}) }},
		rule{2, "n-sleep", func(w *builder) { w.add("sleep "); w.pickByte("79") }},
		rule{2, "n-kill", func(w *builder) {
			w.add("kill -")
			w.pick([]string{"9", "9", "1", "15", "2"})
			w.add(" $$")
			w.asIs = true
		}},
		rule{2, "n-return", func(w *builder) { w.add("return "); w.pickByte("0125") }},
		rule{3, "n-redefine", func(w *builder) {
			if w.oneIn(4) {
				w.add("alias ")
				w.pick([]string{"printf", "eval", "echo"})
				w.put('=')
				w.pick([]string{"echo", "probe", ":"})
				return
			}
			w.pick([]string{"printf", "eval", "echo"})
			w.add("() { ")
			w.pick([]string{":", "probe \"$@\"", "false", "command printf x"})
			w.add("; }")
		}},
		rule{2, "n-silence", func(w *builder) {
			w.add("exec ")
			w.pick([]string{">/dev/null", ">/dev/null", "> f", "2>&1", "</dev/null", ">&-", "2>/dev/null"})
		}},
		rule{2, "n-terminal", func(w *builder) {
			w.add("stty ")
			w.pick([]string{"raw", "raw", "echo", "echo", "-icanon", "sane", "-isig", "-onlcr"})
		}},
		rule{2, "n-trap", func(w *builder) {
			w.add("trap ")
			w.quoted('\'')
			w.pick([]string{" DEBUG", " EXIT", " ERR", " INT"})
		}},
		rule{2, "n-trace", func(w *builder) {
			w.add("set ")
			w.pick([]string{"-x", "-v", "-xv", "-n", "-t", "-u", "-e"})
		}},
		rule{1, "n-prompt", func(w *builder) {
			w.pick([]string{"PS1=", "PS2=", "PROMPT_COMMAND="})
			w.pick([]string{"", "'$ '", "'> '", "probe"})
		}},
	)
}
