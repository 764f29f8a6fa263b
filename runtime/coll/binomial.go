package coll

import "gompi/runtime/datatype"

// binomial is a binomial tree of all ranks, which are numbered from its root on: one whose number v ends in k
// zero bits has k children, whose numbers are greater by powers of two.
type binomial struct {
	size, root int
	v          int // this rank's number
}

func (t *Team) binomial(root int) binomial {
	return binomial{t.size, root, (t.rank - root + t.size) % t.size}
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

// down passes data down a binomial tree. part is what is for the n ranks from number v on.
func (t *Team) down(b binomial, part func(v, n int) datatype.Buffer) {
	if b.v != 0 {
		t.recv(part(b.v, b.below(b.v)), b.parent())
	}
	mask := 1
	for mask < b.size && b.v&mask == 0 {
		mask <<= 1
	}
	for mask >>= 1; mask > 0; mask >>= 1 {
		if child := b.v + mask; child < b.size {
			t.send(part(child, b.below(child)), b.rank(child))
		}
	}
}
