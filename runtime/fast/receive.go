package fast

// Receives from MPI_PROC_NULL are done at once (MPI 5.0, 3.10).

// setNobody fills in a status, if there is one, for a receive or a probe of nobody's message.
func (s *Status) setNobody() {
	if s != nil {
		s.set(ProcNull, AnyTag, 0)
	}
}

// receives reports whether messages from source with tag can be received here.
func (o *Objects) receives(c *Comm, source, tag int32) bool {
	return (source == AnySource || o.node(c, source) != noNode) &&
		(uint32(tag) <= uint32(TagUB) || tag == AnyTag)
}

// mayPost reports whether there is room for another posted receive.
func (m *Matcher) mayPost() bool { return m.Free != m.RequestsMade && m.Posted < m.MostPosted }

// fits reports whether a packet is a message for a receive or probe.
func (m *incoming) fits(c *Comm, source, tag int32) bool {
	return m.ctx == c.Ctx && (m.src == source || source == AnySource) && (m.tag == tag || tag == AnyTag)
}

// begin is postNew, or the end of a receive from MPI_PROC_NULL.
func (e *Endpoint) begin(c *Comm, buf uintptr, t *Type, room uint32, source, tag int32) *Request {
	if source != ProcNull {
		return e.postNew(c, buf, t, room, source, tag)
	}
	r := e.firstFree()
	r.received(c.Ctx, ProcNull, AnyTag, 0)
	return r
}

// received makes a request a receive that is done.
func (r *Request) received(ctx uint32, source, tag int32, size uint32) {
	r.Ctx = ctx
	r.receive(source, tag, size)
}

// get receives a message and leaves the endpoint. With nothing posted the next message is most likely the
// one. A message for a later receive stays in its ring as long as it is alone there.
func (e *Endpoint) get(c *Comm, buf uintptr, room uint32, source, tag int32, status *Status) Reason {
	if source == ProcNull {
		status.setNobody()
		e.leave()
		return Done
	}
	e.expectFar(c, source)
	if (e.Posted | e.Shared | e.Waiting | e.Collectives) != 0 {
		return e.getPosted(c, buf, nil, room, source, tag, status)
	}
	for polls := uint32(0); e.Queued == 0; polls++ {
		for range e.Active {
			slot := e.head()
			if slot != nil {
				peer := e.current()
				m := peer.read(slot)
				fits := m.fits(c, source, tag)
				if fits && m.size <= room && (m.head&synchronous == 0 || e.tellFound(peer, peer.sendOf(&m))) {
					if m.size <= MaxMessage {
						peer.deliver(&m, buf)
					} else if !receiveLong(e, peer, &m, buf) {
						return NeedsEngine
					}
					if status != nil {
						status.set(m.src, m.tag, uint64(m.size))
					}
					return Done
				}
				s := engine
				if !fits {
					s = e.putAside(peer, &m)
				}
				if s == engine {
					return NeedsEngine
				}
			}
			e.Turn++
		}
		if e.Connecting() {
			return NeedsEngine
		}
		if !e.restUnlocked(polls) {
			return Waiting
		}
	}
	return NeedsEngine
}

// putAside deals with a packet that is not for the receive of a blocking call; nothing else is posted. A
// message stays where it is as long as it is alone there.
//
//fast:cold
func (e *Endpoint) putAside(peer *Peer, m *incoming) step {
	if m.size == otherPacket {
		return e.found(peer, m)
	}
	if peer.Rx.More() {
		return e.keepPacket(peer, m)
	}
	return idle
}

// getPosted receives a message while other receives may be posted, or be by other threads, and leaves the
// endpoint.
//
//fast:cold
func (e *Endpoint) getPosted(c *Comm, buf uintptr, t *Type, room uint32, source, tag int32,
	status *Status) Reason {
	if e.Waiting != 0 {
		i := e.look(c.Ctx, source, tag)
		if i != NoRequest {
			how := e.recvKept(i, buf, t, room, status)
			e.leave()
			return how
		}
	}
	if !e.mayPost() {
		e.leave()
		return NoRoom
	}
	r := e.postNew(c, buf, t, room, source, tag)
	r.Flags |= InCall
	how := e.await(r)
	if how != Done {
		if e.Shared != 0 {
			e.Acquire()
		}
	}
	return e.endCall(r, status, how)
}

