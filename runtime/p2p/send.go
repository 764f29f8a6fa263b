package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
	"gompi/runtime/tool"
	"gompi/shm"
)

// outbound begins sends and carries them on.
type outbound struct {
	*core
	transports *transports
	queues     *queues
	flow       *flow
	protocols  *protocols
	unexpected *unexpected
	inbound    *inbound
	failures   *failures
	observer   *observer
	touched    byte // by readable
}

// Send sends b to rank dst with the given tag and returns once the buffer may be used again (MPI_Send, MPI
// 5.0, 3.2.1). Standard mode: eager messages do not wait for the receive.
func (e *Engine) Send(x *Context, b datatype.Buffer, dst, tag int) error {
	return e.sendAndWait(x, b, dst, tag, false)
}

// Ssend is Send that returns only once the receive has been found (MPI_Ssend, MPI 5.0, 3.4).
func (e *Engine) Ssend(x *Context, b datatype.Buffer, dst, tag int) error {
	return e.sendAndWait(x, b, dst, tag, true)
}

func (e *Engine) sendAndWait(x *Context, b datatype.Buffer, dst, tag int, sync bool) error {
	if dst == ProcNull {
		return nil
	}
	e.lock()
	defer e.unlock()
	e.stay() // before the receiver can look
	defer e.leave()
	r, err := e.start(x, b, dst, tag, sync, true)
	if err != nil {
		return err
	}
	return e.complete(r, nil)
}

// Isend starts to send b to rank dst (MPI_Isend, MPI 5.0, 3.7.2).
func (e *Engine) Isend(x *Context, b datatype.Buffer, dst, tag int) (*request.Request, error) {
	return e.isend(x, b, dst, tag, false)
}

// Issend is Isend whose request completes only once the receive has been found (MPI_Issend, MPI 5.0, 3.7.2).
func (e *Engine) Issend(x *Context, b datatype.Buffer, dst, tag int) (*request.Request, error) {
	return e.isend(x, b, dst, tag, true)
}

func (e *Engine) isend(x *Context, b datatype.Buffer, dst, tag int, sync bool) (*request.Request, error) {
	e.lock()
	defer e.unlock()
	if dst == ProcNull {
		return e.null(request.Send)
	}
	return e.start(x, b, dst, tag, sync, false)
}

// null is a request that is done from the start, for an operation with MPI_PROC_NULL (MPI 5.0, 3.10).
func (s *outbound) null(kind request.Kind) (*request.Request, error) {
	r, err := s.get(kind)
	if err != nil {
		return nil, err
	}
	r.Status = procNullStatus
	if kind == request.Send {
		r.Status = request.Empty
	}
	r.Done = true
	return r, nil
}

// start makes a send and begins it. blocking says that the caller will wait in the same call, so nobody else
// in this process could post the receive of a message to itself: one that waits for no receive is then
// buffered instead.
func (e *Engine) start(x *Context, b datatype.Buffer, dst, tag int, sync,
	blocking bool) (*request.Request, error) {
	e.handleFailures() // judges all requests, so it comes before there is one that has not begun
	e.hearStop(x.Peers.Of(dst))
	r, err := e.NewSend(x, b, dst, tag)
	if err != nil {
		return nil, err
	}
	r.Sync, r.Since = sync, 0
	if blocking && r.Bytes > fast.MaxMessage {
		r.Since = shm.Now()
	}
	e.begin(r, blocking && !sync)
	e.observer.deliver()
	return r, nil
}

// address writes into a send what it sends, n bytes, to whom, and in which space of messages.
func address(r *request.Request, x *Context, b datatype.Buffer, n int64, peer, tag int) {
	r.Status, r.Bytes, r.Peer = request.Empty, n, peer
	r.Buf, r.Self = b, int32(x.Rank)
	r.Key = match.Key{Ctx: x.ID, Src: int32(x.Rank), Tag: int32(tag)}
}

// NewSend is the request of a send that has not begun. The lock is held.
func (s *outbound) NewSend(x *Context, b datatype.Buffer, dst, tag int) (*request.Request, error) {
	r, err := s.get(request.Send)
	if err == nil {
		peer := 0
		if dst != ProcNull {
			peer = x.Peers.Of(dst)
		}
		address(r, x, b, b.Bytes(), peer, tag)
	}
	return r, err
}

// BeginSend starts the send of NewSend. One without owner may be gone afterwards. The lock is held.
func (s *outbound) BeginSend(r *request.Request) { s.begin(r, false) }

// BeginSendNow is BeginSend if the message can go at once with its header, out of where it lies: then a send
// in buffered mode saves a copy and a request. Otherwise it returns false, and has done nothing.
func (s *outbound) BeginSendNow(r *request.Request) bool {
	if r.Bytes > s.to(r.Peer).eager || r.Peer == s.me || !s.peers[r.Peer].out.empty() {
		return false
	}
	s.endpoint.Sending++
	sent, _ := s.launchEager(r)
	if !sent {
		s.endpoint.Sending--
	}
	return sent
}

// begin starts a send that knows all it needs. A request with parents or without owner may be gone
// afterwards.
func (s *outbound) begin(r *request.Request, blocking bool) {
	s.endpoint.Sending++
	peer := r.Peer
	if s.failures.anyFailed && s.failures.refuse(r) {
		return
	}
	if peer == s.me {
		s.sendSelf(r, blocking)
		return
	}
	if !s.peers[peer].out.empty() || !s.launch(r) {
		r.State = request.Queued
		s.queues.enqueue(peer, outgoing{kind: eager, r: r})
	}
}

// launch sends the first packet of r; false when there is no room for it.
func (s *outbound) launch(r *request.Request) bool {
	if s.signatures != nil && !s.signatures.send(s.to(r.Peer), r) {
		return false
	}
	why := tool.TooLong
	if r.Bytes <= s.to(r.Peer).eager {
		sent := false
		if sent, why = s.launchEager(r); why == tool.NotAnnounced {
			return sent
		}
	}
	return s.launchAnnounce(r, why)
}

// launchAnnounce tells the receiver of a message where it lies, or that it has to be asked for.
func (s *outbound) launchAnnounce(r *request.Request, why tool.Announcement) bool {
	l := s.to(r.Peer)
	p, _ := l.Reserve(r.Peer, announceSize)
	if p == nil {
		return false
	}
	p.Kind, p.Flags, p.Ctx, p.Src, p.Tag = announce, 0, r.Key.Ctx, r.Key.Src, r.Key.Tag
	if scattered(r) {
		p.Flags |= gaps
	}
	if r.Sync {
		p.Flags |= announcedSync
	}
	p.Data[0], p.Data[1], p.Data[2] = uint64(r.Bytes), uint64(r.Buf.Start()), uint64(r.Index())
	p.Data[3] = r.Since
	s.protocols.began(shm.Now())
	r.State = request.Announced
	l.Publish(r.Peer, p, announceSize)
	s.count.RendezvousSent++
	s.count.Announced[why]++
	s.count.RendezvousBytes += uint64(r.Bytes)
	s.observer.observe(tool.RendezvousBegun, int32(r.Peer), r.Key.Tag, r.Key.Ctx, r.Bytes)
	return true
}
