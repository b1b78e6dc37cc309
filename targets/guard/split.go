package guard

import "strings"

// Split parts a command into segments as the hand-written splitter of the modelled
// guard does. It knows quotes, command substitutions and the operators ; | and &&;
// it takes newlines, a single &, groups, keywords, comments, redirections and
// here-documents for ordinary text.
func Split(text string) []string {
	type frame struct {
		single, double, backquote bool
	}
	var (
		segments       []string
		buffer         []rune
		stack          []frame
		single, double bool
	)
	end := func() {
		if s := strings.TrimSpace(string(buffer)); s != "" {
			segments = append(segments, s)
		}
		buffer = buffer[:0]
	}
	push := func(backquote bool) {
		end()
		stack = append(stack, frame{single, double, backquote})
		single, double = false, false
	}
	pop := func() {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		single, double = top.single, top.double
		end()
	}
	inside := func(backquote bool) bool { return len(stack) > 0 && stack[len(stack)-1].backquote == backquote }

	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		c := runes[i]
		next := rune(-1)
		if i+1 < len(runes) {
			next = runes[i+1]
		}
		switch {
		case single:
			buffer = append(buffer, c)
			single = c != '\''
		case c == '\\' && next >= 0:
			buffer = append(buffer, c, next)
			i++
		case c == '\'' && !double:
			single = true
			buffer = append(buffer, c)
		case c == '"':
			double = !double
			buffer = append(buffer, c)
		case c == '`' && inside(true):
			pop()
		case c == '`':
			push(true)
		case c == '$' && next == '(':
			push(false)
			i++
		case c == ')' && inside(false) && !double:
			pop()
		case !double && (c == ';' || c == '|'):
			end()
		case !double && c == '&' && next == '&':
			end()
			i++
		default:
			buffer = append(buffer, c)
		}
	}
	end()
	return segments
}
