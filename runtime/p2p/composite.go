package p2p

import (
	"slices"

	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// Requests of kind Composite: operations of other chapters, which this package carries on without knowing
// what they are.

// Begin starts op and returns the request that stands for it. ctx is a context of the communicator whose
// error handler is told of failures.
func (e *Engine) Begin(op request.Operation, ctx uint32) (*request.Request, error) {
	e.lock()
	defer e.unlock()
	r, err := e.composite(op, ctx)
	if err == nil {
		e.advance(r)
	}
	return r, err
}

// Prepare makes a persistent request that stands for op. It is inactive until Start.
func (e *Engine) Prepare(op request.Operation, ctx uint32) (*request.Request, error) {
	e.lock()
	defer e.unlock()
	r, err := e.composite(op, ctx)
	if err == nil {
		r.Plan = new(request.Plan)
	}
	return r, err
}

func (e *Engine) composite(op request.Operation, ctx uint32) (*request.Request, error) {
	r, err := e.get(request.Composite)
	if err == nil {
		r.Op, r.Key.Ctx, r.Status = op, ctx, request.Empty
	}
	return r, err
}

func (e *Engine) startComposite(r *request.Request) error {
	if op, ok := r.Op.(request.Starter); ok {
		if err := op.Start(r); err != nil {
			r.Active = false
			return err
		}
	}
	e.advance(r)
	if e.trouble && !r.Done {
		e.judge(r)
	}
	return nil
}

// advance goes on with r until it waits for something. r may be gone afterwards. It returns true when
// anything was begun or ended.
func (e *Engine) advance(r *request.Request) (moved bool) {
	for {
		before := r.Begun
		r.Left++ // one for this function, so that parts that end at once do not call it again
		done, err := r.Op.Advance(r)
		r.Left--
		if err != nil && r.Err == nil {
			r.Err = err
		}
		if done || err != nil {
			e.wind(r)
			return true
		}
		if r.Begun == before {
			return moved
		}
		if moved = true; r.Left > 0 {
			return true
		}
	}
}

// partDone takes note that a part of p has ended, and gives it back.
func (e *Engine) partDone(p, part *request.Request) {
	err := part.Err
	if err == nil && part.Kind == request.Recv && part.Status.Bytes != part.Buf.Bytes() {
		err = mpierr.New(mpierr.ErrTruncate, "rank %d contributes %d bytes where this rank expects %d", part.Status.Source, part.Status.Bytes, part.Buf.Bytes())
	}
	if p.Err == nil {
		p.Err = err
	}
	e.Pool.Put(part)
	if p.Left--; p.Left > 0 {
		return
	}
	if p.State == request.Ending {
		e.finish(p, nil)
	} else {
		e.advance(p)
	}
}

// PartSend starts to send b to rank dst as a part of the composite request p. It is called by Advance; a
// failure is in p.Err.
func (e *Engine) PartSend(p *request.Request, x *Context, b datatype.Buffer, dst, tag int) {
	p.Begun++
	if dst == ProcNull {
		return
	}
	peer, n := x.Peers.Of(dst), b.Bytes()
	if n <= e.to(peer).eager && peer != e.me && e.peers[peer].out.empty() && !e.trouble {
		if sent, err := e.sendEager(x, b, n, peer, tag); sent {
			if p.Err == nil {
				p.Err = err
			}
			return
		}
	}
	if r := e.part(p, request.Send); r != nil {
		r.Bytes, r.Peer = n, peer
		address(r, x, b, tag)
		e.begin(r, false)
	}
}

// PartRecv starts to receive a message of rank src as a part of the composite request p. It is called by
// Advance. The message has to be exactly as long as b; a failure is in p.Err.
func (e *Engine) PartRecv(p *request.Request, x *Context, b datatype.Buffer, src, tag int) {
	p.Begun++
	if src == ProcNull {
		return
	}
	if r := e.part(p, request.Recv); r != nil {
		r.Buf, r.Self, r.Peer, r.Key = b, int32(x.Rank), -1, pattern(x, src, tag)
		e.seek(r)
	}
}

func (e *Engine) part(p *request.Request, kind request.Kind) *request.Request {
	r, err := e.get(kind)
	if err != nil {
		if p.Err == nil {
			p.Err = err
		}
		return nil
	}
	r.Then, r.Parent = true, p
	p.Left++
	return r
}

// Follow has by go along with the operation of r, which another chapter has begun or prepared. What is done
// already has come to its end: by ends, and is released.
func (e *Engine) Follow(r *request.Request, by request.Follower) {
	e.lock()
	defer e.unlock()
	if r.Op != nil && (r.Plan != nil || !r.Done) {
		f := &request.Followed{Operation: r.Op, By: by}
		if r.State == request.Ending { // its last parts are under way; by comes behind them
			f.Over, r.State = true, request.Idle
		}
		r.Op = f
		return
	}
	if r.Err == nil {
		by.End()
	}
	by.Release()
}

// Watch has every poll go on with r until it is done: for operations that wait for words in shared memory,
// whose writers ring this rank's doorbell. It is called by Advance.
func (e *Engine) Watch(r *request.Request) {
	if r.State == request.Watched {
		return
	}
	r.State = request.Watched
	e.watched = append(e.watched, r)
	e.endpoint.Waiting++
	e.endpoint.Watched++
}

// pollOthers deals with what comes by other ways than packets. It returns false when there was nothing.
func (e *Engine) pollOthers() (moved bool) {
	if e.deliveries.Load() != nil {
		moved = e.takeDeliveries()
	}
	if e.endpoint.Collectives > 0 {
		e.ResumeCollectives()
	}
	if len(e.watched) > 0 && e.advanceWatched() {
		moved = true
	}
	if e.eventsPending && !e.delivering {
		e.tell()
		moved = true
	}
	return moved
}

// advanceWatched goes on with all requests that are watched, the youngest first: those that end leave the
// list.
func (e *Engine) advanceWatched() (moved bool) {
	for i := len(e.watched) - 1; i >= 0; i-- {
		if e.advance(e.watched[i]) {
			moved = true
		}
	}
	return moved
}

// Defer has nothing go on with r until Watch is called for it: for operations that wait for others of this
// rank. It is called by Advance.
func (e *Engine) Defer(r *request.Request) { r.State = request.Deferred }

// wind has r begin nothing more, and end when its parts have ended.
func (e *Engine) wind(r *request.Request) {
	if r.State == request.Watched {
		e.unwatch(r)
	}
	r.State = request.Ending
	if r.Left == 0 {
		e.finish(r, nil)
	}
}

func (e *Engine) unwatch(r *request.Request) {
	i := slices.Index(e.watched, r)
	e.watched = slices.Delete(e.watched, i, i+1)
	e.endpoint.Waiting--
	e.endpoint.Watched--
}

// Complete says that r is done, for an operation that has no parts and is carried out by the user
// (MPI_Grequest_complete, MPI 5.0, 13.2). When the user has freed r before, this is its end.
func (e *Engine) Complete(r *request.Request) error {
	e.lock()
	if r.Done {
		e.unlock()
		return mpierr.New(mpierr.ErrRequest, "the request has been completed before")
	}
	op, freed := r.Op, r.Orphan
	e.finish(r, nil)
	e.unlock()
	if op, ok := op.(request.Ender); ok && freed {
		return op.End()
	}
	return nil
}

// delivery is the news that a composite request is done.
type delivery struct {
	r    *request.Request
	st   request.Status
	err  error
	next *delivery
}

// Deliver says that r is done, with this status and error. It may be called from any goroutine and thread, at
// every thread level, for an operation that has no parts under way and will begin none.
func (e *Engine) Deliver(r *request.Request, st request.Status, err error) {
	d := &delivery{r: r, st: st, err: err}
	for {
		d.next = e.deliveries.Load()
		if e.deliveries.CompareAndSwap(d.next, d) {
			break
		}
	}
	e.waiter.Nudge()
}

func (e *Engine) takeDeliveries() bool {
	d := e.deliveries.Swap(nil)
	for ; d != nil; d = d.next {
		d.r.Status = d.st
		e.finish(d.r, d.err)
	}
	return true
}
