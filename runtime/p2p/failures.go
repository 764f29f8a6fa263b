package p2p

import (
	"slices"
	"sync/atomic"
	"time"

	"gompi/runtime/fast"
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
	"gompi/runtime/transport"
)

// Failures of processes that the job survives (docs/recovery.md). The engine notices a failure by the failure
// epoch, which every wait reads, and takes in what the dead has sent before. Then each request that needs the
// dead ends with an error, and everything else goes on. What a failure means in a context, and whether a
// context is revoked, a room above knows. As long as nothing of the kind has happened, no operation looks.

// FailureHandler knows what failures mean. Its methods are called with the engine's lock held and never wait.
type FailureHandler interface {
	// Failed tells that peers have failed. Requests are judged afterwards.
	Failed(peers []int)
	// Released tells that peers of other jobs are no more, whose numbers will be used again.
	Released(peers []int)
	// FailureOf is why an operation that has the key k cannot be completed, nil when it can: a send to a
	// peer, a receive, or, of kind request.Composite, one in which all processes of the context take part. An
	// error of class MPIX_ERR_PROC_FAILED_PENDING is that of a receive from any source which may find a
	// message nevertheless.
	FailureOf(kind request.Kind, k match.Key, peer int) error
}

// failures is what the engine knows of failures.
type failures struct {
	*core
	transports *transports
	queues     *queues
	unexpected *unexpected
	records    *records
	inbound    *inbound
	bridges    *bridges

	handler   FailureHandler
	detector  transport.FailureDetector // nil where no death is survived
	anyFailed bool                      // something has failed or was revoked: operations are judged
	// since when a peer cannot be reached that lives; zero while all can
	unreachedAt time.Time
}

// SetFailureHandler says who judges operations. It comes before any communication. recovers says that the
// engine survives deaths.
func (f *failures) SetFailureHandler(m FailureHandler, recovers bool) {
	f.handler = m
	for i := range f.transports.links {
		if detector, ok := f.transports.links[i].Provider.(transport.FailureDetector); ok && recovers {
			f.detector = detector
			if f.transports.bridger != nil {
				f.transports.bridger.Outlive()
			}
			return
		}
	}
}

// isFailed reports whether a peer has failed, as far as the engine has heard.
func (c *core) isFailed(peer int) bool { return peer >= 0 && c.peers[peer].failed }

// HandleFailures takes note of all failures that are known on this node, and of those of processes of other
// jobs, of which nobody may have told: their launcher may be gone as well.
func (e *Engine) HandleFailures() {
	e.lock()
	if e.detector != nil && e.bridges.bridged > 0 {
		e.transports.bridger.Watch()
	}
	e.handleFailures()
	e.unlock()
}

// mostDrained bounds what is taken in ahead of the news of a failure, in packets: living peers may send on.
const mostDrained = 1 << 16

// handleFailures is HandleFailures. It returns true when there was news.
func (e *Engine) handleFailures() bool {
	if !e.failurePending() || e.links[0].Failed() >= 0 {
		return false
	}
	peers := e.newFailures()
	// What they have sent lies there by now; of those that die from here on it may not.
	for n := 0; n < mostDrained && peers != nil && e.poll(); n++ {
	}
	if peers == nil {
		return false
	}
	e.anyFailed = true
	e.extendWaiting()
	e.keepPersistent(0)
	for _, peer := range peers {
		e.dropPeer(peer)
	}
	e.handler.Failed(peers)
	e.judgeAll()
	return true
}

// newFailures lists the peers that have failed and are not known to have.
func (f *failures) newFailures() (peers []int) {
	f.endpoint.Heard = atomic.LoadUint32(f.endpoint.Epoch)
	f.detector.EachFailed(func(peer int) {
		if !f.isFailed(peer) {
			peers = append(peers, peer)
		}
	})
	if f.bridges.bridged > 0 {
		f.transports.bridger.Lost(func(peer int) { peers = append(peers, peer) })
	}
	return peers
}

// dropPeer forgets what waits to be sent to a peer that has failed. The requests are judged later.
func (f *failures) dropPeer(peer int) {
	f.peers[peer].fail()
	f.queues.idled(peer)
	if f.detector != nil {
		f.detector.Forget(peer)
	}
	if f.transports.network != nil {
		f.transports.network.DropPeer(peer)
	}
	// what it has announced lies in its memory
	f.unexpected.discardAll(func(t *fast.Unexpected) bool {
		return t.Flags&fast.AtSender != 0 && f.sender(t) == peer
	})
}

