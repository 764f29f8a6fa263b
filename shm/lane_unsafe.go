package shm

import "unsafe"

// A lane begins with its header; the tickets, the exchanges, the order of talkers and the peers follow.
const laneHeader = 3072

var _ = [1]struct{}{}[(unsafe.Sizeof(Lane{})+laneHeader-1)/laneHeader-1]

func laneSize(n int) uintptr {
	return laneHeader + Tickets*(unsafe.Sizeof(Ticket{})+unsafe.Sizeof(Exchange{})) + uintptr(n)*unsafe.Sizeof(uint64(0)) + uintptr(n)*unsafe.Sizeof(Peer{})
}

func laneAt(addr uintptr, n int) *Lane {
	l := (*Lane)(pointer(addr))
	l.Tickets = (*Ticket)(pointer(addr + laneHeader))
	exchanges := addr + laneHeader + Tickets*unsafe.Sizeof(Ticket{})
	l.Exchanges = (*Exchange)(pointer(exchanges))
	order := exchanges + Tickets*unsafe.Sizeof(Exchange{})
	l.Order = Word32(order)
	l.Peers = (*Peer)(pointer(order + uintptr(n)*unsafe.Sizeof(uint64(0))))
	return l
}

// All is the peers by node rank.
func (l *Lane) All() []Peer { return unsafe.Slice(l.Peers, l.N) }

// Peer is the rings of node rank r.
func (l *Lane) Peer(r int) *Peer {
	return (*Peer)(unsafe.Add(unsafe.Pointer(l.Peers), uintptr(r)*unsafe.Sizeof(Peer{})))
}

// Ticket is ticket number i.
func (l *Lane) Ticket(i uint32) *Ticket {
	return (*Ticket)(unsafe.Add(unsafe.Pointer(l.Tickets), uintptr(i)*unsafe.Sizeof(Ticket{})))
}

// Exchange is the exchange of ticket number i.
func (l *Lane) Exchange(i uint32) *Exchange {
	return (*Exchange)(unsafe.Add(unsafe.Pointer(l.Exchanges), uintptr(i)*unsafe.Sizeof(Exchange{})))
}

// Talker is the node rank of the i-th talker.
func (l *Lane) Talker(i uint32) int {
	return int(*(*uint32)(unsafe.Add(unsafe.Pointer(l.Order), uintptr(i)*4)))
}

// Call is the i-th word of Calls.
func (l *Lane) Call(i uint32) *uint64 {
	return (*uint64)(unsafe.Add(unsafe.Pointer(l.Calls), uintptr(i)*8))
}

// AddTalker appends a node rank to the talkers.
func (l *Lane) AddTalker(r int) {
	*(*uint32)(unsafe.Add(unsafe.Pointer(l.Order), uintptr(l.Talkers)*4)) = uint32(r)
	l.Talkers++
}

// Address is where the lane stands, for the C stubs.
func (l *Lane) Address() uintptr { return uintptr(unsafe.Pointer(l)) }
