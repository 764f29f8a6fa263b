package comm

import (
	"slices"

	"gompi/runtime/group"
	"gompi/runtime/recovery"
	"gompi/runtime/request"
)

// shrinking is MPIX_Comm_ishrink: a search by the living ranks, whose words are combined by agreements.
type shrinking struct {
	recovery.Operation
	r      *Registry
	c      *Comm
	ready  func(d *Comm, err error)
	search search
	origin string
}

// Ishrink begins to make a communicator of the living processes of c. ready is called with it, or with an
// error, under the engine's lock. It may not call the engine.
func (r *Registry) Ishrink(c *Comm, origin string, blocking bool,
	ready func(d *Comm, err error)) (*request.Request, error) {
	r.sweep()
	o := &shrinking{Operation: c.Recovery.NewOperation(), r: r, c: c, ready: ready, origin: origin}
	o.search.begin(&r.ids, uint64(c.cid), blocking)
	q, err := r.engine.Ops.Begin(o, c.cid*contextsEach+recoveryContext)
	if err != nil {
		return nil, o.search.fail(err)
	}
	return q, nil
}

// Advance implements request.Operation.
func (o *shrinking) Advance(q *request.Request) (done bool, err error) {
	if !o.Begun() {
		o.ask()
	}
	for {
		b, err := o.Outcome(q)
		if err != nil {
			o.ready(nil, o.search.fail(err))
			return true, err
		}
		if b == nil {
			return false, nil
		}
		if !o.search.verdict && b.Words[0]&saysSound == 0 {
			o.c.Recovery.MarkAbandoned()
		}
		if done, err := o.search.take(b.Words); done {
			o.End()
			if err != nil {
				o.ready(nil, err)
				return true, err
			}
			return true, o.end(b)
		}
		o.ask()
	}
}

// ask begins the next agreement.
func (o *shrinking) ask() {
	words := slices.Clone(o.search.words()) // the agreement keeps them
	if !o.search.verdict && !o.c.Recovery.Impaired() {
		words[0] |= saysSound
	}
	o.Agree(words)
}

// end makes the communicator of those that live, as all have agreed.
func (o *shrinking) end(all *recovery.Ballot) error {
	local := o.living(all, o.c.group, false)
	var remote *group.Group
	if o.c.remote != nil {
		remote = o.living(all, o.c.remote, true)
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
	d.Recovery.CatchUp()
	o.ready(d, nil)
	return nil
}

// living is the processes of a group of c that live.
func (o *shrinking) living(all *recovery.Ballot, g *group.Group, remote bool) *group.Group {
	table := make([]int32, 0, g.Size())
	for rank := range g.Size() {
		if !all.HasFailed(o.c.Recovery.Member(rank, remote)) {
			table = append(table, int32(g.Of(rank)))
		}
	}
	return group.New(table).From(g.Session())
}
