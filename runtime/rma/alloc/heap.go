package alloc

import (
	"math"
	"math/bits"
	"slices"

	"gompi/runtime/mpierr"
	"gompi/shm"
)

// Memory for MPI_Alloc_mem. Small blocks come in powers of two, cut from arenas; large ones have a shared
// allocation of their own. Some allocations stay when their blocks are freed, for the next large blocks.
const (
	smallestBlock = 6              // binary logarithm of the size in bytes: a cache line
	largestBlock  = 17             // larger ones have an allocation each
	arenaSize     = int64(8) << 20 // costs memory only where it is touched

	mostKept      = 8               // allocations that stay
	mostKeptBytes = int64(32) << 20 // of these together
)

// heap is the blocks of a process.
type heap struct {
	free  [largestBlock + 1][]uintptr // blocks that nobody uses, by binary logarithm of their size
	arena Region                      // the one that blocks are cut from
	used  int64                       // bytes of it that are cut off
	live  map[uintptr]block           // by address
	kept  []Region                    // allocations without a block, the oldest first
}

// block is memory that the program has.
type block struct {
	class uint8  // 0: an allocation of its own
	whole Region // the allocation
}

// Alloc is n bytes that all ranks of the node could map (MPI_Alloc_mem, MPI 5.0, 9.2), aligned to a
// power of two; align 0 stands for that of a cache line, or of a page for large blocks.
func (s *Space) Alloc(n, align int64) (uintptr, error) {
	if n < 0 {
		return 0, mpierr.New(mpierr.ErrArg, "size is %d, must not be negative", n)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := &s.heap
	if h.live == nil {
		h.live = map[uintptr]block{}
	}
	if n > 1<<largestBlock || align > shm.PageSize {
		return s.allocLarge(n, align)
	}
	class := max(bits.Len64(uint64(max(n, align, 1)-1)), smallestBlock)
	if free := h.free[class]; len(free) > 0 {
		addr := free[len(free)-1]
		h.free[class] = free[:len(free)-1]
		h.live[addr] = block{class: uint8(class)}
		return addr, nil
	}
	// Blocks that are at least a page large begin at one.
	size := int64(1) << class
	at := (h.used + min(size, shm.PageSize) - 1) &^ (min(size, shm.PageSize) - 1)
	if at+size > h.arena.Size {
		arena, err := s.Reserve(arenaSize)
		if err != nil {
			return 0, err
		}
		s.insert(arena)
		h.arena, at = arena, 0
	}
	h.used = at + size
	addr := h.arena.Base + uintptr(at)
	h.live[addr] = block{class: uint8(class)}
	return addr, nil
}

func (s *Space) allocLarge(n, align int64) (uintptr, error) {
	extra := max(align-shm.PageSize, 0)
	if n > math.MaxInt64-extra {
		return 0, mpierr.New(mpierr.ErrNoMem, "%d bytes aligned to %d", n, align)
	}
	r, ok := s.heap.takeKept(n + extra)
	if !ok {
		var err error
		if r, err = s.Reserve(n + extra); err != nil {
			return 0, err
		}
	}
	s.insert(r)
	addr := r.Base
	if align > shm.PageSize {
		addr = (addr + uintptr(align) - 1) &^ (uintptr(align) - 1)
	}
	s.heap.live[addr] = block{whole: r}
	return addr, nil
}

// Release gives back what Alloc gave (MPI_Free_mem, MPI 5.0, 9.2).
func (s *Space) Release(addr uintptr) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.heap.live[addr]
	if !ok {
		return mpierr.New(mpierr.ErrBase, "base is %#x, which is no memory of MPI_Alloc_mem, or has been freed", addr)
	}
	delete(s.heap.live, addr)
	if b.class > 0 {
		s.heap.free[b.class] = append(s.heap.free[b.class], addr)
		return nil
	}
	s.remove(b.whole.Base)
	s.keep(b.whole)
	return nil
}

// takeKept takes an allocation for n bytes, of which not more than half would be left over.
func (h *heap) takeKept(n int64) (r Region, ok bool) {
	for i, r := range h.kept {
		if n <= r.Size && r.Size/2 <= n {
			h.kept = slices.Delete(h.kept, i, i+1)
			return r, true
		}
	}
	return Region{}, false
}

// keep keeps an allocation, and gives back the oldest ones where that are too many.
func (s *Space) keep(r Region) {
	h := &s.heap
	h.kept = append(h.kept, r)
	bytes := int64(0)
	for _, k := range h.kept {
		bytes += k.Size
	}
	for bytes > mostKeptBytes || len(h.kept) > mostKept {
		old := h.kept[0]
		h.kept = slices.Delete(h.kept, 0, 1)
		bytes -= old.Size
		s.segment.Unmap(old.Base, old.Size)
		s.segment.Discard(old.Off, old.Size)
	}
}