// endCall ends a receive of a blocking call and leaves the endpoint.
func (e *Endpoint) endCall(r *Request, status *Status, how Reason) Reason {
	if r.State == Received {
		how = Done
		if status != nil {
			status.set(r.Source(), r.GotTag(), r.Order)
		}
	} else if r.State == Posted {
		e.Unpost(r)
	}
	e.giveBack(r)
	e.leave()
	return how
}

// Recv is MPI_Recv (MPI 5.0, 3.2.4).
func Recv(e *Endpoint, buf uintptr, count int32, datatype uintptr, source, tag int32, comm uintptr,
	status *Status) Reason {
	c := e.comm(comm)
	room := e.size(buf, count, datatype)
	if unlikely(room == noSize) {
		return recvGaps(e, buf, count, datatype, source, tag, comm, status)
	}
	if c == nil || nowhereElse(status) || !e.receives(c, source, tag) || !e.enter() {
		return NotPlain
	}
	return e.get(c, buf, room, source, tag, status)
}

// Irecv is MPI_Irecv (MPI 5.0, 3.7.2).
func Irecv(e *Endpoint, buf uintptr, count int32, datatype uintptr, source, tag int32, comm uintptr,
	request *uintptr) Reason {
	c := e.comm(comm)
	room := e.size(buf, count, datatype)
	if unlikely(room == noSize) {
		return irecvGaps(e, buf, count, datatype, source, tag, comm, request)
	}
	if c == nil || nowhere(request) || !e.receives(c, source, tag) ||
		unlikely(source == c.Rank) && !(readable(buf, room) && settable(request)) || !e.enter() {
		return NotPlain
	}
	how := NeedsEngine
	if e.mayPost() {
		how = e.irecv(c, buf, nil, room, source, tag, request)
	}
	e.leave()
	return how
}

// irecv begins a nonblocking receive. There is room for it.
//
//fast:hot
func (e *Endpoint) irecv(c *Comm, buf uintptr, t *Type, room uint32, source, tag int32,
	request *uintptr) Reason {
	if e.Waiting != 0 && source != ProcNull {
		return e.irecvUnexpected(c, buf, t, room, source, tag, request)
	}
	r := e.begin(c, buf, t, room, source, tag)
	*request = e.handle(e.index(r))
	return Done
}

// Isendrecv is MPI_Isendrecv (MPI 5.0, 3.10). The message goes at once, so the request is that of the
// receive.
func Isendrecv(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr, dest, sendtag int32,
	recvbuf uintptr, recvcount int32, recvtype uintptr, source, recvtag int32, comm uintptr,
	request *uintptr) Reason {
	c := e.comm(comm)
	size, packed := e.sized(sendbuf, sendcount, sendtype)
	room, unpacked := e.sized(recvbuf, recvcount, recvtype)
	if c == nil || room == noSize || nowhere(request) {
		return NotPlain
	}
	node := e.node(c, dest)
	if !e.sends(node, size, sendtag) || !e.receives(c, source, recvtag) ||
		(node == e.Me || source == c.Rank) && !(present(recvbuf, unpacked, room) && settable(request)) ||
		!e.enter() {
		return NotPlain
	}
	how := NeedsEngine
	if e.mayPost() {
		if node == e.Me {
			how = sendSelf(e, c, sendbuf, packed, size, sendtag)
		} else {
			how = e.put(c.Ctx, c.Rank, node, sendbuf, packed, size, sendtag, NoRequest, 0)
		}
	}
	if how == Done {
		i := e.Free
		how = e.irecv(c, recvbuf, unpacked, room, source, recvtag, request)
		if how == Done {
			e.Request(i).Flags |= Paired
		} else {
			how = SentOnly
		}
	}
	e.leave()
	return how
}

// IsendrecvReplace is MPI_Isendrecv_replace (MPI 5.0, 3.10): a message that is sent here has left its
// buffer before another one comes into it.
func IsendrecvReplace(e *Endpoint, buf uintptr, count int32, datatype uintptr,
	dest, sendtag, source, recvtag int32,
	comm uintptr, request *uintptr) Reason {
	return Isendrecv(e, buf, count, datatype, dest, sendtag,
		buf, count, datatype, source, recvtag, comm, request)
}

