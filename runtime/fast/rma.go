package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// The operations on the memory of other ranks (MPI 5.0, 12.3), as far as their data is dense, of
// predefined types and the same at both ends, the target is open for access, and its memory is
// mapped here or can be reached by an active message.

// mapped is where the bytes at a displacement stand here; 0 when they are not mapped, or leave the window.
func (t *Target) mapped(disp int64, bytes uint64) uintptr {
	if t.Base == 0 || !t.holds(disp, bytes) {
		return 0
	}
	return t.Base + uintptr(disp*t.Unit)
}

// issued notes an operation on bytes of mapped memory, which is done.
func (w *Window) issued(bytes uint64) Reason {
	w.Count(PathMapped, bytes)
	w.Issued = 1
	return Done
}

// transfer is a put or get of bytes between mapped memory and the origin.
//
//fast:hot
func (w *Window) transfer(to, from uintptr, bytes uint64) Reason {
	if bytes == 8 {
		move(to, from, 8)
	} else {
		copyAll(to, from, bytes)
	}
	return w.issued(bytes)
}

// Put is MPI_Put (MPI 5.0, 12.3.1).
//
//fast:hot
func Put(
	e *Endpoint, origin uintptr, originCount int64, originType uintptr,
	rank int32, disp, count int64, datatype, win uintptr,
) Reason {
	w := e.window(win)
	t := w.opened(rank)
	bytes := e.sameSize(origin, originCount, originType, count, datatype)
	if t == nil || bytes == 0 {
		return NotPlain
	}
	to := t.mapped(disp, bytes)
	if to == 0 {
		if !w.asks(t, disp, bytes, true) {
			return NeedsEngine
		}
		return w.ActivePut(t, t.remote(disp), origin, uint32(bytes))
	}
	return w.transfer(to, origin, bytes)
}

// Get is MPI_Get (MPI 5.0, 12.3.2).
//
//fast:hot
func Get(
	e *Endpoint, origin uintptr, originCount int64, originType uintptr,
	rank int32, disp, count int64, datatype, win uintptr,
) Reason {
	w := e.window(win)
	t := w.opened(rank)
	bytes := e.sameSize(origin, originCount, originType, count, datatype)
	if t == nil || bytes == 0 {
		return NotPlain
	}
	from := t.mapped(disp, bytes)
	if from == 0 {
		if !w.asks(t, disp, bytes, false) {
			return NeedsEngine
		}
		return w.ActiveGet(t, t.remote(disp), origin, uint32(bytes))
	}
	return w.transfer(origin, from, bytes)
}

// Changing makes known that this rank changes elements of a target by atomic instructions. It
// reports false when somebody changes rows of them without, who keeps such instructions away.
// Settled ends it. Under an exclusive lock nobody else is there.
//
// Rows of elements are combined by loops without atomic instructions, which are a good twenty times
// quicker. Whoever does so holds the guard and sets BlockBulk (package rma, seizeBulk). Of the two
// who make themselves known, one at least sees the other:
//
//	origin   LineBusy + 1 (full fence), look at BlockBulk: 0 -> go on; otherwise LineBusy - 1, guard
//	holder   BlockBulk = 1 (full fence), wait until each LineBusy is 0, combine, BlockBulk = 0
func (w *Window) Changing(t *Target) bool {
	if t.alone(w) {
		return true
	}
	busy := shm.Next32(t.Own, LineBusy)
	atomic.AddUint32(busy, 1)
	if unlikely(atomic.LoadUint32(t.word(BlockBulk)) != 0) {
		atomic.AddUint32(busy, ^uint32(0))
		return false
	}
	return true
}

// alone reports whether nobody else may access a target, which no other thread changes.
func (t *Target) alone(w *Window) bool { return t.Open == OpenExclusive && w.Flags&OneThread != 0 }

