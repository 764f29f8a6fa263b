package epoch

import (
	"gompi/runtime/am"
	"gompi/runtime/fast"
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// Post, start, complete and wait (MPI 5.0, 12.5.2): see fast/epoch.go.

// list writes the ranks of a group in the window's group to where the stubs find them. Programs use
// the same group again and again. by is for the stubs, by which they know the group again.
func (e *Epochs) list(g *group.Group, last **group.Group, ranks, n *uint32, by *uint64) error {
	if *last == g && int(*n) == g.Size() {
		*by = e.Desc.Key
		return nil
	}
	*last, *by = nil, 0
	if g.Size() > e.Size() {
		return mpierr.New(mpierr.ErrGroup, "the group has %d ranks, the window's group %d", g.Size(), e.Size())
	}
	for i := range g.Size() {
		r := e.Group().Rank(g.Of(i))
		if r == group.Undefined {
			return mpierr.New(mpierr.ErrGroup, "rank %d of the group is not in the window's group", i)
		}
		*shm.Next32(ranks, uint32(i)) = uint32(r)
	}
	*last, *n, *by = g, uint32(g.Size()), e.Desc.Key
	return nil
}

// Post exposes this rank's memory to the ranks of a group (MPI_Win_post). It waits for nobody. NoCheck saves
// nothing: ranks that call MPI_Win_start without it would wait for ever.
func (e *Epochs) Post(g *group.Group, assert int) error {
	if err := promises(assert, fast.NoCheck|fast.NoStore|fast.NoPut); err != nil {
		return err
	}
	e.lock()
	defer e.unlock()
	d := e.Desc
	if d.Flags&fast.Exposed != 0 {
		return outOfOrder("the window is exposed already: MPI_Win_wait has to come first")
	}
	if open := e.Targets[e.Rank()].Open; open >= fast.OpenShared {
		return outOfOrder("this rank has its own memory locked, which cannot be exposed at the same time")
	}
	if err := e.leaveFence(); err != nil {
		return err
	}
	if err := e.list(g, &e.exposed, d.Exposed, &d.Exposes, &d.PostKey); err != nil {
		return err
	}
	for _, r := range d.ExposedRanks() {
		if count := d.Tell(r, fast.LinePosted); e.Away(int(r)) { // pairs with Counted
			if err := e.Tell(int(r), am.Posted, uint64(count)); err != nil {
				return err
			}
		}
	}
	d.Flags |= fast.Exposed
	return nil
}

// counts is the condition that all ranks of an epoch have counted a word of their lines on: that
// they have exposed their memory, or have ended their accesses. Then this rank has also done all
// that they have asked it for.
type counts struct {
	e     *Epochs
	ranks *uint32
	n     uint32
	from  uint32 // the first that has not counted
	word  uint32
}

// Ready implements p2p.Condition.
func (c *counts) Ready() bool {
	return c.e.Desc.Counted(c.ranks, c.n, &c.from, c.word) &&
		(c.word == fast.LinePosted || c.e.Served())
}

// Start opens the memory of the ranks of a group for access, once they have exposed it to this rank
// (MPI_Win_start). With NoCheck they have, says the program, and looking costs no more than a wrong
// answer would.
func (e *Epochs) Start(g *group.Group, assert int) error {
	if err := promises(assert, fast.NoCheck); err != nil {
		return err
	}
	e.lock()
	defer e.unlock()
	d := e.Desc
	if err := e.leaveFence(); err != nil {
		return err
	}
	if d.Mode != fast.ModeNone {
		return outOfOrder("an access epoch is open: it has to be ended first")
	}
	if err := e.list(g, &e.started, d.Started, &d.Starts, &d.StartKey); err != nil {
		return err
	}
	d.Mode = fast.ModeStart
	e.counts = counts{e: e, ranks: d.Started, n: d.Starts, word: fast.LinePosted}
	if !e.counts.Ready() {
		if assert&fast.NoCheck != 0 {
			e.Broke("MPI_Win_start is called with MPI_MODE_NOCHECK before all targets have called MPI_Win_post")
		}
		e.unlock()
		err := e.WaitFor(&e.counts)
		e.lock()
		if err != nil {
			return err
		}
	}
	d.Start()
	return nil
}

// Complete ends the access epoch that Start began (MPI_Win_complete). What it leaves under
// way are carried out before the target's MPI_Win_wait ends, and nobody else looks at its memory
// until then.
func (e *Epochs) Complete() error {
	e.lock()
	defer e.unlock()
	d := e.Desc
	if d.Mode != fast.ModeStart {
		return outOfOrder("there is no access epoch that MPI_Win_start has begun")
	}
	d.Complete() // pairs with Counted
	var failed error
	for _, r := range d.StartedRanks() {
		if failed == nil && e.Away(int(r)) {
			failed = e.Tell(int(r), am.Completed, uint64(*shm.Next32(e.Targets[r].Own, fast.LineCompleted)))
		}
	}
	return failed
}

// completions is the condition that all ranks to which this rank is exposed have ended their accesses.
func (e *Epochs) completions() counts {
	return counts{e: e, ranks: e.Desc.Exposed, n: e.Desc.Exposes, word: fast.LineCompleted}
}

// unexposed refuses a window that is not exposed.
func (e *Epochs) unexposed() error {
	if e.Desc.Flags&fast.Exposed == 0 {
		return outOfOrder("the window is not exposed: MPI_Win_post has to come first")
	}
	return nil
}

// Wait ends the exposure that Post began, when all to whom the memory was exposed have ended their accesses
// (MPI_Win_wait).
func (e *Epochs) Wait() error {
	e.lock()
	defer e.unlock()
	if err := e.unexposed(); err != nil {
		return err
	}
	e.counts = e.completions()
	e.unlock()
	err := e.WaitFor(&e.counts)
	e.lock()
	if err == nil {
		e.Desc.EndExposure()
	}
	return err
}

// Test is Wait if it would not have to wait; otherwise it does nothing and returns false (MPI_Win_test).
func (e *Epochs) Test() (bool, error) {
	e.Engine.Advance()
	done, err := e.test()
	if !done && err == nil {
		e.Engine.InVain(&e.counts)
	}
	return done, err
}

func (e *Epochs) test() (bool, error) {
	e.lock()
	defer e.unlock()
	if err := e.unexposed(); err != nil {
		return false, err
	}
	if e.counts = e.completions(); !e.counts.Ready() {
		return false, nil
	}
	e.Desc.EndExposure()
	return true, nil
}
