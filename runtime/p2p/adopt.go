package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
)

// Requests that the C stubs have made on the endpoint (fast.Request) become requests of the engine under the
// same number when it has to deal with them: posted receives when a packet is for one of them, when the
// program asks the engine for one, and ahead of a receive that the engine posts and that could take a message
// from them (fast.Bin); messages to this rank itself that wait for their receive, all at once, before the
// engine looks for an unexpected message or adds one; collective operations that wait for others when a call
// waits in Go; those that are done when the program asks for them.

var (
	_ = [1]struct{}{}[request.FastRequests-fast.MaxRequests]
	_ = [1]struct{}{}[match.AnyTag-fast.AnyTag]
	_ = [1]struct{}{}[match.AnySource-fast.AnySource]
)

// adopt takes over the receives that the stubs have posted and that must not stay behind one with key k. The
// lock is held.
func (e *Engine) adopt(k match.Key) {
	for {
		i := e.endpoint.TakePosted(k.Ctx, k.Tag)
		if i == fast.NoRequest {
			return
		}
		e.file(e.adopted(i))
	}
}

// adoptAll takes over all of them, and all messages that are offered.
func (e *Engine) adoptAll() {
	e.adopt(match.Key{Tag: match.AnyTag})
	e.adoptOffered()
}

// adoptOffered takes over the messages to this rank itself that wait for their receive. They are the youngest
// that it has sent itself, and no posted receive matches them. The lock is held.
func (e *Engine) adoptOffered() {
	for {
		i := e.endpoint.TakeOffered()
		if i == fast.NoRequest {
			return
		}
		t := e.endpoint.Request(i)
		r := e.Pool.Adopt(i, t.Gen, request.Send)
		r.Status, r.Bytes, r.Peer, r.Self = request.Empty, int64(t.Size), e.me, t.Self
		r.Buf, r.Key = datatype.Raw(t.Buf, r.Bytes), match.Key{Ctx: t.Ctx, Src: t.Src, Tag: t.Tag}
		e.endpoint.Sending++
		e.keepSelf(r, false)
	}
}

// adoptEverything takes over the collective requests as well.
func (e *Engine) adoptEverything() {
	e.adoptAll()
	e.AdoptCollectives()
}

// adopted is the request that stands for a receive that was posted as fast request i.
func (e *Engine) adopted(i uint32) *request.Request {
	t := e.endpoint.Request(i)
	r := e.Pool.Adopt(i, t.Gen, request.Recv)
	r.Buf, r.Self, r.Peer, r.State = datatype.Raw(t.Buf, int64(t.Size)), t.Self, -1, request.Posted
	r.Key, r.Paired = match.Key{Ctx: t.Ctx, Src: t.Src, Tag: t.Tag}, t.Pair != 0
	return r
}

// CollAdopter goes on with nonblocking collective operations that the stubs have begun.
type CollAdopter interface {
	// Adopt is the operation that goes on with x from where the stub was. It is called with the lock held.
	Adopt(x *fast.CollRequest) request.Operation
}

// AddAdopter says who goes on with the operations of the communicator whose collectives have context ctx.
func (e *Engine) AddAdopter(ctx uint32, x CollAdopter) { e.adopters.Store(ctx, x) }

// DropAdopter forgets it. Nothing waits there any more.
func (e *Engine) DropAdopter(ctx uint32) { e.adopters.Delete(ctx) }

// AdoptCollectives takes over all of them that wait for others. The lock is
// held.
func (e *Engine) AdoptCollectives() {
	for e.endpoint.Collectives > 0 {
		e.takeOver(e.endpoint.Oldest)
	}
}

// adoptCollective is the request that stands for the collective operation of request i. Every poll goes on
// with it.
func (e *Engine) adoptCollective(i uint32) {
	t, x := e.endpoint.Request(i), e.endpoint.CollRequest(i)
	e.endpoint.EndColl(i)
	r := e.Pool.Adopt(i, t.Gen, request.Composite)
	by, _ := e.adopters.Load(t.Ctx)
	r.Op, r.Key.Ctx, r.Status = by.(CollAdopter).Adopt(x), t.Ctx, request.Empty
	e.Watch(r)
}

// matchFast takes over the oldest receive posted by the stubs that a message with key k matches, nil when
// there is none.
func (e *Engine) matchFast(k match.Key) *request.Request {
	i, long := e.endpoint.TakeMatching(k.Ctx, k.Src, k.Tag)
	switch {
	case long: // the tables of the engine take the same time for many as for few
		e.adoptAll()
		return e.matchPosted(k)
	case i == fast.NoRequest:
		return nil
	}
	return e.adopted(i)
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

// FastRequest is the request behind a number below request.FastRequests, nil when there is none. genBits
// tells how many low bits of the generation the caller kept.
func (e *Engine) FastRequest(index, gen uint32, genBits uint) *request.Request {
	e.lock()
	defer e.unlock()
	if (e.endpoint.Request(index).Gen^gen)<<(32-genBits) != 0 || !e.takeOver(index) {
		return nil
	}
	return e.Pool.At(index)
}

// FastName is what a handle says of a request of the fast engine.
type FastName struct{ Index, Gen uint32 }

// StillPosted makes progress while all of some fast requests are receives posted by the stubs, and reports
// whether they still are: nothing has come for them, and the stubs go on with them. It does nothing when they
// are not. genBits is as for FastRequest; one says that the caller asks for one of them, otherwise for all.
func (e *Engine) StillPosted(names []FastName, genBits uint, one bool) bool {
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
	names   []FastName
	genBits uint
	one     bool
}

// Ready implements Condition.
func (c taken) Ready() bool {
	for _, n := range c.names {
		t := c.e.endpoint.Request(n.Index)
		if t.State != fast.Posted || t.Call != 0 || (t.Gen^n.Gen)<<(32-c.genBits) != 0 {
			return true
		}
	}
	return false
}

// takeOver makes a fast request one of the engine. It returns false when no handle names it. The lock
// is held.
func (e *Engine) takeOver(index uint32) bool {
	t := e.endpoint.Request(index)
	if t.Call != 0 {
		return false
	}
	switch t.State {
	case fast.Free:
		return false
	case fast.Posted:
		e.adopt(match.Key{Ctx: t.Ctx, Tag: t.Tag})
	case fast.Sent:
		if t.Self == fast.NoMessage {
			r := e.Pool.Adopt(index, t.Gen, request.Composite)
			r.Status, r.Done, r.Key.Ctx = request.Empty, true, t.Ctx
			break
		}
		r := e.Pool.Adopt(index, t.Gen, request.Send)
		r.Status, r.Done = request.Empty, true
		r.Key = match.Key{Ctx: t.Ctx, Src: t.Src, Tag: t.Tag}
		if t.Peer != fast.Nobody {
			r.State, r.Self, r.Peer = request.Sent, t.Self, e.node[t.Peer]
		}
	case fast.Offered:
		e.adoptOffered()
	case fast.Collective:
		e.adoptCollective(index)
	case fast.Received:
		r := e.Pool.Adopt(index, t.Gen, request.Recv)
		r.Status, r.Done = request.Status{Source: t.Src, Tag: t.Tag, Bytes: int64(t.Size)}, true
		r.Key.Ctx, r.Paired = t.Ctx, t.Pair != 0
	}
	t.State = fast.Adopted
	return true
}
