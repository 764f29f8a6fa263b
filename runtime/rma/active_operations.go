package rma

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/shm"
)

// Operations by active messages. What fits into one message is carried out by package fast, in
// which a C stub may have begun it.

// remote is where the memory begins in its owner's address space.
func (s *targetMemory) remote() uint64 { return uint64(s.buf.Start()) }

// sendMessages carries the operation out by active messages.
func (r *request) sendMessages() error {
	if r.n <= r.step() && contiguous(r.data) && contiguous(r.result) {
		return r.q.finish(r.rank, r.sendOne)
	}
	t, d := &r.q.targets[r.rank], r.q.Desc
	return r.q.exchange(r.rank, r.n, r.step(), r.result, func(p *fast.Packet, at, k int64) {
		if r.kind >= fast.PacketAccumulate {
			p.Type, p.Op = r.basic.Handle(), r.f.Handle()
		}
		if r.data != nil {
			r.data.PackTo(at, p.Data(uint32(k)), k)
		}
		d.Post(t, p, r.kind, r.remote()+uint64(at), uint32(k))
	})
}

// sendOne sends the operation in one message, which a C stub may have done already, and takes the answer in.
func (r *request) sendOne() fast.Reason {
	t, d, n := &r.q.targets[r.rank], r.q.Desc, uint32(r.n)
	switch r.kind {
	case fast.PacketPut:
		return d.ActivePut(t, r.remote(), start(r.data), n)
	case fast.PacketGet:
		return d.ActiveGet(t, r.remote(), start(r.result), n)
	case fast.PacketSwap:
		return d.ActiveSwap(t, r.remote(), r.in, r.compare, r.old, n)
	}
	return d.ActiveCombine(t, r.remote(), r.basic.Handle(), r.f.Handle(), start(r.data), start(r.result), n)
}

// exchange posts the messages of an operation on n bytes, of at most step each, and unpacks their
// answers into result, if there is one. It has as many messages under way at once as there is room
// for.
func (q *requester) exchange(rank int, n, step int64, result *datatype.Buffer,
	post func(p *fast.Packet, at, k int64)) error {
	t, d := &q.targets[rank], q.Desc
	first, sent := t.Sent+1, int64(0)
	for at := int64(0); at < n; first++ {
		for sent < n && (sent == at || t.Sent-t.Done < fast.RingPackets) {
			p, err := q.begin(rank)
			if err != nil {
				return err
			}
			k := min(n-sent, step)
			post(p, sent, k)
			sent += k
		}
		k := min(n-at, step)
		if result != nil {
			if err := q.await(rank, first); err != nil {
				return err
			}
			result.Unpack(at, shm.Bytes(fast.PacketAt(t.Ring, first).Data(uint32(k)), k))
		}
		at += k
	}
	d.Count(fast.PathActive, uint64(n))
	return nil
}

// ask has the target read or write pieces of its memory; addr is where their data comes from or goes
// to here. A message carries as many of them as fit in, of the last one perhaps a part.
func (s *targetMemory) ask(addr uintptr, pieces []shm.Piece, write bool) error {
	q, t := s.q, &s.q.targets[s.rank]
	for len(pieces) > 0 {
		p, err := q.begin(s.rank)
		if err != nil {
			return err
		}
		table, data, room := p.Data(fast.PacketRoom), int64(0), int64(fast.PacketRoom)
		n := int64(0)
		for len(pieces) > 0 && room > fast.PacketPiece {
			k := min(int64(pieces[0].Size), room-fast.PacketPiece)
			at := table + uintptr(n*fast.PacketPiece)
			*shm.Word64(at), *shm.Word64(at + 8) = uint64(pieces[0].Addr), uint64(k)
			n, data, room = n+1, data+k, room-fast.PacketPiece-k
			pieces[0].Addr += uintptr(k)
			if pieces[0].Size -= uint64(k); pieces[0].Size == 0 {
				pieces = pieces[1:]
			}
		}
		kind, there := fast.PacketGather, table+uintptr(n*fast.PacketPiece)
		if write {
			kind = fast.PacketScatter
			shm.Copy(there, addr, data)
		}
		p.Type = uint32(n)
		q.Desc.Post(t, p, kind, 0, fast.PacketRoom-uint32(room))
		if !write {
			if err := q.await(s.rank, t.Sent); err != nil {
				return err
			}
			shm.Copy(addr, there, data)
		}
		addr += uintptr(data)
	}
	return nil
}
