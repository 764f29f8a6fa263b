package bridge

import (
	"slices"

	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/runtime/recovery"
	"gompi/shm"
	"gompi/wire/state"
)

// How bridges end. A process leaves a bridge with the last communicator over it. Where deaths are survived it
// stays, and answers what others ask, until all others have left as well or died
// (docs/internals/recovery.md).

// Drop counts one user of some bridges less, and leaves those that have none any more.
func (bs *Bridges) Drop(used []*Bridge) {
	for _, b := range used {
		bs.mu.Lock()
		b.users--
		last := b.users == 0 && !b.lingers && slices.Contains(bs.all, b)
		lingers := last && bs.recovery.Survives && bs.mayBeAsked(b)
		if last && !lingers {
			bs.remove(b)
		}
		bs.mu.Unlock()
		switch {
		case lingers:
			bs.linger(b)
		case last:
			bs.leave(b)
		}
	}
}

// remove takes a bridge off the list. The lock is held.
func (bs *Bridges) remove(b *Bridge) {
	bs.all = slices.DeleteFunc(bs.all, func(o *Bridge) bool { return o == b })
}

// mayBeAsked reports whether others may wait for an answer of this process over a bridge that it uses no
// longer: for what it knows of an agreement, or for its word that it does not read their memory any more,
// where a death has interrupted operations.
func (bs *Bridges) mayBeAsked(b *Bridge) bool {
	return b.Joined && (len(b.retired) > 0 || bs.engine.CutOff(b.Segment) != nil) && !b.deserted()
}

// deserted reports whether all other members of a bridge have died, or use it no longer either.
func (b *Bridge) deserted() bool {
	for i, m := range b.Members {
		here := !shm.Left(b.Segment, i) && !shm.IsLost(b.Segment, i) && !shm.Perished(m.Home, m.Rank)
		if i != b.Me && here {
			return false
		}
	}
	return true
}

// linger has this process stay at a bridge that it uses no longer, and answer there.
func (bs *Bridges) linger(b *Bridge) {
	bs.mu.Lock()
	b.lingers = true
	bs.lingered.Store(true)
	var ended []shm.JobID
	for _, id := range b.homes {
		if s := bs.jobs[id]; s != nil {
			if s.lingering++; s.lingering == s.users {
				ended = append(ended, id)
			}
		}
	}
	bs.mu.Unlock()
	for _, id := range ended {
		if bs.linked != nil {
			bs.linked(id, false)
		}
	}
	shm.Linger(b.Segment, b.Me)
	b.Wake()
}

// Sweep leaves those where nobody may ask any more.
func (bs *Bridges) Sweep() {
	if !bs.lingered.Load() {
		return
	}
	bs.mu.Lock()
	var over []*Bridge
	for _, b := range bs.all {
		if b.lingers && b.deserted() {
			over = append(over, b)
		}
	}
	for _, b := range over {
		bs.remove(b)
	}
	bs.mu.Unlock()
	for _, b := range over {
		bs.leave(b)
	}
}

// leave takes this process away from a bridge.
func (bs *Bridges) leave(b *Bridge) {
	bs.recovery.Forget(b.retired)
	bs.engine.Disconnect(b.Segment, b.Peers)
	shm.Leave(b.Segment, b.Me)
	b.Wake()
	bs.abandon(b)
}

// Renounce tells of the connections that end when some bridges lose a user, ahead of that.
func (bs *Bridges) Renounce(used []*Bridge) {
	for _, b := range used {
		bs.mu.Lock()
		last := b.users == 1
		bs.mu.Unlock()
		if last {
			bs.unlink(b)
		}
	}
}

// abandon gives the memory of a bridge back.
func (bs *Bridges) abandon(b *Bridge) {
	bs.unlink(b)
	b.unmap()
}

// unlink counts a bridge less to the jobs that it leads to, and tells of those to which there is none any
// more.
func (bs *Bridges) unlink(b *Bridge) {
	if b.unlinked {
		return
	}
	b.unlinked, b.last = true, bs.strike(b.homes, b.lingers)
	for _, s := range b.last {
		if bs.linked != nil {
			bs.linked(s.home.ID(), false)
		}
	}
}

