package rma

import (
	"sync/atomic"

	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/tool"
	"gompi/shm"
)

// Flavor says by which function a window was made, with the values of the standard ABI (MPI 5.0, 12.2.6).
type Flavor int32

// The flavors.
const (
	Create   Flavor = 311
	Allocate Flavor = 312
	Dynamic  Flavor = 313
	Shared   Flavor = 314
)

// Unified is the memory model of all windows, MPI_WIN_UNIFIED: what a rank has mapped is the memory
// itself, and the kernel copies to and from the memory itself.
const Unified = 321

// Window is one rank's view of a window. Its methods may be called by several threads where the
// standard lets them.
type Window struct {
	object.Base
	Desc *fast.Window // what the C stubs know of it

	space   *Space
	closing bool // the last fence was promised to be followed by no operation; not kept where stubs fence
	group   *group.Group
	flavor  Flavor
	me, n   int
	targets []fast.Target // Desc's
	peers   []peer
	// header, blocks, tables, rings and the memory of windows that have it allocated
	allocation region
	memory     region            // the part of it that is allocated for the program
	regions    []int64           // allocations of other ranks that are mapped
	found      map[int64]uintptr // those among them that were attached to a dynamic window

	attaching        shm.Mutex    // nothing is waited for while it is held
	mu               shm.Mutex    // guards the state of epochs at MPI_THREAD_MULTIPLE
	started, exposed *group.Group // those that the lists of ranks in Desc were made from
	counts           counts       // what this rank waits for in MPI_Win_start and MPI_Win_wait

	arrived arrivals // what this rank waits for in a fence

	far *far // nil unless the window has ranks that only packets reach

	asking  shm.Mutex // held by the thread whose active messages are under way, at MPI_THREAD_MULTIPLE
	carried int       // messages of others that this rank has carried out, up to manyMessages

	rings  [2]int64   // where the rings for active messages begin and end in the allocation
	tables int64      // where the tables of attached memory stand in the allocation
	table  []attached // guarded by attaching: memory attached to a dynamic window, by address

	takenBack atomic.Uint64 // messages that this rank has done itself
	final     *tool.RMA     // what its operations have come to, once it is gone
}

// peer is one rank of the group.
type peer struct {
	job     int
	process *shm.Process // by which its private memory is reached; nil when the rank has to do it itself
	addr    uintptr      // where its private memory begins, in its own address space
	bell    shm.Bell
	summons *uint32 // of its progress thread
	locking bool    // a thread of this rank waits for the target's lock
}

// Rank and Size are this rank's number in the window's group and the number of ranks in it.
func (w *Window) Rank() int { return w.me }

// Size is the number of ranks of the window's group.
func (w *Window) Size() int { return w.n }

// Unit is the displacement unit of a rank, in bytes.
func (w *Window) Unit(rank int) int64 { return w.targets[rank].Unit }

// Memory is this rank's part of the window; none in dynamic windows.
func (w *Window) Memory() []byte {
	return shm.Bytes(w.Desc.Base, int64(w.targets[w.me].Size))
}

// Started reports whether an access epoch of MPI_Win_start is open.
func (w *Window) Started() bool { return w.Desc.Mode == fast.ModeStart }

// Group is the group of the window (MPI_Win_get_group).
func (w *Window) Group() *group.Group { return w.group }

// Flavor says how the window was made.
func (w *Window) Flavor() Flavor { return w.flavor }

// lock and unlock guard the state of epochs at MPI_THREAD_MULTIPLE.
func (w *Window) lock() {
	if w.space.multi {
		w.mu.Lock()
	}
}

func (w *Window) unlock() {
	if w.space.multi {
		w.mu.Unlock()
	}
}

// word is a word in the block of a rank.
func (w *Window) word(rank int, offset uintptr) *uint32 {
	return shm.Word32(w.targets[rank].Block + offset)
}

// line is the line of a rank in the block of another one.
func (w *Window) line(owner, rank int) *uint32 {
	return w.word(owner, fast.BlockLines+uintptr(rank)*fast.LineSize)
}

// ProcNull is MPI_PROC_NULL as the target of an operation.
const ProcNull = -3

// checkRank refuses what is no rank of the window.
func (w *Window) checkRank(rank int) error {
	if uint(rank) >= uint(w.n) {
		return mpierr.New(mpierr.ErrRank, "rank %d is not in the window's group of size %d", rank, w.n)
	}
	return nil
}

