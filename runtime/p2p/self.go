package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
	"gompi/shm"
)

// sendSelf sends to this rank. A message that finds no receive is buffered if it is small, or if the
// caller blocks: nobody could post the receive while it waits. A larger one stays where it is until the
// receive comes.
func (s *outbound) sendSelf(r *request.Request, blocking bool) {
	if to := s.inbound.matchPosted(r.Key); to != nil {
		matched(to, r.Key.Src, r.Key.Tag, r.Bytes)
		s.signatures.compare(to, s.signatures.of(r))
		s.finish(to, hand(to.Buf, r.Buf))
		s.finish(r, nil)
		return
	}
	s.keepSelf(r, blocking)
}

// keepSelf makes a message to this rank an unexpected one.
func (s *outbound) keepSelf(r *request.Request, blocking bool) {
	r.State = request.Announced
	m := message{key: r.Key, peer: s.me, bytes: r.Bytes, send: r.Index(), sync: r.Sync, kind: inSender,
		sig: s.signatures.of(r)}
	if r.Bytes <= s.transports.eager || blocking {
		if err := shm.Afford(r.Bytes); err != nil {
			s.finish(r, mpierr.Memory(err))
			return
		}
		m.kind = buffered
		i, data, err := s.unexpected.newMessage(&m)
		if err != nil {
			s.finish(r, mpierr.Memory(err))
			return
		}
		if err := hand(datatype.Raw(data, r.Bytes), r.Buf); err != nil {
			s.endpoint.Discard(i)
			s.finish(r, err)
			return
		}
		s.unexpected.file(i, &m)
		if !r.Sync {
			r.State = request.Sent
			s.finish(r, nil)
		}
		return
	}
	s.unexpected.keep(m)
}

// ownSend is the request of a send to this rank.
func (d *records) ownSend(i uint32) *request.Request {
	d.extend(i)
	return d.Pool.At(i)
}
