package p2p

import (
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p/match"
	"gompi/runtime/tool"
)

// Messages that have come before their receive are records of the fast engine, which files and receives most
// of them. This package deals with the others: large ones, those whose data is at the sender, and those of
// ranks of other nodes.

// unexpected are the messages that have come before their receive, as far as this package deals with them.
type unexpected struct {
	*core
	flow      *flow
	queues    *queues
	protocols *protocols
	observer  *observer
	small     int // announced ones that might have been eager
}

// message is one that has come before its receive: what its first packet said.
type message struct {
	key   match.Key
	peer  int    // job rank of the sender
	bytes int64  // size
	send  uint32 // index of the send, where it waits for an answer
	addr  uintptr
	kind  messageKind
	sig   *signed // what it consists of, where that is checked
	// ns: of one that is announced, when a blocking call did that, by shm.Now; of an eager one, what it has
	// taken to bring it here and to buffer it. 0 where nothing is measured
	time uint64
	sync bool
	lost bool // its data could not be read at the sender
}

type messageKind uint8

const (
	buffered messageKind = iota // the data is at addr here
	inSender                    // the data lies at addr in the sender's memory
	inPieces                    // the data comes in pieces when it is asked for
)

// flags of messages, by kind.
var kindFlags = [...]uint32{buffered: 0, inSender: fast.AtSender, inPieces: fast.AtSender | fast.InPieces}

// keep makes a message an unexpected one. data is where its data belongs if it is buffered.
func (u *unexpected) keep(m message) (i uint32, data uintptr) {
	i, data, err := u.newMessage(&m)
	if err != nil {
		u.Fail(mpierr.Memory(err))
	}
	u.file(i, &m)
	return i, data
}

// newMessage is a record for a message, with room for its data if it is buffered.
func (u *unexpected) newMessage(m *message) (i uint32, data uintptr, err error) {
	size := uint64(0)
	if m.kind == buffered {
		size = uint64(m.bytes)
	}
	return u.endpoint.NewMessage(size)
}

// file writes a message into its record and files it.
func (u *unexpected) file(i uint32, m *message) {
	t := u.endpoint.Message(i)
	t.Ctx, t.Src, t.Tag = m.key.Ctx, m.key.Src, m.key.Tag
	t.Send, t.Size, t.Time, t.Flags = m.send, uint64(m.bytes), m.time, kindFlags[m.kind]
	if m.kind != buffered {
		t.Data = m.addr
	}
	if t.Peer = u.NodeRank(m.peer); t.Peer == fast.NoRequest {
		t.Peer, t.Flags = uint32(m.peer), t.Flags|fast.FarSender
	}
	if m.sync {
		t.Flags |= fast.Sync
	}
	if m.lost {
		t.Flags |= fast.Lost
	}
	if m.sig != nil {
		t.Flags |= fast.Signed
		u.signatures.kept[i] = m.sig
	}
	u.endpoint.File(i)
	u.flow.countKept(m.peer, t)
	u.completed = true // a thread may wait for it in a probe
	u.observer.observe(tool.UnexpectedArrived, m.key.Src, m.key.Tag, m.key.Ctx, m.bytes)
}

// NodeRank is the node rank of a peer; fast.NoRequest for one of another node or job.
func (c *core) NodeRank(peer int) uint32 {
	return c.peers[peer].node
}

// sender is the peer that has sent a message.
func (c *core) sender(t *fast.Unexpected) int {
	if t.Flags&fast.FarSender != 0 {
		return int(t.Peer)
	}
	return c.node[t.Peer]
}

// messageAt is what record i says.
func (u *unexpected) messageAt(i uint32) message {
	t := u.endpoint.Message(i)
	m := message{key: match.Key{Ctx: t.Ctx, Src: t.Src, Tag: t.Tag}, peer: u.sender(t), bytes: int64(t.Size),
		send: t.Send, addr: t.Data, time: t.Time, sync: t.Flags&fast.Sync != 0, lost: t.Flags&fast.Lost != 0}
	switch {
	case t.Flags&fast.InPieces != 0:
		m.kind = inPieces
	case t.Flags&fast.AtSender != 0:
		m.kind = inSender
	}
	if t.Flags&fast.Signed != 0 {
		m.sig = u.signatures.kept[i]
	}
	return m
}

// firstUnexpected is the oldest unexpected message that pattern k matches; fast.NoRequest when there is none.
func (u *unexpected) firstUnexpected(k match.Key) uint32 {
	i := u.endpoint.UnexpectedFor(k.Ctx, k.Src, k.Tag)
	if i == fast.ToFile {
		u.endpoint.FileAll(k.Src, k.Tag)
		i = u.endpoint.UnexpectedFor(k.Ctx, k.Src, k.Tag)
	}
	return i
}

// discard gives a message's record and memory back.
func (u *unexpected) discard(i uint32) {
	t := u.endpoint.Message(i)
	u.setSmall(t, false)
	if t.Flags&fast.Signed != 0 {
		delete(u.signatures.kept, i)
	}
	peer, was := u.sender(t), *t
	u.endpoint.Discard(i)
	u.flow.uncountKept(peer, &was)
}

// discardAll discards the messages of which f is true.
func (u *unexpected) discardAll(f func(*fast.Unexpected) bool) {
	for _, i := range u.endpoint.InOrder() {
		if f(u.endpoint.Message(i)) {
			u.discard(i)
		}
	}
}

// eachUnexpected calls yield for the messages that no receive was posted for, as long as it returns true.
func (u *unexpected) eachUnexpected(yield func(*Unexpected) bool) {
	for _, i := range u.endpoint.InOrder() {
		m, text := u.messageAt(i), ""
		if m.sig != nil {
			text = m.sig.text
		}
		if !yield(&Unexpected{m.key.Ctx, m.key.Src, m.key.Tag, m.bytes, text}) {
			return
		}
	}
}
