package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/request"
	"gompi/runtime/transport"
	"gompi/shm"
)

// Data with gaps on the sender's side goes in pieces through the ring: the sender packs each straight into
// shared memory, the receiver takes it from there to where it belongs. So no byte is copied more than twice,
// no memory is needed, and the two copies of different pieces go on at the same time in two processes.

// Sizes of pieces, in bytes. A message is cut into several, so that both sides have something to do, but the
// work for a piece beside copying it must not count.
const (
	leastPiece = 16 << 10
	pieces     = 8        // a message is cut into, as long as they are not too small or too large
	mostGapped = 16 << 10 // of data with gaps
	mostCoarse = 32 << 10 // of data in runs of leastRow or more
)

// pieceSize is how much of r a piece holds, but for the last. With other messages behind it both sides have
// enough to do, and pieces are as large as they can be: on far cores each costs a microsecond beside the
// copies. Those that are copied out while they are copied in are as well.
func (p *peer) pieceSize(r *request.Request, grows bool) int64 {
	most := p.link.most
	if scattered(r) {
		if r.Buf.Type.Coarse(leastRow) {
			return min(mostCoarse, most)
		}
		return min(mostGapped, most)
	}
	if p.out.several() || grows {
		return most
	}
	return min(max(r.Bytes/pieces, leastPiece), most)
}

// scattered reports whether a send has to be asked for its data, because it does not lie in one run.
func scattered(r *request.Request) bool { return !r.Buf.Contiguous() }

// arriveAsk begins to send the data of a message that was announced, by the protocol that the receiver has
// chosen.
func (s *outbound) arriveAsk(peer int, p *transport.Packet, _ uintptr) {
	r := s.named(peer, p, p.Ctx, request.Send, announcedSend)
	r.Remote, r.Copy, r.From, r.State = uint32(p.Tag), uint32(p.Src), uintptr(p.Data[0]), request.Pushing
	l, flat := s.to(peer), r.Buf.Contiguous()
	switch apart := r.Copy == 0 || l.sharer == nil; {
	case apart && flat && l.zeroCopy != nil:
		r.Protocol = zeroCopyProtocol
	case apart:
		r.Protocol = networkProtocol
	case p.Inline == controlSize && r.From != 0 && flat:
		r.Protocol = bothProtocol
	default:
		r.Protocol = pipelineProtocol
	}
	s.queues.enqueue(peer, outgoing{kind: piece, r: r})
}

// push sends as many pieces of r as there is room for. done says that there are no more to send: the receiver
// may have copied some itself.
func (s *outbound) push(r *request.Request) (some, done bool) {
	l := s.to(r.Peer)
	most := s.peers[r.Peer].pieceSize(r, l.grower != nil && !s.protocols.crowded)
	for r.State == request.Pushing {
		sent, room := s.protocols.table[r.Protocol].piece(l, r, most)
		if !room {
			return some, false
		}
		if !sent {
			break
		}
		some = true
	}
	switch {
	case r.Pieces > 0 && r.Moved == r.Bytes:
		r.State = request.Completing
	case r.State == request.Fetched || r.Moved == r.Bytes:
		s.taken(r)
	default:
		r.State = request.Announced // the receiver says when it has the rest
	}
	return some, true
}

// sendPiece sends n bytes of r from byte at on in a packet that was reserved with room for size bytes.
func (s *outbound) sendPiece(l *link, r *request.Request, p *transport.Packet, payload uintptr,
	size int, at, n int64) {
	since := shm.Now()
	p.Kind, p.Flags, p.Ctx, p.Data[0], p.Data[1] = piece, 0, r.Remote, uint64(n), uint64(at)
	if s.protocols.publishEarly(l, r.Peer, p, &r.Buf, size, n) {
		if err := s.protocols.growData(l, r.Peer, &r.Buf, at, payload, n); err != nil {
			r.Err = err
		}
		s.protocols.work(since)
		r.Moved += n
		return
	}
	if err := s.gatherPiece(r.Buf, at, payload, n); err != nil {
		r.Err, p.Flags = err, unreadable
	}
	s.publishPiece(l, r, p, size, at, n, since)
}

// publishPiece sends a packet with a piece, or the news of one, on which this rank has worked since then.
func (s *outbound) publishPiece(l *link, r *request.Request, p *transport.Packet,
	size int, at, n int64, since uint64) {
	p.Kind, p.Ctx = piece, r.Remote
	p.Data[0], p.Data[1], p.Data[2] = uint64(n), uint64(at), s.protocols.work(since)
	l.Publish(r.Peer, p, size)
	r.Moved += n
}

// gatherPiece is b.PackAt for a piece of a long message. The lines of its payload were last read by another
// processor, which may be far away: single stores to them wait for one line after the other. So short runs
// are put together nearby and then moved as one.
func (s *outbound) gatherPiece(b datatype.Buffer, at int64, payload uintptr, n int64) error {
	if b.Contiguous() || n > mostGapped || !shm.TakesLines() || b.Type.Coarse(leastRow) {
		return b.PackAt(at, payload, n)
	}
	c := s.Scratch.Take(mostGapped)
	defer s.Scratch.Put(c)
	if err := b.PackAt(at, c.Address(), n); err != nil {
		return err
	}
	shm.Copy(payload, c.Address(), n)
	return nil
}

// leastRow is the size in bytes from which on runs are moved one by one: as shm.Copy does it.
const leastRow = 2 << 10

// hand copies a message of this rank to itself, from the buffer of its send to that of its receive. A buffer
// that is no memory is the receive's error alone.
func hand(to, from datatype.Buffer) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = datatype.Fault(p)
		}
	}()
	datatype.Copy(to, from)
	return nil
}
