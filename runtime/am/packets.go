package am

import (
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/shm"
)

// What goes to far ranks, in packets: words; operations, with data of this rank's program; answers, with data
// of the window.

// mostUnanswered is how many messages of one operation may be waiting for their answers.
const mostUnanswered = 16

// flushEach is how many bytes of puts and accumulates an origin sends to one target before it waits until
// they are done; each message counts as messageCost bytes more, which is what one that has to wait takes
// beside its body.
const (
	flushEach   = 2 << 20
	messageCost = 128
)

// header is that of the packet of a message.
func (f *far) header(h *Header) p2p.AMHeader {
	p := p2p.AMHeader{Ctx: f.ctx, Src: int32(f.w.me), What: int32(h.Kind)}
	p.Words[0], p.Words[1] = h.Addr, uint64(h.Runs)|uint64(h.Call)<<32
	p.Words[2], p.Words[3] = uint64(h.Type)|uint64(h.Op)<<32, h.At
	if h.Kind == fast.PacketGet || h.Kind == Check {
		p.Words[2] = h.Bytes
	}
	return p
}

// readHeader reads the header of a packet, but for how many bytes of memory its body tells of.
func readHeader(p *p2p.AMHeader) Header {
	h := Header{Kind: uint32(p.What), Addr: p.Words[0], Runs: uint32(p.Words[1]),
		Call: uint32(p.Words[1] >> 32), At: p.Words[3],
		Type: uint32(p.Words[2]), Op: uint32(p.Words[2] >> 32)}
	if h.Kind == fast.PacketGet || h.Kind == Check {
		h.Bytes = p.Words[2]
	}
	return h
}

// replyHeader is the header of the packet of an answer. It says for which call that is, where in the call's
// data its own begins, whether it is the last one and, with a class, that the operation was not carried out.
func (f *far) replyHeader(call uint32, at uint64, class mpierr.Class, last bool) p2p.AMHeader {
	p := p2p.AMHeader{Ctx: f.ctx, Src: int32(f.w.me), What: int32(reply)}
	p.Words[0], p.Words[1], p.Words[2] = uint64(call), at, uint64(class)
	if last {
		p.Words[3] = 1
	}
	return p
}

// tell sends a rank a message about a word, or about so many bytes at an address, and returns when it is on
// its way.
func (f *far) tell(rank int, kind uint32, word, bytes uint64, call uint32) error {
	h := f.header(&Header{Kind: kind, Addr: word, Bytes: bytes, Call: call})
	return f.w.Engine.AM.SendNotice(f.ctx, f.ranks[rank].peer, h)
}

// send is an operation on its way to a far rank.
type send struct {
	Request
	call *call // that is answered; nil for none

	// of the message that is on its way
	h    p2p.AMHeader
	runs []shm.Piece
	at   int64
	n    int64 // bytes of the origin's data
	sent bool
	err  error // the origin's data cannot be read: nobody carries the message out
}

// do carries the operation out at a far rank.
func (f *far) do(r *Request) error {
	s := f.w.worker.sends.Get().(*send)
	s.Request, s.call = *r, nil
	room := s.runs[:0]
	if r.Result != nil {
		s.call = f.begin(r.Rank, *r.Result)
	}
	err := f.send(s, room)
	if c := s.call; c != nil {
		if e := f.wait(c); err == nil {
			err = e
		}
		err = f.end(c, err)
	}
	s.Request, s.call, s.runs = Request{}, nil, room
	f.w.worker.sends.Put(s)
	return err
}

// send sends the messages of an operation. room is for the list of the runs of one.
func (f *far) send(s *send, room []shm.Piece) error {
	peer := f.ranks[s.Rank].peer
	for s.at = 0; s.at < s.Bytes; {
		if err := f.throttle(s); err != nil {
			return err
		}
		var h Header
		h, s.runs = s.next(s.at, room, true)
		n := int64(h.Bytes)
		if s.n = n; s.Data == nil {
			s.n = 0
		}
		if s.call != nil {
			h.Call, h.At = s.call.number, uint64(s.at)
			s.call.open.Add(1)
		} else {
			h.At = uint64(f.askEarly(s.Rank, s.at+n == s.Bytes))
		}
		s.h, s.sent, s.err = f.header(&h), false, nil
		err := f.w.Engine.AM.Send(f.ctx, peer, s)
		if s.call == nil { // after it has gone, as another thread may be flushing
			f.ranks[s.Rank].sent.Add(n + messageCost)
			f.ranks[s.Rank].dirty.Store(true)
			f.w.Desc.Pending = 1
		}
		if err != nil {
			return err
		}
		if s.err != nil {
			if s.call != nil {
				s.call.open.Add(-1) // nobody answers it
			} else if h.At != 0 {
				f.dropEarly(s.Rank)
			}
			return s.err
		}
		s.at += n
	}
	return nil
}

