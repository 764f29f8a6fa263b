package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// NbcSegment is what one rank knows of the segments in which the ranks of a communicator publish what they
// contribute to nonblocking and persistent collective operations (shm/layout.go), many of which are under way
// together. It is used under the lock of the endpoint.
type NbcSegment struct {
	Handle   uintptr // by which the program knows the communicator; 0 when this package does not know it
	Me, N    uint32
	Ctx      uint32 // context of the communicator's collectives
	Serial   uint32 // number of the last nonblocking or persistent operation, refused ones left out
	Begun    uint64 // operations begun here
	Reduces  uint32 // the largest contribution to a reduction that is dealt with here, in bytes
	Ring     CellRing
	Peers    *CollPeer
	combiner combiner
}

// CellRing is where one rank is in a sequence of numbered operations with a ring of cells of their own. They
// may end in any order. A rank is done with an operation when it has read all that it needs, whether the
// program has asked for the end of the operation or not.
//
// An operation may use its cell once all that came as many before it as there are cells are done with, by
// this rank (Admits) and, if it contributes anything, by all (Free).
type CellRing struct {
	Segment *NbcSegment
	Turns   uint64 // operations that have been numbered
	Before  uint64 // number of the last operation that an earlier communicator may have done here
	Through uint64 // this rank is done with the operations up to this one
	Lowest  uint64 // all others are done with those up to this one
	Cells   uint64 // how many there are, a power of two
	Done    uint32 // where the word of operations done stands in a segment
	At      uint32 // where the cells begin
	Ended   uint32 // this rank is done with the operation i+1 behind Through as well, for each bit i
}

// NbcCell is the head of a cell; the data follows.
type NbcCell struct {
	Number uint64 // of the operation. Written last
	Bytes  uint64 // size of the data
	Mark   uint64 // ByMessage, or what the owner says of the data
	Unused uint64
}

// MaxNbcData is how many bytes fit into a cell.
const MaxNbcData = shm.NbcCellSize - shm.NbcCellData

// ByMessage marks a contribution that does not stand in its cell: it comes as a message.
const ByMessage uint64 = 1<<64 - 1

// AddNbcSegment makes a segment known here, if its place is empty.
func (e *Endpoint) AddNbcSegment(handle uintptr, s *NbcSegment) {
	at := &e.NbcSegments[handle%CommPlaces]
	if handle == 0 || *at != nil {
		return
	}
	s.Handle = handle
	*at = s
}

// dropNbcSegment forgets the segment behind a handle.
func (e *Endpoint) dropNbcSegment(handle uintptr) {
	at := &e.NbcSegments[handle%CommPlaces]
	if *at != nil && (*at).Handle == handle {
		(*at).Handle = 0
		*at = nil
	}
}

// nbcSegment is the segment of a communicator; nil when package coll has to use it.
func (e *Endpoint) nbcSegment(comm uintptr) *NbcSegment {
	s := e.NbcSegments[comm%CommPlaces]
	if s == nil || s.Handle != comm {
		return nil
	}
	return s
}

// Wake wakes those of the ranks from first up to, not including, end that sleep.
func (s *NbcSegment) Wake(first, end uint32) { wakeAsleep(s.Peers, s.Me, first, end) }

// Draw counts n operations more; its result is the turn of the first of them, from 1 on.
func (c *CellRing) Draw(n uint64) uint64 {
	c.Turns += n
	return c.Turns - n + 1
}

// Number is the number of an operation by its turn, the first of which is 1.
func (c *CellRing) Number(turn uint64) uint64 { return c.Before + turn }

// Admits reports whether this rank's cell may be that of operation k: its own part in what the cell held
// before is over.
func (c *CellRing) Admits(k uint64) bool { return k <= c.Through+c.Cells }

// DoneBy is how many operations rank r is done with. Pairs with End.
func (c *CellRing) DoneBy(r uint32) uint64 {
	return atomic.LoadUint64(word64At(c.Segment.Peer(r).Base + uintptr(c.Done)))
}

// Free reports whether everybody is done with what this rank's cell held before operation k.
//
//fast:hot
func (c *CellRing) Free(k uint64) bool {
	if c.Lowest+c.Cells >= k {
		return true
	}
	lowest := ByMessage
	for r := uint32(0); r < c.Segment.N; r++ {
		done := c.DoneBy(r)
		if r != c.Segment.Me && done < lowest {
			lowest = done
		}
	}
	c.Lowest = max(c.Lowest, lowest)
	return c.Lowest+c.Cells >= k
}

// Cell is where rank r publishes its contribution to operation k.
func (c *CellRing) Cell(k uint64, r uint32) *NbcCell {
	return nbcCellAt(c.Segment.Peer(r).Base + uintptr(c.At) + uintptr(k&(c.Cells-1))*shm.NbcCellSize)
}

// Publish makes this rank's contribution of n bytes visible to the others, which are not woken. Pairs with
// Published.
func (c *CellRing) Publish(k, n, mark uint64) {
	cell := c.Cell(k, c.Segment.Me)
	cell.Bytes = n
	cell.Mark = mark
	shm.StoreRel64(&cell.Number, k)
}

// Published reports whether rank r has published in operation k. Pairs with Publish.
func (c *CellRing) Published(k uint64, r uint32) bool {
	return atomic.LoadUint64(&c.Cell(k, r).Number) == k
}

// End says that this rank is done with operation k, for which Admits holds, and wakes those who wait for
// room.
func (c *CellRing) End(k uint64) {
	if k != c.Through+1 {
		c.Ended |= bit(uint32(k - c.Through - 1))
		return
	}
	c.Through++
	c.Ended >>= 1
	for c.Ended&1 != 0 { // those behind it that have ended before
		c.Through++
		c.Ended >>= 1
	}
	s := c.Segment
	shm.StoreRel64(word64At(s.Peer(s.Me).Base+uintptr(c.Done)), c.Through)
	// Like a bell's, a wake may miss one who has just begun to wait, whose first nap is short.
	for r := uint32(0); r < s.N; r++ {
		if unlikely(atomic.LoadUint32(word32At(s.Peer(r).Base+shm.NbcStarved)) != 0) {
			wakeAll(s.Peers, s.Me, r, r+1)
		}
	}
}
