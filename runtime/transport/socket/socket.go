// Package socket carries packets between the ranks of pretended nodes, as a network does: it knows the core
// of a provider and, of what is beyond it, only that its packets cross nodes. Peers share no memory with this
// rank, connections are made at the first packet, packets have a size limit of their own, and the arrival of
// one shows as a file descriptor that can be read.
//
// Each rank listens on a socket whose name says its job and rank. A connection carries packets one way, one
// record each, so that their order is that of the pair and a socket that takes no more is the room that is
// missing. All records but packets are told by their size:
//
//	hello  the first of a connection: the rank that has made it
//	bye    either end leaves: that the connection ends is no death from now on
package socket

import (
	"encoding/binary"
	"sync/atomic"
	"time"

	"gompi/runtime/fast"
	"gompi/runtime/transport"
	"gompi/shm"
)

// Config says who this rank is.
type Config struct {
	Job     shm.JobID
	Rank    int
	Size    int                 // ranks in the job
	Reaches func(rank int) bool // the rank is reached by this provider
	Wake    func()              // ends the sleep of this process; any goroutine may call it

	// Malformed ends the process because a peer has written what no process of gompi writes. It does not
	// return.
	Malformed func(peer int, what string)
}

// Provider implements transport.Provider.
type Provider struct {
	c        Config
	outgoing []*outgoing // by peer; nil before the first packet to it
	incoming []incoming  // every connection that was ever made to this rank
	sockets  sockets
	send     *record // the packet that Reserve has returned
	got      *record // the packet that Poll has returned
	from     int     // its sender; -1 when there is none
	sent     uint64
	dead     atomic.Int32 // as Failed says
}

var (
	_ transport.Provider = (*Provider)(nil)
	_ transport.Remote   = (*Provider)(nil)
)

// outgoing is a connection to a peer.
type outgoing struct {
	fd     int
	broken bool // the peer has gone
}

// incoming is a connection from a peer.
type incoming struct {
	fd   int
	peer int  // -1 before its hello
	left bool // it has said bye
}

// maxPayload is below what a socket takes at once, and not what the memory of a node has: a message may be
// eager to some peers and not to others.
const maxPayload = 40 << 10

const (
	byeSize   = 1
	helloSize = 4
)

// MaxPayload implements transport.Provider.
func (p *Provider) MaxPayload() int { return maxPayload }

// Reserve implements transport.Provider.
func (p *Provider) Reserve(peer, n int) (*transport.Packet, uintptr) {
	if !p.room(peer) {
		return nil, 0
	}
	head := &p.send.head
	head.Flags = 0
	if n <= fast.InlineSize {
		head.Inline = uint16(n)
		return head, shm.AddressOf(&head.Data[0])
	}
	head.Inline = fast.InBulk
	return head, shm.Address(p.send.payload[:])
}

// Publish implements transport.Provider.
func (p *Provider) Publish(peer int, head *transport.Packet, n int) {
	p.sent++
	out := p.outgoing[peer]
	if !head.InBulk() {
		n = 0
	}
	if out.broken || write(out.fd, p.send.bytes(n)) {
		return
	}
	out.broken = true
	if !saidBye(out.fd) {
		p.died(peer)
	}
}

// room reports whether a packet can be sent to a peer. A peer that is not there yet has none.
func (p *Provider) room(peer int) bool {
	out := p.outgoing[peer]
	if out == nil {
		fd := p.sockets.connect(name(p.c.Job, peer))
		if fd < 0 {
			return false
		}
		out = &outgoing{fd: fd}
		p.outgoing[peer] = out
		var hello [helloSize]byte
		binary.NativeEndian.PutUint32(hello[:], uint32(p.c.Rank))
		write(fd, hello[:])
	}
	return out.broken || p.sockets.writable(out.fd)
}

