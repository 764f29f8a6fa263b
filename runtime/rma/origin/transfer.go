package origin

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/shm"
)

// batch bounds what goes through private memory on its path to or from memory that is not mapped, in bytes.
const batch = 64 << 10

// Put writes the origin's data to the target's memory (MPI_Put, MPI 5.0, 12.3.1).
func (w *Operations) Put(o datatype.Buffer, rank int, disp, count int64, t *datatype.Type) error {
	return w.transfer(fast.PacketPut, o, rank, disp, count, t)
}

// Get reads the target's memory into the origin's buffer (MPI_Get, MPI 5.0, 12.3.2).
func (w *Operations) Get(o datatype.Buffer, rank int, disp, count int64, t *datatype.Type) error {
	return w.transfer(fast.PacketGet, o, rank, disp, count, t)
}

func (w *Operations) transfer(kind uint32, o datatype.Buffer, rank int, disp, count int64,
	t *datatype.Type) error {
	if rank == p2p.ProcNull {
		return nil
	}
	var s targetBuffer
	if err := w.locate(&s, rank, disp, count, t); err != nil {
		return err
	}
	from, to, names := s.buf, o, [...]string{"target", "origin"}
	if s.put = kind == fast.PacketPut; s.put {
		from, to, names = o, s.buf, [...]string{"origin", "target"}
	}
	n, room := from.Bytes(), to.Bytes()
	if n > room {
		return unlike(names[0], names[1], n, room)
	}
	if s.mapped {
		datatype.Copy(to, from)
		return s.moved(fast.PathMapped, n, nil)
	}
	return w.transferAway(s, kind, o, n)
}

// transferAway is the put or get of n bytes of memory that is not mapped. It is given copies because its own
// go to the heap, and Put and Get of mapped memory are to allocate nothing.
func (w *Operations) transferAway(s targetBuffer, kind uint32, o datatype.Buffer, n int64) error {
	r := request{targetBuffer: s, kind: kind, n: n}
	if s.put {
		r.data = &o
	} else {
		r.result = &o
	}
	if o.Contiguous() && s.buf.Contiguous() {
		r.transfer = n
	}
	return r.carryOut(true)
}

// copy is the put or get of memory that the kernel copies.
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
	chunk := s.w.Engine.Scratch.Take(batch)
	defer s.w.Engine.Scratch.Put(chunk)
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

// list is memory at a target, in pieces. It comes from the pool Shared.lists.
type list struct{ pieces []shm.Piece }

// eachRuns calls f for the runs of the bytes [at, at+n) of the memory's data, mostPieces at a time, which
// make size bytes.
func (s *targetMemory) eachRuns(at, n int64, f func(runs []shm.Piece, size int64) error) (err error) {
	l := s.w.shared.lists.Get().(*list)
	defer s.w.shared.lists.Put(l)
	runs, size := l.pieces[:0], int64(0)
	s.buf.Type.Runs(at, n, func(off, k int64) bool {
		runs = append(runs, shm.Piece{Addr: s.buf.Addr + uintptr(off), Size: uint64(k)})
		if size += k; len(runs) == mostPieces {
			err = f(runs, size)
			runs, size = runs[:0], 0
		}
		return err == nil
	})
	if err == nil && size > 0 {
		err = f(runs, size)
	}
	return err
}

// move copies between local memory and that of another process.
func (s *targetMemory) move(at int64, addr uintptr, n int64, write bool) error {
	if s.buf.Contiguous() {
		return s.carry(addr, n, []shm.Piece{{Addr: s.buf.Start() + uintptr(at), Size: uint64(n)}}, write)
	}
	if !write {
		if done, err := s.sieve(at, addr, n); done || err != nil {
			return err
		}
	}
	return s.eachRuns(at, n, func(runs []shm.Piece, size int64) error {
		err := s.carry(addr, size, runs, write)
		addr += uintptr(size)
		return err
	})
}

// longRun is how many bytes the runs of memory with gaps have on average that the kernel moves by themselves:
// each costs it as much as many bytes do. Shorter ones go by messages where the target comes for them.
const longRun = 512

// Reading many small pieces costs the kernel more than reading all between them as well, which is
// the window's too: where at least a part in sieveGaps of a stretch of at most sieveMost bytes is
// wanted, it is read whole.
const (
	sieveGaps = 16
	sieveMost = 1 << 20
)

// sieve reads the bytes [at, at+n) of the data out of a copy of the stretch that holds them, if that pays.
func (s *targetMemory) sieve(at int64, addr uintptr, n int64) (done bool, err error) {
	size := s.buf.Type.Size()
	if size/s.buf.Type.RunCount() >= longRun {
		return false, nil
	}
	first := at / size
	part := s.buf.Slice(first, (at+n-1)/size+1-first)
	lo, span := part.Span()
	if span > sieveMost || span > sieveGaps*n {
		return false, nil
	}
	pool := &s.w.Engine.Scratch
	chunk := pool.Take(span)
	defer pool.Put(chunk)
	whole := []shm.Piece{{Addr: part.Addr + uintptr(lo), Size: uint64(span)}}
	if err := s.carry(chunk.Address(), span, whole, false); err != nil {
		return true, err
	}
	part.Addr = chunk.Address() - uintptr(lo)
	part.Pack(at-first*size, shm.Bytes(addr, n))
	return true, nil
}

// carry moves pieces of the target's memory by the kernel.
func (s *targetMemory) carry(addr uintptr, n int64, pieces []shm.Piece, write bool) error {
	var err error
	if write {
		err = s.peer.Process.WritePieces(addr, pieces)
	} else {
		err = s.peer.Process.ReadPieces(addr, pieces)
	}
	if err != nil {
		return s.unreachable(n, err)
	}
	return nil
}

func (s *targetMemory) unreachable(n int64, err error) error {
	if shm.Gone(err) || s.w.Engine.Perished(s.peer.Job, err) {
		return s.w.Engine.Lost(s.peer.Job)
	}
	return mpierr.New(mpierr.ErrRMARange, "%d bytes of rank %d's window cannot be accessed: %v", n, s.rank, err)
}

// mostPieces is how many pieces are dealt with at once.
const mostPieces = 512
