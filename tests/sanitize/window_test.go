package sanitize

import (
	"sync/atomic"

	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/fast"
	"gompi/runtime/group"
	"gompi/runtime/rma"
	"gompi/shm"
)

// firstWindow is a window's handle, which nothing else has here; that of the next one follows.
const firstWindow = 0x1000

// window is a window whose memory all ranks have at the same address, as far as the fast engine knows: so a
// sanitizer sees what ranks write at the same time, and how they synchronize.
type window struct {
	*rma.Window
	before []fast.Target // where this rank has mapped it
}

func (w *window) place() place { return place{w.Desc.Handle, w.Desc.Target(w.Desc.Me).Base} }

// openWindow makes window number i of the process. bases has room for where each rank has mapped it.
func openWindow(p *runtime.Process, i int, bases []atomic.Uintptr) (*window, error) {
	made, err := p.RMA.Allocate(p.World, windowSize, 1, nil)
	if err != nil {
		return nil, err
	}
	w := &window{Window: made}
	w.Desc.Handle = firstWindow + uintptr(i)
	if err := p.Endpoint.AddWindow(fast.Win{Handle: w.Desc.Handle, Window: w.Desc}); err != nil {
		return nil, err
	}
	if err := w.introduce(p); err != nil {
		return nil, err
	}
	own := w.Desc.Target(0).Block
	bases[p.Rank].Store(own)
	if err := coll.Barrier(p.World); err != nil {
		return nil, err
	}
	highest := uintptr(0)
	for r := range bases {
		highest = max(highest, bases[r].Load())
	}
	for r := range w.Desc.N {
		t := w.Desc.Target(r)
		w.before = append(w.before, *t)
		off := highest - own
		t.Base, t.Block = t.Base+off, t.Block+off
		t.Own, t.Line = shm.Next32(t.Own, uint32(off/4)), shm.Next32(t.Line, uint32(off/4))
	}
	return w, coll.Barrier(p.World)
}

// introduce has the window list the ranks of the group to which and from which the fast engine will post and
// start.
func (w *window) introduce(p *runtime.Process) error {
	var others []int32
	for r := range p.Size {
		if r != p.Rank {
			others = append(others, int32(r))
		}
	}
	g := group.New(others)
	// It does not know the group, and tells its handle.
	fast.WinPost(p.Endpoint, othersHandle, 0, w.Desc.Handle)
	if err := w.Post(g, 0); err != nil {
		return err
	}
	fast.WinStart(p.Endpoint, othersHandle, 0, w.Desc.Handle)
	if err := w.Start(g, 0); err != nil {
		return err
	}
	if err := w.Complete(); err != nil {
		return err
	}
	return w.Wait()
}

// close frees the window, where this rank has mapped it.
func (w *window) close(p *runtime.Process) error {
	if err := coll.Barrier(p.World); err != nil {
		return err
	}
	for r, old := range w.before {
		t := w.Desc.Target(uint32(r))
		t.Base, t.Block, t.Own, t.Line = old.Base, old.Block, old.Own, old.Line
	}
	p.Endpoint.DropWindow(w.Desc.Handle)
	return w.Free()
}
