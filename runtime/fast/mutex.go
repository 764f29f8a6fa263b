package fast

import "sync/atomic"

// The lock of an endpoint, for threads of C and of Go, which run the same code. It sleeps in the kernel.
// Access.Lock is 0 while it is free, 1 while it is held, and 2 while somebody may sleep besides.
//
// The lock is held for less than a microsecond as a rule; for longer only where its holder was put off its
// processor, which it may get back by a yield.

// lockRounds is between how many yields a thread looks whether the lock is free.
const lockRounds = 20

// tryLock tries to take the lock. It gives up soon.
func (e *Endpoint) tryLock() bool {
	for range uint32(lockRounds) {
		for range e.LockPolls {
			if atomic.LoadUint32(&e.Lock) == 0 && atomic.CompareAndSwapUint32(&e.Lock, 0, 1) {
				acquired()
				return true
			}
			pause()
		}
		if !e.Yield() {
			break
		}
	}
	return false
}

// Acquire takes the lock, however long that takes.
func (e *Endpoint) Acquire() {
	if e.tryLock() {
		return
	}
	for atomic.SwapUint32(&e.Lock, 2) != 0 {
		futexWait(&e.Lock, 2)
	}
	acquired()
}

// Release gives the lock back.
func (e *Endpoint) Release() {
	releasing()
	if atomic.SwapUint32(&e.Lock, 0) == 2 {
		futexWake(&e.Lock)
	}
}
