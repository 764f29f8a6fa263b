// Package collseg is the part of a node's shared segment through which its ranks do collectives: every rank
// has a few cells for each communicator that it alone writes and all may read. What is short stands there
// itself, so that it is written once and no message is sent; of what is long, where it lies. It knows
// counting and waiting, not what is computed.
//
// # Protocol
//
// The ranks of a communicator go through the same operations in the same order, numbered. In operation k a
// rank that has something to publish writes it into its cell k mod Cells, what is longer than a cell into its
// payload area, and publishes k there; a rank that reads waits for the number and, when it has read all that
// it needs, counts k as done. Before cell k mod Cells is written again, in operation k+Cells, its owner makes
// sure that everybody is done with k; likewise before the payload area is written again. What is longer
// still, or comes in parts, goes in steps (chunks.go).
//
// So a rank that waits for nobody can be that many operations ahead, as far as the payload area reaches. In
// an operation in which everybody waits for everybody (a barrier, an allreduce) nobody is: whoever has
// published k had done k-1.
//
// A communicator's coll segments are found by the number of its contexts, which is used again when it has
// been freed. Numbers of operations then go on above all that the earlier users have left behind (Open).
//
// Package fast carries out small operations by the same protocol on the same state (fast.CellRing). One
// that has published its rank's data and does not see the others' come soon leaves the rest to Go (Begin).
package collseg

import (
	"gompi/shm"
)

// Geometry of cells.
const (
	Cells   = shm.CollCellCount // per rank
	MaxData = 65 << 10          // bytes that a rank publishes at most in an operation
)

// MaxRanks is the number of ranks up to which everybody reading everybody's cells is a good idea.
const MaxRanks = shm.CollRanks

// Segment is one rank's view. It is used by one thread at a time.
type Segment struct {
	view
	direct bool // all ranks can read each other's memory
	pinned bool // long data goes by route, if it can
	chunks
	perCore int  // ranks of the node on a core
	placed  held // the last step that has a chunk, as it was then
	route   Route
	routes  *routes // nil before there was a choice
	begun   bool    // package fast has published this rank's data of the present operation
	need    int64   // Room: how much is to be published
	next    int     // Ready: first rank not known to have arrived
	end     int
	done    int // Drain: first rank not known to be done
	doneEnd int
	step    uint64 // what Published is about
	room    held   // what StepRoom is about
}

// Last is the number of the last operation that this rank has done here, for this communicator or an earlier
// one.
func (a *Segment) Last() uint64 { return a.DoneBy(a.Me) }

// Open begins with operations above last, which is the greatest of what Last is on all ranks. direct says
// that all ranks can read each other's memory.
func (a *Segment) Open(last uint64, direct bool) {
	a.open = true
	a.SetDirect(direct)
	shm.StoreRel64(shm.Word64(a.Peer(a.Me).Base+shm.CollRoutes), 0) // of an earlier communicator
	a.Start(last + Cells)
}

// Offer lets package fast use the coll segment for the communicator that the program knows by a handle.
func (a *Segment) Offer(handle uintptr) { a.endpoint.AddCollRing(handle, a.CellRing) }

// SetDirect says whether all ranks can read each other's memory, on all ranks the same. All have said by then
// how many cores they may use.
func (a *Segment) SetDirect(direct bool) {
	a.direct = direct
	a.perCore = a.on.perCore(a.ranks)
	a.share(a.perCore)
}

// Direct reports whether all ranks can read each other's memory.
func (a *Segment) Direct() bool { return a.direct }

// Begin starts the next operation, or takes over the one that package fast has begun.
func (a *Segment) Begin() {
	if a.begun = a.Begun != 0; a.begun {
		a.Begun = 0
		return
	}
	a.Seq = a.NextOp()
}

// HasPublished reports whether this rank's data of the present operation has been published already, by
// package fast.
func (a *Segment) HasPublished() bool { return a.begun }

// Size is the number of ranks.
func (a *Segment) Size() int { return a.n }

