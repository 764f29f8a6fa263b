// Package comm is the communicator: a group of ranks with message contexts of their own, one for the user's messages,
// one for collectives and two for making further communicators, so that these never meet (MPI 5.0, 7.1). It makes
// communicators out of others. How collectives are done is above, and so is what a handle is.
package comm

import (
	"sync"

	"gompi/runtime/area"
	"gompi/runtime/attr"
	"gompi/runtime/group"
	"gompi/runtime/info"
	"gompi/runtime/p2p"
)

// Comm is one rank's view of a communicator. An intercommunicator sends the user's messages to the ranks of its remote
// group; its other contexts are the local group's.
type Comm struct {
	P2P  p2p.Context // the user's messages
	Coll p2p.Context // messages of collectives

	Attributes attr.Set
	Handle     uintptr // by which the layer above knows it; 0 when it does not

	engine   *p2p.Engine
	registry *Registry
	unit     uint32
	group    *group.Group
	remote   *group.Group // nil for an intracommunicator
	area     *area.Area
	origin   string // the function that made it

	mu         sync.Mutex // guards what follows
	name       string
	errhandler Errhandler
	hints      *info.Info // those of its hints that are understood
}

// Errhandler says what becomes of an error on a communicator, window, file or session (MPI 5.0, 9.3).
type Errhandler struct {
	Mode Mode
	User any // what the layer that calls user functions needs to do so, when Mode is Call
}

// Mode is one of the predefined error handlers, or a user's.
type Mode uint8

// The modes of an error handler.
const (
	Fatal  Mode = iota // MPI_ERRORS_ARE_FATAL: the job ends
	Abort              // MPI_ERRORS_ABORT: the processes of the communicator end
	Return             // MPI_ERRORS_RETURN: the call returns the code
	Call               // a function of the user's
)

// Rank is this process's rank in the communicator, in its local group.
func (c *Comm) Rank() int { return c.Coll.Rank }

// Size is the number of ranks in the communicator, in its local group.
func (c *Comm) Size() int { return c.Coll.Size }

// Targets is the number of ranks that messages can be sent to: those of an intercommunicator's remote group.
func (c *Comm) Targets() int { return c.P2P.Size }

// Inter tells whether this is an intercommunicator (MPI 5.0, 7.6).
func (c *Comm) Inter() bool { return c.remote != nil }

// Group is the group of the communicator, of an intercommunicator the local one.
func (c *Comm) Group() *group.Group { return c.group }

// Remote is the remote group of an intercommunicator, nil for other communicators.
func (c *Comm) Remote() *group.Group { return c.remote }

// Name is the communicator's name (MPI 5.0, 7.8).
func (c *Comm) Name() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.name
}

// SetName gives the communicator a name on this rank (MPI 5.0, 7.8).
func (c *Comm) SetName(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.name = name
}

// Label is what messages for people call the communicator: its name, or else who made it.
func (c *Comm) Label() string {
	if n := c.Name(); n != "" {
		return n
	}
	return "from " + c.origin
}

// Origin is the MPI function that made the communicator.
func (c *Comm) Origin() string { return c.origin }

// Engine carries out the communicator's messages.
func (c *Comm) Engine() *p2p.Engine { return c.engine }

// Area is the shared memory for small collectives of this communicator, nil when there is none.
func (c *Comm) Area() *area.Area { return c.area }

// Errhandler is the communicator's error handler on this rank.
func (c *Comm) Errhandler() Errhandler {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.errhandler
}

// SetErrhandler attaches an error handler (MPI 5.0, 9.3.1).
func (c *Comm) SetErrhandler(h Errhandler) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.errhandler = h
}

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
