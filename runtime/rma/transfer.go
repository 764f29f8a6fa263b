package rma

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// batch bounds what goes through private memory on its way to or from memory that is not mapped, in bytes.
const batch = 64 << 10

// Put writes the origin's data to the target's memory (MPI_Put, MPI 5.0, 12.3.1).
func (w *Window) Put(o datatype.Buffer, rank int, disp, count int64, t *datatype.Type) error {
	if rank == ProcNull {
		return nil
	}
	var s targetBuffer
	if err := w.locate(&s, rank, disp, count, t); err != nil {
		return err
	}
	n, room := o.Bytes(), s.buf.Bytes()
	if n > room {
		return unlike("origin", "target", n, room)
	}
	if s.mapped {
		datatype.Copy(s.buf, o)
		return s.moved(fast.PathMapped, n, nil)
	}
	return w.transferAway(s, fast.PacketPut, o, n)
}

// Get reads the target's memory into the origin's buffer (MPI_Get, MPI 5.0, 12.3.2).
func (w *Window) Get(o datatype.Buffer, rank int, disp, count int64, t *datatype.Type) error {
	if rank == ProcNull {
		return nil
	}
	var s targetBuffer
	if err := w.locate(&s, rank, disp, count, t); err != nil {
		return err
	}
	n, room := s.buf.Bytes(), o.Bytes()
	if n > room {
		return unlike("target", "origin", n, room)
	}
	if s.mapped {
		datatype.Copy(o, s.buf)
		return s.moved(fast.PathMapped, n, nil)
	}
	return w.transferAway(s, fast.PacketGet, o, n)
}

// transferAway is the put or get of n bytes of memory that is not mapped. It is given copies because its own
// go to the heap, and Put and Get of mapped memory are to allocate nothing.
func (w *Window) transferAway(s targetBuffer, kind uint32, o datatype.Buffer, n int64) error {
	r := request{targetBuffer: s, kind: kind, n: n}
	if r.put = kind == fast.PacketPut; r.put {
		r.data = &o
	} else {
		r.result = &o
	}
	if o.Contiguous() {
		r.transfer = n
	}
	return r.carryOut(true)
}

// copy is the put or get of memory that this rank reaches itself, or by asking the target for pieces.
func (r *request) copy() error {
	o := r.result
	if r.put {
		o = r.data
	}
	if o.Contiguous() {
		return r.move(0, o.Start(), r.n, r.put)
	}
	return r.transferBatches(o, r.n)
}

// transferBatches moves n bytes of a buffer with gaps, by private memory without any.
func (s *targetBuffer) transferBatches(o *datatype.Buffer, n int64) (err error) {
	chunk := s.q.space.engine.Scratch.Take(batch)
	defer s.q.space.engine.Scratch.Put(chunk)
	for at := int64(0); at < n && err == nil; at += batch {
		k := min(n-at, batch)
		if s.put {
			o.Pack(at, shm.Bytes(chunk.Address(), k))
		}
		if err = s.move(at, chunk.Address(), k, s.put); err == nil && !s.put {
			o.Unpack(at, shm.Bytes(chunk.Address(), k))
		}
	}
	return err
}

// read copies the bytes [at, at+n) of the memory's data to addr.
func (s *targetMemory) read(at int64, addr uintptr, n int64) error {
	if s.mapped {
		s.buf.Pack(at, shm.Bytes(addr, n))
		return nil
	}
	return s.move(at, addr, n, false)
}

// write copies n bytes at addr to the memory's data, from byte at on.
func (s *targetMemory) write(at int64, addr uintptr, n int64) error {
	if s.mapped {
		s.buf.Unpack(at, shm.Bytes(addr, n))
		return nil
	}
	return s.move(at, addr, n, true)
}

// list is memory at a target, in pieces. It comes from the pool Space.lists.
type list struct{ pieces []shm.Piece }

// move copies between local memory and that of another process.
func (s *targetMemory) move(at int64, addr uintptr, n int64, write bool) error {
	l := s.q.space.lists.Get().(*list)
	defer s.q.space.lists.Put(l)
	if l.pieces = l.pieces[:0]; s.buf.Contiguous() {
		l.pieces = append(l.pieces, shm.Piece{Addr: s.buf.Start() + uintptr(at), Size: uint64(n)})
		return s.carry(addr, n, l.pieces, write)
	}
	if !write {
		if done, err := s.sieve(at, addr, n, l); done || err != nil {
			return err
		}
	}
	begin, size := addr, int64(0)
	var err error
	s.buf.Type.Runs(at, n, func(off, k int64) bool {
		if len(l.pieces) == mostPieces {
			if err = s.carry(begin, size, l.pieces, write); err != nil {
				return false
			}
			begin, size, l.pieces = begin+uintptr(size), 0, l.pieces[:0]
		}
		l.pieces = append(l.pieces, shm.Piece{Addr: s.buf.Addr + uintptr(off), Size: uint64(k)})
		size += k
		return true
	})
	if err == nil && len(l.pieces) > 0 {
		err = s.carry(begin, size, l.pieces, write)
	}
	return err
}

// Reading many small pieces costs the kernel more than reading all between them as well, which is
// the window's too: where at least a part in sieveGaps of a stretch of at most sieveMost bytes is
// wanted, it is read whole.
const (
	sieveGaps = 16
	sieveMost = 1 << 20
	sieveRun  = 512 // bytes per piece from which on pieces are read by themselves
)

// sieve reads the bytes [at, at+n) of the data out of a copy of the stretch that holds them, if that pays.
func (s *targetMemory) sieve(at int64, addr uintptr, n int64, l *list) (done bool, err error) {
	size := s.buf.Type.Size()
	if size/s.buf.Type.RunCount() >= sieveRun {
		return false, nil
	}
	first := at / size
	part := s.buf.Slice(first, (at+n-1)/size+1-first)
	lo, span := part.Span()
	if span > sieveMost || span > sieveGaps*n {
		return false, nil
	}
	pool := &s.q.space.engine.Scratch
	chunk := pool.Take(span)
	defer pool.Put(chunk)
	l.pieces = append(l.pieces, shm.Piece{Addr: part.Addr + uintptr(lo), Size: uint64(span)})
	if err := s.carry(chunk.Address(), span, l.pieces, false); err != nil {
		return true, err
	}
	part.Addr = chunk.Address() - uintptr(lo)
	part.Pack(at-first*size, shm.Bytes(addr, n))
	return true, nil
}

// carry moves pieces of the target's memory by the kernel, or by asking the target.
func (s *targetMemory) carry(addr uintptr, n int64, pieces []shm.Piece, write bool) error {
	var err error
	switch {
	case s.peer.process == nil:
		return s.ask(addr, pieces, write)
	case write:
		err = s.peer.process.WritePieces(addr, pieces)
	default:
		err = s.peer.process.ReadPieces(addr, pieces)
	}
	if err != nil {
		return s.unreachable(n, err)
	}
	return nil
}

// written is the process of a rank by which the kernel copies from and to its memory; nil where it must not
// be written to.
func (s *Space) written(job int) *shm.Process {
	if p := s.engine.Reach(job); p != nil && p.Kept {
		return p
	}
	return nil
}

func (s *targetMemory) unreachable(n int64, err error) error {
	if shm.Gone(err) || s.q.space.engine.Perished(s.peer.job, err) {
		return s.q.space.engine.Lost(s.peer.job)
	}
	return mpierr.New(mpierr.ErrRMARange, "%d bytes of rank %d's window cannot be accessed: %v", n, s.rank, err)
}

// mostPieces is how many pieces are dealt with at once.
const mostPieces = 512
