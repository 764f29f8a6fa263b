package alloc

import (
	"slices"
	"sync"

	"gompi/runtime/mpierr"
	"gompi/shm"
)

// Space is the memory of a process in shared allocations. Several threads may use it.
type Space struct {
	segment *shm.Segment

	mu      sync.Mutex
	regions []Region           // memory of this process in allocations, by address
	mapped  map[int64]*mapping // allocations of other ranks that are mapped here, by offset
	heap    heap
}

// New makes the space of a process.
func New(s *shm.Segment) *Space { return &Space{segment: s, mapped: map[int64]*mapping{}} }

// Insert makes a region known.
func (s *Space) Insert(r Region) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.insert(r)
}

// Remove makes a region unknown again.
func (s *Space) Remove(base uintptr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(base)
}

// Region is memory of this process in a shared allocation: Size bytes at Base are those at Off of the file.
type Region struct {
	Base uintptr
	Size int64
	Off  int64
}

// holds reports whether the n bytes at addr lie in the region.
func (r *Region) holds(addr uintptr, n int64) bool {
	return addr >= r.Base && addr-r.Base <= uintptr(r.Size) && n <= r.Size-int64(addr-r.Base)
}

// mapping is an allocation of another rank that is mapped here for some windows.
type mapping struct {
	base  uintptr
	size  int64
	users int
}

// insert is Insert with the lock held.
func (s *Space) insert(r Region) {
	i, _ := slices.BinarySearchFunc(s.regions, r.Base, byBase)
	s.regions = slices.Insert(s.regions, i, r)
}

// remove is Remove with the lock held.
func (s *Space) remove(base uintptr) {
	if i, ok := slices.BinarySearchFunc(s.regions, base, byBase); ok {
		s.regions = slices.Delete(s.regions, i, i+1)
	}
}

func byBase(r Region, base uintptr) int {
	switch {
	case r.Base < base:
		return -1
	case r.Base > base:
		return 1
	}
	return 0
}

// Find is the region that holds all of the n bytes at addr; ok is false when there is none.
func (s *Space) Find(addr uintptr, n int64) (r Region, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, exact := slices.BinarySearchFunc(s.regions, addr, byBase)
	if !exact {
		i--
	}
	if i < 0 || !s.regions[i].holds(addr, n) {
		return Region{}, false
	}
	return s.regions[i], true
}

// Reserve makes an allocation and maps it.
func (s *Space) Reserve(n int64) (Region, error) {
	off, size, err := s.segment.Reserve(n)
	if err != nil {
		return Region{}, mpierr.Memory(err)
	}
	base, err := s.segment.Map(off, size)
	if err != nil {
		s.segment.Discard(off, size)
		return Region{}, mpierr.Memory(err)
	}
	return Region{base, size, off}, nil
}

// Attach maps the allocation of another rank, or finds where it is mapped already. Detach gives it back.
func (s *Space) Attach(off, size int64) (uintptr, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.mapped[off]
	if p == nil {
		base, err := s.segment.Map(off, size)
		if err != nil {
			return 0, mpierr.Memory(err)
		}
		p = &mapping{base: base, size: size}
		s.mapped[off] = p
	}
	p.users++
	return p.base, nil
}

// Detach gives it back.
func (s *Space) Detach(off int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.mapped[off]; p != nil {
		if p.users--; p.users == 0 {
			s.segment.Unmap(p.base, p.size)
			delete(s.mapped, off)
		}
	}
}
