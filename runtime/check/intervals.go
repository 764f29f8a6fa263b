package check

import "math/rand/v2"

// intervals is stretches of memory that operations under way use, which may overlap: a treap by the address
// at which each begins. So what overlaps is found among as many as there are in the time of a few.
type intervals struct {
	root  *interval
	count uint64 // added so far
}

// interval is the memory [lo, hi) that a use consists of, or of which it uses parts.
type interval struct {
	use
	lo, hi      uintptr
	number      uint64 // tells those apart that begin at one address
	left, right *interval
	priority    uint32
	most        uintptr // the largest hi of this one and those below
	mostWritten uintptr // the same of those that are written to, 0 for none
}

// add adds memory of a use and returns it for remove.
func (t *intervals) add(lo, hi uintptr, of use) *interval {
	t.count++
	n := &interval{use: of, lo: lo, hi: hi, number: t.count, priority: rand.Uint32()}
	n.update()
	before, behind := t.root.split(n)
	t.root = merge(merge(before, n), behind)
	return n
}

// remove removes what add has returned.
func (t *intervals) remove(n *interval) { t.root = t.root.without(n) }

// overlapping is the first interval in order of addresses that has memory of [lo, hi) and is written to,
// unless reads count as well, and that matches; nil when there is none.
func (t *intervals) overlapping(lo, hi uintptr, reads bool, matches func(*interval) bool) *interval {
	return t.root.overlapping(lo, hi, reads, matches)
}

func (n *interval) overlapping(lo, hi uintptr, reads bool, matches func(*interval) bool) *interval {
	if n == nil || n.mostOf(reads) <= lo {
		return nil
	}
	if found := n.left.overlapping(lo, hi, reads, matches); found != nil {
		return found
	}
	if n.lo >= hi {
		return nil
	}
	if n.hi > lo && (reads || n.u.Writes) && matches(n) {
		return n
	}
	return n.right.overlapping(lo, hi, reads, matches)
}

// mostOf is the end of the memory of n and those below.
func (n *interval) mostOf(reads bool) uintptr {
	if reads {
		return n.most
	}
	return n.mostWritten
}

// before reports whether n comes before o.
func (n *interval) before(o *interval) bool {
	return n.lo < o.lo || n.lo == o.lo && n.number < o.number
}

// update follows a change of those below.
func (n *interval) update() {
	n.most, n.mostWritten = n.hi, 0
	if n.u.Writes {
		n.mostWritten = n.hi
	}
	for _, below := range [...]*interval{n.left, n.right} {
		if below != nil {
			n.most = max(n.most, below.most)
			n.mostWritten = max(n.mostWritten, below.mostWritten)
		}
	}
}

// split divides n and those below into those before o and the others.
func (n *interval) split(o *interval) (before, behind *interval) {
	if n == nil {
		return nil, nil
	}
	if n.before(o) {
		n.right, behind = n.right.split(o)
		n.update()
		return n, behind
	}
	before, n.left = n.left.split(o)
	n.update()
	return before, n
}

// merge puts two together of which a comes before b.
func merge(a, b *interval) *interval {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.priority > b.priority:
		a.right = merge(a.right, b)
		a.update()
		return a
	}
	b.left = merge(a, b.left)
	b.update()
	return b
}

// without is n and those below but for o.
func (n *interval) without(o *interval) *interval {
	switch {
	case n == nil:
		return nil
	case n == o:
		return merge(n.left, n.right)
	case o.before(n):
		n.left = n.left.without(o)
	default:
		n.right = n.right.without(o)
	}
	n.update()
	return n
}
