package fast

// Data with gaps is packed straight into a packet, and unpacked straight out of it, by the loops of its
// datatype's record (MPI 5.0, 5.1). Posted receives and persistent requests name the record. Before it ends,
// package p2p goes on with them.

// layout is the record of a datatype with gaps by which the data of count elements is moved here; nil for
// what is left to package p2p.
func (d *Datatypes) layout(buf uintptr, count int32, datatype uintptr) *Type {
	t := d.datatype(datatype)
	if t == nil || count <= 0 || count > MaxMessage || buf < Lowest || t.Size <= 0 || t.Size > MaxMessage {
		return nil
	}
	loops := loopsOf(t)
	size := t.Size * int64(count)
	if loops == 0 || size > MaxMessage || loops > FewLoops && size > MostListed {
		return nil
	}
	return t
}

// bytes is the size in bytes of count elements.
func (t *Type) bytes(count int32) uint32 { return uint32(t.Size) * uint32(count) }

// sized is the size in bytes of a buffer, and the record by which its data is moved if it has gaps; noSize
// for what is left to package p2p.
func (d *Datatypes) sized(buf uintptr, count int32, datatype uintptr) (uint32, *Type) {
	size := d.size(buf, count, datatype)
	if size != noSize {
		return size, nil
	}
	t := d.layout(buf, count, datatype)
	if t == nil {
		return noSize, nil
	}
	return t.bytes(count), t
}

// packTo copies data from a buffer to a packet. t is nil for data without gaps.
//
//fast:hot
func packTo(t *Type, to, buf uintptr, size uint32) {
	if t != nil {
		packElements(t, buf, size, to)
	} else {
		move(to, buf, size)
	}
}

// unpackFrom is the other way round.
//
//fast:hot
func unpackFrom(t *Type, buf, from uintptr, size uint32) {
	if t != nil {
		unpackElements(t, buf, size, from)
	} else {
		move(buf, from, size)
	}
}

// whole reports whether a message of that size holds whole elements. Package p2p takes parts of elements.
//
//fast:hot
func whole(t *Type, size uint32) bool { return t == nil || size%uint32(t.Size) == 0 }

// typed is the record by which the data of a request is moved; nil for data without gaps.
func (d *Datatypes) typed(r *Request) *Type {
	if r.Flags&Typed == 0 {
		return nil
	}
	return d.typeAt(r.Datatype())
}

// typeAt is the record of a datatype that there was, whose record lasts as long as something names it.
func (d *Datatypes) typeAt(handle uintptr) *Type {
	return typeOf(d.Types[handle&objectMask>>ChunkBits], handle&chunkMask)
}

// offerOther gives a message to a posted receive with room for it, where the send is synchronous or the
// receive is of data with gaps or partitioned.
//
//fast:cold
func (e *Endpoint) offerOther(peer *Peer, m *incoming, r *Request) step {
	t := e.typed(r)
	if m.size > MaxMessage || !whole(t, m.size) || !r.isWhole(uint64(m.size)) ||
		m.head&synchronous != 0 && !e.tellFound(peer, peer.sendOf(m)) {
		return engine
	}
	unpackFrom(t, r.Buf, m.data, m.size)
	e.Unpost(r)
	if r.Flags&Partitioned != 0 {
		r.receivePartitions()
	} else {
		r.receive(m.src, m.tag, m.size)
	}
	peer.release(m)
	return advanced
}

// sendGaps is MPI_Send of data with gaps.
//
//fast:cold
func sendGaps(e *Endpoint, buf uintptr, count int32, datatype uintptr, dest, tag int32, comm uintptr) Reason {
	t := e.layout(buf, count, datatype)
	if t == nil {
		return NotPlain
	}
	return sendData(e, buf, t, t.bytes(count), dest, tag, comm)
}

// isendGaps is MPI_Isend of data with gaps.
//
//fast:cold
func isendGaps(e *Endpoint, buf uintptr, count int32, datatype uintptr, dest, tag int32, comm uintptr,
	request *uintptr) Reason {
	t := e.layout(buf, count, datatype)
	if t == nil {
		return NotPlain
	}
	return isendData(e, buf, t, t.bytes(count), dest, tag, comm, 0, request)
}

// recvGaps is MPI_Recv of data with gaps. Another thread might free the datatype of a call that waits.
//
//fast:cold
func recvGaps(e *Endpoint, buf uintptr, count int32, datatype uintptr, source, tag int32, comm uintptr,
	status *Status) Reason {
	c := e.comm(comm)
	t := e.layout(buf, count, datatype)
	if c == nil || t == nil || nowhereElse(status) || e.Shared != 0 || source == ProcNull ||
		!e.receives(c, source, tag) || !e.enter() {
		return NotPlain
	}
	e.expectFar(c, source)
	return e.getPosted(c, buf, t, t.bytes(count), source, tag, status)
}

// irecvGaps is MPI_Irecv of data with gaps.
//
//fast:cold
func irecvGaps(e *Endpoint, buf uintptr, count int32, datatype uintptr, source, tag int32, comm uintptr,
	request *uintptr) Reason {
	c := e.comm(comm)
	t := e.layout(buf, count, datatype)
	if c == nil || t == nil || nowhere(request) || !e.receives(c, source, tag) ||
		source == c.Rank && !(settable(request) && present(buf, t, 0)) || !e.enter() {
		return NotPlain
	}
	how := NeedsEngine
	if e.mayPost() {
		how = e.irecv(c, buf, t, t.bytes(count), source, tag, request)
	}
	e.leave()
	return how
}

// sendrecvGaps is MPI_Sendrecv where one of the two has gaps.
//
//fast:cold
func sendrecvGaps(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr, dest, sendtag int32,
	recvbuf uintptr, recvcount int32, recvtype uintptr, source, recvtag int32, comm uintptr,
	status *Status) Reason {
	c := e.comm(comm)
	if c == nil || nowhereElse(status) || !e.receives(c, source, recvtag) {
		return NotPlain
	}
	room, own := e.sized(recvbuf, recvcount, recvtype)
	if room == noSize {
		return NotPlain
	}
	how := SentOnly
	if e.node(c, dest) == e.Me {
		size, t := e.sized(sendbuf, sendcount, sendtype)
		if size == noSize || !e.sends(e.Me, size, sendtag) || !e.enter() {
			return NotPlain
		}
		how = sendrecvSelf(e, c, sendbuf, t, size, sendtag, recvbuf, own, room, source, recvtag, status)
		e.leave()
	} else {
		sent := Send(e, sendbuf, sendcount, sendtype, dest, sendtag, comm)
		if sent != Done {
			return sent
		}
	}
	if how != SentOnly {
		return how
	}
	if Recv(e, recvbuf, recvcount, recvtype, source, recvtag, comm, status) == Done {
		return Done
	}
	return SentOnly
}

// Unname follows when a request is persistent no more, or is no more: its datatype's record may end then.
func (t *RequestTable) Unname(r *Request) {
	if r.Flags&(Typed|Persistent) == Typed|Persistent {
		t.TypedPersistent--
	}
}

// Untype makes a posted receive one that names no record, unless it is persistent.
func (m *Matcher) Untype(r *Request) {
	if r.Flags&(Typed|Persistent) == Typed {
		r.Flags &^= Typed
		m.TypedPosted--
	}
}
