package fast

import "sync/atomic"

// Comm is the record of a communicator. It is written when the communicator gets its handle. Messages, Coll,
// Nbc and Group change later.
type Comm struct {
	Handle       uintptr   // by which the program names it; 0 when it is none. Written last
	Messages     uintptr   // the same as long as this package carries out its operations, else 0
	Ctx          uint32    // matching context of the program's messages
	Rank         int32     // own rank, in the local group
	Size         uint32    // ranks of the local group
	Targets      uint32    // ranks that messages can be sent to: those of an intercommunicator's remote group
	Base, Stride int32     // node rank of a target r, unless there is a row: Base + Stride*r
	Row          *int32    // node ranks of the targets
	Coll         *CellRing // for blocking collective operations; nil when this package leaves them alone
	Nbc          *CellRing // for nonblocking ones, likewise
	Alone        *CellRing // what stands for Coll in a communicator of one rank; nil in all others
	Object       uintptr   // address of its Object
	Attributes   uintptr   // address of its Attributes
	Group        uintptr   // handle of its group; 0 as long as the program has not asked for it
	Topology     Topology
	Flags        uint32 // see CommInter
	unused       uint32 // two cache lines in all
}

// Kinds of communicators, in Comm.Flags.
const (
	CommInter     uint32 = 1 << iota // an intercommunicator
	CommOfSession                    // one of a session, which has no predefined attribute but MPI_TAG_UB
	CommFar                          // there are targets on other nodes
)

// Handles of MPI's (MPI 5.0, 20.3).
const (
	commNull   uintptr = 0x100
	groupNull  uintptr = 0x108
	groupEmpty uintptr = 0x109
	infoNull   uintptr = 0x130
	opNull     uintptr = 0x20
)

// commAt is the record at the index that a handle has; nil where none has been made.
func (o *Objects) commAt(handle uintptr) *Comm {
	chunk := o.Comms[handle&objectMask>>ChunkBits]
	if chunk == nil {
		return nil
	}
	return commOf(chunk, handle&chunkMask)
}

// comm is the record of a communicator whose messages this package carries out; nil for all others.
func (o *Objects) comm(handle uintptr) *Comm {
	c := o.commAt(handle)
	if c == nil || atomic.LoadUintptr(&c.Messages) != handle {
		return nil
	}
	return c
}

// known is the record of a communicator; nil when there is none.
func (o *Objects) known(handle uintptr) *Comm {
	c := o.commAt(handle)
	if c == nil || atomic.LoadUintptr(&c.Handle) != handle {
		return nil
	}
	return c
}

// Node ranks that are none: the one behind MPI_PROC_NULL, and that behind what is no rank, or one of another
// node (OtherNode in a row).
const (
	Nobody uint32 = 1<<32 - 1
	noNode uint32 = 1<<32 - 2

	OtherNode int32 = -2
)

// node is the node rank behind a rank of a communicator.
func (o *Objects) node(c *Comm, rank int32) uint32 {
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

// CommRemoteSize is MPI_Comm_remote_size (MPI 5.0, 7.6.1).
func CommRemoteSize(e *Endpoint, comm uintptr, size *int32) bool {
	c := e.known(comm)
	if c == nil || c.Flags&CommInter == 0 || nowhere(size) {
		return false
	}
	*size = int32(c.Targets)
	return true
}

// CommTestInter is MPI_Comm_test_inter (MPI 5.0, 7.6.1).
func CommTestInter(e *Endpoint, comm uintptr, flag *int32) bool {
	c := e.known(comm)
	if c == nil || nowhere(flag) {
		return false
	}
	*flag = int32(c.Flags & CommInter)
	return true
}

// CommCompare is MPI_Comm_compare (MPI 5.0, 7.4.1) of communicators that are the same, or whose ranks are the
// same processes of this node.
func CommCompare(e *Endpoint, comm1, comm2 uintptr, result *int32) bool {
	a := e.known(comm1)
	b := e.known(comm2)
	if a == nil || b == nil || nowhere(result) {
		return false
	}
	if a == b {
		*result = Ident
		return true
	}
	if ((a.Flags|b.Flags)&(CommInter|CommFar)) != 0 || a.Messages != comm1 || b.Messages != comm2 {
		return false
	}
	if a.Size != b.Size {
		*result = Unequal
		return true
	}
	if a.Size > mostSearched {
		return false
	}
	for r := int32(0); r < int32(a.Size); r++ {
		node := e.node(a, r)
		if node != e.node(b, r) {
			return false
		}
	}
	*result = Congruent
	return true
}

// CommGetParent is MPI_Comm_get_parent (MPI 5.0, 11.8.3).
func CommGetParent(e *Endpoint, parent uintptr) bool {
	if parent < Lowest {
		return false
	}
	h := e.Parent
	if h != 0 && e.known(h) == nil {
		return false
	}
	if h == 0 {
		h = commNull
	}
	*wordAt(parent) = h
	return true
}
