package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/runtime/scratch"
)

// The tags of the operations. One each, so that ranks that do not call the same operation never take each other's
// data for their own.
const (
	tagBarrier = iota + 1
	tagBcast
	tagReduce
	tagAllreduce
	tagGather
	tagScatter
	tagAllgather
	tagAlltoall
)

// team is one rank's part in one collective operation. Its methods do nothing after a failure that ends the
// operation, so that algorithms need not look after each message; finish tells what failed first.
type team struct {
	e          *p2p.Engine
	x          *p2p.Context
	rank, size int
	tag        int
	err        error // the first failure
	dead       bool  // the failure ends the operation
	held       [4]*scratch.Chunk
	nHeld      int
}

func join(c *comm.Comm, tag int) team {
	return team{e: c.Engine(), x: &c.Coll, rank: c.Coll.Rank, size: c.Coll.Size, tag: tag}
}

// finish gives back the memory that the operation used and returns its first failure. A dead operation may have left
// receives behind that still write into that memory: it is never used again then.
func (t *team) finish() error {
	for _, c := range t.held[:t.nHeld] {
		if t.dead {
			t.e.Scratch.Retire(c)
		} else {
			t.e.Scratch.Put(c)
		}
	}
	t.nHeld = 0
	return t.err
}

// note remembers a failure.
func (t *team) note(err error) {
	if err == nil {
		return
	}
	if t.err == nil {
		t.err = err
	}
	if mpierr.CodeOf(err) != int(mpierr.ErrTruncate) {
		t.dead = true
	}
}

// received checks that a message was as long as this rank expected. One that was too long has failed already.
func (t *team) received(err error, st *request.Status, want int64) {
	if err == nil && st.Bytes != want {
		err = mpierr.New(mpierr.ErrTruncate, "rank %d contributes %d bytes where this rank expects %d", st.Source, st.Bytes, want)
	}
	t.note(err)
}

func (t *team) send(b datatype.Buffer, to int) {
	if !t.dead {
		t.note(t.e.Send(t.x, b, to, t.tag))
	}
}

func (t *team) recv(b datatype.Buffer, from int) {
	if t.dead {
		return
	}
	var st request.Status
	err := t.e.Recv(t.x, b, from, t.tag, &st)
	t.received(err, &st, b.Bytes())
}

// exchange sends out and receives in at once. Either is left out when it has no data, which the other side knows.
func (t *team) exchange(out datatype.Buffer, to int, in datatype.Buffer, from int) {
	if t.dead {
		return
	}
	switch send, recv := out.Bytes() > 0, in.Bytes() > 0; {
	case send && recv:
		var st request.Status
		err := t.e.Sendrecv(t.x, out, to, t.tag, in, from, t.tag, &st)
		t.received(err, &st, in.Bytes())
	case send:
		t.send(out, to)
	case recv:
		t.recv(in, from)
	}
}

// signal is exchange of messages without data.
func (t *team) signal(to, from int) {
	if !t.dead {
		none := datatype.Raw(0, 0)
		t.note(t.e.Sendrecv(t.x, none, to, t.tag, none, from, t.tag, nil))
	}
}
