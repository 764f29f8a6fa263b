//fast:go

package fast

import (
	"unsafe"

	"gompi/shm"
)

// The tree over the largest number of ranks has no more levels than there is room for.
var _ = [1]struct{}{}[shm.CollRanks>>combineLevels]

// The cells of shm/layout.go are those of this package.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(Cell{})-shm.CellSize]
	_ = [1]struct{}{}[unsafe.Offsetof(Cell{}.Length)-shm.CellLength]
	_ = [1]struct{}{}[unsafe.Offsetof(Cell{}.Data)-shm.CellData]
	_ = [1]struct{}{}[unsafe.Sizeof(NbcCell{})-shm.NbcCellData]
)

// at turns an address outside Go's heap into a pointer.
func at(addr uintptr) unsafe.Pointer { return unsafe.Pointer(shm.Word64(addr)) }

// A description of a segment begins with its header; the peers follow.
const segmentHeader = max(unsafe.Sizeof(CollSegment{}), unsafe.Sizeof(NbcSegment{}))

// Segments are descriptions of the segments of communicators, by number.
type Segments struct{ base, stride uintptr }

// NewSegments makes room for the descriptions of the segments of count communicators of at most ranks ranks.
// It stays for the life of the process and costs no memory before it is used.
func NewSegments(count, ranks int) (*Segments, error) {
	stride := (segmentHeader + uintptr(ranks)*unsafe.Sizeof(CollPeer{}) +
		shm.FalseShare - 1) &^ (shm.FalseShare - 1)
	mem, err := shm.Private(uintptr(count) * stride)
	if err != nil {
		return nil, err
	}
	return &Segments{mem, stride}, nil
}

// peers is where the peers of description number i stand.
func (ss *Segments) peers(i int) (mem uintptr, peers *CollPeer) {
	mem = ss.base + uintptr(i)*ss.stride
	return mem, (*CollPeer)(at(mem + segmentHeader))
}

// Coll makes description number i that of coll segments of n ranks, of which this one is me. Whatever it was
// before is forgotten.
func (ss *Segments) Coll(i, me, n int) *CollSegment {
	mem, peers := ss.peers(i)
	s := (*CollSegment)(at(mem))
	*s = CollSegment{Me: uint32(me), N: uint32(n), Peers: peers}
	return s
}

// Nbc makes description number i, of those that are kept for them, that of the segments for nonblocking
// operations.
func (ss *Segments) Nbc(i, me, n int) *NbcSegment {
	mem, peers := ss.peers(i)
	s := (*NbcSegment)(at(mem))
	*s = NbcSegment{Me: uint32(me), N: uint32(n), Peers: peers}
	s.Ring = CellRing{Segment: s, Cells: shm.NbcCellCount, Done: shm.NbcDone, At: shm.NbcCells}
	return s
}
