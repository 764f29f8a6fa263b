package fast

// Unexpected is a message that has come before its receive, or that this rank has sent itself. Its record is
// in use until a receive has got it. As long as a receive may match it, it is filed: under its key, and under
// the keys with wildcards of every kind that has been asked for (MPI 5.0, 3.5). Few but programs that receive
// from anybody pay for those.
type Unexpected struct {
	Links      [KeyKinds]Link // where it is filed. Links[0].Next of a free one: see Request.Next
	Ctx        uint32         // matching context
	Src, Tag   int32          // the sender's rank in it
	Peer       uint32         // node rank of the sender; package p2p's number of it where that is FarSender
	Send       uint32         // the sender's number of the send, if it waits for an answer or may cancel it
	Order      uint32         // counts messages; it may overflow
	Flags      uint32         // see below
	Data       uintptr        // where the data is: here, or at its sender
	Size       uint64         // of the data, in bytes
	Time       uint64         // package p2p's, in ns; 0 where nothing is measured
	InlineData [InlineSize / 8]uint64
}

// Flags of a message.
const (
	Filed     uint32 = 1 << iota
	Sync             // its sender waits for the answer that the receive has been found
	AtSender         // the data is in the sender's memory
	InPieces         // the data comes in pieces when it is asked for
	FarSender        // the sender is of another node or job
	Lost             // the data could not be read at the sender
	Signed           // package p2p knows its type signature
	Small            // it was announced, and might have been eager
)

// Link is a place in a list of messages: references, NoRequest at the end. Prev of the first says nothing.
// A reference is KeyKinds times the number of a message, and the kind of key under which it is filed there.
type Link struct{ Next, Prev uint32 }

// KeyKinds is how many kinds of keys there are; a kind says which parts are wildcards.
const (
	KeyKinds          = 4
	wildSource uint32 = 1
	wildTag    uint32 = 2
)

// maxMessages is how many messages there may be. As of requests, there is memory for the first
// Endpoint.MessagesMade.
const (
	maxMessages   = 1 << 22
	firstMessages = 512
)

// keyKind is the kind of a key.
func keyKind(src, tag int32) uint32 {
	kind := uint32(0)
	if src == AnySource {
		kind = wildSource
	}
	if tag == AnyTag {
		kind |= wildTag
	}
	return kind
}

// messagesOf is the bin of messages filed under a key.
func (e *Endpoint) messagesOf(ctx uint32, src, tag int32) *Bin {
	return e.MessageBin(shiftRight(spread(ctx, src, tag), e.MessageShift))
}

// fileUnder files message i under its key with the wildcards of a kind, behind all that are there.
func (e *Endpoint) fileUnder(i, kind uint32) {
	m := e.Message(i)
	bin := e.binUnder(m, kind)
	at := i*KeyKinds + kind
	link := e.LinkAt(at)
	link.Next = NoRequest
	if bin.First == NoRequest {
		bin.First = at
	} else {
		link.Prev = bin.Last
		e.LinkAt(bin.Last).Next = at
	}
	bin.Last = at
}

// binUnder is the bin of a message under its key with the wildcards of a kind.
func (e *Endpoint) binUnder(m *Unexpected, kind uint32) *Bin {
	src := m.Src
	tag := m.Tag
	if kind&wildSource != 0 {
		src = AnySource
	}
	if kind&wildTag != 0 {
		tag = AnyTag
	}
	return e.messagesOf(m.Ctx, src, tag)
}

// takeFrom takes message i out of the list in which it is under a kind of key.
func (e *Endpoint) takeFrom(i, kind uint32) {
	bin := e.binUnder(e.Message(i), kind)
	at := i*KeyKinds + kind
	link := e.LinkAt(at)
	if bin.First == at {
		bin.First = link.Next
		return
	}
	e.LinkAt(link.Prev).Next = link.Next
	if link.Next == NoRequest {
		bin.Last = link.Prev
	} else {
		e.LinkAt(link.Next).Prev = link.Prev
	}
}

