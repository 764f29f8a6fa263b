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
	p.c.Engine().AddResumer(p.c.Coll.ID, p)
	if p.c.Recovery.Impaired() {
		return
	}
	q := &question{at: onNodeNbc, ranks: p.c.Size(), roomy: p.segment.Roomy()}
	p.segment.Offer(p.c.Handle, p.c.Coll.ID, limits(p.c, q))
}

// Resume implements p2p.CollResumer.
func (p *nbcComm) Resume(x *fast.CollRequest) request.Operation {
	s := blank(p.c, tagOf(x.Serial), false)
	s.onNbc = p
	w, part := &s.nbc, &x.Part
	w.pattern, w.stage, w.row, w.k, w.turn = part.Pattern, taking, x.Ring, part.K, part.K-x.Ring.Before
	w.root, w.tag, w.rank, w.size, w.next = int(int32(part.Root)), s.team.tag, s.team.rank, s.team.size,
		int(part.Next)
	w.called = called(part)
	if part.Op != 0 {
		t := datatype.ByHandle(uint32(part.Type))
		if t == nil {
			t = s.e.TypeOf(part.Type)
		}
		w.op = op.ByHandle(uint32(part.Op))
		if w.op == nil {
			w.op = s.e.OpOf(part.Op)
		}
		w.share.from = int64(part.From)
		w.send.Buffer = datatype.Buffer{Addr: part.Own, Count: int64(part.Count), Type: t}
		w.recv.Buffer = datatype.Buffer{Addr: part.In.Base, Count: int64(part.Combined), Type: t}
		return s
	}
	w.recv.Buffer = datatype.Raw(part.In.Base, int64(part.Each))
	if part.Listed() {
		at := len(s.numbers)
		s.numbers = append(s.numbers, make([]int64, 2*w.size)...)
		w.recv.Counts, w.recv.Displs = s.numbers[at:at+w.size:at+w.size], s.numbers[at+w.size:]
		for i := range w.size {
			to, n := part.Block(s.e.Endpoint(), uint32(i))
			w.recv.Counts[i], w.recv.Displs[i] = int64(n), int64(to-part.In.Base)
		}
	}
	return s
}
