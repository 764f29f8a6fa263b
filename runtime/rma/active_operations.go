package rma

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/shm"
)

// Operations by active messages. What fits into one message is carried out by package fast, in
// which a C stub may have begun it.

// one reports whether n bytes in a buffer make one message.
func one(o *datatype.Buffer, n int64) bool { return o.Contiguous() && n <= fast.PacketRoom }

// remote is where the memory begins in its owner's address space.
func (s *targetMemory) remote() uint64 { return uint64(s.buf.Start()) }

// transferActive is the put or get of n bytes.
func (s *targetBuffer) transferActive(o *datatype.Buffer, n int64) error {
	t, d := &s.q.targets[s.rank], s.q.Desc
	if one(o, n) {
		return s.q.finish(s.rank, func() fast.Reason {
			if s.put {
				return d.ActivePut(t, s.remote(), o.Start(), uint32(n))
			}
			return d.ActiveGet(t, s.remote(), o.Start(), uint32(n))
		})
	}
	kind, result := fast.PacketGet, o
	if s.put {
		kind, result = fast.PacketPut, nil
	}
	return s.q.exchange(s.rank, n, fast.PacketRoom, result, func(p *fast.Packet, at, k int64) {
		if s.put {
			o.PackTo(at, p.Data(uint32(k)), k)
		}
		d.Post(t, p, kind, s.remote()+uint64(at), uint32(k))
	})
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

// combineActive is the accumulate of n bytes.
func (j *job) combineActive(o, result *datatype.Buffer, n int64) error {
	t, d := &j.q.targets[j.rank], j.q.Desc
	step := j.step()
	handle, f := j.basic.Handle(), j.f.Handle()
	if noOp := f == fast.OpNoOp; n <= step && (noOp || o.Contiguous()) &&
		(result == nil || result.Contiguous()) {
		origin, before := uintptr(0), uintptr(0)
		if !noOp {
			origin = o.Start()
		}
		if result != nil {
			before = result.Start()
		}
		return j.q.finish(j.rank, func() fast.Reason {
			return d.ActiveCombine(t, j.remote(), handle, f, origin, before, uint32(n))
		})
	}
	kind := fast.PacketAccumulate
	if result != nil {
		kind = fast.PacketFetch
	}
	return j.q.exchange(j.rank, n, step, result, func(p *fast.Packet, at, k int64) {
		p.Type, p.Op = handle, f
		if f != fast.OpNoOp {
			o.PackTo(at, p.Data(uint32(k)), k)
		}
		d.Post(t, p, kind, j.remote()+uint64(at), uint32(k))
	})
}

// step is how many bytes of elements one message combines.
func (j *job) step() int64 { return fast.PacketRoom / j.basic.Size() * j.basic.Size() }

// swapActive is MPI_Compare_and_swap of elements of n bytes. At room stand the new element, the one
// to compare with, and then the old one.
func (s *targetMemory) swapActive(room uintptr, n int64) error {
	t, d := &s.q.targets[s.rank], s.q.Desc
	return s.q.finish(s.rank, func() fast.Reason {
		return d.ActiveSwap(t, s.remote(), room, room+casRoom, room+2*casRoom, uint32(n))
	})
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
