package comm

import (
	"slices"
	"sync/atomic"

	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
)

// What failures of processes mean for communicators, where the job survives them (docs/recovery.md). A rank
// keeps, for each communicator, who of its processes has failed, in the order in which it heard of them, and
// how many of these the program has acknowledged.

// damage is what has happened to a communicator.
type damage struct {
	birth   uint64      // tells it from others of the same CID; 0 of predefined ones
	swapped bool        // its remote group comes first among its members
	hurt    atomic.Bool // it is revoked, or some member has failed
	revoked atomic.Bool
	spent   atomic.Bool  // an agreement has told that it is hurt somewhere, which may not be known here yet
	failed  []int32      // members that have failed, in the order of the news. Guarded by Registry.mu
	acked   int          // how many of these the program has acknowledged. Likewise
	told    map[int]bool // members that have been told of the revocation. Under the engine's lock
	voting
}

// Recovers reports whether the job survives the death of a rank.
func (r *Registry) Recovers() bool { return r.recovers }

// HasFailedRanks reports whether some processes of c have failed, or it is revoked: then every operation is
// judged, and the fast engine leaves it alone.
func (c *Comm) HasFailedRanks() bool { return c.hurt.Load() }

// Abandoned reports whether operations on c may have ended in the middle, here or at other processes, so that
// messages are left over.
func (c *Comm) Abandoned() bool { return c.hurt.Load() || c.spent.Load() }

// Revoked reports whether c is revoked, as far as this rank has heard (MPIX_Comm_is_revoked).
func (c *Comm) Revoked() bool { return c.revoked.Load() }

// Members of a communicator are the processes of its group, or of both its groups, in an order that is the
// same on all.

// members is how many there are.
func (c *Comm) members() int {
	if c.remote != nil {
		return c.group.Size() + c.remote.Size()
	}
	return c.group.Size()
}

// member is the group of a member and its rank there.
func (c *Comm) member(m int) (g *group.Group, rank int) {
	first, second := c.group, c.remote
	if c.swapped {
		first, second = second, first
	}
	if m < first.Size() {
		return first, m
	}
	return second, m - first.Size()
}

// memberOf is the member that has a rank in the own group, or in the remote one.
func (c *Comm) memberOf(rank int, remote bool) int {
	switch {
	case remote && !c.swapped:
		return c.group.Size() + rank
	case !remote && c.swapped:
		return c.remote.Size() + rank
	}
	return rank
}

// self is this process among the members.
func (c *Comm) self() int { return c.memberOf(c.Rank(), false) }

// peerOf is the number by which the engine knows a member.
func (c *Comm) peerOf(m int) int {
	g, rank := c.member(m)
	if g == c.group {
		return c.Coll.Peers.Of(rank)
	}
	return c.P2P.Peers.Of(rank)
}

// process is the number of the process that a member is.
func (c *Comm) process(m int) int {
	g, rank := c.member(m)
	return g.Of(rank)
}

// hasFailed reports whether a member has failed. The registry's lock is held.
func (c *Comm) hasFailed(m int) bool {
	for _, f := range c.failed {
		if int(f) == m {
			return true
		}
	}
	return false
}

// Failed implements p2p.FailureHandler.
func (r *Registry) Failed(peers []int) {
	r.mu.Lock()
	r.deaths = append(r.deaths, peers...)
	comms := make([]*Comm, 0, len(r.comms))
	for _, c := range r.comms {
		r.lose(c, peers)
		comms = append(comms, c)
	}
	for _, c := range r.retired.at { // which answer for their agreements
		r.lose(c, peers)
	}
	r.mu.Unlock()
	for _, c := range comms {
		if c.hurt.Load() {
			r.engine.Hide(c.Handle)
		}
		r.pass(c)
	}
	r.recount()
}

// Released implements p2p.FailureHandler.
func (r *Registry) Released(peers []int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.deaths = slices.DeleteFunc(r.deaths, func(peer int) bool { return slices.Contains(peers, peer) })
}

// lose notes which of some peers c has lost. The registry's lock is held.
func (r *Registry) lose(c *Comm, peers []int) {
	for _, peer := range peers {
		if peer >= r.Processes.job.Size() {
			r.loseBeyond(c, peer)
			continue
		}
		for _, remote := range [2]bool{false, true} {
			g := c.group
			if remote {
				g = c.remote
			}
			if g == nil {
				continue
			}
			if rank := g.Rank(peer); rank != group.Undefined {
				c.lost(c.memberOf(rank, remote))
			}
		}
	}
}

// loseBeyond is lose for a peer of another job.
func (r *Registry) loseBeyond(c *Comm, peer int) {
	if !c.Across() {
		return
	}
	for m := range c.members() {
		if c.peerOf(m) == peer {
			c.lost(m)
		}
	}
}

// lost notes that a member has failed. The registry's lock is held.
func (c *Comm) lost(m int) {
	if !c.hasFailed(m) {
		c.failed = append(c.failed, int32(m))
		c.hurt.Store(true)
	}
}

// FailureOf implements p2p.FailureHandler.
func (r *Registry) FailureOf(kind request.Kind, k match.Key, peer int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if used, ok := r.settled[k.Ctx]; ok {
		return r.cut(used)
	}
	k.Ctx &^= beyondCIDs // partitions have contexts with that bit as well
	c := r.comms[k.Ctx/contextsEach]
	if c == nil || !c.hurt.Load() || k.Ctx%contextsEach == recoveryContext {
		return nil
	}
	if c.revoked.Load() {
		return mpierr.New(mpierr.ErrRevoked, "communicator %q has been revoked", c.Label())
	}
	switch context := k.Ctx % contextsEach; {
	case kind == request.Composite || context != userContext && context != groupContext:
		return c.loss(0)
	case kind == request.Send && peer >= 0:
		if m := c.memberBehind(peer); m >= 0 && c.hasFailed(m) {
			return c.lossOf(m)
		}
	case kind == request.Recv && k.Src != match.AnySource:
		if m := c.memberOf(int(k.Src), c.remote != nil && context == userContext); c.hasFailed(m) {
			return c.lossOf(m)
		}
	case kind == request.Recv:
		return c.uncertainty()
	}
	if k.Ctx%contextsEach == groupContext {
		return r.gangLoss(c, k)
	}
	return nil
}

