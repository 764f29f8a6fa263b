package builtin

import (
	"encoding/binary"
	"errors"
	"slices"

	"golang.org/x/sys/unix"

	"gompi/fabric"
	"gompi/shm"
)

// sender is what an endpoint knows of those to whom it sends.
type sender struct {
	peers []*outgoing // by fabric.Peer
	parts parts
}

// outgoing is the connection to a peer.
type outgoing struct {
	number  int // its fabric.Peer
	to      address
	fd      int           // -1 before the first message
	reached bool          // the connection is there
	greeted bool          // the key has been sent, or waits to be
	broken  fabric.Result // why nothing can be sent to it any more; 0 if it can
	watched bool          // room for more is waited for
	queue   []message     // that have not gone, oldest first
}

// message is one on its way.
type message struct {
	number   uint32
	head     [keySize + sizeSize]byte // what goes ahead of it
	headSize int
	at, from uintptr // its bytes
	n, more  int
	gone     int // bytes that the kernel has taken, of all this
}

const sizeSize = 4

// Insert implements fabric.Endpoint.
func (e *Endpoint) Insert(bytes []byte) (fabric.Peer, error) {
	to, err := readAddress(bytes)
	if err != nil {
		return 0, err
	}
	e.peers = append(e.peers, &outgoing{number: len(e.peers), to: to, fd: -1})
	return fabric.Peer(len(e.peers) - 1), nil
}

// Send implements fabric.Endpoint.
func (e *Endpoint) Send(number uint32, to fabric.Peer, at uintptr, n int) fabric.Result {
	return e.SendTwo(number, to, at, n, 0, 0)
}

// SendTwo implements fabric.Endpoint.
func (e *Endpoint) SendTwo(number uint32, to fabric.Peer, at uintptr, n int, from uintptr,
	more int) fabric.Result {
	p := e.peers[to]
	if !p.reached {
		e.reach(p)
	}
	switch {
	case p.broken != 0:
		return p.broken
	case !p.reached:
		return fabric.Again
	}
	m := message{number: number, at: at, n: n, from: from, more: more}
	head := m.head[:0]
	if !p.greeted {
		head = append(head, p.to.key[:]...)
		p.greeted = true
	}
	m.headSize = len(binary.LittleEndian.AppendUint32(head, uint32(n+more)))
	if p.queue = append(p.queue, m); len(p.queue) == 1 {
		e.write(p)
	}
	return 0
}

// write sends what the kernel takes of the messages to a peer.
func (e *Endpoint) write(p *outgoing) {
	for len(p.queue) > 0 && e.transmit(p, &p.queue[0]) {
		e.complete(p.queue[0].number, 0)
		p.queue = slices.Delete(p.queue, 0, 1)
	}
	if waits := len(p.queue) > 0; waits != p.watched && p.fd >= 0 {
		p.watched = waits
		e.watchRoom(p.fd, p.number, waits)
	}
}

// transmit sends what the kernel takes of a message, and reports whether that is all of it.
func (e *Endpoint) transmit(p *outgoing, m *message) bool {
	size := m.headSize + m.n + m.more
	for m.gone < size {
		e.parts.begin()
		e.parts.add(m.head[:m.headSize], m.gone)
		e.parts.add(shm.Bytes(m.at, int64(m.n)), m.gone-m.headSize)
		e.parts.add(shm.Bytes(m.from, int64(m.more)), m.gone-m.headSize-m.n)
		n, err := e.parts.send(p.fd)
		switch err {
		case nil:
			m.gone += n
		case unix.EINTR:
		case unix.EAGAIN, unix.ENOBUFS, unix.ENOMEM:
			return false
		default:
			e.lose(p, err)
			return false
		}
	}
	return true
}

// reach begins the connection to a peer, and notes whether it is there. A unix socket that has too many
// connections to accept takes one later.
func (e *Endpoint) reach(p *outgoing) {
	if p.fd < 0 {
		fd, err := dial(&p.to)
		if err != nil {
			if err != unix.EAGAIN {
				e.lose(p, err)
			}
			return
		}
		p.fd = fd
	}
	p.reached = writable(p.fd)
}

// lose ends what is under way to a peer that cannot be reached any more.
func (e *Endpoint) lose(p *outgoing, why error) {
	number := unix.EIO
	errors.As(why, &number)
	p.broken = -fabric.Result(number)
	for i := range p.queue {
		e.complete(p.queue[i].number, int32(p.broken))
	}
	p.queue = nil
	e.forget(p.fd)
	p.fd = -1
}

// complete notes that a send is done, with an error or 0.
func (e *Endpoint) complete(number uint32, failed int32) {
	e.done = append(e.done, fabric.Completion{Number: number, Error: failed, Ended: 1})
}
