package home

import (
	"fmt"
	"strings"
)

// An UnknownError names a shell that was not found.
type UnknownError struct {
	Name string
	// IDs are those that were found.
	IDs []string
}

func (e *UnknownError) Error() string { return fmt.Sprintf("unknown shell %q", e.Name) }

// Choose returns the shells of a list of ids, separated by commas, or with
// "all", or an empty list, every usable one and apart from them the others. A
// shell that is named and cannot be used is an error; one that is not there an
// *UnknownError.
func Choose(all []Candidate, list string) (usable []Shell, broken []Candidate, err error) {
	if list = strings.TrimSpace(list); list == "all" || list == "" {
		for _, c := range all {
			if c.Named && c.Reason != "" {
				return nil, nil, fmt.Errorf("the shell %s that $%s names cannot be used: %s", c.Path, ShellsVariable, c.Reason)
			}
			if c.Reason == "" {
				usable = append(usable, c.Shell)
			} else {
				broken = append(broken, c)
			}
		}
		if len(usable) == 0 {
			return nil, nil, fmt.Errorf("no shell that was found can be used; the first, %s: %s", all[0].Where(), all[0].Reason)
		}
		return usable, broken, nil
	}
	ids := make([]string, len(all))
	for i, c := range all {
		ids[i] = c.ID
	}
	for _, name := range strings.Split(list, ",") {
		name = strings.TrimSpace(name)
		found := false
		for _, c := range all {
			if c.ID != name {
				continue
			}
			if c.Reason != "" {
				return nil, nil, fmt.Errorf("the shell %s (%s) cannot be used: %s", c.ID, c.Where(), c.Reason)
			}
			usable, found = append(usable, c.Shell), true
		}
		if !found {
			return nil, nil, &UnknownError{name, ids}
		}
	}
	return usable, nil, nil
}
