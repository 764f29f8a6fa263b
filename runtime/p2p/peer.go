package p2p

import (
	"gompi/runtime/fast"
	"gompi/runtime/request"
)

// peer is what an engine knows of a process: a rank of the job, or one of another job at a bridge.
type peer struct {
	link      *link
	out       outQueue   // packets that found no room
	signed    *signed    // what its next message consists of, where that is checked
	kept      *fast.Kept // what is kept of its messages that no receive was posted for
	own       fast.Kept  // of a peer that the fast engine does not know
	node      uint32     // its rank on this node; fast.NoRequest for one of another node or job
	announced uint32     // the size from which on it was told to announce its messages
	far       bool       // on another node
	outside   bool       // on another node or of another job: the fast engine does not reach it
	stopped   bool       // it has stopped this rank, by a packet
	vain      uint8      // how often in a row it was waited for in vain (protocols.comesBack),
	passes    uint8      // and for how many of its messages it is not waited now
	touched   uintptr    // the end of what this rank has read of its payloads (protocols.touches)
	failed    bool       // as far as the engine has heard
}

// newPeer makes a peer of another job. Ranks of the job are told apart in newPeers.
func newPeer(l *link) *peer {
	p := &peer{link: l, outside: true}
	p.init()
	return p
}

func (p *peer) init() {
	p.kept, p.node, p.announced = &p.own, fast.NoRequest, fast.NoLimit
}

// newPeers makes the peers of a job: those of the node, by node rank, are reached by the first link, and
// those of which far is true by the second.
func newPeers(size int, node []int, links []link, endpoint *fast.Endpoint, far func(rank int) bool) []*peer {
	all, peers := make([]peer, size), make([]*peer, size)
	for rank := range all {
		p := &all[rank]
		p.init()
		p.link = &links[0]
		if len(links) > 1 && far(rank) {
			p.link, p.far, p.outside = &links[1], true, true
		}
		peers[rank] = p
	}
	for at, rank := range node {
		peers[rank].node, peers[rank].kept = uint32(at), &endpoint.Peer(uint32(at)).Kept
	}
	return peers
}

// reset makes the number of a peer that is no more ready for another one.
func (p *peer) reset() {
	p.drop()
	p.failed, p.announced, *p.kept = false, fast.NoLimit, fast.Kept{}
	p.vain, p.passes, p.touched = 0, 0, 0
}

// fail notes that the peer has failed.
func (p *peer) fail() {
	p.drop()
	p.failed, p.kept.Stopped = true, 0
}

// drop forgets what waits to be sent to the peer, and what it has said of what it sends next.
func (p *peer) drop() { p.out, p.signed, p.stopped = outQueue{}, nil, false }

// forget takes the packets of a send out of the queue, and reports whether there were any.
func (p *peer) forget(r *request.Request) bool {
	return p.out.delete(func(o *outgoing) bool { return o.r == r })
}
