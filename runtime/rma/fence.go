package rma

import (
	"sync/atomic"

	"gompi/shm"
)

// arrivals is the condition that the ranks [from, to) have entered so many fences; to 0 stands for all.
type arrivals struct {
	w        *Window
	from, to int
	count    uint32
}

// Ready implements p2p.Condition. Pairs with enter.
func (a *arrivals) Ready() bool {
	end := a.to
	if end == 0 {
		end = a.w.n
	}
	for a.from < end && int32(atomic.LoadUint32(a.w.word(a.from, shm.WinFence))-a.count) >= 0 {
		a.from++
	}
	return a.from >= end && (a.to != 0 || a.w.served())
}

// enter tells the others that this rank has come to the next fence. What it has written before is seen by those who have
// seen it come.
func (w *Window) enter() {
	w.Desc.Fences++
	shm.StoreRel32(w.word(w.me, shm.WinFence), w.Desc.Fences)
	for r := range w.peers {
		if r != w.me {
			w.peers[r].bell.Ring()
		}
	}
	if w.far != nil {
		w.far.enter()
	}
}

// Fence ends the epoch of the last fence and begins another one (MPI_Win_fence, MPI 5.0, 12.5.1).
//
//   - With NoSucceed nothing begins: operations need other synchronization first.
//   - With NoPrecede nothing ends, so nobody waits here; the first operation waits for its target alone.
//   - With both there is nothing to do.
//   - NoStore and NoPut save nothing, because there are no copies to be brought in line.
func (w *Window) Fence(assert int) error {
	var failed error
	if w.n > 2 {
		// A third rank must find in the next epoch what was done in this one. Where there is none, the target does what is left
		// before it leaves the fence.
		failed = w.settleAll()
	}
	return after(failed, w.fence(assert))
}

// after is the error of a call that ends an epoch: its own, or that of an operation of which nobody has been told yet.
func after(failed, err error) error {
	if err != nil {
		return err
	}
	return failed
}

func (w *Window) fence(assert int) error {
	if err := promises(assert, NoStore|NoPut|NoPrecede|NoSucceed); err != nil {
		return err
	}
	w.lock()
	defer w.unlock()
	d := w.Desc
	switch {
	case d.Posted != 0:
		return outOfOrder("the window is exposed: MPI_Win_wait has to come first")
	case d.Mode != shm.ModeNone && d.Mode != shm.ModeFence:
		return w.idle()
	}
	switch assert & (NoPrecede | NoSucceed) {
	case NoPrecede | NoSucceed:
		w.closeFence()
		w.Desc.Fences++
		shm.StoreRel32(w.word(w.me, shm.WinFence), w.Desc.Fences)
	case NoPrecede:
		w.closeFence()
		w.enter()
		d.Mode, d.Lazy = shm.ModeFence, 1
	default:
		if d.Entered == 0 {
			w.enter()
		}
		d.Entered = 0
		w.unlock()
		w.arrived = arrivals{w: w, count: w.Desc.Fences}
		err := w.waitFor(&w.arrived)
		w.lock()
		if err != nil {
			return err
		}
		if assert&NoSucceed != 0 {
			w.closeFence()
		} else if d.Mode != shm.ModeFence || d.Lazy != 0 {
			for r := range w.targets {
				w.targets[r].Open = shm.OpenFence
			}
			d.Mode, d.Lazy = shm.ModeFence, 0
		}
	}
	d.Issued = 0
	return nil
}
