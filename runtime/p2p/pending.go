package p2p

import (
	"slices"

	"gompi/runtime/fast"
	"gompi/runtime/request"
)

// Pending reports whether anything is on its way in the n contexts from first on: a request that is not given
// back, or a message that nobody has received.
func (e *Engine) Pending(first, n uint32) bool {
	e.lock()
	defer e.unlock()
	return e.anyRequest(first, n) || slices.ContainsFunc(e.endpoint.InOrder(),
		func(i uint32) bool { return e.endpoint.Message(i).Ctx-first < n })
}

// anyRequest reports whether a request belongs to the n contexts from first on.
func (d *records) anyRequest(first, n uint32) bool {
	left := d.endpoint.InUse
	for i := uint32(0); left > 0; i++ {
		t := d.endpoint.Request(i)
		ctx := t.Ctx &^ PartitionContexts
		switch t.State {
		case fast.Free:
			continue
		case fast.Extended, fast.ExtendedPosted:
			ctx = d.Pool.At(i).Key.Ctx
		}
		if ctx-first < n {
			return true
		}
		left--
	}
	return false
}

// Requests calls f for each request that the program has not given up, those of the library's own left out.
func (d *records) Requests(f func(*request.Request)) {
	d.lock()
	defer d.unlock()
	d.extendWaiting()
	for i := range d.endpoint.RequestsMade {
		d.extend(i)
	}
	d.Pool.Any(func(r *request.Request) bool {
		if r.Parent == nil && !r.Orphan {
			f(r)
		}
		return false
	})
}

// WhilePosted calls f with the engine's lock held if r is a receive that waits for its message.
func (d *records) WhilePosted(r *request.Request, f func()) {
	d.lock()
	defer d.unlock()
	if d.isPosted(r) {
		f()
	}
}

// Quiet waits until no request that is on its way belongs to the n contexts from first on. Requests that the
// program has not completed, and persistent ones that are not started, may stay.
func (e *Engine) Quiet(first, n uint32) error {
	e.lock()
	defer e.unlock()
	e.extendWaiting()
	return wait(e, quiet{e, first, n}, 0)
}

// quiet is the condition that Quiet waits for.
type quiet struct {
	e        *Engine
	first, n uint32
}

// Ready implements Condition.
func (q quiet) Ready() bool {
	return !q.e.Pool.Any(func(r *request.Request) bool {
		return r.Key.Ctx-q.first < q.n && !r.Done && !r.Inactive()
	})
}

// Unreceived calls f for the messages that have come and that no receive was posted for, as long as it
// returns true.
func (e *Engine) Unreceived(f func(*Unexpected) bool) {
	e.lock()
	defer e.unlock()
	e.extendWaiting()
	for e.poll() {
	}
	e.eachUnexpected(f)
}
