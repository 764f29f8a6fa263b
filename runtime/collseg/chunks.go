package collseg

import (
	"gompi/runtime/fast"
	"gompi/shm"
)

// chunks is where a rank puts the long data of the operations of one ring of cells, a step or a piece of
// which fills a chunk at most: in the chunk area of the rank (area.go), or where that has no room in chunks
// that are the ring's own.
type chunks struct {
	on     *Node
	ring   *fast.CellRing
	ranks  []int // who the ranks of the communicator are on the node
	cid    int
	inArea bool    // all ranks can read the area of this one
	base   uintptr // where the own ones begin, in the segment of a rank
	count  uint64  // how many own ones there are
	size   int64   // of a chunk
	whole  bool    // data that fits into one chunk goes in one
	own    [shm.CollChunkCount]held
}

// share sets how many own chunks there are, and their size, where so many ranks are on a core. Where ranks
// share cores there are few steps, because each takes every rank another turn on its core.
func (c *chunks) share(perCore int) {
	c.count, c.size = shm.CollChunkCount, shm.CollChunkSize
	if c.whole = perCore > 1; c.whole {
		c.count, c.size = shm.CollWideCount, shm.CollWideSize
	}
}

// ChunkOf is how many bytes of data of n bytes go in one step: all that fits if the data is long, less if it
// is not, so that copying in and copying out can go on at the same time. Where ranks share cores they do not.
func (c *chunks) ChunkOf(n int64) int64 {
	const least, grain = 8 << 10, 4 << 10
	if !c.whole {
		n = (n/4 + grain - 1) &^ (grain - 1)
	}
	return max(min(n, c.size), least)
}

// StepsOf is in how many steps data of n bytes goes; empty data in one.
func (c *chunks) StepsOf(n int64) uint64 {
	each := c.ChunkOf(n)
	return uint64(max((n+each-1)/each, 1))
}

// chunk is where n bytes of rank r stand in a chunk, by what their owner says.
func (c *chunks) chunk(r int, where uint64, n int64) uintptr {
	switch own := where - shm.ChunkAreaSize; {
	case where <= uint64(shm.ChunkAreaSize-n) && c.on.areas != 0:
		at := c.on.areas + uintptr(c.ranks[r])*shm.ChunkAreaStride + shm.ChunkAreaData + uintptr(where)
		if c.size == shm.CollChunkSize {
			c.on.touch(c.ranks[r], where/shm.CollChunkSize, at)
		}
		return at
	case own <= (c.count-1)*uint64(c.size):
		return c.ring.Peer(uint32(r)).Base + c.base + uintptr(own)
	}
	return c.ring.Peer(uint32(r)).Base + c.base // what the owner wrote is wrong
}

// place finds a chunk for data of this rank, and says where it stands. false where there is none before
// others have read what they have not yet.
func (c *chunks) place(h held) (where uint64, ok bool) {
	if c.inArea = c.inArea || c.on.allMapped(c.ranks); c.inArea { // not all ranks may have come so far before
		switch at, wait := c.on.area.take(h); {
		case wait:
			return 0, false
		case at >= 0:
			return uint64(at), true
		}
	}
	i := h.number
	if h.pieces > 0 {
		if h.number != c.ring.Through+1 {
			return 0, false
		}
		i = h.pieces
	}
	if i %= c.count; !c.own[i].over(&h) {
		return 0, false
	}
	c.own[i] = h
	return shm.ChunkAreaSize + i*uint64(c.size), true
}