// Sendrecv is MPI_Sendrecv (MPI 5.0, 3.10).
func Sendrecv(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr, dest, sendtag int32,
	recvbuf uintptr, recvcount int32, recvtype uintptr, source, recvtag int32, comm uintptr,
	status *Status) Reason {
	c := e.comm(comm)
	size := e.size(sendbuf, sendcount, sendtype)
	room := e.size(recvbuf, recvcount, recvtype)
	if unlikely(size == noSize || room == noSize) {
		return sendrecvGaps(e, sendbuf, sendcount, sendtype, dest, sendtag,
			recvbuf, recvcount, recvtype, source, recvtag, comm, status)
	}
	if c == nil || nowhereElse(status) {
		return NotPlain
	}
	node := e.node(c, dest)
	if !e.sends(node, size, sendtag) || !e.receives(c, source, recvtag) || !e.enter() {
		return NotPlain
	}
	how := NeedsEngine
	if unlikely(node == e.Me) {
		how = sendrecvSelf(e, c, sendbuf, nil, size, sendtag, recvbuf, nil, room, source, recvtag,
			status)
	} else {
		how = e.put(c.Ctx, c.Rank, node, sendbuf, nil, size, sendtag, NoRequest, 0)
		if how == Done {
			how = SentOnly
		}
	}
	if how != SentOnly {
		e.leave()
		return how
	}
	if e.get(c, recvbuf, room, source, recvtag, status) == Done {
		return Done
	}
	return SentOnly
}

// SendrecvReplace is MPI_Sendrecv_replace (MPI 5.0, 3.10).
func SendrecvReplace(e *Endpoint, buf uintptr, count int32, datatype uintptr,
	dest, sendtag, source, recvtag int32,
	comm uintptr, status *Status) Reason {
	return Sendrecv(e, buf, count, datatype, dest, sendtag,
		buf, count, datatype, source, recvtag, comm, status)
}

// probe looks for a message to probe, and gives those ahead of it to the receives that are posted for them.
// advanced: there is one. It stays where it is: the next receive finds it, because the same ring has its
// turn again.
func (e *Endpoint) probe(c *Comm, source, tag int32, flag *int32, status *Status) step {
	if source == ProcNull {
		status.setNobody()
		return advanced
	}
	e.expectFar(c, source)
	for {
		if e.Queued != 0 {
			return engine
		}
		if e.Waiting != 0 {
			s := e.probeUnexpected(c, source, tag, flag, status)
			if s != idle {
				return s
			}
		}
		slot := e.Next()
		if slot == nil {
			if e.Connecting() {
				return engine
			}
			return idle
		}
		peer := e.current()
		m := peer.read(slot)
		s := e.offer(peer, &m)
		if s == advanced {
			continue
		}
		if s == idle && !m.fits(c, source, tag) {
			s = e.keepPacket(peer, &m)
			if s == advanced {
				continue
			}
		}
		if s == engine {
			return engine
		}
		if status != nil {
			status.set(m.src, m.tag, uint64(m.size))
		}
		return advanced
	}
}

// Probe is MPI_Probe (MPI 5.0, 3.8.1).
func Probe(e *Endpoint, source, tag int32, comm uintptr, status *Status) Reason {
	return e.awaitProbe(source, tag, comm, 0, status)
}

// awaitProbe is a probe that waits. Where message is not 0 it is a matched one.
func (e *Endpoint) awaitProbe(source, tag int32, comm, message uintptr, status *Status) Reason {
	c := e.comm(comm)
	if c == nil || nowhereElse(status) || !e.receives(c, source, tag) || !e.enter() {
		return NotPlain
	}
	s := e.probeToTake(c, source, tag, message, status)
	for polls := uint32(0); s == idle; polls++ {
		if !e.restUnlocked(polls) {
			return Waiting
		}
		s = e.probeToTake(c, source, tag, message, status)
	}
	e.leave()
	if s == advanced {
		return Done
	}
	return NeedsEngine
}

// Iprobe is MPI_Iprobe (MPI 5.0, 3.8.1).
func Iprobe(e *Endpoint, source, tag int32, comm uintptr, flag *int32, status *Status) Reason {
	c := e.comm(comm)
	if c == nil || nowhere(flag) || nowhereElse(status) || !e.receives(c, source, tag) || !e.enterToAsk() {
		return NotPlain
	}
	how := NeedsEngine
	s := e.probe(c, source, tag, flag, status)
	if s == advanced {
		e.Act()
		*flag = 1
		how = Done
	} else {
		how = e.answer(s, flag)
	}
	e.leave()
	return how
}
