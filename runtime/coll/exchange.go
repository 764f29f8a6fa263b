package coll

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
	"gompi/runtime/request"
)

// The C stubs begin small nonblocking operations on the board by themselves, by the rules of post.go, and end them when the
// data of the others is there (fast.Exchange). What waits when a call waits in Go becomes an operation of the engine.

// offer lets the stubs use the board, which is open.
func (p *posts) offer() {
	const reduceStub = 8 << 10 // more elements are left to the kernels
	p.c.Engine().AddExchanger(p.c.Coll.ID, p)
	p.board.Offer(p.c.Handle, p.c.Coll.ID, uint32(min(reduceShown/p.c.Size(), reduceStub)))
}

// Adopt implements p2p.Exchanger.
func (p *posts) Adopt(x *fast.Exchange) request.Operation {
	s := blank(p.c, tagOf(x.Serial), false)
	s.posts = p
	w := &s.post
	w.deal, w.stage, w.row, w.k, w.turn = x.Deal, taking, p.board.Nonblocking(), x.K, x.K-x.Board.Row.Before
	w.root, w.tag, w.rank, w.size, w.next = int(int32(x.Root)), s.team.tag, s.team.rank, s.team.size, int(x.Next)
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
