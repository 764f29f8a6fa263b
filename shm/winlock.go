package shm

import "sync/atomic"

// TicketLock is a lock in shared memory that may be held by one rank alone or by several in common, in the order in which
// they came. It is three words: the next ticket, and the tickets that may be held exclusively and in common now. Whoever
// wants it takes a ticket and waits until that is named: for an exclusive holder in both words. An exclusive holder,
// giving it back, names the next ticket in the word of the exclusive ones and then in the other one: nobody comes in
// before it has stopped writing. One of several lets the next ticket in as soon as it has come in itself, and names the
// next in the word of the exclusive ones when it leaves, so that these words agree again when all have left.
//
// Whoever waits writes its node rank to its ticket's turn. A rank that has moved a word on rings the one whose turn it
// is. The two sides may miss each other by the time that a store takes to become visible, as with any Bell.
//
// The C stubs work on the same words (capi/window.h) as far as nobody has to wait.
type TicketLock struct {
	Words *uint32 // ticket, write, read
	turn  *uint32
	mask  uint32
	bells uintptr
	nodes uint32 // node ranks, of which each has a bell
}

// Words of a ticket lock, from its begin.
const (
	LockNext  = iota // the next ticket
	LockWrite        // the ticket that may be held exclusively
	LockRead         // the ticket that may be held in common
)

// Lock is the lock of a target.
func (w *Window) Lock(t *Target) TicketLock {
	return TicketLock{t.Lock, t.Turn, w.Turns, t.Bells, w.Nodes}
}

func (l *TicketLock) word(n uint32) *uint32 { return Next32(l.Words, n) }

// Take takes a ticket. node is the caller's node rank, by which it is woken.
func (l *TicketLock) Take(node uint32) (ticket uint32) {
	ticket = atomic.AddUint32(l.word(LockNext), 1) - 1
	atomic.StoreUint32(Next32(l.turn, ticket&l.mask), node+1)
	return ticket
}

// Named tells whether the ticket may be held now. Pairs with Enter and Leave.
func (l *TicketLock) Named(ticket uint32, exclusive bool) bool {
	return atomic.LoadUint32(l.word(LockRead)) == ticket && (!exclusive || atomic.LoadUint32(l.word(LockWrite)) == ticket)
}

// Free reports whether the lock could be held at once. Somebody may take it before the caller knows.
func (l *TicketLock) Free(exclusive bool) bool {
	return l.Named(atomic.LoadUint32(l.word(LockNext)), exclusive)
}

// Enter follows when the ticket is named: the caller holds the lock.
func (l *TicketLock) Enter(ticket uint32, exclusive bool) {
	if !exclusive {
		atomic.StoreUint32(l.word(LockRead), ticket+1)
		l.ring(ticket + 1)
	}
}

// Leave gives the lock back.
func (l *TicketLock) Leave(exclusive bool) {
	next := uint32(0)
	if exclusive {
		next = atomic.LoadUint32(l.word(LockWrite)) + 1
		StoreRel32(l.word(LockWrite), next)
		atomic.StoreUint32(l.word(LockRead), next)
	} else {
		next = atomic.AddUint32(l.word(LockWrite), 1)
	}
	l.ring(next)
}

// ring wakes the holder of a ticket that was named, if there is one yet.
func (l *TicketLock) ring(ticket uint32) {
	if atomic.LoadUint32(l.word(LockNext)) == ticket {
		return
	}
	if node := atomic.LoadUint32(Next32(l.turn, ticket&l.mask)); node-1 < l.nodes {
		Bell{Word32(l.bells + uintptr(node-1)*RankStride)}.Ring()
	}
}
