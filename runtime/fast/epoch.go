package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// Active target synchronization (MPI 5.0, 12.5.1 and 12.5.2), as far as nobody has to be waited for
// long: who waits in vain leaves the waiting to package rma. Who waits does meanwhile what others
// want of it.
//
// Post, start, complete and wait count: each rank tells each other one how often it has exposed its
// memory to it, and how often it has ended accesses to the other's. So the epochs of two ranks fit
// together in the order of the calls, and nobody ever writes what somebody else writes as well.

// groupKey is what a window remembers a group by whose ranks it has listed: the handle, and how
// many groups had been freed then. So it never takes a later group with the same handle for it, nor
// the handle for a group when that is gone. 0 stands for no group.
func (o *Objects) groupKey(group uintptr) uint64 {
	if group > 1<<32-1 {
		return 0
	}
	return atomic.LoadUint64(&o.FreedGroups)<<32 | uint64(group)
}

// FreedGroup notes that a group was freed.
func (o *Objects) FreedGroup() { atomic.AddUint64(&o.FreedGroups, 1) }

// synchronizes is a window that may be synchronized here by post and start; nil when not. Package
// rma is told the group, and lists its ranks if they are not listed yet.
func (e *Endpoint) synchronizes(win, group uintptr) *Window {
	w := e.window(win)
	if w == nil || w.Flags&OneThread == 0 {
		return nil
	}
	w.Key = e.groupKey(group)
	if w.Key == 0 || w.Mode == ModeFence {
		return nil
	}
	return w
}

// tell counts a word of this rank's line at a target up, and wakes the target.
func (t *Target) tell(word uint32) uint32 {
	p := shm.Next32(t.Own, word)
	shm.StoreRel32(p, *p+1)
	ring(t.Bell)
	return *p
}

// Counted reports whether of some ranks all have counted a word on, from the from-th on; from
// becomes the first that has not.
func (w *Window) Counted(ranks *uint32, n uint32, from *uint32, word uint32) bool {
	for *from < n {
		t := w.Target(*shm.Next32(ranks, *from))
		if int32(atomic.LoadUint32(shm.Next32(t.Line, word))-t.Seen[word]) <= 0 {
			return false
		}
		*from++
	}
	return true
}

// WinPost is MPI_Win_post.
func WinPost(e *Endpoint, group uintptr, promises int32, win uintptr) Reason {
	w := e.synchronizes(win, group)
	if w == nil || w.Key != w.PostKey || w.Flags&Exposed != 0 || w.own().Open >= OpenShared ||
		promises&^(NoCheck|NoStore|NoPut) != 0 {
		return NotPlain
	}
	for i := uint32(0); i < w.Exposes; i++ {
		w.Tell(*shm.Next32(w.Exposed, i), LinePosted)
	}
	w.Flags |= Exposed
	return Done
}

// Tell counts a word of this rank's line at another one up, and wakes that. It gives the new value.
func (w *Window) Tell(rank, word uint32) uint32 { return w.Target(rank).tell(word) }

// WinStart is MPI_Win_start.
func WinStart(e *Endpoint, group uintptr, promises int32, win uintptr) Reason {
	w := e.synchronizes(win, group)
	if w == nil || w.Key != w.StartKey || w.Mode != ModeNone || promises&^NoCheck != 0 {
		return NotPlain
	}
	from := uint32(0)
	for polls := uint32(0); !w.Counted(w.Started, w.Starts, &from, LinePosted); polls++ {
		if promises != 0 || w.Serve() == NeedsEngine || !e.backoff(polls) {
			return Waiting
		}
	}
	w.Start()
	return Done
}

// Start opens the listed ranks for access, which have exposed their memory once more.
func (w *Window) Start() {
	for i := uint32(0); i < w.Starts; i++ {
		t := w.Target(*shm.Next32(w.Started, i))
		t.Seen[LinePosted]++
		t.Open = OpenStart
	}
	w.Mode = ModeStart
}

// WinComplete is MPI_Win_complete.
func WinComplete(e *Endpoint, win uintptr) Reason {
	w := e.window(win)
	if w == nil || w.Flags&OneThread == 0 || w.Mode != ModeStart {
		return NotPlain
	}
	w.Complete()
	return Done
}

// Complete ends the access epoch that Start has begun. What it leaves under way is carried out
// before the target's MPI_Win_wait ends, and nobody else looks at its memory until then.
func (w *Window) Complete() {
	for i := uint32(0); i < w.Starts; i++ {
		t := w.Target(*shm.Next32(w.Started, i))
		t.tell(LineCompleted)
		t.Open = 0
	}
	w.Mode = ModeNone
	w.Issued = 0
}

// closing ends an exposure if all accesses have ended: Done. wait says that it may wait a moment for that.
func (w *Window) closing(wait bool) Reason {
	from := uint32(0)
	for polls := uint32(0); ; polls++ {
		over := w.Counted(w.Exposed, w.Exposes, &from, LineCompleted)
		left := w.Serve()
		if left == NeedsEngine {
			return NeedsEngine
		}
		if over && left == Done {
			w.EndExposure()
			return Done
		}
		if !wait || !w.Endpoint.backoff(polls) {
			return Waiting
		}
	}
}

// EndExposure ends an exposure.
func (w *Window) EndExposure() {
	for i := uint32(0); i < w.Exposes; i++ {
		w.Target(*shm.Next32(w.Exposed, i)).Seen[LineCompleted]++
	}
	w.Flags &^= Exposed
}

// exposed is a window whose exposure may end here; nil when there is none.
func (o *Objects) exposed(win uintptr) *Window {
	w := o.windowOf(win)
	if w == nil || w.Flags&(OneThread|Exposed) != OneThread|Exposed {
		return nil
	}
	return w
}

// WinWait is MPI_Win_wait.
func WinWait(e *Endpoint, win uintptr) Reason {
	e.Act()
	w := e.exposed(win)
	if w == nil {
		return NotPlain
	}
	return w.closing(true)
}

// WinTest is MPI_Win_test.
func WinTest(e *Endpoint, win uintptr, flag *int32) Reason {
	w := e.exposed(win)
	if w == nil || nowhere(flag) {
		return NotPlain
	}
	how := w.closing(false)
	if how == NeedsEngine || how == Waiting && !e.notYet() {
		return NeedsEngine
	}
	*flag = 0
	if how == Done {
		e.Act()
	}
	if how == Done {
		*flag = 1
	}
	return Done
}
