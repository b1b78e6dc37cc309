package gen

func guardStatementTable() table {
	return newTable(
		rule{96, "c-call", (*builder).guardCall},
		rule{20, "c-joined", (*builder).joined},
		rule{5, "c-wrapped", func(w *builder) { w.wrapped() }},
		rule{8, "c-shell", (*builder).shellCall},
		rule{4, "c-eval", func(w *builder) {
			w.add("eval ")
			if w.oneIn(3) {
				w.bareCall()
			} else {
				w.textForShell()
			}
		}},
		rule{2, "c-trap", func(w *builder) {
			w.add("trap ")
			w.textForShell()
			w.pick([]string{" EXIT", " EXIT", " 0", " INT"})
		}},
		rule{10, "c-group", (*builder).group},
		rule{7, "c-subshell", (*builder).subshell},
		rule{5, "c-negated", func(w *builder) { w.add("! "); w.statement() }},
		rule{5, "c-if", (*builder).choice},
		rule{5, "c-for", (*builder).each},
		rule{4, "c-loop", (*builder).once},
		rule{1, "c-counted", (*builder).while},
		rule{5, "c-case", (*builder).match},
		rule{5, "c-function", (*builder).defined},
		rule{3, "c-shadow", (*builder).shadow},
		rule{10, "c-document", (*builder).guardDocument},
		rule{4, "c-comment", (*builder).remarkLine},
		rule{5, "c-named", (*builder).named},
		rule{2, "c-assignment", (*builder).assignment},
		rule{3, "c-ending", (*builder).leaving},
		rule{3, "c-test", func(w *builder) {
			w.inquiry()
			w.pick([]string{" && ", " || ", "; ", "&&"})
			w.statement()
		}},
		rule{1, "c-coproc", func(w *builder) {
			w.add("coproc ")
			if w.oneIn(3) {
				w.group()
			} else {
				w.bareCall()
			}
		}},
		rule{2, "c-time", func(w *builder) { w.add("time "); w.pick([]string{"", "", "-p ", "! "}); w.statement() }},
	)
}

func guardFlatTable() table {
	return newTable(
		rule{10, "b-call", (*builder).bareCall},
		rule{3, "b-call-around", (*builder).guardCall},
		rule{1, "b-nothing", func(w *builder) { w.pick([]string{":", "true", "false"}) }},
	)
}

// joined appends two or three statements with an operator between them.
func (w *builder) joined() {
	w.guardCall()
	for range int("111112"[w.n(6)] - '0') {
		if w.mustLine {
			w.separate()
			w.statement()
			continue
		}
		w.choose(&operators)
		w.statement()
	}
}

// operators stand between two calls, with and without blanks.
var operators = newTable(
	rule{5, "o-pipe", func(w *builder) { w.spaced("|") }},
	rule{2, "o-pipe-both", func(w *builder) { w.spaced("|&") }},
	rule{4, "o-and", func(w *builder) { w.spaced("&&") }},
	rule{4, "o-or", func(w *builder) { w.spaced("||") }},
	rule{3, "o-background", func(w *builder) { w.spaced("&") }},
	rule{4, "o-end", func(w *builder) { w.spaced(";") }},
	rule{6, "o-line", func(w *builder) { w.separate() }},
)

func (w *builder) spaced(operator string) {
	if !w.oneIn(5) {
		w.put(' ')
	}
	w.add(operator)
	switch w.n(12) {
	case 0, 1:
	case 2:
		if len(w.docs) == 0 {
			w.put('\n')
			return
		}
		w.put(' ')
	case 3:
		w.add("  ")
	default:
		w.put(' ')
	}
}

