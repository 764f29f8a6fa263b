package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// Window is what this rank knows of a window of one-sided communication, as far as this package
// needs it to carry out operations and synchronization. It stands outside Go's heap and is private
// to the process.
type Window struct {
	Handle   uintptr   // by which the program knows the window; 0 before it does
	Endpoint *Endpoint // of this process
	Me, N    uint32    // rank in the window's group, its size
	Flags    uint32    // see OneThread
	Mode     uint32    // of the access epoch, see ModeNone
	Issued   uint32    // 1 when an operation has been carried out since the last fence
	Locked   uint32    // targets that are locked, in ModeLock
	Pending  uint32    // 1 when active messages may be under way
	Guarding uint32    // 1 while the handler of active messages holds this rank's guard
	Threaded uint32    // 1 when package rma's progress thread carries out active messages as well
	Claimed  uint32    // 1 while a thread of this rank does, if several may (Several)
	Turns    uint32    // turns of each lock, less one
	Nodes    uint32    // node ranks, whose bells stand behind Bells
	Fences   uint32    // that this rank has entered
	Bells    uintptr   // RankSleeping of node rank 0; those of the others follow at RankStride
	Targets  *Target

	// 1 when all of this rank's memory is known to be there: no access ends the program. Whichever thread
	// carries out messages writes it, and none but the program's changes Flags
	Touchable uint32

	Started, Exposed  *uint32 // ranks of the access epoch in ModeStart, and of the exposure epoch
	Starts, Exposes   uint32  // how many
	StartKey, PostKey uint64  // what the two were listed from (groupKey); 0 when that is not known here
	Key               uint64  // of the group of the present MPI_Win_post or MPI_Win_start; 0: none

	Operations [Paths]uint64 // of this rank, by the path to the target's memory
	Moved      [Paths]uint64 // bytes of that memory that they were about

	Base   uintptr // what the window's predefined attributes point to (MPI 5.0, 12.2.6)
	Size   int64
	Unit   int32
	Flavor int32
	Model  int32
}

// What this package may do with a window, and what state its synchronization is in: bits of Window.Flags.
//
//	MPI_Put etc. on mapped memory   always
//	... by active message           OneThread
//	opening a target after a fence  OneThread and not Checked
//	post, start, complete, wait     OneThread
//	fence, lock                     plain: OneThread, and neither Checked nor Exposed
const (
	OneThread uint32 = 1 << iota // one thread at a time calls
	// package rma is to see all locks and fences, to compare them with what the program has promised
	Checked
	Exposed  // this rank's memory is exposed (MPI_Win_post)
	Handles  // other ranks may send active messages to this one
	Collects // fences wait for what was asked of others: a third rank is there
	Lazy     // ModeFence: the others may not have entered the last fence yet
	Entered  // this rank has entered a fence, and package rma is to wait for the others
)

// plain reports whether locks and fences may be dealt with here.
func (w *Window) plain() bool { return w.Flags&(OneThread|Checked|Exposed) == OneThread }

// Target is one rank of a window's group.
type Target struct {
	Open   uint32    // 0 when this rank may not access the target now; see OpenFence
	Atomic uint32    // 1 when accumulates use the processor's atomic instructions
	Base   uintptr   // where the target's memory is mapped here; 0 when it is not
	Size   uint64    // bytes
	Limit  uint64    // the largest displacement
	Unit   int64     // bytes per displacement
	Block  uintptr   // the target's block of the window's allocation
	Own    *uint32   // this rank's line in that block
	Line   *uint32   // the target's line in this rank's block
	Bell   *uint32   // RankSleeping of the target
	Inside *uint32   // RankInside of the target
	Seen   [2]uint32 // of LinePosted and LineCompleted: how many this rank has waited for

	Remote uintptr // where the target's memory begins in its own address space
	Ring   uintptr // this rank's packets for the target; 0 when there are none
	Sent   uint32  // number of the last packet for the target
	Done   uint32  // and of the last one of which this rank knows that it is done
	Owed   uint32  // 1 when the last one is for an operation that has not taken the answer yet
	// Puts and gets of private memory: up to so many bytes active messages are the quickest way, and for
	// those of LeastKernel and up to KernelRange more bytes the kernel is. What is that of others package rma
	// finds out.
	MostActive, LeastKernel, KernelRange uint64
	Known                                uint32 // for so many operations; Always where there is no choice
	Process                              int32  // id of the target's process, for the kernel
	Backoff                              Backoff

	Calls uintptr // the target's packets for this rank
	Next  uint32  // number of the next one
}

// Epochs in which this rank may access a target, in Target.Open. 0 is none.
const (
	OpenFence     uint32 = 1 + iota // between fences
	OpenStart                       // between MPI_Win_start and MPI_Win_complete
	OpenShared                      // the target is locked, with others
	OpenExclusive                   // the target is locked by this rank alone
	OpenAll                         // MPI_Win_lock_all
	OpenUnchecked                   // locked with MPI_MODE_NOCHECK: there is no lock to give back
)

// What a window is open for, in Window.Mode.
const (
	ModeNone  uint32 = iota
	ModeFence        // between fences; nothing may have been done yet
	ModeStart        // MPI_Win_start
	ModeLock         // Window.Locked targets are locked
	ModeAll          // MPI_Win_lock_all
)

