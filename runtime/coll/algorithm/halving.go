package algorithm

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

// halve combines the values of all groups so that each has, in value, the outcome for its range at the last
// level: first neighbouring groups exchange halves of everything, then neighbouring pairs of groups halves of
// those, and so on.
func (r *reduction) halve() ranges {
	var halves ranges
	mine := r.g.Of(r.Rank)
	halves.to[0] = r.value.Count
	r.ensure(0)
	var room datatype.Buffer
	for k := range r.g.Levels {
		group := mine ^ 1<<k
		other := r.g.Holder(group)
		halves.narrow(k, mine)
		give := halves.theirs(k, mine, r.value)
		if r.at < 0 && (r.o.Commutative() || group > mine) {
			// The first exchange takes its operand straight from the contribution.
			keep, in := halves.mine(k+1, r.value), halves.mine(k+1, r.results[0])
			r.Sendrecv(give, other, in, other)
			r.Apply(r.o, keep, in)
			r.value, r.at = r.results[0], 0
			continue
		}
		r.own(0)
		keep := halves.mine(k+1, r.value)
		if room.Count == 0 {
			room = r.Like(r.value.Slice(0, (halves.to[0]+1)/2))
		}
		in := room.Slice(0, keep.Count)
		r.Sendrecv(give, other, in, other)
		if r.o.Commutative() || group < mine {
			r.Apply(r.o, in, keep)
		} else {
			r.Apply(r.o, keep, in)
			r.Copy(keep, in)
		}
	}
	return halves
}

// halveAndDouble shares the work, each group ending up with the outcome for one part of the elements, and
// then exchanges the parts, the way back.
func (r *reduction) halveAndDouble() {
	halves := r.halve()
	mine := r.g.Of(r.Rank)
	for k := r.g.Levels - 1; k >= 0; k-- {
		other := r.g.Holder(mine ^ 1<<k)
		r.Sendrecv(halves.mine(k+1, r.value), other, halves.theirs(k, mine, r.value), other)
	}
}

// halveToRoot shares the work: each group ends up with the outcome for one part of the elements, and the
// parts go up a binomial tree to the root.
func (r *reduction) halveToRoot() {
	halves := r.halve()
	mine, top := r.g.Of(r.Rank), r.g.Of(r.g.Root)
	v := mine ^ top
	for k := r.g.Levels - 1; k >= 0; k-- {
		other := r.g.Holder(mine ^ 1<<k)
		if v>>k&1 != 0 {
			r.Send(halves.mine(k+1, r.value), other)
			return
		}
		r.Recv(halves.theirs(k, mine, r.value), other)
	}
}
