package collseg

import (
	"sync/atomic"

	"gompi/runtime/hardware"
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

// chunks is how many chunks this rank has, and of which size those of all are.
type chunks struct {
	count uint64 // 0 before it is known
	size  uintptr
}

// sized is chunks where so many ranks are on a core. Where ranks share cores there are few steps, because
// each takes every rank another turn on its core.
func sized(perCore int) chunks {
	if perCore > 1 {
		return chunks{size: shm.CollWideSize}
	}
	return chunks{size: shm.CollChunkSize}
}

// What a communicator has beyond the first ones of a process, which may have many.
const (
	roomyComms = 32 // have as many chunks as suit the caches,
	fewChunks  = 4  // and all others so many
)

// own is how many chunks this rank has.
func (a *Segment) own() uint64 {
	if a.chunks.count == 0 {
		a.lay()
	}
	return a.chunks.count
}

// lay says how many chunks this rank has, ahead of the first step. A chunk that is written again has to have
// left the caches of those who have read it, so all together are larger than these.
func (a *Segment) lay() {
	switch {
	case a.Crowded():
		a.chunks.count = shm.CollWideCount
	case a.number < roomyComms:
		a.chunks.count = min(uint64(hardware.CopyArea()/shm.CollChunkSize), shm.CollChunkCount)
	default:
		a.chunks.count = fewChunks
	}
	*shm.Word64(a.Peer(a.Me).Base + shm.CollChunked) = a.chunks.count
}

// chunksOf is how many chunks a rank has. The others know once they see it in steps.
func (a *Segment) chunksOf(r int) uint64 {
	if r == a.me {
		return a.own()
	}
	return max(*shm.Word64(a.Peer(uint32(r)).Base + shm.CollChunked), 1)
}

// Ahead is how many steps are published ahead of the one that is read: as many as have the ranks wait for
// each other seldom.
func (a *Segment) Ahead() uint64 { return min(a.own(), fewChunks) }

// Chunk is how many bytes of a step's data fit into a chunk, behind a cache line of its own for what is said
// of it.
func (a *Segment) Chunk() int64 { return int64(a.chunks.size) - shm.ChunkData }

// What a rank says with a step.
const (
	Step        uint64 = 1 // there is more to come
	LastStep    uint64 = 2 // the owner has published all
	AddressStep uint64 = 3 // the owner publishes where its data lies alone
)

func (a *Segment) chunk(r int, k uint64) uintptr {
	return a.Peer(uint32(r)).Base + shm.CollChunks + uintptr((a.Seq+k)%a.chunksOf(r))*a.chunks.size
}

// DataAt is where rank r's data of step k stands: written by its owner between RoomAt and PublishAt, read by
// the others between PublishedAt and DoneAt.
func (a *Segment) DataAt(r int, k uint64) uintptr { return a.chunk(r, k) + shm.ChunkData }

// BytesAt is the number that rank r has published with step k, and last whether it is its last one. stepped
// is false when the rank is not in an operation of steps.
func (a *Segment) BytesAt(r int, k uint64) (n int64, last, stepped bool) {
	if k == 0 && !a.Pipelined(r) {
		return a.Bytes(r), false, false
	}
	s := a.chunk(r, k)
	return int64(*shm.Word64(s + shm.ChunkBytes)), *shm.Word64(s + shm.ChunkWhat) == LastStep, true
}

// SetAddress says where this rank's data lies in its memory. PublishAt of step 0 follows.
func (a *Segment) SetAddress(addr uintptr) {
	*shm.Word64(a.chunk(a.me, 0) + shm.ChunkWhere) = uint64(addr)
}

// AddressOf is what rank r has said by SetAddress: read between PublishedAt and DoneAt.
func (a *Segment) AddressOf(r int) uintptr {
	return uintptr(*shm.Word64(a.chunk(r, 0) + shm.ChunkWhere))
}

// PublishesAddress reports whether rank r has published step 0 as AddressStep.
func (a *Segment) PublishesAddress(r int) bool {
	return *shm.Word64(a.chunk(r, 0) + shm.ChunkWhat) == AddressStep
}

// Pipelined reports whether rank r, which has published something in the present operation, goes in steps.
func (a *Segment) Pipelined(r int) bool {
	return a.Said(uint32(r), a.Seq)&shm.CellPipelined != 0
}

// PublishAt publishes this rank's data of step k to the ranks from first up to, not including, end, with a
// number for them. Pairs with PublishedAt.
func (a *Segment) PublishAt(k uint64, n int64, what uint64, first, end int) {
	s := a.chunk(a.me, k)
	*shm.Word64(s + shm.ChunkBytes) = uint64(n)
	*shm.Word64(s + shm.ChunkWhat) = what
	shm.StoreRel64(shm.Word64(s+shm.ChunkNumber), a.Seq+k)
	if k == 0 && !a.begun { // who has room on the chunks has room in the cells
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
	return atomic.LoadUint64(shm.Word64(a.chunk(r, k)+shm.ChunkNumber)) == a.Seq+k
}

// StepRoom is the condition that this rank's chunk of a step may be written.
type StepRoom Segment

// RoomAt is that condition for step k, in an operation in which the ranks from first up to, not including,
// end read what this one publishes. What was there before the operation anybody may have read.
func (a *Segment) RoomAt(k uint64, first, end int) *StepRoom {
	if k < a.own() {
		first, end = 0, a.n
	}
	a.step, a.done, a.doneEnd = k, first, end
	return (*StepRoom)(a)
}

// Ready reports whether it may. Pairs with DoneAt.
func (s *StepRoom) Ready() bool {
	a := (*Segment)(s)
	if a.Lowest+a.chunks.count >= a.Seq+a.step { // as in the first operations of all
		return true
	}
	for a.done < a.doneEnd && (a.done == a.me || a.hasRead(a.done)) {
		a.done++
	}
	return a.done >= a.doneEnd
}

// hasRead reports whether rank r is done with what stands in the chunk.
func (a *Segment) hasRead(r int) bool { return a.DoneBy(uint32(r))+a.chunks.count >= a.Seq+a.step }
