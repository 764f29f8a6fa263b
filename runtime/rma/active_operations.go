package rma

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/shm"
)

// Operations by active messages. Each of the following carries one out, if messages are the way;
// done is false otherwise, and nothing is under way at the target. What fits into one message is
// carried out by package fast, in which a C stub may have begun it.

// one reports whether n bytes in a buffer make one message.
func one(o *datatype.Buffer, n int64) bool { return o.Contiguous() && n <= fast.PacketRoom }

// remote is where the memory of a spot begins in its owner's address space.
func (s *spot) remote() uint64 { return uint64(s.buf.Start()) }

// putActive is Put of n bytes.
func (s *spot) putActive(o *datatype.Buffer, n int64) (done bool, err error) {
	t, d := &s.w.targets[s.rank], s.w.Desc
	if t.Ring == 0 {
		return false, nil
	}
	s.w.beginActive()
	defer s.w.endActive()
	if done, err = s.active(n <= fast.PacketRoom); !done {
		return false, err
	}
	if one(o, n) {
		return true, s.w.finish(s.rank, func() fast.Reason {
			return d.ActivePut(t, s.remote(), o.Start(),
				uint32(n))
		})
	}
	for at := int64(0); at < n; {
		p, err := s.w.begin(s.rank)
		if err != nil {
			return true, err
		}
		k := min(n-at, fast.PacketRoom)
		pack(p.Data(uint32(k)), o, at, k)
		d.Post(t, p, fast.PacketPut, s.remote()+uint64(at), uint32(k))
		at += k
	}
	d.Count(fast.PathActive, uint64(n))
	return true, nil
}

// pack puts n bytes of the data, from byte at on, into a packet. A rank that has read them there
// last has their lines in its cache, and shm.Copy takes those over without reading them.
func pack(to uintptr, o *datatype.Buffer, at, n int64) {
	if o.Contiguous() {
		shm.Copy(to, o.Start()+uintptr(at), n)
	} else {
		o.Pack(at, shm.Bytes(to, n))
	}
}

// getActive is Get of n bytes.
func (s *spot) getActive(o *datatype.Buffer, n int64) (done bool, err error) {
	t, d := &s.w.targets[s.rank], s.w.Desc
	if t.Ring == 0 {
		return false, nil
	}
	s.w.beginActive()
	defer s.w.endActive()
	if done, err = s.active(false); !done {
		return false, err
	}
	if one(o, n) {
		return true, s.w.finish(s.rank, func() fast.Reason {
			return d.ActiveGet(t, s.remote(), o.Start(),
				uint32(n))
		})
	}
	err = s.w.exchange(s.rank, n, fast.PacketRoom, o, func(p *fast.Packet, at, k int64) {
		d.Post(t, p, fast.PacketGet, s.remote()+uint64(at), uint32(k))
	})
	return true, err
}

// exchange posts the messages of an operation on n bytes, of at most step each, and unpacks their
// answers into result, if there is one. It has as many messages under way at once as there is room
// for.
func (w *Window) exchange(rank int, n, step int64, result *datatype.Buffer,
	post func(p *fast.Packet, at, k int64)) error {
	t, d := &w.targets[rank], w.Desc
	first, sent := t.Sent+1, int64(0)
	for at := int64(0); at < n; first++ {
		for sent < n && (sent == at || t.Sent-t.Done < fast.RingPackets) {
			p, err := w.begin(rank)
			if err != nil {
				return err
			}
			k := min(n-sent, step)
			post(p, sent, k)
			sent += k
		}
		k := min(n-at, step)
		if result != nil {
			if err := w.await(rank, first); err != nil {
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
func (j *job) combineActive(o, result *datatype.Buffer, n int64) (done bool, err error) {
	t, d := &j.w.targets[j.rank], j.w.Desc
	if j.mapped || t.Ring == 0 {
		return false, nil
	}
	j.w.beginActive()
	defer j.w.endActive()
	size := j.basic.Size()
	if size != j.basic.Extent() || !j.basic.Predefined() {
		return false, j.w.settleTarget(j.rank)
	}
	step := fast.PacketRoom / size * size
	if done, err = j.active(result == nil && n <= step); !done {
		return false, err
	}
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
		return true, j.w.finish(j.rank, func() fast.Reason {
			return d.ActiveCombine(t, j.remote(), handle, f, origin, before, uint32(n))
		})
	}
	kind := fast.PacketAccumulate
	if result != nil {
		kind = fast.PacketFetch
	}
	err = j.w.exchange(j.rank, n, step, result, func(p *fast.Packet, at, k int64) {
		p.Type, p.Op = handle, f
		if f != fast.OpNoOp {
			pack(p.Data(uint32(k)), o, at, k)
		}
		d.Post(t, p, kind, j.remote()+uint64(at), uint32(k))
	})
	return true, err
}

// swapActive is MPI_Compare_and_swap of elements of n bytes. At room stand the new element, the one
// to compare with, and then the old one.
func (s *spot) swapActive(room uintptr, n int64) (done bool, err error) {
	t, d := &s.w.targets[s.rank], s.w.Desc
	if s.mapped || t.Ring == 0 {
		return false, nil
	}
	s.w.beginActive()
	defer s.w.endActive()
	if n > fast.PacketSmall/2 {
		return false, s.w.settleTarget(s.rank)
	}
	if done, err = s.active(false); !done {
		return false, err
	}
	return true, s.w.finish(s.rank, func() fast.Reason {
		return d.ActiveSwap(t, s.remote(), room, room+casRoom, room+2*casRoom, uint32(n))
	})
}
