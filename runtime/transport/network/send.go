package network

import (
	"time"

	"gompi/fabric"
	"gompi/runtime/fast"
	"gompi/runtime/transport"
	"gompi/shm"
)

// Reserve implements transport.Provider.
func (p *Provider) Reserve(rank, n int) (*transport.Packet, uintptr) {
	size := packetHead
	if n > fast.InlineSize {
		size += padded(n)
	}
	head, payload := p.reserve(rank, size)
	if head == nil {
		return nil, 0
	}
	if head.Flags = 0; n > fast.InlineSize {
		head.Inline = fast.InBulk
		return head, payload
	}
	head.Inline = uint16(n)
	return head, shm.AddressOf(&head.Data[0])
}

// reserve finds room for a packet of size bytes. A payload in the program's memory takes none in the slot,
// but it counts: no frame may be longer than what a buffer for receives has left.
func (p *Provider) reserve(rank, size int) (head *transport.Packet, payload uintptr) {
	q := p.peerOf(rank)
	if q.refused = uint32(size); !p.takes(q) {
		return nil, 0
	}
	if q.open != none && int(p.slots[q.open].used)+size > frameRoom {
		p.submit(q)
	}
	if q.open == none {
		if q.open = p.take(q); q.open == none {
			return nil, 0
		}
	}
	q.refused = 0
	return p.room(q.open)
}

// takes reports whether a peer is known and takes the packet that was refused last.
func (p *Provider) takes(q *peer) bool {
	return int32(q.limit-q.sent) >= int32(q.refused) && p.find(q)
}

// Publish implements transport.Provider.
func (p *Provider) Publish(rank int, head *transport.Packet, n int) {
	size := packetHead
	if head.InBulk() {
		head.Bulk = uint32(n)
		size += padded(n)
	}
	q := p.peers[rank]
	f := &p.slots[q.open]
	f.used += int32(size)
	q.sent += uint32(size)
	q.talked = true
	p.sent++
	switch {
	case q.flying == 0 && q.first == none, f.used >= packed:
		p.submit(q)
	case !q.listed:
		q.listed = true
		p.opened = append(p.opened, q)
	}
}

// SendsZeroCopy implements transport.ZeroCopySender.
func (p *Provider) SendsZeroCopy() bool { return p.sendsZeroCopy }

// ReserveZeroCopy implements transport.ZeroCopySender.
func (p *Provider) ReserveZeroCopy(rank, n int) *transport.Packet {
	head, _ := p.reserve(rank, packetHead+n)
	if head != nil {
		head.Flags, head.Inline = 0, fast.InBulk
	}
	return head
}

// PublishZeroCopy implements transport.ZeroCopySender. The payload is the end of its frame.
func (p *Provider) PublishZeroCopy(rank int, head *transport.Packet, from uintptr, n int, number uint32) {
	head.Bulk = uint32(n)
	q := p.peers[rank]
	f := &p.slots[q.open]
	f.used += packetHead
	f.from, f.more, f.number = from, int32(n), number
	q.sent += uint32(packetHead + n)
	q.talked = true
	p.sent++
	p.submit(q)
}

// Completed implements transport.ZeroCopySender.
func (p *Provider) Completed() (number uint32, ok bool) {
	if p.given == len(p.completed) {
		return 0, false
	}
	number = p.completed[p.given]
	if p.given++; p.given == len(p.completed) {
		p.completed, p.given = p.completed[:0], 0
	}
	return number, true
}

// submit sends the open frame of a peer, behind those that wait.
func (p *Provider) submit(q *peer) {
	s := q.open
	if q.open = none; q.first == none && p.transmit(q, s) {
		return
	}
	if q.first == none {
		q.first = s
		p.stuck = append(p.stuck, q)
	} else {
		p.slots[q.last].next = s
	}
	q.last = s
}

