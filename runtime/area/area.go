// Package area is the part of a node's shared segment through which its ranks do collectives: every rank has a few slots
// for each communicator that it alone writes and all may read. What is short stands there itself, so that it is written
// once and no message is sent; of what is long, where it lies. It knows counting and waiting, not what is computed.
//
// # Protocol
//
// The ranks of a communicator go through the same operations in the same order, numbered. In operation k a rank that has
// something to show writes it into its slot k mod Slots, what is longer than a slot into its bulk, and publishes k there; a
// rank that reads waits for the number and, when it has read all that it needs, counts k as done. Before slot k mod Slots
// is written again, in operation k+Slots, its owner makes sure that everybody is done with k; likewise before the bulk is
// written again. What is longer still, or comes in parts, goes in steps (steps.go).
//
// So a rank that waits for nobody can be that many operations ahead, as far as the bulk reaches. In an operation in which
// everybody waits for everybody (a barrier, an allreduce) nobody is: whoever has published k had done k-1.
//
// A communicator's areas are found by the number of its contexts, which is used again when it has been freed. Numbers of
// operations then go on above all that the earlier users have left behind (Open).
//
// The C stubs carry out small operations by the same protocol on the same state (fast.Area). A stub that has shown its
// rank's data and does not see the others' come soon leaves the rest to Go (Begin).
package area

import (
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/shm"
)

// Geometry of slots.
const (
	Slots   = shm.AreaCount // per rank
	MaxData = 65 << 10      // bytes that a rank shows at most in an operation
)

// MaxRanks is the number of ranks up to which everybody reading everybody's slots is a good idea.
const MaxRanks = shm.AreaRanks

// Area is one rank's view. It is used by one thread at a time.
type Area struct {
	*fast.Area
	endpoint *fast.Endpoint
	me, n    int
	bells    []shm.Bell
	first    bool // the areas are MPI_COMM_WORLD's
	open     bool
	shown    bool  // a stub has shown this rank's data of the present operation
	need     int64 // Room: how much is to be shown
	next     int   // Ready: first rank not known to have arrived
	end      int
	done     int // Drain: first rank not known to be done
	doneEnd  int
	step     uint64 // what StepRoom and Shown are about
	values   []byte
}

// Last is the number of the last operation that this rank has done here, for this communicator or an earlier one.
func (a *Area) Last() uint64 { return a.Area.Done(a.me) }

// Stubbed is how many operations the stubs have done here for this communicator. Any thread may ask.
func (a *Area) Stubbed() uint64 { return atomic.LoadUint64(&a.Area.Stubbed) }

// Opened tells whether the area has been opened.
func (a *Area) Opened() bool { return a.open }

// Open begins with operations above last, which is the greatest of what Last is on all ranks. direct says that all ranks
// can read each other's memory.
func (a *Area) Open(last uint64, direct bool) {
	a.open = true
	a.SetDirect(direct)
	a.Seq = last + Slots
	a.Lowest = a.Seq
}

// Offer lets the stubs use the area for the communicator that the program knows by a handle.
func (a *Area) Offer(handle uintptr) { a.endpoint.AddArea(handle, a.Area) }

// First tells whether no communicator can have used these areas before this one, on any rank.
func (a *Area) First() bool { return a.first }

// SetDirect says whether all ranks can read each other's memory, on all ranks the same.
func (a *Area) SetDirect(direct bool) {
	a.Area.Direct = 0
	if direct {
		a.Area.Direct = 1
	}
}

// Direct tells whether all ranks can read each other's memory.
func (a *Area) Direct() bool { return a.Area.Direct != 0 }

// Begin starts the next operation, or takes over the one that a stub has begun.
func (a *Area) Begin() {
	if a.shown = a.Begun != 0; a.shown {
		a.Begun = 0
		return
	}
	a.Area.Begin()
}

// HasShown tells whether this rank's data of the present operation has been shown already, by a stub.
func (a *Area) HasShown() bool { return a.shown }

// Size is the number of ranks.
func (a *Area) Size() int { return a.n }

