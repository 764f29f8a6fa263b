package fast

import "gompi/shm"

// Eager messages of more than MaxMessage bytes, where every rank has a core: the receiver copies such a
// message out while the sender copies it in (grow.go). Package p2p measures whether they had better be
// announced; as long as they are surely not, it leaves most of them to this package (Work.Unmeasured).

// AllUnmeasured in Work.Unmeasured says that nothing is measured.
const AllUnmeasured uint32 = 1<<32 - 1

// growPolls is how often a receiver looks for more of a payload before it leaves that to package p2p: its
// sender has lost its processor, or has died.
const growPolls = 1 << 12

// sendLong publishes a long message without gaps in a slot that the caller has filled in. It reports false,
// and has done nothing, when package p2p has to send it.
//
//fast:cold
func sendLong(e *Endpoint, peer *Peer, slot *Slot, payload, buf uintptr, size uint32) bool {
	tx := &peer.Tx
	slot.Data[2] = Growing
	for at := uint32(0); at < size; at += shm.PageSize { // once it is published, it cannot be taken back
		if !readable(buf+uintptr(at), min(size-at, shm.PageSize)) {
			return false
		}
	}
	if !tx.PublishEarly(slot, size) {
		return false
	}
	peer.Ring()
	for done := uint32(0); done < size; {
		n := min(size-done, GrowStep)
		move(payload+uintptr(done), buf+uintptr(done), n)
		done += n
		tx.Grow(done)
	}
	e.LongSent = clock()
	return true
}

// receiveLong copies a long message to a receive's memory and gives its slot back. It reports false when
// package p2p has to do that.
//
//fast:cold
func receiveLong(e *Endpoint, peer *Peer, m *incoming, buf uintptr) bool {
	if e.Unmeasured == 0 {
		return false
	}
	polls := uint32(0)
	for done := uint32(0); done < m.size; {
		there := peer.Rx.Grown(m.size)
		if there == GrownNever || polls == growPolls {
			return false
		}
		polls++
		if there > done {
			if !tryMove(buf+uintptr(done), m.data+uintptr(done), there-done) {
				return false
			}
			done = there
			polls = 0
		} else {
			pause()
		}
	}
	if e.Unmeasured != AllUnmeasured {
		e.Unmeasured--
	}
	peer.release(m)
	return true
}

// offerLong is the end of offer for a long message, and the receive that it matches.
//
//fast:cold
func offerLong(e *Endpoint, peer *Peer, m *incoming, r *Request) step {
	if !receiveLong(e, peer, m, r.Buf) {
		return engine
	}
	e.Unpost(r)
	r.receive(m.src, m.tag, m.size)
	return advanced
}
