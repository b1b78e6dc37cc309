package group

// Arrange puts commands into groups of at most size members, alike in size, and
// returns those, each as the indexes of its members in the order of their
// script, with the commands that stay alone.
//
// Those which make files come last, and among them those that do not look at what
// is there behind one that does: that saves the removal of files between them.
func Arrange(traits []Trait, size int) (groups [][]int, alone []int) {
	var plain, lookers, writers []int
	for i, t := range traits {
		switch {
		case size <= 1 || t.Manner == Alone:
			alone = append(alone, i)
		case len(t.Writes) == 0:
			plain = append(plain, i)
		case t.Looks:
			lookers = append(lookers, i)
		default:
			writers = append(writers, i)
		}
	}
	n := len(plain) + len(lookers) + len(writers)
	if n == 0 {
		return nil, alone
	}
	// Each group gets its share of each kind.
	for parts, k := (n+size-1)/size, 0; k < parts; k++ {
		share := func(list []int) []int { return list[k*len(list)/parts : (k+1)*len(list)/parts] }
		members := append([]int(nil), share(plain)...)
		l, w := share(lookers), share(writers)
		for i, m := range l {
			members = append(append(members, m), w[i*len(w)/len(l):(i+1)*len(w)/len(l)]...)
		}
		if len(l) == 0 {
			members = append(members, w...)
		}
		groups = append(groups, members)
	}
	return groups, alone
}
