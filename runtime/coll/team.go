package coll

import (
	"gompi/runtime/collseg"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
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
	failure
	plan      *Schedule
	algorithm tool.Algorithm // of the whole operation; tool.Alone as long as nothing was communicated
	chunks    [maxChunks]*scratch.Chunk
	nChunks   int
}

// maxChunks bounds the pieces of scratch memory of one operation.
const maxChunks = 8

func newTeam(c *comm.Comm, tag int) Team {
	return Team{c: c, e: c.Engine(), x: &c.Coll, rank: c.Coll.Rank, size: c.Coll.Size, tag: tag}
}

// join begins a blocking operation. The communicator keeps its Team from one to the next.
func join(c *comm.Comm, tag int) *Team {
	t, ok := c.Team.(*Team)
	if !ok {
		t = new(Team)
		*t = newTeam(c, tag)
		return t
	}
	c.Team, t.tag = nil, tag
	return t
}

// segment is the coll segment through which the operation goes; nil when it goes by messages. The answer is
// the same on all ranks.
func (t *Team) segment() *collseg.Segment {
	if t.plan != nil || t.dead || t.c.Inter() {
		return nil
	}
	return segmentOf(t.c)
}

// cross has further messages go to the other group of an intercommunicator; home has them stay in the own
// one.
func (t *Team) cross() {
	t.countAlgorithm(tool.Across)
	t.x = &t.c.Cross
	t.tag++
}

func (t *Team) home() {
	t.x = &t.c.Coll
	t.tag--
}

// finish ends a blocking operation: it gives back what that used and returns its first failure. A dead one
// may have left receives behind that still write into that memory: it is never used again then.
func (t *Team) finish() error {
	for _, c := range t.chunks[:t.nChunks] {
		if t.dead {
			t.e.Scratch.Retire(c)
		} else {
			t.e.Scratch.Put(c)
		}
	}
	err := t.err
	t.failure, t.nChunks, t.plan, t.algorithm = failure{}, 0, nil, tool.Alone
	t.c.Team = t
	return err
}

// close ends and counts a blocking operation, which was refused if err is not nil.
func (t *Team) close(err error) error {
	if err != nil {
		t.finish()
		return err
	}
	t.c.Count(t.algorithm)
	return t.finish()
}

// countAlgorithm notes by which algorithm the operation is to be counted. Of one that is made of others, that
// came first which is made of them. A single rank needs none.
func (t *Team) countAlgorithm(a tool.Algorithm) {
	if t.algorithm == tool.Alone && (t.size > 1 || t.c.Inter()) {
		t.algorithm = a
	}
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
