// Package network carries packets between nodes over an endpoint of package fabric. It knows the core of a
// provider and, of what is beyond it, that payloads can be sent from the program's memory and that packets
// cross nodes.
//
// Packets go in frames: a frame is one message of the endpoint (wire.go). A packet to a peer to whom nothing
// is under way goes at once. Those behind it gather in one frame until it is done, so that many small packets
// cost as much as one (send.go). A receiver says how much it takes (receive.go). Everything that the endpoint
// refuses for now waits in the queue of its peer and is offered again with the next look.
package network

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"gompi/fabric"
	"gompi/runtime/transport"
	"gompi/shm"
)

// Config says who this rank is and over what it sends.
type Config struct {
	Rank    int
	Size    int                 // ranks in the job
	Reaches func(rank int) bool // the rank is reached by this provider

	Survives bool // the job may go on when a rank has died

	Endpoint fabric.Endpoint // opened with Options
	Provider string          // the name of its provider, and that one's version; all ranks have the same
	Version  fabric.Version

	// Exchange gives the card of this rank to all others, and returns the ID of the job, by which they know
	// its messages. Card is that of a rank, shm.ErrNoCard before it is known.
	Exchange func(card []byte) (shm.JobID, error)
	Card     func(rank int) ([]byte, error)

	// Malformed ends the process because a peer has written what no process of gompi writes, and Unusable
	// because the network cannot be used. They do not return.
	Malformed func(peer int, what string)
	Unusable  func(err error)
}

// Provider implements transport.Provider.
type Provider struct {
	c     Config
	e     fabric.Endpoint
	token uint64  // of the job
	peers []*peer // by rank; nil before the first packet to or from one
	memory
	received
	opened        []*peer // with packets in their open frames
	stuck         []*peer // with frames that the endpoint has refused
	flying        int     // frames that the endpoint has
	owing         []*peer // who wait to be told how much this rank takes
	lost          []*peer // to whom messages go nowhere
	completed     []uint32
	given         int  // of completed, those that Completed has told
	gaveUp        bool // what the endpoint has refused stays refused
	gaps          bool // as fabric.Traits.Gaps
	greets        bool // peers are greeted before packets go to them
	sendsZeroCopy bool // as SendsZeroCopy says
	watching      bool // the endpoint was armed, and not looked at since
	stirred       bool // Arm has found something
	sent          uint64
	dead          atomic.Int32 // as Failed says
}

var (
	_ transport.Provider       = (*Provider)(nil)
	_ transport.Remote         = (*Provider)(nil)
	_ transport.Counter        = (*Provider)(nil)
	_ transport.ZeroCopySender = (*Provider)(nil)
	_ transport.Flusher        = (*Provider)(nil)
	_ transport.Network        = (*Provider)(nil)
	_ transport.Sleeper        = (*Provider)(nil)
)

// peer is what is known of another rank. Credits count the bytes of packets, modulo 2^32.
type peer struct {
	rank     int
	to       fabric.Peer
	known    bool  // to is
	flying   int32 // frames that the endpoint has
	open     int32 // the frame that is being filled; none
	first    int32 // the frames that wait, oldest first; none
	last     int32
	listed   bool      // in opened
	owed     bool      // in owing
	left     bool      // it has said that it leaves
	broken   bool      // in lost
	talked   bool      // packets have gone to it, or frames have come
	dead     bool      // as DropPeer says
	met      bool      // packets may go to it (greet.go)
	asked    bool      // its greeting is to be answered
	greetAt  time.Time // when it may be greeted again
	pause    time.Duration
	number   uint32  // frames to it so far
	due      uint32  // the number of the frame from it that is to come next
	early    []frame // those that came ahead of it
	sent     uint32  // bytes of packets so far
	limit    uint32  // up to which the peer takes them
	refused  uint32  // bytes of the last packet for which there was no room
	got      uint32  // bytes of packets from it
	told     uint32  // up to which this rank has said that it takes them
	window   uint32  // how many it may send ahead
	received uint32  // since the window was made larger
}

