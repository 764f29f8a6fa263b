package collseg

import (
	"gompi/runtime/fast"
	"gompi/shm"
)

// view is what a rank has of the segments of a communicator, whether its operations block or not.
type view struct {
	*fast.CellRing
	endpoint *fast.Endpoint
	me, n    int
	first    bool // they are MPI_COMM_WORLD's
	open     bool
	values   []byte
}

// view is that of rank me of a communicator, whose ranks have the given node ranks and their segments at
// offsets from base.
func (n *Node) view(ring *fast.CellRing, cid, me int, ranks []int, base uintptr,
	offset func(rank int) uintptr) view {
	for r, node := range ranks {
		bell := shm.BellOf(n.segment, node)
		*ring.Peer(uint32(r)) = fast.CollPeer{Base: base + offset(node), Bell: bell.Word()}
	}
	return view{CellRing: ring, endpoint: n.endpoint, me: me, n: len(ranks), first: cid == 0}
}

// Carried is how many operations package fast has carried out or begun here for this communicator, by
// pattern. Any thread may ask.
func (v *view) Carried() [fast.Patterns]uint64 { return v.CarriedNow() }

// Empty is how many operations without data have been called here for this communicator, by pattern, which
// need no communication. Any thread may ask.
func (v *view) Empty() [fast.Patterns]uint64 { return v.EmptyNow() }

// First reports whether no communicator can have used these segments before this one, on any rank.
func (v *view) First() bool { return v.first }

// Opened reports whether the segments have been opened.
func (v *view) Opened() bool { return v.open }

// Scratch is private memory for n bytes, until the next call.
func (v *view) Scratch(n int64) uintptr {
	if int64(len(v.values)) < n {
		v.values = make([]byte, n)
	}
	return shm.Address(v.values)
}
