package p2p

import (
	"sync/atomic"
	"time"

	"gompi/runtime/fast"
	"gompi/runtime/request"
	"gompi/shm"
)

// Condition is something that a rank waits for.
type Condition interface{ Ready() bool }

// waiting counts the threads that wait.
type waiting struct {
	*core
	transports *transports
	waiters    int // threads that wait with sends in flight
}

// wait makes progress until c is ready: the one loop in which a rank waits. extra is for how many polls more
// than usual it stays awake. The lock is held on entry and exit, not in between. c is no interface, so that
// none is made per call.
func wait[C Condition](e *Engine, c C, extra int) error {
	e.progressThread.inside++
	waited, err := progressUntil(e, c, extra)
	e.sendHeld()
	if len(e.links) > 1 {
		e.looked()
	}
	e.progressThread.inside--
	e.count.WaitedNanoseconds += waited
	return err
}

// clocked is the number of polls in vain from which on the time of a wait is counted, unless it sleeps
// before: what is over sooner takes no longer for that.
const clocked = 8

// progressUntil is that loop. It returns how long it has waited, in ns.
func progressUntil[C Condition](e *Engine, c C, extra int) (waited uint64, err error) {
	if (e.endpoint.Sending > 0 || e.server != nil) && !c.Ready() {
		e.stay()
		defer e.leave()
	}
	vain := 0
	var r rest
	r.told = e.endpoint.Told
	for n := -extra; !c.Ready(); {
		if r.progressed(e.poll(), e.endpoint) {
			n = -extra
			continue
		}
		if vain++; vain == clocked {
			r.count()
		}
		slept, err := idle(e, c, n, &r)
		if err != nil {
			e.depart(&r)
			return r.waited(), err
		}
		if n++; slept {
			n = max(n, 0) // whoever has slept may sleep again at once
		}
	}
	e.depart(&r)
	e.endpoint.Handed = 0 // the wait that it was about is over
	return r.waited(), nil
}

// depart ends a wait. Where the thread has slept at the sleeper, another one that sleeps has to do so now.
func (w *waiting) depart(r *rest) {
	if r.away {
		w.waiter.Wake()
	}
}

// stay notes that a thread waits where others can count on it.
func (w *waiting) stay() {
	w.waiters++
	w.transports.inside(true)
}

// leave notes that it waits no longer.
func (w *waiting) leave() {
	if w.waiters--; w.waiters == 0 {
		w.transports.inside(false)
	}
}

// idle waits a little after the n-th poll in a row that found nothing, and reports whether it has slept. c is
// looked at once more before the thread sleeps, and so is the room for what waits to be sent, to whomever.
func idle[C Condition](e *Engine, c C, n int, r *rest) (slept bool, err error) {
	if ended, err := interrupted(e, c); ended || err != nil {
		return false, err
	}
	var nap time.Duration
	e.unlock()
	again := e.waiter.Spin(n)
	e.lock()
	if again || e.small > 0 && e.takeIn() {
		return false, nil
	}
	mark, wakes := e.arm(e.busy)
	if !c.Ready() && !r.progressed(e.pollOthers(), e.endpoint) && !e.coming(e.busy) && e.dead() < 0 &&
		!e.failurePending() {
		r.asleep()
		if atomic.LoadUint32(e.endpoint.Asked) != r.told {
			e.reports.wait(any(c), r)
		}
		nap = time.Duration(fast.NapTime(r.naps))
		if !wakes {
			nap = blindNap(shm.Now() - r.since)
		}
		if e.bridged > 0 {
			nap = min(nap, longestWatched)
		}
		r.heard = atomic.LoadUint32(e.endpoint.Rang) == r.told
		r.count()
		ended := e.sleep(r, mark, nap, wakes)
		if slept = true; ended {
			r.woken(atomic.LoadUint32(e.endpoint.Asked))
		} else {
			r.naps++
		}
	}
	e.disarm()
	if e.bridged > 0 && nap >= watchNap {
		e.bridger.Watch()
	}
	return slept, nil
}

// interrupted deals with failures of other ranks. It reports whether they have made c ready; an error ends
// the wait.
func interrupted[C Condition](e *Engine, c C) (ready bool, err error) {
	if dead := e.dead(); dead >= 0 {
		e.unlock()
		err := e.Lost(dead)
		e.lock()
		return false, err
	}
	if e.failurePending() && e.handleFailures() || e.anyFailed {
		if c.Ready() {
			return true, nil
		}
		if err := e.stuck(any(c)); err != nil {
			return false, err
		}
	}
	if err := e.unreached(); err != nil {
		return false, err
	}
	if e.bridged > 0 && e.detector == nil && e.bridger.Cut() != nil {
		e.failCut()
		return c.Ready(), nil
	}
	return false, nil
}

