package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// CellRing is what one rank knows of the rings of cells in which the ranks of a communicator publish what
// they contribute to collective operations (shm/layout.go). A communicator has one for blocking operations,
// one for nonblocking ones and one for each persistent one, which are numbered apart.
//
// The ranks go through the same operations, numbered. In operation k a rank publishes its contribution in
// cell k modulo their number, or in the payload area behind the cells, and is done with k when it has read
// what it needs, whether the program has asked for the end of the operation or not. Before a cell, or a part
// of the payload area, is written again its owner makes sure that all others are done with what stood there.
//
// It is private to the rank. That of blocking operations is used by one thread at a time, the others are used
// under the lock of the endpoint.
type CellRing struct {
	Me, N uint32
	Peers *CollPeer

	// In a segment:
	Cells  uint64 // how many there are, a power of two
	Stride uint32 // from cell to cell
	Inline uint32 // data that fits into a cell, in bytes
	At     uint32 // where the cells begin
	Done   uint32 // where the word of operations done stands
	Room   uint32 // size of the payload area, or 0

	Begun   uint32 // 1: operation Seq, which blocks, was left to package coll once this rank had published
	Seq     uint64 // number of the last operation begun
	Before  uint64 // number of the last operation that an earlier communicator may have done here
	Through uint64 // this rank is done with the operations up to this one
	Lowest  uint64 // all others are done with the operations up to this one
	Ended   uint32 // this rank is done with the operation i+1 behind Through as well, for each bit i
	Head    uint32 // bytes of the payload area used so far, modulo 2^32
	Tail    uint32 // of those, what may be written again

	// Of nonblocking operations, those that wait for room (collqueue.go):
	Queue     CollList
	NextQueue *CellRing // another ring with some
	// 1: package coll has some, and deals with all others until they have room
	Elsewhere uint32

	Ctx    uint32 // context of the communicator's collectives
	Serial uint32 // number of the last nonblocking or persistent operation, refused ones left out

	// The largest contribution of one rank that is dealt with here, in bytes, by pattern: 0 for operations
	// that package coll deals with. What a rank has for all others counts together.
	Most    [Patterns]uint32
	Carried [Patterns]uint64 // operations carried out here, or begun, if they do not block; by pattern
	Empty   [Patterns]uint64 // those without data, for which no rank waits

	Neighborhood Neighborhood // of nonblocking operations: the neighbors of this rank, if there is a topology

	Marks    [shm.CollCellCount]uint32 // Head behind each of the last operations
	combiner *combiner
}

// CollPeer is one rank's segment.
type CollPeer struct {
	Base uintptr
	Bell *uint32
}

// Cell is a rank's memory for its contribution to one operation. There may be more data behind it.
type Cell struct {
	Number uint64 // of the operation. Written last
	Length uint64 // size of the data in bytes, and what it is (shm.CellInPayload, ...)
	Data   [shm.CellInline / 8]uint64
}

// MaxNbcData is how many bytes fit into a cell for operations that do not block.
const MaxNbcData = shm.NbcCellSize - shm.CellData

// Blocking stands for the request of an operation that blocks.
const Blocking uintptr = 1

// ring is the ring for an operation of a communicator with that request; nil when package coll has to deal
// with it, or the communicator has one rank. A ring in which package coll has refused to end what was begun
// here is left to it until the program calls again.
//
//fast:hot
func (e *Endpoint) ring(comm, request uintptr) *CellRing {
	e.Act()
	c := e.known(comm)
	if c == nil {
		return nil
	}
	if request != Blocking {
		if request < Lowest {
			return nil
		}
		return c.Nbc
	}
	s := c.Coll
	if s == nil || s.Begun != 0 || e.Open == Closed || e.Open == Random && e.refuses() {
		return nil
	}
	return s
}

// Start begins with operations above before.
func (s *CellRing) Start(before uint64) {
	s.Before = before
	s.Through = before
	s.Lowest = before
	s.Seq += before
}

