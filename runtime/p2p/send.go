package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
	"gompi/runtime/tool"
	"gompi/runtime/transport"
)

// Send sends b to rank dst with the given tag and returns once the buffer may be used again (MPI_Send, MPI 5.0,
// 3.2.1). Standard mode: eager messages do not wait for the receive.
func (e *Engine) Send(x *Context, b datatype.Buffer, dst, tag int) error {
	if dst == ProcNull {
		return nil
	}
	peer := x.Peers.Of(dst)
	n := b.Bytes()
	e.lock()
	if n <= e.eager && peer != e.me && e.out[peer].empty() && e.sendEager(x, b, n, peer, tag) {
		e.unlock()
		return nil
	}
	r, err := e.start(x, b, n, peer, tag, false, true)
	if err == nil {
		err = e.complete(r, nil)
	}
	e.unlock()
	return err
}

// Ssend is Send that returns only once the receive has been found (MPI_Ssend, MPI 5.0, 3.4).
func (e *Engine) Ssend(x *Context, b datatype.Buffer, dst, tag int) error {
	if dst == ProcNull {
		return nil
	}
	e.lock()
	defer e.unlock()
	r, err := e.start(x, b, b.Bytes(), x.Peers.Of(dst), tag, true, false)
	if err != nil {
		return err
	}
	return e.complete(r, nil)
}

// Isend starts to send b to rank dst (MPI_Isend, MPI 5.0, 3.7.2).
func (e *Engine) Isend(x *Context, b datatype.Buffer, dst, tag int) (*request.Request, error) {
	return e.isend(x, b, dst, tag, false)
}

// Issend is Isend whose request completes only once the receive has been found (MPI_Issend, MPI 5.0, 3.7.2).
func (e *Engine) Issend(x *Context, b datatype.Buffer, dst, tag int) (*request.Request, error) {
	return e.isend(x, b, dst, tag, true)
}

func (e *Engine) isend(x *Context, b datatype.Buffer, dst, tag int, sync bool) (*request.Request, error) {
	e.lock()
	defer e.unlock()
	if dst == ProcNull {
		return e.null(request.Send)
	}
	return e.start(x, b, b.Bytes(), x.Peers.Of(dst), tag, sync, false)
}

// null is a request that is done from the start, for an operation with MPI_PROC_NULL (MPI 5.0, 3.10).
func (e *Engine) null(kind request.Kind) (*request.Request, error) {
	r, err := e.get(kind)
	if err != nil {
		return nil, err
	}
	r.Status = procNullStatus
	if kind == request.Send {
		r.Status = request.Empty
	}
	r.Done = true
	return r, nil
}

// sendEager puts a whole message into the ring. It returns false when there is no room, and has then done nothing.
func (e *Engine) sendEager(x *Context, b datatype.Buffer, n int64, peer, tag int) bool {
	p, payload := e.net.Reserve(peer, int(n))
	if p == nil || e.heldBack(peer, p) {
		return false
	}
	fill(p, payload, b, n)
	p.Kind, p.Flags, p.Ctx, p.Src, p.Tag = eager, 0, x.ID, int32(x.Rank), int32(tag)
	e.net.Publish(peer, p, int(n))
	e.count.EagerSent++
	e.count.EagerBytes += uint64(n)
	return true
}

// fill copies the data of a message to where the packet's payload goes.
func fill(p *transport.Packet, payload uintptr, b datatype.Buffer, n int64) {
	if p.InBulk() {
		p.Data[0] = uint64(n)
	}
	gather(b, 0, payload, n)
}

// start begins a send that needs a request. blocking says that the caller will wait in the same call, so nobody else
// in this process could post the receive of a message to itself: it is then copied aside instead.
func (e *Engine) start(x *Context, b datatype.Buffer, n int64, peer, tag int, sync, blocking bool) (*request.Request, error) {
	r, err := e.get(request.Send)
	if err != nil {
		return nil, err
	}
	r.Bytes, r.Peer, r.Sync = n, peer, sync
	address(r, x, b, tag)
	e.begin(r, blocking)
	return r, nil
}

// address writes into a send what it sends and in which space of messages.
func address(r *request.Request, x *Context, b datatype.Buffer, tag int) {
	r.Status = request.Empty
	r.Buf, r.Self = b, int32(x.Rank)
	r.Key = match.Key{Ctx: x.ID, Src: int32(x.Rank), Tag: int32(tag)}
}

// begin starts a send that knows all it needs. A request with parents or without owner may be gone afterwards.
func (e *Engine) begin(r *request.Request, blocking bool) {
	e.sending++
	peer := r.Peer
	if peer == e.me {
		e.sendSelf(r, blocking)
		return
	}
	if !e.out[peer].empty() || !e.launch(r) {
		r.State = request.Queued
		e.enqueue(peer, outgoing{kind: eager, r: r})
	}
}

// launch sends the first packet of r; false when there is no room for it.
func (e *Engine) launch(r *request.Request) bool {
	if r.Bytes > e.eager {
		return e.launchAnnounce(r)
	}
	sent, held := e.launchEager(r)
	return sent || held && e.launchAnnounce(r)
}

// launchEager sends r whole. It does not if there is no room, or if the receiver holds too much that it has no receive
// for (held).
func (e *Engine) launchEager(r *request.Request) (sent, held bool) {
	p, payload := e.net.Reserve(r.Peer, int(r.Bytes))
	if p == nil {
		return false, false
	}
	if e.heldBack(r.Peer, p) {
		return false, true
	}
	fill(p, payload, r.Buf, r.Bytes)
	p.Kind, p.Flags, p.Ctx, p.Src, p.Tag = eager, named, r.Key.Ctx, r.Key.Src, r.Key.Tag
	r.State = request.Sent
	if r.Sync {
		p.Flags |= synchronous
		r.State = request.Announced
	}
	if p.InBulk() {
		p.Data[1] = uint64(r.Index())
	} else {
		p.Bulk = r.Index()
	}
	e.net.Publish(r.Peer, p, int(r.Bytes))
	e.count.EagerSent++
	e.count.EagerBytes += uint64(r.Bytes)
	if !r.Sync {
		e.finish(r, nil)
	}
	return true, false
}

// launchAnnounce tells the receiver of a message where it lies, or that it has to be asked for.
func (e *Engine) launchAnnounce(r *request.Request) bool {
	p, _ := e.net.Reserve(r.Peer, controlSize)
	if p == nil {
		return false
	}
	p.Kind, p.Flags, p.Ctx, p.Src, p.Tag = announce, 0, r.Key.Ctx, r.Key.Src, r.Key.Tag
	if scattered(r) {
		p.Flags = gaps
	}
	p.Data[0], p.Data[1], p.Data[2] = uint64(r.Bytes), uint64(r.Buf.Start()), uint64(r.Index())
	r.State = request.Announced
	e.net.Publish(r.Peer, p, controlSize)
	e.count.RendezvousSent++
	e.count.RendezvousBytes += uint64(r.Bytes)
	e.observe(tool.RendezvousBegun, int32(r.Peer), r.Key.Tag, r.Key.Ctx, r.Bytes)
	return true
}
