package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// The protocol of the cells of a coll segment. The ranks of a communicator go through the same operations,
// numbered. In operation seq a rank publishes its contribution in cell seq modulo their number, or in the
// payload area, and counts seq as done when it has read what it needs. Before a cell, or a part of the
// payload area, is written again its owner makes sure that all others are done with what stood there.

// Cell is where rank r publishes its contribution to operation seq.
func (s *CollSegment) Cell(r uint32, seq uint64) *Cell {
	return cellAt(s.Peer(r).Base + shm.CollCells + uintptr(seq%shm.CollCellCount)*shm.CellSize)
}

// DoneBy is how many operations rank r is done with. Pairs with SetDone.
func (s *CollSegment) DoneBy(r uint32) uint64 {
	return atomic.LoadUint64(word64At(s.Peer(r).Base + shm.CollDone))
}

// SetDone says that this rank is done with the operations up to seq. The others are not woken.
func (s *CollSegment) SetDone(seq uint64) {
	shm.StoreRel64(word64At(s.Peer(s.Me).Base+shm.CollDone), seq)
}

// Next is the number of the next operation, for a rank that need not publish anything in it.
func (s *CollSegment) Next() uint64 {
	seq := s.Seq + 1
	s.Marks[seq%shm.CollCellCount] = s.Head
	return seq
}

// learn finds out what all others are done with before operation seq, and gives the payload area free that
// they do not read any more.
func (s *CollSegment) learn(seq uint64) {
	lowest := seq
	for r := uint32(0); r < s.N; r++ {
		done := s.DoneBy(r)
		if r != s.Me && done < lowest {
			lowest = done
		}
	}
	s.Lowest = lowest
	if lowest+shm.CollCellCount > seq {
		s.Tail = s.Marks[lowest%shm.CollCellCount]
	}
}

// take is how much of the payload area n bytes use up: whole lines, and the end of the area if it is too
// short.
//
//fast:hot
func (s *CollSegment) take(n uint32) uint32 {
	lines := (n + shm.CacheLine - 1) &^ (shm.CacheLine - 1)
	at := s.Head % shm.CollPayloadSize
	if at+lines > shm.CollPayloadSize {
		return lines + shm.CollPayloadSize - at
	}
	return lines
}

// fits reports whether there is known to be room for n bytes.
func (s *CollSegment) fits(n uint32) bool {
	return n <= shm.CellInline || s.Head-s.Tail+s.take(n) <= shm.CollPayloadSize
}

// roomy reports whether n bytes are known to have room in operation seq.
func (s *CollSegment) roomy(seq uint64, n uint32) bool {
	return s.Lowest+shm.CollCellCount >= seq && s.fits(n)
}

// Free reports whether n bytes can be published in operation seq: nobody reads any more what stood there.
func (s *CollSegment) Free(seq uint64, n uint32) bool {
	if s.roomy(seq, n) {
		return true
	}
	s.learn(seq)
	return s.roomy(seq, n)
}

