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

// shrinking is MPIX_Comm_ishrink.
type shrinking struct {
	r        *Registry
	c        *Comm
	op, turn uint64
	v        *vote
	ready    func(d *Comm, err error)
	alone    bool
	begun    bool
	first, n int // window of words of CIDs
	agreed
	taken    bool // it has taken the CID
	verdict  bool // whether all have is being agreed on
	survivor *ballot
	origin   string
}

// Ishrink begins to make a communicator of the living processes of c. ready is called with it, or with an
// error, under the engine's lock. It may not call the engine.
func (r *Registry) Ishrink(c *Comm, origin string, blocking bool,
	ready func(d *Comm, err error)) (*request.Request, error) {
	r.sweep()
	o := &shrinking{r: r, c: c, ready: ready, alone: blocking && r.alone(), n: firstWindow, origin: origin}
	r.asking.Add(1)
	o.addresses = r.reserveAddresses()
	q, err := r.engine.Ops.Begin(o, c.cid*contextsEach+recoveryContext)
	if err != nil {
		r.asking.Add(-1)
		r.returnAddresses(o.addresses)
	}
	return q, err
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
			o.r.asking.Add(-1)
			o.c.finishOp(o.op)
			return true, err
		}
	}
	if err = o.r.severed(o.c); err != nil {
		o.r.asking.Add(-1)
		return true, o.fail(err)
	}
	o.r.engine.Ops.Watch(q)
	return false, nil
}

// cast begins the next agreement of the operation.
func (o *shrinking) cast(words []uint64) {
	o.turn++
	o.v = o.r.cast(o.c, round{o.op, o.turn}, words)
}

// ask begins to agree on who lives and on which CIDs of the present window are free.
func (o *shrinking) ask() {
	o.n = min(o.n, maxWords-o.first)
	words := make([]uint64, 1+o.n)
	words[0] = ^o.r.time() << clockShift
	if o.alone {
		words[0] |= saysAlone
	}
	if o.addresses != 0 {
		words[0] |= saysAddresses
	}
	if !o.c.hurt.Load() {
		words[0] |= saysSound
	}
	o.r.offer(o.first, words[1:])
	o.cast(words)
}

// step goes on when an agreement is there.
func (o *shrinking) step() (done bool, err error) {
	b := o.v.value
	if o.verdict {
		if b.and[0]&saysTaken != 0 {
			o.survivor = b
			return true, o.end()
		}
		if o.taken {
			o.r.unclaim(o.cid)
		}
		o.verdict, o.taken = false, false
		o.ask()
		return false, nil
	}
	if len(b.and) != 1+o.n {
		return true, o.fail(mpierr.New(mpierr.ErrIntern, "the ranks do not agree on what they agree on"))
	}
	if b.losses() || b.and[0]&saysSound == 0 {
		o.c.spent.Store(true)
	}
	o.hasBlock = b.and[0]&saysAddresses != 0
	o.birth = o.r.passTime(^b.and[0] >> clockShift)
	at := oneFrom(b.and[1:], int(scatter(o.op+o.turn)>>33%uint64(64*o.n)))
	if b.and[0]&saysAlone != 0 {
		at = oneFrom(b.and[1:], 0)
	}
	if at < 0 {
		if o.first, o.n = o.first+o.n, min(4*o.n, mostWindow); o.first >= maxWords {
			return true, o.fail(mpierr.New(mpierr.ErrNoMem, "more than %d communicators", maxWords*64))
		}
		o.ask()
		return false, nil
	}
	o.cid = uint32(64*o.first + at)
	o.taken = o.r.claim(o.cid)
	if b.and[0]&saysAlone != 0 {
		o.survivor = b
		return true, o.end()
	}
	says := uint64(0)
	if o.taken {
		says = saysTaken
	}
	o.verdict = true
	o.cast([]uint64{says})
	return false, nil
}

// mostWindow is the greatest number of words of CIDs in one ballot.
const mostWindow = 1 << 9

// fail ends the operation without a communicator.
func (o *shrinking) fail(err error) error {
	o.r.returnAddresses(o.addresses)
	o.ready(nil, err)
	return err
}

// end makes the communicator.
func (o *shrinking) end() error {
	local := o.living(o.c.group, false)
	var remote *group.Group
	if o.c.remote != nil {
		remote = o.living(o.c.remote, true)
		if local.Size() == 0 || remote.Size() == 0 {
			o.r.giveBack(o.agreed)
			o.ready(nil, nil)
			return nil
		}
	}
	d := o.r.shape(local, remote, o.c, o.origin).inherit(o.c)
	if err := o.r.assign(d, o.agreed); err != nil {
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
