package shm

import "sync/atomic"

// Area is what one rank knows of the areas of a communicator (layout.go). It is private to the rank, but it
// stands outside Go's heap, because the C stubs of the library carry out small collective operations by
// themselves, without a call into Go, which would take longer than the operation. Their view (capi/zz_lane.h)
// is generated from this one. Package area says what pairs with what; stubs and Go follow the same rules, so
// ranks of one operation need not take the same way.
type Area struct {
	Handle  uintptr // by which the program knows the communicator; 0 when the stubs do not know it
	Me, N   uint32
	Direct  uint32 // 1: all ranks can read each other's memory
	Begun   uint32 // 1: a stub has shown this rank's data of operation Seq, and has left the rest to Go
	Seq     uint64 // number of the last operation begun
	Lowest  uint64 // all others are done with the operations up to this one
	Head    uint32 // bytes of AreaBulk used so far, modulo 2^32
	Tail    uint32 // of those, what may be written again
	Stubbed uint64 // operations that stubs have done from beginning to end
	Peers   *AreaPeer

	// The largest data that stubs deal with, in bytes:
	Bcasts  uint32 // of one rank for all
	Gathers uint32 // of one rank for the root or for all
	Spreads uint32 // of one rank for all others together
	Reduces uint32 // of one rank, to be combined by those who want the outcome

	Marks [AreaCount]uint32 // Head behind each of the last operations
}

// AreaPeer is one rank's area.
type AreaPeer struct {
	Base uintptr
	Bell *uint32
}

// AreaPlaces is how many communicators the stubs can know at a time.
const AreaPlaces = 64

// Kinds of elements that the stubs combine, beginning with 1: signed and unsigned integers of 1, 2, 4 and 8 bytes, float and
// double.
const (
	ElementInt8 = 1 + iota
	ElementUint8
	ElementInt16
	ElementUint16
	ElementInt32
	ElementUint32
	ElementInt64
	ElementUint64
	ElementFloat
	ElementDouble
	Elements
)

// AddArea lets the stubs use an area, if its place is empty.
func (l *Lane) AddArea(handle uintptr, a *Area) {
	at := &l.Areas[handle%AreaPlaces]
	if handle == 0 || *at != nil {
		return
	}
	a.Handle = handle
	*at = a
}

// dropArea makes the stubs forget the area behind a handle.
func (l *Lane) dropArea(handle uintptr) {
	if at := &l.Areas[handle%AreaPlaces]; *at != nil && (*at).Handle == handle {
		(*at).Handle = 0
		*at = nil
	}
}

// Done is how many operations rank r is done with.
func (a *Area) Done(r int) uint64 { return atomic.LoadUint64(Word64(a.Peer(r).Base + AreaDone)) }

// Slot is where rank r shows its data in the present operation.
func (a *Area) Slot(r int) uintptr {
	return a.Peer(r).Base + AreaSlots + uintptr(a.Seq%AreaCount)*AreaSlotSize
}

// learn finds out what all others are done with.
func (a *Area) learn() {
	lowest := a.Seq
	for r := range int(a.N) {
		if done := a.Done(r); r != int(a.Me) && done < lowest { // pairs with the store in package area
			lowest = done
		}
	}
	a.Lowest = lowest
}

// Begin starts the next operation.
func (a *Area) Begin() {
	a.Seq++
	a.Marks[a.Seq%AreaCount] = a.Head
}

// Free tells whether n bytes can be shown in the present operation: nobody reads any more what stood there.
func (a *Area) Free(n int64) bool {
	if a.Lowest+AreaCount < a.Seq {
		if a.learn(); a.Lowest+AreaCount < a.Seq {
			return false
		}
	}
	if n <= SlotInlined || a.fits(n) {
		return true
	}
	a.recover()
	if a.fits(n) {
		return true
	}
	a.learn()
	a.recover()
	return a.fits(n)
}

// fits tells whether there is room in the bulk for n bytes, in one piece.
func (a *Area) fits(n int64) bool { return a.Head-a.Tail+a.take(n) <= AreaBulkSize }

// take is how much of the bulk n bytes use up: whole lines, and the end of the bulk if it is too short.
func (a *Area) take(n int64) uint32 {
	lines := (uint32(n) + CacheLine - 1) &^ (CacheLine - 1)
	if at := a.Head % AreaBulkSize; at+lines > AreaBulkSize {
		lines += AreaBulkSize - at
	}
	return lines
}

// recover gives the bulk free that nobody reads any more.
func (a *Area) recover() {
	if a.Lowest+AreaCount > a.Seq {
		a.Tail = a.Marks[a.Lowest%AreaCount]
	}
}

// Place is where n bytes of this rank's data stand in the present operation, in the slot or in the bulk. Free(n) was true.
func (a *Area) Place(n int64) uintptr {
	s := a.Slot(int(a.Me))
	if n <= SlotInlined {
		*Word64(s + SlotLength) = uint64(n)
		return s + SlotData
	}
	at := a.Head % AreaBulkSize
	if at+uint32(n) > AreaBulkSize {
		at = 0
	}
	a.Head += a.take(n)
	a.Marks[a.Seq%AreaCount] = a.Head
	*Word64(s + SlotLength) = uint64(n) | SlotInBulk
	*Word64(s + SlotWhere) = uint64(at)
	return a.Peer(int(a.Me)).Base + AreaBulk + uintptr(at)
}

// Data is where the n bytes stand that rank r shows, in its slot or in its bulk, and can be read wherever
// rank r says that they are; ok is false when it says that they are not all in there.
func (a *Area) Data(r int, n int64) (at uintptr, ok bool) {
	s := a.Slot(r)
	if *Word64(s + SlotLength)&SlotInBulk == 0 {
		return s + SlotData, uint64(n) <= SlotInlined
	}
	where := *Word64(s + SlotWhere)
	return a.Peer(r).Base + AreaBulk + uintptr(where), uint64(n) <= AreaBulkSize && where <= AreaBulkSize-uint64(n)
}
