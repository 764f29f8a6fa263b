package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/runtime/scratch"
	"gompi/runtime/tool"
)

// The tags of blocking operations. One each, so that ranks that do not call the same operation never take
// each other's data for their own. Between the groups of an intercommunicator the tag behind is used.
const (
	tagBarrier = 2 * (iota + 1)
	tagBcast
	tagReduce
	tagAllreduce
	tagGather
	tagScatter
	tagAllgather
	tagAlltoall
	tagReduceScatter
	tagScan
	tagExscan
	tagNeighbor
	tagOpen
	tagOpenBoard
	tagAgree
	firstSerialTag // of the operations whose messages may be under way together with those of others
)

// Team is one rank's part in one collective operation, which is either carried out as its methods are called
// or, when there is a plan, only written down. Its methods do nothing after a failure that ends the
// operation, so that algorithms need not look after each message; finish tells what failed first.
//
// An algorithm is written once for both: it never looks at data, so what a rank has to do is known
// beforehand.
type Team struct {
	c          *comm.Comm
	e          *p2p.Engine
	x          *p2p.Context // of messages now: those within the local group, or between the groups
	rank, size int          // within the local group
	tag        int
	err        error // the first failure
	dead       bool  // the failure ends the operation
	spoilt     bool  // data did not have the right length: this rank passes nothing on (passes)
	plan       *Schedule
	algorithm  tool.Algorithm // of the whole operation; tool.Alone as long as nothing was communicated
	chunks     [maxChunks]*scratch.Chunk
	nChunks    int
}

// maxChunks bounds the pieces of scratch memory of one operation.
const maxChunks = 8

func join(c *comm.Comm, tag int) Team {
	return Team{c: c, e: c.Engine(), x: &c.Coll, rank: c.Coll.Rank, size: c.Coll.Size, tag: tag}
}

// cross has further messages go to the other group of an intercommunicator; home has them stay in the own
// one.
func (t *Team) cross() {
	t.x = &t.c.Cross
	t.tag++
}

func (t *Team) home() {
	t.x = &t.c.Coll
	t.tag--
}

// finish gives back the memory that the operation used and returns its first failure. A dead operation may
// have left receives behind that still write into that memory: it is never used again then.
func (t *Team) finish() error {
	t.giveBack(0)
	return t.err
}

// giveBack is finish for the pieces behind the first held.
func (t *Team) giveBack(held int) {
	for _, c := range t.chunks[held:t.nChunks] {
		if t.dead {
			t.e.Scratch.Retire(c)
		} else {
			t.e.Scratch.Put(c)
		}
	}
	t.nChunks = held
}

// close ends a blocking operation, which was refused if err is not nil.
func (t *Team) close(err error) error {
	if err != nil {
		return err
	}
	t.c.Count(t.algorithm)
	return t.finish()
}

// took notes how the operation goes. Of one that is made of others, that came first which is made of them.
func (t *Team) countAlgorithm(w tool.Algorithm) {
	if t.algorithm == tool.Alone {
		t.algorithm = w
	}
}

// countAmongAll is took for algorithms that do nothing for a single rank.
func (t *Team) countAmongAll(w tool.Algorithm) {
	if t.size > 1 {
		t.countAlgorithm(w)
	}
}

// note remembers a failure.
func (t *Team) note(err error) {
	if err == nil {
		return
	}
	if t.err == nil {
		t.err = err
	}
	if !isLength(err) {
		t.dead = true
	}
}

// received checks that a message was as long as this rank expected. One that was too long has failed already.
func (t *Team) received(err error, st *request.Status, want int64) {
	if err == nil && st.Bytes != want {
		err = disagreement(int(st.Source), st.Bytes, want)
	}
	t.spoil(err)
	t.note(err)
}

// spoil notes that data did not have the right length, if that is the error.
func (t *Team) spoil(err error) { t.spoilt = t.spoilt || isLength(err) }

// isLength reports whether the error is that data did not have the right length. Memory that cannot be read
// is told by other means.
func isLength(err error) bool { return err != nil && mpierr.CodeOf(err) == int(mpierr.ErrTruncate) }

// passes is what this rank sends where it should send b: nothing when what it has received did not have the
// right length, so that the ranks behind it find that out as well.
func (t *Team) passes(b datatype.Buffer) datatype.Buffer {
	if t.spoilt {
		return datatype.Raw(0, 0)
	}
	return b
}

func (t *Team) send(b datatype.Buffer, to int) {
	switch {
	case t.plan != nil:
		t.plan.send(t, b, to)
	case !t.dead:
		t.note(t.e.Send(t.x, t.passes(b), to, t.tag))
	}
}

// recv receives b. Two in a row may be under way together: they may not be for the same memory.
func (t *Team) recv(b datatype.Buffer, from int) {
	switch {
	case t.plan != nil:
		t.plan.recv(t, b, from)
	case !t.dead:
		var st request.Status
		err := t.e.Recv(t.x, b, from, t.tag, &st)
		t.received(err, &st, b.Bytes())
	}
}

// exchange sends out and receives in at once. Either is left out when it has no data, which the other side
// knows.
func (t *Team) exchange(out datatype.Buffer, to int, in datatype.Buffer, from int) {
	switch send, recv := out.Bytes() > 0, in.Bytes() > 0; {
	case t.dead:
	case send && recv && t.plan != nil:
		t.plan.exchange(t, out, to, in, from)
	case send && recv:
		var st request.Status
		err := t.e.Sendrecv(t.x, t.passes(out), to, t.tag, in, from, t.tag, &st)
		t.received(err, &st, in.Bytes())
	case send:
		t.send(out, to)
	case recv:
		t.recv(in, from)
	}
}

// signal is exchange of messages without data.
func (t *Team) signal(to, from int) {
	none := datatype.Raw(0, 0)
	switch {
	case t.plan != nil:
		t.plan.exchange(t, none, to, none, from)
	case !t.dead:
		t.note(t.e.Sendrecv(t.x, none, to, t.tag, none, from, t.tag, nil))
	}
}

// copy copies what both hold.
func (t *Team) copy(dst, src datatype.Buffer) {
	switch {
	case t.plan != nil:
		t.plan.copy(dst, src)
	case !t.dead:
		datatype.Copy(dst, src)
	}
}

// apply combines the elements of in with those of inout, as many as inout has.
func (t *Team) apply(o *op.Op, in, inout datatype.Buffer) {
	switch {
	case t.plan != nil:
		t.plan.apply(o, in, inout)
	case !t.dead:
		o.Apply(in.Addr, inout.Addr, inout.Count, inout.Type)
	}
}