// CarriedNow is Carried. Any thread may ask.
func (s *CellRing) CarriedNow() (n [Patterns]uint64) {
	for p := Pattern(0); p < Patterns; p++ {
		n[p] = atomic.LoadUint64(&s.Carried[p])
	}
	return n
}

// EmptyNow is Empty. Any thread may ask.
func (s *CellRing) EmptyNow() (n [Patterns]uint64) {
	for p := Pattern(0); p < Patterns; p++ {
		n[p] = atomic.LoadUint64(&s.Empty[p])
	}
	return n
}

// Draw counts n operations more; its result is the turn of the first of them, from 1 on. Before Start too.
func (s *CellRing) Draw(n uint64) uint64 {
	s.Seq += n
	return s.Seq - s.Before - n + 1
}

// Number is the number of an operation by its turn.
func (s *CellRing) Number(turn uint64) uint64 { return s.Before + turn }

// Cell is where rank r publishes its contribution to operation k.
//
//fast:hot
func (s *CellRing) Cell(r uint32, k uint64) *Cell {
	return cellAt(s.Peer(r).Base + uintptr(s.At) + uintptr(k&(s.Cells-1))*uintptr(s.Stride))
}

// DoneBy is how many operations rank r is done with. Pairs with SetDone.
func (s *CellRing) DoneBy(r uint32) uint64 {
	return atomic.LoadUint64(word64At(s.Peer(r).Base + uintptr(s.Done)))
}

// SetDone says that this rank is done with the operations up to k. The others are not woken.
func (s *CellRing) SetDone(k uint64) {
	shm.StoreRel64(word64At(s.Peer(s.Me).Base+uintptr(s.Done)), k)
}

// mostSteps bounds the numbers that an operation takes up at a time, one for each step.
const mostSteps = 1 << 24

// Abandon says that this rank is done with all operations that it has begun, whether they have ended or not.
func (s *CellRing) Abandon() {
	done := s.DoneBy(s.Me)
	s.SetDone(max(s.Seq, done) + mostSteps)
}

// Admits reports whether this rank's cell may be that of operation k: its own part in what the cell held
// before is over.
func (s *CellRing) Admits(k uint64) bool { return k <= s.Through+s.Cells }

// End says that this rank is done with operation k, for which Admits holds, and wakes those who wait for
// room. Operations may end in any order.
func (s *CellRing) End(k uint64) {
	if k != s.Through+1 {
		s.Ended |= bit(uint32(k - s.Through - 1))
		return
	}
	s.Through++
	s.Ended >>= 1
	for s.Ended&1 != 0 { // those behind it that have ended before
		s.Through++
		s.Ended >>= 1
	}
	s.SetDone(s.Through)
	s.WakeBlocked()
}

// WakeBlocked wakes the ranks that wait for room in a cell or a chunk.
func (s *CellRing) WakeBlocked() {
	// Like a bell's, a wake may miss one who has just begun to wait, whose first nap is short.
	for r := uint32(0); r < s.N; r++ {
		if unlikely(atomic.LoadUint32(word32At(s.Peer(r).Base+shm.NbcBlocked)) != 0) {
			s.wakeAll(r, r+1)
		}
	}
}

// learn finds out what all others are done with before operation k, and gives the payload area free that they
// do not read any more.
func (s *CellRing) learn(k uint64) {
	lowest := k
	for r := uint32(0); r < s.N; r++ {
		done := s.DoneBy(r)
		if r != s.Me && done < lowest {
			lowest = done
		}
	}
	s.Lowest = max(s.Lowest, lowest)
	if s.Lowest+shm.CollCellCount > k {
		s.Tail = s.Marks[s.Lowest%shm.CollCellCount]
	}
}

// take is how much of the payload area n bytes use up: whole lines, and the end of the area if it is too
// short.
//
//fast:hot
func (s *CellRing) take(n uint32) uint32 {
	lines := (n + shm.CacheLine - 1) &^ (shm.CacheLine - 1)
	at := s.Head % shm.CollPayloadSize
	if at+lines > shm.CollPayloadSize {
		return lines + shm.CollPayloadSize - at
	}
	return lines
}

