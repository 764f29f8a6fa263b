package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/request"
	"gompi/runtime/transport"
	"gompi/shm"
)

// A provider may send the pieces of a long message out of the program's memory (transport.Lender). The send
// is done when it has given all of them back.

// lend sends the next piece of r so, if its data lies in one run and can be read: the kernel or a device
// would end the connection if it could not. room is false when there is none for it now.
func (s *outbound) lend(l *link, r *request.Request) (room, lent bool) {
	n := min(r.Bytes-r.Moved, l.most) &^ (transport.LentUnit - 1)
	if l.lender == nil || n == 0 || !r.Buf.Contiguous() || !l.lender.Lends() {
		return true, false
	}
	p := l.lender.ReserveLent(r.Peer, int(n))
	from := r.Buf.Start() + uintptr(r.Moved)
	if p == nil {
		return false, false
	}
	if !s.readable(from, n) {
		return true, false
	}
	p.Kind, p.Flags, p.Ctx = piece, 0, r.Remote
	p.Data[0], p.Data[1] = uint64(n), uint64(r.Moved)
	l.lender.Lend(r.Peer, p, from, int(n), r.Index())
	r.Moved += n
	r.Pieces++
	return true, true
}

// readable reports whether memory can be read, by a look at each of its pages.
func (s *outbound) readable(at uintptr, n int64) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			_ = datatype.Fault(p) // panics again if it is no fault
			ok = false
		}
	}()
	b := shm.Bytes(at, n)
	for i := int64(0); i < n; i += shm.PageSize {
		s.touched ^= b[i]
	}
	s.touched ^= b[n-1]
	return true
}

// takeBack counts what the provider has given back. It returns true when there was something.
func (s *outbound) takeBack() (some bool) {
	for {
		n, ok := s.transports.lender.Returned()
		if !ok {
			return some
		}
		some = true
		r := s.Pool.At(n)
		if r.Pieces--; r.Pieces == 0 && r.State == request.Lent {
			s.taken(r)
		}
	}
}

// sendHeld has providers send what they keep back: this thread is about to wait, or to leave the library. The
// lock is held. What the network goes on to refuse, as it does until there is a connection, is left to the
// progress thread: its receiver may wait, and the program may not call for long.
func (h *progressThread) sendHeld() {
	if h.transports.flusher == nil {
		return
	}
	h.transports.flusher.Flush()
	if h.transports.flusher.Refused() && !h.on {
		if !h.multi {
			h.share()
			h.mu.Lock() // as unlock expects it from now on
		}
		h.startAssistant()
	}
}