// Judge ends the requests that cannot be completed any more. It is called with the lock held, after something
// was revoked.
func (f *failures) Judge() {
	f.anyFailed = true
	f.records.extendWaiting()
	f.records.keepPersistent(0)
	f.judgeAll()
}

// judgeAll ends all requests that cannot be completed. What waits elsewhere looks again.
func (f *failures) judgeAll() {
	f.Pool.Any(func(r *request.Request) bool {
		if !r.Done && !r.Inactive() {
			f.judge(r)
		}
		return false
	})
	f.completed = true
}

// judge ends r if it cannot be completed.
func (f *failures) judge(r *request.Request) {
	switch {
	case r.Kind == request.Composite && (r.State == request.Watched || r.State == request.Deferred):
		if err := f.handler.FailureOf(r.Kind, r.Key, -1); err != nil {
			f.abort(r, err)
		}
	case r.Kind == request.Composite:
		op, ok := request.Behind(r.Op).(Pairwise)
		if !ok || r.State == request.Ending {
			break
		}
		if err := f.failureOf(op.Partner()); err != nil {
			f.abort(r, err)
		}
	case r.Kind == request.Send || r.Kind == request.Recv:
		if err := f.failureOfRequest(r); err != nil && !pends(err) {
			f.bridges.giveUp(r, err)
		}
	}
}

// Pairwise is a composite operation with one other process, which may wait although no part of it is under
// way, and is not freed before it is done (MPI 5.0, 4.2). It describes itself also while parts of it are.
type Pairwise interface {
	Describer
	// Partner is what it would send to or receive from that process, in the terms of FailureHandler.
	Partner() (kind request.Kind, k match.Key, peer int)
}

// abort has a composite request begin nothing more, and end with an error when its parts have ended.
func (f *failures) abort(r *request.Request, err error) {
	if r.Err == nil {
		r.Err = err
	}
	f.ops.wind(r)
}

// failureOf is why an operation cannot be completed, nil when it can.
func (f *failures) failureOf(kind request.Kind, k match.Key, peer int) error {
	return f.handler.FailureOf(kind, k, peer)
}

// failureOfRequest is why a send or receive cannot be completed, nil when it can.
func (f *failures) failureOfRequest(r *request.Request) error {
	if r.Kind == request.Recv && r.State == request.Filling {
		if f.isFailed(r.Peer) {
			return f.failureOf(request.Send, r.Key, r.Peer)
		}
		return nil // its sender is there, and has been asked
	}
	return f.failureOf(r.Kind, r.Key, r.Peer)
}

// pends reports whether an error is that of a receive which may find its message yet.
func pends(err error) bool {
	return err != nil && mpierr.CodeOf(err) == int(mpierr.ErrProcFailedPending)
}

// IsLoss reports whether an error is that of an operation which a failure or a revocation has ended.
func IsLoss(err error) bool {
	switch mpierr.Class(mpierr.CodeOf(err)) {
	case mpierr.ErrProcFailed, mpierr.ErrProcFailedPending, mpierr.ErrRevoked:
		return true
	}
	return false
}

// refuse ends a send that has not begun if it cannot be completed.
func (f *failures) refuse(r *request.Request) bool {
	err := f.failureOf(r.Kind, r.Key, r.Peer)
	if err == nil {
		return false
	}
	f.finish(r, err)
	return true
}

// refused is why an operation with the peer or the key cannot begin, nil when it can.
func (f *failures) refused(kind request.Kind, k match.Key, peer int) error {
	if !f.anyFailed {
		return nil
	}
	return f.failureOf(kind, k, peer)
}

// withheld reports whether a message that is there may not be received, because its context was revoked.
func (f *failures) withheld(r *request.Request) bool {
	if !f.anyFailed {
		return false
	}
	err := f.refused(r.Kind, r.Key, -1)
	return err != nil && mpierr.CodeOf(err) == int(mpierr.ErrRevoked)
}

