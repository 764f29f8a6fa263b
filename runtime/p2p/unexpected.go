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
func (e *Engine) keep(m message) (i uint32, data uintptr) {
	i, data, err := e.newMessage(&m)
	if err != nil {
		e.Fail(mpierr.Memory(err))
	}
	e.file(i, &m)
	return i, data
}

// newMessage is a record for a message, with room for its data if it is buffered.
func (e *Engine) newMessage(m *message) (i uint32, data uintptr, err error) {
	size := uint64(0)
	if m.kind == buffered {
		size = uint64(m.bytes)
	}
	return e.endpoint.NewMessage(size)
}

// file writes a message into its record and files it.
func (e *Engine) file(i uint32, m *message) {
	t := e.endpoint.Message(i)
	t.Ctx, t.Src, t.Tag = m.key.Ctx, m.key.Src, m.key.Tag
	t.Send, t.Size, t.Time, t.Flags = m.send, uint64(m.bytes), m.time, kindFlags[m.kind]
	if m.kind != buffered {
		t.Data = m.addr
	}
	if t.Peer = e.onNode(m.peer); t.Peer == fast.NoRequest {
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
		e.signatures.of[i] = m.sig
	}
	e.endpoint.File(i)
	e.countKept(m.peer, t)
	e.completed = true // a thread may wait for it in a probe
	e.observe(tool.UnexpectedArrived, m.key.Src, m.key.Tag, m.key.Ctx, m.bytes)
}

// onNode is the node rank of a peer; fast.NoRequest for one of another node or job.
func (e *Engine) onNode(peer int) uint32 {
	return e.peers[peer].node
}

// sender is the peer that has sent a message.
func (e *Engine) sender(t *fast.Unexpected) int {
	if t.Flags&fast.FarSender != 0 {
		return int(t.Peer)
	}
	return e.node[t.Peer]
}

// messageAt is what record i says.
func (e *Engine) messageAt(i uint32) message {
	t := e.endpoint.Message(i)
	m := message{key: match.Key{Ctx: t.Ctx, Src: t.Src, Tag: t.Tag}, peer: e.sender(t), bytes: int64(t.Size),
		send: t.Send, addr: t.Data, time: t.Time, sync: t.Flags&fast.Sync != 0, lost: t.Flags&fast.Lost != 0}
	switch {
	case t.Flags&fast.InPieces != 0:
		m.kind = inPieces
	case t.Flags&fast.AtSender != 0:
		m.kind = inSender
	}
	if t.Flags&fast.Signed != 0 {
		m.sig = e.signatures.of[i]
	}
	return m
}

// firstUnexpected is the oldest unexpected message that pattern k matches; fast.NoRequest when there is none.
func (e *Engine) firstUnexpected(k match.Key) uint32 {
	i := e.endpoint.UnexpectedFor(k.Ctx, k.Src, k.Tag)
	if i == fast.ToFile {
		e.endpoint.FileAll(k.Src, k.Tag)
		i = e.endpoint.UnexpectedFor(k.Ctx, k.Src, k.Tag)
	}
	return i
}

// discard gives a message's record and memory back.
func (e *Engine) discard(i uint32) {
	t := e.endpoint.Message(i)
	e.setSmall(t, false)
	if t.Flags&fast.Signed != 0 {
		delete(e.signatures.of, i)
	}
	peer, was := e.sender(t), *t
	e.endpoint.Discard(i)
	e.uncountKept(peer, &was)
}

// discardAll discards the messages of which f is true.
func (e *Engine) discardAll(f func(*fast.Unexpected) bool) {
	for _, i := range e.endpoint.InOrder() {
		if f(e.endpoint.Message(i)) {
			e.discard(i)
		}
	}
}
