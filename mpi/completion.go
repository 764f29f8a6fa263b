package mpi

import (
	"errors"
	"slices"
	"sync"

	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
)

// The Wait and Test family (MPI 5.0, 3.7.3 to 3.7.6).

// locate gives an error of requests the error handler of the first request's communicator, unless it says
// itself whose error it is.
func locate(context uint32, err error) error {
	if err == nil {
		return nil
	}
	return object.Locate(ownerOf(context), err)
}

// lost reports whether an operation ended because a peer has died, or may not end because one has failed, so
// that its request could not be given back.
func lost(err error) bool {
	if err == nil {
		return false
	}
	var e *mpierr.Error
	return errors.As(err, &e) && (e.Class == mpierr.ErrProcAborted || e.Class == mpierr.ErrProcFailedPending)
}

// keepsSome reports whether some requests of a call that waits for several are still under way.
func keepsSome(err error) bool {
	if err == nil {
		return false
	}
	var some *p2p.Kept
	return errors.As(err, &some)
}

func Wait(cell RequestCell, st *request.Status) error {
	r, err := cell.load()
	if r == nil {
		*st = request.Null
		return err
	}
	waits(cell)
	context, stays := r.Key.Ctx, r.Persistent()
	err = engine().Wait(r, st)
	if !lost(err) {
		over(cell)
	}
	if !stays && !lost(err) {
		cell.clear()
	}
	return locate(context, err)
}

// pending asks for requests all of which the stubs have begun, and reports whether that was in vain. They are
// left to the stubs then: the next questions need no call into Go. one says that the call asks for one of
// them, and otherwise for all.
func (a RequestArray) pending(count int, one bool) bool {
	return engine().StillPending(count, uintptr(a), one)
}

func Test(cell RequestCell, st *request.Status) (bool, error) {
	if RequestArray(cell).pending(1, true) {
		return false, nil
	}
	r, err := cell.load()
	if r == nil {
		*st = request.Null
		return true, err
	}
	context, stays := r.Key.Ctx, r.Persistent()
	done, err := engine().Test(r, st)
	if done {
		over(cell)
	}
	if done && !stays && !lost(err) {
		cell.clear()
	}
	return done, locate(context, err)
}

// batch is the requests and statuses of one call. It comes from a pool, so that calls with many requests
// allocate nothing either.
type batch struct {
	requests []*request.Request
	stays    []bool           // persistent requests keep their handles
	statuses []request.Status // nil when nobody wants them
	context  uint32           // of the first request
	room     []request.Status
}

var batches = sync.Pool{New: func() any { return new(batch) }}

// newBatch takes the requests of the cells. The caller gives the batch back with free.
func newBatch(cells RequestArray, count int, withStatuses bool) (*batch, error) {
	b := batches.Get().(*batch)
	b.requests = slices.Grow(b.requests[:0], count)
	b.stays = slices.Grow(b.stays[:0], count)
	b.statuses = nil
	if withStatuses {
		b.room = slices.Grow(b.room[:0], count)
		b.statuses = b.room[:count]
	}
	located := false
	for i := range count {
		if cells.at(i).passed() { // as if it were null, but that it stays
			b.requests, b.stays = append(b.requests, nil), append(b.stays, true)
			continue
		}
		r, err := cells.at(i).load()
		if err != nil {
			b.free()
			return nil, mpierr.New(mpierr.ErrRequest, "array_of_requests[%d] is %#x, which is not a request, or it has been freed", i, LoadWord(uintptr(cells.at(i))))
		}
		if r != nil && !located {
			located, b.context = true, r.Key.Ctx
		}
		b.requests = append(b.requests, r)
		b.stays = append(b.stays, r != nil && r.Persistent())
	}
	if i := b.twice(); i >= 0 {
		b.free()
		return nil, mpierr.New(mpierr.ErrRequest, "array_of_requests[%d] is %#x, a request that stands in the array before", i, LoadWord(uintptr(cells.at(i))))
	}
	return b, nil
}

// passed reports whether the cell names a persistent request of the stubs that is not active.
func (c RequestCell) passed() bool {
	return engine().IsInactive(LoadWord(uintptr(c)))
}

// twice is the index of an active request that the array holds for the second time, -1 if there is none: it
// would be given back twice.
func (b *batch) twice() int {
	second := -1
	for i, r := range b.requests {
		switch {
		case r == nil || r.Inactive():
		case r.Listed && second < 0:
			second = i
		default:
			r.Listed = true
		}
	}
	for _, r := range b.requests {
		if r != nil {
			r.Listed = false
		}
	}
	return second
}

func (b *batch) free() { batches.Put(b) }

// release takes the handle of a request away that has been completed.
func (b *batch) release(cells RequestArray, i int) {
	over(cells.at(i))
	if !b.stays[i] {
		cells.at(i).clear()
	}
}

