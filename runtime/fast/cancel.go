package fast

// Cancel is MPI_Cancel (MPI 5.0, 3.8.4) of a receive that has found no message.
func Cancel(e *Endpoint, request *uintptr) Reason {
	if nowhere(request) || !e.enter() {
		return NotPlain
	}
	how := NotPlain
	r := e.find(*request)
	if r != nil && r.State == Posted && r.Flags&(InCall|Paired|Persistent) == 0 {
		e.Unpost(r)
		r.receive(AnySource, AnyTag, 0)
		r.Flags |= Cancelled
		how = Done
	}
	e.leave()
	return how
}
