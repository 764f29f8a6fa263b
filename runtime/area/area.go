// Package area is the part of a node's shared segment through which its ranks do collectives: every rank has a few slots
// for each communicator that it alone writes and all may read. What is short stands there itself, so that it is written
// once and no message is sent; of what is long, where it lies. It knows counting and waiting, not what is computed.
//
// # Protocol
//
// The ranks of a communicator go through the same operations in the same order, numbered. In operation k a rank that has
// something to show writes it into its slot k mod Slots and publishes k there; a rank that reads waits for the number
// and, when it has read all that it needs, counts k as done. Before slot k mod Slots is written again, in operation
// k+Slots, its owner makes sure that everybody is done with k.
//
// In an operation in which everybody waits for everybody (a barrier, an allreduce) that comes for free: whoever has
// published k had done k-1. Only a long row of operations without one makes a rank look at the others' counts.
//
// A communicator's areas are found by the number of its contexts, which is used again when it has been freed. Numbers of
// operations then go on above all that the earlier users have left behind (Open).
package area

import (
	"sync/atomic"

	"gompi/shm"
)

// Geometry of slots.
const (
	Slots   = shm.AreaCount                   // per rank
	MaxData = shm.AreaSlotSize - shm.SlotData // bytes that fit into a slot
)

// MaxRanks is the number of ranks up to which everybody reading everybody's slots is a good idea.
const MaxRanks = 64

// Node is what a process knows of the areas on its node.
type Node struct {
	segment  *shm.Segment
	ranks    int         // of the segment
	nodeRank map[int]int // by job rank
}

// NewNode is the areas in a segment, whose ranks have the given job ranks. near tells which of these share the node with
// this process; nil for all.
func NewNode(s *shm.Segment, ranks []int, near func(jobRank int) bool) *Node {
	n := &Node{segment: s, ranks: len(ranks), nodeRank: make(map[int]int, len(ranks))}
	for i, r := range ranks {
		if near == nil || near(r) {
			n.nodeRank[r] = i
		}
	}
	return n
}

// New is the view that rank me of a communicator of size ranks has of its areas. jobRank tells who the ranks are; nil
// when one of them is on another node, or the communicator has too many ranks or no areas.
func (n *Node) New(unit, me, size int, jobRank func(int) int) *Area {
	if unit >= shm.AreaUnits || size < 2 || size > MaxRanks {
		return nil
	}
	a := &Area{first: unit == 0, me: me, n: size, base: make([]uintptr, size), bells: make([]shm.Bell, size)}
	for r := range size {
		node, ok := n.nodeRank[jobRank(r)]
		if !ok {
			return nil
		}
		a.base[r] = n.segment.Base + shm.AreaOffset(n.ranks, node, unit)
		a.bells[r] = shm.BellOf(n.segment, node)
	}
	return a
}

// Area is one rank's view. It is used by one thread at a time.
type Area struct {
	me, n   int
	base    []uintptr // area of each rank
	bells   []shm.Bell
	first   bool // the areas are MPI_COMM_WORLD's
	open    bool
	direct  bool
	seq     uint64 // number of the present operation
	lowest  uint64 // everybody is done with the operations up to this one
	next    int    // Ready: first rank not known to have arrived
	end     int
	done    int // Drain: first rank not known to be done
	doneEnd int
	step    uint64 // what StepRoom and Shown are about
	values  []byte
}

// Last is the number of the last operation that this rank has done here, for this communicator or an earlier one.
func (a *Area) Last() uint64 { return *shm.Word64(a.base[a.me] + shm.AreaDone) }

// Opened tells whether the area has been opened.
func (a *Area) Opened() bool { return a.open }

// Open begins with operations above last, which is the greatest of what Last is on all ranks. direct says that all ranks
// can read each other's memory.
func (a *Area) Open(last uint64, direct bool) {
	a.open, a.direct = true, direct
	a.seq = last + Slots
	a.lowest = a.seq
}

// First tells whether no communicator can have used these areas before this one, on any rank.
func (a *Area) First() bool { return a.first }

// SetDirect says whether all ranks can read each other's memory, on all ranks the same.
func (a *Area) SetDirect(direct bool) { a.direct = direct }

// Direct tells whether all ranks can read each other's memory.
func (a *Area) Direct() bool { return a.direct }

// Begin starts the next operation.
func (a *Area) Begin() { a.seq++ }

// Size is the number of ranks.
func (a *Area) Size() int { return a.n }

// Free tells whether everybody is done with what this rank's slot held before.
func (a *Area) Free() bool {
	if a.lowest+Slots >= a.seq {
		return true
	}
	lowest := a.seq
	for r := range a.n {
		if done := a.doneBy(r); r != a.me && done < lowest { // pairs with Done
			lowest = done
		}
	}
	a.lowest = lowest
	return lowest+Slots >= a.seq
}

func (a *Area) doneBy(r int) uint64 {
	return atomic.LoadUint64(shm.Word64(a.base[r] + shm.AreaDone))
}

// Drained tells whether all others are done with all that this rank has shown.
func (a *Area) Drained() bool {
	for r := range a.n {
		if a.open && r != a.me && a.doneBy(r) < a.seq {
			return false
		}
	}
	return true
}

// Data is where rank r's data of the present operation stands if it is in its slot: written by its owner between Free
// and Publish, read by the others between Ready and Done.
func (a *Area) Data(r int) uintptr { return a.slot(r) + shm.SlotData }

// Bytes is the size of that data.
func (a *Area) Bytes(r int) int64 { return int64(*shm.Word64(a.slot(r) + shm.SlotBytes)) }

// Where is the address of rank r's data in its own memory, 0 when it stands in the slot.
func (a *Area) Where(r int) uintptr { return uintptr(*shm.Word64(a.slot(r) + shm.SlotWhere)) }

func (a *Area) slot(r int) uintptr {
	return a.base[r] + shm.AreaSlots + uintptr(a.seq%Slots)*shm.AreaSlotSize
}

// Publish shows this rank's data of n bytes to the others: in its slot, or where it says. Pairs with Ready.
func (a *Area) Publish(n int64, where uintptr) {
	s := a.slot(a.me)
	*shm.Word64(s + shm.SlotBytes) = uint64(n)
	*shm.Word64(s + shm.SlotWhere) = uint64(where)
	shm.StoreRel64(shm.Word64(s+shm.SlotNumber), a.seq)
	a.wake()
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
		a.lowest = a.seq - 1
	}
	shm.StoreRel64(shm.Word64(a.base[a.me]+shm.AreaDone), a.seq)
	a.wake()
}

// Shown tells whether rank r has published in the present operation.
func (a *Area) Shown(r int) bool {
	return atomic.LoadUint64(shm.Word64(a.slot(r)+shm.SlotNumber)) == a.seq
}

// Scratch is private memory for n bytes.
func (a *Area) Scratch(n int64) uintptr {
	if int64(len(a.values)) < n {
		a.values = make([]byte, n)
	}
	return shm.Address(a.values)
}

// Room is the condition that Free holds, for those who wait for it.
type Room Area

// Ready is Free.
func (r *Room) Ready() bool { return (*Area)(r).Free() }

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
	for a.done < a.doneEnd && (a.done == a.me || a.doneBy(a.done) >= a.seq) {
		a.done++
	}
	return a.done >= a.doneEnd
}