// roomy reports whether n bytes are known to have room in operation k.
//
//fast:hot
func (s *CellRing) roomy(k uint64, n uint32) bool {
	return s.Lowest+s.Cells >= k && (n <= s.Inline || s.Head-s.Tail+s.take(n) <= s.Room)
}

// Free reports whether n bytes can be published in operation k: nobody reads any more what stood there.
func (s *CellRing) Free(k uint64, n uint32) bool {
	if s.roomy(k, n) {
		return true
	}
	s.learn(k)
	return s.roomy(k, n)
}

// OwnData is where n bytes of this rank's contribution to operation k stand, for which there is room.
//
//fast:hot
func (s *CellRing) OwnData(k uint64, n uint32) uintptr {
	c := s.Cell(s.Me, k)
	if n <= s.Inline {
		c.Length = uint64(n)
		return c.data()
	}
	at := s.Head % shm.CollPayloadSize
	if at+n > shm.CollPayloadSize {
		at = 0
	}
	s.Head += s.take(n)
	s.Marks[k%shm.CollCellCount] = s.Head
	c.Length = uint64(n) | shm.CellInPayload
	c.Data[0] = uint64(at)
	return s.Peer(s.Me).Base + shm.CollPayload + uintptr(at)
}

// Announce says that this rank's contribution to operation k comes as a message. Publish follows.
func (s *CellRing) Announce(k uint64) { s.Cell(s.Me, k).Length = shm.CellMessage }

// Publish makes what was put there visible to the others, which are not woken. Pairs with Published.
func (s *CellRing) Publish(k uint64) { shm.StoreRel64(&s.Cell(s.Me, k).Number, k) }

// Published reports whether rank r has published in operation k. Pairs with Publish.
func (s *CellRing) Published(r uint32, k uint64) bool {
	return atomic.LoadUint64(&s.Cell(r, k).Number) == k
}

// Said is what rank r says of its contribution to operation k: its size in bytes and what it is.
func (s *CellRing) Said(r uint32, k uint64) uint64 { return atomic.LoadUint64(&s.Cell(r, k).Length) }

// NoData is the address of what does not stand in a segment, or not within its bounds.
const NoData uintptr = 0

// Data is where the contribution of rank r to operation k stands, of which said is what Said was; NoData when
// that is not in the segment. What the owner wrote is bounded: a segment is other processes' memory.
//
//fast:hot
func (s *CellRing) Data(r uint32, k, said uint64) uintptr {
	c := s.Cell(r, k)
	if said&^shm.CellPointers <= uint64(s.Inline) {
		return c.data()
	}
	n := said & shm.CellBytes
	where := atomic.LoadUint64(&c.Data[0])
	elsewhere := said & (shm.CellPipelined | shm.CellMessage)
	if said&shm.CellInPayload == 0 || elsewhere != 0 || n > uint64(s.Room) || where > uint64(s.Room)-n {
		return NoData
	}
	return s.Peer(r).Base + shm.CollPayload + uintptr(where)
}

// expected is where the n bytes stand that rank r contributes to operation k; NoData when it contributes
// something else.
//
//fast:hot
func (s *CellRing) expected(r uint32, k uint64, n uint32) uintptr {
	said := s.Said(r, k)
	if said != uint64(n) && said != uint64(n)|shm.CellInPayload {
		return NoData
	}
	return s.Data(r, k, said)
}

// Wake wakes those of the ranks from first up to, not including, end that sleep, as a rule none.
//
//fast:hot
func (s *CellRing) Wake(first, end uint32) {
	asleep := uint32(0)
	for r := first; r < end; r++ {
		asleep |= atomic.LoadUint32(s.Peer(r).Bell)
	}
	if unlikely(asleep != 0) {
		s.wakeAll(first, end)
	}
}

// wakeAll wakes the ranks but this one from first up to, not including, end.
//
//fast:cold
func (s *CellRing) wakeAll(first, end uint32) {
	for r := first; r < end; r++ {
		bell := s.Peer(r).Bell
		if r != s.Me && atomic.LoadUint32(bell) != 0 {
			wake(bell)
		}
	}
}
