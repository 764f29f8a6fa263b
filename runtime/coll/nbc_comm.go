package coll

import (
	"slices"

	"gompi/runtime/collseg"
	"gompi/runtime/comm"
	"gompi/runtime/op"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/shm"
)

// nbcComm is what a communicator knows of its operations on the nonblocking segment. All but the pointer to
// it is used under the engine's lock.
type nbcComm struct {
	c       *comm.Comm
	segment *collseg.Nbc
	opening bool
	waiting []*request.Request // for their turn, in order; one that a failure has ended stays
	head    int                // the first that waits still
}

// nbcOf is the nonblocking segment of c, nil when there is none; the same on all ranks.
func nbcOf(c *comm.Comm) *nbcComm {
	p, ok := c.OnNbc.(*nbcComm)
	if !ok {
		if b := c.NewNbc(); b != nil {
			p = &nbcComm{c: c, segment: b}
		}
		c.OnNbc = p
	}
	return p
}

// open makes the nonblocking segment ready. Its ranks have to agree where numbers begin, by messages, and
// operations wait until they have; nobody has ever used the nonblocking segment of MPI_COMM_WORLD before.
func (p *nbcComm) open(c *comm.Comm) error {
	if p.opening {
		return nil
	}
	p.opening = true
	if err := c.SamePins(); err != nil {
		p.opening = false
		return err
	}
	if p.segment.First() {
		p.opened(c.Engine(), 0)
		return nil
	}
	s, err := writeUnder(c, tagOpenBoard, false, func(t *Team) error {
		last := t.number(p.segment.Last()) // that any rank has used here, maybe for an earlier communicator
		t.greatest(last)
		t.apply(op.New("", true, func(op.Vectors) { p.opened(t.e, *shm.Word64(last.Addr)) }), last, last)
		return nil
	})
	if err != nil {
		return err
	}
	r, err := s.e.Ops.Begin(s, c.Coll.ID)
	if err != nil {
		p.opening = false
		return err
	}
	return s.e.Free(r) // it goes on by itself
}

// reuse has all ranks agree which rows no persistent operation has any more, if there are no others left. The
// call that makes such an operation may wait for all ranks (MPI 5.0, 6.13).
func (p *nbcComm) reuse(c *comm.Comm) error {
	if !p.segment.Spent() {
		return nil
	}
	t := join(c, tagReuse)
	taken := t.number(uint64(p.segment.Ours()))
	t.combined(taken, func(a, b uint64) uint64 { return a | b })
	if rows := uint32(*shm.Word64(taken.Addr)); t.err == nil {
		p.segment.Reuse(rows)
	}
	return t.finish()
}

// admitted reports whether an operation may go on with its cell.
func (w *nbc) admitted(p *nbcComm) bool {
	return p.segment.Opened() && w.row.Admits(w.row.Number(w.turn))
}

// enqueue has an operation wait for its turn. Those that wait stand in order: package fast may hand over a
// later one before an earlier one.
func (p *nbcComm) enqueue(e *p2p.Engine, r *request.Request) {
	turn, at := turnOf(r), len(p.waiting)
	for at > p.head && (!p.awaits(p.waiting[at-1]) || turnOf(p.waiting[at-1]) > turn) {
		at--
	}
	p.waiting = slices.Insert(p.waiting, at, r)
	p.segment.Queued(true)
	e.Ops.Defer(r)
}

// turnOf is the turn of an operation on the nonblocking segment.
func turnOf(r *request.Request) uint64 { return request.Behind(r.Op).(*Schedule).nbc.turn }

// opened opens the nonblocking segment and goes on with the operations that have waited for that.
func (p *nbcComm) opened(e *p2p.Engine, last uint64) {
	p.segment.Open(last)
	p.offer()
	p.segment.Queued(len(p.waiting) > 0)
	p.ended(e)
}

// offerEmpty lets package fast answer operations without data, where the program begins with such ones.
func offerEmpty(c *comm.Comm) {
	if c.Inter() || c.Size() == 1 || c.Recovery.Impaired() {
		return
	}
	if p := nbcOf(c); p != nil && !p.opening {
		p.segment.OfferEmpty(c.Handle, c.Coll.ID)
	}
}

// ended goes on with those operations that have waited for the end of one. They are in order, since all are
// of one row.
func (p *nbcComm) ended(e *p2p.Engine) {
	if len(p.waiting) == 0 {
		return
	}
	for ; p.head < len(p.waiting); p.head++ {
		r := p.waiting[p.head]
		if p.awaits(r) {
			if !request.Behind(r.Op).(*Schedule).nbc.admitted(p) {
				return
			}
			e.Ops.Watch(r)
		}
		p.waiting[p.head] = nil
	}
	p.waiting, p.head = p.waiting[:0], 0
	p.segment.Queued(false)
}

// awaits reports whether r is an operation that waits for its turn here. What stands in the list of one that
// a failure has ended may be something else by now.
func (p *nbcComm) awaits(r *request.Request) bool {
	s, ok := request.Behind(r.Op).(*Schedule)
	return ok && s.onNbc == p && r.State == request.Deferred
}