// Drained reports whether all others are done with all that this rank has published.
func (a *Segment) Drained() bool {
	for r := range a.n {
		if a.open && r != a.me && a.DoneBy(uint32(r)) < a.Seq {
			return false
		}
	}
	return true
}

// Abandon gives the coll segment up with operations that have not ended, because ranks have failed.
func (a *Segment) Abandon() {
	if a.open {
		a.CellRing.Abandon()
	}
}

// Free reports whether n bytes can be published in the present operation.
func (a *Segment) Free(n int64) bool { return a.CellRing.Free(a.Seq, uint32(n)) }

// OwnData is where n bytes of this rank's contribution to the present operation go. Free(n) was true.
func (a *Segment) OwnData(n int64) uintptr { return a.CellRing.OwnData(a.Seq, uint32(n)) }

// Contribution is where rank r's contribution to the present operation stands if it is in its segment, 0 if
// it is not, and its size in bytes: read between Ready and End.
func (a *Segment) Contribution(r int) (at uintptr, n int64) {
	said := a.Said(uint32(r), a.Seq)
	return a.Data(uint32(r), a.Seq, said), int64(said & shm.CellBytes)
}

// Bytes is the size of that data.
func (a *Segment) Bytes(r int) int64 { return int64(a.Said(uint32(r), a.Seq) & shm.CellBytes) }

// HasPointers reports whether rank r's data is a table of addresses in its memory.
func (a *Segment) HasPointers(r int) bool { return a.Said(uint32(r), a.Seq)&shm.CellPointers != 0 }

// Publish publishes this rank's data to the others, for which there was room. Pairs with Ready.
func (a *Segment) Publish() {
	a.CellRing.Publish(a.Seq)
	a.Wake(0, a.N)
}

// PublishSize is Publish of nothing but the size of data that is not there, which nobody reads.
func (a *Segment) PublishSize(n int64) {
	a.Cell(a.Me, a.Seq).Length = uint64(n)
	a.Publish()
}

// PublishTable is Publish of data that is a table of addresses in this rank's memory.
func (a *Segment) PublishTable() {
	a.Cell(a.Me, a.Seq).Length |= shm.CellPointers
	a.Publish()
}

// Await chooses for whom Ready looks: the ranks from first up to, not including, end.
func (a *Segment) Await(first, end int) *Segment {
	a.next, a.end = first, end
	return a
}

// Ready reports whether all awaited ranks have published in the present operation. Pairs with Publish.
func (a *Segment) Ready() bool {
	for a.next < a.end && (a.next == a.me || a.Published(a.next)) {
		a.next++
	}
	return a.next >= a.end
}

// End ends the present operation: this rank has read what it needs. all says that it has waited for
// everybody. Pairs with Free and Drain, for which others may be asleep.
func (a *Segment) End(all bool) {
	if all {
		a.Lowest = a.Seq - 1
	}
	a.begun = false
	a.SetDone(a.Seq)
	a.Wake(0, a.N)
}

// Published reports whether rank r has published in the present operation.
func (a *Segment) Published(r int) bool {
	return a.CellRing.Published(uint32(r), a.Seq)
}

// Room is the condition that n bytes can be published, for those who wait for it.
func (a *Segment) Room(n int64) *Room {
	a.need = n
	return (*Room)(a)
}

// Room is that condition.
type Room Segment

// Ready is Free.
func (r *Room) Ready() bool { return (*Segment)(r).Free(r.need) }

// Drain is the condition that the ranks from first up to, not including, end are done with the present
// operation.
func (a *Segment) Drain(first, end int) *Drain {
	a.done, a.doneEnd = first, end
	return (*Drain)(a)
}

// Drain is that condition, for those who wait for it.
type Drain Segment

// Ready reports whether they are.
func (d *Drain) Ready() bool {
	a := (*Segment)(d)
	for a.done < a.doneEnd && (a.done == a.me || a.DoneBy(uint32(a.done)) >= a.Seq) {
		a.done++
	}
	return a.done >= a.doneEnd
}
