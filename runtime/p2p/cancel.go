package p2p

import (
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
	"gompi/runtime/transport"
)

// Cancel asks that r be given up (MPI_Cancel, MPI 5.0, 3.8.4). A receive that has found no message is given
// up at once. A send that the receiver has not matched is taken back from it: the request is done when the
// receiver has answered. In every other case r goes on as if nothing had been asked; its status tells which.
func (e *Engine) Cancel(r *request.Request) error {
	e.lock()
	defer e.unlock()
	if r.Inactive() {
		return mpierr.New(mpierr.ErrRequest, "the persistent request is not active, so there is nothing to cancel")
	}
	switch r.BegunAs() {
	case request.Recv:
		if e.isPosted(r) {
			e.withdrawReceive(r)
			r.Status = request.Empty
			e.cancelled(r)
		}
	case request.Send:
		e.cancelSend(r)
	case request.Composite:
		if op, ok := r.Op.(request.Canceler); ok {
			done := r.Done
			e.unlock()
			defer e.lock()
			return op.Cancel(done)
		}
		fallthrough
	default:
		return mpierr.New(mpierr.ErrRequest, "only sends and receives can be cancelled, and not those of MPI_Isendrecv")
	}
	return nil
}

func (e *Engine) cancelled(r *request.Request) {
	r.Status.Cancelled = true
	e.finish(r, nil)
}

func (e *Engine) cancelSend(r *request.Request) {
	if r.Inner != nil {
		e.cancelBuffered(r)
		return
	}
	switch {
	case r.Withdrawing, r.State == request.Idle: // asked already, or nothing was ever sent
	case r.State == request.Queued:
		if e.peers[r.Peer].forget(r) {
			e.cancelled(r)
		}
	case r.Peer == e.me:
		if e.discardSent(r.Key, r.Peer, r.Index()) {
			if r.Done {
				e.reopen(r)
			}
			e.cancelled(r)
		}
	case r.Done && r.State != request.Sent:
	default:
		r.Withdrawing = true
		if r.Done {
			e.reopen(r)
			r.Taken = true
		}
		if !e.peers[r.Peer].out.empty() || !e.tryWithdraw(r.Peer, r) {
			e.enqueue(r.Peer, outgoing{kind: withdraw, r: r})
		}
	}
}

// reopen makes a send that is done one that is not, until it is known whether it could be taken back.
func (e *Engine) reopen(r *request.Request) {
	r.Done = false
	e.endpoint.Sending++
}

// cancelBuffered cancels the message that r has left in an attached buffer.
func (e *Engine) cancelBuffered(r *request.Request) {
	in := r.Inner
	if in.Gen() != r.InnerGen || in.Kind != request.Send || in.Withdrawing {
		return // it has gone
	}
	r.Inner = nil
	e.reopen(r)
	r.Left, in.Parent = 1, r
	e.cancelSend(in)
}

// taken notes that the receiver has the data of r, or will have without r's help.
func (c *core) taken(r *request.Request) {
	if r.Withdrawing {
		r.Taken = true // the request stays: the receiver's answer to the withdrawal will name it
		return
	}
	c.finish(r, nil)
}

func (e *Engine) tryWithdraw(peer int, r *request.Request) bool {
	l := e.to(peer)
	p, _ := l.Reserve(peer, controlSize)
	if p == nil {
		return false
	}
	p.Kind, p.Flags, p.Ctx, p.Src, p.Tag = withdraw, 0, r.Key.Ctx, r.Key.Src, r.Key.Tag
	p.Data[0] = uint64(r.Index())
	l.Publish(peer, p, controlSize)
	return true
}

// arriveWithdraw takes a message out of the unexpected ones because its sender cancels it, if it is still
// there.
func (e *Engine) arriveWithdraw(peer int, p *transport.Packet, _ uintptr) {
	gone, send := uint32(0), uint32(p.Data[0])
	if e.discardSent(match.Key{Ctx: p.Ctx, Src: p.Src, Tag: p.Tag}, peer, send) {
		gone = 1
	}
	e.answer(peer, withdrawn, send, gone, 0)
}

func (e *Engine) arriveWithdrawn(peer int, p *transport.Packet, _ uintptr) {
	r := e.named(peer, p, p.Ctx, request.Send, allStates)
	if !r.Withdrawing {
		e.Malformed(peer, "a malformed packet: the message of request %d is not being cancelled", p.Ctx)
	}
	r.Withdrawing = false
	switch {
	case p.Tag != 0:
		e.cancelled(r)
	case r.Taken:
		e.finish(r, nil)
	}
}

// discardSent discards the message that send number send of a peer has sent, and reports whether it was
// there.
func (u *unexpected) discardSent(k match.Key, peer int, send uint32) bool {
	i := u.sentAs(k, peer, send)
	if i == fast.NoRequest {
		return false
	}
	u.discard(i)
	return true
}

// sentAs is the message that send number send of a peer has sent; fast.NoRequest when it is not here any
// more.
func (u *unexpected) sentAs(k match.Key, peer int, send uint32) uint32 {
	return u.endpoint.SentAs(k.Ctx, k.Src, k.Tag, send,
		func(t *fast.Unexpected) bool { return u.sender(t) == peer })
}
