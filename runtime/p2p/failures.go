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

// Mourner knows what failures mean. Its methods are called with the engine's lock held and never wait.
type Mourner interface {
	// Failed tells that peers have failed. Requests are judged afterwards.
	Failed(peers []int)
	// Released tells that peers of other jobs are no more, whose numbers will be used again.
	Released(peers []int)
	// Doomed is why an operation that has the key k cannot be completed, nil when it can: a send to a peer, a
	// receive, or, of kind request.Composite, one in which all processes of the context take part. An error
	// of class MPIX_ERR_PROC_FAILED_PENDING is that of a receive from any source which may find a message
	// nevertheless.
	Doomed(kind request.Kind, k match.Key, peer int) error
}

// mourning is what the engine knows of failures.
type mourning struct {
	mourner Mourner
	roll    transport.Roll // nil where no death is survived
	trouble bool           // something has failed or was revoked: operations are judged
	// since when a peer cannot be reached that lives; zero while all can
	unreachedAt time.Time
}

// SetMourner says who judges operations. It comes before any communication. recovers says that the engine
// survives deaths.
func (e *Engine) SetMourner(m Mourner, recovers bool) {
	e.mourner = m
	for i := range e.links {
		if roll, ok := e.links[i].Provider.(transport.Roll); ok && recovers {
			e.roll = roll
			if e.bridger != nil {
				e.bridger.Outlive()
			}
			return
		}
	}
}

// isFallen reports whether a peer has failed, as far as the engine has heard.
func (e *Engine) isFallen(peer int) bool { return peer >= 0 && e.peers[peer].failed }

// Trouble reports whether anything has failed or was revoked. It needs the lock.
func (e *Engine) Trouble() bool { return e.trouble }

// Heed takes note of all failures that are known on this node.
func (e *Engine) Heed() {
	e.lock()
	e.heed()
	e.unlock()
}

// mostDrained bounds what is taken in ahead of the news of a failure, in packets: living peers may send on.
const mostDrained = 1 << 16

// heed is Heed. It returns true when there was news.
func (e *Engine) heed() bool {
	if !e.news() || e.links[0].Failed() >= 0 {
		return false
	}
	peers := e.obituaries()
	// What they have sent lies there by now; of those that die from here on it may not.
	for n := 0; n < mostDrained && peers != nil && e.poll(); n++ {
	}
	if peers == nil {
		return false
	}
	e.trouble = true
	e.extendWaiting()
	e.keepPersistent()
	for _, peer := range peers {
		e.bury(peer)
	}
	e.mourner.Failed(peers)
	e.judgeAll()
	return true
}

// obituaries lists the peers that have failed and are not known to have.
func (e *Engine) obituaries() (peers []int) {
	e.endpoint.Heard = atomic.LoadUint32(e.endpoint.Epoch)
	e.roll.Fallen(func(peer int) {
		if !e.isFallen(peer) {
			peers = append(peers, peer)
		}
	})
	if e.bridged > 0 {
		e.bridger.Lost(func(peer int) { peers = append(peers, peer) })
	}
	return peers
}

// bury forgets what waits to be sent to a peer that has failed. The requests are judged later.
func (e *Engine) bury(peer int) {
	e.peers[peer].fail()
	e.idled(peer)
	if e.network != nil {
		e.network.Bury(peer)
	}
	// what it has announced lies in its memory
	e.discardAll(func(t *fast.Unexpected) bool { return t.Flags&fast.AtSender != 0 && e.sender(t) == peer })
}

// Judge ends the requests that cannot be completed any more. It is called with the lock held, after something
// was revoked.
func (e *Engine) Judge() {
	e.trouble = true
	e.extendWaiting()
	e.keepPersistent()
	e.judgeAll()
}

// judgeAll ends all requests that cannot be completed. What waits elsewhere looks again.
func (e *Engine) judgeAll() {
	e.Pool.Any(func(r *request.Request) bool {
		if !r.Done && !r.Inactive() {
			e.judge(r)
		}
		return false
	})
	e.completed = true
}

// judge ends r if it cannot be completed.
func (e *Engine) judge(r *request.Request) {
	switch {
	case r.Kind == request.Composite && (r.State == request.Watched || r.State == request.Deferred):
		if err := e.mourner.Doomed(r.Kind, r.Key, -1); err != nil {
			e.abort(r, err)
		}
	case r.Kind == request.Composite:
		op, ok := request.Behind(r.Op).(pairwise)
		if !ok || r.State == request.Ending {
			break
		}
		if err := e.fate(op.partner()); err != nil {
			e.abort(r, err)
		}
	case r.Kind == request.Send || r.Kind == request.Recv:
		if err := e.doomed(r); err != nil && !pends(err) {
			e.giveUp(r, err)
		}
	}
}

