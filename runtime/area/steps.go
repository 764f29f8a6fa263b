package area

import (
	"sync/atomic"

	"gompi/shm"
)

// Steps are how operations on long data go through the slots: as many operations of one rank each, one behind the other,
// so that the next piece is written while the others still read this one. Step k of an operation has the number that is k
// above the operation's own. A rank that has nothing to show in a step leaves its slot alone, and the counts of what is done
// rise as it goes on. In the end all ranks go on behind the same last step (Close).

// Chunk is how many bytes of a step's data fit into a slot, behind a cache line of its own for what is said of it.
const Chunk = shm.AreaSlotSize - shm.CacheLine

// What stands in place of an address in the slots of steps, so that nobody takes a step for an operation of another kind.
const (
	Step     uintptr = 2 // there is more to come
	LastStep uintptr = 3 // the owner has shown all
)

func (a *Area) slotAt(r int, k uint64) uintptr {
	return a.base[r] + shm.AreaSlots + uintptr((a.seq+k)%Slots)*shm.AreaSlotSize
}

// DataAt is where rank r's data of step k stands: written by its owner between RoomAt and ShowAt, read by the others between
// ShownAt and DoneAt.
func (a *Area) DataAt(r int, k uint64) uintptr { return a.slotAt(r, k) + shm.CacheLine }

// BytesAt is the number that rank r has shown with step k, and last whether it is its last one. stepped is false when
// the rank is not in an operation of steps.
func (a *Area) BytesAt(r int, k uint64) (n int64, last, stepped bool) {
	s := a.slotAt(r, k)
	where := uintptr(*shm.Word64(s + shm.SlotWhere))
	return int64(*shm.Word64(s + shm.SlotBytes)), where == LastStep, where == Step || where == LastStep
}

// ShowAt shows this rank's data of step k to the ranks from first up to, not including, end, with a number for them. Pairs
// with ShownAt.
func (a *Area) ShowAt(k uint64, n int64, what uintptr, first, end int) {
	s := a.slotAt(a.me, k)
	*shm.Word64(s + shm.SlotBytes) = uint64(n)
	*shm.Word64(s + shm.SlotWhere) = uint64(what)
	shm.StoreRel64(shm.Word64(s+shm.SlotNumber), a.seq+k)
	a.ring(first, end)
}

// DoneAt says to the same ranks that this one needs nothing of step k any more, nor of those before. Pairs with RoomAt.
func (a *Area) DoneAt(k uint64, first, end int) {
	shm.StoreRel64(shm.Word64(a.base[a.me]+shm.AreaDone), a.seq+k)
	a.ring(first, end)
}

func (a *Area) ring(first, end int) {
	for r := first; r < end; r++ {
		if r != a.me {
			a.bells[r].Ring()
		}
	}
}

// Close ends an operation of the given number of steps, at least 1, on this rank.
func (a *Area) Close(steps uint64) {
	a.seq += steps - 1
	shm.StoreRel64(shm.Word64(a.base[a.me]+shm.AreaDone), a.seq)
	a.ring(0, a.n)
}

// Shown is the condition that the ranks from first up to, not including, end have shown their data of step k.
type Shown Area

// ShownAt is that condition. Pairs with ShowAt.
func (a *Area) ShownAt(k uint64, first, end int) *Shown {
	a.step, a.next, a.end = k, first, end
	return (*Shown)(a)
}

// Ready tells whether they have.
func (s *Shown) Ready() bool {
	a := (*Area)(s)
	for a.next < a.end && (a.next == a.me || atomic.LoadUint64(shm.Word64(a.slotAt(a.next, a.step)+shm.SlotNumber)) == a.seq+a.step) {
		a.next++
	}
	return a.next >= a.end
}

// StepRoom is the condition that this rank's slot of a step may be written.
type StepRoom Area

// RoomAt is that condition for step k, in an operation in which the ranks from first up to, not including, end read what
// this one shows. What was there before the operation anybody may have read.
func (a *Area) RoomAt(k uint64, first, end int) *StepRoom {
	if k < Slots {
		first, end = 0, a.n
	}
	a.step, a.done, a.doneEnd = k, first, end
	return (*StepRoom)(a)
}

// Ready tells whether it may. Pairs with DoneAt.
func (s *StepRoom) Ready() bool {
	a := (*Area)(s)
	if a.lowest+Slots >= a.seq+a.step { // as in the first operations of all
		return true
	}
	for a.done < a.doneEnd && (a.done == a.me || a.doneBy(a.done)+Slots >= a.seq+a.step) {
		a.done++
	}
	return a.done >= a.doneEnd
}