// Query is where the memory of a rank is mapped here, how large it is and its displacement unit
// (MPI_Win_shared_query, MPI 5.0, 12.2.3). ProcNull stands for the lowest rank that has any memory, or for
// rank 0 if none has. Memory that is not mapped here counts as none.
func (w *Window) Query(rank int) (size, unit int64, base uintptr, err error) {
	if w.flavor == Dynamic {
		return 0, 0, 0, mpierr.New(mpierr.ErrRMAFlavor, "the window was made by %s: its memory is not known to other ranks", w.Origin)
	}
	if rank == ProcNull {
		for r := range w.targets {
			if t := &w.targets[r]; t.Base != 0 && t.Size > 0 {
				return int64(t.Size), t.Unit, t.Base, nil
			}
		}
		rank = 0
	}
	if err := w.checkRank(rank); err != nil {
		return 0, 0, 0, err
	}
	t := &w.targets[rank]
	if t.Base == 0 {
		return 0, t.Unit, 0, nil
	}
	return int64(t.Size), t.Unit, t.Base, nil
}

// Free gives the window up, once all its ranks have called it (MPI_Win_free, MPI 5.0, 12.2.5). A
// window with an open epoch stays as it is.
func (w *Window) Free() error {
	if err := w.Idle(); err != nil {
		return err
	}
	w.enter()
	w.arrived = arrivals{w: w, count: w.Desc.Fences}
	if err := w.parting(); err != nil {
		return err
	}
	w.dispose()
	return nil
}

// Idle refuses a window with an open epoch (MPI_ERR_RMA_SYNC), which cannot be freed.
func (w *Window) Idle() error {
	if w.far != nil && w.space.engine.BrokenIn(w.far.ctx) != nil || w.bereft() {
		return nil // no epoch of a window that has lost processes can be ended
	}
	w.lock()
	defer w.unlock()
	return w.idle()
}

// idle refuses a window with an open epoch.
func (w *Window) idle() error {
	d := w.Desc
	switch {
	case d.Flags&fast.Exposed != 0:
		return outOfOrder("the window is exposed: MPI_Win_wait has to come first")
	case d.Mode == fast.ModeStart:
		return outOfOrder("an access epoch is open: MPI_Win_complete has to come first")
	case d.Mode == fast.ModeLock:
		return outOfOrder("%d targets are locked: MPI_Win_unlock has to come first", d.Locked)
	case d.Mode == fast.ModeAll:
		return outOfOrder("all targets are locked: MPI_Win_unlock_all has to come first")
	case d.Mode == fast.ModeFence && d.Issued != 0:
		return outOfOrder("operations have been carried out since the last fence: another MPI_Win_fence has to come first")
	}
	return nil
}

// outOfOrder is the error for a call that does not fit the state of the window's epochs.
func outOfOrder(format string, args ...any) error {
	return mpierr.New(mpierr.ErrRMASync, format, args...)
}

// dispose gives back what the window has. The last rank to do so gives the memory back.
func (w *Window) dispose() {
	if w.Desc.Threaded != 0 {
		w.space.unassist(w)
	}
	if w.Desc.Flags&fast.Handles != 0 || w.far != nil {
		w.space.unhandle(w)
	}
	if w.far != nil {
		w.far.close()
	}
	for _, off := range w.regions {
		w.space.release(off)
	}
	s := w.space
	if w.allocation.size > 0 {
		sharers, _ := w.sharers()
		if w.memory.size > 0 {
			s.mu.Lock()
			s.remove(w.memory.base)
			s.mu.Unlock()
		}
		w.clearRings()
		if left(w.allocation.base) == uint32(sharers) {
			s.seg.Recycle(w.allocation.base, w.allocation.off, w.allocation.size, w.rings)
		}
		s.seg.Part(w.allocation.base, w.allocation.off, w.allocation.size)
	}
	w.space.retire(w)
	w.Desc.Free()
	w.Desc, w.targets, w.peers = nil, nil, nil
}

// clearRings makes the packets zero that this rank has sent, so that the rings may be used again.
func (w *Window) clearRings() {
	for i := range w.targets {
		for k := uint32(0); k < fast.RingPackets && w.targets[i].Ring != 0; k++ {
			if p := fast.PacketAt(w.targets[i].Ring, k); atomic.LoadUint32(&p.State) != 0 {
				clear(shm.Bytes(w.targets[i].Ring+uintptr(k)*fast.PacketStride, fast.PacketStride))
			}
		}
	}
}

// raw is a buffer of bytes of Go memory, which the caller keeps.
func raw(b []byte) datatype.Buffer { return datatype.Raw(shm.Address(b), int64(len(b))) }
