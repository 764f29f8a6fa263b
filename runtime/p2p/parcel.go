package p2p

import (
	"slices"

	"gompi/runtime/fast"
	"gompi/runtime/transport"
)

// Other packages may have packets of their own, which carry no messages: parcels. They share the way, the
// order and the queues of the messages between two processes, and nothing else.

// Heading is what a packet of a parcel says beside its body.
type Heading struct {
	Ctx   uint32 // a context, by which the receiver knows what it is about
	Src   int32  // the sender's rank there
	What  int32
	Words [headingWords]uint64
}

const headingWords = 4

// inlineBody is the largest body that stands in the slot of a packet, in bytes.
const inlineBody = fast.InlineSize - 8*headingWords

// Parcel is what is sent in one or several packets. All methods are called under the engine's lock.
type Parcel interface {
	// Body is the size of the body of the next packet in bytes, at most Engine.MostBody.
	Body() int64
	// Fill writes that body, and says what the packet says besides, and whether more follow. A parcel that
	// was posted is not looked at any more after the last one.
	Fill(body uintptr) (h Heading, more bool)
	// Sent tells, of a parcel that was shipped, whether the last packet is filled.
	Sent() bool
}

// Receiver takes the packets of parcels. Receive is called under the engine's lock and never waits; the body
// is gone when it returns.
type Receiver interface {
	Receive(peer int, h Heading, body uintptr, n int64)
}

// SetReceiver says who takes the packets of parcels. It comes before any can arrive.
func (e *Engine) SetReceiver(r Receiver) { e.receiver = r }

// MostBody is the largest body of a packet to whomever in bytes.
func (e *Engine) MostBody() int64 {
	most := e.links[0].most
	for i := range e.links {
		most = min(most, e.links[i].most)
	}
	return most
}

// Host counts objects for which processes may send parcels at any time, so that this one has to look out for
// them.
func (e *Engine) Host(n int) {
	e.lock()
	e.hosting += n
	e.unlock()
}

// Post sends a parcel when there is room, now or later. It is for receivers, which hold the lock.
func (e *Engine) Post(peer int, x Parcel) {
	if e.out[peer].empty() {
		if _, done := e.load(peer, x); done {
			return
		}
	}
	e.enqueue(peer, outgoing{kind: parcel, x: x})
}

// Ship sends a parcel in a context, and returns when all of it is on its way.
func (e *Engine) Ship(ctx uint32, peer int, x Parcel) error {
	e.lock()
	if e.out[peer].empty() {
		if _, done := e.load(peer, x); done {
			e.unlock()
			return nil
		}
	}
	e.enqueue(peer, outgoing{kind: parcel, x: x})
	err := e.waitIn(ctx, sentParcel{x})
	if err != nil {
		q := &e.out[peer]
		for i := q.head; i < len(q.items); i++ {
			if q.items[i].x == x {
				q.items = slices.Delete(q.items, i, i+1)
				break
			}
		}
	}
	e.unlock()
	return err
}

// sentParcel is the condition that a parcel has gone.
type sentParcel struct{ x Parcel }

// Ready implements Condition.
func (s sentParcel) Ready() bool { return s.x.Sent() }

// load sends as many packets of a parcel as there is room for; done says that these were all.
func (e *Engine) load(peer int, x Parcel) (sent, done bool) {
	l := e.to(peer)
	for more := true; more; {
		n := x.Body()
		room := int(n) + 8*headingWords
		if n > inlineBody {
			room = int(max(n, fast.InlineSize+1))
		}
		p, at := l.Reserve(peer, room)
		if p == nil {
			return sent, false
		}
		body := at
		if n <= inlineBody {
			body += 8 * headingWords
		}
		var h Heading
		h, more = x.Fill(body)
		p.Kind, p.Flags, p.Ctx, p.Src, p.Tag = parcel, 0, h.Ctx, h.Src, h.What
		p.Data[0], p.Data[1], p.Data[2], p.Data[3] = h.Words[0], h.Words[1], h.Words[2], h.Words[3]
		if p.InBulk() {
			p.Data[4] = uint64(n)
		}
		l.Publish(peer, p, room)
		sent = true
	}
	return sent, true
}

// arriveParcel hands a packet of a parcel on. What it brings may be waited for by another thread.
func (e *Engine) arriveParcel(peer int, p *transport.Packet, payload uintptr) {
	h := Heading{Ctx: p.Ctx, Src: p.Src, What: p.Tag}
	h.Words[0], h.Words[1], h.Words[2], h.Words[3] = p.Data[0], p.Data[1], p.Data[2], p.Data[3]
	n := int64(p.Inline) - 8*headingWords
	if p.InBulk() {
		n = int64(p.Data[4])
	} else {
		payload += 8 * headingWords
	}
	if n < 0 || p.InBulk() && !p.Holds(uint64(n)) || e.receiver == nil {
		e.Malformed(peer, "a malformed packet: a parcel with %d bytes at %d of the ring", n, p.Bulk)
	}
	e.receiver.Receive(peer, h, payload, n)
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
	return e.broken(ctx)
}

// within is a condition that holds as well when its context is broken.
type within struct {
	e   *Engine
	ctx uint32
	Condition
}

// Ready implements Condition.
func (w within) Ready() bool { return w.Condition.Ready() || w.e.broken(w.ctx) != nil }

// BrokenIn is why nothing can be completed in a context any more, nil as long as it can.
func (e *Engine) BrokenIn(ctx uint32) error {
	e.lock()
	defer e.unlock()
	return e.broken(ctx)
}
