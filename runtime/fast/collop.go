package fast

import "gompi/shm"

// CollOp is this rank's part in a collective operation, blocking or not: what it contributes, from whom it
// takes what, and how far it has come. Whoever carries it out keeps it: a blocking call on its stack, a
// nonblocking one in its request.
//
// An operation publishes what the rank contributes and takes what the others do. What does not come soon is
// handed over to package coll, which knows how to wait, so the ranks of one operation need not all come this
// way.
type CollOp struct {
	K       uint64 // number of the operation
	Pattern Pattern
	Root    uint32 // NoRoot if there is none
	Next    uint32 // how many of those that have something for this rank have been dealt with
	Sources uint32 // of so many
	Each    uint32 // size of what each of them has for this rank, unless In has a list
	Gaps    uint32 // 1: what this rank contributes is data of Type, which has gaps
	In      blocks // where that goes

	// Of reductions:
	Count    uint32  // elements of a contribution
	From     uint32  // the first of those that this rank combines
	Combined uint32  // how many these are; 0 on a rank that combines nothing
	Own      uintptr // this rank's contribution; NoData when it is to be taken from the cell
	Type, Op uintptr // handles of the datatype and of the operation

	// Until it has begun:
	Out      blocks // what this rank contributes
	Bytes    uint32 // of the contribution
	OwnBytes uint32 // of what it has for itself
	OwnFrom  uintptr
	OwnTo    uintptr
}

// publish publishes what this rank contributes, unless that is for neighbors; the others are not woken.
//
//fast:hot
func (x *CollOp) publish(e *Endpoint, s *CellRing) {
	to := s.OwnData(x.K, x.Bytes)
	switch x.Pattern {
	case Scattered, Crossed:
		before := s.Me * x.Each
		if s.N == 2 {
			move(to, x.Out.Base+uintptr(x.Each-before), x.Each)
		} else {
			move(to, x.Out.Base, before)
			move(to+uintptr(before), x.Out.Base+uintptr(before)+uintptr(x.Each), x.Bytes-before)
		}
	case ScatteredV, CrossedV:
		e.writeTable(&x.Out, to, s.N, s.Me)
	default:
		if unlikely(x.Gaps != 0) {
			packElements(e.typeAt(x.Type), x.Out.Base, x.Bytes, to)
		} else {
			move(to, x.Out.Base, x.Bytes)
		}
	}
	s.Publish(x.K)
}

// keepOwn copies what this rank has for itself.
//
//fast:hot
func (x *CollOp) keepOwn() {
	if x.OwnFrom != x.OwnTo {
		move(x.OwnTo, x.OwnFrom, x.OwnBytes)
	}
}

// Block is where what rank from has for this one goes, and its size; of neighbors, what source number from
// has.
//
//fast:hot
func (x *CollOp) Block(e *Endpoint, from uint32) (to uintptr, n uint32) {
	if x.In.counts != nil {
		size := e.blockSize(&x.In, from)
		return x.In.at(from), size
	}
	if x.Pattern == Everyone || x.Pattern == ToRoot || x.Pattern == Crossed {
		return x.In.Base + uintptr(from)*uintptr(x.Each), x.Each
	}
	return x.In.Base, x.Each
}

// take takes what rank from contributes; false when it is not what this rank expects, or does not stand in
// the segment.
//
//fast:hot
func (x *CollOp) take(e *Endpoint, s *CellRing, from uint32) bool {
	if x.Pattern >= Meeting {
		return true // all are combined at the end
	}
	to, n := x.Block(e, from)
	data := NoData
	switch x.Pattern {
	case Scattered, Crossed:
		data = s.expected(from, x.K, n*(s.N-1))
		if data == NoData {
			return false
		}
		data += uintptr(BlockFor(from, s.Me)) * uintptr(n)
	case ScatteredV, CrossedV:
		said := s.Said(from, x.K)
		table := s.Data(from, x.K, said)
		if table == NoData || said&shm.CellPointers != 0 {
			return false
		}
		offset, size := BlockIn(table, uint32(said&shm.CellBytes), s.N, s.Me)
		if size != n {
			return false
		}
		data = table + uintptr(offset)
	default:
		data = s.expected(from, x.K, n)
		if data == NoData {
			return false
		}
	}
	move(to, data, n)
	return true
}

