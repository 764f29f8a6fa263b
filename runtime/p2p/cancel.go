package p2p

import (
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
	"gompi/runtime/transport"
)

// cancels takes sends back (MPI 5.0, 3.8.4).
type cancels struct {
	e *Engine
	// sends that their receivers have been asked to give back, and whether the receiver has the data, or will
	// have it without the send's help. Such a request stays until the answer has come, which names it
	asked map[*request.Request]bool
}

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
			e.cancels.succeed(r)
		}
	case request.Send:
		e.cancels.send(r)
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

// succeed ends r, which has been given up.
func (c *cancels) succeed(r *request.Request) {
	if r.Status.Cancelled = true; !r.Done {
		c.e.finish(r, nil)
	}
}

// send takes a send back, if that can be.
func (c *cancels) send(r *request.Request) {
	e := c.e
	if in := r.Inner; in != nil {
		r.Inner, r.State = nil, request.Idle // r itself was never sent
		c.reopen(r)
		r.Left, in.Parent = 1, r
		if c.send(in); in.Parent == r && in.Done {
			e.Ops.follow(in)
		}
		return
	}
	switch {
	case r.State == request.Idle || c.pending(r): // nothing was ever sent, or asked already
	case r.State == request.Queued:
		if e.peers[r.Peer].forget(r) {
			c.succeed(r)
		}
	case r.Peer == e.me:
		if i := e.sentAs(r.Key, r.Peer, r.Index()); i != fast.NoRequest {
			e.discard(i)
			c.succeed(r)
		}
	case r.Done && r.State != request.Sent:
	default:
		if c.asked == nil {
			c.asked = map[*request.Request]bool{}
		}
		if c.asked[r] = r.Done; r.Done {
			c.reopen(r)
		}
		e.ask(r.Peer, outgoing{kind: withdraw, r: r, a: r.Key.Ctx, b: uint32(r.Key.Tag), c: uint32(r.Key.Src),
			word: uint64(r.Index())})
	}
}

// reopen makes a send that is done one that is not, until it is known whether it could be taken back.
func (c *cancels) reopen(r *request.Request) {
	r.Done = false
	c.e.endpoint.Sending++
}

// pending reports whether the receiver of a send has been asked to give it back, and has not answered.
func (c *cancels) pending(r *request.Request) bool {
	if len(c.asked) == 0 {
		return false
	}
	_, pending := c.asked[r]
	return pending
}

// arriveWithdraw takes a message out of the unexpected ones because its sender cancels it, if it is still
// there.
func (c *cancels) arriveWithdraw(peer int, p *transport.Packet, _ uintptr) {
	send, gone := uint32(p.Data[0]), uint32(0)
	if i := c.e.sentAs(match.Key{Ctx: p.Ctx, Src: p.Src, Tag: p.Tag}, peer, send); i != fast.NoRequest {
		c.e.discard(i)
		gone = 1
	}
	c.e.answer(peer, withdrawn, send, gone, 0)
}

// arriveWithdrawn deals with the receiver's answer.
func (c *cancels) arriveWithdrawn(peer int, p *transport.Packet, _ uintptr) {
	r := c.e.named(peer, p, p.Ctx, request.Send, allStates)
	taken, pending := c.asked[r]
	if !pending {
		c.e.Malformed(peer, "a malformed packet: the message of request %d is not being cancelled", p.Ctx)
	}
	delete(c.asked, r)
	if p.Tag != 0 {
		c.succeed(r)
	} else if taken {
		c.e.finish(r, nil)
	}
}

// taken notes that the receiver has the data of r, or will have without r's help.
func (c *core) taken(r *request.Request) {
	if c.cancels.pending(r) {
		c.cancels.asked[r] = true
		return
	}
	c.finish(r, nil)
}

// sentAs is the message that send number send of a peer has sent; fast.NoRequest when it is not here any
// more.
func (u *unexpected) sentAs(k match.Key, peer int, send uint32) uint32 {
	return u.endpoint.SentAs(k.Ctx, k.Src, k.Tag, send,
		func(t *fast.Unexpected) bool { return u.sender(t) == peer })
}
