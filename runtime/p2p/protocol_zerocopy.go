package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/request"
	"gompi/runtime/transport"
	"gompi/shm"
)

// The sender sends pieces out of the program's memory, where the provider can (transport.ZeroCopySender). The
// send is done when it has given all of them back.

// sendFromProgram sends the next piece of r so. What does not lie in one run, or cannot be read, goes in
// packets of our own: the kernel or a device would end the connection.
func (s *outbound) sendFromProgram(l *link, r *request.Request, most int64) (sent, room bool) {
	n := min(r.Bytes-r.Moved, l.most) &^ (transport.ZeroCopyUnit - 1)
	if n == 0 || !l.zeroCopy.SendsZeroCopy() {
		return s.sendRest(l, r, most)
	}
	p := l.zeroCopy.ReserveZeroCopy(r.Peer, int(n))
	from := r.Buf.Start() + uintptr(r.Moved)
	if p == nil {
		return false, false
	}
	if !s.readable(from, n) {
		return s.sendRest(l, r, most)
	}
	p.Kind, p.Flags, p.Ctx = piece, 0, r.Remote
	p.Data[0], p.Data[1] = uint64(n), uint64(r.Moved)
	l.zeroCopy.PublishZeroCopy(r.Peer, p, from, int(n), r.Index())
	r.Moved += n
	r.Pieces++
	return true, true
}

// sendRest sends what is left in packets of our own.
func (s *outbound) sendRest(l *link, r *request.Request, most int64) (sent, room bool) {
	r.Protocol = networkProtocol
	return s.sendPacket(l, r, most)
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

// takeCompleted counts what the provider has given back. It returns true when there was something.
func (s *outbound) takeCompleted() (some bool) {
	for {
		n, ok := s.transports.zeroCopy.Completed()
		if !ok {
			return some
		}
		some = true
		r := s.Pool.At(n)
		if r.Pieces--; r.Pieces == 0 && r.State == request.Completing {
			s.taken(r)
		}
	}
}