// Drained tells whether all others are done with all that this rank has shown.
func (a *Area) Drained() bool {
	for r := range a.n {
		if a.open && r != a.me && a.Area.Done(r) < a.Seq {
			return false
		}
	}
	return true
}

// Data is where n bytes of rank r's data of the present operation stand, in its slot or its bulk: read by
// others between Ready and Done; ok is false when rank r says that they stand elsewhere. Its owner writes it
// between Place and Publish.
func (a *Area) Data(r int, n int64) (at uintptr, ok bool) { return a.Area.Data(r, n) }

// Bytes is the size of that data.
func (a *Area) Bytes(r int) int64 {
	return int64(*shm.Word64(a.Slot(r) + shm.SlotLength) & shm.SlotBytes)
}

// Pointed tells whether rank r's data is a table of addresses in its memory.
func (a *Area) Pointed(r int) bool {
	return *shm.Word64(a.Slot(r) + shm.SlotLength)&shm.SlotPointed != 0
}

// Publish shows this rank's data to the others, for which there was a Place. Pairs with Ready.
func (a *Area) Publish() {
	shm.StoreRel64(shm.Word64(a.Slot(a.me)+shm.SlotNumber), a.Seq)
	a.wake()
}

// PublishSize is Publish of nothing but the size of data that is not there, which nobody reads.
func (a *Area) PublishSize(n int64) {
	*shm.Word64(a.Slot(a.me) + shm.SlotLength) = uint64(n)
	a.Publish()
}

// PublishTable is Publish of data that is a table of addresses in this rank's memory.
func (a *Area) PublishTable() {
	*shm.Word64(a.Slot(a.me) + shm.SlotLength) |= shm.SlotPointed
	a.Publish()
}

func (a *Area) wake() {
	for r := range a.bells {
		if r != a.me {
			a.bells[r].Ring()
		}
	}
}

// Await chooses for whom Ready looks: the ranks from first up to, not including, end.
func (a *Area) Await(first, end int) *Area {
	a.next, a.end = first, end
	return a
}

// Ready tells whether all awaited ranks have published in the present operation. Pairs with Publish.
func (a *Area) Ready() bool {
	for a.next < a.end && (a.next == a.me || a.Shown(a.next)) {
		a.next++
	}
	return a.next >= a.end
}

// Done ends the present operation: this rank has read what it needs. all says that it has waited for everybody.
// Pairs with Free and Drain, for which others may be asleep.
func (a *Area) Done(all bool) {
	if all {
		a.Lowest = a.Seq - 1
	}
	a.shown = false
	shm.StoreRel64(shm.Word64(a.Peer(a.me).Base+shm.AreaDone), a.Seq)
	a.wake()
}

// Shown tells whether rank r has published in the present operation.
func (a *Area) Shown(r int) bool {
	return atomic.LoadUint64(shm.Word64(a.Slot(r)+shm.SlotNumber)) == a.Seq
}

// Scratch is private memory for n bytes.
func (a *Area) Scratch(n int64) uintptr {
	if int64(len(a.values)) < n {
		a.values = make([]byte, n)
	}
	return shm.Address(a.values)
}

// Room is the condition that n bytes can be shown, for those who wait for it.
func (a *Area) Room(n int64) *Room {
	a.need = n
	return (*Room)(a)
}

// Room is that condition.
type Room Area

// Ready is Free.
func (r *Room) Ready() bool { return r.Free(r.need) }

// Drain is the condition that the ranks from first up to, not including, end are done with the present operation.
func (a *Area) Drain(first, end int) *Drain {
	a.done, a.doneEnd = first, end
	return (*Drain)(a)
}

// Drain is that condition, for those who wait for it.
type Drain Area

// Ready tells whether they are.
func (d *Drain) Ready() bool {
	a := (*Area)(d)
	for a.done < a.doneEnd && (a.done == a.me || a.Area.Done(a.done) >= a.Seq) {
		a.done++
	}
	return a.done >= a.doneEnd
}
