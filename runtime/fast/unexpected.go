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
	Gen        uint32         // how often the record has been used
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
	Taken            // a probe has matched it
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

// maxMessages is how many messages there may be. There are chunks for the first Endpoint.MessagesMade.
const (
	maxMessages   = 1 << messageBits
	messageBits   = 22
	chunkMessages = 1 << 12
)

// UnexpectedTable is the unexpected messages, and where they are filed.
type UnexpectedTable struct {
	Unexpected   uint32           // messages that are filed
	Waiting      uint32           // these, and what is in Work.Watched
	MessagesMade uint32           // how many messages there are chunks for
	FreeMessage  uint32           // the first free one; MessagesMade when there is none
	MessageBins  *Bin             // of references
	MessageShift uint32           // there are 1<<(32-MessageShift) of them
	MostFiled    uint32           // messages filed until there have to be more bins
	AskedFor     [KeyKinds]uint32 // 1: messages are filed under keys of that kind; [0]: of any other
	MostEver     uint32           // the most that were filed
	Observed     uint32           // 1: a tool is to hear of every message
	Arrivals     uint64           // messages filed so far
	MostKept     uint64           // see Kept
	Buffers      pieces           // data of messages
	// chunks of messages, which never move
	Messages [maxMessages / chunkMessages]*Unexpected
}

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
//
//fast:hot
func (t *UnexpectedTable) messagesOf(ctx uint32, src, tag int32) *Bin {
	return t.MessageBin(shiftRight(spread(ctx, src, tag), t.MessageShift))
}

// fileUnder files message i under its key with the wildcards of a kind, behind all that are there.
//
//fast:hot
func (t *UnexpectedTable) fileUnder(i, kind uint32) {
	m := t.Message(i)
	bin := t.binUnder(m, kind)
	at := i*KeyKinds + kind
	link := t.LinkAt(at)
	link.Next = NoRequest
	if bin.First == NoRequest {
		bin.First = at
	} else {
		link.Prev = bin.Last
		t.LinkAt(bin.Last).Next = at
	}
	bin.Last = at
}

// binUnder is the bin of a message under its key with the wildcards of a kind.
//
//fast:hot
func (t *UnexpectedTable) binUnder(m *Unexpected, kind uint32) *Bin {
	src := m.Src
	tag := m.Tag
	if kind&wildSource != 0 {
		src = AnySource
	}
	if kind&wildTag != 0 {
		tag = AnyTag
	}
	return t.messagesOf(m.Ctx, src, tag)
}

// takeFrom takes message i out of the list in which it is under a kind of key.
//
//fast:hot
func (t *UnexpectedTable) takeFrom(i, kind uint32) {
	bin := t.binUnder(t.Message(i), kind)
	at := i*KeyKinds + kind
	link := t.LinkAt(at)
	if bin.First == at {
		bin.First = link.Next
		return
	}
	t.LinkAt(link.Prev).Next = link.Next
	if link.Next == NoRequest {
		bin.Last = link.Prev
	} else {
		t.LinkAt(link.Next).Prev = link.Prev
	}
}

// File files message i, whose key is set, behind all that came before. There is room.
//
//fast:hot
func (t *UnexpectedTable) File(i uint32) {
	m := t.Message(i)
	m.Flags |= Filed
	m.Order = uint32(t.Arrivals)
	t.Arrivals++
	t.fileUnder(i, 0)
	if t.AskedFor[0] != 0 {
		t.fileWild(i)
	}
	t.Waiting++
	t.Unexpected++
	t.MostEver = max(t.MostEver, t.Unexpected)
}

// fileWild files message i under its keys with wildcards that have been asked for.
func (t *UnexpectedTable) fileWild(i uint32) {
	for kind := uint32(1); kind < KeyKinds; kind++ {
		if t.AskedFor[kind] != 0 {
			t.fileUnder(i, kind)
		}
	}
}

// Unfile takes message i out of the matching.
//
//fast:hot
func (t *UnexpectedTable) Unfile(i uint32) {
	t.takeFrom(i, 0)
	for kind := uint32(1); kind < KeyKinds && t.AskedFor[0] != 0; kind++ {
		if t.AskedFor[kind] != 0 {
			t.takeFrom(i, kind)
		}
	}
	m := t.Message(i)
	m.Flags &^= Filed
	t.Waiting--
	t.Unexpected--
}

// is reports whether a message under a kind of key matches a key of that kind.
func (m *Unexpected) is(kind, ctx uint32, src, tag int32) bool {
	return m.Ctx == ctx && (m.Src == src || kind&wildSource != 0) && (m.Tag == tag || kind&wildTag != 0)
}

// ToFile says that messages have to be filed under one more kind of key, by Endpoint.FileAll.
const ToFile = NoRequest - 1

// UnexpectedFor is the number of the oldest message that matches a receive; NoRequest when there is none.
//
//fast:hot
func (t *UnexpectedTable) UnexpectedFor(ctx uint32, src, tag int32) uint32 {
	if t.Unexpected == 0 {
		return NoRequest
	}
	kind := keyKind(src, tag)
	if kind != 0 && t.AskedFor[kind] == 0 {
		return ToFile
	}
	at := t.messagesOf(ctx, src, tag).First
	for at != NoRequest {
		i := at / KeyKinds
		if at%KeyKinds == kind && t.Message(i).is(kind, ctx, src, tag) {
			return i
		}
		at = t.LinkAt(at).Next
	}
	return NoRequest
}

// Spare is the first free record of a message; NoRequest when package p2p has to make more.
func (t *UnexpectedTable) Spare() uint32 {
	if t.FreeMessage == t.MessagesMade || t.Unexpected >= t.MostFiled {
		return NoRequest
	}
	return t.FreeMessage
}

// use takes the first free record of a message, which there is.
//
//fast:hot
func (t *UnexpectedTable) use() *Unexpected {
	m := t.Message(t.FreeMessage)
	t.FreeMessage += 1 + m.Links[0].Next
	m.Flags = 0
	m.Time = 0
	m.Send = NoRequest
	return m
}
