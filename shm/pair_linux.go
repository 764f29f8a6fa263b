package shm

import (
	"sync"

	"golang.org/x/sys/unix"
)

// A ring has a fixed offset in the file, and only its two ranks map it, when the first packet goes: ranks
// that never talk to each other take neither memory nor addresses for it.

// parts is what this process has mapped of a segment beside its beginning: pair blocks, with an area behind
// each unless addresses are limited, areas, coll blocks, and the chunk areas.
type parts struct {
	mu         sync.Mutex
	pairs      map[uintptr]uintptr // where each is mapped, by offset in the file
	areas      map[uintptr]uintptr // likewise
	collBlocks map[uintptr]int64   // size of each, by where it is mapped; and of the chunk areas
}

// Pair maps the block of the ring from sender to receiver, node ranks of a segment for n ranks, and returns
// where. The sender's area follows right behind it; where addresses are limited there is none. A forked child
// has neither.
func (s *Segment) Pair(n, receiver, sender int) (base uintptr, area bool, err error) {
	s.parts.mu.Lock()
	defer s.parts.mu.Unlock()
	off := PairOffset(n, receiver, sender)
	area = !addressesLimited()
	if base := s.parts.pairs[off]; base != 0 {
		return base, area, nil
	}
	if base, err = s.mapPair(off, AreaOffset(n, sender), area); err != nil {
		return 0, false, err
	}
	if s.parts.pairs == nil {
		s.parts.pairs = map[uintptr]uintptr{}
	}
	s.parts.pairs[off] = base
	return base, area, nil
}

// mapUnforked is Map of what a forked child does not have.
func (s *Segment) mapUnforked(off uintptr, n int64) (uintptr, error) {
	base, err := s.Map(int64(off), n)
	if err == nil {
		unix.Syscall(unix.SYS_MADVISE, base, uintptr(n), unix.MADV_DONTFORK)
	}
	return base, err
}

// mapPair maps a pair block and, if wanted, an area behind it.
func (s *Segment) mapPair(off, areaOff uintptr, area bool) (uintptr, error) {
	if !area {
		return s.mapUnforked(off, PairStride)
	}
	const size = PairStride + AreaStride
	base, err := s.Map(int64(off), size) // of what follows the block in the file nothing stays
	if err != nil {
		return 0, err
	}
	_, _, errno := unix.Syscall6(unix.SYS_MMAP, base+PairStride, AreaStride, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_SHARED|unix.MAP_NORESERVE|unix.MAP_FIXED, uintptr(s.fd), areaOff)
	if errno != 0 {
		Unmap(base, size)
		return 0, &NoMemory{"mapping shared memory", AreaStride, errno}
	}
	unix.Syscall(unix.SYS_MADVISE, base, size, unix.MADV_DONTFORK)
	return base, nil
}

// Area maps the area of node rank r of a segment for n ranks, and returns where; 0 where addresses are
// limited, or there are none. A forked child does not have it.
func (s *Segment) Area(n, r int) uintptr {
	if addressesLimited() {
		return 0
	}
	s.parts.mu.Lock()
	defer s.parts.mu.Unlock()
	off := AreaOffset(n, r)
	if base := s.parts.areas[off]; base != 0 {
		return base
	}
	base, err := s.mapUnforked(off, AreaStride)
	if err != nil {
		return 0
	}
	if s.parts.areas == nil {
		s.parts.areas = map[uintptr]uintptr{}
	}
	s.parts.areas[off] = base
	return base
}

// MapPairs maps the rings between member me of n and all others where addresses are limited (ulimit -v), so
// that a lack of them is found out at the start and not by the first message.
func (s *Segment) MapPairs(n, me int) error {
	if !addressesLimited() {
		return nil
	}
	for other := range n {
		if other == me {
			continue
		}
		if _, _, err := s.Pair(n, me, other); err != nil {
			return err
		}
		if _, _, err := s.Pair(n, other, me); err != nil {
			return err
		}
	}
	return nil
}

func (p *parts) addCollBlock(base uintptr, size int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.collBlocks == nil {
		p.collBlocks = map[uintptr]int64{}
	}
	p.collBlocks[base] = size
}

func (p *parts) dropCollBlock(base uintptr) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.collBlocks, base)
}

// unmap gives all addresses back.
func (p *parts) unmap() {
	p.mu.Lock()
	defer p.mu.Unlock()
	size := int64(PairStride + AreaStride)
	if addressesLimited() {
		size = PairStride
	}
	for _, base := range p.pairs {
		Unmap(base, size)
	}
	for _, base := range p.areas {
		Unmap(base, AreaStride)
	}
	for base, size := range p.collBlocks {
		Unmap(base, size)
	}
	p.pairs, p.areas, p.collBlocks = nil, nil, nil
}
