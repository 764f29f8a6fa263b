package shm

import (
	"sync"
	"sync/atomic"
)

// Allocations that have been given back are used again, and so are the mappings that a process has had
// of them: making and ending windows would otherwise be a matter of the kernel's. What is given back stands
// in words of the job's header, so that any rank may take it.

const (
	freedWords = 16                // allocations that are kept, and mappings of one process
	freedLarge = 4                 // of these, so many may be larger than freedSmall
	freedSmall = 1 << 20           // bytes
	freedMost  = 8 << 20           // bytes of an allocation that is kept
	freedPages = 1<<freedShift - 1 // the lower bits of a word: pages. The upper ones: pages ahead of it
	freedShift = 16
)

// freedPlaces is how many of the words are for allocations of n bytes, the last ones of all.
func freedPlaces(n int64) uintptr {
	if n > freedSmall {
		return freedLarge
	}
	return freedWords
}

// freedWord is word i of those, from the last one on.
func freedWord(s *Segment, i uintptr) *uint64 { return Word64(s.Base + HdrFreed + 8*(freedWords-1-i)) }

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

// Recycle is Discard for an allocation that this process has mapped at base, and nobody uses any more. Its
// bytes from the first of two distances to the second are zero.
func (s *Segment) Recycle(base uintptr, off, n int64, zeros [2]int64) {
	if n <= freedMost {
		clear(Bytes(base, zeros[0])) // as a new one is
		clear(Bytes(base+uintptr(zeros[1]), n-zeros[1]))
		word := uint64(off/PageSize)<<freedShift | uint64(n/PageSize)
		for i := range freedPlaces(n) {
			if atomic.CompareAndSwapUint64(freedWord(s, i), 0, word) {
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
	for i := range freedPlaces(n) {
		p := freedWord(s, i)
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
