package fast

// Nonblocking collective operations for which there is no room: as many of their ring are under way as there
// are cells. Each has its number, and waits in the queue of its ring until its cell is free. Each ring has a
// queue of its own, because ranks may start the operations of several communicators in different orders.

// queue adds an operation to those that wait for room, as that of a request.
//
//fast:cold
func (x *CollOp) queue(e *Endpoint, request uint32, s *CellRing) {
	i := x.newColl(e, request, s, 1)
	e.enqueue(i)
}

// enqueue makes operation i the last one in the queue of its ring.
func (t *CollTable) enqueue(i uint32) {
	q := t.CollRequest(i)
	s := q.Ring
	q.Queued = 1
	if s.Queue.First == NoRequest {
		s.NextQueue = t.Queues
		t.Queues = s
	}
	t.appendColl(&s.Queue, i)
}

// unqueue takes operation i out of the queue of its ring.
//
//fast:cold
func (t *CollTable) unqueue(i uint32) {
	q := t.CollRequest(i)
	s := q.Ring
	t.removeColl(&s.Queue, i)
	q.Queued = 0
	if s.Queue.First == NoRequest {
		t.dropQueue(s)
	}
}

// dropQueue takes a ring out of those that have a queue.
func (t *CollTable) dropQueue(s *CellRing) {
	if t.Queues == s {
		t.Queues = s.NextQueue
		return
	}
	before := t.Queues
	for before.NextQueue != s {
		before = before.NextQueue
	}
	before.NextQueue = s.NextQueue
}

// makeRoomQuickly goes on with the collective operations that wait, unless what the oldest one waits for is
// not there: calls that begin operations are not to look at all of them each time.
//
//fast:cold
func makeRoomQuickly(e *Endpoint) {
	if e.Begun.First == NoRequest {
		return
	}
	q := e.CollRequest(e.Begun.First)
	if q.Part.hasSource(q.Ring) {
		e.collProgress()
	}
}

// hasSource reports whether the next of those has published that have something for this rank.
func (x *CollOp) hasSource(s *CellRing) bool {
	if x.Next == x.Sources {
		return true
	}
	if x.Pattern < Neighbors {
		source := x.Pattern.Source(x.Next, s.Me, s.N, x.Root)
		return s.Published(source, x.K)
	}
	from := *intAt(s.Neighborhood.Sources, int32(s.Neighborhood.blockOf(x.Next)))
	return from < 0 || s.Published(uint32(from), x.K)
}

// showQueued publishes what this rank contributes to operations that are queued, as far as there is room. It
// reports whether there was any.
//
//fast:cold
func showQueued(e *Endpoint) bool {
	moved := false
	s := e.Queues
	for s != nil {
		next := s.NextQueue
		for s.Queue.First != NoRequest && s.showFirst(e) {
			moved = true
		}
		s = next
	}
	return moved
}

// showFirst does so with the first one in the queue of a ring, which waits for others then. It reports false
// when there is no room.
func (s *CellRing) showFirst(e *Endpoint) bool {
	i := s.Queue.First
	q := e.CollRequest(i)
	contributes, _ := q.Part.sharesIn(s)
	if !s.ready(q.Part.K, contributes) {
		return false
	}
	e.unqueue(i)
	e.appendColl(&e.Begun, i)
	if contributes {
		q.Part.show(e, s)
	}
	return true
}

// FirstColl is the number of the request of an operation that waits, the oldest of those that wait for the
// same; Collectives is not 0.
func (t *CollTable) FirstColl() uint32 {
	i := t.Begun.First
	if i == NoRequest {
		i = t.Queues.Queue.First
	}
	return t.CollRequest(i).Request
}
