package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
)

// A message that an eager packet holds may take less time when it is announced: then one copy by the kernel
// takes the place of two through the ring, the second of which has to fetch what the first has written. From
// which size on that is so depends on the processor. So the receiver measures eager messages of more than
// fast.MaxMessage bytes as it does announced ones, and tells its peers from which size on it wants messages
// announced (transport.FlowControl). What counts is the work of both sides, and what a sender waits in a
// blocking call for a receiver that is late.
//
// A program may rely on the memory that eager messages have (MPI 5.0, 3.5 and 3.6). So a receiver that is
// about to sleep takes in what has been announced and might have been eager.

// eagerProtocol is the option of a choice by which a message comes with its header; the others are the
// protocols of messages that are announced.
const eagerProtocol = 0

// eagerClasses is how many of the smallest classes may be eager.
const eagerClasses = 2

var _ = [1]struct{}{}[(2*fast.MaxMessage<<(eagerClasses-1))-fast.MaxBulk]

// eagerLimit is the protocol by which messages of a class are to come next.
type eagerLimit struct {
	protocol uint8
	missed   uint8 // messages since then that have come by another one
}

// nextEagerLimit says to a peer how the next messages of about n bytes are to come, once one has come as it
// was to come: how it came, and by which protocols it might have. A peer whose message came by another one
// may not have heard yet.
func (p *protocols) nextEagerLimit(peer int, t *direction, n int64, came int, usable uint8) {
	if !p.learnsEager {
		return
	}
	w := &t.eagerLimits[t.choices.Index(n)]
	if int(w.protocol) != came {
		if w.missed++; w.missed != 0 {
			p.tellEagerLimit(peer)
			return
		}
	}
	w.protocol, w.missed = uint8(t.choices.Of(n).Pick(usable|1<<eagerProtocol, eagerProtocol)), 0
	from := fast.NoLimit
	for i := eagerClasses - 1; i >= 0; i-- {
		if t.eagerLimits[i].protocol != eagerProtocol {
			from = fast.MaxMessage<<i + 1
		}
	}
	p.from = from
	p.tellEagerLimit(peer)
}

// announced is the protocol for a message of n bytes that was announced though it might have been eager.
func (t *direction) announced(n int64, usable uint8) uint8 {
	if p := t.eagerLimits[t.choices.Index(n)].protocol; p != eagerProtocol && usable>>p&1 != 0 {
		return p
	}
	return uint8(t.choices.Of(n).Cheapest(usable, readProtocol))
}

// tellEagerLimit tells a peer from which size on messages are to be announced.
func (p *protocols) tellEagerLimit(peer int) {
	from := p.from
	if p.peers[peer].kept.Stopped != 0 {
		from = 0
	}
	if f := p.to(peer).flow; f != nil && p.peers[peer].announced != from {
		p.peers[peer].announced = from
		f.Announce(peer, from)
	}
}

// takeIn buffers the messages that were announced and might have been eager. It reports whether there was
// one.
func (u *unexpected) takeIn() (some bool) {
	for _, i := range u.endpoint.InOrder() {
		t := u.endpoint.Message(i)
		if t.Flags&fast.Small == 0 {
			continue
		}
		peer := u.sender(t)
		if u.peers[peer].kept.Stopped != 0 {
			continue
		}
		u.setSmall(t, false)
		if send := t.Send; u.moveHere(i) {
			t.Send = noSend
			u.queues.answer(peer, fetched, send, 0, 0)
			some = true
		}
	}
	return some
}

// moveHere copies the data of a message that is in the memory of its sender. It reports false, and has done
// nothing, when that is not possible.
func (u *unexpected) moveHere(i uint32) bool {
	t := u.endpoint.Message(i)
	peer := u.sender(t)
	data, err := u.endpoint.RoomHere(i)
	if err != nil {
		return false
	}
	if peer == u.me {
		err = hand(datatype.Raw(data, int64(t.Size)), datatype.Raw(t.Data, int64(t.Size)))
	} else {
		err = u.to(peer).read(peer, data, t.Data, int64(t.Size))
	}
	if err != nil {
		u.endpoint.LeaveThere(i, data)
		return false
	}
	t.Flags, t.Data, t.Time = t.Flags&^fast.AtSender, data, 0
	u.flow.countKept(peer, t)
	return true
}

// setSmall counts, or counts out, a message that takeIn may take in. The fast engine leaves it to this
// package to sleep as long as there is one.
func (u *unexpected) setSmall(t *fast.Unexpected, on bool) {
	if t.Flags&fast.Small != 0 == on {
		return
	}
	t.Flags ^= fast.Small
	if on {
		u.small++
		u.endpoint.Copying++
	} else {
		u.small--
		u.endpoint.Copying--
	}
}
