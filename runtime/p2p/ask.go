package p2p

import "gompi/runtime/request"

// Calls that ask and do not wait.

// progressLimit bounds what one call that does not wait may deal with, in packets.
const progressLimit = 32

// ProgressLocked deals with what has come, without waiting. The lock is held.
func (e *Engine) ProgressLocked() {
	for range progressLimit {
		if !e.poll() {
			break
		}
		e.endpoint.Act()
	}
}

// look is ProgressLocked until c is ready. What has come behind that stays where it is: the program may be
// about to post the receive for it, and would find it among the unexpected messages otherwise.
func look[C Condition](e *Engine, c C) {
	for range progressLimit {
		if c.Ready() || !e.poll() {
			break
		}
		e.endpoint.Act()
	}
}

// Progress deals with what has come, without waiting, for callers with conditions of their own.
func (e *Engine) Progress() {
	e.lock()
	e.ProgressLocked()
	e.handleFailures()
	e.unlock()
	e.waiter.YieldOccasionally()
}

// askFor is look for a call that tells when it has asked for c in vain, and reports whether c is ready.
func askFor[C Condition](e *Engine, c C) bool {
	if look(e, c); c.Ready() {
		return true
	}
	inVain(e, c)
	return false
}

// Ask makes progress until c is ready, without waiting, and reports whether it is, for callers with
// conditions of their own.
func (e *Engine) Ask(c Condition) bool {
	e.lock()
	defer e.unlock()
	return askFor(e, c)
}

// Advance deals with what has come, for callers that ask in vain afterwards (InVain) or find something.
func (e *Engine) Advance() {
	e.lock()
	e.ProgressLocked()
	e.unlock()
}

// Test reports whether r is done; if so it fills in st and gives r back (MPI_Test, MPI 5.0, 3.7.3).
func (e *Engine) Test(r *request.Request, st *request.Status) (bool, error) {
	e.lock()
	defer e.unlock()
	if !r.Done {
		if r.Inactive() {
			return true, inactive(st)
		}
		if !askFor(e, r) {
			return false, e.unanswered(r)
		}
	}
	return true, e.reap(r, st)
}

// TestAny is WaitAny that does not wait: ok is false when none is done yet (MPI_Testany, MPI 5.0, 3.7.5).
func (e *Engine) TestAny(rs []*request.Request, st *request.Status) (index int, ok bool, err error) {
	e.lock()
	defer e.unlock()
	look(e, anyDone(rs))
	i, active := firstDone(rs)
	if i < 0 {
		if active {
			inVain(e, anyDone(rs))
			if i := e.uncertain(rs); i >= 0 {
				return i, false, e.unanswered(rs[i])
			}
		}
		return -1, !active, nil
	}
	return i, true, e.reap(rs[i], st)
}

// TestAll is WaitAll if all of rs are done; otherwise it does nothing and returns false (MPI_Testall, MPI
// 5.0, 3.7.5).
func (e *Engine) TestAll(rs []*request.Request, sts []request.Status) (bool, error) {
	e.lock()
	defer e.unlock()
	for _, r := range rs {
		if !waitable(r) {
			continue
		}
		if look(e, r); !r.Done {
			if inVain(e, oneOf{r, rs}); e.anyFailed && e.stuck(oneOf{r, rs}) != nil {
				return true, e.reapSome(rs, sts)
			}
			return false, nil
		}
	}
	return true, e.reapAll(rs, sts)
}

// AnyOf is the condition that one of some requests is done, or that there is none to wait for.
func AnyOf(rs []*request.Request) Condition { return anyDone(rs) }

// OneOf is the condition that r is done, of those that a call asks for.
func OneOf(r *request.Request, all []*request.Request) Condition { return oneOf{r, all} }