// Refused is why some members of a context can do nothing together in it under a tag, nil when they can. One
// that sends to others finds that out by itself.
func (f *failures) Refused(ctx uint32, tag int) error {
	return f.refused(request.Send, match.Key{Ctx: ctx, Tag: int32(tag)}, -1)
}

// whole is why an operation in which all processes of a context take part cannot be completed.
func (f *failures) whole(ctx uint32) error {
	return f.refused(request.Composite, match.Key{Ctx: ctx}, -1)
}

// stuck is why the thread that waits for c waits in vain, nil when it does not. Something has failed.
func (f *failures) stuck(c any) error {
	switch c := inner(c).(type) {
	case *request.Request:
		return f.unanswered(c)
	case oneOf:
		for _, r := range c.all {
			if waitable(r) && r.Done && IsLoss(r.Err) {
				return r.Err
			}
			if err := f.unanswered(r); err != nil {
				return err
			}
		}
	case anyDone:
		for _, r := range c {
			if err := f.unanswered(r); err != nil {
				return err
			}
		}
	case absentees:
		ctx, _ := c.Absent()
		return f.whole(ctx)
	case outliving:
	case interface {
		Group() (name string, g *group.Group)
	}:
		_, g := c.Group()
		return f.AliveIn(g)
	}
	return nil
}

// outliving is a condition that concerns a group, and that knows itself what deaths mean for it.
type outliving interface{ Outlives() }

// unanswered is the error of a receive from any source that the failure of a sender has made uncertain, nil
// for any other request.
func (f *failures) unanswered(r *request.Request) error {
	if !f.anyFailed || !waitable(r) || r.Done || r.Kind != request.Recv ||
		r.Key.Src != match.AnySource || r.State != request.Posted {
		return nil
	}
	return f.handler.FailureOf(request.Recv, r.Key, -1)
}

// uncertain is the index of the first such receive, -1 when there is none.
func (f *failures) uncertain(rs []*request.Request) int {
	return slices.IndexFunc(rs, func(r *request.Request) bool { return f.unanswered(r) != nil })
}

// failurePending reports whether the failure epoch has moved.
func (f *failures) failurePending() bool {
	return f.detector != nil && (atomic.LoadUint32(f.endpoint.Epoch) != f.endpoint.Heard ||
		f.bridges.bridged > 0 && f.transports.bridger.FailurePending())
}

// abandon ends a blocking receive that a failure has interrupted, and is its error.
func (f *failures) abandon(r *request.Request, err error) error {
	if !pends(err) || r.Done || !f.isPosted(r) {
		return err
	}
	f.inbound.withdrawReceive(r)
	f.finish(r, nil)
	f.put(r)
	return certain(err)
}

// certain is the error of a blocking operation whose error pends for a nonblocking one.
func certain(err error) error {
	if !pends(err) {
		return err
	}
	return mpierr.New(mpierr.ErrProcFailed, "%s", textOf(err))
}

func textOf(err error) string {
	if e, ok := err.(*mpierr.Error); ok {
		return e.Text
	}
	return err.Error()
}

// Kept is the error of a call for several requests some of which are not done: those that still stand in its
// array.
type Kept struct{ error }

// Unwrap is the error itself.
func (k *Kept) Unwrap() error { return k.error }

// reapSome gives back those of rs that are done, which become nil, and says of the others in sts that they
// are not.
func (e *Engine) reapSome(rs []*request.Request, sts []request.Status) error {
	var first error
	for i, r := range rs {
		st := request.Empty
		if waitable(r) {
			var err error
			switch {
			case r.Done:
				err = e.reap(r, &st)
				rs[i] = nil
			default:
				if err = e.unanswered(r); err == nil {
					err = mpierr.New(mpierr.ErrPending, "the request is neither done nor has it failed")
				}
			}
			if err != nil {
				st.Error = int32(mpierr.CodeOf(err))
				if first == nil || mpierr.CodeOf(first) == int(mpierr.ErrPending) {
					first = err
				}
			}
		}
		if sts != nil {
			sts[i] = st
		}
	}
	return &Kept{mpierr.New(mpierr.ErrInStatus, "%v", first)}
}

// Hide has the fast engine know the communicator with a handle no more: package p2p judges what is done on
// it. The lock is held.
func (f *failures) Hide(handle uintptr) {
	if handle != 0 {
		f.endpoint.HideComm(handle)
	}
}
