package algorithm

import (
	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/runtime/tool"
)

// reduction is one rank's part in a reduction by messages, and the value that it has combined so far. That
// begins as the rank's own contribution, which may be memory that must not be written; results go to two
// buffers in turn, so that neither operand need be copied.
type reduction struct {
	*schedule.Exchange
	g       partition.Tree
	o       *op.Op
	value   datatype.Buffer
	results [2]datatype.Buffer // where results can go
	have    [2]bool            // which of them there are already
	at      int                // the index of value, -1 while it is the contribution itself
}

func (r *reduction) ensure(i int) {
	if !r.have[i] {
		r.results[i], r.have[i] = r.Like(r.value), true
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
		r.Apply(r.o, r.value, in)
		r.value, r.at = in, theirs
		return
	}
	r.own(1 - theirs)
	r.Apply(r.o, in, r.value)
}

// own makes sure that value may be written, by copying it to results[i] if it is the contribution itself.
func (r *reduction) own(i int) {
	if r.at >= 0 {
		return
	}
	r.ensure(i)
	r.Copy(r.results[i], r.value)
	r.value, r.at = r.results[i], i
}

// settle puts the outcome into the result that there was at the begin.
func (r *reduction) settle() {
	if r.at != 0 {
		r.Copy(r.results[0], r.value)
		r.value, r.at = r.results[0], 0
	}
}

// countShared counts the algorithm by which the groups share the work of combining, or else the other one.
func (r *reduction) countShared(shared bool, other tool.Algorithm) {
	if shared {
		other = tool.Halving
	}
	r.CountAlgorithm(other)
}

// gatherMate combines the values within a group of two and reports whether this rank holds the outcome.
func (r *reduction) gatherMate() bool {
	mate := r.g.Mate(r.Rank)
	if mate < 0 {
		return true
	}
	if r.g.Holder(r.g.Of(r.Rank)) != r.Rank {
		r.Send(r.value, mate)
		return false
	}
	r.Recv(r.room(), mate)
	r.combine(mate > r.Rank)
	return true
}

// tree combines the values of the groups in a binomial tree to the root. Groups are numbered by how their
// number differs from that of the root's group: that keeps neighbours together.
func (r *reduction) tree() {
	mine, top := r.g.Of(r.Rank), r.g.Of(r.g.Root)
	v := mine ^ top
	for mask := 1; mask < r.g.Count; mask <<= 1 {
		other := mine ^ mask
		if v&mask != 0 {
			r.Send(r.value, r.g.Holder(other))
			return
		}
		r.Recv(r.room(), r.g.Holder(other))
		r.combine(other > mine)
	}
}

// double exchanges everything with groups at distances 1, 2, 4 and so on.
func (r *reduction) double() {
	mine := r.g.Of(r.Rank)
	for mask := 1; mask < r.g.Count; mask <<= 1 {
		group := mine ^ mask
		other := r.g.Holder(group)
		r.Sendrecv(r.value, other, r.room(), other)
		r.combine(group > mine)
	}
}

// newReduction begins with the contribution send. result, if there is one, is used as one of the two buffers
// and is where the outcome goes in the end. In place, the contribution stands in result. root has the outcome
// of its own group of the tree, if it is not negative.
func newReduction(x *schedule.Exchange, o *op.Op, send datatype.Buffer, result *datatype.Buffer,
	root int) reduction {
	r := reduction{Exchange: x, g: partition.TreeOf(x.Size, root), o: o, value: send, at: -1}
	if result != nil {
		r.results[0], r.have[0] = *result, true
		if send.InPlace() {
			r.value, r.at = *result, 0
		}
	}
	return r
}

// Allreduce combines the contributions of the group by messages. The ranks share the work if shared.
func Allreduce(x *schedule.Exchange, o *op.Op, send, recv datatype.Buffer, shared bool) {
	r := newReduction(x, o, send, &recv, -1)
	r.countShared(shared, tool.Doubling)
	mate := r.g.Mate(x.Rank)
	if !r.gatherMate() {
		x.Recv(recv, mate)
		return
	}
	if shared {
		r.halveAndDouble()
	} else {
		r.double()
	}
	r.settle()
	if mate >= 0 {
		x.Send(recv, mate)
	}
}

// Reduce combines the contributions of the group. The ranks share the work if shared. The value
// returned is the outcome at the root, which is in result if there is one.
func Reduce(x *schedule.Exchange, o *op.Op, send datatype.Buffer, result *datatype.Buffer, root int,
	shared bool) datatype.Buffer {
	r := newReduction(x, o, send, result, root)
	if r.value.Bytes() == 0 {
		return r.value
	}
	r.countShared(shared, tool.Binomial)
	if r.gatherMate() {
		if shared {
			r.halveToRoot()
		} else {
			r.tree()
		}
	}
	if result != nil {
		r.settle()
	}
	return r.value
}
