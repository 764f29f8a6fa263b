package origin

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/runtime/p2p"
	"gompi/runtime/rma/target"
	"gompi/shm"
)

// Accumulate combines the origin's data with the target's memory, element by element
// (MPI_Accumulate, MPI 5.0, 12.3.4).
func (w *Operations) Accumulate(o datatype.Buffer, rank int, disp, count int64, t *datatype.Type,
	f *op.Op) error {
	return w.accumulate(o, nil, rank, disp, count, t, f)
}

// GetAccumulate is Accumulate that also gives what was there before (MPI_Get_accumulate). With
// MPI_NO_OP the origin's buffer does not matter.
func (w *Operations) GetAccumulate(o, result datatype.Buffer, rank int, disp, count int64, t *datatype.Type,
	f *op.Op) error {
	return w.accumulate(o, &result, rank, disp, count, t, f)
}

// FetchAndOp is GetAccumulate for one element (MPI_Fetch_and_op).
func (w *Operations) FetchAndOp(origin, result uintptr, t *datatype.Type, rank int, disp int64,
	f *op.Op) error {
	r := datatype.Buffer{Addr: result, Count: 1, Type: t}
	return w.accumulate(datatype.Buffer{Addr: origin, Count: 1, Type: t}, &r, rank, disp, 1, t, f)
}

// MPI_CHAR is for text, and the standard lists it with no operation that computes (MPI 5.0, 6.9.2), nor with
// MPI_Compare_and_swap. Accumulates take it for MPI_SIGNED_CHAR then, as other implementations do.
const (
	charHandle       = 0x243
	signedCharHandle = 0x244
)

func (w *Operations) accumulate(o datatype.Buffer, result *datatype.Buffer, rank int, disp, count int64,
	t *datatype.Type, f *op.Op) error {
	if empty(o, result, count, t, f) {
		return w.reaches(rank)
	}
	basic, err := combinable(o, result, t, f)
	if err != nil || rank == p2p.ProcNull {
		return err
	}
	j := request{kind: fast.PacketAccumulate, data: &o, result: result}
	j.Desc, j.Op, j.Basic = w.Desc, f, basic
	if err := w.locate(&j.targetBuffer, rank, disp, count, t); err != nil {
		return err
	}
	j.Atomic = j.atomics
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
func (w *Operations) reaches(rank int) error {
	if rank == p2p.ProcNull {
		return nil
	}
	_, err := w.epochs.Open(rank)
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
	pool := &r.w.Engine.Scratch
	chunk := pool.Take(4 * batch)
	defer pool.Put(chunk)
	size, extent := r.Basic.Size(), r.Basic.Extent()
	step := batch / extent * size // bytes of the stream per turn
	room := chunk.Address()       // operands, old values, elements at work, their stream
	for at := int64(0); at < r.n; at += step {
		k := min(r.n-at, step)
		r.In = room
		switch {
		case r.data == nil:
		case size == extent && r.data.Contiguous() && r.Fast():
			r.In = r.data.Start() + uintptr(at)
		case size == extent:
			r.data.Pack(at, shm.Bytes(room, k))
		default:
			r.data.Pack(at, shm.Bytes(room+2*batch, k))
			r.Elements(room, k).Unpack(0, shm.Bytes(room+2*batch, k))
		}
		r.Old = 0
		if r.result != nil {
			r.Old = room + batch
		}
		r.Work = room + 2*batch
		if err := r.turn(at, k); err != nil {
			return err
		}
		if r.result != nil {
			r.result.Unpack(at, shm.Bytes(r.Old, k))
		}
	}
	return nil
}

// turn combines the bytes [at, at+n) of the stream.
func (r *request) turn(at, n int64) error {
	if !r.mapped || r.Basic.Size() != r.Basic.Extent() || !r.Fast() && !r.buf.Contiguous() {
		return r.guarded(at, n)
	}
	in, old := r.In, r.Old
	update := func(list []shm.Piece, size int64) error {
		r.Memory, r.N = list, size
		_, err := r.w.guards.Update(r.rank, &r.Update, r.alone, true)
		return err
	}
	var err error
	if r.buf.Contiguous() {
		r.Addr = r.buf.Start() + uintptr(at)
		err = update(nil, n)
	} else {
		err = r.eachRuns(at, n, update)
	}
	r.In, r.Old = in, old
	return err
}

// guarded combines the bytes [at, at+n) of the stream in memory of any kind, all under the target's guard. It
// touches no memory of the program's but the window's while it holds that.
func (r *request) guarded(at, n int64) error {
	if !r.alone {
		if err := r.w.guards.Acquire(r.rank); err != nil {
			return err
		}
		defer r.w.guards.Release(r.rank)
	}
	replaces := r.Compare == 0 && r.Op.Handle() == fast.OpReplace
	stream := r.Work
	if r.Old != 0 {
		stream = r.Old
	}
	if r.Old != 0 || !replaces {
		if err := r.read(at, stream, n); err != nil {
			return err
		}
	}
	switch {
	case r.Compare != 0:
		if string(shm.Bytes(stream, n)) != string(shm.Bytes(r.Compare, n)) {
			return nil
		}
		return r.write(at, r.In, n)
	case r.Op.Handle() == fast.OpNoOp:
		return nil
	case r.Basic.Size() == r.Basic.Extent() && replaces:
		return r.write(at, r.In, n)
	}
	if stream != r.Work && !replaces {
		shm.Copy(r.Work, stream, n)
	}
	if r.Basic.Size() == r.Basic.Extent() {
		r.Op.Apply(r.In, r.Work, n/r.Basic.Size(), r.Basic)
	} else {
		r.InCells(r.Work, r.Work+batch, r.In, n)
	}
	return r.write(at, r.Work, n)
}

// CompareAndSwap gives what was there before, and replaces it by the origin's element if it equals
// the one to compare with (MPI_Compare_and_swap, MPI 5.0, 12.3.4).
func (w *Operations) CompareAndSwap(origin, compare, result uintptr, t *datatype.Type, rank int,
	disp int64) error {
	if !swappable(t) {
		return mpierr.New(mpierr.ErrType, "%s is no integer, logical or byte type, as MPI_Compare_and_swap wants one", t.Name())
	}
	if rank == p2p.ProcNull {
		return nil
	}
	j := request{kind: fast.PacketSwap}
	j.Desc, j.Basic = w.Desc, t
	if err := w.locate(&j.targetBuffer, rank, disp, 1, t); err != nil {
		return err
	}
	j.Atomic = j.atomics
	n := t.Size()
	pool := &w.Engine.Scratch
	chunk := pool.Take(4 * target.SwapRoom)
	defer pool.Put(chunk)
	room := chunk.Address()
	shm.Copy(room, origin, n)
	shm.Copy(room+target.SwapRoom, compare, n)
	j.In, j.Compare, j.Old = room, room+target.SwapRoom, room+2*target.SwapRoom
	j.n = n
	err := j.carryOut(n <= fast.PacketSmall/2)
	if err == nil {
		shm.Copy(result, j.Old, n)
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
