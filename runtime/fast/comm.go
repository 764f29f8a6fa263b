package fast

import "sync/atomic"

// Comm is the record of a communicator. It is written when the communicator gets its handle; Messages, Coll
// and Nbc change later.
type Comm struct {
	Handle       uintptr   // by which the program names it; 0 when it is none. Written last
	Messages     uintptr   // the same as long as this package carries out its messages, else 0
	Ctx          uint32    // matching context of the program's messages
	Rank         int32     // own rank, in the local group
	Size         uint32    // ranks of the local group
	Targets      uint32    // ranks that messages can be sent to: those of an intercommunicator's remote group
	Base, Stride int32     // node rank of a target r, unless there is a row: Base + Stride*r
	Row          *int32    // node ranks of the targets
	Coll         *CellRing // for blocking collective operations; nil when this package leaves them alone
	Nbc          *CellRing // for nonblocking ones, likewise
	Flags        uint32    // see CommInter
	Topology     int32     // what MPI_Topo_test says
}

// CommInter is the flag of an intercommunicator.
const CommInter uint32 = 1

// commAt is the record at the index that a handle has; nil where none has been made.
func (e *Endpoint) commAt(handle uintptr) *Comm {
	chunk := e.Comms[handle&objectMask>>ChunkBits]
	if chunk == nil {
		return nil
	}
	return commOf(chunk, handle&chunkMask)
}

// comm is the record of a communicator whose messages this package carries out; nil for all others.
func (e *Endpoint) comm(handle uintptr) *Comm {
	c := e.commAt(handle)
	if c == nil || atomic.LoadUintptr(&c.Messages) != handle {
		return nil
	}
	return c
}

// known is the record of a communicator; nil when there is none.
func (e *Endpoint) known(handle uintptr) *Comm {
	c := e.commAt(handle)
	if c == nil || atomic.LoadUintptr(&c.Handle) != handle {
		return nil
	}
	return c
}

// Node ranks that are none: the one behind MPI_PROC_NULL, and that behind what is no rank.
const (
	Nobody uint32 = 1<<32 - 1
	noNode uint32 = 1<<32 - 2
)

// node is the node rank behind a rank of a communicator.
func (e *Endpoint) node(c *Comm, rank int32) uint32 {
	if unlikely(uint32(rank) >= c.Targets) {
		if rank == ProcNull {
			return Nobody
		}
		return noNode
	}
	if c.Row != nil {
		return uint32(*intAt(c.Row, rank))
	}
	return uint32(c.Base + c.Stride*rank)
}

// CommRank is MPI_Comm_rank (MPI 5.0, 7.4.1).
func CommRank(e *Endpoint, comm uintptr, rank *int32) bool {
	c := e.known(comm)
	if c == nil || nowhere(rank) {
		return false
	}
	*rank = c.Rank
	return true
}

// CommSize is MPI_Comm_size (MPI 5.0, 7.4.1).
func CommSize(e *Endpoint, comm uintptr, size *int32) bool {
	c := e.known(comm)
	if c == nil || nowhere(size) {
		return false
	}
	*size = int32(c.Size)
	return true
}
