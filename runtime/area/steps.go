package area

import (
	"sync/atomic"

	"gompi/shm"
)

// Steps are how operations on long data go, through slots of their own, the stairs: as many operations of one rank each, one
// behind the other, so that the next piece is written while the others still read this one. Step k of an operation has the
// number that is k above the operation's own. A rank that has nothing to show in a step leaves its stair alone, and the counts
// of what is done rise as it goes on. In the end all ranks go on behind the same last step (Close).
//
// With step 0 a rank says in its slot that it goes in steps. So one that shows its data there at once, because it has less
// than the others say, and one that goes in steps find each other's mistake out.

// Stairs is the number of steps that can be shown at a time.
const Stairs = shm.AreaStairCount

// Chunk is how many bytes of a step's data fit into a stair, behind a cache line of its own for what is said of it.
const Chunk = shm.AreaStairSize - shm.StairData

// What a rank says with a step.
const (
	Step     uint64 = 1 // there is more to come
	LastStep uint64 = 2 // the owner has shown all
)

func (a *Area) stair(r int, k uint64) uintptr {
	return a.Peer(r).Base + shm.AreaStairs + uintptr((a.Seq+k)%Stairs)*shm.AreaStairSize
}

// DataAt is where rank r's data of step k stands: written by its owner between RoomAt and ShowAt, read by the others between
// ShownAt and DoneAt.
func (a *Area) DataAt(r int, k uint64) uintptr { return a.stair(r, k) + shm.StairData }

// BytesAt is the number that rank r has shown with step k, and last whether it is its last one. stepped is false when
// the rank is not in an operation of steps.
func (a *Area) BytesAt(r int, k uint64) (n int64, last, stepped bool) {
	if k == 0 && !a.Stepped(r) {
		return a.Bytes(r), false, false
	}
	s := a.stair(r, k)
	return int64(*shm.Word64(s + shm.StairBytes)), *shm.Word64(s + shm.StairWhat) == LastStep, true
}

// Stepped tells whether rank r, which has shown something in the present operation, goes in steps.
func (a *Area) Stepped(r int) bool {
	return *shm.Word64(a.Slot(r) + shm.SlotLength)&shm.SlotStepped != 0
}

// ShowAt shows this rank's data of step k to the ranks from first up to, not including, end, with a number for them. Pairs
// with ShownAt.
func (a *Area) ShowAt(k uint64, n int64, what uint64, first, end int) {
	s := a.stair(a.me, k)
	*shm.Word64(s + shm.StairBytes) = uint64(n)
	*shm.Word64(s + shm.StairWhat) = what
	shm.StoreRel64(shm.Word64(s+shm.StairNumber), a.Seq+k)
	if k == 0 && !a.shown { // who has room on the stairs has room in the slots
		s = a.Slot(a.me)
		*shm.Word64(s + shm.SlotLength) = uint64(n) | shm.SlotStepped
		shm.StoreRel64(shm.Word64(s+shm.SlotNumber), a.Seq)
	}
	a.ring(first, end)
}

// DoneAt says to the same ranks that this one needs nothing of step k any more, nor of those before. Pairs with RoomAt.
func (a *Area) DoneAt(k uint64, first, end int) {
	shm.StoreRel64(shm.Word64(a.Peer(a.me).Base+shm.AreaDone), a.Seq+k)
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
	for skip := min(steps-1, Slots); skip > 0; skip-- { // of more the marks would be the same ones again
		a.Marks[(a.Seq+skip)%Slots] = a.Head
	}
	a.Seq += steps - 1
	a.shown = false
	shm.StoreRel64(shm.Word64(a.Peer(a.me).Base+shm.AreaDone), a.Seq)
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
	for a.next < a.end && (a.next == a.me || a.shownAt(a.next, a.step)) {
		a.next++
	}
	return a.next >= a.end
}

func (a *Area) shownAt(r int, k uint64) bool {
	if k == 0 { // in steps or at once
		return a.Shown(r)
	}
	return atomic.LoadUint64(shm.Word64(a.stair(r, k)+shm.StairNumber)) == a.Seq+k
}

// StepRoom is the condition that this rank's stair of a step may be written.
type StepRoom Area

// RoomAt is that condition for step k, in an operation in which the ranks from first up to, not including, end read what
// this one shows. What was there before the operation anybody may have read.
func (a *Area) RoomAt(k uint64, first, end int) *StepRoom {
	if k < Stairs {
		first, end = 0, a.n
	}
	a.step, a.done, a.doneEnd = k, first, end
	return (*StepRoom)(a)
}

// Ready tells whether it may. Pairs with DoneAt.
func (s *StepRoom) Ready() bool {
	a := (*Area)(s)
	if a.Lowest+Stairs >= a.Seq+a.step { // as in the first operations of all
		return true
	}
	for a.done < a.doneEnd && (a.done == a.me || a.Area.Done(a.done)+Stairs >= a.Seq+a.step) {
		a.done++
	}
	return a.done >= a.doneEnd
}
