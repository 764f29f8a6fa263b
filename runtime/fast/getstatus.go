package fast

// The calls that tell the statuses of operations and leave their requests as they are (MPI 5.0, 3.7.6).

// RequestGetStatus is MPI_Request_get_status.
func RequestGetStatus(e *Endpoint, request uintptr, flag *int32, status *Status) Reason {
	if nowhere(flag) || nowhereElse(status) || !e.enterToAsk() {
		return NotPlain
	}
	how := NotPlain
	r := e.find(request)
	if r != nil {
		how = e.ask(r, flag)
		if how == Done && *flag != 0 {
			r.tell(status)
		}
	} else {
		how = e.passOver(request, flag, status)
	}
	e.leave()
	return how
}

// RequestGetStatusAll is MPI_Request_get_status_all.
func RequestGetStatusAll(e *Endpoint, count int32, requests *uintptr, flag *int32, statuses *Status) Reason {
	return testAll(e, count, requests, flag, statuses, false)
}

// RequestGetStatusAny is MPI_Request_get_status_any.
func RequestGetStatusAny(e *Endpoint, count int32, requests *uintptr, index, flag *int32,
	status *Status) Reason {
	return testAny(e, count, requests, index, flag, status, false)
}

// RequestGetStatusSome is MPI_Request_get_status_some.
func RequestGetStatusSome(e *Endpoint, count int32, requests *uintptr, outcount, indices *int32,
	statuses *Status) Reason {
	return testSome(e, count, requests, outcount, indices, statuses, false)
}