// wrappers are programs and builtins that run the command behind them.
var wrappers = newTable(
	rule{4, "r-sudo", func(w *builder) {
		w.called("sudo")
		switch w.n(6) {
		case 0:
			w.add(" -u ")
			w.pick([]string{"root", "x"})
		case 1:
			w.pick([]string{" -n", " -E", " --user=root", " --", " -i"})
		}
	}},
	rule{6, "r-env", func(w *builder) {
		w.called("env")
		switch w.n(8) {
		case 0:
			w.add(" -u ")
			w.pick(settable)
		case 1:
			w.pick([]string{" -i", " -", " --", " -C ."})
		case 2:
			w.add(" -S")
		case 3, 4, 5:
			w.put(' ')
			w.plainAssignment()
		}
	}},
	rule{8, "r-timeout", func(w *builder) {
		w.called("timeout")
		switch w.n(6) {
		case 0:
			w.add(" -s ")
			w.pick([]string{"KILL", "INT", "9"})
		case 1:
			w.pick([]string{" --signal=", " -k"})
			w.pick([]string{"9", "1"})
		case 2:
			w.pick([]string{" --foreground", " -v"})
		}
		w.put(' ')
		w.pick([]string{"5", "1", "10", "0.5", "2"})
		w.pick([]string{"", "", "s", "s", "m", "h"})
	}},
	rule{2, "r-nice", func(w *builder) {
		w.called("nice")
		switch w.n(3) {
		case 0:
			w.add(" -n ")
			w.pickByte("1599")
		case 1:
			w.add(" -")
			w.pickByte("1599")
		}
	}},
	rule{2, "r-stdbuf", func(w *builder) {
		w.called("stdbuf")
		w.pick([]string{" -o", " -o ", " -i", " --output="})
		w.pickByte("L0")
	}},
	rule{2, "r-ionice", func(w *builder) {
		w.called("ionice")
		w.add(" -c")
		if w.oneIn(2) {
			w.put(' ')
		}
		w.pickByte("123")
	}},
	rule{3, "r-xargs", func(w *builder) {
		w.called("xargs")
		switch w.n(4) {
		case 0:
			w.add(" -n ")
			w.pickByte("12")
		case 1:
			w.pick([]string{" -I{}", " -0", " -r", " -t", " -o"})
		}
	}},
	rule{2, "r-doas", func(w *builder) { w.called("doas") }},
	rule{2, "r-nohup", func(w *builder) { w.called("nohup") }},
	rule{2, "r-setsid", func(w *builder) { w.called("setsid"); w.pick([]string{"", "", " -w"}) }},
	rule{2, "r-time", func(w *builder) { w.pick([]string{"time", "time", "\\time"}); w.pick([]string{"", "", " -p"}) }},
	rule{4, "r-command", func(w *builder) {
		w.called("command")
		w.pick([]string{"", "", " -v", " -p", " -V", " --"})
	}},
	rule{2, "r-exec", func(w *builder) {
		w.called("exec")
		if w.oneIn(4) {
			w.add(" -a ")
			w.operandName()
		}
	}},
	rule{3, "r-builtin", func(w *builder) { w.called("builtin") }},
	rule{3, "r-eval", func(w *builder) { w.called("eval") }},
)

// wrapped appends a call that another program or a builtin makes.
func (w *builder) wrapped() {
	switch w.n(14) {
	case 0, 1:
		w.called("find")
		w.put(' ')
		w.pick([]string{".", "x", "/dev/null", "f"})
		w.space()
		w.pick([]string{"-exec", "-exec", "-exec", "-ok", "-execdir"})
		w.space()
		w.bareCall()
		w.pick([]string{"", "", " {}"})
		w.pick([]string{` \;`, ` \;`, ` ';'`, ` +`, ` ";"`})
		return
	case 2:
		w.add("env")
		w.space()
		w.pick([]string{"-S", "-S ", "--split-string="})
		w.alike()
		return
	case 3:
		w.shellCall()
		return
	}
	w.choose(&wrappers)
	if w.oneIn(5) {
		w.put(' ')
		w.choose(&wrappers)
	}
	w.space()
	w.bareCall()
}

// shellCall appends a shell that is given a command as an argument.
func (w *builder) shellCall() {
	w.called(shells[w.n(len(shells))])
	w.space()
	if w.oneIn(12) {
		w.add("-")
		w.pickByte("eux")
		w.space()
	}
	w.pick([]string{"-c", "-c", "-c", "-c", "-c", "-lc", "-lc", "-ec", "-ic", "--", "--command"})
	w.space()
	w.textForShell()
	if w.oneIn(8) {
		w.guardArguments(1 + w.n(2))
	}
}