// File files message i, whose key is set, behind all that came before. There is room.
func (e *Endpoint) File(i uint32) {
	m := e.Message(i)
	m.Flags |= Filed
	m.Order = uint32(e.Arrivals)
	e.Arrivals++
	for kind := uint32(0); kind < KeyKinds; kind++ {
		if kind == 0 || e.AskedFor[kind] != 0 {
			e.fileUnder(i, kind)
		}
	}
	e.Waiting++
	e.Unexpected++
	e.MostEver = max(e.MostEver, e.Unexpected)
}

// Unfile takes message i out of the matching.
func (e *Endpoint) Unfile(i uint32) {
	for kind := uint32(0); kind < KeyKinds; kind++ {
		if kind == 0 || e.AskedFor[kind] != 0 {
			e.takeFrom(i, kind)
		}
	}
	m := e.Message(i)
	m.Flags &^= Filed
	e.Waiting--
	e.Unexpected--
}

// is reports whether a message under a kind of key matches a key of that kind.
func (m *Unexpected) is(kind, ctx uint32, src, tag int32) bool {
	return m.Ctx == ctx && (m.Src == src || kind&wildSource != 0) && (m.Tag == tag || kind&wildTag != 0)
}

// ToFile says that messages have to be filed under one more kind of key, by Endpoint.FileAll.
const ToFile = NoRequest - 1

// UnexpectedFor is the number of the oldest message that matches a receive; NoRequest when there is none.
func (e *Endpoint) UnexpectedFor(ctx uint32, src, tag int32) uint32 {
	if e.Unexpected == 0 {
		return NoRequest
	}
	kind := keyKind(src, tag)
	if kind != 0 && e.AskedFor[kind] == 0 {
		return ToFile
	}
	at := e.messagesOf(ctx, src, tag).First
	for at != NoRequest {
		i := at / KeyKinds
		if at%KeyKinds == kind && e.Message(i).is(kind, ctx, src, tag) {
			return i
		}
		at = e.LinkAt(at).Next
	}
	return NoRequest
}

// Spare is the first free record of a message; NoRequest when package p2p has to make more.
func (e *Endpoint) Spare() uint32 {
	if e.FreeMessage == e.MessagesMade || e.Unexpected >= e.MostFiled {
		return NoRequest
	}
	return e.FreeMessage
}

// use takes the first free record of a message, which there is.
func (e *Endpoint) use() *Unexpected {
	m := e.Message(e.FreeMessage)
	e.FreeMessage += 1 + m.Links[0].Next
	m.Flags = 0
	m.Time = 0
	m.Send = NoRequest
	return m
}

// Weight is what a message of that size counts among what is kept of its sender's, in bytes.
func Weight(size uint64) uint64 {
	if size > InlineSize {
		size = messageSize + size
	} else {
		size = messageSize
	}
	return size
}

const messageSize = 128 // of an Unexpected

