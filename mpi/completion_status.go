package mpi

import (
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
)

// What Request_get_status and its kin tell: the end of requests, which stay as they are (MPI 5.0, 3.7.6).

// peekBatch takes the requests of the cells and makes some progress for those that are not done.
func peekBatch(cells RequestArray, count int) (*batch, error) {
	b, err := newBatch(cells, count, false)
	if err == nil {
		engine().Advance()
	}
	return b, err
}

// ended reports whether a request is done or needs no waiting for, with the status that a completion call
// would report.
func ended(r *request.Request, st *request.Status) bool {
	if r == nil || r.Inactive() {
		*st = request.Null
		return true
	}
	done, err := engine().Peek(r, st)
	if done {
		st.Error = int32(mpierr.CodeOf(err))
		known(r)
	}
	return done
}

func RequestGetStatusAll(count int, cells RequestArray, statuses StatusArray) (bool, error) {
	if cells.pending(count, false) {
		return false, nil
	}
	b, err := peekBatch(cells, count)
	if err != nil {
		return false, err
	}
	defer b.free()
	var st request.Status
	for _, r := range b.requests {
		if !ended(r, &st) {
			engine().InVain(p2p.OneOf(r, b.requests))
			return false, nil
		}
	}
	failed := false
	for i, r := range b.requests {
		ended(r, &st)
		failed = failed || st.Error != 0
		statuses.set(i, &st, failed)
	}
	return true, nil
}

func RequestGetStatusAny(count int, cells RequestArray, st *request.Status) (int, bool, error) {
	if cells.pending(count, true) {
		return undefined, false, nil
	}
	b, err := peekBatch(cells, count)
	if err != nil {
		return undefined, false, err
	}
	defer b.free()
	none := true
	for i, r := range b.requests {
		if r == nil || r.Inactive() {
			continue
		}
		if none = false; ended(r, st) {
			return i, true, nil
		}
	}
	if none {
		*st = request.Null
	} else {
		engine().InVain(p2p.AnyOf(b.requests))
	}
	return undefined, none, nil
}

func RequestGetStatusSome(count int, cells RequestArray, indices IntArray,
	statuses StatusArray) (int, error) {
	if cells.pending(count, true) {
		return 0, nil
	}
	b, err := peekBatch(cells, count)
	if err != nil {
		return undefined, err
	}
	defer b.free()
	n, none := 0, true
	for i, r := range b.requests {
		if r == nil || r.Inactive() {
			continue
		}
		none = false
		var st request.Status
		if ended(r, &st) {
			indices.set(n, int64(i))
			statuses.set(n, &st, st.Error != 0)
			n++
		}
	}
	if none {
		return undefined, nil
	}
	if n == 0 {
		engine().InVain(p2p.AnyOf(b.requests))
	}
	return n, nil
}
