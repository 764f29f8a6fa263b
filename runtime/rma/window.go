package rma

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
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

// Window is one rank's view of a window (MPI 5.0, 12.2). It is made of parts that have their own state and
// functions; its own are the operations, and how it is made and freed. Its methods may be called by several
// threads where the standard lets them.
type Window struct {
	core
	memory
	attachments
	Epochs

	guards    guards
	requester requester
	handler   handler

	final *tool.RMA // what its operations have come to, once it is gone
}

// newWindow is a window of a communicator's ranks, without memory as yet.
func newWindow(s *Space, c *comm.Comm, flavor Flavor) *Window {
	w := &Window{core: core{space: s, group: c.Group(), flavor: flavor, me: c.Rank(), n: c.Size()}}
	w.far = separate(w, c)
	w.memory.core = &w.core
	w.guards = guards{core: &w.core, looks: s.guardLooks}
	w.attachments.core, w.attachments.guards = &w.core, &w.guards
	w.requester.core, w.requester.attachments, w.requester.guards = &w.core, &w.attachments, &w.guards
	w.handler.core, w.handler.attachments, w.handler.guards = &w.core, &w.attachments, &w.guards
	w.Epochs.core, w.Epochs.requester, w.Epochs.handler = &w.core, &w.requester, &w.handler
	return w
}

// Far reports whether the window has ranks that only packets reach: the C stubs, which know nothing of
// packets, are not to know it.
func (w *Window) Far() bool { return w.far != nil }

// Free gives the window up, once all its ranks have called it (MPI_Win_free, MPI 5.0, 12.2.5). A
// window with an open epoch stays as it is.
func (w *Window) Free() error {
	if err := w.Idle(); err != nil {
		return err
	}
	w.enter()
	if err := w.endBarrier(); err != nil {
		return err
	}
	w.dispose()
	return nil
}

// dispose gives back what the window has.
func (w *Window) dispose() {
	if w.Desc.Threaded != 0 {
		w.space.unassist(&w.handler)
	}
	if w.Desc.Flags&fast.Handles != 0 || w.Far() {
		w.space.unhandle(w)
	}
	if w.Far() {
		w.far.close()
	}
	w.attachments.close()
	w.memory.close()
	w.space.retire(w)
	w.Desc.Free()
	w.Desc, w.targets, w.peers = nil, nil, nil
}

// raw is a buffer of bytes of Go memory, which the caller keeps.
func raw(b []byte) datatype.Buffer { return datatype.Raw(shm.Address(b), int64(len(b))) }
