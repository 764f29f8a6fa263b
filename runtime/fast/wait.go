package fast

// The calls that wait for nonblocking operations, one or all, or ask for them (MPI 5.0, 3.7.3 and 3.7.5).

// await makes progress until r is done. Unless the answer is Done the endpoint is left.
func (e *Endpoint) await(r *Request) Reason {
	polls := uint32(0)
	for r.pending() {
		s := e.progress()
		if s == advanced {
			polls = 0
			continue
		}
		if s == engine {
			e.leave()
			return NeedsEngine
		}
		if !e.restUnlocked(polls) {
			return Waiting
		}
		polls++
	}
	if r.done() {
		return Done
	}
	e.leave() // another thread has been to package p2p with it
	return NeedsEngine
}

// passOver is a call for one request which completion calls pass over. flag, if there is one, says that it is
// done.
func (e *Endpoint) passOver(request uintptr, flag *int32, status *Status) Reason {
	if !e.passed(request) {
		return NotPlain
	}
	if flag != nil {
		e.Act()
		*flag = 1
	}
	status.setNull()
	return Done
}

// Wait is MPI_Wait.
func Wait(e *Endpoint, request *uintptr, status *Status) Reason {
	if nowhere(request) || nowhereElse(status) {
		return NotPlain
	}
	if unlikely(*request == NullRequest) && e.Open != Closed {
		status.setNull()
		return Done
	}
	if !e.enter() {
		return NotPlain
	}
	r := e.find(*request)
	if r == nil {
		how := e.passOver(*request, nil, status)
		e.leave()
		return how
	}
	how := e.await(r)
	if how == Done {
		e.reap(r, request, status)
		e.leave()
	}
	return how
}

// answer is what a call that asks returns when what it asks for is not there; s is how progress ended.
func (e *Endpoint) answer(s step, flag *int32) Reason {
	if s != idle || !e.notYet() {
		return NeedsEngine
	}
	*flag = 0
	return Done
}

// ask carries on until r is done or nothing moves; flag says whether it is done.
func (e *Endpoint) ask(r *Request, flag *int32) Reason {
	s := idle
	for r.pending() {
		s = e.progress()
		if s != advanced {
			break
		}
		e.Act()
	}
	if r.pending() {
		return e.answer(s, flag)
	}
	e.Act()
	*flag = 1
	return Done
}

// Test is MPI_Test.
func Test(e *Endpoint, request *uintptr, flag *int32, status *Status) Reason {
	if nowhere(request) || nowhere(flag) || nowhereElse(status) {
		return NotPlain
	}
	if unlikely(*request == NullRequest) && e.Open != Closed {
		status.setNull()
		*flag = 1
		return Done
	}
	if !e.enterToAsk() {
		return NotPlain
	}
	how := NotPlain
	r := e.find(*request)
	if r != nil {
		how = e.ask(r, flag)
		if how == Done && *flag != 0 {
			e.reap(r, request, status)
		}
	} else {
		how = e.passOver(*request, flag, status)
	}
	e.leave()
	return how
}

// allHere reports whether all requests are null or of this package.
func (e *Endpoint) allHere(count int32, requests *uintptr) bool {
	for i := int32(0); i < count; i++ {
		handle := *handleAt(requests, i)
		if e.find(handle) == nil && !e.passed(handle) {
			return false
		}
	}
	return true
}

// askAll carries on until all requests are done, which is told, or nothing moves.
func (e *Endpoint) askAll(count int32, requests *uintptr) (all bool, last step) {
	s := idle
	for done := int32(0); done < count; {
		r := e.find(*handleAt(requests, done))
		if r == nil || !r.pending() {
			done++
			continue
		}
		s = e.progress()
		if s != advanced {
			return false, s
		}
		e.Act()
	}
	e.Act()
	return true, s
}

// allDone tells the statuses of all requests, which are done, and ends them if that is wanted. An array that
// holds one twice is an error then, which is for the engine.
//
//fast:hot
func (e *Endpoint) allDone(count int32, requests *uintptr, statuses *Status, ends bool) Reason {
	for i := int32(0); i < count; i++ {
		status := statusAt(statuses, i)
		handle := handleAt(requests, i)
		r := e.find(*handle)
		if r != nil && ends {
			e.reap(r, handle, status)
		} else if r != nil {
			r.tell(status)
		} else if !e.passed(*handle) {
			return NeedsEngine
		} else if status != nil {
			status.set(AnySource, AnyTag, 0)
		}
	}
	return Done
}

// Waitall is MPI_Waitall.
func Waitall(e *Endpoint, count int32, requests *uintptr, statuses *Status) Reason {
	if count < 0 || nowhere(requests) || nowhereElse(statuses) || !e.enter() {
		return NotPlain
	}
	if !e.allHere(count, requests) {
		e.leave()
		return NotPlain
	}
	for i := int32(0); i < count; i++ {
		handle := *handleAt(requests, i)
		r := e.Request(uint32(handle & indexMask))
		if !r.done() && !e.passed(handle) {
			how := e.await(r)
			if how != Done {
				return how
			}
		}
	}
	how := e.allDone(count, requests, statuses, true)
	e.leave()
	return how
}

// Testall is MPI_Testall.
func Testall(e *Endpoint, count int32, requests *uintptr, flag *int32, statuses *Status) Reason {
	return testAll(e, count, requests, flag, statuses, true)
}

// testAll is MPI_Testall, or MPI_Request_get_status_all if it does not end the operations.
//
//fast:hot
func testAll(e *Endpoint, count int32, requests *uintptr, flag *int32, statuses *Status, ends bool) Reason {
	if count < 0 || nowhere(requests) || nowhere(flag) || nowhereElse(statuses) || !e.enterToAsk() {
		return NotPlain
	}
	if !e.allHere(count, requests) {
		e.leave()
		return NotPlain
	}
	how := Done
	all, s := e.askAll(count, requests)
	if all {
		how = e.allDone(count, requests, statuses, ends)
		*flag = 1
	} else {
		how = e.answer(s, flag)
	}
	e.leave()
	return how
}
