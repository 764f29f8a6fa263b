//fast:go

package fast

import (
	"sync/atomic"
	"unsafe"

	"gompi/shm"
)

// An endpoint begins with its header; the collective requests, their lists, the order of active peers and the
// peers follow.
const endpointHeader = (unsafe.Sizeof(Endpoint{}) + shm.FalseShare - 1) &^ (shm.FalseShare - 1)

// A slot is exactly one cache line and the slots fit into the first page of a pair block. A status has the
// size that the standard's ABI gives it.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(Slot{})-shm.SlotSize]
	_ = [1]struct{}{}[unsafe.Offsetof(Slot{}.Data)+InlineSize-shm.SlotSize]
	_ = [1]struct{}{}[unsafe.Sizeof(Status{})-statusSize]
)

// New makes the endpoint of node rank me of n. It stays for the life of the process.
func New(s *shm.Segment, me, n int) (*Endpoint, error) {
	const lists = endpointHeader + CollRequests*unsafe.Sizeof(CollRequest{})
	const order = lists + CollRequests*unsafe.Sizeof(CollLists{})
	peers := order + uintptr(n)*unsafe.Sizeof(uint64(0))
	mem, err := shm.Private(peers + uintptr(n)*unsafe.Sizeof(Peer{}))
	if err != nil {
		return nil, err
	}
	e := (*Endpoint)(at(mem))
	if err := e.makeTables(); err != nil {
		return nil, err
	}
	e.CollRequests = (*CollRequest)(at(mem + endpointHeader))
	e.CollLists = (*CollLists)(at(mem + lists))
	e.Order = shm.Word32(mem + order)
	e.Peers = (*Peer)(at(mem + peers))
	if e.Room, err = shm.Private(imageRoom); err != nil {
		return nil, err
	}
	e.Begun = CollList{NoRequest, NoRequest}
	e.Me, e.N = uint32(me), uint32(n)
	e.LockPolls, e.Together = uint32(shm.Polls(shm.SpinLock)), uint32(shm.Polls(shm.SpinTogether))
	e.TargetPolls = uint32(shm.Polls(shm.SpinTarget))
	e.AbsentPolls = uint32(shm.Polls(shm.SpinTargetAbsent))
	e.Cores, e.Epoch = shm.Word32(s.Base+shm.HdrCores), shm.Word32(s.Base+shm.HdrEpoch)
	e.Pids = shm.Word32(s.Base + shm.RankOffset(0) + shm.RankPid)
	e.Asked, e.Rang = shm.Asked(s), shm.Rang(s)
	e.Told, e.Asks = *e.Asked, shm.Asks(s, me)
	e.Bell = shm.BellOf(s, me).Word()
	e.Rung = shm.Rung(e.Bell)
	block := s.Base + shm.RankOffset(me)
	e.Calls, e.CallWords = shm.Word64(block+shm.RankCalls), uint32(n+63)/64
	for r := range n {
		e.Peer(uint32(r)).Bell = shm.BellOf(s, r).Word()
	}
	return e, nil
}

// Address is where the endpoint stands, for the C stubs.
func (e *Endpoint) Address() uintptr { return uintptr(unsafe.Pointer(e)) }

// All is the peers by node rank.
func (e *Endpoint) All() []Peer { return unsafe.Slice(e.Peers, e.N) }

// Activate appends a node rank to the active peers.
func (t *PeerTable) Activate(r int) {
	*(*uint32)(unsafe.Add(unsafe.Pointer(t.Order), uintptr(t.Active)*4)) = uint32(r)
	t.Active++
}

// slotsAt is the slots of a ring.
func slotsAt(addr uintptr) *[shm.RingSlots]Slot { return (*[shm.RingSlots]Slot)(at(addr)) }

// Open makes t the sending end of the ring from sender to receiver, node ranks of a segment for n ranks. It
// fails where the ring cannot be mapped.
func (t *Tx) Open(s *shm.Segment, n, receiver, sender int) error {
	at, _, err := s.Pair(n, receiver, sender)
	if err != nil {
		return err
	}
	*t = Tx{lap: firstLap, least: NoLimit, longFrom: NoLimit,
		mapped: shm.Word32(at + shm.PairArea), slots: slotsAt(at + shm.PairSlots),
		consumed: shm.Word32(at + shm.PairConsumed), blocked: shm.Word32(at + shm.PairBlocked),
		announce: shm.Word32(at + shm.PairAnnounce), bulk: at + shm.PairBulk}
	return nil
}

// Open makes r the receiving end of the same ring.
func (r *Rx) Open(s *shm.Segment, n, receiver, sender int) error {
	at, area, err := s.Pair(n, receiver, sender)
	if err != nil {
		return err
	}
	*r = Rx{end: bulkSize, slots: slotsAt(at + shm.PairSlots), consumed: shm.Word32(at + shm.PairConsumed),
		blocked: shm.Word32(at + shm.PairBlocked), announce: shm.Word32(at + shm.PairAnnounce), bulk: at +
			shm.PairBulk}
	if area {
		r.end = areaEnd
		atomic.StoreUint32(shm.Word32(at+shm.PairArea), 1) // pairs with Tx.long
	}
	return nil
}

// NewArea is the area of node rank me of a segment for n ranks; nil where there is no memory for one.
func NewArea(s *shm.Segment, n, me int) *Area {
	base := s.Area(n, me)
	if base == 0 {
		return nil
	}
	mem, err := shm.Private(unsafe.Sizeof(Area{}))
	if err != nil {
		return nil
	}
	a := (*Area)(at(mem))
	a.base, a.units = base-bulkSize, usualUnits
	return a
}

// Close gives up what is known of an area, to whose segment nothing is sent any more.
func (a *Area) Close() { shm.Unmap(uintptr(unsafe.Pointer(a)), int64(unsafe.Sizeof(*a))) }

// SetSize has an area use so many bytes.
func (a *Area) SetSize(n int64) {
	a.units = uint32(min(max(n, MaxBulk), shm.AreaStride) / areaUnit)
	a.next = 0
}

// Through has the long payloads of an open ring go through an area of the same sender's.
func (t *Tx) Through(a *Area) { t.area = a }

// Lose notes that the receiver has died: what it holds of the area is free again.
func (t *Tx) Lose() { t.lost = true }

// Share is copy number i, 0 <= i < shm.Shares, from this rank. The ring is open.
func (t *Tx) Share(i int, gen uint16) shm.Share { return shm.ShareIn(t.bulk-shm.PairBulk, i, gen) }

// Share is copy number i, 0 <= i < shm.Shares, to this rank. The ring is open.
func (r *Rx) Share(i int, gen uint16) shm.Share { return shm.ShareIn(r.bulk-shm.PairBulk, i, gen) }

// SlotAddress is where a slot stands.
func SlotAddress(s *Slot) uintptr { return uintptr(unsafe.Pointer(s)) }
