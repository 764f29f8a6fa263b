package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// How accumulates change elements of mapped memory: a few by the processor's atomic instructions, rows by
// loops without.

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
	case w.Flags&OneThread != 0 && !w.Several(): // nobody else writes the word
		shm.StoreRel32(shm.Next32(t.Own, LineBusy), 0)
	default:
		atomic.AddUint32(shm.Next32(t.Own, LineBusy), ^uint32(0))
	}
}

// BulkLeast is how many elements an accumulate has at least for which nobody is to use atomic
// instructions meanwhile: one of fewer elements takes less time with them than the keeping away
// does, in which each rank of the window is looked at.
const BulkLeast = 16

// Bulk reports whether an accumulate has as many elements as that.
func (w *Window) Bulk(count int64) bool { return count >= BulkLeast && count >= int64(w.N) }

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
		if before == 0 && op == OpNoOp || !w.asks(t, disp, bytes, before == 0, false) {
			return NeedsEngine
		}
		ask := PacketFetch
		if before == 0 {
			ask = PacketAccumulate
		}
		if op == OpNoOp {
			origin = 0
		}
		return w.active(t, ask, t.remote(disp), uint32(datatype), uint32(op), origin, 0, before,
			uint32(bytes))
	}
	to := t.elements(disp, kind, bytes)
	if to == 0 {
		return NeedsEngine
	}
	if w.Bulk(count) || count >= aloneLeast && t.Open == OpenExclusive {
		return w.combineBulk(t, kind, op, to, origin, before, bytes)
	}
	if !w.Changing(t) {
		return NeedsEngine
	}
	CombineRow(kind, op, to, origin, before, bytes)
	w.Settled(t)
	return w.issued(bytes)
}

// combineBulk is an accumulate of a row of elements in mapped memory, without atomic instructions.
//
//fast:cold
func (w *Window) combineBulk(t *Target, kind uint32, op, to, origin, before uintptr, bytes uint64) Reason {
	alone := t.alone(w)
	if !alone && (t.Open == OpenExclusive || !w.seizeBulk(t)) {
		return NeedsEngine
	}
	if before != 0 {
		copyAll(before, to, bytes)
	}
	switch op {
	case OpNoOp:
	case OpReplace:
		copyAll(to, origin, bytes)
	default:
		combine(w.Endpoint, uint32(op-FirstOp), kind, to, origin, to, uint32(bytes)/elementSize(kind))
	}
	if !alone {
		w.releaseBulk(t)
	}
	return w.issued(bytes)
}

// seizeBulk takes a target's guard and keeps atomic instructions away. It reports false, with nothing
// changed, when others do not let go of the elements at once: package rma waits for them.
func (w *Window) seizeBulk(t *Target) bool {
	if !atomic.CompareAndSwapUint32(t.word(BlockGuard), 0, w.Me+1) {
		return false
	}
	atomic.StoreUint32(t.word(BlockBulk), 1) // a full fence; pairs with Changing
	for r := uint32(0); r < w.N; r++ {
		if atomic.LoadUint32(shm.Next32(t.line(r), LineBusy)) != 0 {
			w.releaseBulk(t)
			return false
		}
	}
	return true
}

// releaseBulk ends what seizeBulk has begun.
func (w *Window) releaseBulk(t *Target) {
	shm.StoreRel32(t.word(BlockBulk), 0)
	shm.StoreRel32(t.word(BlockGuard), 0)
}
