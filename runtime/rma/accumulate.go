package rma

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/shm"
)

// Accumulate combines the origin's data with the target's memory, element by element
// (MPI_Accumulate, MPI 5.0, 12.3.4).
func (w *Window) Accumulate(o datatype.Buffer, rank int, disp, count int64, t *datatype.Type,
	f *op.Op) error {
	return w.accumulate(o, nil, rank, disp, count, t, f)
}

// GetAccumulate is Accumulate that also gives what was there before (MPI_Get_accumulate). With
// MPI_NO_OP the origin's buffer does not matter.
func (w *Window) GetAccumulate(o, result datatype.Buffer, rank int, disp, count int64, t *datatype.Type,
	f *op.Op) error {
	return w.accumulate(o, &result, rank, disp, count, t, f)
}

// FetchAndOp is GetAccumulate for one element (MPI_Fetch_and_op).
func (w *Window) FetchAndOp(origin, result uintptr, t *datatype.Type, rank int, disp int64, f *op.Op) error {
	r := datatype.Buffer{Addr: result, Count: 1, Type: t}
	return w.accumulate(datatype.Buffer{Addr: origin, Count: 1, Type: t}, &r, rank, disp, 1, t, f)
}

// MPI_CHAR is for text, and the standard lists it with no operation that computes (MPI 5.0, 6.9.2), nor with
// MPI_Compare_and_swap. Accumulates take it for MPI_SIGNED_CHAR then, as other implementations do.
const (
	charHandle       = 0x243
	signedCharHandle = 0x244
)

func (w *Window) accumulate(o datatype.Buffer, result *datatype.Buffer, rank int, disp, count int64,
	t *datatype.Type, f *op.Op) error {
	if empty(o, result, count, t, f) {
		return w.reaches(rank)
	}
	basic, err := combinable(o, result, t, f)
	if err != nil || rank == ProcNull {
		return err
	}
	j := request{combination: combination{desc: w.Desc, f: f, basic: basic}, kind: fast.PacketAccumulate,
		data: &o, result: result}
	if err := w.locate(&j.targetBuffer, rank, disp, count, t); err != nil {
		return err
	}
	j.atomic = j.atomics
	n := j.buf.Bytes()
	noOp := f.Handle() == fast.OpNoOp
	switch {
	case !noOp && o.Bytes() > n:
		return unlike("origin", "target", o.Bytes(), n)
	case !noOp:
		n = o.Bytes()
	case result == nil:
		return nil
	}
	if result != nil && n > result.Bytes() {
		return unlike("target", "result buffer", n, result.Bytes())
	}
	if n == 0 {
		return nil
	}
	if j.parted {
		return mpierr.New(mpierr.ErrRMARange, "the memory was attached to the window of rank %d in parts of different kinds; accumulates want it attached as one", rank)
	}
	if noOp {
		j.data = nil
	}
	if result != nil {
		j.kind = fast.PacketFetch
	}
	j.n = n
	return j.carryOut(basic.Size() == basic.Extent() && basic.Predefined())
}

// empty reports whether an accumulate has no elements, in which case the operation and the types are of no
// matter.
func empty(o datatype.Buffer, result *datatype.Buffer, count int64, t *datatype.Type, f *op.Op) bool {
	return (count == 0 || t.Size() == 0) && (f.Handle() == fast.OpNoOp || o.Bytes() == 0) &&
		(result == nil || result.Bytes() == 0)
}

// reaches refuses a target that an operation without elements could not have.
func (w *Window) reaches(rank int) error {
	if rank == ProcNull {
		return nil
	}
	_, err := w.open(rank)
	return err
}

// combinable finds the type of the elements, and refuses those that the operation does not accept.
func combinable(o datatype.Buffer, result *datatype.Buffer, t *datatype.Type,
	f *op.Op) (*datatype.Type, error) {
	basic := t.Uniform()
	if basic == nil && t.Size() > 0 {
		return nil, mpierr.New(mpierr.ErrType, "%s has elements of several types, where accumulates want one", t.Name())
	}
	if f.Handle() == 0 {
		return nil, mpierr.New(mpierr.ErrOp, "op is an operation of the program's, where accumulates want a predefined one")
	}
	if basic == nil {
		return nil, nil
	}
	elements := basic
	if !f.Valid(basic) && basic.Handle() == charHandle {
		basic = datatype.ByHandle(signedCharHandle)
	}
	if !f.Valid(basic) {
		return nil, mpierr.New(mpierr.ErrOp, "op %s", f.Misfit(basic))
	}
	if f.Handle() != fast.OpNoOp && o.Bytes() > 0 && !same(o.Type, elements) {
		return nil, mpierr.New(mpierr.ErrType, "%s at the origin has other elements than %s at the target", o.Type.Name(), t.Name())
	}
	if result != nil && result.Bytes() > 0 && !same(result.Type, elements) {
		return nil, mpierr.New(mpierr.ErrType, "%s of the result has other elements than %s at the target", result.Type.Name(), t.Name())
	}
	return basic, nil
}

func same(t, basic *datatype.Type) bool {
	u := t.Uniform()
	return u != nil && u.Basic() == basic.Basic() && u.Size() == basic.Size()
}