// keepPacket files the next packet of a peer, for which no receive is posted, so that what comes behind it
// can be received.
//
//fast:cold
func (e *Endpoint) keepPacket(peer *Peer, in *incoming) step {
	if in.size == otherPacket || e.Observed != 0 || peer.Kept.Stopped != 0 ||
		peer.Kept.Bytes+Weight(uint64(in.size)) > e.MostKept {
		return engine
	}
	i := e.Spare()
	if i == NoRequest {
		return engine
	}
	data := uintptr(0)
	if in.size > InlineSize {
		data = e.Buffers.take(pieceClass(in.size))
		if data == 0 {
			return engine
		}
	}
	m := e.use()
	if data == 0 {
		data = m.own()
	}
	m.Ctx = in.ctx
	m.Src = in.src
	m.Tag = in.tag
	m.Peer = e.ActivePeer(e.Turn)
	if in.head&(synchronous|named) != 0 {
		m.Send = in.send
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

// DropMessage gives a message's memory back but for a piece of more than mostPiece bytes.
func (e *Endpoint) DropMessage(i uint32) {
	m := e.Message(i)
	if m.Flags&Filed != 0 {
		e.Unfile(i)
	}
	if m.Flags&AtSender == 0 && m.Size > InlineSize && m.Size <= mostPiece {
		e.Buffers.give(pieceClass(uint32(m.Size)), m.Data)
	}
	m.Links[0].Next = e.FreeMessage - i - 1
	e.FreeMessage = i
}

// receiveKept gives message i to a receive, and reports false when package p2p has to.
func (e *Endpoint) receiveKept(i uint32, buf uintptr, room uint32) bool {
	m := e.Message(i)
	if m.Size > uint64(room) || m.Time != 0 {
		return false
	}
	if m.Peer == e.Me && m.Flags&FarSender == 0 {
		return e.receiveOwn(i, buf)
	}
	if m.Flags&^(Filed|Sync) != 0 || m.Size > MaxMessage {
		return false
	}
	peer := e.Peer(m.Peer)
	if peer.Kept.Stopped != 0 || m.Flags&Sync != 0 && !e.tellFound(peer, m.Send) {
		return false
	}
	peer.Kept.Bytes -= Weight(m.Size)
	move(buf, m.Data, uint32(m.Size))
	e.DropMessage(i)
	return true
}

// receiveOwn is receiveKept of a message of this rank to itself.
func (e *Endpoint) receiveOwn(i uint32, buf uintptr) bool {
	m := e.Message(i)
	offered := m.Flags&AtSender != 0
	if m.Flags&^(Filed|AtSender) != 0 || !offered && m.Size > MaxMessage || m.Size > maxSelf ||
		offered && e.Request(m.Send).State != Offered || !tryMove(buf, m.Data, uint32(m.Size)) {
		return false
	}
	if offered {
		e.Request(m.Send).State = Sent
	}
	e.DropMessage(i)
	return true
}

// taken is what has become of a look for an unexpected message: advanced when there was one, idle when there
// is none, engine when package p2p has to look.
type taken struct {
	how      step
	src, tag int32
	size     uint32
}

// takeUnexpected receives the oldest unexpected message that a receive matches, if there is one.
func (e *Endpoint) takeUnexpected(ctx uint32, src, tag int32, buf uintptr, room uint32) taken {
	t := taken{how: engine}
	if e.Watched != 0 {
		return t
	}
	i := e.UnexpectedFor(ctx, src, tag)
	if i == NoRequest {
		t.how = idle
	} else if i != ToFile {
		m := e.Message(i)
		t.src = m.Src
		t.tag = m.Tag
		t.size = uint32(m.Size)
		if e.receiveKept(i, buf, room) {
			t.how = advanced
		}
	}
	return t
}

// recvUnexpected is takeUnexpected of a blocking call.
//
//fast:cold
func (e *Endpoint) recvUnexpected(c *Comm, buf uintptr, room uint32, source, tag int32, status *Status) taken {
	t := taken{how: engine}
	if status.settable() {
		t = e.takeUnexpected(c.Ctx, source, tag, buf, room)
	}
	return t
}

// reason is how the call ends whose look was not in vain.
func (t *taken) reason(status *Status) Reason {
	if t.how == engine {
		return NeedsEngine
	}
	if status != nil {
		status.set(t.src, t.tag, uint64(t.size))
	}
	return Done
}

// irecvUnexpected is a nonblocking receive where there are unexpected messages. There is a free request.
//
//fast:cold
func (e *Endpoint) irecvUnexpected(c *Comm, buf uintptr, room uint32, source, tag int32,
	request *uintptr) Reason {
	t := e.takeUnexpected(c.Ctx, source, tag, buf, room)
	if t.how == engine {
		return NeedsEngine
	}
	i := e.Free
	if t.how == idle {
		e.postNew(c, buf, room, source, tag)
	} else {
		r := e.firstFree()
		r.Ctx = c.Ctx
		r.Self = c.Rank
		r.receive(t.src, t.tag, t.size)
	}
	*request = e.handle(i)
	return Done
}

// probeUnexpected looks for an unexpected message to probe; advanced when there is one. flag may be nil. As
// for receives of messages of this rank, package p2p says what is wrong with addresses.
//
//fast:cold
func (e *Endpoint) probeUnexpected(c *Comm, source, tag int32, flag *int32, status *Status) step {
	if e.Watched != 0 {
		return engine
	}
	i := e.UnexpectedFor(c.Ctx, source, tag)
	if i == NoRequest {
		return idle
	}
	if i == ToFile {
		return engine
	}
	m := e.Message(i)
	if m.Peer == e.Me && !(status.settable() && (flag == nil || tryMove(addressOf(flag), addressOf(flag), 4))) {
		return engine
	}
	if status != nil {
		status.set(m.Src, m.Tag, m.Size)
	}
	return advanced
}
