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
func (t *RequestTable) expectAnswer(r *Request) {
	if r.Peer != Nobody {
		r.State = Unmatched
		t.Unmatched++
	}
}

// Answered ends a synchronous send whose receive has been found.
func (t *RequestTable) Answered(r *Request) {
	r.State = Sent
	t.Unmatched--
}

// issend begins a synchronous send, and enters the endpoint unless the answer is another one than Done.
func (e *Endpoint) issend(buf uintptr, count int32, datatype uintptr, dest, tag int32, comm uintptr,
	request *uintptr) Reason {
	c := e.comm(comm)
	size, t := e.sized(buf, count, datatype)
	if c == nil {
		return NotPlain
	}
	node := e.node(c, dest)
	if !e.sends(node, size, tag) || !e.enter() {
		return NotPlain
	}
	i := e.Free
	how := NoRoom
	if i != e.RequestsMade {
		if node == e.Me {
			how = isendSelf(e, c, buf, t, size, tag, Synch, request)
		} else {
			how = e.isend(c, node, buf, t, size, tag, named|synchronous, request)
		}
	}
	if how != Done {
		e.leave()
		return how
	}
	if node != e.Me {
		r := e.Request(i)
		r.Buf = buf
		r.Size = uint64(size)
		r.Order = uint64(datatype)
		e.expectAnswer(r)
	}
	return Done
}

// Issend is MPI_Issend (MPI 5.0, 3.7.2).
func Issend(e *Endpoint, buf uintptr, count int32, datatype uintptr, dest, tag int32, comm uintptr,
	request *uintptr) Reason {
	if nowhere(request) {
		return NotPlain
	}
	how := e.issend(buf, count, datatype, dest, tag, comm, request)
	if how == Done {
		e.leave()
	}
	return how
}

// Ssend is MPI_Ssend. SentOnly: the message has gone, and package p2p waits for the answer to the request in
// *begun.
func Ssend(e *Endpoint, buf uintptr, count int32, datatype uintptr, dest, tag int32, comm uintptr,
	begun *uintptr) Reason {
	how := e.issend(buf, count, datatype, dest, tag, comm, begun)
	if how != Done {
		return how
	}
	r := e.Request(uint32(*begun & indexMask))
	how = e.await(r)
	if how != Done {
		return SentOnly
	}
	e.giveBack(r)
	e.leave()
	return Done
}