// pairwise is a composite operation with one other process, which may wait although no part of it is under
// way.
type pairwise interface {
	// partner is what it would send to or receive from that process, in the terms of Mourner.
	partner() (kind request.Kind, k match.Key, peer int)
}

// abort has a composite request begin nothing more, and end with an error when its parts have ended.
func (e *Engine) abort(r *request.Request, err error) {
	if r.Err == nil {
		r.Err = err
	}
	e.wind(r)
}

// fate is why an operation cannot be completed, nil when it can.
func (e *Engine) fate(kind request.Kind, k match.Key, peer int) error {
	return e.mourner.Doomed(kind, k, peer)
}

// doomed is why a send or receive cannot be completed, nil when it can.
func (e *Engine) doomed(r *request.Request) error {
	if r.Kind == request.Recv && r.State == request.Filling {
		if e.isFallen(r.Peer) {
			return e.fate(request.Send, r.Key, r.Peer)
		}
		return nil // its sender is there, and has been asked
	}
	return e.fate(r.Kind, r.Key, r.Peer)
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
func (e *Engine) refuse(r *request.Request) bool {
	err := e.fate(r.Kind, r.Key, r.Peer)
	if err == nil {
		return false
	}
	e.finish(r, err)
	return true
}

// refused is why an operation with the peer or the key cannot begin, nil when it can.
func (e *Engine) refused(kind request.Kind, k match.Key, peer int) error {
	if !e.trouble {
		return nil
	}
	return e.fate(kind, k, peer)
}

// withheld reports whether a message that is there may not be received, because its context was revoked.
func (e *Engine) withheld(r *request.Request) bool {
	if !e.trouble {
		return false
	}
	err := e.refused(r.Kind, r.Key, -1)
	return err != nil && mpierr.CodeOf(err) == int(mpierr.ErrRevoked)
}

// whole is why an operation in which all processes of a context take part cannot be completed.
func (e *Engine) whole(ctx uint32) error {
	return e.refused(request.Composite, match.Key{Ctx: ctx}, -1)
}

// stuck is why the thread that waits for c waits in vain, nil when it does not. Something has failed.
func (e *Engine) stuck(c any) error {
	switch c := inner(c).(type) {
	case *request.Request:
		return e.unanswered(c)
	case oneOf:
		for _, r := range c.all {
			if waitable(r) && r.Done && IsLoss(r.Err) {
				return r.Err
			}
			if err := e.unanswered(r); err != nil {
				return err
			}
		}
	case anyDone:
		for _, r := range c {
			if err := e.unanswered(r); err != nil {
				return err
			}
		}
	case absentees:
		ctx, _ := c.Absent()
		return e.whole(ctx)
	case outliving:
	case interface {
		Group() (name string, g *group.Group)
	}:
		_, g := c.Group()
		return e.AliveIn(g)
	}
	return nil
}

// outliving is a condition that concerns a group, and that knows itself what deaths mean for it.
type outliving interface{ Outlives() }

// unanswered is the error of a receive from any source that the failure of a sender has made uncertain, nil
// for any other request.
func (e *Engine) unanswered(r *request.Request) error {
	if !e.trouble || !waitable(r) || r.Done || r.Kind != request.Recv ||
		r.Key.Src != match.AnySource || r.State != request.Posted {
		return nil
	}
	return e.mourner.Doomed(request.Recv, r.Key, -1)
}

// uncertain is the index of the first such receive, -1 when there is none.
func (e *Engine) uncertain(rs []*request.Request) int {
	return slices.IndexFunc(rs, func(r *request.Request) bool { return e.unanswered(r) != nil })
}

// news reports whether the failure epoch has moved.
func (e *Engine) news() bool {
	return e.roll != nil && (atomic.LoadUint32(e.endpoint.Epoch) != e.endpoint.Heard ||
		e.bridged > 0 && e.bridger.News())
}

// abandon ends a blocking receive that a failure has interrupted, and is its error.
func (e *Engine) abandon(r *request.Request, err error) error {
	if !pends(err) || r.Done || !e.isPosted(r) {
		return err
	}
	e.withdrawReceive(r)
	e.finish(r, nil)
	e.put(r)
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
func (e *Engine) Hide(handle uintptr) {
	if handle != 0 {
		e.endpoint.HideComm(handle)
	}
}