// transmit gives a frame to the endpoint; false when that takes it later.
func (p *Provider) transmit(q *peer, s int32) bool {
	if q.dead {
		p.gone(s)
		return true
	}
	if !p.meets(q) {
		return false
	}
	f, at := &p.slots[s], p.slotAt(s)
	limit := q.got + q.window
	p.writeHead(at, int(f.used+f.more), head{limit: limit, number: q.number, kind: f.kind})
	var r fabric.Result
	if f.more > 0 {
		r = p.e.SendTwo(uint32(s)+slotsNumber, q.to, at, int(f.used), f.from, int(f.more))
	} else {
		r = p.e.Send(uint32(s)+slotsNumber, q.to, at, int(f.used))
	}
	switch {
	case r == fabric.Again:
		return false
	case r < 0:
		p.gone(s)
		p.broke(q)
	default:
		q.flying++
		p.flying++
		q.number++
		q.told = limit
	}
	return true
}

// gone gives a frame's slot back, and the memory of the program that was sent from.
func (p *Provider) gone(s int32) {
	if f := &p.slots[s]; f.more > 0 {
		p.completed = append(p.completed, f.number)
	}
	p.release(s)
}

// arrived deals with a frame that has gone. What has gathered behind it follows.
func (p *Provider) arrived(s int32, failed bool) {
	q, kind := p.slots[s].to, p.slots[s].kind
	p.gone(s)
	p.flying--
	if kind == greeting || kind == answer {
		p.said(q, failed)
		return
	}
	if failed {
		p.broke(q)
	}
	if q.flying--; q.flying == 0 && q.first == none {
		p.flush(q)
	}
}

// flush sends the open frame of a peer, if there is anything in it.
func (p *Provider) flush(q *peer) {
	if q.open != none && p.slots[q.open].used > frameHead {
		p.submit(q)
	}
}

// patience is for how long the end of a call waits until the endpoint takes what it has refused, because a
// connection is being made as a rule: the program may not come back for long.
const patience = 20 * time.Millisecond

// Flush implements transport.Flusher. What stays refused for longer is not waited for again.
func (p *Provider) Flush() {
	p.sendOpen()
	if len(p.stuck) == 0 {
		p.gaveUp = false
		return
	}
	for until := time.Now().Add(patience); !p.gaveUp && len(p.stuck) > 0; p.look() {
		p.gaveUp = time.Now().After(until)
	}
}

// Refused implements transport.Flusher.
func (p *Provider) Refused() bool { return len(p.stuck) > 0 }

// Held implements transport.Flusher. Many a network makes progress with a message only when it is looked at.
func (p *Provider) Held() bool {
	return p.flying > 0 || len(p.opened) > 0 || len(p.stuck) > 0 || len(p.owing) > 0
}

// sendOpen sends what is in open frames.
func (p *Provider) sendOpen() {
	for i, q := range p.opened {
		q.listed = false
		p.flush(q)
		p.opened[i] = nil
	}
	p.opened = p.opened[:0]
}

// retry offers the endpoint again what it has refused.
func (p *Provider) retry() {
	if len(p.stuck) > 0 {
		stuck := p.stuck
		p.stuck = p.stuck[:0]
		for _, q := range stuck {
			for q.first != none {
				s := q.first
				next := p.slots[s].next
				if !p.transmit(q, s) {
					break
				}
				q.first = next
			}
			if q.first != none {
				p.stuck = append(p.stuck, q)
			}
		}
	}
	if len(p.owing) > 0 {
		owing := p.owing
		p.owing = p.owing[:0]
		for _, q := range owing {
			q.owed = false
			if q.asked {
				p.answer(q)
			}
			p.pay(q)
		}
	}
}

// pay tells a peer how much this rank takes, if it has waited long enough to be told: with packets to it
// where there are some.
func (p *Provider) pay(q *peer) {
	if q.got+q.window-q.told < q.window/2 || q.left || q.dead {
		return
	}
	if q.open == none && p.find(q) {
		q.open = p.take(q)
	}
	if q.open == none {
		p.owe(q)
		return
	}
	p.submit(q)
}

// owe has the next look tell a peer what it waits for.
func (p *Provider) owe(q *peer) {
	if !q.owed {
		q.owed = true
		p.owing = append(p.owing, q)
	}
}