// store writes what the calls for all of the requests report, and takes the handles away.
func (b *batch) store(cells RequestArray, statuses StatusArray, err error) error {
	if lost(err) {
		return locate(b.context, err)
	}
	kept := keepsSome(err)
	for i := range b.requests {
		if !kept || b.requests[i] == nil {
			b.release(cells, i)
		}
	}
	for i := range b.statuses {
		statuses.set(i, &b.statuses[i], err != nil)
	}
	return locate(b.context, err)
}

func Waitall(count int, cells RequestArray, statuses StatusArray) error {
	b, err := newBatch(cells, count, !statuses.ignored())
	if err != nil {
		return err
	}
	defer b.free()
	return b.store(cells, statuses, engine().WaitAll(b.requests, b.statuses))
}

func Testall(count int, cells RequestArray, statuses StatusArray) (bool, error) {
	if cells.pending(count, false) {
		return false, nil
	}
	b, err := newBatch(cells, count, !statuses.ignored())
	if err != nil {
		return false, err
	}
	defer b.free()
	done, err := engine().TestAll(b.requests, b.statuses)
	if !done {
		return false, locate(b.context, err)
	}
	return true, b.store(cells, statuses, err)
}

func Waitany(count int, cells RequestArray, st *request.Status) (int, error) {
	b, err := newBatch(cells, count, false)
	if err != nil {
		return undefined, err
	}
	defer b.free()
	i, err := engine().WaitAny(b.requests, st)
	return b.one(cells, i, st, err)
}

func Testany(count int, cells RequestArray, st *request.Status) (int, bool, error) {
	if cells.pending(count, true) {
		return undefined, false, nil
	}
	b, err := newBatch(cells, count, false)
	if err != nil {
		return undefined, false, err
	}
	defer b.free()
	i, ok, err := engine().TestAny(b.requests, st)
	if !ok {
		if i < 0 {
			i = undefined
		}
		return i, false, locate(b.context, err)
	}
	i, err = b.one(cells, i, st, err)
	return i, true, err
}

// one takes away the handle of the request that a call completed; i is -1 when there was none to complete.
func (b *batch) one(cells RequestArray, i int, st *request.Status, err error) (int, error) {
	if i < 0 {
		*st = request.Null
		return undefined, locate(b.context, err)
	}
	if !lost(err) {
		b.release(cells, i)
	}
	return i, locate(b.context, err)
}

func Waitsome(count int, cells RequestArray, indices IntArray, statuses StatusArray) (int, error) {
	return some(count, cells, indices, statuses, true)
}

func Testsome(count int, cells RequestArray, indices IntArray, statuses StatusArray) (int, error) {
	if cells.pending(count, true) {
		return 0, nil
	}
	return some(count, cells, indices, statuses, false)
}

// some completes all requests that are done, after waiting for the first if wait.
func some(count int, cells RequestArray, indices IntArray, statuses StatusArray, wait bool) (int, error) {
	b, err := newBatch(cells, count, false)
	if err != nil {
		return undefined, err
	}
	defer b.free()
	e, n := engine(), 0
	var failed error
	take := func(i int, st request.Status, err error) {
		st.Error = int32(mpierr.CodeOf(err))
		if err != nil && failed == nil {
			failed = err
		}
		statuses.set(n, &st, true)
		indices.set(n, int64(i))
		if !lost(err) {
			b.release(cells, i)
		}
		b.requests[i] = nil
		n++
	}
	active := false
	for _, r := range b.requests {
		active = active || r != nil && !r.Inactive()
	}
	if !active {
		return undefined, nil
	}
	var st request.Status
	if wait {
		i, err := e.WaitAny(b.requests, &st)
		if i < 0 {
			return undefined, locate(b.context, err)
		}
		take(i, st, err)
	} else {
		e.Advance()
	}
	for i, r := range b.requests {
		if r != nil && e.Done(r) {
			_, err := e.Test(r, &st)
			take(i, st, err)
		}
	}
	if n == 0 {
		e.InVain(p2p.AnyOf(b.requests))
	}
	if failed != nil {
		return n, locate(b.context, mpierr.New(mpierr.ErrInStatus, "%v", failed))
	}
	return n, nil
}

// RequestGetStatus reports whether a request is done and leaves it alone.
func RequestGetStatus(r *request.Request, st *request.Status) (bool, error) {
	if r == nil || r.Inactive() {
		*st = request.Null
		return true, nil
	}
	e := engine()
	if done, _ := e.Peek(r, st); done {
		known(r)
		return true, nil
	}
	if !e.Ask(r) {
		return false, nil
	}
	known(r)
	done, _ := e.Peek(r, st)
	return done, nil
}
