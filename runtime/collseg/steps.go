package collseg

import (
	"sync/atomic"

	"gompi/shm"
)

// Steps are how operations on long data go, through cells of their own, the chunks: as many operations of one
// rank each, one behind the other, so that the next piece is written while the others still read this one.
// Step k of an operation has the number that is k above the operation's own. A rank that has nothing to
// publish in a step leaves its chunk alone, and the counts of what is done rise as it goes on. In the end all
// ranks go on behind the same last step (Close).
//
// With step 0 a rank says in its cell that it goes in steps. So one that publishes its data there at once,
// because it has less than the others say, and one that goes in steps find each other's mistake out.

// The data of a step stands in a chunk, of which the rank has some in an area of its own (area.go), for all
// communicators. What is said of it stands in a slot of the communicator's, by the number of the step.

// Ahead is how many steps are published ahead of the one that is read: as many as have the ranks wait for
// each other seldom.
func (a *Segment) Ahead() uint64 { return a.count }

// Chunk is how many bytes of a step's data fit into a chunk.
func (a *Segment) Chunk() int64 { return a.size }

// What a rank says with a step.
const (
	Step        uint64 = 1 // there is more to come
	LastStep    uint64 = 2 // the owner has published all
	AddressStep uint64 = 3 // the owner publishes where its data lies alone
)

// slot is where rank r says what it publishes with step k.
func (a *Segment) slot(r int, k uint64) uintptr {
	return a.Peer(uint32(r)).Base + shm.CollSteps + uintptr((a.Seq+k)%shm.CollStepCount)*shm.StepSize
}

// DataAt is where rank r's data of step k stands: written by its owner between RoomAt and PublishAt, read by
// the others between PublishedAt and DoneAt.
func (a *Segment) DataAt(r int, k uint64) uintptr {
	return a.chunk(r, *shm.Word64(a.slot(r, k) + shm.StepWhere), a.size)
}

// BytesAt is the number that rank r has published with step k, and last whether it is its last one. stepped
// is false when the rank is not in an operation of steps.
func (a *Segment) BytesAt(r int, k uint64) (n int64, last, stepped bool) {
	if k == 0 && !a.Pipelined(r) {
		return a.Bytes(r), false, false
	}
	s := a.slot(r, k)
	return int64(*shm.Word64(s + shm.StepBytes)), *shm.Word64(s + shm.StepWhat) == LastStep, true
}

// SetAddress says where this rank's data lies in its memory. PublishAt of step 0 follows.
func (a *Segment) SetAddress(addr uintptr) {
	*shm.Word64(a.slot(a.me, 0) + shm.StepAddress) = uint64(addr)
}

// AddressOf is what rank r has said by SetAddress: read between PublishedAt and DoneAt.
func (a *Segment) AddressOf(r int) uintptr {
	return uintptr(*shm.Word64(a.slot(r, 0) + shm.StepAddress))
}

// PublishesAddress reports whether rank r has published step 0 as AddressStep.
func (a *Segment) PublishesAddress(r int) bool {
	return *shm.Word64(a.slot(r, 0) + shm.StepWhat) == AddressStep
}

// Pipelined reports whether rank r, which has published something in the present operation, goes in steps.
func (a *Segment) Pipelined(r int) bool {
	return a.Said(uint32(r), a.Seq)&shm.CellPipelined != 0
}

// PublishAt publishes this rank's data of step k to the ranks from first up to, not including, end, with a
// number for them. Pairs with PublishedAt.
func (a *Segment) PublishAt(k uint64, n int64, what uint64, first, end int) {
	s := a.slot(a.me, k)
	*shm.Word64(s + shm.StepBytes) = uint64(n)
	*shm.Word64(s + shm.StepWhat) = what
	shm.StoreRel64(shm.Word64(s+shm.StepNumber), a.Seq+k)
	if k == 0 && !a.begun { // who has room for a step has room in the cells
		a.Cell(a.Me, a.Seq).Length = uint64(n) | shm.CellPipelined
		a.CellRing.Publish(a.Seq)
	}
	a.Wake(uint32(first), uint32(end))
}

// DoneAt says to the same ranks that this one needs nothing of step k any more, nor of those before. Pairs
// with RoomAt.
func (a *Segment) DoneAt(k uint64, first, end int) {
	a.SetDone(a.Seq + k)
	a.Wake(uint32(first), uint32(end))
}

// Close ends an operation of the given number of steps, at least 1, on this rank.
func (a *Segment) Close(steps uint64) {
	for skip := min(steps-1, Cells); skip > 0; skip-- { // of more the marks would be the same ones again
		a.Marks[(a.Seq+skip)%Cells] = a.Head
	}
	a.Seq += steps - 1
	a.begun = false
	a.SetDone(a.Seq)
	a.Wake(0, a.N)
}

// Published is the condition that the ranks from first up to, not including, end have published their data of
// step k.
type Published Segment

// PublishedAt is that condition. Pairs with PublishAt.
func (a *Segment) PublishedAt(k uint64, first, end int) *Published {
	a.step, a.next, a.end = k, first, end
	return (*Published)(a)
}

// Ready reports whether they have.
func (s *Published) Ready() bool {
	a := (*Segment)(s)
	for a.next < a.end && (a.next == a.me || a.publishedAt(a.next, a.step)) {
		a.next++
	}
	return a.next >= a.end
}

func (a *Segment) publishedAt(r int, k uint64) bool {
	if k == 0 { // in steps or at once
		return a.Published(r)
	}
	return atomic.LoadUint64(shm.Word64(a.slot(r, k)+shm.StepNumber)) == a.Seq+k
}

// StepRoom is the condition that this rank may write a step: there is a slot and a chunk for it.
type StepRoom Segment

// RoomAt is that condition for step k, in an operation in which the ranks from first up to, not including,
// end read what this one publishes. What was there before the operation anybody may have read.
func (a *Segment) RoomAt(k uint64, first, end int) *StepRoom {
	a.room = held{by: &a.chunks, number: a.Seq + k, bytes: a.size, first: first, end: end}
	if k < shm.CollStepCount {
		first, end = 0, a.n
	}
	a.done, a.doneEnd = first, end
	return (*StepRoom)(a)
}

// Ready reports whether it may. Pairs with DoneAt.
func (s *StepRoom) Ready() bool {
	a := (*Segment)(s)
	if a.placed == a.room {
		return true
	}
	if a.Lowest+shm.CollStepCount < a.room.number { // not in the first operations of all
		for a.done < a.doneEnd && (a.done == a.me || a.hasRead(a.done)) {
			a.done++
		}
		if a.done < a.doneEnd {
			return false
		}
	}
	return a.place()
}

// hasRead reports whether rank r is done with the step whose slot this one takes.
func (a *Segment) hasRead(r int) bool { return a.DoneBy(uint32(r))+shm.CollStepCount >= a.room.number }

// place finds a chunk for the step.
func (a *Segment) place() bool {
	where, ok := a.chunks.place(a.room)
	if ok {
		*shm.Word64(a.slot(a.me, a.room.number-a.Seq) + shm.StepWhere) = where
		a.placed = a.room
	}
	return ok
}
