package rma

import (
	"gompi/runtime/am"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/rma/epoch"
	"gompi/runtime/rma/origin"
	"gompi/runtime/rma/target"
	"gompi/runtime/tool"
	"gompi/shm"
)

// Flavor says by which function a window was made, with the values of the standard ABI (MPI 5.0, 12.2.6).
type Flavor int32

// The flavors.
const (
	Create   Flavor = 311
	Allocate Flavor = 312
	Dynamic  Flavor = fast.FlavorDynamic
	Shared   Flavor = 314
)

// Unified is the memory model of all windows, MPI_WIN_UNIFIED: what a rank has mapped is the memory
// itself, and the kernel copies to and from the memory itself.
const Unified = 321

// Window is one rank's view of a window (MPI 5.0, 12.2). It is made of parts that have their own state and
// functions; its own are how it is made and freed. Its methods may be called by several
// threads where the standard lets them.
type Window struct {
	*am.Window
	*epoch.Epochs
	*origin.Operations
	*target.Attachments
	memory

	space  *Space
	flavor Flavor
	far    *comm.Comm // a duplicate for the messages of far ranks, which keeps its connections; nil for none

	final *tool.RMA // what its operations have come to, once it is gone
}

// newWindow is a window of a communicator's ranks, without memory as yet.
func newWindow(s *Space, c *comm.Comm, flavor Flavor) *Window {
	peer := func(rank int) (number int, near bool) { return c.Coll.Peers.Of(rank), c.Near(rank) }
	base := s.worker.NewWindow(c.Group(), c.Rank(), peer)
	w := &Window{Window: base, space: s, flavor: flavor}
	w.memory = memory{window: base, space: s, flavor: flavor}
	guards := target.NewGuards(base)
	w.Attachments = target.NewAttachments(base, flavor == Dynamic, s.Space, guards)
	target.NewHandler(base, w.Attachments, guards)
	w.Epochs = epoch.New(base, s.config.NodeRank)
	w.Operations = origin.New(base, flavor == Dynamic, s.shared, w.Epochs, w.Attachments, guards)
	return w
}

// Null is a window of no ranks, which can have a name.
func Null() *Window { return &Window{Window: new(am.Window)} }

// Flavor says how the window was made.
func (w *Window) Flavor() Flavor { return w.flavor }

// Free gives the window up, once all its ranks have called it (MPI_Win_free, MPI 5.0, 12.2.5). A
// window with an open epoch stays as it is.
func (w *Window) Free() error {
	if err := w.Idle(); err != nil {
		return err
	}
	w.Enter()
	if err := w.EndBarrier(); err != nil {
		return err
	}
	w.dispose()
	return nil
}

// dispose gives back what the window has.
func (w *Window) dispose() {
	w.close()
	w.Unmap()
	w.ClearTable()
	w.memory.close()
	w.space.retire(w)
	w.Desc.Free()
	w.Desc, w.Targets, w.Peers = nil, nil, nil
}

// close ends the messages of the window.
func (w *Window) close() {
	w.Window.Close()
	if w.far != nil {
		w.space.config.Comms.Free(w.far)
	}
}

// raw is a buffer of bytes of Go memory, which the caller keeps.
func raw(b []byte) datatype.Buffer { return datatype.Raw(shm.Address(b), int64(len(b))) }
