package p2p

import (
	"sync"

	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
	"gompi/wire/state"
)

// What C and Go both need of an operation stands in its fast.Request. What Go alone needs stands in the
// request.Request of the same number. There is one where the engine has begun the operation, or has to go on
// with what the C stubs have begun: with a posted receive when a packet is for it that the stubs do not deal
// with, with collective operations when a call waits here, and with whatever the program asks for here.

var (
	_ = [1]struct{}{}[request.MaxRequests-fast.MaxRequests]
	_ = [1]struct{}{}[match.AnyTag-fast.AnyTag]
	_ = [1]struct{}{}[match.AnySource-fast.AnySource]
)

// numbers is the numbers of the requests of an endpoint.
type numbers struct{ *fast.Endpoint }

// Draw implements request.Numbers.
func (n numbers) Draw() (index, gen uint32, ok bool) {
	index = n.Endpoint.Draw()
	if index == fast.NoRequest {
		if !n.MoreRequests() {
			return 0, 0, false
		}
		index = n.Endpoint.Draw()
	}
	r := n.Request(index)
	r.State = fast.Extended
	return index, r.Gen, true
}

// Return implements request.Numbers.
func (n numbers) Return(index, gen uint32) {
	r := n.Request(index)
	n.Unname(r)
	n.Endpoint.Return(r, gen)
}

// records makes requests for what the stubs have begun.
type records struct {
	*core
	transports *transports
	unexpected *unexpected
	resumers   sync.Map            // CollResumer by context
	residents  map[uint32]Resident // by request, those that are left to the stubs
	unsettled  bool                // no more are left to them

	// ByHandle says that the rooms above name a request by its handle whenever they need it (Named), so that
	// it may be left to the stubs between two rounds.
	ByHandle bool

	// TypeOf is the datatype of the program with a handle, nil when there is none.
	TypeOf func(handle uintptr) *datatype.Type

	// OpOf is the operation of the program's with a handle.
	OpOf func(handle uintptr) *op.Op
}

// record is what C and Go both know of a request.
func (c *core) record(r *request.Request) *fast.Request { return c.endpoint.Request(r.Index()) }

// isPosted reports whether r is a receive that has found no message.
func (c *core) isPosted(r *request.Request) bool {
	return r.Kind == request.Recv && c.record(r).State == fast.ExtendedPosted
}

// extendPosted extends all posted receives, and the sends that wait for something. The receives of blocking
// calls go back to the threads that wait in them.
func (d *records) extendPosted() {
	n := d.endpoint
	for i := uint32(0); n.Posted|n.Unmatched|n.Unready > 0 && i < n.RequestsMade; i++ {
		t := n.Request(i)
		switch {
		case t.State == fast.Unmatched, t.State == fast.Unready, t.Flags&fast.Partitioned != 0:
			d.extend(i)
		case t.State != fast.Posted:
		case t.Flags&fast.InCall != 0:
			d.endpoint.Unpost(t)
			t.State = fast.Returned
		default:
			d.extendReceive(i)
		}
	}
}

// extendReceive makes the request for a posted receive, which stays where it is.
func (d *records) extendReceive(i uint32) {
	d.makeReceive(i)
	d.endpoint.Untype(d.endpoint.Request(i))
}

// makeReceive makes the request for a receive that is or was posted.
func (d *records) makeReceive(i uint32) {
	r, t := d.make(i, request.Recv)
	r.State, t.State = request.Posted, fast.ExtendedPosted
}

// make makes the request for what the stubs have begun, with all that its record says of it. The round of a
// persistent one that is under way is active.
func (d *records) make(i uint32, kind request.Kind) (*request.Request, *fast.Request) {
	t := d.endpoint.Request(i)
	r := d.Pool.Extend(i, t.Gen, kind)
	r.Buf, r.Self, r.Peer = d.buffer(t), t.Self, -1
	r.Key = match.Key{Ctx: t.Ctx, Src: t.Src, Tag: t.Tag}
	r.Sync, r.Paired = t.Flags&fast.Synch != 0, t.Flags&fast.Paired != 0
	sends := kind == request.Send
	if sends {
		r.Status, r.Bytes = request.Empty, int64(t.Size)
	}
	if t.Flags&fast.Persistent != 0 {
		r.Plan, r.Active = &request.Plan{Null: sends && t.Peer == fast.Nobody}, true
		if sends && !r.Plan.Null {
			r.Plan.Peer = d.node[t.Peer]
		}
	}
	return r, t
}

// buffer is what a request of the stubs sends or receives: of the datatype that the program has named, where
// the request knows it and there is one still.
func (d *records) buffer(t *fast.Request) datatype.Buffer {
	if d.TypeOf != nil && (t.Flags&(fast.Typed|fast.Persistent) != 0 || t.State == fast.Unmatched) {
		if dt := d.TypeOf(t.Datatype()); dt != nil && dt.Size() > 0 {
			return datatype.Buffer{Addr: t.Buf, Count: int64(t.Size) / dt.Size(), Type: dt}
		}
	}
	return datatype.Raw(t.Buf, int64(t.Size))
}

