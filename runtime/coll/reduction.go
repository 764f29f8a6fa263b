package coll

import (
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/runtime/tool"
)

// reduction is one rank's part in a reduction by messages, and the value that it has combined so far. That
// begins as the rank's own contribution, which may be memory that must not be written; results go to two
// buffers in turn, so that neither operand need be copied.
type reduction struct {
	*Team
	g       groups
	o       *op.Op
	value   datatype.Buffer
	results [2]datatype.Buffer // where results can go
	have    [2]bool            // which of them there are already
	at      int                // the index of value, -1 while it is the contribution itself
}

// reduction begins with the contribution send; result, if there is one, is used as one of the two buffers and
// is where the outcome goes in the end. In place, the contribution stands in result. root has the outcome of
// its own group of the tree, if it is not negative.
func (t *Team) reduction(o *op.Op, send datatype.Buffer, result *datatype.Buffer, root int) reduction {
	r := reduction{Team: t, g: arrange(t.size, root), o: o, value: send, at: -1}
	if result != nil {
		r.results[0], r.have[0] = *result, true
		if send.InPlace() {
			r.value, r.at = *result, 0
		}
	}
	return r
}

func (r *reduction) ensure(i int) {
	if !r.have[i] {
		r.results[i], r.have[i] = r.like(r.value), true
	}
}

// room is where another rank's value can be received.
func (r *reduction) room() datatype.Buffer {
	i := 0
	if r.at == 0 {
		i = 1
	}
	r.ensure(i)
	return r.results[i]
}

// combine takes in the value received in room, which comes from ranks above or below those combined so far.
func (r *reduction) combine(above bool) {
	theirs := 0
	if r.at == 0 {
		theirs = 1
	}
	in := r.results[theirs]
	if above {
		r.apply(r.o, r.value, in)
		r.value, r.at = in, theirs
		return
	}
	r.own(1 - theirs)
	r.apply(r.o, in, r.value)
}

// own makes sure that value may be written, by copying it to results[i] if it is the contribution itself.
func (r *reduction) own(i int) {
	if r.at >= 0 {
		return
	}
	r.ensure(i)
	r.copy(r.results[i], r.value)
	r.value, r.at = r.results[i], i
}

// settle puts the outcome into the result that there was at the begin.
func (r *reduction) settle() {
	if r.at != 0 {
		r.copy(r.results[0], r.value)
		r.value, r.at = r.results[0], 0
	}
}

// countShared counts the algorithm by which the groups share the work of combining, or else the other one.
func (r *reduction) countShared(shared bool, other tool.Algorithm) {
	if shared {
		other = tool.Halving
	}
	r.countAlgorithm(other)
}

// gatherMate combines the values within a group of two and reports whether this rank holds the outcome.
func (r *reduction) gatherMate() bool {
	mate := r.g.mate(r.rank)
	if mate < 0 {
		return true
	}
	if r.g.holder(r.g.of(r.rank)) != r.rank {
		r.send(r.value, mate)
		return false
	}
	r.recv(r.room(), mate)
	r.combine(mate > r.rank)
	return true
}

// tree combines the values of the groups in a binomial tree to the root. Groups are numbered by how their
// number differs from that of the root's group: that keeps neighbours together.
func (r *reduction) tree() {
	mine, top := r.g.of(r.rank), r.g.of(r.g.root)
	v := mine ^ top
	for mask := 1; mask < r.g.count; mask <<= 1 {
		other := mine ^ mask
		if v&mask != 0 {
			r.send(r.value, r.g.holder(other))
			return
		}
		r.recv(r.room(), r.g.holder(other))
		r.combine(other > mine)
	}
}

// double exchanges everything with groups at distances 1, 2, 4 and so on.
func (r *reduction) double() {
	mine := r.g.of(r.rank)
	for mask := 1; mask < r.g.count; mask <<= 1 {
		group := mine ^ mask
		other := r.g.holder(group)
		r.sendrecv(r.value, other, r.room(), other)
		r.combine(group > mine)
	}
}
