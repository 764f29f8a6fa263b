package p2p

import (
	"gompi/runtime/fast"
	"gompi/runtime/transport"
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
	amRooms
)

// inlineBody is the largest body that lies in the slot of a packet, in bytes.
const inlineBody = fast.InlineSize - 8*amWords

// ActiveMessage is what is sent in one or several packets. All methods are called under the engine's lock.
type ActiveMessage interface {
	// Body is the size of the body of the next packet in bytes, at most Engine.MostBody.
	Body() int64
	// Fill writes that body, and says what the packet says besides, and whether more follow. An active
	// message that was posted is not looked at any more after the last one.
	Fill(body uintptr) (h AMHeader, more bool)
	// Sent tells, of an active message of SendAM, whether the last packet is filled.
	Sent() bool
}

// AMHandler takes the packets of active messages. Receive is called under the engine's lock and never waits;
// the body is gone when it returns.
type AMHandler interface {
	Receive(peer int, h AMHeader, body uintptr, n int64)
}

// SetAMHandler says who takes the packets of active messages of a room. It comes before any can arrive.
func (e *Engine) SetAMHandler(room uint8, r AMHandler) { e.amHandlers[room] = r }

// Do calls f with the engine's lock held, and makes what it has sent go.
func (e *Engine) Do(f func()) {
	e.lock()
	f()
	e.sendHeld()
	e.unlock()
}

// MostBody is the largest body of a packet to whomever in bytes.
func (e *Engine) MostBody() int64 {
	most := e.links[0].most
	for i := range e.links {
		most = min(most, e.links[i].most)
	}
	return most
}

// ExpectAMs counts objects for which processes may send active messages at any time, so that this one has to
// look out for them, also while the program computes.
func (e *Engine) ExpectAMs(n int) {
	e.share()
	e.lock()
	if e.amObjects += n; e.amObjects > 0 {
		e.startAssistant()
	}
	e.unlock()
}

// PostAM sends an active message when there is room, now or later. It is for receivers, which hold the lock.
func (e *Engine) PostAM(peer int, x ActiveMessage) {
	if e.peers[peer].out.empty() {
		if _, done := e.pushAM(peer, x); done {
			return
		}
	}
	e.enqueue(peer, outgoing{kind: am, x: x})
}

// SendAM sends an active message in a context, and returns when all of it is on its way.
func (e *Engine) SendAM(ctx uint32, peer int, x ActiveMessage) error {
	e.lock()
	if e.peers[peer].out.empty() {
		if _, done := e.pushAM(peer, x); done {
			e.sendHeld()
			e.unlock()
			return nil
		}
	}
	e.enqueue(peer, outgoing{kind: am, x: x})
	err := e.waitIn(ctx, sentAM{x})
	if err != nil {
		e.peers[peer].out.delete(func(o *outgoing) bool { return o.x == x })
	}
	e.unlock()
	return err
}

// sentAM is the condition that an active message has gone.
type sentAM struct{ x ActiveMessage }

// Ready implements Condition.
func (s sentAM) Ready() bool { return s.x.Sent() }

// pushAM sends as many packets of an active message as there is room for; done says that these were all.
func (e *Engine) pushAM(peer int, x ActiveMessage) (sent, done bool) {
	l := e.to(peer)
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

// arriveAM hands a packet of an active message on. What it brings may be waited for by another thread.
func (e *Engine) arriveAM(peer int, p *transport.Packet, payload uintptr) {
	h := AMHeader{Room: p.Flags, Ctx: p.Ctx, Src: p.Src, What: p.Tag}
	h.Words[0], h.Words[1], h.Words[2], h.Words[3] = p.Data[0], p.Data[1], p.Data[2], p.Data[3]
	n := int64(p.Inline) - 8*amWords
	if p.InBulk() {
		n = int64(p.Data[4])
	} else {
		payload += 8 * amWords
	}
	if n < 0 || p.InBulk() && !p.Holds(uint64(n)) || h.Room >= amRooms || e.amHandlers[h.Room] == nil {
		e.Malformed(peer, "a malformed packet: an active message with %d bytes at %d of the ring", n, p.Bulk)
	}
	e.amHandlers[h.Room].Receive(peer, h, payload, n)
	e.completed = true
}

// WaitIn is WaitFor for what happens in a context: it fails as well when processes that the context needs
// have gone. The condition is looked at under the lock alone.
func (e *Engine) WaitIn(ctx uint32, c Condition) error {
	e.lock()
	err := e.waitIn(ctx, c)
	e.unlock()
	return err
}

func (e *Engine) waitIn(ctx uint32, c Condition) error {
	if c.Ready() {
		return nil
	}
	if err := wait(e, within{e, ctx, c}, 0); err != nil || c.Ready() {
		return err
	}
	return e.severed(ctx)
}

// severed is why an operation that needs all processes of a context cannot be completed, nil when it can.
func (e *Engine) severed(ctx uint32) error {
	if err := e.broken(ctx); err != nil {
		return err
	}
	return e.whole(ctx)
}

// within is a condition that holds as well when its context is broken.
type within struct {
	e   *Engine
	ctx uint32
	Condition
}

// Ready implements Condition.
func (w within) Ready() bool { return w.Condition.Ready() || w.e.severed(w.ctx) != nil }

// WholeIn is why not all processes of a context can take part in anything any more, nil as long as they can.
func (e *Engine) WholeIn(ctx uint32) error {
	e.lock()
	defer e.unlock()
	return e.whole(ctx)
}

// BrokenIn is why nothing can be completed in a context any more, nil as long as it can.
func (e *Engine) BrokenIn(ctx uint32) error {
	e.lock()
	defer e.unlock()
	return e.severed(ctx)
}
