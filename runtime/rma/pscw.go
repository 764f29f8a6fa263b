package rma

import (
	"sync/atomic"

	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// Post, start, complete and wait (MPI 5.0, 12.5.2) count: each rank tells each other one how often it has exposed its
// memory to it, and how often it has ended accesses to the other's. So the epochs of two ranks fit together in
// the order of the calls, and nobody ever writes what somebody else writes as well.

// ranksOf are the ranks of a group in the window's group.
func (w *Window) ranksOf(g *group.Group) ([]int, error) {
	ranks := make([]int, g.Size())
	for i := range ranks {
		ranks[i] = w.group.Rank(g.Of(i))
		if ranks[i] == group.Undefined {
			return nil, mpierr.New(mpierr.ErrGroup, "rank %d of the group is not in the window's group", i)
		}
	}
	return ranks, nil
}

// Post exposes this rank's memory to the ranks of a group (MPI_Win_post). It waits for nobody.
func (w *Window) Post(g *group.Group, assert int) error {
	if err := promises(assert, NoCheck|NoStore|NoPut); err != nil {
		return err
	}
	ranks, err := w.ranksOf(g)
	if err != nil {
		return err
	}
	w.lock()
	defer w.unlock()
	if w.posted {
		return outOfOrder("the window is exposed already: MPI_Win_wait has to come first")
	}
	if open := w.targets[w.me].Open; open >= shm.OpenShared {
		return outOfOrder("this rank has its own memory locked, which cannot be exposed at the same time")
	}
	if err := w.leaveFence(); err != nil {
		return err
	}
	if assert&NoCheck == 0 {
		for _, r := range ranks {
			word := w.pair(r, w.me, shm.PairPosted)
			shm.StoreRel32(word, *word+1) // pairs with postings.Ready
			w.peers[r].bell.Ring()
		}
	}
	w.exposed, w.posted = ranks, true
	w.allowStubs()
	return nil
}

// postings is the condition that all targets of an access epoch have exposed their memory.
type postings struct {
	w     *Window
	ranks []int
}

// Ready implements p2p.Condition.
func (p *postings) Ready() bool {
	w := p.w
	for len(p.ranks) > 0 {
		r := p.ranks[0]
		if int32(atomic.LoadUint32(w.pair(w.me, r, shm.PairPosted))-w.peers[r].posted) <= 0 {
			return false
		}
		p.ranks = p.ranks[1:]
	}
	return true
}

// Start opens the memory of the ranks of a group for access, once they have exposed it to this rank (MPI_Win_start). With
// NoCheck they have, says the program, and did not count.
func (w *Window) Start(g *group.Group, assert int) error {
	if err := promises(assert, NoCheck); err != nil {
		return err
	}
	ranks, err := w.ranksOf(g)
	if err != nil {
		return err
	}
	w.lock()
	defer w.unlock()
	d := w.Desc
	if err := w.leaveFence(); err != nil {
		return err
	}
	if d.Mode != shm.ModeNone {
		return outOfOrder("an access epoch is open: it has to be ended first")
	}
	d.Mode, w.started = shm.ModeStart, ranks
	if assert&NoCheck == 0 {
		w.unlock()
		err := w.space.engine.WaitFor(&postings{w, ranks})
		w.lock()
		if err != nil {
			return err
		}
	}
	for _, r := range ranks {
		if assert&NoCheck == 0 {
			w.peers[r].posted++
		}
		w.targets[r].Open = shm.OpenStart
	}
	return nil
}

// Complete ends the access epoch that Start began (MPI_Win_complete).
func (w *Window) Complete() error {
	w.lock()
	defer w.unlock()
	d := w.Desc
	if d.Mode != shm.ModeStart {
		return outOfOrder("there is no access epoch that MPI_Win_start has begun")
	}
	for _, r := range w.started {
		word := w.pair(r, w.me, shm.PairCompleted)
		shm.StoreRel32(word, *word+1) // pairs with completions.Ready
		w.peers[r].bell.Ring()
		w.targets[r].Open = 0
	}
	d.Mode, d.Issued, w.started = shm.ModeNone, 0, nil
	return nil
}

// completions is the condition that all ranks to which this rank is exposed have ended their accesses.
type completions struct {
	w     *Window
	ranks []int
}

// Ready implements p2p.Condition.
func (c *completions) Ready() bool {
	w := c.w
	for len(c.ranks) > 0 {
		r := c.ranks[0]
		if int32(atomic.LoadUint32(w.pair(w.me, r, shm.PairCompleted))-w.peers[r].completed) <= 0 {
			return false
		}
		c.ranks = c.ranks[1:]
	}
	return true
}

// unexposed refuses a window that is not exposed.
func (w *Window) unexposed() error {
	if !w.posted {
		return outOfOrder("the window is not exposed: MPI_Win_post has to come first")
	}
	return nil
}

func (w *Window) hide() {
	for _, r := range w.exposed {
		w.peers[r].completed++
	}
	w.exposed, w.posted = nil, false
	w.allowStubs()
}

// Wait ends the exposure that Post began, when all to whom the memory was exposed have ended their accesses
// (MPI_Win_wait).
func (w *Window) Wait() error {
	w.lock()
	defer w.unlock()
	if err := w.unexposed(); err != nil {
		return err
	}
	c := &completions{w, w.exposed}
	w.unlock()
	err := w.space.engine.WaitFor(c)
	w.lock()
	if err == nil {
		w.hide()
	}
	return err
}

// Test is Wait if it would not have to wait; otherwise it does nothing and returns false (MPI_Win_test).
func (w *Window) Test() (bool, error) {
	w.space.engine.Progress()
	w.lock()
	defer w.unlock()
	if err := w.unexposed(); err != nil {
		return false, err
	}
	c := completions{w, w.exposed}
	if !c.Ready() {
		return false, nil
	}
	w.hide()
	return true, nil
}
