package builtin

import (
	"encoding/binary"
	"slices"

	"gompi/fabric"
	"gompi/shm"
)

// receiver is what an endpoint knows of those from whom it receives, and where messages go.
type receiver struct {
	incoming []*incoming // by the number under which the kernel tells of it
	buffers  []*buffer   // with room, oldest first
	stage    []byte      // where bytes lie until it is known what they are
}

// Sizes in bytes.
const (
	// stageSize is how much is read at once of what may be several messages.
	stageSize = 64 << 10
	// leastRead: a buffer in which there is room for less than this ahead of the longest message is full.
	leastRead = 4 << 10
	// direct is the rest of a message from which on it is read to where it belongs.
	direct = 16 << 10
)

// buffer is memory that was offered for messages.
type buffer struct {
	number  uint32
	at      uintptr // of the next message
	free    int     // bytes from there on
	writing int     // messages in it that have not come to their end
	full    bool
}

// incoming is a connection from a peer.
type incoming struct {
	fd      int // -1 once it is closed
	key     [keySize]byte
	size    [sizeSize]byte // of the next message
	headGot int            // bytes of key and size that have come
	in      *buffer        // of the message that is coming
	first   uintptr        // where it begins
	n, got  int
}

// Receive implements fabric.Endpoint.
func (e *Endpoint) Receive(number uint32, at uintptr, n int) fabric.Result {
	e.buffers = append(e.buffers, &buffer{number: number, at: at, free: n})
	return 0
}

// room is the buffer for the next message; nil when there is none. Those that are full are given back.
func (e *Endpoint) room() *buffer {
	for len(e.buffers) > 0 {
		b := e.buffers[0]
		if b.free >= e.options.Least+leastRead {
			return b
		}
		b.full = true
		e.giveBack(b)
		e.buffers = slices.Delete(e.buffers, 0, 1)
	}
	return nil
}

// giveBack gives back a buffer that is full once nothing is written there any more.
func (e *Endpoint) giveBack(b *buffer) {
	if b.full && b.writing == 0 {
		e.done = append(e.done, fabric.Completion{Number: b.number, Received: 1, Ended: 1})
	}
}

// accept takes the connections that were made to this endpoint.
func (e *Endpoint) accept() {
	for fd := e.next(); fd >= 0; fd = e.next() {
		free := slices.IndexFunc(e.incoming, func(in *incoming) bool { return in.fd < 0 })
		if free < 0 {
			free = len(e.incoming)
			e.incoming = append(e.incoming, nil)
		}
		e.incoming[free] = &incoming{fd: fd}
		e.watch(fd, free)
	}
}

// read reads what has come over a connection, once. A message whose size is not known yet is read only
// where there is a buffer for it.
func (e *Endpoint) read(number int) {
	in := e.incoming[number]
	if in.fd < 0 {
		return
	}
	b := e.room()
	rest := in.n - in.got
	switch {
	case rest >= direct, rest > 0 && b == nil:
		n, open := readSocket(in.fd, shm.Bytes(in.first+uintptr(in.got), int64(rest)))
		if in.got += n; in.got == in.n {
			e.whole(in)
		}
		if !open {
			e.drop(in)
		}
	case b != nil:
		n, open := readSocket(in.fd, e.stage[:min(len(e.stage), b.free-e.options.Least)])
		if !e.take(in, e.stage[:n]) || !open {
			e.drop(in)
		}
	}
}

// take deals with bytes that were read, for which the first buffer has room. It returns false where they are
// not those of a peer.
func (e *Endpoint) take(in *incoming, b []byte) bool {
	for len(b) > 0 {
		switch {
		case in.got < in.n:
			n := copy(shm.Bytes(in.first+uintptr(in.got), int64(in.n-in.got)), b)
			b = b[n:]
			if in.got += n; in.got == in.n {
				e.whole(in)
			}
		case in.headGot < keySize:
			n := copy(in.key[in.headGot:], b)
			b = b[n:]
			in.headGot += n
			if in.headGot == keySize && !e.own.opens(&in.key) {
				return false
			}
		default:
			n := copy(in.size[in.headGot-keySize:], b)
			b = b[n:]
			if in.headGot += n; in.headGot == keySize+sizeSize && !e.begin(in) {
				return false
			}
		}
	}
	return true
}

// begin finds the place of the message whose size has come. No peer sends nothing, or more than there is
// always room for.
func (e *Endpoint) begin(in *incoming) bool {
	n := binary.LittleEndian.Uint32(in.size[:])
	if n == 0 || int64(n) > int64(e.options.Least) {
		return false
	}
	b := e.buffers[0]
	in.in, in.first, in.n, in.got = b, b.at, int(n), 0
	b.at += uintptr(n)
	b.free -= int(n)
	b.writing++
	return true
}

// whole notes that a message has come to its end.
func (e *Endpoint) whole(in *incoming) {
	e.done = append(e.done, fabric.Completion{At: uint64(in.first), Size: uint64(in.n), Number: in.in.number,
		Received: 1})
	e.leave(in)
}

// leave ends the message that was coming.
func (e *Endpoint) leave(in *incoming) {
	b := in.in
	in.in, in.n, in.got, in.headGot = nil, 0, 0, keySize
	b.writing--
	e.giveBack(b)
}

// drop ends a connection. What it has sent of a message is lost.
func (e *Endpoint) drop(in *incoming) {
	if in.in != nil {
		e.leave(in)
	}
	e.forget(in.fd)
	in.fd = -1
}
