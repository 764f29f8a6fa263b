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

// list writes the ranks of a group in the window's group to where the stubs find them. Programs use the same group again
// and again. by is for the stubs, by which they know the group again.
func (w *Window) list(g *group.Group, last **group.Group, ranks, n *uint32, by *uint64) error {
	if *last == g && int(*n) == g.Size() {
		*by = w.Desc.Asked
		return nil
	}
	*last, *by = nil, 0
	if g.Size() > w.n {
		return mpierr.New(mpierr.ErrGroup, "the group has %d ranks, the window's group %d", g.Size(), w.n)
	}
	for i := range g.Size() {
		r := w.group.Rank(g.Of(i))
		if r == group.Undefined {
			return mpierr.New(mpierr.ErrGroup, "rank %d of the group is not in the window's group", i)
		}
		*shm.Next32(ranks, uint32(i)) = uint32(r)
	}
	*last, *n, *by = g, uint32(g.Size()), w.Desc.Asked
	return nil
}

// Post exposes this rank's memory to the ranks of a group (MPI_Win_post). It waits for nobody. NoCheck saves
// nothing: ranks that call MPI_Win_start without it would wait for ever.
func (w *Window) Post(g *group.Group, assert int) error {
	if err := promises(assert, NoCheck|NoStore|NoPut); err != nil {
		return err
	}
	w.lock()
	defer w.unlock()
	d := w.Desc
	if d.Posted != 0 {
		return outOfOrder("the window is exposed already: MPI_Win_wait has to come first")
	}
	if open := w.targets[w.me].Open; open >= shm.OpenShared {
		return outOfOrder("this rank has its own memory locked, which cannot be exposed at the same time")
	}
	if err := w.leaveFence(); err != nil {
		return err
	}
	if err := w.list(g, &w.exposed, d.Exposed, &d.Exposes, &d.ExposedBy); err != nil {
		return err
	}
	for _, r := range d.ExposedRanks() {
		word := w.targets[r].Own      // its first word is PairPosted
		shm.StoreRel32(word, *word+1) // pairs with postings.Ready
		w.peers[r].bell.Ring()
		if w.away(int(r)) {
			if err := w.far.tell(int(r), sayPosted, uint64(*word), 0, 0); err != nil {
				return err
			}
		}
	}
	d.Posted, d.Plain = 1, 0
	return nil
}

// postings is the condition that all targets of an access epoch have exposed their memory.
type postings struct {
	w     *Window
	ranks []uint32
}

// Ready implements p2p.Condition.
func (p *postings) Ready() bool {
	for len(p.ranks) > 0 {
		t := &p.w.targets[p.ranks[0]]
		if int32(atomic.LoadUint32(t.Line)-t.Seen[0]) <= 0 {
			return false
		}
		p.ranks = p.ranks[1:]
	}
	return true
}

// Start opens the memory of the ranks of a group for access, once they have exposed it to this rank (MPI_Win_start). With
// NoCheck they have, says the program, and looking costs no more than a wrong answer would.
func (w *Window) Start(g *group.Group, assert int) error {
	if err := promises(assert, NoCheck); err != nil {
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
	if err := w.list(g, &w.started, d.Started, &d.Starts, &d.StartedBy); err != nil {
		return err
	}
	d.Mode = shm.ModeStart
	w.postings = postings{w, d.StartedRanks()}
	if !w.postings.Ready() {
		if assert&NoCheck != 0 {
			w.broke("MPI_Win_start is called with MPI_MODE_NOCHECK before all targets have called MPI_Win_post")
		}
		w.unlock()
		err := w.waitFor(&w.postings)
		w.lock()
		if err != nil {
			return err
		}
	}
	for _, r := range d.StartedRanks() {
		t := &w.targets[r]
		t.Seen[0]++
		t.Open = shm.OpenStart
	}
	return nil
}

// Complete ends the access epoch that Start began (MPI_Win_complete). Errands that it leaves under way are carried out before
// the target's MPI_Win_wait ends, and nobody else looks at its memory until then.
func (w *Window) Complete() error {
	w.lock()
	defer w.unlock()
	d := w.Desc
	if d.Mode != shm.ModeStart {
		return outOfOrder("there is no access epoch that MPI_Win_start has begun")
	}
	var failed error
	for _, r := range d.StartedRanks() {
		t := &w.targets[r]
		word := shm.Next32(t.Own, 1)  // PairCompleted
		shm.StoreRel32(word, *word+1) // pairs with completions.Ready
		w.peers[r].bell.Ring()
		t.Open = 0
		if failed == nil && w.away(int(r)) {
			failed = w.far.complete(int(r), *word)
		}
	}
	d.Mode, d.Issued = shm.ModeNone, 0
	return failed
}

// completions is the condition that all ranks to which this rank is exposed have ended their accesses, and that this rank has
// done all that they have asked it for.
type completions struct {
	w     *Window
	ranks []uint32
}

// Ready implements p2p.Condition.
func (c *completions) Ready() bool {
	for len(c.ranks) > 0 {
		t := &c.w.targets[c.ranks[0]]
		if int32(atomic.LoadUint32(shm.Next32(t.Line, shm.PairCompleted/4))-t.Seen[1]) <= 0 {
			return false
		}
		c.ranks = c.ranks[1:]
	}
	return c.w.served()
}

// unexposed refuses a window that is not exposed.
func (w *Window) unexposed() error {
	if w.Desc.Posted == 0 {
		return outOfOrder("the window is not exposed: MPI_Win_post has to come first")
	}
	return nil
}

func (w *Window) hide() {
	d := w.Desc
	for _, r := range d.ExposedRanks() {
		w.targets[r].Seen[1]++
	}
	d.Posted = 0
	d.Plain = d.Single & d.Locks
}

// Wait ends the exposure that Post began, when all to whom the memory was exposed have ended their accesses
// (MPI_Win_wait).
func (w *Window) Wait() error {
	w.lock()
	defer w.unlock()
	if err := w.unexposed(); err != nil {
		return err
	}
	w.completions = completions{w, w.Desc.ExposedRanks()}
	w.unlock()
	err := w.waitFor(&w.completions)
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
	c := completions{w, w.Desc.ExposedRanks()}
	if !c.Ready() {
		return false, nil
	}
	w.hide()
	return true, nil
}
