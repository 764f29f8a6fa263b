package p2p

import (
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
	"gompi/runtime/transport"
	"gompi/shm"
)

// Processes of other jobs are peers with numbers above those of the job's ranks, for as long as there is a
// bridge to them. When a process at a bridge dies, the bridge is cut: nothing that comes over it is looked at
// any more, and every request in a context with processes beyond it fails, because whom it waits for may in
// turn wait for the dead one. Nothing else is concerned. Where the job survives deaths no bridge is cut: the
// dead are told from the living there, as within the job (failures.go).

// bridges is what an engine knows of bridges.
type bridges struct {
	*core
	transports *transports
	unexpected *unexpected
	records    *records
	copying    *copying
	inbound    *inbound

	bridged int // bridges to other jobs

	// Broken is why nothing can be completed in a context any more after a bridge was cut, nil when it can.
	// It is called under the engine's lock, and may be nil as long as there is no bridge.
	Broken func(ctx uint32) error
}

// Connect makes the other side of a bridge peers of this rank, and returns their numbers by member; see
// transport.Provider.
func (e *Engine) Connect(b transport.Bridge) ([]int, error) {
	e.lock()
	defer e.unlock()
	if e.bridger == nil {
		return nil, mpierr.New(mpierr.ErrOther, "no transport reaches processes of other jobs")
	}
	peers, err := e.bridger.Connect(b)
	if err != nil {
		return nil, mpierr.New(mpierr.ErrOther, "%v", err)
	}
	if e.bridged++; e.endpoint.Open == fast.Opened {
		e.endpoint.Open = fast.Remote
	}
	for len(e.peers) < e.bridger.Peers() {
		e.peers = append(e.peers, newPeer(e.bridge))
	}
	return peers, nil
}

// Disconnect takes away the peers of the bridge with that segment, once what waits to be sent to them has
// gone out. Nothing else may be under way, unless the bridge is cut.
func (e *Engine) Disconnect(s *shm.Segment, peers []int) {
	e.lock()
	defer e.unlock()
	if e.bridger.CutOff(s) == nil {
		_ = wait(e, flushed{e, s, peers}, 0) // if the job has failed, there is nothing more to be done
	}
	if e.detector == nil {
		e.failCut()
	} else {
		e.handler.Released(peers)
	}
	for _, peer := range peers {
		if peer >= 0 {
			e.peers[peer].reset()
			e.idled(peer)
		}
	}
	e.bridger.Disconnect(s)
	if e.bridged--; e.bridged == 0 && len(e.links) == 1 && e.endpoint.Open == fast.Remote {
		e.endpoint.Open = fast.Opened
	}
}

// flushed is the condition that no packet to some peers of a bridge waits for room, or it is cut.
type flushed struct {
	e     *Engine
	s     *shm.Segment
	peers []int
}

// Ready implements Condition.
func (f flushed) Ready() bool {
	for _, peer := range f.peers {
		if peer >= 0 && !f.e.peers[peer].out.empty() {
			return f.e.bridger.CutOff(f.s) != nil
		}
	}
	return true
}

// CutOff is why the bridge with that segment can be used no longer, nil as long as it can. It is called under
// the engine's lock, or where no bridge comes or goes.
func (b *bridges) CutOff(s *shm.Segment) error { return b.transports.bridger.CutOff(s) }

// Severed is CutOff after a look at whether all processes at bridges live. The caller uses the bridge.
func (b *bridges) Severed(s *shm.Segment) error {
	b.lock()
	defer b.unlock()
	b.transports.bridger.Watch()
	return b.transports.bridger.CutOff(s)
}

// Home is the segment of the job of a peer, and the peer's number in it.
func (b *bridges) Home(peer int) (*shm.Segment, int) { return b.transports.bridger.Home(peer) }

// Nudge ends the sleep of the threads that wait in this engine: something has changed that they wait for.
func (b *bridges) Nudge() { b.waiter.Nudge() }

// broken is why nothing can be completed in a context any more, nil as long as it can.
func (b *bridges) broken(ctx uint32) error {
	if b.bridged == 0 || b.Broken == nil || b.transports.bridger.Cut() == nil {
		return nil
	}
	return b.Broken(ctx)
}

// failCut ends the requests that cannot be completed because a bridge is cut.
func (b *bridges) failCut() {
	if b.transports.bridger.Cut() == nil {
		return
	}
	b.records.extendPosted()
	b.records.keepPersistent(0)
	b.Pool.Any(func(r *request.Request) bool {
		if r.Done || r.Inactive() || r.Kind != request.Send && r.Kind != request.Recv {
			return false
		}
		if err := b.broken(r.Key.Ctx); err != nil {
			b.giveUp(r, err)
		}
		return false
	})
}

// giveUp ends a request of a broken context. One that a living rank of the job has been told of is taken back
// from it.
func (b *bridges) giveUp(r *request.Request, err error) {
	beyond := b.isFailed(r.Peer) || r.Peer >= 0 && b.bridged > 0 && b.transports.bridger.BeyondCut(r.Peer)
	if beyond {
		delete(b.cancels.asked, r) // nobody answers
	}
	switch {
	case b.isPosted(r):
		b.inbound.withdrawReceive(r)
		b.finish(r, err)
	case r.Kind == request.Recv && r.State == request.Filling && beyond:
		b.copying.endPart(r)
		b.finish(r, err)
	case r.Kind == request.Send && beyond && r.Pieces > 0:
		r.Err, r.State = err, request.Completing // the network gives its memory back
	case r.Kind == request.Send && beyond:
		b.peers[r.Peer].forget(r)
		b.finish(r, err)
	case r.Kind == request.Send && !b.cancels.pending(r) && r.State != request.Idle:
		r.Err = err
		b.cancels.send(r)
	}
}

// Purge forgets all messages and receives in the n contexts from first on, which nobody will ask for any
// more.
func (b *bridges) Purge(first, n uint32) {
	b.lock()
	defer b.unlock()
	b.records.extendPosted()
	b.Pool.Any(func(r *request.Request) bool {
		if r.Key.Ctx-first < n && b.isPosted(r) {
			b.inbound.withdrawReceive(r)
			b.finish(r, mpierr.New(mpierr.ErrComm, "the communicator has been disconnected"))
		}
		return false
	})
	b.unexpected.discardAll(func(t *fast.Unexpected) bool { return t.Ctx-first < n })
}
