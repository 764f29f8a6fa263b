package check

import (
	"cmp"
	"hash/maphash"
	"os"
	"slices"

	"gompi/runtime/datatype"
	"gompi/shm"
)

// Memory is the bytes that buffers consist of, gaps left out.
type Memory struct {
	runs   []run // in order of their addresses; none where there is no data or it is too scattered
	twice  bool  // some bytes belong to two elements
	lo, hi uintptr
}

// run is the memory [lo, hi).
type run struct{ lo, hi uintptr }

// mostRuns bounds what is kept of a buffer. Of buffers that are more scattered nothing is checked.
const mostRuns = 1 << 16

// MemoryOf is the memory of buffers that one parameter describes.
func MemoryOf(buffers ...datatype.Buffer) (m Memory) {
	for _, b := range buffers {
		if n := b.Bytes(); n > 0 && !m.add(b, n) {
			return Memory{}
		}
	}
	if len(m.runs) == 0 {
		return m
	}
	byAddress := func(x, y run) int { return cmp.Compare(x.lo, y.lo) }
	if !slices.IsSortedFunc(m.runs, byAddress) {
		slices.SortFunc(m.runs, byAddress)
	}
	m.lo, m.hi = m.runs[0].lo, m.runs[0].hi
	for _, r := range m.runs[1:] {
		m.twice = m.twice || r.lo < m.hi
		m.hi = max(m.hi, r.hi)
	}
	return m
}

// add adds the n bytes of a buffer; false when there are too many runs.
func (m *Memory) add(b datatype.Buffer, n int64) bool {
	if b.Contiguous() {
		m.runs = append(m.runs, run{b.Start(), b.Start() + uintptr(n)})
		return len(m.runs) <= mostRuns
	}
	b.Type.Runs(0, n, func(off, size int64) bool {
		lo := b.Addr + uintptr(off)
		m.runs = append(m.runs, run{lo, lo + uintptr(size)})
		return len(m.runs) <= mostRuns
	})
	return len(m.runs) <= mostRuns
}

// Empty reports whether there is nothing to check.
func (m *Memory) Empty() bool { return len(m.runs) == 0 }

// stretches is what has all of the memory: its runs or, where they are many, all between the first and the
// last.
func (m *Memory) stretches() []run {
	if len(m.runs) <= mostApart {
		return m.runs
	}
	return []run{{m.lo, m.hi}}
}

// Pages is the whole pages of memory without gaps; ok is false where there are none.
func (m *Memory) Pages() (lo, hi uintptr, ok bool) {
	if len(m.runs) != 1 {
		return 0, 0, false
	}
	size := uintptr(os.Getpagesize())
	lo, hi = (m.lo+size-1)&^(size-1), m.hi&^(size-1)
	return lo, hi, lo < hi
}

// Twice reports whether some bytes belong to two elements.
func (m *Memory) Twice() bool { return m.twice }

// Overlaps reports whether both have bytes in common.
func (m *Memory) Overlaps(o *Memory) bool {
	if m.hi <= o.lo || o.hi <= m.lo {
		return false
	}
	for i, j := 0, 0; i < len(m.runs) && j < len(o.runs); {
		x, y := m.runs[i], o.runs[j]
		switch {
		case x.hi <= y.lo:
			i++
		case y.hi <= x.lo:
			j++
		default:
			return true
		}
	}
	return false
}

// sum is a checksum of the content; ok is false where some of it cannot be read. A receive may be for more
// than there is.
func (m *Memory) sum(seed maphash.Seed) (sum uint64, ok bool) {
	defer func() {
		if p := recover(); p != nil {
			if _, fault := p.(interface{ Addr() uintptr }); !fault {
				panic(p)
			}
		}
	}()
	var h maphash.Hash
	h.SetSeed(seed)
	for _, r := range m.runs {
		h.Write(shm.Bytes(r.lo, int64(r.hi-r.lo)))
	}
	return h.Sum64(), true
}
