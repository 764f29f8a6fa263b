package mpi

import (
	"gompi/runtime/check"
	"gompi/runtime/request"
	"gompi/runtime/tool"
)

// GOMPI_CHECK: what becomes of requests.

// tracked is an operation behind a request.
type tracked struct {
	operation  *check.Operation
	running    *check.Operation // nil when it is inactive or known to be complete
	persistent bool
	started    bool
	receives   bool             // a message
	parts      *partitionedSend // of a partitioned send; nil otherwise
	accessing  *accessing       // of an operation of a window; nil otherwise
	cancelled  check.Place
}

// track notes an operation under the handle of its request.
func (k *checks) track(handle uintptr, t *tracked) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.requests[handle] = t
}

// tracked is the operation behind a handle; nil when it is not known.
func (k *checks) tracked(handle uintptr) *tracked {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.requests[handle]
}

// over follows a call that has found a request complete. It comes before the handle is taken away.
func over(cell RequestCell) {
	k := checking.Load()
	if k == nil {
		return
	}
	handle := LoadWord(uintptr(cell))
	if t := k.tracked(handle); t != nil {
		k.stop(t)
		if !t.persistent {
			k.forget(handle)
		}
	}
}

// known follows a call that has found a request complete and leaves it alone.
func known(r *request.Request) {
	k := checking.Load()
	if k == nil {
		return
	}
	if t := k.tracked(requestHandle(r)); t != nil {
		k.stop(t)
	}
}

func (k *checks) stop(t *tracked) {
	k.mu.Lock()
	o := t.running
	t.running, t.cancelled = nil, check.Place{}
	var parts []*check.Operation
	if t.parts != nil {
		parts, t.parts.ready = t.parts.ready, nil
	}
	k.mu.Unlock()
	if o != nil {
		if k.ended(o); t.accessing != nil {
			t.accessing.completed()
		}
	}
	for _, o := range parts {
		k.ended(o)
	}
}

func (k *checks) forget(handle uintptr) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.requests, handle)
}

// startingRequest comes before a persistent request is started.
func startingRequest(cell RequestCell) {
	k := checking.Load()
	if k == nil {
		return
	}
	t := k.tracked(LoadWord(uintptr(cell)))
	if t == nil || t.running != nil {
		return
	}
	o := t.operation.Restarted(k.here())
	o.Text += ", made by " + k.Spell(t.operation.Place)
	k.mu.Lock()
	t.running, t.started = o, true
	k.mu.Unlock()
	if within := k.under(o, true); within != nil {
		within()
	}
}

// freeing comes before MPI_Request_free.
func freeing(cell RequestCell) {
	k := checking.Load()
	if k == nil {
		return
	}
	handle := LoadWord(uintptr(cell))
	t := k.tracked(handle)
	if t == nil {
		return
	}
	k.mu.Lock()
	o, receives := t.running, t.receives
	k.mu.Unlock()
	if o != nil {
		k.release(o)
		if receives && k.kinds.Has(tool.CheckRequests) {
			k.Report(tool.CheckRequests.Name(), k.here(), o.Place,
				"the request of %s (%s) is freed while it is active: nobody can know when the buffer may be used", o.Text)
		}
	}
	k.forget(handle)
}

// waits comes before a call waits for one request.
func waits(cell RequestCell) {
	k := checking.Load()
	if k == nil || !k.kinds.Has(tool.CheckRequests) {
		return
	}
	if t := k.tracked(LoadWord(uintptr(cell))); t != nil && t.persistent && !t.started {
		k.Report(tool.CheckRequests.Name(), k.here(), t.operation.Place,
			"the request of %s (%s) has never been started", t.operation.Text)
	}
}

// cancelling comes before MPI_Cancel.
func cancelling(cell RequestCell) {
	k := checking.Load()
	if k == nil {
		return
	}
	if t := k.tracked(LoadWord(uintptr(cell))); t != nil {
		at := k.here()
		k.mu.Lock()
		t.cancelled = at
		k.mu.Unlock()
	}
}

// leakedRequest describes the operation of a request that the program has never completed or freed; kind is
// what is known of it otherwise.
func leakedRequest(kind string, handle uintptr) string {
	k := checking.Load()
	if k == nil {
		return kind
	}
	t := k.tracked(handle)
	if t == nil {
		return kind
	}
	kind += ", made by " + k.Spell(t.operation.Place)
	if t.operation.Text != "" {
		kind += " (" + t.operation.Text + ")"
	}
	if t.cancelled != (check.Place{}) {
		kind += ", cancelled by " + k.Spell(t.cancelled) + " and not completed"
	}
	return kind
}
