package fast

import "gompi/shm"

// The operations on the memory of other ranks (MPI 5.0, 12.3), as far as their data has the same size at both
// ends, the target is open for access, and its memory is mapped here, or the data has no gaps and an active
// message reaches it.

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

// LeastChoice is the size in bytes up to which active messages are the quickest way everywhere. What does not
// fit into one goes by the kernel.
const LeastChoice = 256

// Always in Target.Known says that it is known how operations go.
const Always uint32 = 1<<32 - 1

// knows reports whether it is known how a put or get of so many bytes of private memory goes. Package rma is
// asked again now and then, because what is the quickest may change.
func (t *Target) knows(bytes uint64) bool {
	if bytes <= LeastChoice || bytes > PacketRoom || t.Known == Always {
		return true
	}
	if t.Known == 0 {
		return false
	}
	t.Known--
	return true
}

// byKernel reports whether the kernel is the quickest way for a put or get of private memory.
func (t *Target) byKernel(bytes uint64) bool { return bytes-t.LeastKernel <= t.KernelRange }

// kernelTransfer is a put or get of private memory by the kernel, behind all active messages.
//
//fast:cold
func (w *Window) kernelTransfer(t *Target, disp int64, origin uintptr, bytes uint64, put bool) Reason {
	if !t.holds(disp, bytes) || t.Owed != 0 || isSlow(origin, uintptr(t.remote(disp)), bytes, put) ||
		!w.settleOne(t) || !kernelCopy(t.Process, origin, uintptr(t.remote(disp)), bytes, put) {
		return NeedsEngine
	}
	w.Count(PathKernel, bytes)
	w.Issued = 1
	return Done
}

// isSlow reports whether the kernel may be slow to copy between memory of this process and that of another
// one. Package shm knows whether it is on this processor, and another way.
func isSlow(local, remote uintptr, bytes uint64, write bool) bool {
	behind := local - remote
	if write {
		behind = remote - local
	}
	return bytes >= shm.LeastAside && behind%shm.PageSize-1 < shm.SlowDistance
}

// private is a put or get of memory that is not mapped here.
func (w *Window) private(t *Target, disp int64, origin uintptr, bytes uint64, put bool) Reason {
	if !t.knows(bytes) {
		return NeedsEngine
	}
	if t.byKernel(bytes) {
		return w.kernelTransfer(t, disp, origin, bytes, put)
	}
	if !w.asks(t, disp, bytes, put, true) {
		return NeedsEngine
	}
	if put {
		return w.active(t, PacketPut, t.remote(disp), 0, 0, origin, 0, 0, uint32(bytes))
	}
	return w.active(t, PacketGet, t.remote(disp), 0, 0, 0, 0, origin, uint32(bytes))
}

// putOrGet is MPI_Put or MPI_Get.
//
//fast:hot
func (e *Endpoint) putOrGet(
	origin uintptr, originCount int64, originType uintptr,
	rank int32, disp, count int64, datatype, win uintptr, put bool,
) Reason {
	w := e.window(win)
	t := w.opened(rank)
	bytes := e.sameSize(origin, originCount, originType, count, datatype)
	if t == nil {
		return NotPlain
	}
	if bytes == 0 {
		return putOrGetGaps(e, w, t, origin, originCount, originType, disp, count, datatype, put)
	}
	at := t.mapped(disp, bytes)
	if at == 0 {
		return w.private(t, disp, origin, bytes, put)
	}
	if put {
		return w.transfer(at, origin, bytes)
	}
	return w.transfer(origin, at, bytes)
}

// Put is MPI_Put (MPI 5.0, 12.3.1).
//
//fast:hot
func Put(
	e *Endpoint, origin uintptr, originCount int64, originType uintptr,
	rank int32, disp, count int64, datatype, win uintptr,
) Reason {
	return e.putOrGet(origin, originCount, originType, rank, disp, count, datatype, win, true)
}

// Get is MPI_Get (MPI 5.0, 12.3.2).
//
//fast:hot
func Get(
	e *Endpoint, origin uintptr, originCount int64, originType uintptr,
	rank int32, disp, count int64, datatype, win uintptr,
) Reason {
	return e.putOrGet(origin, originCount, originType, rank, disp, count, datatype, win, false)
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

// GetAccumulate is MPI_Get_accumulate (MPI 5.0, 12.3.4).
func GetAccumulate(
	e *Endpoint, origin uintptr, originCount int64, originType, result uintptr, resultCount int64,
	resultType uintptr, rank int32, disp, count int64, datatype, op, win uintptr,
) Reason {
	w := e.window(win)
	t := w.opened(rank)
	kind := e.Element(datatype)
	if op == OpNoOp { // what the origin has does not matter
		origin = result
		originType = datatype
		originCount = count
	}
	if t == nil || originType != datatype || resultType != datatype || originCount != count ||
		resultCount != count || count <= 0 || count > PacketRoom || origin < Lowest || result < Lowest ||
		!Combines(kind, op) {
		return NotPlain
	}
	return w.combine(t, disp, kind, datatype, op, origin, result, count)
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
		if !w.asks(t, disp, uint64(bytes), false, false) {
			return NeedsEngine
		}
		return w.active(t, PacketSwap, t.remote(disp), 0, 0, origin, compare, result, bytes)
	}
	to := t.elements(disp, kind, uint64(bytes))
	if to == 0 || !w.Changing(t) {
		return NeedsEngine
	}
	SwapElement(to, origin, compare, result, bytes)
	w.Settled(t)
	return w.issued(uint64(bytes))
}
