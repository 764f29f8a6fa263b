package shm

import (
	"math"
	"sync/atomic"
	"time"
)

// Bell is the doorbell of one process: a futex word that is not 0 while the owner sleeps or is about to.
// Sleeping is split in two so that a peer's message costs its sender one load and no fence:
//
//	owner   Arm (word = mark, full fence), look at everything once more, Sleep or Disarm
//	peer    publish the message, Ring: load the word; if it is not 0, set it to 0 and wake the owner
//
// The peer's load may overtake its own publishing store: it then reads 0 while the owner, having armed, does
// not yet see the message. That window is as long as a store stays in a store buffer, so the owner's first
// nap after arming is short (FirstNap) and it looks again; a wake-up lost in the window is a delay of one
// short nap and never a hang. A store that was buffered when the first nap began has long landed when it
// ends, and from then on naps may be long.
//
// Several threads of the owner may sleep at once. Each arms with a mark of its own: one that is woken between
// Arm and Sleep finds another mark there if another thread has armed since, and does not sleep.
//
// Behind the word stands when the bell was last rung, by which the owner learns what a wake-up takes.
type Bell struct{ word *uint32 }

// BellOf is the doorbell of node rank r.
func BellOf(s *Segment, r int) Bell { return Bell{Word32(s.Base + RankOffset(r) + RankSleeping)} }

// BellAt is the doorbell of which the word is word.
func BellAt(word *uint32) Bell { return Bell{word} }

// Word is the futex word, for the C stubs.
func (b Bell) Word() *uint32 { return b.word }

// Arm announces that the owner is about to sleep. The store is a full fence: what the owner looks at
// afterwards is no older than the announcement. mark is not 0. Pairs with Ring.
func (b Bell) Arm(mark uint32) { atomic.StoreUint32(b.word, mark) }

// Disarm takes the announcement back.
func (b Bell) Disarm() { atomic.StoreUint32(b.word, 0) }

// Sleep waits until a peer rings or the limit is over; not at all if a peer has rung, or another thread has
// armed, since Arm with that mark, which comes first.
func (b Bell) Sleep(mark uint32, limit time.Duration) { FutexWait(b.word, mark, limit) }

// Ring wakes the owner if it sleeps; otherwise it costs one load of a line that is mostly shared. Pairs with
// Arm.
func (b Bell) Ring() {
	if atomic.LoadUint32(b.word) != 0 {
		b.Wake()
	}
}

// Wake wakes all threads that sleep on the bell.
func (b Bell) Wake() {
	if atomic.SwapUint32(b.word, 0) != 0 {
		atomic.StoreUint64(Rung(b.word), Now())
		FutexWake(b.word, math.MaxInt32)
	}
}
