package fast

import "sync/atomic"

// PeerTable is the rings to and from the ranks of the node.
type PeerTable struct {
	Peers     *Peer   // by node rank
	Order     *uint32 // node ranks of the active peers
	Active    uint32  // peers that have ever sent something
	Turn      uint32  // which active peer is looked at next
	CallWords uint32  // words in Calls
	Calls     *uint64 // bitmap of peers that have begun to send and are not active yet
}

// Peer is the rings to and from one rank of the node.
type Peer struct {
	Bell *uint32 // see shm.Bell
	Tx   Tx      // not ready for use before Tx.Open
	Rx   Rx
	Kept Kept
}

// Kept is what this rank keeps of a peer's messages that have come before their receives.
type Kept struct {
	Bytes   uint64 // about
	Stopped uint32 // 1: package p2p has stopped the peer, because that was more than Endpoint.MostKept
}

// head is the next packet of the active peer whose turn it is, nil when it has none; nothing of it is taken.
func (t *PeerTable) head() *Slot {
	if t.Turn >= t.Active {
		t.Turn = 0
	}
	return t.Peer(t.ActivePeer(t.Turn)).Rx.next()
}

// current is the peer whose turn it is.
func (t *PeerTable) current() *Peer { return t.Peer(t.ActivePeer(t.Turn)) }

// Next is the next packet of any active peer, nil when there is none; its peer has the turn.
func (t *PeerTable) Next() *Slot {
	for range t.Active {
		slot := t.head()
		if slot != nil {
			return slot
		}
		t.Turn++
	}
	return nil
}

// Connecting reports whether a peer has begun to send that is not active yet.
func (t *PeerTable) Connecting() bool {
	for w := uint32(0); w < t.CallWords; w++ {
		if atomic.LoadUint64(t.CallWord(w)) != 0 {
			return true
		}
	}
	return false
}

// Ring wakes the peer if it sleeps; otherwise it costs one load of a line that is mostly shared.
func (p *Peer) Ring() {
	if unlikely(atomic.LoadUint32(p.Bell) != 0) {
		wake(p.Bell)
	}
}
