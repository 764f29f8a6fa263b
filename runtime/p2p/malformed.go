package p2p

import (
	"fmt"

	"gompi/runtime/mpierr"
	"gompi/runtime/request"
	"gompi/runtime/transport"
)

// Peers write packets into shared memory, so what a packet says is checked before it is used: sizes and
// offsets against the ring, numbers of requests against the pool. A peer whose memory is corrupted ends this
// process with a line that names the peer; nothing is written outside the buffers of the message.

// Malformed ends the process because a peer has written what no process of gompi writes: "rank 3 has written
// ...". It does not return. A peer below 0 is not known.
func (c *core) Malformed(peer int, format string, args ...any) {
	who := fmt.Sprintf("rank %d", peer)
	switch {
	case peer < 0:
		who = "a process of this or another job"
	case peer >= c.size:
		who = "a process of another job"
	}
	c.Fail(mpierr.New(mpierr.ErrIntern, "%s has written %s", who, fmt.Sprintf(format, args...)))
}

// Fail ends the process with an error that no operation can report. It does not return.
func (c *core) Fail(err error) {
	if c.fatal != nil {
		c.fatal(err)
	}
	panic(err)
}

// Sets of states in which a request may be named by a packet.
const (
	announcedSend  = 1 << request.Announced
	pushingSend    = 1 << request.Pushing
	fillingReceive = 1 << request.Filling
	allStates      = ^0
)

// named is the request that a packet names by its index. It has to be of that kind, with that peer at its
// other end, under way and in one of some states.
func (c *core) named(peer int, p *transport.Packet, index uint32, kind request.Kind,
	states int) *request.Request {
	r := c.Pool.InUse(index)
	if r == nil || r.Kind != kind || r.Peer != peer || r.Done || 1<<r.State&states == 0 {
		c.Malformed(peer, "a malformed packet: its kind is %d and request %d does not wait for it", p.Kind, index)
	}
	return r
}

// size is the number of payload bytes in an eager packet, a piece or a signature; -1 when they are not all in
// the ring.
func size(p *transport.Packet) int64 {
	bytes := uint64(p.Inline)
	if p.InBulk() {
		bytes = p.Data[0]
	}
	if !p.Holds(bytes) {
		return -1
	}
	return int64(bytes)
}
