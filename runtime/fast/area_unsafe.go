//fast:go

package fast

import (
	"unsafe"

	"gompi/shm"
)

// A description of areas begins with its header; the peers follow.
const areaHeader = 640

var _ = [1]struct{}{}[(unsafe.Sizeof(Area{})+areaHeader-1)/areaHeader-1]

// A description of boards is as large.
var _ = [1]struct{}{}[(unsafe.Sizeof(Board{})+areaHeader-1)/areaHeader-1]

// NewAreas makes room for the descriptions of count communicators of at most ranks ranks. It stays for the life of the
// process and costs no memory before it is used.
func NewAreas(count, ranks int) (*Areas, error) {
	stride := (areaHeader + uintptr(ranks)*unsafe.Sizeof(AreaPeer{}) + shm.FalseShare - 1) &^ (shm.FalseShare - 1)
	mem, err := shm.Private(uintptr(count) * stride)
	if err != nil {
		return nil, err
	}
	return &Areas{mem, stride}, nil
}

// Areas are descriptions of areas, by number.
type Areas struct{ base, stride uintptr }

// at turns an address outside Go's heap into a pointer.
func at(addr uintptr) unsafe.Pointer { return unsafe.Pointer(shm.Word64(addr)) }

// New makes description number i one of n ranks, of which this one is me. Whatever it was before is forgotten.
func (as *Areas) New(i, me, n int) *Area {
	mem := as.base + uintptr(i)*as.stride
	a := (*Area)(at(mem))
	*a = Area{Me: uint32(me), N: uint32(n), Peers: (*AreaPeer)(at(mem + areaHeader))}
	return a
}

// Peer is the area of rank r.
func (a *Area) Peer(r int) *AreaPeer {
	return (*AreaPeer)(unsafe.Add(unsafe.Pointer(a.Peers), uintptr(r)*unsafe.Sizeof(AreaPeer{})))
}

// NewBoard makes the description number i, of those that are kept for boards, one of n ranks, of which this one is me.
// Whatever it was before is forgotten.
func (as *Areas) NewBoard(i, me, n int) *Board {
	mem := as.base + uintptr(i)*as.stride
	b := (*Board)(at(mem))
	*b = Board{Me: uint32(me), N: uint32(n), Peers: (*AreaPeer)(at(mem + areaHeader))}
	return b
}

// Peer is the board of rank r.
func (b *Board) Peer(r int) *AreaPeer {
	return (*AreaPeer)(unsafe.Add(unsafe.Pointer(b.Peers), uintptr(r)*unsafe.Sizeof(AreaPeer{})))
}
