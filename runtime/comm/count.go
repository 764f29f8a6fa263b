package comm

import (
	"sync/atomic"

	"gompi/runtime/tool"
	"gompi/shm"
)

// Communicators count the collective operations on them. There is one operation at a time that begins or
// ends, as the standard demands, so adding takes no atomic instruction; the tool interface may read at any
// time. Package fast counts what it does in the communicator's coll segments.

// Count notes that a collective operation of the program has gone by that algorithm.
func (c *Comm) Count(a tool.Algorithm) { shm.StoreRel64(&c.done[a], c.done[a]+1) }

// CountAlone notes that package fast has carried out n operations without others.
func (c *Comm) CountAlone(n uint64) { shm.StoreRel64(&c.done[tool.Alone], c.done[tool.Alone]+n) }

// Collectives is how many operations have gone by each algorithm on this communicator, which may be gone. Any
// thread may ask.
func (c *Comm) Collectives() tool.Collectives {
	c.registry.mu.Lock()
	defer c.registry.mu.Unlock()
	return c.collectives()
}

// collectives is Collectives with the registry's lock held, so that the segment stays the communicator's.
func (c *Comm) collectives() (n tool.Collectives) {
	for w := range n {
		n[w] = atomic.LoadUint64(&c.done[w])
	}
	if a := c.segment.Load(); a != nil {
		n[tool.Cells] += a.Carried()
	}
	if c.Size() == 1 {
		n[tool.Alone] += c.engine.Endpoint().CarriedAlone(c.Handle)
	}
	if b := c.nbc.Load(); b != nil {
		n[tool.NbcCells] += b.Carried()
	}
	return n
}

// retire keeps the counts of a communicator that is gone, whose segments others may get. The lock is held.
func (r *Registry) retire(c *Comm) {
	n := c.collectives()
	shm.StoreRel64(&c.done[tool.Cells], n[tool.Cells])
	shm.StoreRel64(&c.done[tool.NbcCells], n[tool.NbcCells])
	c.segment.Store(nil)
	c.nbc.Store(nil)
	r.done.Add(&n)
}

// Collectives is how many operations have gone by each algorithm on all communicators that there are and have
// been.
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
