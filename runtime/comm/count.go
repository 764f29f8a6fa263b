package comm

import (
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/runtime/tool"
	"gompi/shm"
)

// Communicators count the collective operations on them. There is one operation at a time that begins or
// ends, as the standard demands, so adding takes no atomic instruction; the tool interface may read at any
// time. Package fast counts what it does in the communicator's coll segments. Most communicators see few
// operations of Go's or none, so there is room for their counts once the first is to be counted.

// Pins are the algorithms of collective operations that the user has chosen, the same on all ranks.
func (c *Comm) Pins() *tool.Pins { return &c.registry.pins }

// SamePins compares them with those of other ranks.
func (c *Comm) SamePins() error {
	if same := c.registry.samePins; same != nil {
		return same()
	}
	return nil
}

// Count notes that a collective operation of the program has gone by that algorithm.
func (c *Comm) Count(o tool.Operation, a tool.Algorithm) { c.count(o, a, 1) }

func (c *Comm) count(o tool.Operation, a tool.Algorithm, n uint64) {
	done := c.done.Load()
	if done == nil {
		done = new(tool.Collectives)
		c.done.Store(done)
	}
	at := done.At(o, a)
	shm.StoreRel64(at, *at+n)
}

// CountAlone notes that package fast has carried out operations without others, so many of each pattern.
func (c *Comm) CountAlone(n [fast.Patterns]uint64) { c.keep(tool.Alone, n) }

// keep notes what package fast has carried out by an algorithm, so many operations of each pattern.
func (c *Comm) keep(a tool.Algorithm, by [fast.Patterns]uint64) {
	for p, n := range by {
		if o := patterns[p]; n != 0 && o.GoesBy(a) {
			c.count(o, a, n)
		}
	}
}

// patterns are the operations that package fast carries out.
var patterns = [fast.Patterns]tool.Operation{
	fast.Meeting: tool.Barrier, fast.FromRoot: tool.Bcast, fast.ToRoot: tool.Gather,
	fast.Scattered: tool.Scatter, fast.ScatteredV: tool.Scatter, fast.Everyone: tool.Allgather,
	fast.Crossed: tool.Alltoall, fast.CrossedV: tool.Alltoall, fast.Reduction: tool.Reduce,
	fast.ReductionToAll: tool.Allreduce, fast.Shares: tool.ReduceScatter,
	fast.PrefixIn: tool.Scan, fast.PrefixEx: tool.Exscan, fast.Neighbors: tool.Neighbor,
	fast.NeighborsV: tool.Neighbor,
}

// PatternOf is a pattern of the operation.
func PatternOf(o tool.Operation) fast.Pattern {
	for p, of := range patterns {
		if of == o {
			return fast.Pattern(p)
		}
	}
	return fast.PatternNone
}

// carried adds what package fast has carried out by an algorithm, so many operations of each pattern.
func carried(n *tool.Collectives, a tool.Algorithm, by [fast.Patterns]uint64) {
	for p, o := range patterns {
		if o.GoesBy(a) {
			*n.At(o, a) += by[p]
		}
	}
}

// Watch is Collectives, which may be asked when the communicator is gone.
func (c *Comm) Watch() func() tool.Collectives {
	c.held = true
	return c.Collectives
}

// Collectives is how many operations have gone by each algorithm on this communicator. Any thread may ask.
func (c *Comm) Collectives() tool.Collectives {
	c.registry.mu.Lock()
	defer c.registry.mu.Unlock()
	return c.collectives()
}

// collectives is Collectives with the registry's lock held, so that the segment stays the communicator's.
func (c *Comm) collectives() (n tool.Collectives) {
	if done := c.done.Load(); done != nil {
		for w := range n {
			n[w] = atomic.LoadUint64(&done[w])
		}
	}
	if a := c.segment.Load(); a != nil {
		carried(&n, tool.Cells, a.Carried())
		carried(&n, tool.Alone, a.Empty())
	}
	if c.Size() == 1 {
		carried(&n, tool.Alone, c.engine.Endpoint().CarriedAlone(c.Handle))
	}
	if b := c.nbc.Load(); b != nil {
		carried(&n, tool.NbcCells, b.Carried())
		carried(&n, tool.Alone, b.Empty())
	}
	return n
}

// retire keeps the counts of a communicator that is gone, whose segments others may get. The lock is held.
func (r *Registry) retire(c *Comm) {
	if a := c.segment.Load(); a != nil {
		c.segment.Store(nil)
		c.keep(tool.Cells, a.Carried())
		c.keep(tool.Alone, a.Empty())
	}
	if b := c.nbc.Load(); b != nil {
		c.nbc.Store(nil)
		c.keep(tool.NbcCells, b.Carried())
		c.keep(tool.Alone, b.Empty())
	}
	if done := c.done.Load(); done != nil {
		r.done.Add(done)
	}
}

// Collectives is how many operations have gone by each algorithm on all communicators that there are and have
// been.
func (r *Registry) Collectives() tool.Collectives {
	r.mu.Lock()
	defer r.mu.Unlock()
	sum := r.done
	for _, c := range r.comms {
		if c != nil {
			n := c.collectives()
			sum.Add(&n)
		}
	}
	return sum
}
