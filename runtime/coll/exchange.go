package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/runtime/scratch"
)

// exchange is what algorithms by messages are written in: each of its methods is carried out as it is called,
// or written down where there is a plan. They do nothing after a failure that ends the operation, so that
// algorithms need not look after each message.
//
// An algorithm is written once for both: it never looks at data, so what a rank has to do is known
// beforehand.
type exchange struct {
	c          *comm.Comm
	e          *p2p.Engine
	context    *p2p.Context // of messages now: those within the local group, or between the groups
	rank, size int          // within the local group
	tag        int
	failure
	plan    *Schedule
	chunks  [maxChunks]*scratch.Chunk
	nChunks int
}

// maxChunks bounds the pieces of scratch memory of one operation.
const maxChunks = 8

// cross has further messages go to the other group of an intercommunicator; home has them stay in the own
// one.
func (x *exchange) cross() {
	x.context = x.c.Cross
	x.tag++
}

func (x *exchange) home() {
	x.context = &x.c.Coll
	x.tag--
}

func (x *exchange) send(b datatype.Buffer, to int) {
	switch {
	case x.plan != nil:
		x.plan.send(x, b, to)
	case !x.dead:
		x.note(x.e.Send(x.context, x.passes(b), to, x.tag))
	}
}

// recv receives b. Two in a row may be under way together: they may not be for the same memory.
func (x *exchange) recv(b datatype.Buffer, from int) {
	switch {
	case x.plan != nil:
		x.plan.recv(x, b, from)
	case !x.dead:
		var st request.Status
		err := x.e.Recv(x.context, b, from, x.tag, &st)
		x.received(err, &st, b.Bytes())
	}
}

// sendrecv sends out and receives in at once. Either is left out when it has no data, which the other side
// knows.
func (x *exchange) sendrecv(out datatype.Buffer, to int, in datatype.Buffer, from int) {
	switch send, recv := out.Bytes() > 0, in.Bytes() > 0; {
	case x.dead:
	case send && recv && x.plan != nil:
		x.plan.sendrecv(x, out, to, in, from)
	case send && recv:
		var st request.Status
		err := x.e.Sendrecv(x.context, x.passes(out), to, x.tag, in, from, x.tag, &st)
		x.received(err, &st, in.Bytes())
	case send:
		x.send(out, to)
	case recv:
		x.recv(in, from)
	}
}

// signal is sendrecv of messages without data.
func (x *exchange) signal(to, from int) {
	none := datatype.Raw(0, 0)
	switch {
	case x.plan != nil:
		x.plan.sendrecv(x, none, to, none, from)
	case !x.dead:
		x.note(x.e.Sendrecv(x.context, none, to, x.tag, none, from, x.tag, nil))
	}
}

// copy copies what both hold.
func (x *exchange) copy(dst, src datatype.Buffer) {
	switch {
	case x.plan != nil:
		x.plan.copy(dst, src)
	case !x.dead:
		datatype.Copy(dst, src)
	}
}

// apply combines the elements of in with those of inout, as many as inout has.
func (x *exchange) apply(o *op.Op, in, inout datatype.Buffer) {
	switch {
	case x.plan != nil:
		x.plan.apply(o, in, inout)
	case !x.dead:
		o.Apply(in.Addr, inout.Addr, inout.Count, inout.Type)
	}
}

// scratch is the address of n bytes of memory that the operation may use until it is finished. It panics with
// a *shm.NoMemory where there are none.
func (x *exchange) scratch(n int64) uintptr {
	if n == 0 {
		return 0
	}
	c := x.e.Scratch.Take(n)
	if x.plan != nil {
		x.plan.chunks = append(x.plan.chunks, c)
	} else {
		x.chunks[x.nChunks] = c
		x.nChunks++
	}
	return c.Address()
}

// raw is scratch memory for n bytes of packed data.
func (x *exchange) raw(n int64) datatype.Buffer { return datatype.Raw(x.scratch(n), n) }

// like is scratch memory for the elements of b, in the layout of their type.
func (x *exchange) like(b datatype.Buffer) datatype.Buffer {
	lo, n := b.Span()
	return datatype.Buffer{Addr: x.scratch(n) - uintptr(lo), Count: b.Count, Type: b.Type}
}

// release gives back that memory. A dead operation may have left receives behind that still write into it: it
// is never used again then.
func (x *exchange) release() {
	for _, c := range x.chunks[:x.nChunks] {
		if x.dead {
			x.e.Scratch.Retire(c)
		} else {
			x.e.Scratch.Put(c)
		}
	}
	x.nChunks = 0
}