// extendInactive makes the request for a persistent one that is not started.
func (d *records) extendInactive(index uint32) {
	kind := request.Recv
	if d.endpoint.Request(index).Flags&fast.Sends != 0 {
		kind = request.Send
	}
	r, _ := d.make(index, kind)
	r.Status, r.Active = request.Empty, false
}

// keepPersistent makes the persistent requests of the stubs with certain flags the engine's for good. It does
// so with all when something has failed or was revoked: the stubs start a request without looking at its
// communicator.
func (d *records) keepPersistent(flags uint32) {
	d.unsettled = d.unsettled || flags == 0
	flags |= fast.Persistent
	for i := range d.endpoint.RequestsMade {
		if t := d.endpoint.Request(i); t.Flags&flags == flags {
			d.extend(i)
			d.endpoint.Unname(t)
			t.Flags &^= fast.Persistent
			if t.State == fast.ExtendedPosted {
				d.endpoint.Untype(t)
			}
			t.Flags &^= fast.Typed
		}
	}
}

// giveBack leaves a persistent request that is not active to the stubs, if they have made it.
func (d *records) giveBack(r *request.Request) bool {
	t := d.record(r)
	if t.Flags&fast.Persistent == 0 && !d.settle(r, t) {
		return false
	}
	d.Pool.Forget(r)
	t.State = fast.Inactive
	return true
}

// extendOffered makes the request for a message to this rank itself that waits for its receive. A small one
// is buffered, so that its send is done, unless that is synchronous or a receive is just about to get it.
func (d *records) extendOffered(index uint32) {
	r, _ := d.make(index, request.Send)
	r.Peer, r.State = d.me, request.Announced
	d.endpoint.Sending++
	if r.Sync {
		return
	}
	i := d.unexpected.sentAs(r.Key, d.me, index)
	if i == fast.NoRequest {
		i = d.endpoint.TakenFrom(index)
	}
	if i != fast.NoRequest && r.Bytes <= d.transports.eager && d.unexpected.moveHere(i) {
		r.State = request.Sent
		d.finish(r, nil)
	}
}

// ReleaseRecords has nothing that is under way name the record of a datatype or an operation any more: one of
// them is about to end.
func (d *records) ReleaseRecords() {
	d.lock()
	defer d.unlock()
	if d.endpoint.TypedPosted > 0 {
		d.extendPosted()
	}
	if d.endpoint.TypedPersistent > 0 {
		d.keepPersistent(fast.Typed)
	}
	d.ResumeCollectives()
}

// extendWaiting is extendPosted and ResumeCollectives: all that waits for something.
func (d *records) extendWaiting() {
	d.extendPosted()
	d.ResumeCollectives()
}

// CollResumer goes on with nonblocking collective operations that the stubs have begun.
type CollResumer interface {
	// Resume has r be the operation that goes on with x from where the stub was, which is watched or deferred
	// then. It is called with the lock held.
	Resume(x *fast.CollRequest, r *request.Request)
}

// AddResumer says who goes on with the operations of the communicator whose collectives have context ctx.
func (d *records) AddResumer(ctx uint32, x CollResumer) { d.resumers.Store(ctx, x) }

// DropResumer forgets it. Nothing waits there any more.
func (d *records) DropResumer(ctx uint32) { d.resumers.Delete(ctx) }

// ResumeCollectives goes on with all of them that wait for others, unless a function of the program's calls
// that combines for one of them. The lock is held.
func (d *records) ResumeCollectives() {
	for d.endpoint.Collectives > 0 && d.endpoint.Calling == 0 {
		d.extend(d.endpoint.FirstColl())
	}
}

// resumeCollective makes the request for the collective operation of request i. Every poll goes on with it.
func (d *records) resumeCollective(i uint32) {
	t := d.endpoint.Request(i)
	number := t.Next
	x := d.endpoint.CollRequest(number)
	r := d.Pool.Extend(i, t.Gen, request.Composite)
	by, _ := d.resumers.Load(t.Ctx)
	r.Key.Ctx, r.Status = t.Ctx, request.Empty
	by.(CollResumer).Resume(x, r)
	d.endpoint.EndColl(number)
}

// Handle is the handle of a request.
func (d *records) Handle(r *request.Request) uintptr { return d.endpoint.HandleOf(r.Index()) }

// Named is the request behind a handle; nil when there is none.
func (d *records) Named(handle uintptr) *request.Request {
	d.lock()
	defer d.unlock()
	i := d.endpoint.NumberOf(handle)
	if i == fast.NoRequest || !d.extend(i) {
		return nil
	}
	return d.Pool.InUse(i)
}

