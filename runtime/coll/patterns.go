package coll

import (
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/shm"
)

// What algorithms have in common: the ways in which all ranks pass data on.

// emptyRanks is the size of a group up to which messages without data are sent. Then a rank that expects data
// of one that sends none gets an error instead of waiting. In larger groups it may wait, because in
// operations whose counts are mostly 0 these messages would be nearly all.
const emptyRanks = 64

// leavesOut reports whether a message between two ranks whose counts come from the program has no data and is
// left out. Both sides find the same: that depends on the groups alone.
func (x *exchange) leavesOut(b datatype.Buffer) bool {
	return b.Bytes() == 0 && max(x.c.Size(), x.c.Targets()) > emptyRanks
}

// isSelf reports whether messages to and from a rank would be this rank's with itself.
func (x *exchange) isSelf(rank int) bool { return rank == x.rank && x.context == &x.c.Coll }

// partner is with whom this rank exchanges blocks in a round of a number of rounds, one for each rank. In
// round r the numbers of two partners add up to r, modulo the number of rounds, so that each is the other's;
// in one or two rounds a rank is its own partner.
func (x *exchange) partner(round, rounds int) int { return (round - x.rank + rounds) % rounds }

// pairwise has every rank send something to each other and receive something from it, some at a time: with
// those of its group, or with all of the other group.
func (x *exchange) pairwise(empty empties, out, in func(peer int) datatype.Buffer) {
	w := window{x: x, empty: empty}
	rounds := max(x.size, x.context.Size)
	for round := range rounds {
		if p := x.partner(round, rounds); p < x.context.Size && !x.isSelf(p) {
			w.recv(in(p), p)
			w.send(out(p), p)
			w.room()
		}
	}
	w.wait()
}

// ring passes parts round a ring of all ranks, in which this one has number at, until everybody has them all.
// rank is the rank with a number, and part what it begins with.
func (x *exchange) ring(at int, rank func(i int) int, part func(i int) datatype.Buffer) {
	p := x.size
	right, left := rank((at+1)%p), rank((at+p-1)%p)
	for k := range p - 1 {
		x.sendrecv(part((at-k+p)%p), right, part((at-k-1+p)%p), left)
	}
}

// down passes data down a binomial tree. part is what is for the n ranks from number v on.
func (x *exchange) down(b binomial, part func(v, n int) datatype.Buffer) {
	if b.v != 0 {
		x.recv(part(b.v, b.below(b.v)), b.parent())
	}
	mask := 1
	for mask < b.size && b.v&mask == 0 {
		mask <<= 1
	}
	for mask >>= 1; mask > 0; mask >>= 1 {
		if child := b.v + mask; child < b.size {
			x.send(part(child, b.below(child)), b.rank(child))
		}
	}
}

// number is memory that holds a number.
func (x *exchange) number(n uint64) datatype.Buffer {
	b := x.raw(8)
	*shm.Word64(b.Addr) = n
	return b
}

// greatest has the number that stands in a buffer become the greatest of those of all ranks.
func (x *exchange) greatest(number datatype.Buffer) {
	x.combined(number, func(a, b uint64) uint64 { return max(a, b) })
}

// combined has the number that stands in a buffer become what those of all ranks are combined to, some of
// them several times.
func (x *exchange) combined(number datatype.Buffer, both func(a, b uint64) uint64) {
	in := x.raw(8)
	o := op.New("", true, func(v op.Vectors) {
		*shm.Word64(v.Inout) = both(*shm.Word64(v.In), *shm.Word64(v.Inout))
	})
	for k := 1; k < x.size; k <<= 1 {
		x.sendrecv(number, (x.rank+k)%x.size, in, (x.rank-k+x.size)%x.size)
		x.apply(o, in, number)
	}
}
