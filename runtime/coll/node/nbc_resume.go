package node

import (
	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
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
func (p *Comm) offer() {
	p.c.Engine().AddResumer(p.c.Coll.ID, p)
	if p.c.Recovery.Impaired() {
		return
	}
	p.segment.Offer(p.c.Handle, p.c.Coll.ID, p.limits(p.c, p.segment.Roomy()))
	if t := topo.Of(p.c); t != nil && p.c.Pins()[tool.Neighbor] != tool.Straight {
		n := t.Neighborhood(p.c.Rank())
		p.segment.SetNeighbors(n.Sources, n.Destinations, n.Crossed)
	}
}

// Resume implements p2p.CollResumer.
func (p *Comm) Resume(x *fast.CollRequest, r *request.Request) {
	s := p.resumed(x)
	r.Op = s
	if x.Queued != 0 {
		s.nbc.stage = queued
		s.contributed(x)
		if !s.nbc.admitted(p) {
			p.enqueue(s.Engine, r)
			return
		}
	}
	s.Engine.Ops.Watch(r)
}

// resumed is the operation that takes what others contribute.
func (p *Comm) resumed(x *fast.CollRequest) *Operation {
	s := blank(p.c, schedule.TagOf(x.Serial), false)
	s.onNbc = p
	w, part := &s.nbc, &x.Part
	w.pattern, w.stage, w.row, w.k, w.turn = part.Pattern, taking, x.Ring, part.K, part.K-x.Ring.Before
	w.root, w.next = int(int32(part.Root)), int(part.Next)
	w.tag, w.rank, w.size = s.Exchange.Tag, s.Exchange.Rank, s.Exchange.Size
	w.called = called(x)
	if w.neighbors() {
		w.Near, _ = topo.NeighborhoodOf(p.c) // the topology never changes
	}
	if part.Op != 0 {
		t := datatype.ByHandle(uint32(part.Type))
		if t == nil {
			t = s.Engine.TypeOf(part.Type)
		}
		w.Op = op.ByHandle(uint32(part.Op))
		if w.Op == nil {
			w.Op = s.Engine.OpOf(part.Op)
		}
		w.Share.From = int64(part.From)
		w.Send.Buffer = datatype.Buffer{Addr: part.Own, Count: int64(part.Count), Type: t}
		w.Recv.Buffer = datatype.Buffer{Addr: part.In.Base, Count: int64(part.Combined), Type: t}
		return s
	}
	w.Recv.Buffer = datatype.Raw(part.In.Base, int64(part.Each))
	if part.In.Uneven() {
		n := w.size
		if w.neighbors() {
			n = len(w.Near.Sources)
		}
		w.Recv = listed(s.Engine, part.In.Base, &part.In, n)
	}
	return s
}

// contributed adds what this rank contributes, which has not been published.
func (s *Operation) contributed(x *fast.CollRequest) {
	w, part := &s.nbc, &x.Part
	switch {
	case part.Out.Uneven():
		w.Send = listed(s.Engine, part.Out.Base, &part.Out, w.entries())
	case part.Gaps != 0:
		t := s.Engine.TypeOf(part.Type)
		w.Send.Buffer = datatype.Buffer{Addr: part.Out.Base, Count: int64(part.Bytes) / t.Size(), Type: t}
	case w.Op != nil:
		w.Send.Addr = part.Out.Base
	case w.pattern == fast.Scattered || w.pattern == fast.Crossed:
		w.Send.Buffer = datatype.Raw(part.Out.Base, int64(part.Each))
	case w.pattern == fast.NeighborsV:
		w.Send.Buffer = datatype.Raw(part.Out.Base, part.Out.Each())
	default:
		w.Send.Buffer = datatype.Raw(part.Out.Base, int64(part.Bytes))
	}
}

// keptList is the lists of an operation's blocks.
type keptList interface {
	KeepsTypes() bool
	Kept(i int) (count, offset int64, datatype uintptr)
}

// listed are the n blocks from base on that the lists of an operation name.
func listed(e *p2p.Engine, base uintptr, list keptList, n int) partition.Blocks {
	b := partition.Blocks{Buffer: datatype.Raw(base, 0), Counts: make([]int64, n), Displs: make([]int64, n)}
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
