package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
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

// record is what C and Go both know of a request.
func (e *Engine) record(r *request.Request) *fast.Request { return e.endpoint.Request(r.Index()) }

// isPosted reports whether r is a receive that has found no message.
func (e *Engine) isPosted(r *request.Request) bool {
	return r.Kind == request.Recv && e.record(r).State == fast.ExtendedPosted
}

// extendPosted extends all posted receives, and the synchronous sends that wait for theirs. The receives of
// blocking calls go back to the threads that wait in them.
func (e *Engine) extendPosted() {
	for i := uint32(0); e.endpoint.Posted|e.endpoint.Unmatched > 0 && i < e.endpoint.RequestsMade; i++ {
		t := e.endpoint.Request(i)
		switch {
		case t.State == fast.Unmatched:
			e.extend(i)
		case t.State != fast.Posted:
		case t.Flags&fast.InCall != 0:
			e.endpoint.Unpost(t)
			t.State = fast.Returned
		default:
			e.extendReceive(i)
		}
	}
}

// extendReceive makes the request for a posted receive, which stays where it is.
func (e *Engine) extendReceive(i uint32) {
	e.makeReceive(i)
	e.endpoint.Untype(e.endpoint.Request(i))
}

// makeReceive makes the request for a receive that is or was posted.
func (e *Engine) makeReceive(i uint32) {
	t := e.endpoint.Request(i)
	r := e.Pool.Extend(i, t.Gen, request.Recv)
	r.Buf, r.Self, r.Peer, r.State = e.buffer(t), t.Self, -1, request.Posted
	r.Key, r.Paired = match.Key{Ctx: t.Ctx, Src: t.Src, Tag: t.Tag}, t.Flags&fast.Paired != 0
	e.plan(r, t)
	t.State = fast.ExtendedPosted
}

// buffer is what a request of the stubs sends or receives. That of a persistent receive has the predefined
// datatype that the program has named, so that reports can name it.
func (e *Engine) buffer(t *fast.Request) datatype.Buffer {
	if t.Flags&fast.Typed != 0 || t.Flags&(fast.Persistent|fast.Sends) == fast.Persistent {
		return e.typedBuffer(t, uintptr(t.Peer))
	}
	return datatype.Raw(t.Buf, int64(t.Size))
}

// typedBuffer is what a request sends or receives, of a datatype with that handle, as long as there is one.
func (e *Engine) typedBuffer(t *fast.Request, handle uintptr) datatype.Buffer {
	if e.TypeOf != nil {
		if d := e.TypeOf(handle); d != nil && d.Size() > 0 {
			return datatype.Buffer{Addr: t.Buf, Count: int64(t.Size) / d.Size(), Type: d}
		}
	}
	return datatype.Raw(t.Buf, int64(t.Size))
}

// plan makes a request persistent if its record is. The round that is under way is Active.
func (e *Engine) plan(r *request.Request, t *fast.Request) {
	if t.Flags&fast.Persistent == 0 {
		return
	}
	r.Plan, r.Active = &request.Plan{Null: t.Flags&fast.Sends != 0 && t.Peer == fast.Nobody}, true
	if t.Flags&fast.Sends != 0 && !r.Plan.Null {
		r.Plan.Peer = e.node[t.Peer]
	}
}

// extendInactive makes the request for a persistent one that is not started.
func (e *Engine) extendInactive(index uint32) {
	t := e.endpoint.Request(index)
	kind := request.Recv
	if t.Flags&fast.Sends != 0 {
		kind = request.Send
	}
	r := e.Pool.Extend(index, t.Gen, kind)
	r.Bytes, r.Self, r.Peer, r.Status = int64(t.Size), t.Self, -1, request.Empty
	r.Sync = t.Flags&fast.Synch != 0
	r.Buf, r.Key = e.buffer(t), match.Key{Ctx: t.Ctx, Src: t.Src, Tag: t.Tag}
	e.plan(r, t)
	r.Active = false
}

// keepPersistent makes the persistent requests of the stubs the engine's for good: something has failed or
// was revoked, and the stubs start a request without looking at its communicator.
func (e *Engine) keepPersistent() {
	for i := range e.endpoint.RequestsMade {
		if t := e.endpoint.Request(i); t.Flags&fast.Persistent != 0 {
			e.extend(i)
			t.Flags &^= fast.Persistent
		}
	}
}

