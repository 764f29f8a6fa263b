package rma

import (
	"math/bits"
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
	return a.from >= end && (a.to != 0 || a.w.served() && (a.w.Desc.Folds == 0 || a.w.folded(a.count)))
}

// In windows of more than two ranks, a third rank must find in the next epoch what was done in this one, and not only the one in whose
// private memory it was done. So with its coming each rank tells for whom it has errands under way, and those tell all when they have
// carried them out. A rank that is in the next fence already may have told something else by then: what it told before is
// done, and what it tells now is waited for without need, but not for long, as everybody tells in each fence.

// folded tells whether all ranks have carried out what others want of them before the end of the fence of that number, in which all have
// come, and tells them that this rank has.
func (w *Window) folded(count uint32) bool {
	if carried := w.word(w.me, shm.WinCarried); w.Desc.Hosts != 0 && atomic.LoadUint32(carried) != count {
		shm.StoreRel32(carried, count) // pairs with this function
		w.ringAll()
	}
	owing := uint64(0)
	for r := range w.n {
		owing |= atomic.LoadUint64(shm.Word64(w.peers[r].block + shm.WinOwing))
	}
	for owing &= w.all() &^ (1 << w.me); owing != 0; owing &= owing - 1 {
		if int32(atomic.LoadUint32(w.word(bits.TrailingZeros64(owing), shm.WinCarried))-count) < 0 {
			return false
		}
	}
	return true
}

func (w *Window) ringAll() {
	for r := range w.peers {
		if r != w.me {
			w.peers[r].bell.Ring()
		}
	}
}

// enter tells the others that this rank has come to the next fence. What it has written before is seen by those who have
// seen it come.
func (w *Window) enter() {
	w.Desc.Fences++
	if w.Desc.Folds != 0 {
		atomic.StoreUint64(shm.Word64(w.peers[w.me].block+shm.WinOwing), w.owing())
	}
	shm.StoreRel32(w.word(w.me, shm.WinFence), w.Desc.Fences)
	w.ringAll()
	if w.far != nil {
		w.far.enter()
	}
}

// Fence ends the epoch of the last fence and begins another one (MPI_Win_fence, MPI 5.0, 12.5.1).
//
//   - With NoPrecede nothing ends, so nobody waits here; the first operation waits for its target alone. A rank that has
//     operations to end waits all the same.
//   - With NoSucceed nothing begins, so targets are not opened; an operation that comes nevertheless opens its own.
//   - NoStore and NoPut save nothing, because there are no copies to be brought in line.
func (w *Window) Fence(assert int) error {
	var failed error
	if w.far != nil && w.n > 2 {
		failed = w.settleAll() // far ranks are not told for whom errands are under way here
	}
	err := w.fence(assert)
	if err == nil && w.Desc.Folds != 0 {
		err = w.settleAll() // all are carried out; some may have failed
	}
	return after(failed, err)
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
	if d.Issued != 0 && assert&NoPrecede != 0 {
		w.broke("MPI_Win_fence is called with MPI_MODE_NOPRECEDE, and there are operations that it has to complete")
		assert &^= NoPrecede
	}
	switch {
	case assert&NoPrecede != 0:
		w.enter()
		w.closeTargets()
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
			w.closeTargets()
		} else if d.Mode != shm.ModeFence || d.Lazy != 0 {
			for r := range w.targets {
				w.targets[r].Open = shm.OpenFence
			}
			d.Mode, d.Lazy = shm.ModeFence, 0
		}
	}
	d.Issued = 0
	w.closing = assert&NoSucceed != 0
	return nil
}

// closeTargets begins an epoch in which each operation has to open its target.
func (w *Window) closeTargets() {
	w.closeFence()
	w.Desc.Mode, w.Desc.Lazy = shm.ModeFence, 1
}
