package epoch

import (
	"cmp"

	"gompi/runtime/am"
	"gompi/runtime/fast"
)

// arrivals is the condition that the ranks [from, to) have entered so many fences; to 0 stands for
// all, which have also carried out what others wanted.
type arrivals struct {
	e               *Epochs
	from, to, count uint32
}

// Ready implements p2p.Condition.
func (a *arrivals) Ready() bool {
	d, end := a.e.Desc, a.to
	if end == 0 {
		end = d.N
	}
	return d.Arrived(&a.from, end, a.count) && (a.to != 0 || a.e.Served() && d.Collected(a.count))
}

// allArrived is the condition that all ranks have come to the last fence that this rank has entered.
func (e *Epochs) allArrived() *arrivals {
	e.arrived = arrivals{e: e, count: e.Desc.Fences}
	return &e.arrived
}

// arrival is the condition that one rank has.
func (e *Epochs) arrival(rank int) *arrivals {
	return &arrivals{e: e, from: uint32(rank), to: uint32(rank) + 1, count: e.Desc.Fences}
}

// Enter tells the others that this rank has come to the next fence.
func (e *Epochs) Enter() {
	e.LockRings()
	e.Desc.Enter()
	e.UnlockRings()
	e.TellAll(am.Fence, uint64(e.Desc.Fences))
}

// Fence ends the epoch of the last fence and begins another one (MPI_Win_fence, MPI 5.0, 12.5.1).
//
//   - With NoPrecede nothing ends, so nobody waits here; the first operation waits for its target
//     alone. A rank that has operations to end waits all the same.
//   - With NoSucceed nothing begins, so targets are not opened; an operation that comes nevertheless
//     opens its own.
//   - NoStore and NoPut save nothing, because there are no copies to be brought in line.
func (e *Epochs) Fence(assert int) error {
	var failed error
	if e.Far() && e.Size() > 2 {
		failed = e.SettleAll() // far ranks are not told for whom active messages are under way here
	}
	err := e.fence(assert)
	if err == nil && e.Desc.Flags&fast.Collects != 0 {
		err = e.SettleAll() // all are carried out; some may have failed
	}
	return cmp.Or(err, failed) // else that of an operation of which nobody has been told yet
}

// MayFence refuses a fence with wrong assertions, and where another epoch is open.
func (e *Epochs) MayFence(assert int) error {
	if err := promises(assert, fast.NoStore|fast.NoPut|fast.NoPrecede|fast.NoSucceed); err != nil {
		return err
	}
	e.lock()
	defer e.unlock()
	if d := e.Desc; d.Flags&fast.Exposed != 0 || d.Mode != fast.ModeNone && d.Mode != fast.ModeFence {
		return e.idle()
	}
	return nil
}

func (e *Epochs) fence(assert int) error {
	if err := e.MayFence(assert); err != nil {
		return err
	}
	e.lock()
	defer e.unlock()
	d := e.Desc
	if d.Issued != 0 && assert&fast.NoPrecede != 0 {
		e.Broke("MPI_Win_fence is called with MPI_MODE_NOPRECEDE, and there are operations that it has to complete")
		assert &^= fast.NoPrecede
	}
	switch {
	case assert&fast.NoPrecede != 0:
		e.Enter()
		d.BeginLazily()
	default:
		if d.Flags&fast.Entered == 0 {
			e.Enter()
		}
		d.Flags &^= fast.Entered
		e.unlock()
		err := e.WaitFor(e.allArrived())
		e.lock()
		if err != nil {
			return err
		}
		d.EndFence(assert&fast.NoSucceed == 0)
	}
	e.closing = assert&fast.NoSucceed != 0
	return nil
}

// EndBarrier waits until all ranks have come to the end of the window. When processes of other jobs have
// died, those near to this one are waited for alone.
func (e *Epochs) EndBarrier() error {
	err := e.WaitFor(e.allArrived())
	if err == nil || e.Engine.Alive() != nil {
		return err
	}
	if e.HasFailedRanks() {
		return nil // who lives may not come any more, and no epoch can be ended
	}
	if !e.Far() {
		return err
	}
	for r := range e.Size() {
		if e.Away(r) {
			continue
		}
		if err := e.Engine.WaitFor(e.arrival(r)); err != nil {
			return err
		}
	}
	return nil
}
