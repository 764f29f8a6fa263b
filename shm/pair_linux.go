package shm

import (
	"sync"

	"golang.org/x/sys/unix"
)

// A ring has a fixed offset in the file, and only its two ranks map it, when the first packet goes: ranks
// that never talk to each other take neither memory nor addresses for it.

// parts is what this process has mapped of a segment beside its beginning: pair blocks and coll blocks.
type parts struct {
	mu         sync.Mutex
	pairs      map[uintptr]uintptr // where each is mapped, by offset in the file
	collBlocks map[uintptr]int64   // size of each, by where it is mapped
}

// Pair maps the block of the ring from sender to receiver, node ranks of a segment for n ranks, and returns
// where. A forked child does not have it.
func (s *Segment) Pair(n, receiver, sender int) (uintptr, error) {
	s.parts.mu.Lock()
	defer s.parts.mu.Unlock()
	off := PairOffset(n, receiver, sender)
	if base := s.parts.pairs[off]; base != 0 {
		return base, nil
	}
	base, err := s.Map(int64(off), PairStride)
	if err != nil {
		return 0, err
	}
	unix.Syscall(unix.SYS_MADVISE, base, PairStride, unix.MADV_DONTFORK)
	if s.parts.pairs == nil {
		s.parts.pairs = map[uintptr]uintptr{}
	}
	s.parts.pairs[off] = base
	return base, nil
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
		if _, err := s.Pair(n, me, other); err != nil {
			return err
		}
		if _, err := s.Pair(n, other, me); err != nil {
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
	for _, base := range p.pairs {
		Unmap(base, PairStride)
	}
	for base, size := range p.collBlocks {
		Unmap(base, size)
	}
	p.pairs, p.collBlocks = nil, nil
}