// Poll implements transport.Provider.
func (p *Provider) Poll() (peer int, head *transport.Packet, payload uintptr) {
	for p.from < 0 {
		i, ok := p.sockets.next()
		switch {
		case !ok:
			return 0, nil, 0
		case i == listening:
			for fd := p.sockets.accept(); fd >= 0; fd = p.sockets.accept() {
				p.incoming = append(p.incoming, incoming{fd: fd, peer: -1})
				p.sockets.watch(fd, len(p.incoming)-1)
			}
		default:
			p.read(&p.incoming[i])
		}
	}
	head = &p.got.head
	if head.InBulk() {
		return p.from, head, shm.Address(p.got.payload[:])
	}
	return p.from, head, shm.AddressOf(&head.Data[0])
}

// read takes the next record of a connection. That of a stranger is closed.
func (p *Provider) read(in *incoming) {
	n := read(in.fd, p.got.bytes(maxPayload))
	switch {
	case n < 0:
		return // there is none
	case n == 0:
		if in.peer >= 0 && !in.left {
			p.died(in.peer)
		}
		p.sockets.close(in.fd)
		in.fd = -1
	case in.peer < 0:
		rank := int(binary.NativeEndian.Uint32(p.got.bytes(0)))
		if n != helloSize || !p.reaches(rank) {
			p.sockets.close(in.fd)
			in.fd = -1
			return
		}
		in.peer = rank
	case n == byeSize:
		in.left = true
	default:
		p.check(in.peer, n)
		p.from = in.peer
	}
}

// check looks whether a packet has the size that its header says. The offset in the header of one with its
// payload behind it then says where it would stand at the end of a payload area, so that Packet.Holds knows
// how much has come.
func (p *Provider) check(peer, n int) {
	head := &p.got.head
	behind := n - len(p.got.bytes(0))
	switch {
	case behind >= 0 && head.InBulk():
		head.Bulk = uint32(shm.BulkSize - behind)
	case behind != 0 || head.Inline > fast.InlineSize:
		p.c.Malformed(peer, "a packet of an impossible size")
	}
}

// reaches reports whether a number is that of a peer of this provider.
func (p *Provider) reaches(peer int) bool {
	return peer < p.c.Size && peer != p.c.Rank && p.c.Reaches(peer)
}

// Release implements transport.Provider.
func (p *Provider) Release(int, *transport.Packet) { p.from = -1 }

// Arm implements transport.Provider. Nothing tells when a socket that was full takes packets again.
func (p *Provider) Arm(blocked []int) (wakes bool) {
	p.sockets.arm()
	for _, peer := range blocked {
		if p.reaches(peer) {
			return false
		}
	}
	return true
}

// Pending implements transport.Provider.
func (p *Provider) Pending(blocked []int) bool {
	for _, peer := range blocked {
		if p.reaches(peer) && p.room(peer) {
			return true
		}
	}
	_, head, _ := p.Poll()
	return head != nil
}

// Disarm implements transport.Provider. A wake-up that comes later does no harm.
func (p *Provider) Disarm() {}

// died notes that a peer has gone without a word.
func (p *Provider) died(peer int) { p.dead.CompareAndSwap(-1, int32(peer)) }

// Failed implements transport.Provider.
func (p *Provider) Failed() int { return int(p.dead.Load()) }

// Crossed implements transport.Remote.
func (p *Provider) Crossed() uint64 { return p.sent }

// Leave tells the peers that this rank ends as it should. The kernel goes on with what is on its way.
func (p *Provider) Leave(func(rank int) bool, time.Duration) {
	bye := make([]byte, byeSize)
	for _, out := range p.outgoing {
		if out != nil && !out.broken {
			write(out.fd, bye)
		}
	}
	for _, in := range p.incoming {
		if in.fd >= 0 {
			write(in.fd, bye)
		}
	}
}

// Close ends all connections. The provider is not used afterwards.
func (p *Provider) Close() {
	for _, out := range p.outgoing {
		if out != nil {
			p.sockets.close(out.fd)
		}
	}
	for _, in := range p.incoming {
		if in.fd >= 0 {
			p.sockets.close(in.fd)
		}
	}
	p.sockets.stop()
}