// unmap gives back the memory of a bridge that is unlinked.
func (b *Bridge) unmap() {
	b.Segment.Close()
	for _, s := range b.last {
		s.home.Close()
	}
}

// strike counts a bridge to some jobs less, and returns those to which there is none any more.
func (bs *Bridges) strike(jobs []shm.JobID, lingers bool) (last []*remoteJob) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	for _, id := range jobs {
		if s := bs.jobs[id]; s != nil {
			if lingers {
				s.lingering--
			}
			if s.users--; s.users == 0 {
				delete(bs.jobs, id)
				last = append(last, s)
			}
		}
	}
	return last
}

// Part is Part, when what nobody uses any more is gone.
func (bs *Bridges) Part() error {
	bs.mu.Lock()
	all := slices.Clone(bs.all)
	bs.mu.Unlock()
	for _, b := range all {
		shm.Linger(b.Segment, b.Me)
		b.Wake()
	}
	for _, b := range all {
		if err := bs.engine.WaitFor(parted{bs, b}); err != nil {
			return err
		}
		bs.mu.Lock()
		bs.remove(b)
		bs.mu.Unlock()
		bs.leave(b)
	}
	return nil
}

// parted is the condition that all members of a bridge have left it, or that it is cut. Where deaths are
// survived, all that live have to leave.
type parted struct {
	bs *Bridges
	b  *Bridge
}

// Ready implements p2p.Condition.
func (p parted) Ready() bool {
	if p.bs.recovery.Survives {
		return p.b.deserted()
	}
	for i := range p.b.Members {
		if !shm.Left(p.b.Segment, i) && !p.b.Members[i].Own {
			return p.bs.engine.CutOff(p.b.Segment) != nil
		}
	}
	return true
}

// Outlives has deaths be no error of the wait.
func (p parted) Outlives() {}

// Group implements p2p.Grouped.
func (p parted) Group() (name string, g *group.Group) {
	return "a connection between jobs", group.New(p.b.Processes)
}

// Describe implements p2p.Describer.
func (p parted) Describe(n *state.Need) {
	n.Kind, n.Text = state.Window, "the same call of"
	for i := range p.b.Members {
		if !shm.Left(p.b.Segment, i) && !p.b.Members[i].Own {
			n.Absent = append(n.Absent, int32(i))
		}
	}
}

// everybody stands for all processes at a bridge.
const everybody = -1

// Need is what is used in a context that belongs to no CID: a bridge, and of it one peer, or everybody.
type Need struct {
	bridge *Bridge
	peer   int
}

// All is the need of all processes at a bridge.
func All(b *Bridge) Need { return Need{b, everybody} }

// cut is the error of what needs some bridges, if it cannot be completed.
func (bs *Bridges) cut(used []Need) error {
	for _, n := range used {
		if bs.recovery.Survives && n.peer != everybody && !bs.recovery.HasFailed(n.peer) {
			continue
		}
		if err := bs.engine.CutOff(n.bridge.Segment); err != nil {
			return mpierr.New(mpierr.ErrProcAborted, "%v", err)
		}
	}
	return nil
}

// SettledIn reports whether bridges are used in a context that belongs to no CID, and why nothing can be
// completed there any more.
func (bs *Bridges) SettledIn(context uint32) (ok bool, err error) {
	if context < BeyondCIDs {
		return false, nil
	}
	bs.mu.Lock()
	defer bs.mu.Unlock()
	used, ok := bs.settled[context]
	return ok, bs.cut(used)
}

// Severed is why what needs all processes at some bridges cannot be completed, where a death cuts bridges.
func (bs *Bridges) Severed(used []*Bridge) error {
	for i := 0; i < len(used) && !bs.recovery.Survives; i++ {
		if err := bs.engine.CutOff(used[i].Segment); err != nil {
			return mpierr.New(mpierr.ErrProcAborted, "%v", err)
		}
	}
	return nil
}

// Retire notes that others may ask over some bridges about the agreements of a communicator that is gone.
func (bs *Bridges) Retire(used []*Bridge, at recovery.Key) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	for _, b := range used {
		b.retired = append(b.retired, at)
	}
}
