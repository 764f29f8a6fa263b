package collseg

import (
	"sync"
	"sync/atomic"

	"gompi/runtime/hardware"
	"gompi/shm"
)

// The chunks of a rank stand in one area, which it uses round and round for the steps of all communicators.
// A chunk that is written again has to have left the private caches of those who have read it, and not yet
// the cache that they share, so the area is larger than the former and smaller than its share of the latter
// (hardware.CopyArea). A chunk that is not free because a slow reader of another communicator has not taken
// it is passed over, and where too many are, a communicator has some of its own: no operation waits for one
// of another communicator.

// area is what this process knows of its chunk area. Several threads use it.
type area struct {
	mu    sync.Mutex
	next  int                  // the unit from which on there may be room
	units [shm.ChunkUnits]held // who had each of them last
}

// held is a step, or a piece, that stands in a chunk, and the ranks that read it.
type held struct {
	by         *chunks
	number     uint64 // of the step, or of the operation
	pieces     uint64 // how many a rank that has read the piece has read of the operation; 0 for a step
	bytes      int64  // of the data
	first, end int
	too        bool // this rank reads it as well, if it is among them
}

// over reports whether they have read it, for the step or piece next that is to take its place. Within an
// operation in steps the ranks that read that one read this one too; no others wait for it.
func (h *held) over(next *held) bool {
	if h.by == nil {
		return true
	}
	me := int(h.by.ring.Me)
	if h.too {
		me = -1
	}
	first, end := &h.first, h.end
	if h.pieces == 0 && h.by == next.by && h.number >= h.by.ring.Seq {
		at := next.first
		first, end = &at, next.end
	}
	for *first < end && (*first == me || h.readBy(uint32(*first))) {
		*first++
	}
	return *first >= end
}

// readBy reports whether rank r has read it. Pairs with SetDone and SetRead.
func (h *held) readBy(r uint32) bool {
	c := h.by
	return c.ring.DoneBy(r) >= h.number || h.pieces > 0 &&
		atomic.LoadUint64(c.reads(r, h.number)) >= h.number<<shm.NbcReadShift|h.pieces
}

// tries is how often chunks are looked for that are free, before a communicator takes one of its own.
const tries = 8

// take is where a step may be written, by its offset in the area. wait says that this will be known later;
// where is negative when the step has to stand elsewhere.
func (x *area) take(h held) (where int64, wait bool) {
	a := h.by
	need := int((h.bytes + shm.CollChunkSize - 1) / shm.CollChunkSize)
	within := min(max(int(hardware.CopyArea()/shm.CollChunkSize), need*int(a.count)), shm.ChunkUnits)
	x.mu.Lock()
	defer x.mu.Unlock()
	for range tries {
		if x.next+need > within {
			x.next = 0
		}
		i := x.lastHeld(need, &h)
		if i < 0 {
			where = int64(x.next) * shm.CollChunkSize
			for ; need > 0; need-- {
				x.units[x.next] = h
				x.next++
			}
			return where, false
		}
		if before := &x.units[i]; h.pieces == 0 && before.by == a && before.number+a.count <= h.number {
			return 0, true // as if the communicator had no more chunks than its own
		}
		x.next = i + 1
	}
	return -1, false
}

// lastHeld is the last one of the next units that is not free for a step; -1 when all are.
func (x *area) lastHeld(need int, h *held) int {
	for i := x.next + need - 1; i >= x.next; i-- {
		if !x.units[i].over(h) {
			return i
		}
	}
	return -1
}

// forget makes the units free that steps of a communicator have, which nobody reads any more.
func (x *area) forget(cid int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := range x.units {
		if a := x.units[i].by; a != nil && a.cid == cid {
			x.units[i] = held{}
		}
	}
}

// units says of each unit of an area whether this process has touched it.
type units [(shm.ChunkUnits + 63) / 64]atomic.Uint64

// touch touches a unit of a node rank's area, which stands at an address, if this process has not. The first
// touch of its pages takes longer than all copies into them and out, and must count for no route
// (Measured.End).
func (n *Node) touch(rank int, unit uint64, at uintptr) {
	word, bit := &n.touched[rank][unit/64], uint64(1)<<(unit%64)
	if word.Load()&bit != 0 {
		return
	}
	for page := at; page < at+shm.CollChunkSize; page += shm.PageSize {
		if w := shm.Word32(page); rank == n.me {
			*w = 0
		} else {
			atomic.LoadUint32(w)
		}
	}
	word.Or(bit)
	n.touches.Add(1)
}

// mapAreas maps the chunk areas of the node, and tells the others whether they may use theirs.
func (n *Node) mapAreas() {
	if n.areas = n.segment.MapChunkAreas(); n.areas != 0 {
		atomic.StoreUint32(n.mapped(n.me), 1)
	}
}

func (n *Node) mapped(rank int) *uint32 {
	return shm.Word32(n.segment.Base + shm.RankOffset(rank) + shm.RankChunks)
}

// allMapped reports whether some node ranks have mapped the chunk areas.
func (n *Node) allMapped(ranks []int) bool {
	for _, r := range ranks {
		if atomic.LoadUint32(n.mapped(r)) == 0 {
			return false
		}
	}
	return true
}
