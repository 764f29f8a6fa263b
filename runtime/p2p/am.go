package p2p

import (
	"sync"

	"gompi/runtime/fast"
	"gompi/runtime/transport"
	"gompi/shm"
	"gompi/wire/state"
)

// Active messages of other packages: packets that the receiver's engine hands to a handler and matches with
// nothing. They share the way, the order and the queues of the messages between two processes, and nothing
// else.

// AMHeader is what a packet of an active message says beside its body.
type AMHeader struct {
	Room  uint8  // whose handler takes it: one of the rooms below
	Ctx   uint32 // a context, by which the receiver knows what it is about
	Src   int32  // the sender's rank there
	What  int32
	Words [amWords]uint64
}

const amWords = 4

// Rooms that have active messages.
const (
	WindowRoom uint8 = iota
	RecoveryRoom
	PartitionedRoom
	amRooms
)

// inlineBody is the largest body that lies in the slot of a packet, in bytes.
const inlineBody = fast.InlineSize - 8*amWords

// ActiveMessage is what is sent in one or several packets. All methods are called under the engine's lock.
type ActiveMessage interface {
	// Body is the size of the body of the next packet in bytes. It fits into a packet of every
	// provider.
	Body() int64
	// Fill writes that body, and says what the packet says besides, and whether more follow. An active
	// message that was posted is not looked at any more after the last one.
	Fill(body uintptr) (h AMHeader, more bool)
	// Sent tells, of an active message of ActiveMessages.Send, whether the last packet is filled.
	Sent() bool
}

// AMHandler takes the packets of active messages. Receive is called under the engine's lock and never waits;
// the body is gone when it returns.
type AMHandler interface {
	Receive(peer int, h AMHeader, body uintptr, n int64)
}

// Notice is an active message of one packet.
type Notice struct {
	Header AMHeader
	Text   []byte
	sent   bool
	pool   *sync.Pool // that it goes back to once it is filled; nil for none
}

// Body implements ActiveMessage.
func (n *Notice) Body() int64 { return int64(len(n.Text)) }

// Fill implements ActiveMessage.
func (n *Notice) Fill(body uintptr) (h AMHeader, more bool) {
	copy(shm.Bytes(body, int64(len(n.Text))), n.Text)
	h, n.sent = n.Header, true
	if n.pool != nil {
		n.pool.Put(n)
	}
	return h, false
}

// Sent implements ActiveMessage.
func (n *Notice) Sent() bool { return n.sent }

// ActiveMessages sends the active messages of other packages, and hands on those that come.
type ActiveMessages struct {
	e        *Engine
	handlers [amRooms]AMHandler
	expected int       // objects for which some may come at any time
	notices  sync.Pool // of *Notice
}

// notice is one without text.
func (m *ActiveMessages) notice(h AMHeader, pool *sync.Pool) *Notice {
	n, _ := m.notices.Get().(*Notice)
	if n == nil {
		n = new(Notice)
	}
	*n = Notice{Header: h, pool: pool}
	return n
}

// PostNotice is Post of a packet without a body.
func (m *ActiveMessages) PostNotice(peer int, h AMHeader) { m.Post(peer, m.notice(h, &m.notices)) }

// SendNotice is Send of a packet without a body.
func (m *ActiveMessages) SendNotice(ctx uint32, peer int, h AMHeader) error {
	n := m.notice(h, nil)
	err := m.Send(ctx, peer, n)
	m.notices.Put(n)
	return err
}

// Handle says who takes the packets of active messages of a room. It comes before any can arrive.
func (m *ActiveMessages) Handle(room uint8, h AMHandler) { m.handlers[room] = h }

// Expect counts objects for which processes may send active messages at any time, so that this one has to
// look out for them, also while the program computes.
func (m *ActiveMessages) Expect(n int) {
	m.e.share()
	m.e.lock()
	if m.expected += n; m.expected > 0 {
		m.e.startThread()
	}
	m.e.unlock()
}

// Post sends an active message when there is room, now or later. The engine's lock is held.
func (m *ActiveMessages) Post(peer int, x ActiveMessage) {
	if !m.sendNow(peer, x) {
		m.e.enqueue(peer, outgoing{kind: am, x: x})
	}
}

// Send sends an active message in a context, and returns when all of it is on its way.
func (m *ActiveMessages) Send(ctx uint32, peer int, x ActiveMessage) error {
	e := m.e
	e.lock()
	defer e.unlock()
	if m.sendNow(peer, x) {
		e.sendHeld()
		return nil
	}
	e.enqueue(peer, outgoing{kind: am, x: x})
	err := e.waitIn(ctx, sentAM{x})
	if err != nil {
		e.peers[peer].out.delete(func(o *outgoing) bool { return o.x == x })
	}
	return err
}

// sendNow sends an active message if nothing waits for room ahead of it. It returns true when all of it has
// gone.
func (m *ActiveMessages) sendNow(peer int, x ActiveMessage) (done bool) {
	if m.e.peers[peer].out.empty() {
		_, done = m.push(peer, x)
	}
	return done
}

// sentAM is the condition that an active message has gone.
type sentAM struct{ x ActiveMessage }

// Ready implements Condition.
func (s sentAM) Ready() bool { return s.x.Sent() }

// Describe implements Describer.
func (s sentAM) Describe(n *state.Need) { n.Text = "room at another rank" }

// push sends as many packets of an active message as there is room for; done says that these were all.
func (m *ActiveMessages) push(peer int, x ActiveMessage) (sent, done bool) {
	l := m.e.to(peer)
	for more := true; more; {
		n := x.Body()
		room := int(n) + 8*amWords
		if n > inlineBody {
			room = int(max(n, fast.InlineSize+1))
		}
		p, at := l.Reserve(peer, room)
		if p == nil {
			return sent, false
		}
		body := at
		if n <= inlineBody {
			body += 8 * amWords
		}
		var h AMHeader
		h, more = x.Fill(body)
		p.Kind, p.Flags, p.Ctx, p.Src, p.Tag = am, h.Room, h.Ctx, h.Src, h.What
		p.Data[0], p.Data[1], p.Data[2], p.Data[3] = h.Words[0], h.Words[1], h.Words[2], h.Words[3]
		if p.InBulk() {
			p.Data[4] = uint64(n)
		}
		l.Publish(peer, p, room)
		sent = true
	}
	return sent, true
}

// arrive hands a packet of an active message on. What it brings may be waited for by another thread.
func (m *ActiveMessages) arrive(peer int, p *transport.Packet, payload uintptr) {
	h := AMHeader{Room: p.Flags, Ctx: p.Ctx, Src: p.Src, What: p.Tag}
	h.Words[0], h.Words[1], h.Words[2], h.Words[3] = p.Data[0], p.Data[1], p.Data[2], p.Data[3]
	n := int64(p.Inline) - 8*amWords
	if p.InBulk() {
		n = int64(p.Data[4])
	} else {
		payload += 8 * amWords
	}
	if n < 0 || p.InBulk() && !p.Holds(uint64(n)) || h.Room >= amRooms || m.handlers[h.Room] == nil {
		m.e.Malformed(peer, "a malformed packet: an active message with %d bytes at %d of the ring", n, p.Bulk)
	}
	m.handlers[h.Room].Receive(peer, h, payload, n)
	m.e.completed = true
}
