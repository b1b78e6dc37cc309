package finding

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// A place is how a byte of a command is quoted.
type place uint8

// The places, in the order of contextNames.
const (
	none place = iota // operators, blanks, or no byte of the command
	single
	double
	ansiC
	bare
	escaped
	heredoc
	arith
	test
	param
	reserved
	comment
	unparsed
)

var contextNames = [...]string{
	"none", "single", "double", "ansi-c", "bare", "escaped", "heredoc",
	"arith", "test", "param", "reserved", "comment", "unparsed",
}

func (c place) String() string { return contextNames[c] }

// contextPhrases are the contexts in words, for the class of a finding.
var contextPhrases = map[string]string{
	"single":         "in single quotes",
	"double":         "in double quotes",
	"ansi-c":         "in $'...'",
	"bare":           "in a bare word",
	"escaped":        "behind a backslash",
	"heredoc":        "in a here-document",
	"arith":          "in arithmetic",
	"test":           "in [[ ]]",
	"param":          "in ${ }",
	"reserved":       "as a reserved word",
	"comment":        "in a comment",
	"unparsed":       "in text that does not parse",
	"none":           "outside any word",
	"event":          "where an event of the history comes in",
	"key":            "where a byte is a key of the terminal",
	"last-backslash": "behind a last line that is a backslash",
}

// special are the bytes of a command that mean something to a shell.
const special = "!$`\\\"'~*?[]{}();&|<>#="

// commandContext returns the context of the byte that a difference is about.
func commandContext(command []byte, d difference) string {
	contexts := contextsOf(command)
	if d.at >= 0 {
		if at := locate(command, contexts, d.value, d.at); at >= 0 {
			return contexts[at].String()
		}
	}
	// Nothing of the difference points into the command. A ! that is syntax is
	// a better guess than one that is data.
	first := -1
	for i, c := range command {
		if c != '!' {
			continue
		}
		switch contexts[i] {
		case reserved, arith, test, param, unparsed:
			return contexts[i].String()
		}
		if first < 0 {
			first = i
		}
	}
	if first < 0 {
		first = bytes.IndexAny(command, special)
	}
	if first < 0 {
		return none.String()
	}
	return contexts[first].String()
}

// pressesKey reports whether a line holds bytes that a terminal, or a line editor,
// takes as keys, whatever the quotes around them: control bytes, and what is no
// character.
func pressesKey(line []byte) bool {
	isKey := func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' || r == 0x7f }
	return bytes.IndexFunc(line, isKey) >= 0 || !utf8.Valid(line)
}

// locate finds the byte value[at] in the command: of its occurrences that stand
// in a context, the one whose surroundings are most like those in the value.
func locate(command []byte, contexts []place, value []byte, at int) int {
	best, bestScore := -1, -1
	for i, c := range command {
		if c != value[at] || contexts[i] == none {
			continue
		}
		// Of equals, a quoted byte is more easily damaged than a bare one.
		score := 0
		if contexts[i] != bare {
			score++
		}
		for k := 1; k <= 16 && k <= i && k <= at && command[i-k] == value[at-k]; k++ {
			score += 2
		}
		for k := 1; k <= 16 && i+k < len(command) && at+k < len(value) && command[i+k] == value[at+k]; k++ {
			score += 2
		}
		if score > bestScore {
			best, bestScore = i, score
		}
	}
	return best
}

// contextsOf returns the context of every byte of a command. In a command that
// the parser does not take, every byte is unparsed.
func contextsOf(command []byte) (contexts []place) {
	p := &painter{text: command, contexts: make([]place, len(command)), hdocs: make(map[*syntax.Word]bool)}
	refuse := func() []place {
		for i := range p.contexts {
			p.contexts[i] = unparsed
		}
		return p.contexts
	}
	defer func() {
		// The parser is written for text, and what comes here is any bytes.
		if recover() != nil {
			contexts = refuse()
		}
	}()
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true)).Parse(bytes.NewReader(command), "")
	if err != nil {
		return refuse()
	}
	syntax.Walk(file, p.visit)
	return p.contexts
}

// A painter marks the bytes of a command while it walks its syntax tree: what
// is further inside is painted over what is around it.
type painter struct {
	text     []byte
	contexts []place
	stack    []place
	hdocs    map[*syntax.Word]bool
}

func (p *painter) visit(n syntax.Node) bool {
	if n == nil {
		p.stack = p.stack[:len(p.stack)-1]
		return true
	}
	around := none
	if len(p.stack) > 0 {
		around = p.stack[len(p.stack)-1]
	}
	inside := around
	switch n := n.(type) {
	case *syntax.Comment:
		inside = comment
	case *syntax.CmdSubst, *syntax.ProcSubst:
		inside = none
	case *syntax.SglQuoted:
		inside = single
		if n.Dollar {
			inside = ansiC
		}
	case *syntax.DblQuoted:
		inside = double
	case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.LetClause:
		inside = arith
	case *syntax.TestClause:
		inside = test
	case *syntax.ParamExp:
		inside = param
	case *syntax.Redirect:
		if n.Hdoc != nil {
			p.hdocs[n.Hdoc] = true
		}
	case *syntax.Word:
		if p.hdocs[n] {
			inside = heredoc
		}
	case *syntax.ExtGlob:
		if around == none {
			p.paint(n, bare)
		}
	case *syntax.Stmt:
		if at := int(n.Position.Offset()); n.Negated && at < len(p.text) && p.text[at] == '!' {
			p.contexts[at] = reserved
		}
	case *syntax.Lit:
		if around == none {
			p.word(n)
		}
	}
	if inside != around {
		p.paint(n, inside)
	}
	p.stack = append(p.stack, inside)
	return true
}

func (p *painter) paint(n syntax.Node, c place) {
	from, to := p.span(n)
	for i := from; i < to; i++ {
		p.contexts[i] = c
	}
}

// word paints an unquoted part of a word.
func (p *painter) word(n *syntax.Lit) {
	from, to := p.span(n)
	for i := from; i < to; i++ {
		p.contexts[i] = bare
		if p.text[i] == '\\' && i+1 < to {
			p.contexts[i], p.contexts[i+1] = escaped, escaped
			i++
		}
	}
}

func (p *painter) span(n syntax.Node) (from, to int) {
	if !n.Pos().IsValid() || !n.End().IsValid() {
		return 0, 0
	}
	to = min(int(n.End().Offset()), len(p.text))
	return min(int(n.Pos().Offset()), to), to
}

// payloadContext says what a payload mixes, and whether it is damaged at its
// first byte or further inside.
func payloadContext(payloads [][]byte, d difference) string {
	mix := ""
	if i := d.element - 1; 0 <= i && i < len(payloads) {
		mix = mixOf(payloads[i])
	} else {
		// Which one it was cannot be told: a quoter adds least to the plainest.
		for _, p := range payloads {
			if m := mixOf(p); mix == "" || slices.Index(mixes, m) < slices.Index(mixes, mix) {
				mix = m
			}
		}
	}
	switch {
	case mix == "empty", d.at < 0:
		return mix
	case d.at == 0:
		return mix + " first"
	}
	return mix + " inside"
}

// mixes are what quoters tell payloads apart by, the one first to which they add
// least.
var mixes = []string{"plain", "with-blank", "with-quote", "empty"}

func mixOf(payload []byte) string {
	switch {
	case len(payload) == 0:
		return "empty"
	case bytes.IndexByte(payload, '\'') >= 0:
		return "with-quote"
	case strings.ContainsAny(string(payload), blanks):
		return "with-blank"
	}
	return "plain"
}

// blanks is the white space of JavaScript, by which shell-quote decides.
const blanks = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
