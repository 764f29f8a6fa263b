// Package comm is the communicator: a group of ranks with message contexts of their own, one for the user's
// messages, one for collectives and two for making further communicators, so that these never meet (MPI 5.0,
// 7.1). It makes communicators out of others. How collectives are done is above, and so is what a handle is.
package comm

import (
	"sync"
	"sync/atomic"

	"gompi/runtime/collseg"
	"gompi/runtime/datatype"
	"gompi/runtime/group"
	"gompi/runtime/jobs/bridge"
	"gompi/runtime/object"
	"gompi/runtime/op"
	"gompi/runtime/p2p"
	"gompi/runtime/recovery"
	"gompi/runtime/tool"
)

// Comm is one rank's view of a communicator. An intercommunicator sends the user's messages to the ranks of
// its remote group; its other contexts are the local group's.
type Comm struct {
	P2P  p2p.Context // the user's messages
	Coll p2p.Context // messages of collectives within the local group
	// messages of collectives between the groups of an intercommunicator, in the same space as Coll; nil for
	// other communicators
	Cross *p2p.Context
	Spare sync.Pool // what the layer above keeps from one operation for the next
	OnNbc any       // what the layer above knows of operations on the nonblocking segment
	Team  any       // and what it keeps from one blocking operation for the next

	Calling Calling // the blocking collective operation that this rank has called last, in Go

	Topology any // a virtual topology, nil when there is none; it never changes, and duplicates share it

	object.Base // name, attributes, hints, error handler

	engine      *p2p.Engine
	registry    *Registry
	cid         uint32 // communicator ID: registry.go
	group       *group.Group
	remote      *group.Group // nil for an intracommunicator
	hasBlock    bool         // its coll block is mapped, on all ranks or on none
	segmentLess bool         // there is no segment
	held        bool         // somebody may look at it when it is gone
	laid        bool         // layout is set
	segment     atomic.Pointer[collseg.Segment]
	done        atomic.Pointer[tool.Collectives] // operations so far but for those of the stubs (count.go)

	idups    atomic.Uint32 // nonblocking calls so far that make communicators out of this one
	layout   *Layout       // as Layout returns it, once laid
	within   *Comm         // views of the ranks on nodes, nil until they are needed
	between  *Comm
	rail     *Comm
	bridges  []*bridge.Bridge // to other jobs, over which it reaches its processes
	nbc      atomic.Pointer[collseg.Nbc]
	Recovery recovery.State
	serial   uint32 // as long as there is no nonblocking segment, which has its own: Serial
}

// Calling is what a rank has called, for reports of what it waits for.
type Calling struct {
	Name string // of the function
	Root int    // 0 where there is none
	Op   *op.Op // nil where there is none
	Data datatype.Buffer
}

// Rank is this process's rank in the communicator, in its local group.
func (c *Comm) Rank() int { return c.Coll.Rank }

// Size is the number of ranks in the communicator, in its local group.
func (c *Comm) Size() int { return c.Coll.Size }

// Targets is the number of ranks that messages can be sent to: those of an intercommunicator's remote group.
func (c *Comm) Targets() int { return c.P2P.Size }

// Inter reports whether this is an intercommunicator (MPI 5.0, 7.6).
func (c *Comm) Inter() bool { return c.remote != nil }

// Group is the group of the communicator, of an intercommunicator the local one.
func (c *Comm) Group() *group.Group { return c.group }

// Remote is the remote group of an intercommunicator, nil for other communicators.
func (c *Comm) Remote() *group.Group { return c.remote }

// Engine carries out the communicator's messages.
func (c *Comm) Engine() *p2p.Engine { return c.engine }

// Segment is the shared memory for collectives of this communicator, nil when there is none. It has to be
// opened before its first use. One thread at a time calls it, as for every collective operation.
func (c *Comm) Segment() *collseg.Segment {
	a := c.segment.Load()
	if a == nil && !c.segmentLess {
		if c.hasBlock {
			cells := c.registry.ids.segments
			if a = cells.New(int(c.cid), c.Rank(), c.Size(), c.group.Of); a != nil {
				a.Ctx = c.Coll.ID
			}
			c.segment.Store(a)
		}
		c.segmentLess = a == nil
	}
	return a
}

// NewNbc makes the view of the shared memory for nonblocking collectives of this communicator, once; nil when
// there is none. It has to be opened before its first use.
func (c *Comm) NewNbc() *collseg.Nbc {
	if c.hasBlock {
		cells := c.registry.ids.segments
		if b := cells.NewNbc(int(c.cid), c.Rank(), c.Size(), c.group.Of); b != nil {
			b.Serial = c.serial
			c.nbc.Store(b)
		}
	}
	return c.nbc.Load()
}

// Serial numbers the operations whose messages may be under way together: all ranks start them in the same
// order, so the next one has the same number on all.
func (c *Comm) Serial() uint32 { return atomic.AddUint32(c.serials(), 1) }

// serials is the word that counts them: the stubs begin operations as well.
func (c *Comm) serials() *uint32 {
	if b := c.nbc.Load(); b != nil {
		return &b.Serial
	}
	return &c.serial
}

// Unserial takes back the number that Serial gave last, for an operation that was refused on this rank before
// it began: when the program repeats it with better arguments, it meets that of the others.
func (c *Comm) Unserial(n uint32) { atomic.CompareAndSwapUint32(c.serials(), n, n-1) }

// Similarity is what comparing two communicators finds (MPI 5.0, 7.4.1).
type Similarity uint8

// What comparing finds.
const (
	Identical Similarity = iota // the same communicator
	Congruent                   // same groups, same order, other contexts
	Similar                     // same groups, another order
	Unequal
)

// Compare tells how alike two communicators are (MPI_Comm_compare).
func Compare(a, b *Comm) Similarity {
	if a == b {
		return Identical
	}
	if a.Inter() != b.Inter() {
		return Unequal
	}
	s := group.Compare(a.group, b.group)
	if a.Inter() {
		s = max(s, group.Compare(a.remote, b.remote))
	}
	return Congruent + Similarity(s)
}

// abandonSegments has later users of c's shared memory number their operations above all that were begun
// there, if some have not ended.
func (c *Comm) abandonSegments() {
	if !c.Recovery.Impaired() {
		return
	}
	for _, v := range [2]*Comm{c, c.within} {
		if v == nil {
			continue
		}
		if a := v.segment.Load(); a != nil {
			a.Abandon()
		}
		if b := v.nbc.Load(); b != nil {
			b.Abandon()
		}
	}
}