// StillPending makes progress for a call that asks for count requests, by their handles at an address, and
// reports whether it has asked in vain: the stubs have begun all of them, and go on with them. Where Go goes
// on with one, or one is done, it says no. one says that the call asks for one of them, otherwise for all.
func (e *Engine) StillPending(count int, handles uintptr, one bool) bool {
	e.lock()
	defer e.unlock()
	return !askFor(e, pending{e: e, count: int32(count), handles: handles, one: one})
}

// StillWaits is StillPending for one request, by its handle.
func (e *Engine) StillWaits(handle uintptr) bool {
	e.lock()
	defer e.unlock()
	return !askFor(e, pending{e: e, count: 1, handle: handle})
}

// pending is the condition that one of some requests is done, or that Go goes on with it.
type pending struct {
	e       *Engine
	count   int32
	handles uintptr // where the handles are; 0 for one
	one     bool
	handle  uintptr
}

// Ready implements Condition.
func (p pending) Ready() bool {
	if p.handles == 0 {
		return !p.e.endpoint.IsPending(p.handle)
	}
	return !p.e.endpoint.AllPending(p.count, p.handles)
}

// posted is what the requests need, as long as all of them are receives: they stay with the stubs, since who
// asks for them again and again would come into Go each time, and seem to compute.
func (p pending) posted() (needs []state.Need, only bool) {
	for i := range p.count {
		k := p.number(i)
		if k == fast.NoRequest || len(needs) == mostNeeds {
			continue
		}
		t := p.e.endpoint.Request(k)
		if t.State != fast.Posted {
			return nil, false
		}
		needs = append(needs, state.Need{Kind: state.Receive, Comm: t.Ctx, Peer: t.Src, Tag: t.Tag,
			Bytes: int64(t.Size), Root: state.NoRoot})
	}
	return needs, true
}

// requests is the requests, which Go goes on with from then on. Null ones are left out.
func (p pending) requests() (all []*request.Request) {
	for i := range p.count {
		if k := p.number(i); k != fast.NoRequest && p.e.extend(k) {
			all = append(all, p.e.Pool.At(k))
		}
	}
	return all
}

// number is that of the i-th request; fast.NoRequest for a null one.
func (p pending) number(i int32) uint32 {
	handle := p.handle
	if p.handles != 0 {
		handle = fast.ReadHandle(p.handles, i)
	}
	return p.e.endpoint.NumberOf(handle)
}

// extend makes the request for what the stubs have begun, if there is none yet. It returns false when no
// handle names it. The lock is held.
func (d *records) extend(index uint32) bool {
	t := d.endpoint.Request(index)
	if t.Flags&(fast.Partitioned|fast.Repeats) != 0 {
		if t.State == fast.Posted {
			d.endpoint.Unpost(t)
		}
		d.extendResident(index)
		return true
	}
	switch t.State {
	case fast.Free, fast.Returned:
		return false
	case fast.Extended, fast.ExtendedPosted:
		return true
	case fast.Posted:
		if t.Flags&fast.InCall != 0 {
			return false
		}
		d.extendReceive(index)
		return true
	case fast.Sent:
		d.extendSent(index)
	case fast.Unmatched:
		d.extendUnmatched(index)
	case fast.Inactive:
		d.extendInactive(index)
	case fast.Offered:
		d.extendOffered(index)
	case fast.Collective:
		d.resumeCollective(index)
	case fast.Received:
		r, _ := d.make(index, request.Recv)
		r.Status, r.Done = request.Status{Source: t.Source(), Tag: t.GotTag(), Bytes: int64(t.Order),
			Cancelled: t.Flags&fast.Cancelled != 0}, true
	}
	t.State = fast.Extended
	return true
}

// extendUnmatched makes the request for a synchronous send whose receive has not been found.
func (d *records) extendUnmatched(index uint32) {
	buf := d.buffer(d.endpoint.Request(index))
	d.endpoint.Answered(d.endpoint.Request(index))
	d.extendSent(index)
	r := d.Pool.At(index)
	r.Done, r.Sync, r.State, r.Buf = false, true, request.Announced, buf
	d.endpoint.Sending++
}

// extendSent makes the request for a send, or a collective operation, that is done.
func (d *records) extendSent(index uint32) {
	t := d.endpoint.Request(index)
	if t.Self == fast.NoMessage {
		r := d.Pool.Extend(index, t.Gen, request.Composite)
		r.Status, r.Done, r.Key.Ctx = request.Empty, true, t.Ctx
		return
	}
	r, _ := d.make(index, request.Send)
	r.Done = true
	if t.Peer != fast.Nobody {
		r.State, r.Peer = request.Sent, d.node[t.Peer]
	}
}
