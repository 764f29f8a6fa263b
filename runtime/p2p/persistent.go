package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// SendInit makes a persistent send (MPI_Send_init and MPI_Ssend_init, MPI 5.0, 3.9). It is inactive until
// Start. sync says that it completes only once the receive has been found.
func (e *Engine) SendInit(x *Context, b datatype.Buffer, dst, tag int, sync bool) (*request.Request, error) {
	e.lock()
	defer e.unlock()
	r, err := e.NewSend(x, b, dst, tag)
	if err == nil {
		r.Plan, r.Sync = &request.Plan{Null: dst == ProcNull, Peer: r.Peer}, sync
	}
	return r, err
}

// RecvInit makes a persistent receive (MPI_Recv_init, MPI 5.0, 3.9). It is inactive until Start.
func (e *Engine) RecvInit(x *Context, b datatype.Buffer, src, tag int) (*request.Request, error) {
	e.lock()
	defer e.unlock()
	r, err := e.get(request.Recv)
	if err == nil {
		r.Plan = &request.Plan{Null: src == ProcNull}
		e.expect(r, x, b, src, tag)
	}
	return r, err
}

// Start starts a persistent request (MPI_Start, MPI 5.0, 3.9).
func (e *Engine) Start(r *request.Request) (err error) {
	e.lock()
	defer e.unlock()
	switch {
	case r.Plan == nil:
		return mpierr.New(mpierr.ErrRequest, "the request is not persistent, so it cannot be started")
	case r.Active:
		return mpierr.New(mpierr.ErrRequest, "the persistent request is active: it has to be completed before it is started again")
	}
	e.handleFailures()
	r.Active, r.Done, r.Err = true, false, nil
	r.Status = request.Empty
	e.leaveInner(r)
	r.State, r.Moved, r.Remote = request.Idle, 0, 0
	switch {
	case r.Kind == request.Composite:
		err = e.Ops.start(r)
	case r.Plan.Null:
		if r.Kind == request.Recv {
			r.Status = procNullStatus
		}
		r.Done = true
	case r.Kind == request.Recv:
		r.Peer, r.Bytes = -1, 0
		e.seek(r)
	default:
		if r.Peer = r.Plan.Peer; r.Plan.Starter == nil {
			e.begin(r, false)
		} else {
			err = r.Plan.Starter.Start(r)
		}
	}
	if err != nil {
		r.Active = false
	}
	return err
}

// IsInactive reports whether a handle names a persistent request of the stubs that is not active.
func (d *records) IsInactive(handle uintptr) bool {
	d.lock()
	defer d.unlock()
	return d.endpoint.IsInactive(handle)
}

// Begun reports whether the stub of MPI_Startall has started r already, and forgets it.
func (d *records) Begun(r *request.Request) bool {
	d.lock()
	defer d.unlock()
	t := d.record(r)
	begun := t.Flags&fast.Begun != 0
	t.Flags &^= fast.Begun
	return begun
}

// deactivate makes a persistent request that is done inactive.
func (d *records) deactivate(r *request.Request) {
	if d.giveBack(r) {
		return
	}
	r.Active, r.Done, r.Err = false, false, nil
	r.Status = request.Empty
	r.Staged, r.Signed = nil, false
}

// Free gives up the user's hold on r: an operation that is under way ends as usual (MPI_Request_free, MPI
// 5.0, 3.7.3).
func (e *Engine) Free(r *request.Request) error {
	e.lock()
	defer e.unlock()
	if r.Done || r.Inactive() {
		var err error
		if r.Op != nil && r.Done {
			err = e.end(r, nil)
		}
		e.put(r)
		return err
	}
	if _, ok := request.Behind(r.Op).(Pairwise); ok {
		return mpierr.New(mpierr.ErrRequest, "the partitioned request is active: it has to be completed before it is freed")
	}
	r.Orphan, r.Then = true, true
	return nil
}
