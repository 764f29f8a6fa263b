package comm

import (
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
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
	d := r.shape(c.group, c.remote, c, origin).inherit(c)
	d.P2P.Peers, d.Coll.Peers, d.Cross.Peers = c.P2P.Peers, c.Coll.Peers, c.Cross.Peers
	d.Topology = c.Topology
	d.SetHints(hints)
	failed := c.Attributes.CopyTo(&c.Base, &d.Attributes, &d.Base)

	number := int(c.idups.Add(1)) % nonblockings
	g := c.gang()
	g.tag = tagNonblocking + 2*number
	op := &idup{registry: r, d: d, ready: birth.Ready, seed: scatter(uint64(c.cid)<<32 | uint64(number)),
		n: firstWindow, discard: failed != nil}
	op.and.g = g
	if c.Inter() {
		op.and.p = c.pair()
		op.and.p.local, op.and.p.tag = g, g.tag+1
	}
	if failed == nil && birth.Begun != nil {
		birth.Begun(d)
	}
	r.sweep()
	r.asking.Add(1)
	op.addresses = r.reserveAddresses()
	q, err := r.engine.Ops.Begin(op, c.P2P.ID)
	if err != nil {
		r.asking.Add(-1)
		r.returnAddresses(op.addresses)
		return nil, nil, err
	}
	if failed != nil {
		_ = r.engine.Free(q) // it goes on by itself
		return nil, nil, failed
	}
	return d, q, nil
}

// idup is agree carried on without waiting: first the ranks combine what is free, then each takes the same
// CID if nobody else has, then they combine whether all could.
type idup struct {
	registry *Registry
	d        *Comm
	ready    func(d *Comm, ok bool)
	discard  bool // nobody wants d

	and      combination
	begun    bool
	verdict  bool // the second combination is under way
	seed     uint64
	first, n int // window of words of CIDs
	agreed
	taken bool
}

// Advance is called with the engine's lock held.
func (o *idup) Advance(q *request.Request) (done bool, err error) {
	if q.Err != nil {
		return true, o.end(false)
	}
	if !o.begun {
		o.begun = true
		o.ask()
	}
	for !o.and.step(q) {
		if o.verdict {
			if says := o.and.words[0]; says&saysTaken != 0 {
				o.hasBlock = says&saysAddresses != 0
				return true, o.end(true)
			}
			if o.taken {
				o.registry.unclaim(o.cid)
				o.taken = false
			}
			o.verdict = false
			o.ask()
			continue
		}
		o.birth = o.registry.passTime(^o.and.words[0] >> clockShift)
		o.seed = scatter(o.seed)
		at := oneFrom(o.and.words[1:], int(o.seed>>33%uint64(64*o.n)))
		if at < 0 {
			if o.first, o.n = o.first+o.n, 4*o.n; o.first >= maxWords {
				_ = o.end(false)
				return true, mpierr.New(mpierr.ErrNoMem, "more than %d communicators", maxWords*64)
			}
			o.ask()
			continue
		}
		o.cid = uint32(64*o.first + at)
		o.taken = o.registry.claim(o.cid)
		words := o.and.words[:1]
		words[0] = 0
		if o.taken {
			words[0] |= saysTaken
		}
		if o.addresses != 0 {
			words[0] |= saysAddresses
		}
		o.verdict = true
		o.and.begin(words)
	}
	return false, nil
}

// ask begins to combine which CIDs of the present window are free. The first word says that this agreement
// is not the only one, as agree does.
func (o *idup) ask() {
	o.n = min(o.n, maxWords-o.first)
	words := make([]uint64, 1+o.n)
	words[0] = ^o.registry.time() << clockShift
	o.registry.offer(o.first, words[1:])
	o.and.begin(words)
}

// end gives the duplicate its contexts, or gives back what was taken for it.
func (o *idup) end(ok bool) (err error) {
	o.registry.asking.Add(-1)
	switch {
	case ok && !o.discard:
		if err = o.registry.assign(o.d, o.agreed); err == nil {
			o.registry.catchUp(o.d)
		}
	case o.taken:
		o.registry.giveBack(o.agreed)
	default:
		o.registry.returnAddresses(o.addresses)
	}
	if o.ready != nil && !o.discard {
		o.ready(o.d, ok && err == nil)
	}
	return err
}
