package fast

// MaxMessage is the largest message that is copied here at once, in bytes. Eager ones that are longer, up to
// MostEager, are copied in and out at the same time (long.go).
const MaxMessage = 16384

// sends reports whether a message of that size goes with that tag from here to a node rank, Nobody or noNode;
// larger ones go otherwise.
func (e *Endpoint) sends(node, size uint32, tag int32) bool {
	return (size <= e.MostEager || node == e.Me && size <= maxSelf) &&
		uint32(tag) <= uint32(TagUB) && node != noNode
}

// put sends a message of a rank in a context to a node rank, or to Nobody. flags are those of the packet;
// where they say that it names its send, number is that of the request.
//
//fast:hot
func (e *Endpoint) put(ctx uint32, rank int32, node uint32, buf uintptr, t *Type, size uint32, tag int32,
	number, flags uint32) Reason {
	if node == Nobody {
		return Done
	}
	peer := e.Peer(node)
	tx := &peer.Tx
	if e.Queued != 0 || !tx.Ready() || size >= tx.least {
		return NeedsEngine
	}
	var slot *Slot
	var payload uintptr
	for {
		slot, payload = tx.Reserve(size)
		if slot != nil {
			break
		}
		if !e.waitForRoom(tx, size) {
			return NoRoom
		}
	}
	if size <= InlineSize {
		slot.Bulk = number
	} else {
		slot.Data[0] = uint64(size)
		slot.Data[1] = uint64(number)
	}
	slot.Kind = uint8(eager)
	slot.Flags = uint8(flags >> 8)
	slot.Ctx = ctx
	slot.Src = rank
	slot.Tag = tag
	if unlikely(size > MaxMessage) {
		if !sendLong(e, peer, slot, payload, buf, size) {
			return NeedsEngine
		}
	} else {
		packTo(t, payload, buf, size)
		tx.Publish(slot, size)
	}
	e.Sent++
	e.SentBytes += uint64(size)
	peer.Ring()
	return Done
}

// waitForRoom waits a moment for the receiver of a ring that is full to empty something, and meanwhile
// receives what receives are posted for: the receiver may wait for room in turn. It reports false when
// package p2p has to do it; a queued message costs more.
//
// A few yields are enough for a receiver that waits for a processor, and no more may come of a call that is
// not to wait. Threads get no yields here, for this one does not let go of the endpoint.
//
//fast:cold
func (e *Endpoint) waitForRoom(tx *Tx, size uint32) bool {
	most := e.Spins
	if e.Shared == 0 {
		most += 8
	}
	for polls := uint32(0); !tx.refresh(); polls++ {
		s := idle
		for e.Posted != 0 {
			s = e.progress()
			if s != advanced {
				break
			}
			polls = 0
		}
		if size >= tx.least || s == engine || polls >= most || !e.backoff(polls) {
			return false
		}
	}
	return size < tx.least
}

// Send is MPI_Send (MPI 5.0, 3.2.1).
func Send(e *Endpoint, buf uintptr, count int32, datatype uintptr, dest, tag int32, comm uintptr) Reason {
	size := e.size(buf, count, datatype)
	if unlikely(size == noSize) {
		return sendGaps(e, buf, count, datatype, dest, tag, comm)
	}
	return sendData(e, buf, nil, size, dest, tag, comm)
}

// sendData is a blocking send of data, which is moved by a record if it has gaps.
//
//fast:hot
func sendData(e *Endpoint, buf uintptr, t *Type, size uint32, dest, tag int32, comm uintptr) Reason {
	c := e.comm(comm)
	if c == nil {
		return NotPlain
	}
	node := e.node(c, dest)
	if !e.sends(node, size, tag) || !e.enter() {
		return NotPlain
	}
	sent := NeedsEngine
	if unlikely(node == e.Me) {
		sent = sendSelf(e, c, buf, t, size, tag)
	} else {
		sent = e.put(c.Ctx, c.Rank, node, buf, t, size, tag, NoRequest, 0)
	}
	e.leave()
	return sent
}

// Rsend is MPI_Rsend (MPI 5.0, 3.4): a send in ready mode is done as a standard one.
func Rsend(e *Endpoint, buf uintptr, count int32, datatype uintptr, dest, tag int32, comm uintptr) Reason {
	return Send(e, buf, count, datatype, dest, tag, comm)
}

// Isend is MPI_Isend (MPI 5.0, 3.7.2).
func Isend(e *Endpoint, buf uintptr, count int32, datatype uintptr, dest, tag int32, comm uintptr,
	request *uintptr) Reason {
	size := e.size(buf, count, datatype)
	if unlikely(size == noSize) {
		return isendGaps(e, buf, count, datatype, dest, tag, comm, request)
	}
	return isendData(e, buf, nil, size, dest, tag, comm, 0, request)
}

// isendData is a nonblocking send of data, which is moved by a record if it has gaps. mode is Buffered or 0.
//
//fast:hot
func isendData(e *Endpoint, buf uintptr, t *Type, size uint32, dest, tag int32, comm uintptr,
	mode uint32, request *uintptr) Reason {
	c := e.comm(comm)
	if c == nil || nowhere(request) {
		return NotPlain
	}
	node := e.node(c, dest)
	if !e.sends(node, size, tag) || !e.enter() {
		return NotPlain
	}
	sent := NoRoom
	if e.Free != e.RequestsMade {
		if unlikely(node == e.Me) {
			sent = isendSelf(e, c, buf, t, size, tag, mode, request)
		} else {
			sent = e.isend(c, node, buf, t, size, tag, named, request)
		}
	}
	e.leave()
	return sent
}

// isend sends a message that has a request. There is a free one.
//
//fast:hot
func (e *Endpoint) isend(c *Comm, node uint32, buf uintptr, t *Type, size uint32, tag int32, flags uint32,
	request *uintptr) Reason {
	i := e.Free
	sent := e.put(c.Ctx, c.Rank, node, buf, t, size, tag, i, flags)
	if sent == Done {
		r := e.firstFree()
		r.State = Sent
		r.Ctx = c.Ctx
		r.Src = c.Rank
		r.Self = c.Rank
		r.Tag = tag
		r.Peer = node
		*request = e.handle(i)
	}
	return sent
}

// Irsend is MPI_Irsend (MPI 5.0, 3.7.2).
func Irsend(e *Endpoint, buf uintptr, count int32, datatype uintptr, dest, tag int32, comm uintptr,
	request *uintptr) Reason {
	return Isend(e, buf, count, datatype, dest, tag, comm, request)
}
