package p2p

import (
	"slices"
	"time"

	"gompi/runtime/mpierr"
	"gompi/runtime/request"
	"gompi/runtime/transport"
	"gompi/shm"
)

// copying is the copies of long messages that this rank receives.
type copying struct {
	*core
	transports *transports
	queues     *queues
	protocols  *protocols
	records    *records
	failures   *failures

	copies    []*request.Request // receives of copies that both sides carry out
	stalled   bool               // no piece of one has come since
	since     time.Time
	flushSoon bool // a message was read, which took long; what waits for room goes first now

	copyTimeout time.Duration // for how long this side waits for pieces of one
	copyChunk   int64         // bytes of one that this side copies then before it looks for pieces again
}

// fetch gets the data of a message that lies in its sender's memory, by one of the protocols.
func (c *copying) fetch(r *request.Request, m message) {
	n := matched(r, m.key.Src, m.key.Tag, m.bytes)
	c.signatures.compare(r, m.sig)
	if m.peer == c.me {
		send := c.records.ownSend(m.send)
		c.finish(r, hand(r.Buf, send.Buf))
		c.finish(send, nil)
		return
	}
	r.Peer, r.Bytes = m.peer, m.bytes
	if c.isFailed(m.peer) {
		c.finish(r, c.failures.failureOf(request.Send, r.Key, r.Peer))
		return
	}
	c.protocols.choose(r, &m, n, len(c.copies) < mostCopies)
	if c.protocols.table[r.Protocol].begin(r, m) {
		c.protocols.ended(r)
		c.finish(r, nil)
		c.queues.answer(m.peer, fetched, m.send, 0, 0)
	}
}

// askFor asks the sender for the data of a message. share begins a copy that both sides carry out, if that is
// possible; the sender writes straight to into, unless it is 0.
func (c *copying) askFor(r *request.Request, m message, share bool, into uintptr) {
	r.State, r.Moved, r.Copy, r.Own = request.Filling, 0, 0, false
	c.filling++
	if share {
		r.Copy = c.to(m.peer).offer(m.peer)
	}
	if r.Copy == 0 {
		into = 0
	} else {
		r.From, r.Remote, r.Lost = m.addr, m.send, false
		c.copies, c.stalled = append(c.copies, r), false
		c.endpoint.Copying++
	}
	c.queues.ask(m.peer, outgoing{kind: ask, a: m.send, b: r.Index(), c: r.Copy, word: uint64(into)})
}

// mostCopies is how many copies that both sides carry out can be under way at once; further messages are
// copied by this side alone.
const mostCopies = 64

// copySome carries on the copies that both sides carry out. It returns true when there is something to do,
// here or for the caller. The pipeline, which may wait for its sender, comes last.
func (c *copying) copySome() bool {
	for i := len(c.protocols.table) - 1; i >= 0; i-- {
		if take := c.protocols.table[i].take; take != nil && take() {
			return true
		}
	}
	return false
}

// copyPart copies the next part of a message, of at most most bytes, out of the sender's memory. It returns
// false when all parts are taken.
func (c *copying) copyPart(r *request.Request, most int64) bool {
	at, n := c.to(r.Peer).sharer.TakeIn(r.Peer, r.Copy, most, r.Bytes)
	if n == 0 {
		return false
	}
	r.Own = true
	if fits := min(n, r.Status.Bytes-at); fits > 0 {
		err := c.readAt(r, r.Peer, r.From, at, fits)
		if err != nil && c.failures.Perished(r.Peer, err) {
			return false // the news of its death will end the receive
		}
		if err != nil {
			r.Lost = true
			if r.Err == nil {
				r.Err = lostData()
			}
		}
	}
	c.arrived(r, n)
	return true
}

// endCopy ends the part of this side in a copy that both carry out.
func (c *copying) endCopy(r *request.Request) {
	if r.Copy == 0 {
		return
	}
	c.to(r.Peer).sharer.Done(r.Peer, r.Copy)
	if i := slices.Index(c.copies, r); i >= 0 {
		c.copies = slices.Delete(c.copies, i, i+1)
		c.endpoint.Copying--
	}
}