// Paths of an operation to the target's memory, in Window.Operations.
const (
	PathMapped  uint32 = iota // by loads and stores: it is mapped here
	PathKernel                // single copy by the kernel
	PathActive                // by active messages
	PathHelper                // by the target's progress thread
	PathPackets               // by packets, to ranks with which there is no memory in common
	Paths       = iota
)

// FlavorDynamic is MPI_WIN_FLAVOR_DYNAMIC (MPI 5.0, 12.2.6 and A.1.1).
const FlavorDynamic = 313

// Assertions about an epoch (MPI 5.0, 12.5.5, and the ABI, 20.3).
const (
	NoCheck   = 1024
	NoPrecede = 2048
	NoPut     = 4096
	NoStore   = 8192
	NoSucceed = 16384
)

// Win is the record of a window. It is written when the window gets its handle. Group changes later.
type Win struct {
	Handle     uintptr // by which the program names it; 0 when it is none. Written last
	Window     *Window // nil where this package leaves the window's operations alone
	Values     *Window // what its predefined attributes point to
	Object     uintptr // address of its Object
	Attributes uintptr // address of its Attributes
	Group      uintptr // handle of its group; 0 as long as the program has not asked for it
}

// win is the record of a window; nil when there is none.
func (o *Objects) win(handle uintptr) *Win {
	chunk := o.Windows[handle&objectMask>>ChunkBits]
	if chunk == nil {
		return nil
	}
	w := winOf(chunk, handle&chunkMask)
	if atomic.LoadUintptr(&w.Handle) != handle {
		return nil
	}
	return w
}

// WinSharedQueryC is MPI_Win_shared_query_c (MPI 5.0, 12.2.3) of a rank's memory that is mapped here.
func WinSharedQueryC(e *Endpoint, win uintptr, rank int32, size, unit *int64, base uintptr) bool {
	w := e.win(win)
	if w == nil || uint32(rank) >= w.Values.N || nowhere(size) || nowhere(unit) || base < Lowest {
		return false
	}
	t := w.Values.Target(uint32(rank))
	if t.Base == 0 || w.Values.Flavor == FlavorDynamic {
		return false
	}
	*size = int64(t.Size)
	*unit = t.Unit
	*wordAt(base) = t.Base
	return true
}

// WinSharedQuery is MPI_Win_shared_query.
func WinSharedQuery(e *Endpoint, win uintptr, rank int32, size *int64, unit *int32, base uintptr) bool {
	n := int64(0)
	if nowhere(unit) || !WinSharedQueryC(e, win, rank, size, &n, base) {
		return false
	}
	*unit = int32(n)
	return true
}

// window is the window behind a handle for a call that uses it; nil when this package leaves it alone.
func (e *Endpoint) window(handle uintptr) *Window {
	e.Act()
	return e.windowOf(handle)
}

// windowOf is the window behind a handle; nil when this package leaves it alone.
func (o *Objects) windowOf(handle uintptr) *Window {
	w := o.win(handle)
	if w == nil {
		return nil
	}
	return w.Window
}

// OpenLater opens a target for access that has entered the fence which this rank has left without waiting.
func (w *Window) OpenLater(t *Target) bool {
	if w.Mode != ModeFence || w.Flags&Lazy == 0 || !t.arrived(w.Fences) {
		return false
	}
	t.Open = OpenFence
	return true
}

// openSoon is OpenLater that waits a moment.
//
//fast:cold
func (w *Window) openSoon(t *Target) bool {
	if w.Mode != ModeFence || w.Flags&(Lazy|OneThread|Checked) != Lazy|OneThread {
		return false
	}
	for polls := uint32(0); !w.OpenLater(t); polls++ {
		if !w.Endpoint.backoff(polls) {
			return false
		}
	}
	return true
}

// opened is a rank of a window that is open for access; nil when package rma has to see to it.
//
//fast:hot
func (w *Window) opened(rank int32) *Target {
	if w == nil || uint32(rank) >= w.N {
		return nil
	}
	t := w.Target(uint32(rank))
	if unlikely(t.Open == 0) && !w.openSoon(t) {
		return nil
	}
	return t
}

// holds reports whether bytes at a displacement are the target's.
func (t *Target) holds(disp int64, bytes uint64) bool {
	return uint64(disp) <= t.Limit && bytes <= t.Size-uint64(disp*t.Unit)
}

// Count notes an operation on bytes at its target, by the path that it has taken.
func (w *Window) Count(path uint32, bytes uint64) {
	if unlikely(w.Flags&OneThread == 0) {
		atomic.AddUint64(&w.Operations[path], 1)
		atomic.AddUint64(&w.Moved[path], bytes)
		return
	}
	shm.StoreRel64(&w.Operations[path], w.Operations[path]+1) // for a tool that reads on another thread
	shm.StoreRel64(&w.Moved[path], w.Moved[path]+bytes)
}

// mostCount bounds counts of elements, so that sizes in bytes do not run over.
const mostCount = 1<<32 - 1

// sameSize is the size in bytes of dense data that is the same at both ends; 0 for anything else.
func (d *Datatypes) sameSize(
	origin uintptr, originCount int64, originType uintptr, count int64, datatype uintptr,
) uint64 {
	if uint64(originCount) > mostCount || uint64(count) > mostCount || origin < Lowest {
		return 0
	}
	bytes := d.dense(originType) * uint64(originCount)
	if bytes != d.dense(datatype)*uint64(count) {
		return 0
	}
	return bytes
}
