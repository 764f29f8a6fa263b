package fast

// How unexpected messages are kept, and received.

// Weight is what a message of that size counts among what is kept of its sender's, in bytes.
func Weight(size uint64) uint64 {
	if size <= InlineSize {
		return messageSize
	}
	return messageSize + size
}

const messageSize = 128 // of an Unexpected

// keepPacket files the next packet of a peer, for which no receive is posted, so that what comes behind it
// can be received.
//
//fast:cold
func (e *Endpoint) keepPacket(peer *Peer, in *incoming) step {
	if in.size > MaxMessage || e.Observed != 0 || peer.Kept.Stopped != 0 ||
		peer.Kept.Bytes+Weight(uint64(in.size)) > e.MostKept {
		return engine
	}
	i := e.Spare()
	if i == NoRequest {
		return engine
	}
	data := e.roomIn(i, in.size)
	if data == 0 {
		return engine
	}
	m := e.use()
	m.Ctx = in.ctx
	m.Src = in.src
	m.Tag = in.tag
	m.Peer = e.ActivePeer(e.Turn)
	if in.head&(synchronous|named) != 0 {
		m.Send = peer.sendOf(in)
	}
	m.Data = data
	m.Size = uint64(in.size)
	if in.head&synchronous != 0 {
		m.Flags = Sync
	}
	peer.Kept.Bytes += Weight(m.Size)
	e.File(i)
	peer.deliver(in, data)
	return advanced
}

// roomIn is memory for n bytes of data of message i, which is free; 0 when package p2p has to find some.
func (t *UnexpectedTable) roomIn(i, n uint32) uintptr {
	if n <= InlineSize {
		return t.Message(i).own()
	}
	return t.Buffers.take(pieceClass(n))
}

// leaveRoom gives back what roomIn has given.
//
//fast:hot
func (t *UnexpectedTable) leaveRoom(data uintptr, n uint32) {
	if n > InlineSize {
		t.Buffers.give(pieceClass(n), data)
	}
}

// DropMessage gives a message's memory back but for a piece of more than mostPiece bytes.
//
//fast:hot
func (t *UnexpectedTable) DropMessage(i uint32) {
	m := t.Message(i)
	if m.Flags&Filed != 0 {
		t.Unfile(i)
	}
	if m.Flags&AtSender == 0 && m.Size <= mostPiece {
		t.leaveRoom(m.Data, uint32(m.Size))
	}
	m.Flags = 0
	m.Gen++
	m.Links[0].Next = t.FreeMessage - i - 1
	t.FreeMessage = i
}

// receiveKept gives message i to a receive, and reports false when package p2p has to. The record is free
// then; it says what it said until it is used again.
func (e *Endpoint) receiveKept(i uint32, buf uintptr, room uint32, t *Type) bool {
	if i == ToFile {
		return false
	}
	m := e.Message(i)
	if m.Size > uint64(room) || m.Time != 0 || !whole(t, uint32(m.Size)) {
		return false
	}
	if m.Peer == e.Me && m.Flags&FarSender == 0 {
		return e.receiveOwn(i, buf, t)
	}
	if m.Flags&^(Filed|Taken|Sync) != 0 || m.Size > MaxMessage {
		return false
	}
	peer := e.Peer(m.Peer)
	if peer.Kept.Stopped != 0 || m.Flags&Sync != 0 && !e.tellFound(peer, m.Send) {
		return false
	}
	peer.Kept.Bytes -= Weight(m.Size)
	unpackFrom(t, buf, m.Data, uint32(m.Size))
	e.DropMessage(i)
	return true
}

// receiveOwn is receiveKept of a message of this rank to itself.
//
//fast:hot
func (e *Endpoint) receiveOwn(i uint32, buf uintptr, t *Type) bool {
	m := e.Message(i)
	waits := m.Flags&(AtSender|Sync) != 0
	if m.Flags&^(Filed|Taken|AtSender|Sync) != 0 || m.Flags&AtSender == 0 && m.Size > MaxMessage ||
		m.Size > maxSelf || waits && e.Request(m.Send).State != Offered ||
		!hand(e, buf, t, m.Data, nil, uint32(m.Size)) {
		return false
	}
	if waits {
		e.Request(m.Send).State = Sent
	}
	e.DropMessage(i)
	return true
}

// look is UnexpectedFor where package p2p may have something to do first (ToFile).
func (e *Endpoint) look(ctx uint32, src, tag int32) uint32 {
	if e.Watched != 0 {
		return ToFile
	}
	return e.UnexpectedFor(ctx, src, tag)
}

// recvKept is a blocking receive that gets message i.
//
//fast:cold
func (e *Endpoint) recvKept(i uint32, buf uintptr, t *Type, room uint32, status *Status) Reason {
	if !status.settable() || !e.receiveKept(i, buf, room, t) {
		return NeedsEngine
	}
	if status != nil {
		m := e.Message(i)
		status.set(m.Src, m.Tag, m.Size)
	}
	return Done
}

// irecvUnexpected is a nonblocking receive where there are unexpected messages. There is a free request.
//
//fast:cold
func (e *Endpoint) irecvUnexpected(c *Comm, buf uintptr, t *Type, room uint32, source, tag int32,
	request *uintptr) Reason {
	free := e.Free
	i := e.look(c.Ctx, source, tag)
	if i == NoRequest {
		e.postNew(c, buf, t, room, source, tag)
	} else if !e.receiveKept(i, buf, room, t) {
		return NeedsEngine
	} else {
		r := e.firstFree()
		r.Self = c.Rank
		r.receiveFrom(e.Message(i))
	}
	*request = e.handle(free)
	return Done
}

// receiveFrom makes a receive one that is done, with a message that has just been received.
func (r *Request) receiveFrom(m *Unexpected) { r.received(m.Ctx, m.Src, m.Tag, uint32(m.Size)) }

// probeUnexpected looks for an unexpected message to probe; advanced when there is one. flag may be nil. As
// for receives of messages of this rank, package p2p says what is wrong with addresses.
//
//fast:cold
func (e *Endpoint) probeUnexpected(c *Comm, source, tag int32, flag *int32, status *Status) step {
	i := e.look(c.Ctx, source, tag)
	if i == NoRequest {
		return idle
	}
	if i == ToFile {
		return engine
	}
	m := e.Message(i)
	if m.Peer == e.Me {
		at := addressOf(flag)
		if !status.settable() || flag != nil && !tryMove(at, at, 4) {
			return engine
		}
	}
	if status != nil {
		status.set(m.Src, m.Tag, m.Size)
	}
	return advanced
}
