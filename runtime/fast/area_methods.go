//fast:go

package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// Done is how many operations rank r is done with.
func (a *Area) Done(r int) uint64 {
	return atomic.LoadUint64(shm.Word64(a.Peer(r).Base + shm.AreaDone))
}

// Slot is where rank r shows its data in the present operation.
func (a *Area) Slot(r int) uintptr {
	return a.Peer(r).Base + shm.AreaSlots + uintptr(a.Seq%shm.AreaCount)*shm.AreaSlotSize
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
	a.Marks[a.Seq%shm.AreaCount] = a.Head
}

// Free tells whether n bytes can be shown in the present operation: nobody reads any more what stood there.
func (a *Area) Free(n int64) bool {
	if a.Lowest+shm.AreaCount < a.Seq {
		if a.learn(); a.Lowest+shm.AreaCount < a.Seq {
			return false
		}
	}
	if n <= shm.SlotInlined || a.fits(n) {
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
func (a *Area) fits(n int64) bool { return a.Head-a.Tail+a.take(n) <= shm.AreaBulkSize }

// take is how much of the bulk n bytes use up: whole lines, and the end of the bulk if it is too short.
func (a *Area) take(n int64) uint32 {
	lines := (uint32(n) + shm.CacheLine - 1) &^ (shm.CacheLine - 1)
	if at := a.Head % shm.AreaBulkSize; at+lines > shm.AreaBulkSize {
		lines += shm.AreaBulkSize - at
	}
	return lines
}

// recover gives the bulk free that nobody reads any more.
func (a *Area) recover() {
	if a.Lowest+shm.AreaCount > a.Seq {
		a.Tail = a.Marks[a.Lowest%shm.AreaCount]
	}
}

// Place is where n bytes of this rank's data stand in the present operation, in the slot or in the bulk. Free(n) was true.
func (a *Area) Place(n int64) uintptr {
	s := a.Slot(int(a.Me))
	if n <= shm.SlotInlined {
		*shm.Word64(s + shm.SlotLength) = uint64(n)
		return s + shm.SlotData
	}
	at := a.Head % shm.AreaBulkSize
	if at+uint32(n) > shm.AreaBulkSize {
		at = 0
	}
	a.Head += a.take(n)
	a.Marks[a.Seq%shm.AreaCount] = a.Head
	*shm.Word64(s + shm.SlotLength) = uint64(n) | shm.SlotInBulk
	*shm.Word64(s + shm.SlotWhere) = uint64(at)
	return a.Peer(int(a.Me)).Base + shm.AreaBulk + uintptr(at)
}

// Data is where the n bytes stand that rank r shows, in its slot or in its bulk, and can be read wherever rank r says that
// they are; ok is false when it says that they are not all in there.
func (a *Area) Data(r int, n int64) (at uintptr, ok bool) {
	s := a.Slot(r)
	if *shm.Word64(s + shm.SlotLength)&shm.SlotInBulk == 0 {
		return s + shm.SlotData, uint64(n) <= shm.SlotInlined
	}
	where := *shm.Word64(s + shm.SlotWhere)
	return a.Peer(r).Base + shm.AreaBulk + uintptr(where), uint64(n) <= shm.AreaBulkSize && where <= shm.AreaBulkSize-uint64(n)
}