// blindNap is how long a nap takes where a provider may have to be looked at without having woken anybody: a
// sixteenth of the time in ns that the wait has taken. So what comes then is late by a little of that time,
// and a long wait costs next to nothing.
func blindNap(waited uint64) time.Duration {
	const share, most = 16, 50 * time.Millisecond
	return min(max(time.Duration(waited/share), shm.FirstNap), most)
}

// watchNap is the length of naps from which on a rank looks after each whether processes of other jobs live.
// None of such a rank is longer than longestWatched.
const (
	watchNap       = 50 * time.Millisecond
	longestWatched = 500 * time.Millisecond
)

// WaitFor makes progress until c is ready. Whoever makes it ready must ring this rank's doorbell.
func (e *Engine) WaitFor(c Condition) error {
	if c.Ready() {
		return nil
	}
	e.lock()
	defer e.unlock()
	return wait(e, c, 0)
}

// WaitOr makes progress until r is done or c is ready, and reports whether r is, by all that has come when c
// is. It does not give r back.
func (e *Engine) WaitOr(r *request.Request, c Condition) (done bool, err error) {
	e.lock()
	defer e.unlock()
	err = wait(e, either{r, c}, 0)
	for err == nil && !r.Done && e.poll() {
	}
	return r.Done, err
}

// either is the condition that a request is done, or another condition.
type either struct {
	r *request.Request
	Condition
}

// Ready implements Condition.
func (o either) Ready() bool { return o.r.Done || o.Condition.Ready() }

// await makes progress until r is done. The lock is held.
func (e *Engine) await(r *request.Request) error {
	return wait(e, r, extraPolls(r))
}

// extraPolls is for how many polls more than usual a rank that waits for r stays awake: a large message takes
// its time to copy, and to be woken afterwards would come on top.
func extraPolls(r *request.Request) int {
	const perPoll, most = 4 << 10, 4096 // a poll with a yield takes about as long as copying this many bytes
	return int(min(r.Bytes/perPoll, most))
}

// complete waits for r, hands out its status and gives it back.
func (e *Engine) complete(r *request.Request, st *request.Status) error {
	e.sendHeld()
	if !r.Done {
		if r.Inactive() {
			return inactive(st)
		}
		if err := e.await(r); err != nil {
			return err // r stays: the dead peer may have been told its number
		}
	}
	return e.reap(r, st)
}

// reap hands out the status of a request that is done, gives it back and returns its error.
func (e *Engine) reap(r *request.Request, st *request.Status) error {
	err := e.report(r, st)
	if r.Plan != nil {
		e.deactivate(r)
		return err
	}
	if r.Op != nil {
		err = e.end(r, err)
	}
	e.put(r)
	return err
}

// end has the operation of a request that is done do what is left to do; err is what the request reports so
// far.
func (e *Engine) end(r *request.Request, err error) error {
	op, ok := r.Op.(request.Ender)
	if !ok {
		return err
	}
	e.unlock()
	defer e.lock()
	if last := op.End(); last != nil {
		return last
	}
	return err
}

// report fills in the status of a request that is done and returns its error.
func (e *Engine) report(r *request.Request, st *request.Status) error {
	got, err := r.Status, r.Err
	if r.Op != nil {
		got, err = e.reportOperation(r)
	}
	if st != nil {
		*st = got
	}
	return err
}

// reportOperation has a status of its own, so that those of the callers need not be on the heap.
func (e *Engine) reportOperation(r *request.Request) (request.Status, error) {
	op, ok := r.Op.(request.Reporter)
	if !ok {
		return r.Status, r.Err
	}
	st := r.Status
	e.unlock()
	err := op.Report(r, &st)
	e.lock()
	return st, err
}

// inactive fills in what a call reports that passes over an inactive request (MPI 5.0, 3.7.3).
func inactive(st *request.Status) error {
	if st != nil {
		*st = request.Empty
	}
	return nil
}

// waitable reports whether completion calls have to wait for r, nil for a null request.
func waitable(r *request.Request) bool { return r != nil && !r.Inactive() }

// Wait waits until r is done, fills in st if it is not nil, and gives r back (MPI_Wait, MPI 5.0, 3.7.3).
func (e *Engine) Wait(r *request.Request, st *request.Status) error {
	e.lock()
	err := e.complete(r, st)
	e.unlock()
	return err
}

// Done reports whether r is done, without giving it back and without making progress.
func (c *core) Done(r *request.Request) bool {
	c.lock()
	defer c.unlock()
	return r.Done
}

// Peek reports whether r is done, with the status that a completion call would report and the request's
// error. It makes no progress and does not give r back (MPI_Request_get_status, MPI 5.0, 3.7.6).
func (e *Engine) Peek(r *request.Request, st *request.Status) (bool, error) {
	e.lock()
	defer e.unlock()
	if !r.Done {
		return false, nil
	}
	return true, e.report(r, st)
}
