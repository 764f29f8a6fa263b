package fast

// Persistent requests (MPI 5.0, 3.9). What is sent or received, and with whom, stays in the request from one
// round to the next. Package p2p deals with a round that is not plain, and leaves the request here when the
// round is over.

// prepare makes a persistent request that is Inactive, if there is a free one.
func (e *Endpoint) prepare(c *Comm, buf uintptr, t *Type, size uint32, rank, tag int32, flags uint32,
	request *uintptr) Reason {
	if e.Free == e.RequestsMade {
		return NoRoom
	}
	r := e.firstFree()
	r.State = Inactive
	r.Flags = Persistent | flags
	if t != nil {
		r.Flags |= Typed
		e.TypedPersistent++
	}
	r.Ctx = c.Ctx
	r.Src = rank
	r.Self = c.Rank
	r.Tag = tag
	r.Buf = buf
	r.Size = uint64(size)
	*request = e.handle(e.index(r))
	return Done
}

// packetFlags is the flags of the packets of a persistent send.
func (r *Request) packetFlags() uint32 {
	if r.Flags&Synch != 0 {
		return named | synchronous
	}
	return named
}

// SendInit is MPI_Send_init.
func SendInit(e *Endpoint, buf uintptr, count int32, datatype uintptr, dest, tag int32, comm uintptr,
	request *uintptr) Reason {
	return e.prepareSend(buf, count, datatype, dest, tag, comm, Sends, request)
}

// SsendInit is MPI_Ssend_init.
func SsendInit(e *Endpoint, buf uintptr, count int32, datatype uintptr, dest, tag int32, comm uintptr,
	request *uintptr) Reason {
	return e.prepareSend(buf, count, datatype, dest, tag, comm, Sends|Synch, request)
}

// prepareSend makes a persistent send.
func (e *Endpoint) prepareSend(buf uintptr, count int32, datatype uintptr, dest, tag int32, comm uintptr,
	flags uint32, request *uintptr) Reason {
	c := e.comm(comm)
	size, t := e.sized(buf, count, datatype)
	if c == nil || nowhere(request) {
		return NotPlain
	}
	node := e.node(c, dest)
	if !e.sends(node, size, tag) ||
		node == e.Me && !(settable(request) && present(buf, t, size)) || !e.enter() {
		return NotPlain
	}
	i := e.Free
	how := e.prepare(c, buf, t, size, c.Rank, tag, flags, request)
	if how == Done {
		r := e.Request(i)
		r.Peer = node
		r.Order = uint64(datatype)
	}
	e.leave()
	return how
}

// RsendInit is MPI_Rsend_init: a send in ready mode is done as a standard one.
func RsendInit(e *Endpoint, buf uintptr, count int32, datatype uintptr, dest, tag int32, comm uintptr,
	request *uintptr) Reason {
	return SendInit(e, buf, count, datatype, dest, tag, comm, request)
}

// RecvInit is MPI_Recv_init.
func RecvInit(e *Endpoint, buf uintptr, count int32, datatype uintptr, source, tag int32, comm uintptr,
	request *uintptr) Reason {
	c := e.comm(comm)
	room, t := e.sized(buf, count, datatype)
	if c == nil || room == noSize || nowhere(request) || source == ProcNull || !e.receives(c, source, tag) {
		return NotPlain
	}
	if source == c.Rank && !(settable(request) && present(buf, t, room)) || !e.enter() {
		return NotPlain
	}
	flags := uint32(0)
	if c.isFar(source) {
		flags = FarReceive
	}
	i := e.Free
	how := e.prepare(c, buf, t, room, source, tag, flags, request)
	if how == Done {
		e.Request(i).Peer = uint32(datatype)
	}
	e.leave()
	return how
}

// start starts a round of a request that is Inactive.
func (e *Endpoint) start(r *Request) Reason {
	if r.Flags&Repeats != 0 {
		q := e.CollRequest(r.Next)
		return q.startRound(e, r)
	}
	if r.Flags&(Sends|Partitioned) == Sends|Partitioned {
		return e.startParts(r)
	}
	if r.Flags&Sends != 0 && r.Peer == e.Me {
		state := e.beginOwn(r, e.typed(r), r.Flags)
		if state == Free {
			return NeedsEngine
		}
		r.State = state
		return Done
	}
	if r.Flags&Sends != 0 {
		if uint32(r.Size) > e.MostEager {
			return NotPlain
		}
		t := e.typed(r)
		how := e.put(r.Ctx, r.Self, r.Peer, r.Buf, t, uint32(r.Size), r.Tag, e.index(r), r.packetFlags())
		if how == Done {
			r.State = Sent
			if r.Flags&Synch != 0 {
				e.expectAnswer(r)
			}
		}
		return how
	}
	if e.Posted >= e.MostPosted {
		return NoRoom
	}
	if e.Waiting != 0 {
		i := e.look(r.Ctx, r.Src, r.Tag)
		if i != NoRequest {
			t := e.typed(r)
			if i == ToFile || !r.isWhole(e.Message(i).Size) || !e.receiveKept(i, r.Buf, uint32(r.Size), t) {
				return NeedsEngine
			}
			r.receiveFrom(e.Message(i))
			if r.Flags&Partitioned != 0 {
				r.receivePartitions()
			}
			return Done
		}
	}
	e.Post(r, Posted)
	return Done
}

// Start is MPI_Start.
func Start(e *Endpoint, request *uintptr) Reason {
	if nowhere(request) || !e.enter() {
		return NotPlain
	}
	how := NotPlain
	r := e.findInactive(*request)
	if r != nil {
		how = e.start(r)
	}
	e.leave()
	return how
}

// Startall is MPI_Startall. Where one of the requests cannot be started here, those ahead of it are marked
// (Begun), and package p2p goes on behind them.
func Startall(e *Endpoint, count int32, requests *uintptr) Reason {
	if count < 0 || nowhere(requests) || !e.enter() {
		return NotPlain
	}
	how := Done
	i := int32(0)
	for ; i < count && how == Done; i++ {
		how = NotPlain
		r := e.findInactive(*handleAt(requests, i))
		if r != nil {
			how = e.start(r)
		}
	}
	if how != Done {
		for k := int32(0); k < i-1; k++ {
			r := e.named(*handleAt(requests, k))
			r.Flags |= Begun
		}
	}
	e.leave()
	return how
}

// RequestFree is MPI_Request_free (MPI 5.0, 3.7.3) of a request that is Inactive, or of one operation that is
// done. One that is partitioned, or collective, has more than a record.
func RequestFree(e *Endpoint, request *uintptr) Reason {
	if nowhere(request) || !e.enter() {
		return NotPlain
	}
	how := NotPlain
	r := e.findInactive(*request)
	if r != nil && r.Flags&(Partitioned|Repeats) == 0 {
		e.Unname(r)
		e.giveBack(r)
		*request = NullRequest
		how = Done
	} else if r == nil {
		r = e.find(*request)
		if r != nil && r.done() && r.Flags&Persistent == 0 {
			e.reap(r, request, nil)
			how = Done
		}
	}
	e.leave()
	return how
}