// memberBehind is the member that a peer is, -1 if it is none.
func (c *Comm) memberBehind(peer int) int {
	for _, f := range c.failed {
		if c.peerOf(int(f)) == peer {
			return int(f)
		}
	}
	return -1
}

// loss is the error of an operation in which all members have to take part: some have failed, apart from the
// first ones.
func (c *Comm) loss(from int) error {
	if len(c.failed) <= from {
		return nil
	}
	return c.lossOf(int(c.failed[from]))
}

func (c *Comm) lossOf(m int) error {
	return mpierr.New(mpierr.ErrProcFailed, "%s has failed", c.title(m))
}

// title is what messages call a member.
func (c *Comm) title(m int) string {
	g, rank := c.member(m)
	where := ""
	if g != c.group {
		where = "of the remote group "
	}
	return mpierr.New(0, "rank %d %sof communicator %q", rank, where, c.Label()).Text
}

// uncertainty is the error of a receive from any source.
func (c *Comm) uncertainty() error {
	for _, f := range c.failed[c.acked:] {
		if g, _ := c.member(int(f)); c.remote == nil || g == c.remote {
			return mpierr.New(mpierr.ErrProcFailedPending, "%s has failed, which may have been the sender, and this has not been acknowledged", c.title(int(f)))
		}
	}
	return nil
}

// gangLoss is the error of what the ranks of a group do that makes a communicator, and one of which has
// failed. The registry's lock is held.
func (r *Registry) gangLoss(c *Comm, k match.Key) error {
	for _, g := range r.gangs {
		if g.x.ID != k.Ctx || g.tag != int(k.Tag) {
			continue
		}
		for i := range g.size {
			if m := g.rank(i); c.hasFailed(m) {
				return c.lossOf(m)
			}
		}
	}
	return nil
}

// gather notes that the ranks of a gang make a communicator, until the function is called that it returns.
func (r *Registry) gather(g *gang) (done func()) {
	if !r.recovers || g.x.ID%contextsEach != groupContext {
		return func() {}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gangs = append(r.gangs, g)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.gangs = slices.DeleteFunc(r.gangs, func(other *gang) bool { return other == g })
	}
}

// found notes what has happened already to a communicator that is new. The registry's lock is held.
func (r *Registry) found(c *Comm) {
	r.lose(c, r.deaths)
	if at := (birthplace{c.P2P.ID, c.birth}); r.early[at] {
		delete(r.early, at)
		c.revoked.Store(true)
		c.hurt.Store(true)
		c.told = map[int]bool{}
	}
}

// catchUp takes in what has come about a communicator before it was there. The engine's lock is held.
func (r *Registry) catchUp(c *Comm) {
	if c.revoked.Load() {
		r.pass(c)
		r.engine.Judge() // from now on operations are judged, which nothing may have been before
	}
	own := birthplace{c.P2P.ID, c.birth}
	r.strays = slices.DeleteFunc(r.strays, func(s stray) bool {
		if s.at == own {
			r.count(c, s.peer, s.h, s.body)
		}
		return s.at == own
	})
}

// abandonSegments has later users of c's shared memory number their operations above all that were begun
// there, if some have not ended.
func (c *Comm) abandonSegments() {
	if !c.hurt.Load() {
		return
	}
	for _, v := range [2]*Comm{c, c.within} {
		if v == nil {
			continue
		}
		if a := v.segment.Load(); a != nil {
			a.Abandon()
		}
		if b := v.nbc.Load(); b != nil {
			b.Abandon()
		}
	}
}

// Whole is why operations cannot be carried out in which all of c's processes take part, nil when they can.
func (c *Comm) Whole() error {
	if !c.hurt.Load() {
		return nil
	}
	return c.registry.FailureOf(request.Composite, match.Key{Ctx: c.Coll.ID}, -1)
}

// Failures is the processes of c that this rank knows to have failed, in the order in which it heard of them,
// which are more from call to call (MPIX_Comm_get_failed).
func (r *Registry) Failures(c *Comm) *group.Group {
	r.engine.HandleFailures()
	r.mu.Lock()
	defer r.mu.Unlock()
	return c.someFailed(len(c.failed))
}

// someFailed is the first n members that have failed, as a group.
func (c *Comm) someFailed(n int) *group.Group {
	table := make([]int32, n)
	for i := range table {
		table[i] = int32(c.process(int(c.failed[i])))
	}
	return group.New(table).From(c.P2P.Session)
}

// Acknowledge has receives from any source go on although the first n processes of Failures have failed, and
// returns how many have been acknowledged so far (MPIX_Comm_ack_failed). A negative n stands for all.
func (r *Registry) Acknowledge(c *Comm, n int) int {
	r.engine.HandleFailures()
	r.mu.Lock()
	defer r.mu.Unlock()
	if n < 0 {
		n = len(c.failed)
	}
	c.acked = max(c.acked, min(n, len(c.failed)))
	return c.acked
}

// Acknowledged is the group of these (MPIX_Comm_failure_get_acked).
func (r *Registry) Acknowledged(c *Comm) *group.Group {
	r.mu.Lock()
	defer r.mu.Unlock()
	return c.someFailed(c.acked)
}
