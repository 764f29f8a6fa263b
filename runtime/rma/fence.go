package rma

import (
	"gompi/runtime/fast"
)

// arrivals is the condition that the ranks [from, to) have entered so many fences; to 0 stands for
// all, which have also carried out what others wanted.
type arrivals struct {
	w               *Window
	from, to, count uint32
}

// Ready implements p2p.Condition.
func (a *arrivals) Ready() bool {
	d, end := a.w.Desc, a.to
	if end == 0 {
		end = d.N
	}
	return d.Arrived(&a.from, end, a.count) && (a.to != 0 || a.w.served() && d.Collected(a.count))
}

// enter tells the others that this rank has come to the next fence.
func (w *Window) enter() {
	w.beginActive()
	w.Desc.Enter()
	w.endActive()
	if w.far != nil {
		w.far.enter()
	}
}

// Fence ends the epoch of the last fence and begins another one (MPI_Win_fence, MPI 5.0, 12.5.1).
//
//   - With NoPrecede nothing ends, so nobody waits here; the first operation waits for its target
//     alone. A rank that has operations to end waits all the same.
//   - With NoSucceed nothing begins, so targets are not opened; an operation that comes nevertheless
//     opens its own.
//   - NoStore and NoPut save nothing, because there are no copies to be brought in line.
func (w *Window) Fence(assert int) error {
	var failed error
	if w.far != nil && w.n > 2 {
		failed = w.settleAll() // far ranks are not told for whom active messages are under way here
	}
	err := w.fence(assert)
	if err == nil && w.Desc.Flags&fast.Collects != 0 {
		err = w.settleAll() // all are carried out; some may have failed
	}
	return after(failed, err)
}

// after is the error of a call that ends an epoch: its own, or that of an operation of which nobody
// has been told yet.
func after(failed, err error) error {
	if err != nil {
		return err
	}
	return failed
}

// MayFence refuses a fence with wrong assertions, and where another epoch is open.
func (w *Window) MayFence(assert int) error {
	if err := promises(assert, fast.NoStore|fast.NoPut|fast.NoPrecede|fast.NoSucceed); err != nil {
		return err
	}
	w.lock()
	defer w.unlock()
	switch d := w.Desc; {
	case d.Flags&fast.Exposed != 0:
		return outOfOrder("the window is exposed: MPI_Win_wait has to come first")
	case d.Mode != fast.ModeNone && d.Mode != fast.ModeFence:
		return w.idle()
	}
	return nil
}

func (w *Window) fence(assert int) error {
	if err := w.MayFence(assert); err != nil {
		return err
	}
	w.lock()
	defer w.unlock()
	d := w.Desc
	if d.Issued != 0 && assert&fast.NoPrecede != 0 {
		w.broke("MPI_Win_fence is called with MPI_MODE_NOPRECEDE, and there are operations that it has to complete")
		assert &^= fast.NoPrecede
	}
	switch {
	case assert&fast.NoPrecede != 0:
		w.enter()
		d.BeginLazily()
	default:
		if d.Flags&fast.Entered == 0 {
			w.enter()
		}
		d.Flags &^= fast.Entered
		w.unlock()
		w.arrived = arrivals{w: w, count: w.Desc.Fences}
		err := w.waitFor(&w.arrived)
		w.lock()
		if err != nil {
			return err
		}
		d.EndFence(assert&fast.NoSucceed == 0)
	}
	w.closing = assert&fast.NoSucceed != 0
	return nil
}