// Settled ends what Changing has begun.
func (w *Window) Settled(t *Target) {
	switch {
	case t.alone(w):
	case w.Flags&OneThread != 0: // nobody else writes the word
		shm.StoreRel32(shm.Next32(t.Own, LineBusy), 0)
	default:
		atomic.AddUint32(shm.Next32(t.Own, LineBusy), ^uint32(0))
	}
}

// BulkLeast is how many elements an accumulate has at least for which nobody is to use atomic
// instructions meanwhile: one of fewer elements takes less time with them than the keeping away
// does.
const BulkLeast = 64

// aloneLeast is the same under an exclusive lock, where nobody has to be kept away.
const aloneLeast = 5

// elements is where elements at a displacement stand here that atomic instructions change; 0 when
// there are none.
func (t *Target) elements(disp int64, kind uint32, bytes uint64) uintptr {
	to := t.mapped(disp, bytes)
	if t.Atomic == 0 || to&uintptr(elementSize(kind)-1) != 0 {
		return 0
	}
	return to
}

// combine is an accumulate; before is 0 when nobody wants what was there.
//
//fast:hot
func (w *Window) combine(
	t *Target, disp int64, kind uint32, datatype, op, origin, before uintptr, count int64,
) Reason {
	bytes := uint64(count) * uint64(elementSize(kind))
	if t.Base == 0 {
		if before == 0 && op == OpNoOp || !w.asks(t, disp, bytes, before == 0) {
			return NeedsEngine
		}
		return w.ActiveCombine(t, t.remote(disp), uint32(datatype), uint32(op), origin, before, uint32(bytes))
	}
	to := t.elements(disp, kind, bytes)
	if count >= BulkLeast || count >= aloneLeast && t.Open == OpenExclusive || to == 0 || !w.Changing(t) {
		return NeedsEngine
	}
	CombineRow(kind, op, to, origin, before, bytes)
	w.Settled(t)
	return w.issued(bytes)
}

// Accumulate is MPI_Accumulate (MPI 5.0, 12.3.4).
func Accumulate(
	e *Endpoint, origin uintptr, originCount int64, originType uintptr,
	rank int32, disp, count int64, datatype, op, win uintptr,
) Reason {
	w := e.window(win)
	t := w.opened(rank)
	kind := e.Element(datatype)
	if t == nil || originType != datatype || originCount != count || count <= 0 || count > PacketRoom ||
		origin < Lowest || !Combines(kind, op) {
		return NotPlain
	}
	return w.combine(t, disp, kind, datatype, op, origin, 0, count)
}

// FetchAndOp is MPI_Fetch_and_op (MPI 5.0, 12.3.4).
func FetchAndOp(
	e *Endpoint, origin, result, datatype uintptr, rank int32, disp int64, op, win uintptr,
) Reason {
	w := e.window(win)
	t := w.opened(rank)
	kind := e.Element(datatype)
	if op == OpNoOp {
		origin = result // what it holds does not matter
	}
	if t == nil || origin < Lowest || result < Lowest || !Combines(kind, op) {
		return NotPlain
	}
	return w.combine(t, disp, kind, datatype, op, origin, result, 1)
}

// CompareAndSwap is MPI_Compare_and_swap (MPI 5.0, 12.3.4).
func CompareAndSwap(
	e *Endpoint, origin, compare, result, datatype uintptr, rank int32, disp int64, win uintptr,
) Reason {
	w := e.window(win)
	t := w.opened(rank)
	kind := e.Element(datatype)
	if t == nil || kind == 0 || kind >= ElementFloat || origin < Lowest || compare < Lowest ||
		result < Lowest {
		return NotPlain
	}
	bytes := elementSize(kind)
	if t.Base == 0 {
		if !w.asks(t, disp, uint64(bytes), false) {
			return NeedsEngine
		}
		return w.ActiveSwap(t, t.remote(disp), origin, compare, result, bytes)
	}
	to := t.elements(disp, kind, uint64(bytes))
	if to == 0 || !w.Changing(t) {
		return NeedsEngine
	}
	SwapElement(to, origin, compare, result, bytes)
	w.Settled(t)
	return w.issued(uint64(bytes))
}
