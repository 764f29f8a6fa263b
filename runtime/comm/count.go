package comm

import (
	"sync/atomic"

	"gompi/runtime/tool"
	"gompi/shm"
)

// Communicators count the collective operations on them. There is one operation at a time that begins or ends, as the
// standard demands, so adding takes no atomic instruction; the tool interface may read at any time. The C stubs count what
// they do in the communicator's area and board.

// Count notes that a collective operation of the program has gone that way.
func (c *Comm) Count(w tool.Way) { shm.StoreRel64(&c.done[w], c.done[w]+1) }

// Collectives is how many operations have gone each way on this communicator, which may be gone. Any thread may ask.
func (c *Comm) Collectives() tool.Collectives {
	c.registry.mu.Lock()
	defer c.registry.mu.Unlock()
	return c.collectives()
}

// collectives is Collectives with the registry's lock held, so that the area stays the communicator's.
func (c *Comm) collectives() (n tool.Collectives) {
	for w := range n {
		n[w] = atomic.LoadUint64(&c.done[w])
	}
	if a := c.area.Load(); a != nil {
		n[tool.Slots] += a.Stubbed()
	}
	if b := c.board.Load(); b != nil {
		n[tool.Board] += b.Stubbed()
	}
	return n
}

// retire keeps the counts of a communicator that is gone, whose area others may get. The lock is held.
func (r *Registry) retire(c *Comm) {
	n := c.collectives()
	shm.StoreRel64(&c.done[tool.Slots], n[tool.Slots])
	shm.StoreRel64(&c.done[tool.Board], n[tool.Board])
	c.area.Store(nil)
	c.board.Store(nil)
	r.done.Add(&n)
}

// Collectives is how many operations have gone each way on all communicators that there are and have been.
func (r *Registry) Collectives() tool.Collectives {
	r.mu.Lock()
	defer r.mu.Unlock()
	sum := r.done
	for _, c := range r.comms {
		n := c.collectives()
		sum.Add(&n)
	}
	return sum
}
