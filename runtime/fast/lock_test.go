package fast

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"gompi/shm"
)

// newLock is a window of n ranks and its rank 0, whose lock stands in memory of its own.
func newLock(t *testing.T, n int) (*Window, *Target) {
	size := uintptr(n) * shm.RankStride
	memory, err := shm.Private(size + BlockSize(n))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shm.Unmap(memory, int64(size+BlockSize(n))) })
	w := &Window{N: uint32(n), Turns: BlockTurns(n) - 1, Nodes: uint32(n), Bells: memory}
	return w, &Target{Block: memory + size}
}

// A ticket that is named to somebody has not been named before its last holder has stopped writing: an
// exclusive holder that is stopped in the middle of giving the lock back keeps the others out, whatever
// they want, or has let them in for good.
func TestLockIsGivenBackOnce(t *testing.T) {
	for _, exclusive := range []bool{false, true} {
		w, l := newLock(t, 2)
		first := w.TakeTicket(l, 0)
		if !l.Named(first, true) {
			t.Fatal("nobody holds a lock, and it cannot be held")
		}
		w.EnterLock(l, first, true)
		second := w.TakeTicket(l, 1)
		// As LeaveLock, stopped after its first store.
		shm.StoreRel32(l.word(BlockWrite), first+1)
		if l.Named(second, exclusive) {
			t.Errorf("a lock that is not given back yet can be held (exclusive: %v)", exclusive)
		}
		atomic.StoreUint32(l.word(BlockRead), first+1)
		if !l.Named(second, exclusive) {
			t.Errorf("a lock that is given back cannot be held (exclusive: %v)", exclusive)
		}
	}
}

// Holders of both kinds that come and go at random all get the lock in the end, an exclusive one alone.
func TestLock(t *testing.T) {
	const holders, times = 6, 3000
	w, l := newLock(t, holders)
	var inside, exclusively atomic.Int32
	var all sync.WaitGroup
	for me := range uint32(holders) {
		all.Go(func() {
			for i := range uint32(times) {
				exclusive := (i*7+me*3)%5 < 2
				ticket := w.TakeTicket(l, me)
				for !l.Named(ticket, exclusive) {
					runtime.Gosched()
				}
				w.EnterLock(l, ticket, exclusive)
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
				w.LeaveLock(l, exclusive)
			}
		})
	}
	all.Wait()
	if next := atomic.LoadUint32(l.word(BlockTicket)); next != holders*times {
		t.Errorf("%d tickets were taken, want %d", next, holders*times)
	}
}
