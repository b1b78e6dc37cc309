package group

import "slices"

// Arrange puts commands into groups of at most size members and returns those,
// each as the indexes of its members in the order of their script, with the
// commands that stay alone.
//
// Files that a command leaves behind must be nobody else's business. So those
// which make files come last in their group, where no other one makes or names
// the same, and one that looks at the whole folder is the only one to make any.
func Arrange(traits []Trait, size int) (groups [][]int, alone []int) {
	var plain, writers, lookers []int
	for i, t := range traits {
		switch {
		case t.Manner == Alone:
			alone = append(alone, i)
		case len(t.Writes) == 0:
			plain = append(plain, i)
		case t.Globs:
			lookers = append(lookers, i)
		default:
			writers = append(writers, i)
		}
	}
	if size <= 1 {
		for i := range traits {
			if traits[i].Manner != Alone {
				alone = append(alone, i)
			}
		}
		slices.Sort(alone)
		return nil, alone
	}
	for len(plain) > 0 {
		// Equal groups: none is left over that is not worth its shell.
		n := len(plain) / ((len(plain) + size - 1) / size)
		groups = append(groups, slices.Clone(plain[:n]))
		plain = plain[n:]
	}
	made := make([][]int, len(groups)) // by group, those who make files
	for _, w := range writers {
		at := slices.IndexFunc(made, func(others []int) bool {
			return len(others) < size && !slices.ContainsFunc(others, func(o int) bool { return meet(traits[w], traits[o]) })
		})
		if at < 0 {
			groups, made = append(groups, nil), append(made, nil)
			at = len(groups) - 1
		}
		groups[at] = append(groups[at], w)
		made[at] = append(made[at], w)
	}
	for _, l := range lookers {
		at := slices.IndexFunc(made, func(others []int) bool { return len(others) == 0 })
		if at < 0 {
			alone = append(alone, l)
			continue
		}
		groups[at] = append(groups[at], l)
		made[at] = append(made[at], l)
	}
	slices.Sort(alone)
	return groups, alone
}

// meet reports whether one of two commands may see a file of the other.
func meet(a, b Trait) bool {
	return overlap(a.Writes, b.Writes) || overlap(a.Writes, b.Names) || overlap(a.Names, b.Writes)
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}
