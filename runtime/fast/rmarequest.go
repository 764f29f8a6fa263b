package fast

// Operations on windows with a request (MPI 5.0, 12.3.5). On memory that is mapped here they are done at
// once, and so is the request. All others are left to package rma.

// takesRequest reports whether an operation on a target may be given a request, which endRequest makes. The
// engine is entered then.
func takesRequest(e *Endpoint, win uintptr, rank int32, request *uintptr) bool {
	w := e.window(win)
	t := w.opened(rank)
	if t == nil || t.Open < OpenShared || t.Base == 0 || nowhere(request) || !e.enter() {
		return false
	}
	if e.Free == e.RequestsMade {
		e.leave()
		return false
	}
	return true
}

// endRequest makes the request of an operation that is done.
func endRequest(e *Endpoint, how Reason, request *uintptr) Reason {
	if how == Done {
		*request = e.doneRequest(0)
	}
	e.leave()
	return how
}

// Rput is MPI_Rput.
func Rput(
	e *Endpoint, origin uintptr, originCount int64, originType uintptr,
	rank int32, disp, count int64, datatype, win uintptr, request *uintptr,
) Reason {
	if !takesRequest(e, win, rank, request) {
		return NotPlain
	}
	how := e.putOrGet(origin, originCount, originType, rank, disp, count, datatype, win, true)
	return endRequest(e, how, request)
}

// Rget is MPI_Rget.
func Rget(
	e *Endpoint, origin uintptr, originCount int64, originType uintptr,
	rank int32, disp, count int64, datatype, win uintptr, request *uintptr,
) Reason {
	if !takesRequest(e, win, rank, request) {
		return NotPlain
	}
	how := e.putOrGet(origin, originCount, originType, rank, disp, count, datatype, win, false)
	return endRequest(e, how, request)
}

// Raccumulate is MPI_Raccumulate.
func Raccumulate(
	e *Endpoint, origin uintptr, originCount int64, originType uintptr,
	rank int32, disp, count int64, datatype, op, win uintptr, request *uintptr,
) Reason {
	if !takesRequest(e, win, rank, request) {
		return NotPlain
	}
	how := Accumulate(e, origin, originCount, originType, rank, disp, count, datatype, op, win)
	return endRequest(e, how, request)
}

// RgetAccumulate is MPI_Rget_accumulate.
func RgetAccumulate(
	e *Endpoint, origin uintptr, originCount int64, originType, result uintptr, resultCount int64,
	resultType uintptr, rank int32, disp, count int64, datatype, op, win uintptr, request *uintptr,
) Reason {
	if !takesRequest(e, win, rank, request) {
		return NotPlain
	}
	how := GetAccumulate(e, origin, originCount, originType, result, resultCount, resultType, rank, disp,
		count, datatype, op, win)
	return endRequest(e, how, request)
}
