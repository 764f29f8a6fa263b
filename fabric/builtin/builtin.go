// Package builtin has the endpoints of package fabric over stream sockets: TCP between machines, and unix
// sockets between processes of one machine. It is the network where there is no libfabric, and that of
// pretended nodes.
//
// A connection is made with the first message to a peer, and carries messages one way. It begins with the key
// of the endpoint that it leads to. The key is part of the address, which the launcher hands on, so nobody
// else is listened to. A message is its size in bytes, as a little-endian uint32, with its bytes behind that.
package builtin

import (
	"fmt"
	"time"

	"gompi/fabric"
	"gompi/shm"
)

// Version is that of what goes over a connection.
const Version = fabric.Version(1 << 16)

// Endpoint implements fabric.Endpoint.
type Endpoint struct {
	options fabric.Options
	own     address
	memory  uintptr
	sockets
	sender
	receiver
	done []fabric.Completion // that were not told yet
	told []fabric.Completion
}

var _ fabric.Endpoint = (*Endpoint)(nil)

// Connect opens an endpoint. It is a fabric.Opener.
func Connect(o fabric.Opening) (fabric.Opened, error) {
	e := &Endpoint{options: o.Options}
	err := e.open(&o)
	if err != nil {
		return fabric.Opened{}, fmt.Errorf("no sockets for messages between nodes: %w", err)
	}
	return fabric.Opened{Endpoint: e, Provider: fabric.BuiltIn, Version: Version}, nil
}

func (e *Endpoint) open(o *fabric.Opening) (err error) {
	if e.own, err = listenAt(o); err != nil {
		return err
	}
	if err = e.sockets.open(&e.own, o.Bell); err != nil {
		return err
	}
	if e.memory, err = shm.Obtain(e.size()); err != nil {
		e.sockets.close()
		return err
	}
	e.stage = make([]byte, stageSize)
	return nil
}

// size is that of the endpoint's memory, in bytes.
func (e *Endpoint) size() int64 { return int64(e.options.Chunk) * int64(e.options.Chunks) }

// Address implements fabric.Endpoint.
func (e *Endpoint) Address() []byte { return e.own.bytes() }

// Memory implements fabric.Endpoint.
func (e *Endpoint) Memory() uintptr { return e.memory }

// Register implements fabric.Endpoint. All memory is fit for use.
func (e *Endpoint) Register(int) error { return nil }

// SendsTwo implements fabric.Endpoint.
func (e *Endpoint) SendsTwo() bool { return true }

// Done implements fabric.Endpoint.
func (e *Endpoint) Done() []fabric.Completion {
	for _, event := range e.ready() {
		switch number := int(event.Fd); {
		case number == listening:
			e.accept()
		case number >= 0:
			e.read(number)
		default:
			e.write(e.peers[peerOf(number)])
		}
	}
	e.told, e.done = e.done, e.told[:0]
	return e.told
}

// Arm implements fabric.Endpoint.
func (e *Endpoint) Arm() fabric.Watch {
	switch {
	case len(e.done) > 0:
		return fabric.Stirred
	case e.arm():
		return fabric.Rings
	}
	return fabric.Blind
}

// Sleep implements fabric.Endpoint.
func (e *Endpoint) Sleep(uint32, time.Duration) bool { return false }

// Close implements fabric.Endpoint. The kernel goes on with what is on its way.
func (e *Endpoint) Close() {
	for _, p := range e.peers {
		closeSocket(p.fd)
	}
	for _, in := range e.incoming {
		closeSocket(in.fd)
	}
	e.sockets.close()
	shm.Return(e.memory, e.size())
}
