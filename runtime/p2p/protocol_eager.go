package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
	"gompi/runtime/tool"
	"gompi/runtime/transport"
	"gompi/runtime/tune"
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
	p.Kind, p.Flags, p.Ctx, p.Src, p.Tag = eager, named, r.Key.Ctx, r.Key.Src, r.Key.Tag
	if r.Sync {
		p.Flags |= synchronous
	}
	if p.InBulk() {
		p.Data[0], p.Data[1] = uint64(r.Bytes), uint64(r.Index())
	} else {
		p.Bulk = r.Index()
	}
	var err error
	if s.protocols.publishEarly(l, r.Peer, p, &r.Buf, int(r.Bytes), r.Bytes) {
		err = s.protocols.growEager(l, r.Peer, &r.Buf, payload, r.Bytes)
	} else {
		err = s.protocols.publishWhole(l, r.Peer, p, &r.Buf, payload, r.Bytes)
	}
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

// publishWhole copies the n bytes of an eager message to where its payload goes, and publishes it.
func (p *protocols) publishWhole(l *link, peer int, pk *transport.Packet, b *datatype.Buffer, payload uintptr,
	n int64) error {
	took, err := p.gatherEager(b, payload, n)
	if err != nil {
		pk.Flags |= unreadable
	}
	if pk.InBulk() {
		pk.Data[2] = took
	}
	l.Publish(peer, pk, int(n))
	return err
}

// growEager copies them once the message has been published.
func (p *protocols) growEager(l *link, peer int, b *datatype.Buffer, payload uintptr, n int64) error {
	since := shm.Now()
	err := p.growData(l, peer, b, 0, payload, n)
	p.began(since + p.work(since))
	return err
}

// gatherEager copies the n bytes of an eager message to where its payload goes, and returns what that has
// taken in ns, 0 where nobody wants to know.
func (p *protocols) gatherEager(b *datatype.Buffer, payload uintptr, n int64) (took uint64, err error) {
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
	v.protocols.touches(peer, payload, n)
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
	measured := u.protocols.measuresEager(m.peer, n) && !u.protocols.touches(m.peer, payload, n)
	if measured {
		since = shm.Now()
	}
	i, data := u.keep(m)
	took := p.Data[2]
	if u.protocols.isGrowing(m.peer, took) {
		into := datatype.Raw(data, n)
		if u.protocols.unpackGrowing(&into, m.peer, 0, payload, n) != nil {
			u.endpoint.Message(i).Flags |= fast.Lost
		}
		took = shm.Now() - since // about as long as here
	} else {
		shm.Copy(data, payload, n)
	}
	if measured {
		u.endpoint.Message(i).Time = took + shm.Now() - since
	}
}

// unpackEager puts n bytes of an eager message into the buffer of its receive. The sender, and this rank
// before, have spent so many ns on it.
func (p *protocols) unpackEager(b *datatype.Buffer, peer int, data uintptr, n int64,
	spent uint64) (err error) {
	learns, grows := p.measuresEager(peer, n), p.isGrowing(peer, spent)
	measured := learns && b.Contiguous()
	if !learns && grows {
		p.leaveSome(nil)
	}
	if !measured && !grows {
		return b.UnpackAt(0, data, n)
	}
	since := shm.Now()
	if grows {
		err, spent = p.unpackGrowing(b, peer, 0, data, n), 0
	} else {
		err = b.UnpackAt(0, data, n)
	}
	if !measured {
		return err
	}
	t := p.direction(n, p.endpoint.Sending > 0)
	took := p.work(since)
	if grows && t == &p.directions[1] {
		spent = took // both sides have copied at the same time
	}
	counts := !p.disturbed
	p.note(t, eagerProtocol, n, since-min(spent, since), took+spent)
	usable := p.usableFor(true, true, t)
	p.nextEagerLimit(peer, t, n, eagerProtocol, usable)
	if c := t.choices.Of(n); grows && counts && c.Settled(eagerProtocol, usable|1<<eagerProtocol) {
		p.leaveSome(c)
	}
	return err
}

// unmeasured is how many long messages the fast engine receives for each that is measured.
const unmeasured = 16

// leaveSome leaves the next messages to the fast engine. They count for the choice, if there is one. Of those
// that come here then, the first one is not measured: nobody knows what this rank has done before.
func (p *protocols) leaveSome(c *tune.Choice) {
	if p.endpoint.Unmeasured != fast.AllUnmeasured {
		p.endpoint.Unmeasured, p.disturbed = unmeasured, true
	}
	if c != nil {
		c.Skip(unmeasured)
	}
}
