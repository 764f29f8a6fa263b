package network

import (
	"time"

	"gompi/fabric"
)

// Greetings. Where a rank has died before, libfabric's tcp may lose the first connection between two others.
// It keeps a record of each connection, with the process at the other end, and uses the record of one that
// has ended for another peer as it is. Say that this rank and a new peer ask each other for a connection at
// the same time, and that the peer takes this rank's request, as the rule for that case is, and gives up its
// own. If this rank looks only then, it may find the peer's request ahead of the word that its own was taken.
// It compares that request with the record, which still names the dead process. So it takes it for that of a
// new process in the place of an old one, accepts it, and ends the connection that the peer uses. Both are
// lost now, and sends over them fail or not.
//
// A connection over which both have heard from each other stays. So where the job survives deaths, a rank
// greets a peer to which it has a packet, and again until the peer has answered. Packets wait for that.
// Whoever sends packets has got an answer, so its peer need not greet it.

// Pauses between greetings of the same peer: it may not look at the network for long.
const (
	firstPause   = 10 * time.Millisecond
	longestPause = time.Second
)

// meets reports whether packets may go to a peer. As long as they may not it is greeted.
func (p *Provider) meets(q *peer) bool {
	if q.met {
		return true
	}
	if now := time.Now(); !now.Before(q.greetAt) && p.say(q, greeting) {
		q.pause = min(max(2*q.pause, firstPause), longestPause)
		q.greetAt = now.Add(q.pause)
	}
	return q.broken
}

// greetedBy takes in a frame of a peer as far as greetings are concerned, and reports whether it is no more
// than one.
func (p *Provider) greetedBy(q *peer, kind uint32) bool {
	if kind == greeting {
		p.answer(q)
		return true
	}
	q.met = true
	return kind == answer
}

// answer answers the greeting of a peer, with a later look where the endpoint does not take that now.
func (p *Provider) answer(q *peer) {
	if q.asked = !q.dead && !p.say(q, answer); q.asked {
		p.owe(q)
	}
}

// say sends a frame without packets and without a number; false when it has to be tried again.
func (p *Provider) say(q *peer, kind uint32) bool {
	s := int32(none)
	if p.find(q) {
		s = p.take(q)
	}
	if s == none {
		return false
	}
	p.slots[s].kind = kind
	at := p.slotAt(s)
	p.writeHead(at, frameHead, head{limit: q.told, kind: kind})
	r := p.e.Send(uint32(s)+slotsNumber, q.to, at, frameHead)
	if r < 0 {
		p.gone(s)
		if r != fabric.Again {
			p.broke(q)
		}
		return r != fabric.Again
	}
	p.flying++
	return true
}

// said deals with such a frame that has gone. A peer whose connection was lost is greeted at once.
func (p *Provider) said(q *peer, lost bool) {
	if lost {
		q.greetAt = time.Time{}
	}
}
