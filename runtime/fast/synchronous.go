package fast

// Synchronous sends (MPI 5.0, 3.4). The message goes as any other, and the receiver answers when it has found
// the receive.

// tellFound tells a peer that the receive of its synchronous send has been found. It reports false when there
// is no room for that.
//
//fast:cold
func (e *Endpoint) tellFound(peer *Peer, send uint32) bool {
	tx := &peer.Tx
	if e.Queued != 0 || !tx.Ready() {
		return false
	}
	slot, _ := tx.Reserve(0)
	if slot == nil {
		return false
	}
	slot.Kind = uint8(fetched)
	slot.Ctx = send
	slot.Src = 0
	slot.Tag = 0
	tx.Publish(slot, 0)
	peer.Ring()
	return true
}

// found deals with the answer that the receive of a synchronous send of this package has been found. All else
// that is no message is for package p2p.
//
//fast:cold
func (e *Endpoint) found(peer *Peer, m *incoming) step {
	if m.head != fetched || m.tag != 0 || m.ctx >= e.RequestsMade {
		return engine
	}
	r := e.Request(m.ctx)
	if r.State != Unmatched || r.Peer != e.ActivePeer(e.Turn) {
		return engine
	}
	e.Answered(r)
	if peer.Rx.Release(false) {
		peer.Ring()
	}
	return advanced
}

// expectAnswer makes a send, whose message has gone, one that waits for the answer. One to nobody is done.
func (e *Endpoint) expectAnswer(r *Request) {
	if r.Peer != Nobody {
		r.State = Unmatched
		e.Unmatched++
	}
}

// Answered ends a synchronous send whose receive has been found.
func (e *Endpoint) Answered(r *Request) {
	r.State = Sent
	e.Unmatched--
}

// issend begins a synchronous send.
func (e *Endpoint) issend(c *Comm, node uint32, buf uintptr, t *Type, size uint32, datatype uintptr,
	tag int32, request *uintptr) Reason {
	if e.Free == e.RequestsMade {
		return NoRoom
	}
	i := e.Free
	how := e.isend(c, node, buf, t, size, tag, named|synchronous, request)
	if how == Done {
		r := e.Request(i)
		r.Buf = buf
		r.Size = uint64(size)
		r.Order = uint64(datatype)
		e.expectAnswer(r)
	}
	return how
}

// Issend is MPI_Issend (MPI 5.0, 3.7.2).
func Issend(e *Endpoint, buf uintptr, count int32, datatype uintptr, dest, tag int32, comm uintptr,
	request *uintptr) Reason {
	c := e.comm(comm)
	size := e.size(buf, count, datatype)
	var t *Type
	if size == noSize {
		t = e.layout(buf, count, datatype)
		if t != nil {
			size = t.bytes(count)
		}
	}
	if c == nil || nowhere(request) {
		return NotPlain
	}
	node := e.node(c, dest)
	if !e.sends(node, size, tag) || node == e.Me || !e.enter() {
		return NotPlain
	}
	how := e.issend(c, node, buf, t, size, datatype, tag, request)
	e.leave()
	return how
}

// Ssend is MPI_Ssend. SentOnly: the message has gone, and package p2p waits for the answer to the request in
// *begun.
func Ssend(e *Endpoint, buf uintptr, count int32, datatype uintptr, dest, tag int32, comm uintptr,
	begun *uintptr) Reason {
	c := e.comm(comm)
	size := e.size(buf, count, datatype)
	var t *Type
	if size == noSize {
		t = e.layout(buf, count, datatype)
		if t != nil {
			size = t.bytes(count)
		}
	}
	if c == nil {
		return NotPlain
	}
	node := e.node(c, dest)
	if !e.sends(node, size, tag) || node == e.Me || !e.enter() {
		return NotPlain
	}
	i := e.Free
	how := e.issend(c, node, buf, t, size, datatype, tag, begun)
	if how != Done {
		e.leave()
		return how
	}
	how = e.await(e.Request(i))
	if how != Done {
		return SentOnly
	}
	e.giveBack(e.Request(i))
	e.leave()
	return Done
}
