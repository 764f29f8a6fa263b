package schedule

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/runtime/scratch"
	"gompi/runtime/tool"
)

// Exchange is what algorithms by messages are written in: each of its methods is carried out as it is called,
// or written down where there is a plan. They do nothing after a failure that ends the operation, so that
// algorithms need not look after each message.
//
// An algorithm is written once for both: it never looks at data, so what a rank has to do is known
// beforehand.
type Exchange struct {
	Comm       *comm.Comm
	Engine     *p2p.Engine
	Context    *p2p.Context // of messages now: those within the local group, or between the groups
	Rank, Size int          // within the local group
	Tag        int
	Operation  tool.Operation
	Algorithm  tool.Algorithm // of the whole operation; tool.Alone as long as nothing was communicated
	Failure
	Plan    *Schedule // where the operation is written down, if it is
	chunks  [maxChunks]*scratch.Chunk
	nChunks int
}

// maxChunks bounds the pieces of scratch memory of one operation.
const maxChunks = 8

// NewExchange is that of an operation within the group of c.
func NewExchange(c *comm.Comm, tag int) Exchange {
	x := &c.Coll
	return Exchange{Comm: c, Engine: c.Engine(), Context: x, Rank: x.Rank, Size: x.Size, Tag: tag}
}

// Cross has further messages go to the other group of an intercommunicator.
func (x *Exchange) Cross() {
	x.Context = x.Comm.Cross
	x.Tag++
}

// Home has further messages stay in the own group.
func (x *Exchange) Home() {
	x.Context = &x.Comm.Coll
	x.Tag--
}

// Send sends b.
func (x *Exchange) Send(b datatype.Buffer, to int) {
	switch {
	case x.Plan != nil:
		x.Plan.send(x, b, to)
	case !x.Dead:
		x.Note(x.Engine.Send(x.Context, x.passes(b), to, x.Tag))
	}
}

// Recv receives b. Two in a row may be under way together: they may not be for the same memory.
func (x *Exchange) Recv(b datatype.Buffer, from int) {
	switch {
	case x.Plan != nil:
		x.Plan.recv(x, b, from)
	case !x.Dead:
		var st request.Status
		err := x.Engine.Recv(x.Context, b, from, x.Tag, &st)
		x.received(err, &st, b.Bytes())
	}
}

// Sendrecv sends out and receives in at once. Either is left out when it has no data, which the other side
// knows.
func (x *Exchange) Sendrecv(out datatype.Buffer, to int, in datatype.Buffer, from int) {
	switch send, recv := out.Bytes() > 0, in.Bytes() > 0; {
	case x.Dead:
	case send && recv && x.Plan != nil:
		x.Plan.sendrecv(x, out, to, in, from)
	case send && recv:
		var st request.Status
		err := x.Engine.Sendrecv(x.Context, x.passes(out), to, x.Tag, in, from, x.Tag, &st)
		x.received(err, &st, in.Bytes())
	case send:
		x.Send(out, to)
	case recv:
		x.Recv(in, from)
	}
}

// Signal is Sendrecv of messages without data.
func (x *Exchange) Signal(to, from int) {
	none := datatype.Raw(0, 0)
	switch {
	case x.Plan != nil:
		x.Plan.sendrecv(x, none, to, none, from)
	case !x.Dead:
		x.Note(x.Engine.Sendrecv(x.Context, none, to, x.Tag, none, from, x.Tag, nil))
	}
}

// Copy copies what both hold.
func (x *Exchange) Copy(dst, src datatype.Buffer) {
	switch {
	case x.Plan != nil:
		x.Plan.copy(dst, src)
	case !x.Dead:
		datatype.Copy(dst, src)
	}
}

// Apply combines the elements of in with those of inout, as many as inout has.
func (x *Exchange) Apply(o *op.Op, in, inout datatype.Buffer) {
	switch {
	case x.Plan != nil:
		x.Plan.apply(o, in, inout)
	case !x.Dead:
		o.Apply(in.Addr, inout.Addr, inout.Count, inout.Type)
	}
}

// Scratch is the address of n bytes of memory that the operation may use until it is finished. It panics with
// a *shm.NoMemory where there are none.
func (x *Exchange) Scratch(n int64) uintptr {
	if n == 0 {
		return 0
	}
	c := x.Engine.Scratch.Take(n)
	if x.Plan != nil {
		x.Plan.chunks = append(x.Plan.chunks, c)
	} else {
		x.chunks[x.nChunks] = c
		x.nChunks++
	}
	return c.Address()
}

// Raw is scratch memory for n bytes of packed data.
func (x *Exchange) Raw(n int64) datatype.Buffer { return datatype.Raw(x.Scratch(n), n) }

// Like is scratch memory for the elements of b, in the layout of their type.
func (x *Exchange) Like(b datatype.Buffer) datatype.Buffer {
	lo, n := b.Span()
	return datatype.Buffer{Addr: x.Scratch(n) - uintptr(lo), Count: b.Count, Type: b.Type}
}

// Release gives back that memory. A dead operation may have left receives behind that still write into it: it
// is never used again then.
func (x *Exchange) Release() {
	for _, c := range x.chunks[:x.nChunks] {
		if x.Dead {
			x.Engine.Scratch.Retire(c)
		} else {
			x.Engine.Scratch.Put(c)
		}
	}
	x.nChunks = 0
}

// CountAlgorithm notes by which algorithm the operation is to be counted. Of one that is made of others, that
// came first which is made of them. A single rank needs none.
func (x *Exchange) CountAlgorithm(a tool.Algorithm) {
	if x.Algorithm == tool.Alone && (x.Size > 1 || x.Comm.Inter()) {
		x.Algorithm = a
	}
}

// IsSelf reports whether messages to and from a rank would be this rank's with itself.
func (x *Exchange) IsSelf(rank int) bool { return rank == x.Rank && x.Context == &x.Comm.Coll }

// Partner is with whom this rank exchanges blocks in a round of a number of rounds, one for each rank. In
// round r the numbers of two partners add up to r, modulo the number of rounds, so that each is the other's;
// in one or two rounds a rank is its own partner.
func (x *Exchange) Partner(round, rounds int) int { return (round - x.Rank + rounds) % rounds }
