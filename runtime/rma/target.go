package rma

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
	"gompi/shm"
)

// operation is what another rank wants done in this one's part of a window, whether it has come in a packet
// of a ring or in one of the engine. Each reader (readMessage, far.read) checks what its packet can be wrong
// in.
type operation struct {
	combination
	kind uint32      // fast.PacketPut, PacketGet, PacketAccumulate, PacketFetch or PacketSwap
	list []shm.Piece // the memory
	n    int64       // bytes of it
}

// operationRoom is room for the stream of the elements of an accumulate, the elements as they lie in memory,
// and the operands likewise, in bytes.
const operationRoom = 5 * farOperation

// elemental takes the type and the operation of an accumulate by their handles; false when they do not fit
// together, or not to the data.
func (o *operation) elemental(basic, f uint32) bool {
	o.f, o.basic = op.ByHandle(f), datatype.ByHandle(basic)
	if o.f == nil || o.basic == nil || o.basic.Size() == 0 || o.n%o.basic.Size() != 0 {
		return false
	}
	return f == fast.OpNoOp || f == fast.OpReplace || o.f.Valid(o.basic)
}

// carryOut carries an operation out in this rank's part of the window. done is false when it has to wait,
// because others are about the same elements; ok is false when the memory is not there. guarded says that
// this rank holds its guard.
func (h *handler) carryOut(o *operation, guarded bool) (done, ok bool) {
	switch o.kind {
	case fast.PacketPut:
		return true, scatter(o.list, o.in, o.n)
	case fast.PacketGet:
		return true, gather(o.list, o.old)
	}
	if guarded {
		return true, o.combine((*combination).plainly)
	}
	own := &h.targets[h.me]
	if o.aligned() && !h.Desc.Bulk(o.n/o.basic.Size()) {
		if !h.Desc.Changing(own) {
			return false, true
		}
		ok = o.combine((*combination).atomically)
		h.Desc.Settled(own)
		return true, ok
	}
	if !h.guards.acquireSoon() {
		return false, true
	}
	switch {
	case o.fast():
		if h.guards.keepAway(h.me) != nil {
			return true, false
		}
		ok = o.combine((*combination).plainly)
		h.guards.releaseBulk(h.me)
		return true, ok
	case o.compare != 0 || o.basic.Size() == o.basic.Extent():
		ok = o.combine((*combination).plainly)
	default:
		ok = o.combineCells()
	}
	h.guards.release(h.me)
	return true, ok
}

// aligned reports whether the elements are such as atomic instructions change.
func (o *operation) aligned() bool {
	aligned := o.fast()
	for i := range o.list {
		aligned = aligned && uint64(o.list[i].Addr)%uint64(o.basic.Size()) == 0
	}
	return aligned
}

// combine goes through the runs; false when the memory is not there.
func (o *operation) combine(how func(c *combination, addr uintptr, n int64)) (ok bool) {
	defer missing(&ok)
	for i := range o.list {
		p := &o.list[i]
		how(&o.combination, p.Addr, int64(p.Size))
		o.in += uintptr(p.Size)
		if o.old != 0 {
			o.old += uintptr(p.Size)
		}
	}
	return true
}

// combineCells is combine for elements with gaps, whose data comes and goes without.
func (o *operation) combineCells() (ok bool) {
	defer missing(&ok)
	stream, operands := o.work, o.elements(o.work+3*farOperation, o.n)
	if !gather(o.list, stream) {
		return false
	}
	if o.old != 0 {
		shm.Copy(o.old, stream, o.n)
	}
	switch o.f.Handle() {
	case fast.OpNoOp:
		return true
	case fast.OpReplace:
		return scatter(o.list, o.in, o.n)
	}
	operands.Unpack(0, shm.Bytes(o.in, o.n))
	o.inCells(stream, o.work+farOperation, operands.Addr, o.n)
	return scatter(o.list, stream, o.n)
}
