package coll

// binomial is a binomial tree of all ranks, which are numbered from its root on: one whose number v ends in k
// zero bits has k children, whose numbers are greater by powers of two.
type binomial struct {
	size, root int
	v          int // this rank's number
}

func (x *exchange) binomial(root int) binomial {
	return binomial{x.size, root, (x.rank - root + x.size) % x.size}
}

// rank is the rank with a number.
func (b binomial) rank(v int) int { return (v + b.root) % b.size }

// parent is the rank above this one, which is not the root.
func (b binomial) parent() int { return b.rank(b.v & (b.v - 1)) }

// below is how many ranks hang below the one with number v, itself included.
func (b binomial) below(v int) int {
	n := b.size
	if v != 0 {
		n = v & -v
	}
	return min(n, b.size-v)
}
