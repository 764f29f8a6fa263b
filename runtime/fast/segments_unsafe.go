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
)

// at turns an address outside Go's heap into a pointer.
func at(addr uintptr) unsafe.Pointer { return unsafe.Pointer(shm.Word64(addr)) }

// A description of a ring begins with these; the peers follow.
const (
	ringHeader  = unsafe.Sizeof(CellRing{})
	ringsHeader = ringHeader + unsafe.Sizeof(combiner{})
)

// Rings are descriptions of the rings of communicators, by number.
type Rings struct{ base, stride uintptr }

// NewRings makes room for the descriptions of the rings of count communicators of at most ranks ranks. It
// stays for the life of the process and costs no memory before it is used.
func NewRings(count, ranks int) (*Rings, error) {
	stride := ringsHeader + uintptr(ranks)*unsafe.Sizeof(CollPeer{})
	stride = (stride + shm.FalseShare - 1) &^ (shm.FalseShare - 1)
	mem, err := shm.Private(uintptr(count) * stride)
	if err != nil {
		return nil, err
	}
	return &Rings{mem, stride}, nil
}

// ring makes description number i that of a ring of n ranks, of which this one is me. Whatever it was before
// is forgotten.
func (rs *Rings) ring(i, me, n int) *CellRing {
	mem := rs.base + uintptr(i)*rs.stride
	s := (*CellRing)(at(mem))
	*s = CellRing{Me: uint32(me), N: uint32(n), Peers: (*CollPeer)(at(mem + ringsHeader)),
		combiner: (*combiner)(at(mem + ringHeader))}
	return s
}

// Coll makes description number i that of the ring for blocking operations.
func (rs *Rings) Coll(i, me, n int) *CellRing {
	s := rs.ring(i, me, n)
	s.Cells, s.Stride, s.Inline = shm.CollCellCount, shm.CellSize, shm.CellInline
	s.At, s.Done, s.Room = shm.CollCells, shm.CollDone, shm.CollPayloadSize
	return s
}

// Nbc makes description number i, of those that are kept for them, that of the ring for nonblocking ones.
func (rs *Rings) Nbc(i, me, n int) *CellRing {
	s := rs.ring(i, me, n)
	s.Cells, s.Stride, s.Inline = shm.NbcCellCount, shm.NbcCellSize, MaxNbcData
	s.At, s.Done = shm.NbcCells, shm.NbcDone
	s.Queue = CollList{NoRequest, NoRequest}
	return s
}

// Rows is room for the descriptions of the rings of persistent operations of one communicator. It stays for
// the life of the process, for the communicators that have the same number later.
type Rows struct{ base uintptr }

// NewRows makes that room.
func NewRows() (Rows, error) {
	mem, err := shm.Private((shm.NbcRings - 1) * ringHeader)
	return Rows{mem}, err
}

// Persistent makes ring i for persistent operations, from 1 on, beside the ring s for nonblocking ones.
func (rs Rows) Persistent(s *CellRing, i int) *CellRing {
	row := (*CellRing)(at(rs.base + uintptr(i-1)*ringHeader))
	*row = CellRing{Me: s.Me, N: s.N, Peers: s.Peers, Cells: shm.NbcPersistentCells, Stride: s.Stride,
		Inline: s.Inline, Done: s.Done + uint32(i)*8,
		At:    s.At + uint32(s.Cells+uint64(i-1)*shm.NbcPersistentCells)*s.Stride,
		Queue: CollList{NoRequest, NoRequest}, combiner: s.combiner}
	return row
}
