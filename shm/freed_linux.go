package shm

import (
	"sync"
	"sync/atomic"
)

// Small allocations that have been given back are used again, and so are the mappings that a process has had
// of them: making and ending windows would otherwise be a matter of the kernel's. What is given back stands
// in words of the job's header, so that any rank may take it.

const (
	freedWords = 16            // allocations that are kept, and mappings of one process
	freedMost  = 16 * PageSize // bytes of an allocation that is kept
	freedPages = 255           // the lower bits of a word: pages. The upper ones: pages ahead of it
	freedShift = 8
)

// mappings are what a process has mapped of allocations that it does not use.
type mappings struct {
	mu   sync.Mutex
	kept [freedWords]mapped
	next int // place of the one that goes when another one comes
}

type mapped struct {
	off, n int64
	base   uintptr
}

// Recycle is Discard for an allocation that this process has mapped at base, and nobody uses any more.
func (s *Segment) Recycle(base uintptr, off, n int64) {
	if n <= freedMost {
		clear(Bytes(base, n)) // as a new one is
		word := uint64(off/PageSize)<<freedShift | uint64(n/PageSize)
		for i := range uintptr(freedWords) {
			if atomic.CompareAndSwapUint64(Word64(s.Base+HdrFreed+8*i), 0, word) {
				return
			}
		}
	}
	s.Discard(off, n)
}

// recycled is where an allocation of n bytes begins that has been given back; 0 when there is none.
func (s *Segment) recycled(n int64) int64 {
	if n > freedMost {
		return 0
	}
	for i := range uintptr(freedWords) {
		p := Word64(s.Base + HdrFreed + 8*i)
		word := atomic.LoadUint64(p)
		if word&freedPages == uint64(n/PageSize) && atomic.CompareAndSwapUint64(p, word, 0) {
			return int64(word>>freedShift) * PageSize
		}
	}
	return 0
}

// Part is Unmap for an allocation that may be used again.
func (s *Segment) Part(base uintptr, off, n int64) {
	if n > freedMost {
		s.Unmap(base, n)
		return
	}
	m := &s.mappings
	m.mu.Lock()
	old := m.kept[m.next]
	m.kept[m.next] = mapped{off, n, base}
	m.next = (m.next + 1) % freedWords
	m.mu.Unlock()
	if old.n > 0 {
		s.Unmap(old.base, old.n)
	}
}

// parted is where an allocation is mapped that this process has had before; 0 when it is not.
func (m *mappings) parted(off, n int64) uintptr {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, k := range m.kept {
		if k.off == off && k.n == n {
			m.kept[i] = mapped{}
			return k.base
		}
	}
	return 0
}
