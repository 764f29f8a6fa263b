package rma

import (
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/shm"
)

// What goes to far ranks: notes, which are a few words; requests, with data of this rank's program; answers,
// with data of the window.

func (f *far) heading(what int32) p2p.AMHeader {
	return p2p.AMHeader{Ctx: f.ctx, Src: int32(f.w.me), What: what}
}

// note is an active message without a body.
type note struct {
	f      *far
	h      p2p.AMHeader
	posted bool // it goes back to the list of those that are free
	sent   bool
}

// Body implements p2p.ActiveMessage.
func (n *note) Body() int64 { return 0 }

// Fill implements p2p.ActiveMessage.
func (n *note) Fill(uintptr) (p2p.AMHeader, bool) {
	h := n.h
	if n.sent = true; n.posted {
		n.f.notes = append(n.f.notes, n)
	}
	return h, false
}

// Sent implements p2p.ActiveMessage.
func (n *note) Sent() bool { return n.sent }

// post sends a note to a rank. The engine's lock is held.
func (f *far) post(rank int, what int32, words ...uint64) {
	var n *note
	if k := len(f.notes); k > 0 {
		n, f.notes = f.notes[k-1], f.notes[:k-1]
	} else {
		n = &note{f: f, posted: true}
	}
	n.h = f.heading(what)
	copy(n.h.Words[:], words)
	f.w.space.engine.AM.Post(f.ranks[rank].peer, n)
}

// tell sends a note to a rank and returns when it is on its way.
func (f *far) tell(rank int, what int32, word, more uint64, number uint32) error {
	s := f.w.space
	n := s.notes.Get().(*note)
	n.f, n.h, n.sent = f, f.heading(what), false
	n.h.Words[0], n.h.Words[1], n.h.Words[2] = word, uint64(number)<<32, more
	err := s.engine.AM.Send(f.ctx, f.ranks[rank].peer, n)
	s.notes.Put(n)
	return err
}

// amRequest is one operation, or a part of it, on its way to the target.
type amRequest struct {
	h     p2p.AMHeader // of the next packet
	runs  []shm.Piece
	data  datatype.Buffer // what is sent with them
	at, n int64
	then  datatype.Buffer // and behind it the same of this buffer, if there is one (MPI_Compare_and_swap)
	sent  bool
	err   error
}

// Body implements p2p.ActiveMessage.
func (l *amRequest) Body() int64 {
	n := l.n
	if l.then.Type != nil {
		n *= 2
	}
	return int64(len(l.runs))*runSize + n
}

// Fill implements p2p.ActiveMessage.
func (l *amRequest) Fill(body uintptr) (p2p.AMHeader, bool) {
	l.sent = true
	if l.err = l.gather(body); l.err != nil {
		l.h.What = sayNothing
	}
	return l.h, false
}

// gather writes the body. Memory of the program that is not there is an error.
func (l *amRequest) gather(body uintptr) (err error) {
	body += writeRuns(l.runs, body)
	if l.n == 0 {
		return nil
	}
	if err = l.data.PackAt(l.at, body, l.n); err == nil && l.then.Type != nil {
		err = l.then.PackAt(0, body+uintptr(l.n), l.n)
	}
	return err
}

// Sent implements p2p.ActiveMessage.
func (l *amRequest) Sent() bool { return l.sent }

// putRequest gives a request back to the pool.
func (s *Space) putRequest(l *amRequest) {
	l.runs, l.data, l.then = l.runs[:0], datatype.Buffer{}, datatype.Buffer{}
	s.amRequests.Put(l)
}

// sendRequest sends one packet of an operation.
func (f *far) sendRequest(rank int, l *amRequest) error {
	l.sent, l.err = false, nil
	if err := f.w.space.engine.AM.Send(f.ctx, f.ranks[rank].peer, l); err != nil {
		return err
	}
	return l.err
}

// answer brings data of this rank's window, or a copy of it, to a far rank.
type answer struct {
	f      *far
	to     int
	number uint64 // of the call
	runs   []shm.Piece
	next   int    // run that comes next
	within uint64 // bytes of it that have gone
	at     uint64 // in the data of the call
	left   int64
	data   []byte // not nil: the data itself
	class  mpierr.Class
}

// answer begins one with n bytes. The engine's lock is held.
func (f *far) answer(to int, number, at uint64, n int64) *answer {
	var a *answer
	if k := len(f.answers); k > 0 {
		a, f.answers = f.answers[k-1], f.answers[:k-1]
	} else {
		a = &answer{f: f}
	}
	a.to, a.number, a.at, a.left = to, number, at, n
	a.runs, a.next, a.within, a.data, a.class = a.runs[:0], 0, 0, a.data[:0], 0
	return a
}

// makeRoom makes room for n bytes in an answer.
func (a *answer) makeRoom(n int64) {
	if int64(cap(a.data)) < n {
		a.data = make([]byte, n)
	}
	a.data = a.data[:n]
}

func (a *answer) post() { a.f.w.space.engine.AM.Post(a.f.ranks[a.to].peer, a) }

// Body implements p2p.ActiveMessage.
func (a *answer) Body() int64 { return min(a.left, farPiece) }

// Sent implements p2p.ActiveMessage.
func (a *answer) Sent() bool { return false }

// Fill implements p2p.ActiveMessage. The last packet is marked.
func (a *answer) Fill(body uintptr) (p2p.AMHeader, bool) {
	h := a.f.heading(sayAnswer)
	h.Words[0], h.Words[1] = a.number, a.at
	n := a.Body()
	if n > 0 && !a.gather(body, n) {
		a.class = mpierr.ErrRMARange
	}
	a.at, a.left = a.at+uint64(n), a.left-n
	h.Words[2] = uint64(a.class)
	if a.left > 0 {
		return h, true
	}
	h.Words[3] = 1
	a.f.answers = append(a.f.answers, a)
	return h, false
}

// gather writes n bytes; false when they cannot be read.
func (a *answer) gather(body uintptr, n int64) (ok bool) {
	defer missing(&ok)
	if len(a.data) > 0 {
		shm.Copy(body, shm.Address(a.data)+uintptr(a.within), n)
		a.within += uint64(n)
		return true
	}
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
