package comm

import (
	"gompi/runtime/info"
	"gompi/runtime/request"
)

// Tags of nonblocking calls in setupContext: two for each of a row of calls, for the ranks of a group and for
// leaders.
const (
	tagNonblocking = 1 << 10
	nonblockings   = 1 << 28 // calls after which the tags are used again
)

// Birth is what the layer above hears of a communicator that is made without waiting.
type Birth struct {
	// Begun is called before anything is sent. What takes no communication may be done with d from then on.
	Begun func(d *Comm)

	// Ready says that d can be used, or that there will be none when ok is false. It is called with the
	// engine's lock held and may not call the engine.
	Ready func(d *Comm, ok bool)
}

// Idup begins to make a communicator with the same groups (MPI_Comm_idup). What the duplicate takes over from
// c is taken now: error handler, attributes with their callbacks, and the given hints, which may be nil. It
// has contexts, and may be used, when the request is done. When a callback fails, this rank gets no
// communicator, but still does its part for the others.
func (r *Registry) Idup(c *Comm, hints *info.Info, origin string,
	birth Birth) (*Comm, *request.Request, error) {
	g := c.members()
	if g.size == 1 {
		if err := g.refused(); err != nil {
			return nil, nil, err
		}
	}
	d := r.shape(c.group, c.remote, c, origin).inherit(c)
	d.Topology = c.Topology
	d.SetHints(hints)
	failed := c.Attributes.CopyTo(&c.Base, &d.Attributes, &d.Base)

	number := int(c.idups.Add(1)) % nonblockings
	g.tag = tagNonblocking + 2*number
	r.sweep()
	op := &idup{registry: r, d: d, ready: birth.Ready, discard: failed != nil}
	op.search.begin(&r.ids, scatter(uint64(c.cid)<<32|uint64(number)), false)
	op.and.g = g
	if c.Inter() {
		op.and.p = c.pair()
		op.and.p.local, op.and.p.tag = g, g.tag+1
	}
	if failed == nil && birth.Begun != nil {
		birth.Begun(d)
	}
	q, err := r.engine.Ops.Begin(op, c.P2P.ID)
	if err != nil {
		return nil, nil, op.search.fail(err)
	}
	if failed != nil {
		_ = r.engine.Free(q) // it goes on by itself
		return nil, nil, failed
	}
	return d, q, nil
}

// idup is a search carried on without waiting.
type idup struct {
	registry *Registry
	d        *Comm
	ready    func(d *Comm, ok bool)
	discard  bool // nobody wants d

	and    combination
	begun  bool
	search search
}

// Advance is called with the engine's lock held.
func (o *idup) Advance(q *request.Request) (done bool, err error) {
	if q.Err != nil {
		_ = o.search.fail(q.Err)
		return true, o.end(false)
	}
	if !o.begun {
		o.begun = true
		o.and.begin(o.search.words())
	}
	for !o.and.step(q) {
		if done, err = o.search.take(o.and.words); err != nil {
			_ = o.end(false)
			return true, err
		} else if done {
			return true, o.end(true)
		}
		o.and.begin(o.search.words())
	}
	return false, nil
}

// end gives the duplicate its contexts if there are any.
func (o *idup) end(ok bool) (err error) {
	if o.discard {
		if ok {
			o.registry.ids.giveBack(o.search.agreed)
		}
		return nil
	}
	if ok {
		if err = o.registry.assign(o.d, o.search.agreed); err == nil {
			o.d.Recovery.CatchUp()
		}
	}
	if o.ready != nil {
		o.ready(o.d, ok && err == nil)
	}
	return err
}
