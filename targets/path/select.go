package path

import (
	"fmt"
	"strings"
)

// Default are the paths that are used where none are named.
func Default() []Path {
	var some []Path
	for _, p := range All {
		if p.Aside == "" {
			some = append(some, p)
		}
	}
	return some
}

// Split parts paths that carry commands from those that carry sessions, those that
// carry payloads only and those that read commands.
func Split(paths []Path) (commands, sessions, payloads, readings []Path) {
	for _, p := range paths {
		switch {
		case p.Reading != nil:
			readings = append(readings, p)
		case p.TakesCommands():
			commands = append(commands, p)
		case p.TakesSessions():
			sessions = append(sessions, p)
		default:
			payloads = append(payloads, p)
		}
	}
	return commands, sessions, payloads, readings
}

// An UnknownError names a path that does not exist.
type UnknownError struct {
	Name string
	// Names are those that exist.
	Names []string
}

func (e *UnknownError) Error() string { return fmt.Sprintf("unknown path %q", e.Name) }

// Select returns the paths of a list of names, separated by commas, in which *
// stands for any text and all for every path. An empty list means Default. The
// error is an *UnknownError.
func Select(list string) ([]Path, error) {
	if strings.TrimSpace(list) == "" {
		return Default(), nil
	}
	var chosen []Path
	have := make(map[string]bool)
	add := func(p Path) {
		if !have[p.Name] {
			have[p.Name] = true
			chosen = append(chosen, p)
		}
	}
	for _, name := range strings.Split(list, ",") {
		name = strings.TrimSpace(name)
		if p, ok := Lookup(name); ok {
			add(p)
			continue
		}
		found := false
		var names []string
		for _, p := range All {
			names = append(names, p.Name)
			if name == "all" || (strings.Contains(name, "*") && Matches(name, p.Name)) {
				found = true
				add(p)
			}
		}
		if !found {
			return nil, &UnknownError{name, names}
		}
	}
	return chosen, nil
}

// Matches reports whether name is as the pattern says, in which * stands for
// any text.
func Matches(pattern, name string) bool {
	head, rest, ok := strings.Cut(pattern, "*")
	if !ok {
		return pattern == name
	}
	if !strings.HasPrefix(name, head) {
		return false
	}
	name = name[len(head):]
	for i := range len(name) + 1 {
		if Matches(rest, name[i:]) {
			return true
		}
	}
	return false
}
