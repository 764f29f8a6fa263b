package node

import (
	"gompi/runtime/coll/partition"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/request"
)

// A persistent operation is left to package fast between two rounds, if what it does is one copy at most of
// what this rank has for itself, and what goes through the cells of a row of its own. Data has no gaps then,
// and the kernels of package fast combine it.

// Settle implements p2p.Resident.
func (s *Operation) Settle(t *fast.Request) bool {
	e := s.Engine.Endpoint()
	i := fast.NoRequest
	if s.Fault == nil {
		i = e.DrawColl()
	}
	if i == fast.NoRequest {
		return false
	}
	q := e.CollRequest(i)
	q.Part, q.Ring, q.Alone = fast.CollOp{}, nil, 0
	if !s.settleOwn(&q.Part) || !s.settleAlone(q) && !s.settleRound(q, i) {
		e.ReturnColl(i)
		return false
	}
	t.Flags |= fast.Repeats
	t.Next, t.Ctx, t.Self = i, s.Exchange.Comm.Coll.ID, fast.NoMessage
	return true
}

// settleOwn describes what this rank has for itself; false where that is not one piece of memory that is
// copied.
func (s *Operation) settleOwn(x *fast.CollOp) bool {
	dst, src, ok := s.OnlyCopy()
	if !ok {
		return false
	}
	n := dst.Bytes()
	x.OwnTo, x.OwnFrom, x.OwnBytes = dst.Start(), src.Start(), uint32(n)
	return dst.Contiguous() && src.Contiguous() && n == src.Bytes() && n <= mostOwn
}

// mostOwn is how many bytes are copied there at most: more take longer than a call of this package.
const mostOwn = 64 << 10

// settleAlone describes an operation of a communicator of one rank; false for all others.
func (s *Operation) settleAlone(q *fast.CollRequest) bool {
	t := &s.Exchange
	alone := t.Size == 1 && !t.Comm.Inter() && s.nbc.pattern == fast.PatternNone
	if !alone || !fast.IsAlone(s.Engine.Endpoint(), t.Comm.Handle) {
		return false
	}
	q.Part.Pattern, q.Alone = comm.PatternOf(t.Operation), t.Comm.Handle
	return true
}

// settleRound describes what goes through cells; false where that is not plain.
func (s *Operation) settleRound(q *fast.CollRequest, i uint32) bool {
	w, x := &s.nbc, &q.Part
	if w.pattern == fast.PatternNone || w.pieces > 0 || w.replaces() || !s.onNbc.segment.Opened() {
		return false
	}
	q.Ring = w.row
	x.Pattern, x.Root = w.pattern, uint32(w.root)
	switch w.pattern {
	case fast.Meeting:
		return true
	case fast.Scattered, fast.ScatteredV:
		return s.settleOut(x, i, w.rank == w.root) && settleOne(x, w.Recv.Buffer, w.rank != w.root)
	case fast.FromRoot:
		return s.settleOut(x, i, true) && settleOne(x, w.Recv.Buffer, true)
	case fast.ToRoot:
		return s.settleOut(x, i, w.rank != w.root) && s.settleIn(x, i, w.rank == w.root)
	case fast.Everyone, fast.Crossed, fast.CrossedV, fast.Neighbors, fast.NeighborsV:
		return s.settleOut(x, i, true) && s.settleIn(x, i, true)
	}
	return s.settleOut(x, i, true) && s.settleReduction(x)
}

// settleOne describes one block that this rank gets, if it does.
func settleOne(x *fast.CollOp, b datatype.Buffer, gets bool) bool {
	if !gets {
		return true
	}
	x.In.Base, x.Each = b.Start(), uint32(b.Bytes())
	return b.Contiguous() && b.Bytes() <= fast.MaxNbcData
}

// settleIn describes a block of each other rank, or neighbor, if this rank gets any.
func (s *Operation) settleIn(x *fast.CollOp, i uint32, gets bool) bool {
	w := &s.nbc
	if !gets {
		return true
	}
	n := w.size
	if w.neighbors() {
		n = len(w.Near.Sources)
	}
	if n > fast.ListedRanks && !follow(&w.Recv, n) || !plain(&w.Recv, n) {
		return false
	}
	if follow(&w.Recv, n) {
		x.Each = uint32(w.Recv.Bytes())
		x.In.SetEach(w.Recv.Start(), x.Each)
	} else {
		s.Engine.Endpoint().SetIn(i, n, standing(&w.Recv))
	}
	return true
}

// settleOut describes what this rank contributes, if it does.
func (s *Operation) settleOut(x *fast.CollOp, i uint32, contributes bool) bool {
	w := &s.nbc
	if !contributes {
		return true
	}
	n, bytes := 1, w.Send.Bytes()
	if w.spreads() || w.tabled() {
		if !w.tabled() {
			x.Each = uint32(bytes)
		}
		n, bytes = w.entries(), w.spreadBytes()
	}
	if bytes > fast.MaxNbcData || !follow(&w.Send, n) && (!w.tabled() || n > fast.ListedRanks) ||
		!plain(&w.Send, n) {
		return false
	}
	x.Bytes = uint32(bytes)
	if follow(&w.Send, n) {
		x.Out.SetEach(w.Send.Start(), uint32(w.Send.Bytes()))
	} else {
		s.Engine.Endpoint().SetOut(i, n, standing(&w.Send))
	}
	return true
}

// settleReduction describes what this rank combines, if it does.
func (s *Operation) settleReduction(x *fast.CollOp) bool {
	w := &s.nbc
	t, o := w.Send.Type.Handle(), w.Op.Handle()
	if w.sources() == 0 && w.pattern != fast.PrefixIn {
		return true
	}
	if !s.Engine.Endpoint().Combines(uintptr(t), uintptr(o)) || !w.Recv.Contiguous() {
		return false
	}
	x.Type, x.Count = uintptr(t), uint32(w.Send.Count)
	x.Op, x.Own, x.In.Base = uintptr(o), w.Send.Start(), w.Recv.Start()
	x.Combined = x.Count
	if w.pattern == fast.Shares { // the outcome may take the place of the contribution
		x.Own, x.From, x.Combined = fast.NoData, uint32(w.Share.From), uint32(w.Share.Count)
	}
	return true
}

// plain reports whether the first n blocks have no gaps, and a size that package fast can name.
func plain(b *partition.Blocks, n int) bool {
	for i := range n {
		if x := b.Of(i); !x.Contiguous() || x.Bytes() > mostListed {
			return false
		}
	}
	return true
}

// follow reports whether the first n blocks have one size, and begin where the one before ends.
func follow(b *partition.Blocks, n int) bool {
	return b.Counts == nil && (n < 2 || b.Count*b.Type.Extent() == b.Bytes())
}

// mostListed is the largest block in a list. It may come as a message.
const mostListed = 1 << 30

// standing says where blocks stand.
func standing(b *partition.Blocks) func(i int) (at uintptr, bytes int64) {
	return func(i int) (uintptr, int64) {
		x := b.Of(i)
		return x.Start(), x.Bytes()
	}
}

// TakeUp implements p2p.Resident.
func (s *Operation) TakeUp(r *request.Request, state uint32, of *fast.CollRequest) {
	s.Skip()
	if r.Done = state == fast.Sent; r.Done {
		return
	}
	w, x := &s.nbc, &of.Part
	w.stage, w.k, w.turn, w.next = taking, x.K, x.K-w.row.Before, int(x.Next)
	if of.Queued != 0 {
		w.stage = queued
	}
	s.Engine.Ops.Watch(r)
}
