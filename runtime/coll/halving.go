package coll

import "gompi/runtime/datatype"

// maxLevels bounds the binary logarithm of the number of ranks.
const maxLevels = 31

// ranges are the stretches of elements that a group is responsible for: all of them at level 0, half of those
// of level k at level k+1.
type ranges struct {
	from, to [maxLevels + 1]int64
}

func (r *ranges) mid(level int) int64 { return (r.from[level] + r.to[level]) / 2 }

// lower reports whether a group keeps the lower half at a level.
func lower(group, level int) bool { return group>>level&1 == 0 }

// narrow fixes the range of the next level.
func (r *ranges) narrow(level, group int) {
	r.from[level+1], r.to[level+1] = r.from[level], r.mid(level)
	if !lower(group, level) {
		r.from[level+1], r.to[level+1] = r.mid(level), r.to[level]
	}
}

// mine is the part of b that the group has at a level.
func (r *ranges) mine(level int, b datatype.Buffer) datatype.Buffer {
	return b.Slice(r.from[level], r.to[level]-r.from[level])
}

// theirs is the half of the range at a level that the group does not keep.
func (r *ranges) theirs(level, group int, b datatype.Buffer) datatype.Buffer {
	if lower(group, level) {
		return b.Slice(r.mid(level), r.to[level]-r.mid(level))
	}
	return b.Slice(r.from[level], r.mid(level)-r.from[level])
}

// halve combines the values of all groups so that each has, in a.value, the outcome for its range at the last
// level: first neighbouring groups exchange halves of everything, then neighbouring pairs of groups halves of
// those, and so on.
func (t *Team) halve(a *accumulator, g groups) ranges {
	var r ranges
	mine := g.of(t.rank)
	r.to[0] = a.value.Count
	a.ensure(t, 0)
	var room datatype.Buffer
	for k := range g.levels {
		group := mine ^ 1<<k
		other := g.holder(group)
		r.narrow(k, mine)
		give := r.theirs(k, mine, a.value)
		if a.at < 0 && (a.o.Commutative() || group > mine) {
			// The first exchange takes its operand straight from the contribution.
			keep, in := r.mine(k+1, a.value), r.mine(k+1, a.results[0])
			t.exchange(give, other, in, other)
			t.apply(a.o, keep, in)
			a.value, a.at = a.results[0], 0
			continue
		}
		a.own(t, 0)
		keep := r.mine(k+1, a.value)
		if room.Count == 0 {
			room = t.like(a.value.Slice(0, (r.to[0]+1)/2))
		}
		in := room.Slice(0, keep.Count)
		t.exchange(give, other, in, other)
		if a.o.Commutative() || group < mine {
			t.apply(a.o, in, keep)
		} else {
			t.apply(a.o, keep, in)
			t.copy(keep, in)
		}
	}
	return r
}
