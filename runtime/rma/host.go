package rma

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/shm"
)

// What a rank does for others while it waits: it carries out their errands in its private memory.

// manyErrands is after how many errands the program's memory is looked at, and the stubs may carry them out as well.
const manyErrands = 64

// host has errands looked for in a window.
func (s *Space) host(w *Window) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hosts := []*Window{w}
	if old := s.hosts.Load(); old != nil {
		hosts = append(hosts, *old...)
	}
	s.hosts.Store(&hosts)
	s.engine.SetServer(s)
}

// unhost ends what host began: nobody looks there any more when it returns.
func (s *Space) unhost(w *Window) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hosts := slices.DeleteFunc(slices.Clone(*s.hosts.Load()), func(h *Window) bool { return h == w })
	s.hosts.Store(&hosts)
	if len(hosts) == 0 {
		s.engine.SetServer(nil)
	} else {
		s.engine.SetServer(s)
	}
}

// Serve carries out errands of other ranks. It implements p2p.Server, under the engine's lock.
func (s *Space) Serve() (did bool) {
	for _, w := range *s.hosts.Load() {
		if w.far != nil && w.far.serve() {
			did = true
		}
		if w.Desc.Hosts == 0 {
			continue
		}
		for callers := w.callers(); callers != 0; callers &= callers - 1 {
			if from := bits.TrailingZeros64(callers); w.serveFrom(from) {
				did = true
			}
		}
	}
	return did
}

// callers is the ranks that may have errands for this one.
func (w *Window) callers() uint64 { return atomic.LoadUint64(w.Desc.Callers) & w.all() }

// all is the set of the ranks of a window that has errands, of which there are mostCallers at most.
func (w *Window) all() uint64 { return ^uint64(0) >> (mostCallers - w.n) }

// serveFrom carries out the errands of one rank, as many as fit into its ring at most.
func (w *Window) serveFrom(from int) bool {
	t := &w.targets[from]
	next := t.Next
	for range shm.Errands {
		e := shm.ErrandAt(t.Calls, next)
		phase, ok := e.Phase(next)
		if !ok && !e.Overtaken(next) || ok && phase == shm.ErrandTaken {
			break // it is not there yet, or its origin is about it
		}
		if ok && phase == shm.ErrandPosted && !w.serveErrand(e, next) {
			break
		}
		next++
	}
	if next == t.Next {
		return false
	}
	if w.carried < manyErrands {
		w.admitStubs(int(next - t.Next))
	}
	shm.StoreRel32(&t.Next, next) // pairs with served
	w.peers[from].bell.Ring()
	return true // also when it came too late: there may be more soon
}

// admitStubs counts errands that were carried out. When there are many, the stubs may carry them out as well, if the window's memory
// can be touched everywhere: an access to memory that is not there is an error here, and the end of the program in C.
func (w *Window) admitStubs(n int) {
	if w.carried += n; w.carried >= manyErrands && w.flavor == Create {
		w.Desc.Touchable = bit(shm.Writable(w.targets[w.me].Remote, w.targets[w.me].Size))
	}
}

// served tells whether this rank has carried out all that others have asked it for so far.
func (w *Window) served() bool {
	if w.Desc.Hosts == 0 {
		return true
	}
	for callers := w.callers(); callers != 0; callers &= callers - 1 {
		t := &w.targets[bits.TrailingZeros64(callers)]
		next := atomic.LoadUint32(&t.Next)
		e := shm.ErrandAt(t.Calls, next)
		if _, ok := e.Phase(next); ok || e.Overtaken(next) {
			return false // also when its origin has done it: there may be more behind it
		}
	}
	return true
}

// serveErrand carries out an errand that is posted; false when it has to wait.
func (w *Window) serveErrand(e *shm.Errand, number uint32) bool {
	guard, o := w.word(w.me, shm.WinGuard), e.Order()
	guarded := o.Kind >= shm.ErrandAccumulate
	if guarded && !atomic.CompareAndSwapUint32(guard, 0, uint32(w.me)+1) {
		return false // somebody reaches this memory by the kernel
	}
	taken := e.Take(number)
	if taken {
		phase := uint32(shm.ErrandFailed)
		if w.carryOut(e, &o) {
			phase = shm.ErrandDone
		}
		e.End(number, phase) // pairs with await
	}
	if guarded {
		shm.StoreRel32(guard, 0)
	}
	return true
}

// carryOut does an errand in this rank's own memory; false when that cannot be touched, or is not the
// window's.
func (w *Window) carryOut(e *shm.Errand, o *shm.Order) (ok bool) {
	if !possible(o) || !w.holds(o.Addr, uint64(o.Bytes)) {
		return false
	}
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	n, addr := int64(o.Bytes), uintptr(o.Addr)
	data := e.Data(n)
	switch o.Kind {
	case shm.ErrandPut:
		shm.Copy(addr, data, n)
	case shm.ErrandGet:
		shm.Copy(data, addr, n)
	case shm.ErrandAccumulate:
		combine(o, data, addr, n)
	default:
		w.fetch(o, data, addr, n)
	}
	return true
}

// possible reports whether an errand can be carried out at all: its words may be anything, if memory is
// corrupted.
func possible(o *shm.Order) bool {
	switch {
	case o.Bytes > shm.ErrandRoom, o.Kind > shm.ErrandSwap:
		return false
	case o.Kind < shm.ErrandAccumulate:
		return true
	case o.Kind == shm.ErrandSwap:
		return o.Bytes <= shm.ErrandSmall/2
	case o.Op == opNoOp, o.Op == opReplace:
		return true
	}
	t, f := datatype.ByHandle(o.Type), op.ByHandle(o.Op)
	return t != nil && f != nil && f.Valid(t) && t.Size() == t.Extent() && int64(o.Bytes)%t.Size() == 0
}

// holds reports whether n bytes at an address of this process are memory of this rank in the window.
// Everything that others have done in this rank's own memory by its address is checked against it.
func (w *Window) holds(addr, n uint64) bool { return w.within(w.me, addr, n) }

// within is holds for the memory of a rank near to this one, by its address there.
func (w *Window) within(rank int, addr, n uint64) bool {
	if w.flavor == Dynamic {
		_, _, ok := w.lookUp(rank, addr, n)
		return ok
	}
	t := &w.targets[rank]
	at := addr - uint64(t.Remote)
	return at <= t.Size && n <= t.Size-at
}

// fetch does an errand that brings back what was there before.
func (w *Window) fetch(o *shm.Order, data, addr uintptr, n int64) {
	if n <= shm.ErrandSmall {
		at := shm.AddressOf(&w.was[0])
		shm.Copy(at, addr, n)
		combine(o, data, addr, n)
		shm.Copy(data, at, n)
		return
	}
	chunk := w.space.engine.Scratch.Take(n)
	shm.Copy(chunk.Address(), addr, n)
	combine(o, data, addr, n)
	shm.Copy(data, chunk.Address(), n)
	w.space.engine.Scratch.Put(chunk)
}
