package comm

import (
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// The operations of agreement: MPIX_Comm_agree, and MPIX_Comm_shrink, which agrees on who lives and on the
// contexts of the communicator of these. Both work on a communicator that is revoked.

// consent is MPIX_Comm_iagree.
type consent struct {
	r     *Registry
	c     *Comm
	op    uint64
	v     *vote
	flag  uint64
	store func(flag int)
}

// Iagree begins to agree on the bitwise and of the flags that all living members give, with which store is
// called, under the engine's lock. The request fails with MPIX_ERR_PROC_FAILED, at all members, if some
// member has failed and not all have acknowledged that.
func (r *Registry) Iagree(c *Comm, flag int, store func(flag int)) (*request.Request, error) {
	o := &consent{r: r, c: c, flag: uint64(uint32(flag)), store: store}
	return r.engine.Ops.Begin(o, c.cid*contextsEach+recoveryContext)
}

// MeetLiving waits until all living members of c have called it.
func (r *Registry) MeetLiving(c *Comm) error {
	q, err := r.Iagree(c, 0, func(int) {})
	if err == nil {
		err = r.engine.Wait(q, nil)
	}
	if mpierr.CodeOf(err) == int(mpierr.ErrProcFailed) {
		return nil // who has failed will not come
	}
	return err
}

// Advance implements request.Operation.
func (o *consent) Advance(q *request.Request) (done bool, err error) {
	if o.v == nil {
		o.c.begun++
		o.op = o.c.begun
		o.v = o.r.cast(o.c, round{op: o.op}, []uint64{o.flag})
	}
	if o.v.stage != decided {
		if err := o.r.severed(o.c); err != nil {
			return true, err
		}
		o.r.engine.Ops.Watch(q)
		return false, nil
	}
	o.c.finishOp(o.op)
	if o.v.value.losses() {
		o.c.spent.Store(true)
	}
	o.store(int(int32(uint32(o.v.value.and[0]))))
	if m := o.v.value.unacknowledged(o.c.members()); m >= 0 {
		return true, mpierr.New(mpierr.ErrProcFailed, "%s has failed, and not all ranks have acknowledged that", o.c.title(m))
	}
	return true, nil
}

// shrinking is MPIX_Comm_ishrink: a search by the living ranks, whose words are combined by agreements.
type shrinking struct {
	r        *Registry
	c        *Comm
	op, turn uint64
	v        *vote
	ready    func(d *Comm, err error)
	begun    bool
	search   *search
	survivor *ballot
	origin   string
}

// Ishrink begins to make a communicator of the living processes of c. ready is called with it, or with an
// error, under the engine's lock. It may not call the engine.
func (r *Registry) Ishrink(c *Comm, origin string, blocking bool,
	ready func(d *Comm, err error)) (*request.Request, error) {
	r.sweep()
	o := &shrinking{r: r, c: c, ready: ready, search: r.ids.search(uint64(c.cid), blocking), origin: origin}
	q, err := r.engine.Begin(o, c.cid*contextsEach+recoveryContext)
	if err != nil {
		return nil, o.search.fail(err)
	}
	return q, nil
}

// Advance implements request.Operation.
func (o *shrinking) Advance(q *request.Request) (done bool, err error) {
	if !o.begun {
		o.begun = true
		o.c.begun++
		o.op = o.c.begun
		o.ask()
	}
	for o.v.stage == decided {
		if done, err = o.step(); done {
			o.c.finishOp(o.op)
			return true, err
		}
	}
	if err = o.r.severed(o.c); err != nil {
		err = o.search.fail(err)
		o.ready(nil, err)
		return true, err
	}
	o.r.engine.Ops.Watch(q)
	return false, nil
}

// ask begins the next agreement of the operation.
func (o *shrinking) ask() {
	words := o.search.words()
	if !o.search.verdict && !o.c.hurt.Load() {
		words[0] |= saysSound
	}
	o.turn++
	o.v = o.r.cast(o.c, round{o.op, o.turn}, words)
}

// step goes on when an agreement is there.
func (o *shrinking) step() (done bool, err error) {
	b, first := o.v.value, !o.search.verdict
	if done, err = o.search.take(b.and); err != nil {
		o.ready(nil, err)
		return true, err
	}
	if first && (b.losses() || b.and[0]&saysSound == 0) {
		o.c.spent.Store(true)
	}
	if done {
		o.survivor = b
		return true, o.end()
	}
	o.ask()
	return false, nil
}

// end makes the communicator.
func (o *shrinking) end() error {
	local := o.living(o.c.group, false)
	var remote *group.Group
	if o.c.remote != nil {
		remote = o.living(o.c.remote, true)
		if local.Size() == 0 || remote.Size() == 0 {
			o.r.ids.giveBack(o.search.agreed)
			o.ready(nil, nil)
			return nil
		}
	}
	d := o.r.shape(local, remote, o.c, o.origin).inherit(o.c)
	if err := o.r.assign(d, o.search.agreed); err != nil {
		o.ready(nil, err)
		return err
	}
	o.r.catchUp(d)
	o.ready(d, nil)
	return nil
}

// living is the processes of a group of c that live, as all have agreed.
func (o *shrinking) living(g *group.Group, remote bool) *group.Group {
	table := make([]int32, 0, g.Size())
	for rank := range g.Size() {
		if !hasBit(o.survivor.failed, o.c.memberOf(rank, remote)) {
			table = append(table, int32(g.Of(rank)))
		}
	}
	return group.New(table).From(g.Session())
}
