package comm

import (
	"slices"

	"gompi/runtime/mpierr"
	"gompi/shm"
)

// How bridges end. A process leaves a bridge with the last communicator over it. Where deaths are survived it
// stays, and answers what others ask, until all others have left as well or died
// (docs/internals/recovery.md).

// drop counts one user of some bridges less, and leaves those that have none any more.
func (r *Registry) drop(used []*bridge) {
	for _, b := range used {
		r.mu.Lock()
		b.users--
		last := b.users == 0 && !b.lingers && slices.Contains(r.bridges, b)
		lingers := last && r.recovery.Survives && r.mayBeAsked(b)
		if last && !lingers {
			r.remove(b)
		}
		r.mu.Unlock()
		switch {
		case lingers:
			r.linger(b)
		case last:
			r.leave(b)
		}
	}
}

// remove takes a bridge off the list. The lock is held.
func (r *Registry) remove(b *bridge) {
	r.bridges = slices.DeleteFunc(r.bridges, func(o *bridge) bool { return o == b })
}

// mayBeAsked reports whether others may wait for an answer of this process over a bridge that it uses no
// longer: for what it knows of an agreement, or for its word that it does not read their memory any more,
// where a death has interrupted operations.
func (r *Registry) mayBeAsked(b *bridge) bool {
	return b.joined && (len(b.retired) > 0 || r.engine.CutOff(b.Segment) != nil) && !r.deserted(b)
}

// deserted reports whether all other members of a bridge have died, or use it no longer either.
func (r *Registry) deserted(b *bridge) bool {
	for i, m := range b.Members {
		here := !shm.Left(b.Segment, i) && !shm.IsLost(b.Segment, i) && !shm.Perished(m.Home, m.Rank)
		if i != b.Me && here {
			return false
		}
	}
	return true
}

// linger has this process stay at a bridge that it uses no longer, and answer there.
func (r *Registry) linger(b *bridge) {
	r.mu.Lock()
	b.lingers = true
	var ended []shm.JobID
	for _, id := range b.homes {
		if s := r.jobs[id]; s != nil {
			if s.lingering++; s.lingering == s.users {
				ended = append(ended, id)
			}
		}
	}
	r.mu.Unlock()
	for _, id := range ended {
		if r.linked != nil {
			r.linked(id, false)
		}
	}
	shm.Linger(b.Segment, b.Me)
	b.Wake()
}

// sweepBridges leaves those where nobody may ask any more.
func (r *Registry) sweepBridges() {
	r.mu.Lock()
	var over []*bridge
	for _, b := range r.bridges {
		if b.lingers && r.deserted(b) {
			over = append(over, b)
		}
	}
	for _, b := range over {
		r.remove(b)
	}
	r.mu.Unlock()
	for _, b := range over {
		r.leave(b)
	}
}

// leave takes this process away from a bridge.
func (r *Registry) leave(b *bridge) {
	r.recovery.Forget(b.retired)
	r.engine.Disconnect(b.Segment, b.peers)
	shm.Leave(b.Segment, b.Me)
	b.Wake()
	r.abandon(b)
}

// renounce tells of the connections that will end with c, ahead of that.
func (r *Registry) renounce(c *Comm) {
	for _, b := range c.bridges {
		r.mu.Lock()
		last := b.users == 1
		r.mu.Unlock()
		if last {
			r.unlink(b)
		}
	}
}

// abandon gives the memory of a bridge back.
func (r *Registry) abandon(b *bridge) {
	r.unlink(b)
	b.unmap()
}

// unlink counts a bridge less to the jobs that it leads to, and tells of those to which there is none any
// more.
func (r *Registry) unlink(b *bridge) {
	if b.unlinked {
		return
	}
	b.unlinked, b.last = true, r.strike(b.homes, b.lingers)
	for _, s := range b.last {
		if r.linked != nil {
			r.linked(s.home.ID(), false)
		}
	}
}

// unmap gives back the memory of a bridge that is unlinked.
func (b *bridge) unmap() {
	b.Segment.Close()
	for _, s := range b.last {
		s.home.Close()
	}
}

// strike counts a bridge to some jobs less, and returns those to which there is none any more.
func (r *Registry) strike(jobs []shm.JobID, lingers bool) (last []*remoteJob) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range jobs {
		if s := r.jobs[id]; s != nil {
			if lingers {
				s.lingering--
			}
			if s.users--; s.users == 0 {
				delete(r.jobs, id)
				last = append(last, s)
			}
		}
	}
	return last
}

// Part waits until all processes that this one is connected with have parted from it as well, which
// MPI_Finalize does for all that have not been disconnected (MPI 5.0, 11.10.4), or cannot any more.
func (r *Registry) Part() error {
	r.sweep()
	r.mu.Lock()
	all := slices.Clone(r.bridges)
	r.mu.Unlock()
	for _, b := range all {
		shm.Linger(b.Segment, b.Me)
		b.Wake()
	}
	for _, b := range all {
		if err := r.engine.WaitFor(parted{r, b}); err != nil {
			return err
		}
		r.mu.Lock()
		r.remove(b)
		r.mu.Unlock()
		r.leave(b)
	}
	return nil
}

// parted is the condition that all members of a bridge have left it, or that it is cut. Where deaths are
// survived, all that live have to leave.
type parted struct {
	r *Registry
	b *bridge
}

// Ready implements p2p.Condition.
func (p parted) Ready() bool {
	if p.r.recovery.Survives {
		return p.r.deserted(p.b)
	}
	for i := range p.b.Members {
		if !shm.Left(p.b.Segment, i) && !p.b.Members[i].Own {
			return p.r.engine.CutOff(p.b.Segment) != nil
		}
	}
	return true
}

// Outlives has deaths be no error of the wait.
func (p parted) Outlives() {}

// everybody stands for all processes at a bridge.
const everybody = -1

// need is what is used in a context that belongs to no CID: a bridge, and of it one peer, or everybody.
type need struct {
	bridge *bridge
	peer   int
}

// cut is the error of what needs some bridges, if it cannot be completed. The registry's lock is held.
func (r *Registry) cut(used []need) error {
	for _, n := range used {
		if r.recovery.Survives && n.peer != everybody && !r.recovery.HasFailed(n.peer) {
			continue
		}
		if err := r.engine.CutOff(n.bridge.Segment); err != nil {
			return mpierr.New(mpierr.ErrProcAborted, "%v", err)
		}
	}
	return nil
}

// broken is why nothing can be completed in a context any more: a bridge that is used in it is cut. Where
// deaths are survived, that is for FailureOf to say in the contexts of communicators. It is called under the
// engine's lock.
func (r *Registry) broken(context uint32) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if used, ok := r.settled[context]; ok || r.recovery.Survives {
		return r.cut(used)
	}
	// partitions have contexts with that bit as well
	if c := r.comms[context&^beyondCIDs/contextsEach]; c != nil {
		return r.severed(c)
	}
	return nil
}

// severed is why what needs all processes of a communicator cannot be completed, where a death cuts bridges.
func (r *Registry) severed(c *Comm) error {
	for i := 0; i < len(c.bridges) && !r.recovery.Survives; i++ {
		if err := r.engine.CutOff(c.bridges[i].Segment); err != nil {
			return mpierr.New(mpierr.ErrProcAborted, "%v", err)
		}
	}
	return nil
}
