// Package area is the part of a node's shared segment through which its ranks do small collectives: every rank has a
// few slots that it alone writes and all may read, so a contribution is written once and no message is sent. It knows
// counting and waiting, not what is computed.
//
// # Protocol
//
// The ranks go through the same operations in the same order, numbered from 1. In operation k a rank that contributes
// writes its data into its slot k mod Slots and publishes k there; a rank that reads waits for the number and, when it
// has read all that it needs, counts k as done. Before slot k mod Slots is written again, in operation k+Slots, its
// owner makes sure that everybody is done with k.
//
// In an operation in which everybody waits for everybody (a barrier, an allreduce) that comes for free: whoever has
// published k had done k-1. Only a long row of operations without one makes a rank look at the others' counts.
package area

import (
	"sync/atomic"

	"gompi/shm"
)

// Geometry of a rank's area, from shm.RankColl on, in bytes.
const (
	doneWord  = 0   // uint32: operations done. Written by the owner, read by all
	firstSlot = 128 // slots begin here: uint32 number of the operation, uint32 size, data
	slotSize  = 448
	sizeWord  = 4 // in a slot: uint32 bytes of data. Written by the owner ahead of the number
	dataStart = 8

	Slots   = 4                    // per rank
	MaxData = slotSize - dataStart // bytes that one rank can contribute
)

// MaxRanks is the number of ranks up to which everybody reading everybody's slots is a good idea.
const MaxRanks = 64

// Area is one rank's view. It is used by one thread at a time.
type Area struct {
	me, n  int
	base   []uintptr // area of each rank
	bells  []shm.Bell
	seq    uint32 // number of the present operation
	lowest uint32 // everybody is done with the operations up to this one
	next   int    // Ready: first rank not known to have arrived
	end    int
	values []byte
}

// New is the view of node rank me of n.
func New(s *shm.Segment, me, n int) *Area {
	a := &Area{me: me, n: n}
	for r := range n {
		a.base = append(a.base, s.Base+shm.RankOffset(r)+shm.RankColl)
		a.bells = append(a.bells, shm.BellOf(s, r))
	}
	return a
}

// Begin starts the next operation.
func (a *Area) Begin() { a.seq++ }

// Size is the number of ranks.
func (a *Area) Size() int { return a.n }

// Free tells whether everybody is done with what this rank's slot held before.
func (a *Area) Free() bool {
	if int32(a.lowest-(a.seq-Slots)) >= 0 {
		return true
	}
	lowest := a.seq
	for r := range a.n {
		if done := atomic.LoadUint32(shm.Word32(a.base[r] + doneWord)); r != a.me && int32(done-lowest) < 0 { // pairs with Done
			lowest = done
		}
	}
	a.lowest = lowest
	return int32(lowest-(a.seq-Slots)) >= 0
}

// Data is where rank r's contribution to the present operation stands: written by its owner between Free and Publish,
// read by the others between Ready and Done.
func (a *Area) Data(r int) uintptr { return a.slot(r) + dataStart }

// Bytes is the size of that contribution.
func (a *Area) Bytes(r int) int64 { return int64(*shm.Word32(a.slot(r) + sizeWord)) }

func (a *Area) slot(r int) uintptr { return a.base[r] + firstSlot + uintptr(a.seq%Slots)*slotSize }

// Publish shows this rank's contribution of n bytes to the others. Pairs with Ready.
func (a *Area) Publish(n int) {
	*shm.Word32(a.slot(a.me) + sizeWord) = uint32(n)
	shm.StoreRel32(shm.Word32(a.slot(a.me)), a.seq)
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

// Ready tells whether all awaited contributions to the present operation are there. Pairs with Publish.
func (a *Area) Ready() bool {
	for a.next < a.end && atomic.LoadUint32(shm.Word32(a.slot(a.next))) == a.seq {
		a.next++
	}
	return a.next >= a.end
}

// Done ends the present operation: this rank has read what it needs. all says that it has waited for everybody.
// Pairs with Free.
func (a *Area) Done(all bool) {
	if all {
		a.lowest = a.seq - 1
	}
	shm.StoreRel32(shm.Word32(a.base[a.me]+doneWord), a.seq)
}

// Scratch is private memory for MaxData bytes per rank.
func (a *Area) Scratch() uintptr {
	if a.values == nil {
		a.values = make([]byte, a.n*MaxData)
	}
	return shm.Address(a.values)
}

// Room is the condition that Free holds, for those who wait for it.
type Room Area

// Ready is Free.
func (r *Room) Ready() bool { return (*Area)(r).Free() }
