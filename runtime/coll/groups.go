package coll

import "math/bits"

// groups is how the ranks are arranged in a reduction: into a power of two of groups of one or two
// neighbouring ranks, each with one rank that holds the group's value. The order of groups is the order of
// their ranks.
type groups struct {
	pairs  int // the first 2*pairs ranks are in groups of two
	count  int // number of groups, a power of two
	levels int // its binary logarithm
	root   int // holds the value of its own group; -1 when there is none
}

func arrange(size, root int) groups {
	levels := bits.Len(uint(size)) - 1
	return groups{pairs: size - 1<<levels, count: 1 << levels, levels: levels, root: root}
}

// of is the group of a rank.
func (g groups) of(rank int) int {
	if rank < 2*g.pairs {
		return rank / 2
	}
	return rank - g.pairs
}

// holder is the rank that holds the value of a group.
func (g groups) holder(group int) int {
	if group >= g.pairs {
		return group + g.pairs
	}
	if g.root == 2*group+1 {
		return g.root
	}
	return 2 * group
}

// mate is the other rank in the group of rank, -1 when there is none.
func (g groups) mate(rank int) int {
	if rank < 2*g.pairs {
		return rank ^ 1
	}
	return -1
}
