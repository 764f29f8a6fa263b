package origin

import (
	"gompi/runtime/am"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/rma/target"
)

// request is an operation of this rank on a target's memory.
type request struct {
	targetBuffer
	target.Update
	kind uint32 // fast.PacketPut, PacketGet, PacketAccumulate, PacketFetch or PacketSwap
	n    int64  // bytes of the target's memory
	// of the origin, and where what the target had goes; nil for none, and in MPI_Compare_and_swap, whose
	// elements the combination has
	data, result *datatype.Buffer
}

// carryOut carries the operation out by the first path that is possible: it chooses who does it. fits says
// that it can go by active messages.
func (r *request) carryOut(fits bool) error {
	fits = fits && (r.buf.Contiguous() || r.kind <= fast.PacketGet && !r.buf.Type.Coarse(longRun))
	path, err := r.choose(fits, r.result == nil && r.kind != fast.PacketSwap && r.n <= fast.PacketRoom)
	defer r.leave()
	switch {
	case err != nil:
	case path == fast.PathPackets, path == fast.PathActive, path == fast.PathHelper:
		err = r.send()
	case r.kind == fast.PacketPut || r.kind == fast.PacketGet:
		err = r.copy()
	case r.kind == fast.PacketSwap:
		err = r.turn(0, r.n)
	default:
		err = r.combine()
	}
	return r.moved(path, r.n, err)
}

// unit is the size of an element, which goes in one message.
func (r *request) unit() int64 {
	if r.kind == fast.PacketAccumulate || r.kind == fast.PacketFetch {
		return r.Basic.Size()
	}
	return 1
}

// send carries the operation out by active messages.
func (r *request) send() error {
	q := am.Request{Rank: r.rank, Kind: r.kind, Memory: r.buf, Bytes: r.n, Unit: r.unit(),
		Data: r.data, Result: r.result}
	if r.Basic != nil {
		q.Type = r.Basic.Handle()
	}
	if r.Op != nil {
		q.Op = r.Op.Handle()
	}
	if r.Compare == 0 {
		return r.w.Do(&q)
	}
	data, compare, old := datatype.Raw(r.In, r.n), datatype.Raw(r.Compare, r.n), datatype.Raw(r.Old, r.n)
	q.Data, q.Compare, q.Result = &data, &compare, &old
	return r.w.Do(&q)
}
