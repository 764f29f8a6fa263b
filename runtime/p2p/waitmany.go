package p2p

import (
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/request"
)

// WaitAll waits for all of rs, in which nil stands for a null request, and gives them back. sts, if not nil,
// has an element for each. If any failed, the error is of class MPI_ERR_IN_STATUS and every status says in
// Error what became of its request (MPI_Waitall, MPI 5.0, 3.7.5).
func (e *Engine) WaitAll(rs []*request.Request, sts []request.Status) error {
	e.lock()
	defer e.unlock()
	if err := e.awaitAll(rs); IsLoss(err) {
		return e.reapSome(rs, sts)
	} else if err != nil {
		return err
	}
	return e.reapAll(rs, sts)
}

// awaitAll makes progress until all of rs are done. To peers it is one wait, in which the rank does its part
// of copies.
func (e *Engine) awaitAll(rs []*request.Request) error {
	e.sendHeld()
	if e.endpoint.Sending > 0 {
		e.stay()
		defer e.leave()
	}
	for _, r := range rs {
		if !waitable(r) {
			continue
		}
		if err := wait(e, oneOf{r, rs}, extraPolls(r)); err != nil {
			return err
		}
	}
	return nil
}

// oneOf is the condition that a request is done, of some that a call waits for.
type oneOf struct {
	*request.Request
	all []*request.Request
}

func (e *Engine) reapAll(rs []*request.Request, sts []request.Status) error {
	var first error
	for i, r := range rs {
		st := request.Empty
		if waitable(r) {
			if err := e.reap(r, &st); err != nil {
				st.Error = int32(mpierr.CodeOf(err))
				if first == nil {
					first = err
				}
			}
		}
		if sts != nil {
			sts[i] = st
		}
	}
	if first != nil {
		return object.Locate(object.Of(first), mpierr.New(mpierr.ErrInStatus, "%v", first))
	}
	return nil
}

// WaitAny waits until one of rs is done, fills in st, gives that one back and returns its index; -1 if all
// are null (MPI_Waitany, MPI 5.0, 3.7.5).
func (e *Engine) WaitAny(rs []*request.Request, st *request.Status) (int, error) {
	e.lock()
	defer e.unlock()
	if err := wait(e, anyDone(rs), 0); err != nil {
		return e.uncertain(rs), err
	}
	i, _ := firstDone(rs)
	if i < 0 {
		return -1, nil
	}
	return i, e.reap(rs[i], st)
}

// anyDone is the condition that one of some requests is done, or that there is none to wait for.
type anyDone []*request.Request

// Ready implements Condition.
func (rs anyDone) Ready() bool {
	i, active := firstDone(rs)
	return i >= 0 || !active
}

// firstDone is the index of the first request that is done, -1 when there is none, and whether any is active.
func firstDone(rs []*request.Request) (index int, active bool) {
	for i, r := range rs {
		if !waitable(r) {
			continue
		}
		if r.Done {
			return i, true
		}
		active = true
	}
	return -1, active
}
