// Package comm is the communicator: a group of ranks with two message contexts of their own, one for the user's
// messages and one for collectives, so that the two never meet (MPI 5.0, 7.1). How collectives are done is above.
package comm

import (
	"gompi/runtime/area"
	"gompi/runtime/p2p"
)

// Comm is one rank's view of a communicator.
type Comm struct {
	P2P  p2p.Context // the user's messages
	Coll p2p.Context // messages of collectives

	engine     *p2p.Engine
	name       string
	errhandler Errhandler
	area       *area.Area
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

// Config says what a communicator consists of.
type Config struct {
	Engine  *p2p.Engine
	Name    string
	Context uint32 // first of two context ids
	Rank    int
	Size    int
	Peers   p2p.Peers
	Area    *area.Area // nil when the ranks do not share a node, or have none
}

// New makes a communicator. All its ranks make it with the same context ids.
func New(c Config) *Comm {
	user := p2p.Context{ID: c.Context, Rank: c.Rank, Size: c.Size, Peers: c.Peers}
	coll := user
	coll.ID++
	return &Comm{P2P: user, Coll: coll, engine: c.Engine, name: c.Name, area: c.Area}
}

// Rank is this process's rank in the communicator.
func (c *Comm) Rank() int { return c.P2P.Rank }

// Size is the number of ranks in the communicator.
func (c *Comm) Size() int { return c.P2P.Size }

// Name is the communicator's name (MPI 5.0, 7.8).
func (c *Comm) Name() string { return c.name }

// SetName gives the communicator a name on this rank (MPI 5.0, 7.8).
func (c *Comm) SetName(name string) { c.name = name }

// Engine carries out the communicator's messages.
func (c *Comm) Engine() *p2p.Engine { return c.engine }

// Area is the shared memory for small collectives of this communicator, nil when there is none.
func (c *Comm) Area() *area.Area { return c.area }

// Errhandler is the communicator's error handler on this rank.
func (c *Comm) Errhandler() Errhandler { return c.errhandler }

// SetErrhandler attaches an error handler (MPI 5.0, 9.3.1).
func (c *Comm) SetErrhandler(h Errhandler) { c.errhandler = h }
