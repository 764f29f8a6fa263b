package rma

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/runtime/scratch"
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

// job is one accumulate while it is carried out.
type job struct {
	targetBuffer
	combination
}

func (w *Window) accumulate(o datatype.Buffer, result *datatype.Buffer, rank int, disp, count int64,
	t *datatype.Type, f *op.Op) error {
	if empty(o, result, count, t, f) {
		return w.reaches(rank)
	}
	basic, err := combinable(o, result, t, f)
	if err != nil || rank == ProcNull {
		return err
	}
	j := job{combination: combination{desc: w.Desc, f: f, basic: basic}}
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
	fits := basic.Size() == basic.Extent() && basic.Predefined()
	path, err := j.choose(fits, result == nil && n <= j.step())
	defer j.leave()
	switch {
	case err != nil:
	case path == fast.PathPackets:
		err = j.accumulateFar(&o, result, n)
	case path == fast.PathActive:
		err = j.combineActive(&o, result, n)
	default:
		pool := &w.space.engine.Scratch
		chunk := pool.Take(4 * batch)
		defer pool.Put(chunk)
		err = j.run(o, result, n, chunk)
	}
	return j.moved(path, n, err)
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

// run goes through the data a batch at a time.
func (j *job) run(o datatype.Buffer, result *datatype.Buffer, n int64, chunk *scratch.Chunk) error {
	size, extent := j.basic.Size(), j.basic.Extent()
	step := batch / extent * size // bytes of the stream per turn
	room := chunk.Address()       // operands, old values, elements at work, their stream
	noOp := j.f.Handle() == fast.OpNoOp
	for at := int64(0); at < n; at += step {
		k := min(n-at, step)
		switch {
		case noOp:
		case size == extent && o.Contiguous() && j.fast():
			j.in = o.Start() + uintptr(at)
		case size == extent:
			j.in = room
			o.Pack(at, shm.Bytes(room, k))
		default:
			j.in = room
			o.Pack(at, shm.Bytes(room+2*batch, k))
			j.elements(room, k).Unpack(0, shm.Bytes(room+2*batch, k))
		}
		j.old = 0
		if result != nil {
			j.old = room + batch
		}
		j.work = room + 2*batch
		if err := j.turn(at, k); err != nil {
			return err
		}
		if result != nil {
			result.Unpack(at, shm.Bytes(j.old, k))
		}
	}
	return nil
}

// turn combines the bytes [at, at+n) of the stream.
func (j *job) turn(at, n int64) error {
	if !j.fast() {
		return j.guarded(at, n)
	}
	if j.buf.Contiguous() {
		return j.stretch(j.buf.Start()+uintptr(at), n)
	}
	var err error
	old := j.old
	j.buf.Type.Runs(at, n, func(off, k int64) bool {
		err = j.stretch(j.buf.Addr+uintptr(off), k)
		j.in += uintptr(k)
		if old != 0 {
			j.old += uintptr(k)
		}
		return err == nil
	})
	j.old = old
	return err
}

// stretch combines n bytes of mapped memory at addr, a row of elements.
func (j *job) stretch(addr uintptr, n int64) error {
	size := j.basic.Size()
	switch {
	case j.alone:
		j.plainly(addr, n)
	case addr%uintptr(size) == 0 && !j.w.Desc.Bulk(n/size) && j.w.Desc.Changing(&j.w.targets[j.rank]):
		j.atomically(addr, n)
		j.w.Desc.Settled(&j.w.targets[j.rank])
	default:
		if err := j.w.guards.acquireBulk(j.rank, addr%uintptr(size) == 0); err != nil {
			return err
		}
		j.plainly(addr, n)
		j.w.guards.releaseBulk(j.rank)
	}
	return nil
}

// guarded combines the bytes [at, at+n) of the stream in memory of any kind, under the target's
// guard. It touches no memory of the program's but the window's while it holds that.
func (j *job) guarded(at, n int64) error {
	if !j.alone {
		if err := j.w.guards.acquire(j.rank); err != nil {
			return err
		}
		defer j.w.guards.release(j.rank)
	}
	replaces := j.compare == 0 && j.f.Handle() == fast.OpReplace
	stream := j.work
	if j.old != 0 {
		stream = j.old
	}
	if j.old != 0 || !replaces {
		if err := j.read(at, stream, n); err != nil {
			return err
		}
	}
	switch {
	case j.compare != 0:
		if string(shm.Bytes(stream, n)) != string(shm.Bytes(j.compare, n)) {
			return nil
		}
		return j.write(at, j.in, n)
	case j.f.Handle() == fast.OpNoOp:
		return nil
	case j.basic.Size() == j.basic.Extent() && replaces:
		return j.write(at, j.in, n)
	}
	if stream != j.work && !replaces {
		shm.Copy(j.work, stream, n)
	}
	if j.basic.Size() == j.basic.Extent() {
		j.f.Apply(j.in, j.work, n/j.basic.Size(), j.basic)
	} else {
		j.inCells(j.work, j.work+batch, j.in, n)
	}
	return j.write(at, j.work, n)
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
	j := job{combination: combination{desc: w.Desc, basic: t}}
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
	path, err := j.choose(n <= fast.PacketSmall/2, false)
	defer j.leave()
	switch {
	case err != nil:
	case path == fast.PathPackets:
		err = j.swapFar(room, n)
	case path == fast.PathActive:
		err = j.swapActive(room, n)
	default:
		err = j.turn(0, n)
	}
	if err == nil {
		shm.Copy(result, room+2*casRoom, n)
	}
	return j.moved(path, n, err)
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