// throttle waits until the target has caught up with this rank, if it has fallen far behind.
func (f *far) throttle(s *send) error {
	if s.call == nil {
		if f.ranks[s.Rank].sent.Load() >= flushEach {
			return f.flush(s.Rank)
		}
		return nil
	}
	if s.call.open.Load() < mostUnanswered {
		return nil
	}
	return f.w.Engine.WaitIn(f.ctx, few{s.call})
}

// few is the condition that another message may go that is answered.
type few struct{ *call }

// Ready implements p2p.Condition.
func (c few) Ready() bool { return c.open.Load() < mostUnanswered }

// Body implements p2p.ActiveMessage.
func (s *send) Body() int64 {
	n := s.n
	if s.Compare != nil {
		n *= 2
	}
	return int64(len(s.runs))*runSize + n
}

// Fill implements p2p.ActiveMessage. Memory of the program that is not there is an error.
func (s *send) Fill(body uintptr) (p2p.AMHeader, bool) {
	s.sent = true
	if _, s.err = s.write(body, s.runs, s.at, s.n, uintptr(s.n)); s.err != nil {
		s.h.What = int32(nothing)
	}
	return s.h, false
}

// Sent implements p2p.ActiveMessage.
func (s *send) Sent() bool { return s.sent }

// answer brings data of this rank's window, or a copy of it, to a far rank.
type answer struct {
	f      *far
	to     int
	call   uint32
	runs   []shm.Piece
	next   int    // run that comes next
	within uint64 // bytes of it that have gone
	at     uint64 // in the data of the call
	left   int64
	room   []byte // for the data itself, if that is no memory of the window
	class  mpierr.Class
}

// answer begins the one to a message. The engine's lock is held.
func (f *far) answer(m *Message) *answer {
	var a *answer
	if k := len(f.answers); k > 0 {
		a, f.answers = f.answers[k-1], f.answers[:k-1]
	} else {
		a = &answer{f: f}
	}
	a.to, a.call, a.at, a.left = m.From, m.Call, m.At, int64(m.Bytes)
	a.runs, a.next, a.within, a.class = a.runs[:0], 0, 0, 0
	return a
}

// makeRoom makes room for n bytes that are answered with.
func (a *answer) makeRoom(n int64) uintptr {
	if int64(len(a.room)) <= n {
		a.room = make([]byte, n+1)
	}
	at := shm.Address(a.room)
	a.runs = append(a.runs, shm.Piece{Addr: at, Size: uint64(n)})
	return at
}

// Body implements p2p.ActiveMessage.
func (a *answer) Body() int64 { return min(a.left, farPiece) }

// Sent implements p2p.ActiveMessage.
func (a *answer) Sent() bool { return false }

// Fill implements p2p.ActiveMessage. The last packet is marked.
func (a *answer) Fill(body uintptr) (p2p.AMHeader, bool) {
	n := a.Body()
	if n > 0 && !a.gather(body, n) {
		a.class = mpierr.ErrRMARange
	}
	more := a.left > n
	h := a.f.replyHeader(a.call, a.at, a.class, !more)
	a.at, a.left = a.at+uint64(n), a.left-n
	if !more {
		a.f.answers = append(a.f.answers, a)
	}
	return h, more
}

// gather writes n bytes; false when they cannot be read.
func (a *answer) gather(body uintptr, n int64) (ok bool) {
	defer Missing(&ok)
	for n > 0 {
		p := &a.runs[a.next]
		k := min(p.Size-a.within, uint64(n))
		shm.Copy(body, p.Addr+uintptr(a.within), int64(k))
		body, n, a.within = body+uintptr(k), n-int64(k), a.within+k
		if a.within == p.Size {
			a.next, a.within = a.next+1, 0
		}
	}
	return true
}
