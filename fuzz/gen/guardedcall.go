package gen

// operands are words that mean themselves to a shell.
var operands = []string{
	"x", "x", "f", "f", "a", "b", "c", "f.txt", "s.py", "a.sql", "q", "k", "README", "HEAD", "HEAD^", ".", "{}", "host", "u@h",
	"db", "root", "-", "1", "5", "22", "80", "0", "s", "m", "GET", "it", "/", "a/b", "./x", "5s", "1m", "0.5",
}

// shortOptions and longOptions are options of some programs.
var shortOptions = []string{
	"-c", "-e", "-i", "-i", "-i", "-p", "-p", "-f", "-f", "-h", "-u", "-n", "-F", "-b", "-m", "-x", "-t", "-it", "-v", "-C", "-s", "-n1",
	"-a", "-l", "-q", "-d", "-S", "-V", "-L", "-B", "-rf", "-xvf", "-ic",
}

var longOptions = []string{
	"--version", "--help", "--batch", "-batch", "--patch", "--interactive", "--interactive", "--follow", "--eval", "--file",
	"--command", "--check", "--filter", "--init", "--user", "--tail", "--message",
}

// telling are options of which the subjects tell by one whether they wait.
var telling = []string{
	"-i", "-i", "-i", "-p", "-p", "-f", "-f", "--interactive", "--patch", "--follow", "-F", "-it", "-m", "-n", "-t", "--tail",
	"--follow=name",
}

func (w *builder) operandName() { w.pick(operands) }

// option appends an option: alone, with its value attached, behind = or as the next word.
func (w *builder) option() {
	switch w.n(12) {
	case 0, 1, 2, 3, 4, 5, 6:
		w.pick(shortOptions)
	case 7, 8:
		w.pick(longOptions)
	case 9:
		w.pick(shortOptions)
		if w.oneIn(2) {
			w.put(' ')
		}
		w.choose(&w.rules.plain)
	case 10:
		w.pick(longOptions)
		w.pickByte("= =")
		w.pick([]string{"x", "name", "1", "f"})
	default:
		w.pick([]string{"--", "-", "-1", "-5", "--"})
	}
}

// guardWordTable holds the arguments of calls.
func guardWordTable() table {
	return newTable(
		rule{60, "u-plain", func(w *builder) { w.choose(&w.rules.plain) }},
		rule{5, "u-substitution", (*builder).guardSubstitution},
		rule{3, "u-in-double", func(w *builder) {
			w.put('"')
			if w.oneIn(4) {
				w.operandName()
				w.put(' ')
			}
			w.guardSubstitution()
			if w.oneIn(4) {
				w.operandName()
			}
			w.put('"')
		}},
		rule{3, "u-backquotes", (*builder).backquotes},
		rule{1, "u-in-default", func(w *builder) { w.add("${x:-"); w.guardSubstitution(); w.put('}') }},
		rule{1, "u-in-arithmetic", func(w *builder) {
			w.add("$((")
			w.pick([]string{"1+", "", "2 * ", "! "})
			w.guardSubstitution()
			w.add("))")
		}},
		rule{2, "u-process", func(w *builder) {
			w.add("<(") // a program behind >( might wait for the shell, and the shell for it
			w.nested()
			w.put(')')
		}},
		rule{5, "u-alike", (*builder).alike},
		rule{2, "u-other", func(w *builder) { w.choose(&grammarWords) }},
	)
}

// grammarWords are words as other commands have them.
var grammarWords = newTable(
	rule{3, "u-single", (*builder).single},
	rule{3, "u-double", (*builder).doubleFlat},
	rule{2, "u-ansi-c", (*builder).ansiC},
	rule{2, "u-escaped", (*builder).escaped},
	rule{2, "u-extended", (*builder).extended},
)

// guardPlainTable holds the arguments that run nothing.
func guardPlainTable() table {
	return newTable(
		rule{34, "v-operand", (*builder).operandName},
		rule{20, "v-option", (*builder).option},
		rule{10, "v-styled", func(w *builder) { w.styled(operands[w.n(len(operands))]) }},
		rule{4, "v-styled-option", func(w *builder) { w.styled(shortOptions[w.n(len(shortOptions))]) }},
		rule{18, "v-variable", (*builder).read},
		rule{7, "v-quoted", func(w *builder) { w.choose(&w.rules.quoted) }},
		rule{2, "v-glob", func(w *builder) { w.pick([]string{"*", "*.py", "?", "[fg]", "f*", "~", "/*"}) }},
		rule{2, "v-braces", func(w *builder) {
			w.put('{')
			w.operandName()
			w.put(',')
			w.pick(operands[:6])
			w.put('}')
		}},
		rule{2, "v-empty", func(w *builder) { w.pick([]string{"''", `""`, "$''"}) }},
		rule{2, "v-assignment", (*builder).plainAssignment},
		rule{3, "v-program", func(w *builder) { w.pick(waiting) }},
	)
}

// guardQuotedTable holds words in quotes that are one word whatever they hold.
func guardQuotedTable() table {
	return newTable(
		rule{4, "k-single", func(w *builder) { w.put('\''); w.phraseFor(); w.put('\'') }},
		rule{4, "k-double", func(w *builder) { w.put('"'); w.phraseFor(); w.put('"') }},
		rule{3, "k-variable", func(w *builder) { w.add("\"$"); w.pick(settable); w.put('"') }},
		rule{2, "k-mixed", func(w *builder) {
			w.put('"')
			w.phraseFor()
			w.put('$')
			w.pick(settable)
			w.put('"')
		}},
	)
}

