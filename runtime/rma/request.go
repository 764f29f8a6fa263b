package rma

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
)

// request is an operation of this rank on a target's memory.
type request struct {
	targetBuffer
	combination
	kind uint32 // fast.PacketPut, PacketGet, PacketAccumulate, PacketFetch or PacketSwap
	n    int64  // bytes of the target's memory
	// of the origin, and where what the target had goes; nil for none, and in MPI_Compare_and_swap, whose
	// elements the combination has
	data, result *datatype.Buffer
}

// carryOut carries the operation out by the first way that is possible: it chooses who does it. fits says
// that it can go by active messages.
func (r *request) carryOut(fits bool) error {
	path, err := r.choose(fits, r.result == nil && r.kind != fast.PacketSwap && r.n <= r.step())
	defer r.leave()
	switch {
	case err != nil:
	case path == fast.PathPackets:
		err = r.sendPackets()
	case path == fast.PathActive:
		err = r.sendMessages()
	case r.kind == fast.PacketPut || r.kind == fast.PacketGet:
		err = r.copy()
	case r.kind == fast.PacketSwap:
		err = r.turn(0, r.n)
	default:
		err = r.combine()
	}
	return r.moved(path, r.n, err)
}

// step is how many bytes of the operation one active message carries.
func (r *request) step() int64 {
	if r.kind < fast.PacketAccumulate {
		return fast.PacketRoom
	}
	return fast.PacketRoom / r.basic.Size() * r.basic.Size()
}

// contiguous reports whether a buffer, which may be none, has no gaps.
func contiguous(b *datatype.Buffer) bool { return b == nil || b.Contiguous() }

// start is where a buffer without gaps begins; 0 for none.
func start(b *datatype.Buffer) uintptr {
	if b == nil {
		return 0
	}
	return b.Start()
}
