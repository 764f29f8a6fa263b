package node

import (
	"slices"

	"gompi/runtime/coll/schedule"
	"gompi/runtime/collseg"
	"gompi/runtime/comm"
	"gompi/runtime/fast"
	"gompi/runtime/op"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/shm"
)

// Comm is what a communicator knows of its operations on the nonblocking segment. All but the pointer to
// it is used under the engine's lock.
type Comm struct {
	c       *comm.Comm
	segment *collseg.Nbc
	limits  Limits
	opening bool
	waiting []*request.Request // for their turn, in order; one that a failure has ended stays
	head    int                // the first that waits still
}

// Limits tells how much package fast may deal with on the nonblocking segment of a communicator, by pattern.
type Limits func(c *comm.Comm, roomy bool) [fast.Patterns]uint32

// CommOf is the nonblocking segment of c, nil when there is none; the same on all ranks.
func CommOf(c *comm.Comm, limits Limits) *Comm {
	p, ok := c.OnNbc.(*Comm)
	if !ok {
		if b := c.NewNbc(); b != nil {
			p = &Comm{c: c, segment: b, limits: limits}
		}
		c.OnNbc = p
	}
	return p
}

// open makes the nonblocking segment ready. Its ranks have to agree where numbers begin, by messages, and
// operations wait until they have; nobody has ever used the nonblocking segment of MPI_COMM_WORLD before.
func (p *Comm) open(c *comm.Comm) error {
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
	s, err := Write(c, schedule.TagOpenBoard, false, func(s *Operation) error {
		x := &s.Exchange
		last := x.Number(p.segment.Last()) // that any rank has used here, maybe for an earlier communicator
		x.Greatest(last)
		x.Apply(op.New("", true, func(op.Vectors) { p.opened(x.Engine, *shm.Word64(last.Addr)) }), last, last)
		return nil
	})
	if err != nil {
		return err
	}
	r, err := s.Engine.Ops.Begin(s, c.Coll.ID)
	if err != nil {
		p.opening = false
		return err
	}
	return s.Engine.Free(r) // it goes on by itself
}

// reuse has all ranks agree which rows no persistent operation has any more, if there are no others left. The
// call that makes such an operation may wait for all ranks (MPI 5.0, 6.13).
func (p *Comm) reuse(c *comm.Comm) error {
	if !p.segment.Spent() {
		return nil
	}
	x := schedule.NewExchange(c, schedule.TagReuse)
	defer x.Release()
	taken := x.Number(uint64(p.segment.Ours()))
	x.CombineNumbers(taken, func(a, b uint64) uint64 { return a | b })
	if rows := uint32(*shm.Word64(taken.Addr)); x.Err == nil {
		p.segment.Reuse(rows)
	}
	return x.Err
}

// admitted reports whether an operation may go on with its cell.
func (w *Nonblocking) admitted(p *Comm) bool {
	return p.segment.Opened() && w.row.Admits(w.row.Number(w.turn))
}

// enqueue has an operation wait for its turn. Those that wait stand in order: package fast may hand over a
// later one before an earlier one.
func (p *Comm) enqueue(e *p2p.Engine, r *request.Request) {
	turn, at := turnOf(r), len(p.waiting)
	for at > p.head && (!p.awaits(p.waiting[at-1]) || turnOf(p.waiting[at-1]) > turn) {
		at--
	}
	p.waiting = slices.Insert(p.waiting, at, r)
	p.segment.Queued(true)
	e.Ops.Defer(r)
}

// turnOf is the turn of an operation on the nonblocking segment.
func turnOf(r *request.Request) uint64 { return request.Behind(r.Op).(*Operation).nbc.turn }

// opened opens the nonblocking segment and goes on with the operations that have waited for that.
func (p *Comm) opened(e *p2p.Engine, last uint64) {
	p.segment.Open(last)
	p.offer()
	p.segment.Queued(len(p.waiting) > 0)
	p.ended(e)
}

// OfferEmpty lets package fast answer operations without data, where the program begins with such ones.
func (p *Comm) OfferEmpty() {
	if !p.opening {
		p.segment.OfferEmpty(p.c.Handle, p.c.Coll.ID)
	}
}

// ended goes on with those operations that have waited for the end of one. They are in order, since all are
// of one row.
func (p *Comm) ended(e *p2p.Engine) {
	if len(p.waiting) == 0 {
		return
	}
	for ; p.head < len(p.waiting); p.head++ {
		r := p.waiting[p.head]
		if p.awaits(r) {
			if !request.Behind(r.Op).(*Operation).nbc.admitted(p) {
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
func (p *Comm) awaits(r *request.Request) bool {
	s, ok := request.Behind(r.Op).(*Operation)
	return ok && s.onNbc == p && r.State == request.Deferred
}

// Roomy reports whether each rank has a core for sure, on all ranks the same.
func (p *Comm) Roomy() bool { return p.segment.Roomy() }