// advance goes on with an operation that has begun; engine when package coll has to. It waits a moment for
// the others if waits, or else is idle when something is not there.
//
//fast:hot
func (x *CollOp) advance(e *Endpoint, s *CellRing, waits bool) step {
	for x.Next < x.Sources {
		from := x.Pattern.Source(x.Next, s.Me, s.N, x.Root)
		if !s.Published(from, x.K) && (!waits || !s.await(e, x.K, from)) {
			return idle
		}
		if !x.take(e, s, from) {
			return engine
		}
		x.Next++
	}
	if x.Op != 0 && !x.combine(e, s) {
		return engine
	}
	return advanced
}

// await waits until rank r has published in operation k, but not while a message has come: its sender may be
// the one that others wait for.
//
//fast:cold
func (s *CellRing) await(e *Endpoint, k uint64, r uint32) bool {
	for polls := uint32(0); e.rest(polls); polls++ {
		if s.Published(r, k) {
			return true
		}
		if e.Armed != 0 && (e.Next() != nil || e.Connecting()) {
			return false
		}
	}
	return false
}

// waitForRoom waits a moment until n bytes can be published in operation k.
//
// A rank that is as far ahead as can be looks seldom, and goes on when many operations have room: each look
// takes the others' counts out of their caches, and on a processor that they share every change of ranks
// costs more than an operation.
//
//fast:cold
func (s *CellRing) waitForRoom(e *Endpoint, k uint64, n uint32) bool {
	const between, yields = 16, 4
	for polls := uint32(0); ; polls++ {
		if polls%between == 0 || polls >= e.Spins {
			s.learn(k)
			ahead := k
			if polls < e.Spins+yields {
				ahead = k + s.Cells/2
			}
			if s.roomy(ahead, n) {
				return true
			}
		}
		if !e.backoff(polls) {
			return false
		}
	}
}

// scanAhead is how many operations ahead the cells of the lower ranks are fetched in a scan. Nobody waits for
// ranks above it, so the lower ones may be some operations ahead, each in memory of its own.
const scanAhead = 3

// NextOp is the number of the next blocking operation. The rank need not publish anything in it.
func (s *CellRing) NextOp() uint64 {
	k := s.Seq + 1
	s.Marks[k%shm.CollCellCount] = s.Head
	return k
}

// run carries an operation out to its end, or begins it, if there is a request for it.
//
//fast:hot
func (x *CollOp) run(e *Endpoint, s *CellRing, request uintptr) Reason {
	if request != Blocking {
		return x.start(e, s, request)
	}
	contributes := x.Pattern.Contributes(s.Me, s.N, x.Root) && (x.Pattern != Reduction || x.Root != s.Me)
	x.Sources = x.Pattern.Sources(s.Me, s.N, x.Root)
	x.K = s.NextOp()
	if contributes {
		if unlikely(!s.roomy(x.K, x.Bytes)) && !s.waitForRoom(e, x.K, x.Bytes) {
			return NoRoom
		}
		x.publish(e, s)
		s.Seq = x.K
		if x.Sources != 0 { // others are woken in the end
			s.Wake(0, s.N)
		}
	}
	x.keepOwn()
	if x.Pattern == PrefixIn || x.Pattern == PrefixEx {
		for r := uint32(0); r < s.Me; r++ {
			prefetch(s.Cell(r, x.K+scanAhead))
		}
	}
	if x.advance(e, s, true) != advanced {
		if contributes {
			s.Begun = 1
		}
		return Waiting
	}
	s.Seq = x.K
	s.Carried[x.Pattern]++
	s.SetDone(x.K)
	fromAll := x.Sources == s.N-1
	if fromAll { // whoever has published in this operation is done with the one before
		s.Lowest = x.K - 1
	}
	// Who waits for this rank to be done with an operation in which it has told all others something, and
	// heard of all, has to wait until the next one is begun at most, in which it is woken.
	if !contributes || !fromAll {
		s.Wake(0, s.N)
	}
	return Done
}

// BlockFor is which of the blocks that rank from contributes for all others is that for rank me.
func BlockFor(from, me uint32) uint32 {
	if me > from {
		return me - 1
	}
	return me
}

// behind is the rank that comes i ranks behind rank me of n: the order in which the others are looked at.
func behind(me, i, n uint32) uint32 {
	if me+i < n {
		return me + i
	}
	return me + i - n
}