// giveBack leaves a persistent request that is not active to the stubs, if they have made it.
func (e *Engine) giveBack(r *request.Request) bool {
	t := e.record(r)
	if t.Flags&fast.Persistent == 0 {
		return false
	}
	e.Pool.Forget(r)
	t.State = fast.Inactive
	return true
}

// extendOffered makes the request for a message to this rank itself that waits for its receive. A small one
// is buffered, so that its send is done, unless a receive is just about to get it.
func (e *Engine) extendOffered(index uint32) {
	t := e.endpoint.Request(index)
	r := e.Pool.Extend(index, t.Gen, request.Send)
	r.Status, r.Bytes, r.Peer, r.Self = request.Empty, int64(t.Size), e.me, t.Self
	r.Buf, r.Key = datatype.Raw(t.Buf, r.Bytes), match.Key{Ctx: t.Ctx, Src: t.Src, Tag: t.Tag}
	r.State = request.Announced
	e.endpoint.Sending++
	i := e.sentAs(r.Key, e.me, index)
	if i == fast.NoRequest {
		i = e.endpoint.TakenFrom(index)
	}
	if i != fast.NoRequest && r.Bytes <= e.eager && e.moveHere(i) {
		r.State = request.Sent
		e.finish(r, nil)
	}
}

// ReleaseTypes has no posted receive name the record of a datatype any more: one of them is about to end.
func (e *Engine) ReleaseTypes() {
	e.lock()
	defer e.unlock()
	if e.endpoint.TypedPosted > 0 {
		e.extendPosted()
	}
}

// extendWaiting is extendPosted and ResumeCollectives: all that waits for something.
func (e *Engine) extendWaiting() {
	e.extendPosted()
	e.ResumeCollectives()
}

// CollResumer goes on with nonblocking collective operations that the stubs have begun.
type CollResumer interface {
	// Resume is the operation that goes on with x from where the stub was. It is called with the lock held.
	Resume(x *fast.CollRequest) request.Operation
}

// AddResumer says who goes on with the operations of the communicator whose collectives have context ctx.
func (e *Engine) AddResumer(ctx uint32, x CollResumer) { e.resumers.Store(ctx, x) }

// DropResumer forgets it. Nothing waits there any more.
func (e *Engine) DropResumer(ctx uint32) { e.resumers.Delete(ctx) }

// ResumeCollectives goes on with all of them that wait for others. The lock is held.
func (e *Engine) ResumeCollectives() {
	for e.endpoint.Collectives > 0 {
		e.extend(e.endpoint.Oldest)
	}
}

// resumeCollective makes the request for the collective operation of request i. Every poll goes on with it.
func (e *Engine) resumeCollective(i uint32) {
	t, x := e.endpoint.Request(i), e.endpoint.CollRequest(i)
	e.endpoint.EndColl(i)
	r := e.Pool.Extend(i, t.Gen, request.Composite)
	by, _ := e.resumers.Load(t.Ctx)
	r.Op, r.Key.Ctx, r.Status = by.(CollResumer).Resume(x), t.Ctx, request.Empty
	e.Watch(r)
}

// Shed gives back a composite request that is done without a failure, and whose status is empty, for a fast
// request that is done: the stubs end that by themselves. The request returned is good for nothing but to
// name it; it is r where r has to stay.
func (e *Engine) Shed(r *request.Request) *request.Request {
	e.lock()
	defer e.unlock()
	if !r.Done || r.Err != nil || r.Kind != request.Composite || r.Plan != nil || r.Status != request.Empty ||
		e.endpoint.Open == 0 {
		return r
	}
	if _, ok := r.Op.(request.Ender); ok {
		return r
	}
	index := e.endpoint.Draw()
	if index == fast.NoRequest {
		return r
	}
	t := e.endpoint.Request(index)
	t.State, t.Ctx, t.Self = fast.Sent, r.Key.Ctx, fast.NoMessage
	e.put(r)
	return e.Pool.Name(index, t.Gen)
}

// Named is the request with a number and a generation; nil when no handle names it. genBits tells how many
// low bits of the generation the caller kept.
func (e *Engine) Named(index, gen uint32, genBits uint) *request.Request {
	e.lock()
	defer e.unlock()
	if index >= e.endpoint.RequestsMade || (e.endpoint.Request(index).Gen^gen)<<(32-genBits) != 0 ||
		!e.extend(index) {
		return nil
	}
	return e.Pool.InUse(index)
}