// phraseFor appends a few words inside quotes.
func (w *builder) phraseFor() {
	for i := range 1 + int("0111223"[w.n(7)]-'0') {
		if i > 0 {
			w.pick([]string{" ", " ", " ", " ", "; ", " | ", " & ", "=", " #", "|", "("})
		}
		if w.oneIn(3) {
			w.pick(waiting)
		} else {
			w.operandName()
		}
	}
}

// guardSubstitution appends $(...).
func (w *builder) guardSubstitution() {
	w.add("$(")
	if w.oneIn(3) {
		w.pick([]string{"echo", "true", "printf", "cat", "ls", "x"})
		if w.oneIn(2) {
			w.put(' ')
			w.operandName()
		}
	} else {
		w.nested()
	}
	w.put(')')
}

// plainAssignment appends an assignment whose value runs nothing.
func (w *builder) plainAssignment() {
	w.pick([]string{"A", "B", "FOO", "x", "EDITOR", "GIT_EDITOR", "PAGER", "TERM"})
	w.put('=')
	switch w.n(8) {
	case 0:
	case 1, 2:
		w.operandName()
	case 3:
		w.put('$')
		w.pick(settable)
	case 4:
		w.pick(waiting)
	default:
		w.choose(&w.rules.quoted)
	}
}

// assignment appends an assignment before a call, or as one.
func (w *builder) assignment() {
	if w.leaf() || !w.oneIn(8) {
		w.plainAssignment()
		return
	}
	w.pick([]string{"A", "x", "FOO"})
	w.put('=')
	w.guardSubstitution()
}

// guardArguments appends k words, each with the blank before it.
func (w *builder) guardArguments(k int) {
	for range k {
		w.space()
		w.word()
	}
}

// bareCall appends the words of a call.
func (w *builder) bareCall() {
	switch w.n(20) {
	case 0, 1, 2, 3:
		w.called(calm[w.n(len(calm))])
		if w.oneIn(5) && !w.leaf() {
			w.put(' ')
			w.alike()
		}
		w.guardArguments(int("00111122"[w.n(8)] - '0'))
	case 4, 5, 6, 7, 8:
		w.subject()
	case 9:
		w.indirect()
		w.guardArguments(w.n(3))
	default:
		w.called(waiting[w.n(len(waiting))])
		w.guardArguments(int("0001111122"[w.n(10)] - '0'))
	}
}

// subject appends a call in which the words behind the program decide.
func (w *builder) subject() {
	s := &subjects[w.n(len(subjects))]
	w.called(s.name)
	if w.oneIn(12) {
		w.put(' ')
		w.option()
	}
	if s.subs != nil {
		w.put(' ')
		sub := s.subs[w.n(len(s.subs))]
		if w.oneIn(4) {
			w.styled(sub)
		} else {
			w.add(sub)
		}
	}
	switch w.n(4) {
	case 0:
	case 1:
		w.space()
		w.option()
	default:
		w.put(' ')
		w.pick(telling)
	}
	if w.oneIn(6) {
		w.put(' ')
		w.read()
	}
	w.guardArguments(int("0011112"[w.n(7)] - '0'))
}

// indirect appends a first word of which the program comes out only when it is expanded.
func (w *builder) indirect() {
	switch w.n(6) {
	case 0:
		w.add("$(echo ")
		w.pick(waiting)
		w.put(')')
	case 1:
		w.put('`')
		w.add("echo ")
		w.pick(waiting)
		w.put('`')
	case 2:
		w.add("${EDITOR:-")
		w.pick(waiting)
		w.put('}')
	default:
		w.read()
	}
}

// guardCall appends one call with what may stand around it.
func (w *builder) guardCall() {
	if w.oneIn(8) {
		w.assignment()
		w.space()
		if w.oneIn(6) {
			w.assignment()
			w.space()
		}
	}
	if w.oneIn(18) {
		w.guardRedirection()
		w.put(' ')
	}
	if !w.leaf() && w.oneIn(7) {
		w.wrapped()
	} else {
		w.bareCall()
	}
	if w.oneIn(7) {
		w.put(' ')
		w.guardRedirection()
		if w.oneIn(3) {
			w.guardArguments(1)
		}
	}
	if w.oneIn(26) && w.docBase == 0 {
		w.remarkFor()
	}
}

// guardRedirection appends a redirection of a call.
func (w *builder) guardRedirection() {
	switch w.n(12) {
	case 0, 1:
		w.pick([]string{"<", "< ", "0<"})
		w.pick([]string{"f", "s.py", "/dev/null", "$f", "\"$f\""})
	case 2:
		w.pick([]string{">", "> ", ">> ", "2>", "&>", ">|"})
		w.pick([]string{"f", "out", "/dev/null", "$f", "'a b'"})
	case 3:
		w.pick([]string{"2>&1", ">&2", "2>&-", "<&0", "3>&1"})
	case 4, 5, 6:
		w.pick([]string{"<<<", "<<< "})
		w.choose(&w.rules.plain)
	case 7:
		w.pick([]string{"<", "< "})
		w.add("<(")
		w.bareCall()
		w.put(')')
	default:
		w.pick([]string{"</dev/null", "< /dev/null", "2>/dev/null", ">/dev/null"})
	}
}

// remarkFor appends a comment in which there may stand what looks like a call.
func (w *builder) remarkFor() {
	w.pick([]string{" #", " # ", " #;", " # ; "})
	w.phraseFor()
	w.mustLine = true
}
