package p2p

import (
	"slices"
	"sync/atomic"

	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// Requests of kind Composite: operations of other chapters, which this package carries on without knowing
// what they are.

// Operations carries on such requests.
type Operations struct {
	e          *Engine
	watched    []*request.Request       // every poll goes on with them
	deliveries atomic.Pointer[delivery] // what other threads have done
}

// Begin starts op and returns the request that stands for it. ctx is a context of the communicator whose
// error handler is told of failures.
func (o *Operations) Begin(op request.Operation, ctx uint32) (*request.Request, error) {
	o.e.lock()
	defer o.e.unlock()
	r, err := o.make(op, ctx)
	if err == nil {
		o.Resume(r)
	}
	return r, err
}

// Prepare makes a persistent request that stands for op. It is inactive until Start.
func (o *Operations) Prepare(op request.Operation, ctx uint32) (*request.Request, error) {
	o.e.lock()
	defer o.e.unlock()
	r, err := o.make(op, ctx)
	if err == nil {
		r.Plan = new(request.Plan)
	}
	return r, err
}

func (o *Operations) make(op request.Operation, ctx uint32) (*request.Request, error) {
	r, err := o.e.get(request.Composite)
	if err == nil {
		r.Op, r.Key.Ctx, r.Status = op, ctx, request.Empty
	}
	return r, err
}

// start begins a round of a persistent request.
func (o *Operations) start(r *request.Request) error {
	if op, ok := r.Op.(request.Starter); ok {
		if err := op.Start(r); err != nil {
			return err
		}
	}
	o.Resume(r)
	if o.e.anyFailed && !r.Done {
		o.e.judge(r)
	}
	return nil
}

// Resume goes on with r until it waits for something. r may be gone afterwards. It returns true when anything
// was begun or ended. The engine's lock is held.
func (o *Operations) Resume(r *request.Request) (moved bool) {
	for {
		before := r.Begun
		r.Left++ // one for this function, so that parts that end at once do not call it again
		done, err := r.Op.Advance(r)
		r.Left--
		if err != nil && r.Err == nil {
			r.Err = err
		}
		if done || err != nil {
			o.wind(r)
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

// follow does what the end of r brings about: memory of an attached buffer is free again, the request that r
// is a part of may be done, a request that nobody waits for is given back. r is not to be used afterwards.
func (o *Operations) follow(r *request.Request) {
	anySize := false
	if r.Storage != nil {
		if s, ok := r.Storage.(request.Sized); ok {
			s.Took(r.Status.Bytes)
			anySize = true
		}
		r.Storage.Release()
		r.Storage = nil
	}
	p := r.Parent
	switch {
	case p == nil:
		if r.Orphan {
			o.e.put(r)
		}
	case p.Kind == request.Composite:
		o.partDone(p, r, anySize)
	default:
		if r.Kind == request.Recv || r.Status.Cancelled {
			p.Status = r.Status
		}
		if p.Err == nil {
			p.Err = r.Err
		}
		o.e.Pool.Put(r)
		if p.Left--; p.Left == 0 {
			o.e.finish(p, p.Err)
		}
	}
}

// partDone takes note that a part of p has ended, and gives it back. A message has to have the size that was
// expected, unless it may have any.
func (o *Operations) partDone(p, part *request.Request, anySize bool) {
	err := part.Err
	if err == nil && !anySize && part.Kind == request.Recv && part.Status.Bytes != part.Buf.Bytes() {
		err = mpierr.New(mpierr.ErrTruncate, "rank %d contributes %d bytes where this rank expects %d", part.Status.Source, part.Status.Bytes, part.Buf.Bytes())
	}
	if p.Err == nil {
		p.Err = err
	}
	o.e.Pool.Put(part)
	if p.Left--; p.Left > 0 {
		return
	}
	if p.State == request.Ending {
		o.e.finish(p, nil)
	} else {
		o.Resume(p)
	}
}

// PartSend starts to send b to rank dst as a part of the composite request p. It is called by Advance; a
// failure is in p.Err.
func (o *Operations) PartSend(p *request.Request, x *Context, b datatype.Buffer, dst, tag int) {
	p.Begun++
	if dst == ProcNull {
		return
	}
	if r := o.part(p, request.Send); r != nil {
		address(r, x, b, b.Bytes(), x.Peers.Of(dst), tag)
		o.e.begin(r, false)
	}
}

// PartRecv starts to receive a message of rank src as a part of the composite request p. It is called by
// Advance. The message has to be exactly as long as b, unless then is request.Sized; a failure is in p.Err.
// then, if not nil, is released when the message has come.
func (o *Operations) PartRecv(p *request.Request, x *Context, b datatype.Buffer, src, tag int,
	then request.Storage) {
	p.Begun++
	if src == ProcNull {
		return
	}
	if r := o.part(p, request.Recv); r != nil {
		r.Storage = then
		o.e.expect(r, x, b, src, tag)
		o.e.seek(r)
	}
}

// part makes the request of a part of p; nil when there are too many.
func (o *Operations) part(p *request.Request, kind request.Kind) *request.Request {
	r, err := o.e.get(kind)
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
func (o *Operations) Follow(r *request.Request, by request.Follower) {
	o.e.lock()
	defer o.e.unlock()
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
func (o *Operations) Watch(r *request.Request) {
	if r.State == request.Watched {
		return
	}
	r.State = request.Watched
	o.watched = append(o.watched, r)
	o.e.endpoint.Waiting++
	o.e.endpoint.Watched++
}

// Defer has nothing go on with r until Watch is called for it: for operations that wait for others of this
// rank. It is called by Advance.
func (o *Operations) Defer(r *request.Request) { r.State = request.Deferred }

// poll goes on with all requests that are watched, the youngest first, since those that end leave the list,
// and ends those that other threads have done. It returns false when there was nothing.
func (o *Operations) poll() (moved bool) {
	if o.deliveries.Load() != nil {
		moved = true
		for d := o.deliveries.Swap(nil); d != nil; d = d.next {
			d.r.Status = d.st
			o.e.finish(d.r, d.err)
		}
	}
	if o.e.endpoint.Collectives > 0 {
		o.e.ResumeCollectives()
	}
	if o.e.endpoint.Partial > 0 {
		o.e.extendPartial()
	}
	for i := len(o.watched) - 1; i >= 0; i-- {
		if o.Resume(o.watched[i]) {
			moved = true
		}
	}
	return moved
}

// Unwatch has polls leave r alone again.
func (o *Operations) Unwatch(r *request.Request) {
	if r.State != request.Watched {
		return
	}
	r.State = request.Idle
	i := slices.Index(o.watched, r)
	o.watched = slices.Delete(o.watched, i, i+1)
	o.e.endpoint.Waiting--
	o.e.endpoint.Watched--
}

// wind has r begin nothing more, and end when its parts have ended.
func (o *Operations) wind(r *request.Request) {
	o.Unwatch(r)
	r.State = request.Ending
	if r.Left == 0 {
		o.e.finish(r, nil)
	}
}

// Complete says that r is done, for an operation that has no parts and is carried out by the user
// (MPI_Grequest_complete, MPI 5.0, 13.2). When the user has freed r before, this is its end.
func (o *Operations) Complete(r *request.Request) error {
	o.e.lock()
	if r.Done {
		o.e.unlock()
		return mpierr.New(mpierr.ErrRequest, "the request has been completed before")
	}
	op, freed := r.Op, r.Orphan
	o.e.finish(r, nil)
	o.e.unlock()
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
func (o *Operations) Deliver(r *request.Request, st request.Status, err error) {
	d := &delivery{r: r, st: st, err: err}
	for {
		d.next = o.deliveries.Load()
		if o.deliveries.CompareAndSwap(d.next, d) {
			break
		}
	}
	o.e.waiter.Nudge()
}
