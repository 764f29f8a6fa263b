package fast

// The calls that wait for one of several operations or more, or ask for them (MPI 5.0, 3.7.5).

// What firstDone finds where no request is done.
const (
	noneYet    int32 = -1
	noneNow    int32 = -2 // package p2p has to look: one is not of this package
	noneActive int32 = -3 // there is none to wait for
)

// firstDone is the first request that is done.
func (e *Endpoint) firstDone(count int32, requests *uintptr) int32 {
	if !e.allHere(count, requests) {
		return noneNow
	}
	found := noneActive
	for i := int32(0); i < count; i++ {
		r := e.find(*handleAt(requests, i))
		if r != nil {
			if !r.pending() {
				return i
			}
			found = noneYet
		}
	}
	return found
}

// awaitAny makes progress until one of the requests is done, and is its index. If it is none, the endpoint
// is left.
func (e *Endpoint) awaitAny(count int32, requests *uintptr) int32 {
	done := e.firstDone(count, requests)
	polls := uint32(0)
	for done == noneYet {
		s := e.progress()
		if s == advanced {
			polls = 0
		} else if s == engine {
			break
		} else {
			if !e.restUnlocked(polls) {
				return noneNow
			}
			polls++
		}
		if s == advanced || e.Shared != 0 {
			done = e.firstDone(count, requests)
		}
	}
	if done < 0 {
		e.leave()
	}
	return done
}

// someDone is how many requests are done, from the first on. It tells which ones and their statuses, and ends
// them if that is wanted.
func (e *Endpoint) someDone(count int32, requests *uintptr, first int32, indices *int32, statuses *Status,
	ends bool) int32 {
	n := int32(0)
	for i := first; i < count; i++ {
		r := e.find(*handleAt(requests, i))
		if r != nil && !r.pending() {
			if ends {
				e.reap(r, handleAt(requests, i), statusAt(statuses, n))
			} else {
				r.tell(statusAt(statuses, n))
			}
			*intAt(indices, n) = i
			n++
		}
	}
	return n
}

// Waitany is MPI_Waitany.
func Waitany(e *Endpoint, count int32, requests *uintptr, index *int32, status *Status) Reason {
	if count <= 0 || nowhere(requests) || nowhere(index) || nowhereElse(status) || !e.enter() {
		return NotPlain
	}
	done := e.awaitAny(count, requests)
	if done == noneActive {
		*index = Undefined
		status.setNull()
		return Done
	}
	if done < 0 {
		return NeedsEngine
	}
	e.reap(e.find(*handleAt(requests, done)), handleAt(requests, done), status)
	*index = done
	e.leave()
	return Done
}

// Waitsome is MPI_Waitsome.
func Waitsome(e *Endpoint, count int32, requests *uintptr, outcount, indices *int32,
	statuses *Status) Reason {
	if count <= 0 || nowhere(requests) || nowhere(outcount) || nowhere(indices) ||
		nowhereElse(statuses) || !e.enter() {
		return NotPlain
	}
	done := e.awaitAny(count, requests)
	if done == noneActive {
		*outcount = Undefined
		return Done
	}
	if done < 0 {
		return NeedsEngine
	}
	*outcount = e.someDone(count, requests, done, indices, statuses, true)
	e.leave()
	return Done
}

// askAny is the index of the first request that is done after receiving what has come, if there is one.
func (e *Endpoint) askAny(count int32, requests *uintptr) int32 {
	done := e.firstDone(count, requests)
	for done == noneYet {
		s := e.progress()
		if s == engine || s == idle && !e.notYet() {
			return noneNow
		}
		if s == idle {
			break
		}
		e.Act()
		done = e.firstDone(count, requests)
	}
	if done >= 0 {
		e.Act()
	}
	return done
}

// Testany is MPI_Testany.
func Testany(e *Endpoint, count int32, requests *uintptr, index, flag *int32, status *Status) Reason {
	return testAny(e, count, requests, index, flag, status, true)
}

// testAny is MPI_Testany, or MPI_Request_get_status_any if it does not end the operation.
//
//fast:hot
func testAny(e *Endpoint, count int32, requests *uintptr, index, flag *int32, status *Status,
	ends bool) Reason {
	if count <= 0 || nowhere(requests) || nowhere(index) || nowhere(flag) ||
		nowhereElse(status) || !e.enterToAsk() {
		return NotPlain
	}
	how := NeedsEngine
	done := e.askAny(count, requests)
	if done != noneNow {
		how = Done
		*flag = 0
		*index = Undefined
	}
	if done == noneActive {
		*flag = 1
		status.setNull()
	}
	if done >= 0 {
		r := e.find(*handleAt(requests, done))
		if ends {
			e.reap(r, handleAt(requests, done), status)
		} else {
			r.tell(status)
		}
		*flag = 1
		*index = done
	}
	e.leave()
	return how
}

// Testsome is MPI_Testsome.
func Testsome(e *Endpoint, count int32, requests *uintptr, outcount, indices *int32,
	statuses *Status) Reason {
	return testSome(e, count, requests, outcount, indices, statuses, true)
}

// testSome is MPI_Testsome, or MPI_Request_get_status_some if it does not end the operations.
//
//fast:hot
func testSome(e *Endpoint, count int32, requests *uintptr, outcount, indices *int32, statuses *Status,
	ends bool) Reason {
	if count <= 0 || nowhere(requests) || nowhere(outcount) || nowhere(indices) ||
		nowhereElse(statuses) || !e.enterToAsk() {
		return NotPlain
	}
	how := NeedsEngine
	done := e.askAny(count, requests)
	if done != noneNow {
		how = Done
		*outcount = 0
	}
	if done == noneActive {
		*outcount = Undefined
	}
	if done >= 0 {
		*outcount = e.someDone(count, requests, done, indices, statuses, ends)
	}
	e.leave()
	return how
}
