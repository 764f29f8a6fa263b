package rma

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/runtime/p2p"
	"gompi/shm"
)

// Accumulates of far ranks, which this rank carries out in its own memory in the same way as ranks near to it
// do: by atomic instructions or under its guard. Where somebody else holds that, they have to wait.

// operation is an accumulate of a far rank while it is carried out here.
type operation struct {
	job
	list []shm.Piece
	n    int64 // bytes
}

// operationRoom is room for the stream of its elements, the elements as they lie in memory, and the operands
// likewise, in bytes.
const operationRoom = 5 * farOperation

// accumulate carries one out; false when it has to wait.
func (f *far) accumulate(from int, h *p2p.AMHeader, body uintptr, n int64) bool {
	list, data, n, ok := readRuns(f.list[:0], h.Words[0], int64(uint32(h.Words[1])), body, n)
	o := operation{list: list, n: n}
	o.f, o.basic, o.in = op.ByHandle(uint32(h.Words[2]>>32)), datatype.ByHandle(uint32(h.Words[2])), data
	number := h.Words[1] >> 32
	if ok = ok && o.f != nil && o.basic != nil && o.basic.Size() > 0; ok {
		o.atomic, ok = f.kind(list)
	}
	if ok = ok && f.locate(list); ok {
		all := total(list)
		if o.f.Handle() == fast.OpNoOp {
			o.n = int64(all)
		} else if o.f.Handle() != fast.OpReplace {
			ok = o.f.Valid(o.basic)
		}
		ok = ok && all == uint64(o.n) && all <= farOperation && o.n%o.basic.Size() == 0
	}
	if !ok {
		f.refuse(from, number)
		return true
	}
	chunk := f.w.space.engine.Scratch.Take(operationRoom)
	defer f.w.space.engine.Scratch.Put(chunk)
	o.targetBuffer.w, o.rank, o.work = f.w, f.w.me, chunk.Address()
	var a *answer
	if number != 0 {
		a = f.answer(from, number, h.Words[3], o.n)
		a.makeRoom(o.n)
		o.old = shm.Address(a.data)
	}
	done, ok := o.carryOut()
	switch {
	case a != nil && (!done || !ok):
		f.answers = append(f.answers, a)
	case a != nil:
		a.post()
	}
	if done && !ok {
		f.refuse(from, number)
	}
	return done
}

// swap is MPI_Compare_and_swap; false when it has to wait.
func (f *far) swap(from int, h *p2p.AMHeader, body uintptr, n int64) bool {
	w, number := f.w, h.Words[1]>>32
	n /= 2
	list := append(f.list[:0], shm.Piece{Addr: uintptr(h.Words[0]), Size: uint64(n)})
	o := operation{n: n}
	o.basic = datatype.ByHandle(uint32(h.Words[2]))
	one := false
	if o.atomic, one = f.kind(list); !one || o.basic == nil || n == 0 || o.basic.Size() != n || n > casRoom ||
		!f.locate(list) {
		f.reply(from, number, mpierr.ErrRMARange)
		return true
	}
	addr := list[0].Addr
	atomics := o.fast() && uint64(addr)%uint64(n) == 0
	if atomics && !w.Desc.Changing(&w.targets[w.me]) || !atomics && !w.guards.acquireSoon() {
		return false
	}
	a := f.answer(from, number, 0, n)
	a.makeRoom(n)
	ok := exchangeHere(addr, n, body, shm.Address(a.data), atomics)
	if atomics {
		w.Desc.Settled(&w.targets[w.me])
	} else {
		w.guards.release(w.me)
	}
	if ok {
		a.post()
	} else {
		f.answers = append(f.answers, a)
		f.reply(from, number, mpierr.ErrRMARange)
	}
	return true
}

// exchangeHere compares and swaps n bytes at addr; at body stand the new element and the one to compare with,
// and the old one goes to old. It is false when the memory is not there.
func exchangeHere(addr uintptr, n int64, body, old uintptr, atomics bool) (ok bool) {
	defer missing(&ok)
	if atomics {
		fast.SwapElement(addr, body, body+uintptr(n), old, uint32(n))
		return true
	}
	shm.Copy(old, addr, n)
	if string(shm.Bytes(old, n)) == string(shm.Bytes(body+uintptr(n), n)) {
		shm.Copy(addr, body, n)
	}
	return true
}

// refuse says that an operation could not be carried out.
func (f *far) refuse(from int, number uint64) {
	if number == 0 {
		f.fails(from)
	} else {
		f.reply(from, number, mpierr.ErrRMARange)
	}
}

// makeRoom makes room for n bytes in an answer.
func (a *answer) makeRoom(n int64) {
	if int64(cap(a.data)) < n {
		a.data = make([]byte, n)
	}
	a.data = a.data[:n]
}

// kind reports whether runs lie in memory of which elements are changed by atomic instructions; ok is false
// when some do and others do not.
func (f *far) kind(list []shm.Piece) (atomics, ok bool) {
	if f.w.flavor != Dynamic {
		return f.w.targets[f.w.me].Atomic != 0, true
	}
	for i := range list {
		a, parted, found := f.w.lookUp(f.w.me, uint64(list[i].Addr), list[i].Size)
		if !found || parted || i > 0 && atomics != (a[entryOff] != 0) {
			return false, false
		}
		atomics = a[entryOff] != 0
	}
	return atomics, true
}

// carryOut combines the elements, as ranks near to this one would do it; done is false when somebody is about
// them.
func (o *operation) carryOut() (done, ok bool) {
	w := o.w
	size := o.basic.Size()
	aligned := o.fast()
	for i := range o.list {
		aligned = aligned && uint64(o.list[i].Addr)%uint64(size) == 0
	}
	if aligned && !w.Desc.Bulk(o.n/size) {
		if !w.Desc.Changing(&w.targets[w.me]) {
			return false, true
		}
		ok = o.combine((*job).atomically)
		w.Desc.Settled(&w.targets[w.me])
		return true, ok
	}
	if !w.guards.acquireSoon() {
		return false, true
	}
	if o.fast() {
		if w.guards.keepAway(w.me) != nil {
			return true, false
		}
		ok = o.combine((*job).plainly)
		w.guards.releaseBulk(w.me)
		return true, ok
	}
	if size == o.basic.Extent() {
		ok = o.combine((*job).plainly)
	} else {
		ok = o.combineCells()
	}
	w.guards.release(w.me)
	return true, ok
}

// combine goes through the runs; false when the memory is not there.
func (o *operation) combine(how func(j *job, addr uintptr, n int64)) (ok bool) {
	defer missing(&ok)
	size := o.basic.Size()
	for i := range o.list {
		p := &o.list[i]
		how(&o.job, p.Addr, int64(p.Size)/size)
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
	stream, cells, operands := o.work, o.elements(o.work+farOperation, o.n), o.elements(o.work+3*farOperation,
		o.n)
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
	cells.Unpack(0, shm.Bytes(stream, o.n))
	operands.Unpack(0, shm.Bytes(o.in, o.n))
	o.f.Apply(operands.Addr, cells.Addr, cells.Count, o.basic)
	cells.Pack(0, shm.Bytes(stream, o.n))
	return scatter(o.list, stream, o.n)
}
