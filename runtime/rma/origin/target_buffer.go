package origin

import (
	"math/bits"

	"gompi/runtime/am"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
)

// targetMemory is memory of a target, as this rank reads and writes it.
type targetMemory struct {
	w    *Operations
	peer *am.Peer
	rank int
	// at the address where it is mapped here, or its own address in the target's memory
	buf    datatype.Buffer
	mapped bool
}

// targetBuffer is the memory at the target that an operation is about, and how the operation goes there.
type targetBuffer struct {
	targetMemory
	// only packets reach it: the address counts from the window's begin there, or is one of the target's own
	// in dynamic windows
	far     bool
	atomics bool // the memory is such as the processor's atomic instructions may change
	parted  bool // it reaches over several attached stretches, of which not all lie in one allocation
	alone   bool // nobody else may access the target now
	sending bool // this thread sends messages to near ranks

	transfer int64 // bytes of a put or get whose data has no gaps; 0 for anything else
	put      bool
	deferred bool // the target may carry it out when it ends the epoch
	measured measured
}

// choose finds the path of an operation to the target's memory, the first of those that are possible:
//
//	PathMapped   loads and stores
//	PathPackets  packets, to far ranks
//	PathActive   active messages, as long as the target comes for them and the kernel is not quicker, or
//	             where the target ends the epoch
//	PathHelper   active messages as well, where the kernel refuses to copy and C stubs could not send them
//	PathKernel   single copy. No message is under way then
//
// fits says that C stubs could send the operation, if its memory at the target has no gaps; later that it
// fits into one message and brings nothing back. leave ends what choose has begun.
func (s *targetBuffer) choose(fits, later bool) (path uint32, err error) {
	t := &s.w.Targets[s.rank]
	switch {
	case s.mapped:
		return fast.PathMapped, nil
	case s.far:
		return fast.PathPackets, nil
	case t.Ring == 0:
		return fast.PathKernel, nil
	}
	s.w.LockRings()
	s.sending = true
	fits = t.Owed != 0 || fits
	switch reached := s.peer.Process != nil; {
	case fits && (t.Owed != 0 || !reached || !s.byKernel() && (s.defers(later) || t.Tries())):
		return fast.PathActive, nil
	case !reached:
		return fast.PathHelper, nil
	}
	err = s.w.SettleRing(s.rank)
	s.leave()
	return fast.PathKernel, err
}

// defers reports whether the target may carry out the operation when it ends the epoch.
func (s *targetBuffer) defers(later bool) bool {
	s.deferred = later && s.w.Targets[s.rank].Defers()
	return s.deferred
}

// leave lets other threads of this rank send active messages.
func (s *targetBuffer) leave() {
	if s.sending {
		s.sending = false
		s.w.UnlockRings()
	}
}

// moved notes an operation on n bytes that has gone by a path, if it has not failed.
func (s *targetBuffer) moved(path uint32, n int64, err error) error {
	if err == nil && n != 0 {
		s.w.Desc.Count(path, uint64(n))
	}
	if err == nil && s.measured.choice != nil {
		return s.measure(path)
	}
	return err
}

// locate finds the memory that an operation names, and refuses what is not the window's (MPI_ERR_RMA_RANGE).
func (w *Operations) locate(s *targetBuffer, rank int, disp, count int64, t *datatype.Type) error {
	g, err := w.epochs.Open(rank)
	if err != nil {
		return err
	}
	s.w, s.peer, s.rank = w, &w.Peers[rank], rank
	s.buf, s.alone = datatype.Buffer{Count: count, Type: t}, g.Open == fast.OpenExclusive
	if count == 0 || t.Size() == 0 {
		s.mapped = true
		return nil
	}
	lo, n, ok := span(count, t)
	at, fits := scale(disp, g.Unit)
	if !ok || !fits {
		return outside(rank, disp, count, t, g)
	}
	first := at + lo
	if (lo > 0) != (first > at) && lo != 0 {
		return outside(rank, disp, count, t, g)
	}
	if w.dynamic {
		return w.locateAttached(s, uint64(at), uint64(first), uint64(n))
	}
	if first < 0 || uint64(first) > g.Size || uint64(n) > g.Size-uint64(first) {
		return outside(rank, disp, count, t, g)
	}
	if s.far = w.Away(rank); s.far {
		s.buf.Addr = uintptr(at)
		return nil
	}
	s.mapped, s.atomics = g.Base != 0, g.Atomic != 0
	if s.mapped {
		s.buf.Addr = g.Base + uintptr(at)
	} else {
		s.buf.Addr = s.peer.Addr + uintptr(at)
	}
	return nil
}

// locateAttached is locate in dynamic windows, whose displacements are addresses.
func (w *Operations) locateAttached(s *targetBuffer, at, first, n uint64) error {
	if w.Away(s.rank) {
		s.far, s.buf.Addr = true, uintptr(at)
		return w.Ask(s.rank, am.Check, first, n) // whether it is attached
	}
	a, parted, ok := w.attachments.LookUp(s.rank, first, n)
	if !ok {
		return mpierr.New(mpierr.ErrRMARange, "rank %d has no memory attached that holds the %d bytes at %#x", s.rank, n, first)
	}
	s.buf.Addr, s.parted = uintptr(at), parted
	switch {
	case parted:
		s.mapped = s.rank == w.Rank()
	case a.Allocated():
		base, err := w.attachments.Mapped(&a, first, n)
		if err != nil {
			return err
		}
		s.buf.Addr = base + uintptr(at-a.Start())
		s.mapped, s.atomics = true, true
	case s.rank == w.Rank():
		s.mapped = true
	}
	return nil
}

func outside(rank int, disp, count int64, t *datatype.Type, g *fast.Target) error {
	return mpierr.New(mpierr.ErrRMARange, "%d elements of %s at displacement %d leave the window of rank %d, which has %d bytes in units of %d",
		count, t.Name(), disp, rank, g.Size, g.Unit)
}

// scale is disp * unit; ok is false when that does not fit.
func scale(disp, unit int64) (at int64, ok bool) {
	if unit == 1 {
		return disp, true
	}
	hi, lo := bits.Mul64(uint64(max(disp, -disp)), uint64(unit))
	if hi != 0 || lo > 1<<62 || disp == -1<<63 {
		return 0, false
	}
	return disp * unit, true
}

// span is Buffer.Span of any number of elements; ok is false when it is larger than the address space.
func span(count int64, t *datatype.Type) (lo, n int64, ok bool) {
	extent := t.Extent()
	hi, gap := bits.Mul64(uint64(count-1), uint64(max(extent, -extent)))
	if hi != 0 || gap > 1<<61 || extent == -1<<63 {
		return 0, 0, false
	}
	lo, n = datatype.Buffer{Count: count, Type: t}.Span()
	return lo, n, n >= 0
}

// unlike refuses operations that would transfer more than the other side has room for.
func unlike(from, to string, n, room int64) error {
	return mpierr.New(mpierr.ErrTruncate, "%d bytes at the %s do not fit into %d bytes at the %s", n, from, room, to)
}