// Name is what a handle says of a request of the fast engine.
type Name struct{ Index, Gen uint32 }

// StillPosted makes progress while all of some fast requests are receives posted by the stubs, and reports
// whether they still are: nothing has come for them, and the stubs go on with them. It does nothing when they
// are not. genBits is as for Named; one says that the caller asks for one of them, otherwise for all.
func (e *Engine) StillPosted(names []Name, genBits uint, one bool) bool {
	e.lock()
	defer e.unlock()
	c := taken{e, names, genBits, one}
	look(e, c)
	still := !c.Ready()
	if still {
		inVain(e, c)
	} else {
		e.heed()
	}
	return still
}

// taken is the condition that one of some fast requests is no receive any more that waits with the stubs.
type taken struct {
	e       *Engine
	names   []Name
	genBits uint
	one     bool
}

// Ready implements Condition.
func (c taken) Ready() bool {
	for _, n := range c.names {
		if n.Index >= c.e.endpoint.RequestsMade {
			return true
		}
		t := c.e.endpoint.Request(n.Index)
		if t.State != fast.Posted || t.Flags&fast.InCall != 0 || (t.Gen^n.Gen)<<(32-c.genBits) != 0 {
			return true
		}
	}
	return false
}

// extend makes the request for what the stubs have begun, if there is none yet. It returns false when no
// handle names it. The lock is held.
func (e *Engine) extend(index uint32) bool {
	t := e.endpoint.Request(index)
	switch t.State {
	case fast.Free, fast.Returned:
		return false
	case fast.Extended, fast.ExtendedPosted:
		return true
	case fast.Posted:
		if t.Flags&fast.InCall != 0 {
			return false
		}
		e.extendReceive(index)
		return true
	case fast.Sent:
		e.extendSent(index)
	case fast.Unmatched:
		e.extendUnmatched(index)
	case fast.Inactive:
		e.extendInactive(index)
	case fast.Offered:
		e.extendOffered(index)
	case fast.Collective:
		e.resumeCollective(index)
	case fast.Received:
		r := e.Pool.Extend(index, t.Gen, request.Recv)
		r.Status, r.Done = request.Status{Source: t.Source(), Tag: t.GotTag(), Bytes: int64(t.Order)}, true
		r.Buf, r.Self, r.Peer = e.buffer(t), t.Self, -1
		r.Key = match.Key{Ctx: t.Ctx, Src: t.Src, Tag: t.Tag}
		r.Paired = t.Flags&fast.Paired != 0
		e.plan(r, t)
	}
	t.State = fast.Extended
	return true
}

// extendUnmatched makes the request for a synchronous send whose receive has not been found.
func (e *Engine) extendUnmatched(index uint32) {
	e.endpoint.Answered(e.endpoint.Request(index))
	e.extendSent(index)
	r, t := e.Pool.At(index), e.endpoint.Request(index)
	r.Done, r.Sync, r.State = false, true, request.Announced
	if t.Flags&fast.Persistent == 0 {
		r.Buf, r.Bytes = e.typedBuffer(t, uintptr(t.Order)), int64(t.Size)
	}
	e.endpoint.Sending++
}

// extendSent makes the request for a send, or a collective operation, that is done.
func (e *Engine) extendSent(index uint32) {
	t := e.endpoint.Request(index)
	if t.Self == fast.NoMessage {
		r := e.Pool.Extend(index, t.Gen, request.Composite)
		r.Status, r.Done, r.Key.Ctx = request.Empty, true, t.Ctx
		return
	}
	r := e.Pool.Extend(index, t.Gen, request.Send)
	r.Status, r.Done = request.Empty, true
	r.Key = match.Key{Ctx: t.Ctx, Src: t.Src, Tag: t.Tag}
	if t.Peer != fast.Nobody {
		r.State, r.Self, r.Peer = request.Sent, t.Self, e.node[t.Peer]
	}
	r.Sync = t.Flags&fast.Synch != 0
	if t.Flags&fast.Persistent != 0 {
		r.Buf, r.Bytes = datatype.Raw(t.Buf, int64(t.Size)), int64(t.Size)
		e.plan(r, t)
	}
}
