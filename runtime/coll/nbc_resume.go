package coll

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/runtime/tool"
	"gompi/runtime/topo"
)

// Package fast begins small operations on the nonblocking segment by itself, by the rules of nbc.go, and ends
// them when the data of the others is there (fast.CollRequest). What waits when a call waits in Go becomes an
// operation of the engine.

// offer lets package fast use the nonblocking segment, which is open.
func (p *nbcComm) offer() {
	p.c.Engine().AddResumer(p.c.Coll.ID, p)
	if p.c.Recovery.Impaired() {
		return
	}
	q := &question{at: onNodeNbc, ranks: p.c.Size(), roomy: p.segment.Roomy()}
	p.segment.Offer(p.c.Handle, p.c.Coll.ID, limits(p.c, q))
	if t := topo.Of(p.c); t != nil && p.c.Pins()[tool.Neighbor] != tool.Straight {
		n := t.Neighborhood(p.c.Rank())
		p.segment.SetNeighbors(n.Sources, n.Destinations, n.Crossed)
	}
}

// Resume implements p2p.CollResumer.
func (p *nbcComm) Resume(x *fast.CollRequest, r *request.Request) {
	s := p.resumed(x)
	r.Op = s
	if x.Queued != 0 {
		s.nbc.stage = queued
		s.contributed(x)
		if !s.nbc.admitted(p) {
			p.enqueue(s.e, r)
			return
		}
	}
	s.e.Ops.Watch(r)
}

// resumed is the operation that takes what others contribute.
func (p *nbcComm) resumed(x *fast.CollRequest) *Schedule {
	s := blank(p.c, tagOf(x.Serial), false)
	s.onNbc = p
	w, part := &s.nbc, &x.Part
	w.pattern, w.stage, w.row, w.k, w.turn = part.Pattern, taking, x.Ring, part.K, part.K-x.Ring.Before
	w.root, w.tag, w.rank, w.size, w.next = int(int32(part.Root)), s.team.tag, s.team.rank, s.team.size,
		int(part.Next)
	w.called = called(x)
	if w.neighbors() {
		w.near, _ = topo.NeighborhoodOf(p.c) // the topology never changes
	}
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
	if part.In.Uneven() {
		n := w.size
		if w.neighbors() {
			n = len(w.near.Sources)
		}
		w.recv = listed(s.e, part.In.Base, &part.In, n)
	}
	return s
}

// contributed adds what this rank contributes, which has not been published.
func (s *Schedule) contributed(x *fast.CollRequest) {
	w, part := &s.nbc, &x.Part
	switch {
	case part.Out.Uneven():
		n := w.size
		if w.neighbors() {
			n = len(w.near.Destinations)
		}
		w.send = listed(s.e, part.Out.Base, &part.Out, n)
	case part.Gaps != 0:
		t := s.e.TypeOf(part.Type)
		w.send.Buffer = datatype.Buffer{Addr: part.Out.Base, Count: int64(part.Bytes) / t.Size(), Type: t}
	case w.op != nil:
		w.send.Addr = part.Out.Base
	case w.pattern == fast.Scattered || w.pattern == fast.Crossed:
		w.send.Buffer = datatype.Raw(part.Out.Base, int64(part.Each))
	case w.pattern == fast.NeighborsV:
		w.send.Buffer = datatype.Raw(part.Out.Base, part.Out.Each())
	default:
		w.send.Buffer = datatype.Raw(part.Out.Base, int64(part.Bytes))
	}
}

// keptList is the lists of an operation's blocks.
type keptList interface {
	KeepsTypes() bool
	Kept(i int) (count, offset int64, datatype uintptr)
}

// listed are the n blocks from base on that the lists of an operation name.
func listed(e *p2p.Engine, base uintptr, list keptList, n int) Blocks {
	b := Blocks{Buffer: datatype.Raw(base, 0), Counts: make([]int64, n), Displs: make([]int64, n)}
	if list.KeepsTypes() {
		b.Types = make([]*datatype.Type, n)
	}
	for i := range n {
		var t uintptr
		b.Counts[i], b.Displs[i], t = list.Kept(i)
		switch {
		case b.Types == nil:
		case t == 0:
			b.Types[i] = b.Type
		default:
			b.Types[i] = e.TypeOf(t)
		}
	}
	return b
}
