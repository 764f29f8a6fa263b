package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
	"gompi/runtime/tool"
	"gompi/runtime/transport"
	"gompi/shm"
)

// A message goes whole, in one packet. The receiver copies it into the buffer of its receive, or aside when
// no receive has been posted.

// launchEager sends r whole, unless there is no room, or it is to be announced, with the reason. Nothing has
// been done then. A message that cannot be read goes without its data.
func (s *outbound) launchEager(r *request.Request) (sent bool, why tool.Announcement) {
	l := s.to(r.Peer)
	p, payload := l.Reserve(r.Peer, int(r.Bytes))
	if p == nil {
		return false, 0
	}
	if why = s.flow.unwanted(r.Peer, p, r.Buf); why != tool.NotAnnounced {
		return false, why
	}
	took, err := s.protocols.gatherEager(r.Buf, payload, r.Bytes)
	p.Kind, p.Flags, p.Ctx, p.Src, p.Tag = eager, named, r.Key.Ctx, r.Key.Src, r.Key.Tag
	if r.Sync {
		p.Flags |= synchronous
	}
	if err != nil {
		p.Flags |= unreadable
	}
	if p.InBulk() {
		p.Data[0], p.Data[1], p.Data[2] = uint64(r.Bytes), uint64(r.Index()), took
	} else {
		p.Bulk = r.Index()
	}
	l.Publish(r.Peer, p, int(r.Bytes))
	s.count.EagerSent++
	s.count.EagerBytes += uint64(r.Bytes)
	if r.Sync {
		r.Err, r.State = err, request.Announced
	} else {
		r.State = request.Sent
		s.finish(r, err)
	}
	return true, 0
}

// gatherEager copies the n bytes of an eager message to where its payload goes, and returns what that has
// taken in ns, 0 where nobody wants to know.
func (p *protocols) gatherEager(b datatype.Buffer, payload uintptr, n int64) (took uint64, err error) {
	if n <= fast.MaxMessage || !p.learnsEager {
		return 0, b.PackAt(0, payload, n)
	}
	since := shm.Now()
	err = b.PackAt(0, payload, n)
	took = p.work(since)
	p.began(since + took)
	return took, err
}

// measuresEager reports whether it is measured what an eager message of n bytes takes.
func (p *protocols) measuresEager(peer int, n int64) bool {
	return n > fast.MaxMessage && p.learnsEager && p.to(peer).reach(peer) != nil
}

func (v *inbound) arriveEager(peer int, p *transport.Packet, payload uintptr) {
	key := match.Key{Ctx: p.Ctx, Src: p.Src, Tag: p.Tag}
	n := size(p)
	if n < 0 {
		v.Malformed(peer, "a malformed packet of %d bytes at %d of the ring", p.Data[0], p.Bulk)
	}
	sync, send := p.Flags&synchronous != 0, noSend
	if p.Flags != 0 {
		if send = p.Bulk; p.InBulk() {
			send = uint32(p.Data[1])
		}
	}
	r, sig := v.matchPosted(key), v.signatures.take(v.peers[peer])
	if r == nil {
		m := message{key: key, peer: peer, bytes: n, send: send, sync: sync, kind: buffered,
			lost: p.Flags&unreadable != 0, sig: sig}
		v.unexpected.keepEager(m, p, payload)
		return
	}
	n = matched(r, p.Src, p.Tag, n)
	v.signatures.compare(r, sig)
	if p.Flags&unreadable != 0 {
		v.finish(r, lostData())
	} else {
		v.finish(r, v.protocols.unpackEager(&r.Buf, peer, payload, n, p.Data[2]))
	}
	if sync {
		v.queues.answer(peer, fetched, send, 0, 0)
	}
}

// keepEager buffers an eager message that no receive was posted for. That work counts as well: a message that
// is announced waits where it is.
func (u *unexpected) keepEager(m message, p *transport.Packet, payload uintptr) {
	n, since := m.bytes, uint64(0)
	measured := u.protocols.measuresEager(m.peer, n)
	if measured {
		since = shm.Now()
	}
	i, data := u.keep(m)
	shm.Copy(data, payload, n)
	if measured {
		u.endpoint.Message(i).Time = p.Data[2] + shm.Now() - since
	}
}

// unpackEager puts n bytes of an eager message into the buffer of its receive. The sender, and this rank
// before, have spent so many ns on it.
func (p *protocols) unpackEager(b *datatype.Buffer, peer int, data uintptr, n int64, spent uint64) error {
	if !p.measuresEager(peer, n) || !b.Contiguous() {
		return b.UnpackAt(0, data, n)
	}
	since := shm.Now()
	err := b.UnpackAt(0, data, n)
	t := p.direction(n, p.endpoint.Sending > 0)
	p.note(t, eagerProtocol, n, since-min(spent, since), p.work(since)+spent)
	p.nextEagerLimit(peer, t, n, eagerProtocol, p.usableFor(true, true, t))
	return err
}
