package coll

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
	"gompi/runtime/request"
)

// Package fast begins small nonblocking operations on the nonblocking segment by itself, by the rules of
// nbc.go, and end them when the data of the others is there (fast.CollRequest). What waits when a call waits
// in Go becomes an operation of the engine.

// offer lets package fast use the nonblocking segment, which is open.
func (p *nbcComm) offer() {
	const reduceStub = 8 << 10 // more elements are left to the kernels
	p.c.Engine().AddAdopter(p.c.Coll.ID, p)
	p.segment.Offer(p.c.Handle, p.c.Coll.ID, uint32(min(maxCombined/p.c.Size(), reduceStub)))
}

// Adopt implements p2p.CollAdopter.
func (p *nbcComm) Adopt(x *fast.CollRequest) request.Operation {
	s := blank(p.c, tagOf(x.Serial), false)
	s.onNbc = p
	w := &s.nbc
	w.pattern, w.stage, w.row, w.k, w.turn = x.Pattern, taking, p.segment.Nonblocking(), x.K,
		x.K-x.Segment.Ring.Before
	w.root, w.tag, w.rank, w.size, w.next = int(int32(x.Root)), s.team.tag, s.team.rank, s.team.size,
		int(x.Next)
	if x.Op != 0 {
		t := datatype.ByHandle(uint32(x.Type))
		w.op = op.ByHandle(uint32(x.Op))
		w.share.from = int64(x.From)
		w.send.Buffer = datatype.Buffer{Addr: x.Send, Count: int64(x.Count), Type: t}
		w.recv.Buffer = datatype.Buffer{Addr: x.Buf, Count: int64(x.Combined), Type: t}
		return s
	}
	w.recv.Buffer = datatype.Raw(x.Buf, int64(x.Each))
	if x.Listed != 0 {
		at := len(s.numbers)
		for i := range w.size {
			s.numbers = append(s.numbers, x.Blocks[i].Bytes)
		}
		n := len(s.numbers)
		for i := range w.size {
			s.numbers = append(s.numbers, x.Blocks[i].At)
		}
		w.recv.Counts, w.recv.Displs = s.numbers[at:n:n], s.numbers[n:]
	}
	return s
}