// waitForRoom waits a moment until n bytes can be published in operation seq.
//
// A rank that is as far ahead as can be looks seldom, and goes on when many operations have room: each look
// takes the others' counts out of their caches, and on a processor that they share every change of ranks
// costs more than an operation.
//
//fast:cold
func (s *CollSegment) waitForRoom(e *Endpoint, seq uint64, n uint32) bool {
	const between, yields = 16, 4
	for polls := uint32(0); ; polls++ {
		if polls%between == 0 || polls >= e.Spins {
			s.learn(seq)
			ahead := seq
			if polls < e.Spins+yields {
				ahead = seq + shm.CollCellCount/2
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

// reserve is the number of the next operation, in which this rank can publish n bytes; 0 when there is no
// room soon.
//
//fast:hot
func (s *CollSegment) reserve(e *Endpoint, n uint32) uint64 {
	seq := s.Next()
	if unlikely(!s.roomy(seq, n)) && !s.waitForRoom(e, seq, n) {
		return 0
	}
	return seq
}

// Place is where n bytes of this rank's contribution to operation seq stand, for which there is room.
//
//fast:hot
func (s *CollSegment) Place(seq uint64, n uint32) uintptr {
	c := s.Cell(s.Me, seq)
	if n <= shm.CellInline {
		c.Length = uint64(n)
		return c.data()
	}
	at := s.Head % shm.CollPayloadSize
	if at+n > shm.CollPayloadSize {
		at = 0
	}
	s.Head += s.take(n)
	s.Marks[seq%shm.CollCellCount] = s.Head
	c.Length = uint64(n) | shm.CellInPayload
	c.Data[0] = uint64(at)
	return s.Peer(s.Me).Base + shm.CollPayload + uintptr(at)
}

// Publish makes what was put into place visible to the others, which are not woken. The operation has begun
// then. Pairs with Published.
func (s *CollSegment) Publish(seq uint64) {
	shm.StoreRel64(&s.Cell(s.Me, seq).Number, seq)
	s.Seq = seq
}

// Published reports whether rank r has published in operation seq. Pairs with Publish.
func (s *CollSegment) Published(r uint32, seq uint64) bool {
	return atomic.LoadUint64(&s.Cell(r, seq).Number) == seq
}

// Said is what rank r says of its contribution to operation seq: its size in bytes and what it is.
func (s *CollSegment) Said(r uint32, seq uint64) uint64 {
	return atomic.LoadUint64(&s.Cell(r, seq).Length)
}

// NoData is the address of what does not stand in a segment, or not within its bounds.
const NoData uintptr = 0

// Data is where the contribution of rank r to operation seq stands, of which said is what Said was; NoData
// when that is not in the segment. What the owner wrote is bounded: a segment is other processes' memory.
//
//fast:hot
func (s *CollSegment) Data(r uint32, seq, said uint64) uintptr {
	c := s.Cell(r, seq)
	if said&^shm.CellPointers <= shm.CellInline {
		return c.data()
	}
	n := said & shm.CellBytes
	where := atomic.LoadUint64(&c.Data[0])
	inPayload := said&shm.CellInPayload != 0 && said&shm.CellPipelined == 0
	if !inPayload || n > shm.CollPayloadSize || where > shm.CollPayloadSize-n {
		return NoData
	}
	return s.Peer(r).Base + shm.CollPayload + uintptr(where)
}

// expected is where the n bytes stand that rank r contributes to operation seq; NoData when it contributes
// something else.
//
//fast:hot
func (s *CollSegment) expected(r uint32, seq uint64, n uint32) uintptr {
	said := s.Said(r, seq)
	if said != uint64(n) && said != uint64(n)|shm.CellInPayload {
		return NoData
	}
	return s.Data(r, seq, said)
}

// Wake wakes those of the ranks from first up to, not including, end that sleep, as a rule none.
func (s *CollSegment) Wake(first, end uint32) { wakeAsleep(s.Peers, s.Me, first, end) }

// wakeAsleep is Wake among the peers of rank me.
//
//fast:hot
func wakeAsleep(peers *CollPeer, me, first, end uint32) {
	asleep := uint32(0)
	for r := first; r < end; r++ {
		asleep |= atomic.LoadUint32(peerAt(peers, r).Bell)
	}
	if unlikely(asleep != 0) {
		wakeAll(peers, me, first, end)
	}
}

// wakeAll wakes the ranks but me from first up to, not including, end.
//
//fast:cold
func wakeAll(peers *CollPeer, me, first, end uint32) {
	for r := first; r < end; r++ {
		bell := peerAt(peers, r).Bell
		if r != me && atomic.LoadUint32(bell) != 0 {
			wake(bell)
		}
	}
}

// await waits a moment until the ranks from first up to, not including, end have published in operation seq.
// This rank itself is not looked at.
//
//fast:hot
func (s *CollSegment) await(e *Endpoint, seq uint64, first, end uint32) bool {
	for ; first < end; first++ {
		if first != s.Me && !s.Published(first, seq) {
			return s.awaitLonger(e, seq, first, end)
		}
	}
	return true
}

//fast:cold
func (s *CollSegment) awaitLonger(e *Endpoint, seq uint64, first, end uint32) bool {
	for polls := uint32(0); e.backoff(polls); polls++ {
		for first < end && (first == s.Me || s.Published(first, seq)) {
			first++
		}
		if first == end {
			return true
		}
	}
	return false
}

// begin begins the next operation by publishing n bytes. It is its number; 0 when there is no room.
//
//fast:hot
func (s *CollSegment) begin(e *Endpoint, data uintptr, n uint32) uint64 {
	seq := s.reserve(e, n)
	if seq != 0 {
		move(s.Place(seq, n), data, n)
		s.Publish(seq)
		s.Wake(0, s.N)
	}
	return seq
}

// handOver leaves the rest of an operation in which this rank has published to package coll.
func (s *CollSegment) handOver() Reason {
	s.Begun = 1
	return Waiting
}

func (s *CollSegment) count(seq uint64) {
	s.Seq = seq
	s.Carried++
	s.SetDone(seq)
}

// end ends an operation. Others may wait for that.
func (s *CollSegment) end(seq uint64) Reason {
	s.count(seq)
	s.Wake(0, s.N)
	return Done
}

// endAfterAll ends an operation in which this rank has seen the contributions of all. Whoever waits for this
// rank to be done with it has to wait until the next one is begun at most, in which it is woken.
func (s *CollSegment) endAfterAll(seq uint64) Reason {
	s.Lowest = seq - 1
	s.count(seq)
	return Done
}

// publishAndEnd publishes n bytes to ranks for which this one does not wait.
//
//fast:hot
func (s *CollSegment) publishAndEnd(e *Endpoint, data uintptr, n uint32) Reason {
	seq := s.reserve(e, n)
	if seq == 0 {
		return NoRoom
	}
	move(s.Place(seq, n), data, n)
	s.Publish(seq)
	return s.end(seq)
}

// fetch copies the n bytes that rank r contributes; false when it contributes something else, or nothing
// soon.
//
//fast:hot
func (s *CollSegment) fetch(e *Endpoint, seq uint64, r uint32, to uintptr, n uint32) bool {
	if !s.await(e, seq, r, r+1) {
		return false
	}
	data := s.expected(r, seq, n)
	if data == NoData {
		return false
	}
	move(to, data, n)
	return true
}

// behind is the rank that comes i places behind rank me of n: the order in which the others are looked at.
func behind(me, i, n uint32) uint32 {
	if me+i < n {
		return me + i
	}
	return me + i - n
}
