package partition

import "math/bits"

// Tree is how the ranks are arranged in a reduction: into a power of two of groups of one or two
// neighbouring ranks, each with one rank that holds the group's value. The order of groups is the order of
// their ranks.
type Tree struct {
	Pairs  int // the first 2*Pairs ranks are in groups of two
	Count  int // number of groups, a power of two
	Levels int // its binary logarithm
	Root   int // holds the value of its own group; -1 when there is none
}

// TreeOf is the tree of size ranks.
func TreeOf(size, root int) Tree {
	levels := bits.Len(uint(size)) - 1
	return Tree{Pairs: size - 1<<levels, Count: 1 << levels, Levels: levels, Root: root}
}

// Of is the group of a rank.
func (g Tree) Of(rank int) int {
	if rank < 2*g.Pairs {
		return rank / 2
	}
	return rank - g.Pairs
}

// Holder is the rank that holds the value of a group.
func (g Tree) Holder(group int) int {
	if group >= g.Pairs {
		return group + g.Pairs
	}
	if g.Root == 2*group+1 {
		return g.Root
	}
	return 2 * group
}

// Mate is the other rank in the group of rank, -1 when there is none.
func (g Tree) Mate(rank int) int {
	if rank < 2*g.Pairs {
		return rank ^ 1
	}
	return -1
}

// Written reports whether the value of a rank is combined with a lower one first, and so overwritten.
func (g Tree) Written(rank int) bool {
	if rank < 2*g.Pairs {
		return rank&1 != 0
	}
	return g.Count == 1 || g.Of(rank)&1 != 0
}

// Combine goes through the tree: apply combines the value of rank in with that of rank inout, where the
// outcome stays. In the end it stands where the value of the last rank stood.
func (g Tree) Combine(apply func(in, inout int)) {
	last := func(group int) int {
		if group < g.Pairs {
			return 2*group + 1
		}
		return group + g.Pairs
	}
	for group := range g.Pairs {
		apply(2*group, 2*group+1)
	}
	for half := 1; half < g.Count; half <<= 1 {
		for group := 0; group < g.Count; group += 2 * half {
			apply(last(group+half-1), last(group+2*half-1))
		}
	}
}
