package shm

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// newTicketLock is a lock in memory of its own, for holders on n node ranks.
func newTicketLock(t *testing.T, n uint32) *TicketLock {
	const turns = 64
	memory := make([]uint32, 3+turns)
	bells, err := Private(uintptr(n) * RankStride)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unmap(bells, int64(n)*RankStride) })
	return &TicketLock{Words: &memory[0], turn: &memory[3], mask: turns - 1, bells: bells, nodes: n}
}

// A ticket that is named to somebody has not been named before its last holder has stopped writing: an exclusive holder
// that is stopped in the middle of giving the lock back keeps the others out, whatever they want, or has let them in for
// good.
func TestTicketLockIsGivenBackOnce(t *testing.T) {
	for _, exclusive := range []bool{false, true} {
		l := newTicketLock(t, 2)
		first := l.Take(0)
		if !l.Named(first, true) {
			t.Fatal("nobody holds a lock, and it cannot be held")
		}
		l.Enter(first, true)
		second := l.Take(1)
		// As Leave, stopped after its first store.
		StoreRel32(l.word(LockWrite), first+1)
		if l.Named(second, exclusive) {
			t.Errorf("a lock that is not given back yet can be held (exclusive: %v)", exclusive)
		}
		atomic.StoreUint32(l.word(LockRead), first+1)
		if !l.Named(second, exclusive) {
			t.Errorf("a lock that is given back cannot be held (exclusive: %v)", exclusive)
		}
	}
}

// Holders of both kinds that come and go at random all get the lock in the end, an exclusive one alone.
func TestTicketLock(t *testing.T) {
	const holders, times = 6, 3000
	l := newTicketLock(t, holders)
	var inside, exclusively atomic.Int32
	var all sync.WaitGroup
	for me := range uint32(holders) {
		all.Go(func() {
			for i := range uint32(times) {
				exclusive := (i*7+me*3)%5 < 2
				ticket := l.Take(me)
				for !l.Named(ticket, exclusive) {
					runtime.Gosched()
				}
				l.Enter(ticket, exclusive)
				now := inside.Add(1)
				if exclusive {
					exclusively.Add(1)
					if now != 1 {
						t.Errorf("%d hold a lock that one holds exclusively", now)
					}
				} else if exclusively.Load() != 0 {
					t.Error("a lock is held in common beside an exclusive holder")
				}
				if i%16 == 0 {
					runtime.Gosched()
				}
				if exclusive {
					exclusively.Add(-1)
				}
				inside.Add(-1)
				l.Leave(exclusive)
			}
		})
	}
	all.Wait()
	if next := atomic.LoadUint32(l.word(LockNext)); next != holders*times {
		t.Errorf("%d tickets were taken, want %d", next, holders*times)
	}
}
