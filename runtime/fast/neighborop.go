package fast

import "sync/atomic"

// How an operation among neighbors goes over the ring.

// A contribution to NeighborsV begins with the number of destinations and these, uint32 each. A table of
// their blocks follows (BlockIn).

// neighborBytes is how many bytes that is; noSize when it is too much.
//
//fast:hot
func (x *CollOp) neighborBytes(e *Endpoint, s *CellRing) uint32 {
	most := s.Most[NeighborsV]
	if s.Neighborhood.Out >= most/(2*TableEntry) {
		return noSize
	}
	total := TableEntry + s.Neighborhood.Out*(2*TableEntry)
	for i := uint32(0); i < s.Neighborhood.Out; i++ {
		if *intAt(s.Neighborhood.Destinations, int32(i)) < 0 {
			continue
		}
		size, _ := e.block(&x.Out, i)
		if size > most-total {
			return noSize
		}
		total += size
	}
	return total
}

// writeNeighbors writes the contribution to NeighborsV.
//
//fast:hot
func (x *CollOp) writeNeighbors(e *Endpoint, s *CellRing, to uintptr) {
	n := s.Neighborhood.Out
	table := to + TableEntry + uintptr(n)*TableEntry
	data := table + uintptr(n)*TableEntry
	end := uint32(0)
	*EntryAt(to, 0) = n
	for i := uint32(0); i < n; i++ {
		destination := *intAt(s.Neighborhood.Destinations, int32(i))
		*EntryAt(to, i+1) = uint32(destination)
		if destination >= 0 {
			size, t := e.block(&x.Out, i)
			packTo(t, data+uintptr(end), x.Out.at(i), size)
			end += size
		}
		*EntryAt(table, i) = end
	}
}

// entryFor is which of the n entries that rank from, source i of this rank, has written down is for block i.
// The k-th block that a rank sends to another one is the k-th that this one receives from it, but in a grid.
func (s *CellRing) entryFor(list uintptr, n, i, from uint32) uint32 {
	if s.Neighborhood.Crossed != 0 {
		return i
	}
	before := uint32(0) // entries for this rank that belong to earlier sources
	for j := uint32(0); j < i; j++ {
		if uint32(*intAt(s.Neighborhood.Sources, int32(j))) == from {
			before++
		}
	}
	for which := uint32(0); which < n; which++ {
		if atomic.LoadUint32(EntryAt(list, which)) != s.Me {
			continue
		}
		if before == 0 {
			return which
		}
		before--
	}
	return n
}

// takeNeighbor takes what rank from, the i-th source, contributes; false when it is not what this rank
// expects, or does not stand in the segment.
//
//fast:hot
func (x *CollOp) takeNeighbor(e *Endpoint, s *CellRing, i, from uint32) bool {
	block := s.Neighborhood.blockOf(i)
	n, t := e.block(&x.In, block)
	if x.Pattern == Neighbors {
		whole := s.expected(from, x.K, n)
		if whole == NoData {
			return false
		}
		unpackFrom(t, x.In.at(block), whole, n)
		return true
	}
	said := s.Said(from, x.K)
	at := s.Data(from, x.K, said)
	if at == NoData || said > uint64(s.Inline) || said < TableEntry {
		return false
	}
	length := uint32(said) - TableEntry
	listed := atomic.LoadUint32(EntryAt(at, 0))
	if listed > length/(2*TableEntry) {
		return false
	}
	which := s.entryFor(at+TableEntry, listed, i, from)
	table := at + TableEntry + uintptr(listed)*TableEntry
	offset, size := BlockIn(table, length-listed*TableEntry, listed, which)
	if size != n {
		return false
	}
	unpackFrom(t, x.In.at(block), table+uintptr(offset), n)
	return true
}

// advanceNeighbors is advance among neighbors. If it waits, and is idle in the end, it has left the endpoint.
func (x *CollOp) advanceNeighbors(e *Endpoint, s *CellRing, waits bool) step {
	for x.Next < x.Sources {
		from := *intAt(s.Neighborhood.Sources, int32(s.Neighborhood.blockOf(x.Next)))
		if from >= 0 {
			if !s.Published(uint32(from), x.K) && (!waits || !s.awaitNeighbor(e, x.K, uint32(from))) {
				return idle
			}
			if !x.takeNeighbor(e, s, x.Next, uint32(from)) {
				return engine
			}
		}
		x.Next++
	}
	return advanced
}

// awaitNeighbor is await while the endpoint is in use, which it leaves when the answer is false. Package coll
// takes the operation over then.
//
//fast:cold
func (s *CellRing) awaitNeighbor(e *Endpoint, k uint64, r uint32) bool {
	s.Begun = 1
	for polls := uint32(0); e.restUnlocked(polls); polls++ {
		if s.Published(r, k) {
			s.Begun = 0
			return true
		}
		if e.Armed != 0 && (e.Next() != nil || e.Connecting()) {
			e.leave()
			return false
		}
	}
	return false
}

// makeRoom waits a moment until this rank may use its cell of operation k. Other threads are not to wait for
// that.
//
//fast:cold
func (s *CellRing) makeRoom(e *Endpoint, k uint64, contributes bool) bool {
	if !s.Admits(k) && e.collProgress() == advanced && s.ready(k, contributes) {
		return true
	}
	return s.Admits(k) && e.Shared == 0 && s.waitForRoom(e, k, 0)
}

// publishNeighbors publishes what this rank contributes for neighbors, and wakes those that sleep.
func (x *CollOp) publishNeighbors(e *Endpoint, s *CellRing) {
	to := s.OwnData(x.K, x.Bytes)
	if x.Pattern == NeighborsV {
		x.writeNeighbors(e, s, to)
	} else if x.Gaps != 0 {
		packElements(e.typeAt(x.Type), x.Out.Base, x.Bytes, to)
	} else {
		move(to, x.Out.Base, x.Bytes)
	}
	s.Publish(x.K)
	for i := uint32(0); i < s.Neighborhood.Out; i++ {
		r := *intAt(s.Neighborhood.Destinations, int32(i))
		if r >= 0 {
			s.Wake(uint32(r), uint32(r)+1)
		}
	}
}

// runNeighbors carries an operation among neighbors out to its end, or begins it where there is a request.
//
//fast:hot
func (x *CollOp) runNeighbors(e *Endpoint, s *CellRing, request uintptr) Reason {
	if x.Out.Base == x.In.Base || x.Out.Base == inPlace || x.In.Base == inPlace {
		return NotPlain
	}
	if unlikely(s.N == 1) {
		return x.neighborsAlone(e, s, request)
	}
	if request != Blocking {
		return x.start(e, s, request)
	}
	if s.Begun != 0 || !e.enterToAsk() {
		return NotPlain
	}
	contributes := s.Neighborhood.Readers != 0
	x.K = s.Seq + 1
	if unlikely(!s.ready(x.K, contributes)) && !s.makeRoom(e, x.K, contributes) {
		e.leave()
		return NoRoom
	}
	if contributes {
		x.publishNeighbors(e, s)
	}
	s.Seq++
	x.Sources = s.Neighborhood.In
	how := x.advanceNeighbors(e, s, true)
	if how == idle {
		return Waiting
	}
	if how == engine {
		s.Begun = 1
	} else {
		s.Carried[x.Pattern]++
		s.End(x.K)
	}
	e.leave()
	if how == engine {
		return Waiting
	}
	return Done
}