// none is no frame.
const none = -1

// New makes the provider of one rank.
func New(c Config) (*Provider, error) {
	p := &Provider{c: c, e: c.Endpoint, peers: make([]*peer, c.Size),
		sendsZeroCopy: c.Endpoint.SendsTwo()}
	traits := fabric.TraitsOf(c.Provider)
	p.gaps, p.greets = traits.Gaps, traits.Confuses && c.Survives
	p.dead.Store(-1)
	if err := p.memory.begin(p.e); err != nil {
		return nil, err
	}
	p.received.begin(p.memory.base)
	for i := range p.buffers {
		p.post(i)
	}
	job, err := c.Exchange(makeCard(c.Provider, c.Version, p.e.Address()))
	if err != nil {
		return nil, err
	}
	p.token = token(job)
	return p, nil
}

// MaxPayload implements transport.Provider.
func (p *Provider) MaxPayload() int { return maxPayload }

// peerOf is the peer of that rank, whether its address is known or not.
func (p *Provider) peerOf(rank int) *peer {
	q := p.peers[rank]
	if q == nil {
		q = &peer{rank: rank, open: none, first: none, last: none, met: !p.greets,
			limit: firstWindow, told: firstWindow, window: firstWindow}
		p.peers[rank] = q
	}
	return q
}

// find reports whether the address of a peer is known, having asked for it.
func (p *Provider) find(q *peer) bool {
	if q.known {
		return true
	}
	card, err := p.c.Card(q.rank)
	if errors.Is(err, shm.ErrNoCard) {
		return false
	}
	var address []byte
	if err == nil {
		address, err = readCard(card, p.c.Provider, p.c.Version)
	}
	if err == nil {
		q.to, err = p.e.Insert(address)
	}
	if err != nil {
		p.c.Unusable(fmt.Errorf("rank %d cannot be reached: %w", q.rank, err))
		return false
	}
	q.known = true
	return true
}

// reaches reports whether a number is that of a peer of this provider.
func (p *Provider) reaches(rank int) bool {
	return rank >= 0 && rank < p.c.Size && rank != p.c.Rank && p.c.Reaches(rank)
}

// broke notes that messages to a peer go nowhere. One that has left has no use for them; any other has died,
// as a rule.
func (p *Provider) broke(q *peer) {
	if !q.broken {
		q.broken = true
		p.lost = append(p.lost, q)
	}
	if !q.left {
		p.dead.CompareAndSwap(-1, int32(q.rank))
	}
}

// Broken implements transport.Network.
func (p *Provider) Broken(f func(peer int)) {
	for _, q := range p.lost {
		if !q.left {
			f(q.rank)
		}
	}
}

// DropPeer implements transport.Network.
func (p *Provider) DropPeer(rank int) {
	if !p.reaches(rank) {
		return
	}
	q := p.peerOf(rank)
	q.dead = true
	for q.first != none {
		s := q.first
		q.first = p.slots[s].next
		p.gone(s)
	}
	if q.open != none {
		p.gone(q.open)
		q.open = none
	}
	p.stuck = slices.DeleteFunc(p.stuck, func(other *peer) bool { return other == q })
}

// Failed implements transport.Provider.
func (p *Provider) Failed() int { return int(p.dead.Load()) }

// Crossed implements transport.Remote.
func (p *Provider) Crossed() uint64 { return p.sent }

// Frames implements transport.Counter. Frames that wait at a peer count as one.
func (p *Provider) Frames() (sent, taken uint32) {
	for _, q := range p.peers {
		if q == nil {
			continue
		}
		sent, taken = sent+q.number, taken+q.due
		if q.first != none {
			sent++
		}
	}
	return sent, taken
}

// Close ends all connections. The provider is not used afterwards.
func (p *Provider) Close() { p.e.Close() }