// combine goes through the data of an accumulate a batch at a time.
func (r *request) combine() error {
	pool := &r.w.space.engine.Scratch
	chunk := pool.Take(4 * batch)
	defer pool.Put(chunk)
	size, extent := r.basic.Size(), r.basic.Extent()
	step := batch / extent * size // bytes of the stream per turn
	room := chunk.Address()       // operands, old values, elements at work, their stream
	for at := int64(0); at < r.n; at += step {
		k := min(r.n-at, step)
		r.in = room
		switch {
		case r.data == nil:
		case size == extent && r.data.Contiguous() && r.fast():
			r.in = r.data.Start() + uintptr(at)
		case size == extent:
			r.data.Pack(at, shm.Bytes(room, k))
		default:
			r.data.Pack(at, shm.Bytes(room+2*batch, k))
			r.elements(room, k).Unpack(0, shm.Bytes(room+2*batch, k))
		}
		r.old = 0
		if r.result != nil {
			r.old = room + batch
		}
		r.work = room + 2*batch
		if err := r.turn(at, k); err != nil {
			return err
		}
		if r.result != nil {
			r.result.Unpack(at, shm.Bytes(r.old, k))
		}
	}
	return nil
}

// turn combines the bytes [at, at+n) of the stream.
func (r *request) turn(at, n int64) error {
	if !r.fast() {
		return r.guarded(at, n)
	}
	if r.buf.Contiguous() {
		return r.stretch(r.buf.Start()+uintptr(at), n)
	}
	var err error
	old := r.old
	r.buf.Type.Runs(at, n, func(off, k int64) bool {
		err = r.stretch(r.buf.Addr+uintptr(off), k)
		r.in += uintptr(k)
		if old != 0 {
			r.old += uintptr(k)
		}
		return err == nil
	})
	r.old = old
	return err
}

// stretch combines n bytes of mapped memory at addr, a row of elements.
func (r *request) stretch(addr uintptr, n int64) error {
	size := r.basic.Size()
	switch {
	case r.alone:
		r.plainly(addr, n)
	case addr%uintptr(size) == 0 && !r.w.Desc.Bulk(n/size) && r.w.Desc.Changing(&r.w.targets[r.rank]):
		r.atomically(addr, n)
		r.w.Desc.Settled(&r.w.targets[r.rank])
	default:
		if err := r.w.guards.acquireBulk(r.rank, addr%uintptr(size) == 0); err != nil {
			return err
		}
		r.plainly(addr, n)
		r.w.guards.releaseBulk(r.rank)
	}
	return nil
}

// guarded combines the bytes [at, at+n) of the stream in memory of any kind, under the target's
// guard. It touches no memory of the program's but the window's while it holds that.
func (r *request) guarded(at, n int64) error {
	if !r.alone {
		if err := r.w.guards.acquire(r.rank); err != nil {
			return err
		}
		defer r.w.guards.release(r.rank)
	}
	replaces := r.compare == 0 && r.f.Handle() == fast.OpReplace
	stream := r.work
	if r.old != 0 {
		stream = r.old
	}
	if r.old != 0 || !replaces {
		if err := r.read(at, stream, n); err != nil {
			return err
		}
	}
	switch {
	case r.compare != 0:
		if string(shm.Bytes(stream, n)) != string(shm.Bytes(r.compare, n)) {
			return nil
		}
		return r.write(at, r.in, n)
	case r.f.Handle() == fast.OpNoOp:
		return nil
	case r.basic.Size() == r.basic.Extent() && replaces:
		return r.write(at, r.in, n)
	}
	if stream != r.work && !replaces {
		shm.Copy(r.work, stream, n)
	}
	if r.basic.Size() == r.basic.Extent() {
		r.f.Apply(r.in, r.work, n/r.basic.Size(), r.basic)
	} else {
		r.inCells(r.work, r.work+batch, r.in, n)
	}
	return r.write(at, r.work, n)
}

// CompareAndSwap gives what was there before, and replaces it by the origin's element if it equals
// the one to compare with (MPI_Compare_and_swap, MPI 5.0, 12.3.4).
func (w *Window) CompareAndSwap(origin, compare, result uintptr, t *datatype.Type, rank int,
	disp int64) error {
	if !swappable(t) {
		return mpierr.New(mpierr.ErrType, "%s is no integer, logical or byte type, as MPI_Compare_and_swap wants one", t.Name())
	}
	if rank == ProcNull {
		return nil
	}
	j := request{combination: combination{desc: w.Desc, basic: t}, kind: fast.PacketSwap}
	if err := w.locate(&j.targetBuffer, rank, disp, 1, t); err != nil {
		return err
	}
	j.atomic = j.atomics
	n := t.Size()
	pool := &w.space.engine.Scratch
	chunk := pool.Take(4 * casRoom)
	defer pool.Put(chunk)
	room := chunk.Address()
	shm.Copy(room, origin, n)
	shm.Copy(room+casRoom, compare, n)
	j.in, j.compare, j.old = room, room+casRoom, room+2*casRoom
	j.n = n
	err := j.carryOut(n <= fast.PacketSmall/2)
	if err == nil {
		shm.Copy(result, j.old, n)
	}
	return err
}

// swappable reports whether elements of a type may be compared and swapped.
func swappable(t *datatype.Type) bool {
	switch t.Kind() {
	case datatype.CInteger, datatype.FortranInteger, datatype.MultiLanguage, datatype.Logical, datatype.Byte:
		return true
	}
	return t.Handle() == charHandle
}

// casRoom is room for an element of MPI_Compare_and_swap, in bytes.
const casRoom = 64