// arrived counts bytes of a message that comes in pieces and ends it with the last.
func (c *copying) arrived(r *request.Request, n int64) {
	if r.Moved += n; r.Moved < r.Bytes {
		return
	}
	c.protocols.ended(r)
	c.endPart(r)
	if r.Own {
		lost := uint32(0)
		if r.Lost {
			lost = 1
		}
		c.queues.answer(r.Peer, fetched, r.Remote, lost, 0)
	}
	c.finish(r, nil)
}

// endPart ends the part of this side in a message that comes in pieces.
func (c *copying) endPart(r *request.Request) {
	if end := c.protocols.table[r.Protocol].end; end != nil {
		end(r)
	}
}

// gapPiece is how many bytes at a time go into a buffer with gaps: few enough to be in the cache still when
// they are put in place.
const gapPiece = 128 << 10

// readAt copies n > 0 bytes of the message at src in a peer's memory, from byte at on, into the buffer of r;
// in pieces through memory of our own where the buffer has gaps. A buffer that cannot be written is the error
// of r and not of the call.
func (c *copying) readAt(r *request.Request, peer int, src uintptr, at, n int64) error {
	since := shm.Now()
	defer func() { r.Spent += c.protocols.work(since) }()
	if r.Buf.Contiguous() && c.to(peer).read(peer, r.Buf.Start()+uintptr(at), src+uintptr(at), n) == nil {
		return nil // otherwise memory of our own shows on which side the fault lies
	}
	near := c.Scratch.Take(min(n, gapPiece))
	defer c.Scratch.Put(near)
	for end := at + n; at < end; at += gapPiece {
		k := min(end-at, gapPiece)
		if err := c.to(peer).read(peer, near.Address(), src+uintptr(at), k); err != nil {
			return err
		}
		if err := r.Buf.UnpackAt(at, near.Address(), k); err != nil {
			r.Err = err
			return nil
		}
	}
	return nil
}

// arrivePiece takes a piece of a message. What does not fit into the buffer is dropped: the receive has
// failed already, but the sender has to get rid of it. A piece that is in place was written by the sender.
func (c *copying) arrivePiece(peer int, p *transport.Packet, payload uintptr) {
	r, at, n := c.named(peer, p, p.Ctx, request.Recv, fillingReceive), int64(p.Data[1]), int64(p.Data[0])
	flags := p.Flags
	if flags&written == 0 {
		n = size(p)
	} else if r.Protocol != bothProtocol {
		c.Malformed(peer, "a malformed packet: %d bytes in place of a message that it was not to write", n)
	}
	if n < 0 || at < 0 || at > r.Bytes || n > r.Bytes-max(at, r.Moved) {
		c.Malformed(peer, "a malformed packet: %d bytes at %d of a message of %d bytes", n, at, r.Bytes)
	}
	c.stalled = false
	since := shm.Now()
	if flags&unreadable != 0 {
		if r.Err == nil {
			r.Err = lostData()
		}
	} else if fits := min(n, r.Status.Bytes-at); fits > 0 && flags&written == 0 {
		if err := c.unpackPiece(r, at, payload, fits, p.Data[2]); err != nil {
			r.Err = err
		}
	}
	took := c.protocols.work(since)
	if c.protocols.isGrowing(peer, p.Data[2]) {
		r.Spent += took // the sender has copied at the same time
	} else {
		r.Spent += p.Data[2]
	}
	r.Spent += took
	c.arrived(r, n)
}

// unpackPiece puts n bytes of a piece into the buffer of its receive. The sender has spent so many ns on it.
func (c *copying) unpackPiece(r *request.Request, at int64, payload uintptr, n int64, spent uint64) error {
	c.protocols.touches(r.Peer, payload, n)
	if c.protocols.isGrowing(r.Peer, spent) {
		return c.protocols.unpackGrowing(&r.Buf, r.Peer, at, payload, n)
	}
	return r.Buf.UnpackAt(at, payload, n)
}

// lostData is the error of a receive whose message was sent out of memory that cannot be read.
func lostData() error {
	return mpierr.New(mpierr.ErrOther, "the message was sent out of memory that cannot be read, so its data is not here")
}
