package shm

import "sync/atomic"

// Mutex is a lock for the threads of one process that sleeps in the kernel, not in the Go scheduler: threads
// that call in from C are bound to their goroutines, for which sync.Mutex would hand over between threads
// twice. The zero Mutex is free.
type Mutex struct {
	state uint32 // 0 free, 1 held, 2 held and somebody sleeps
}

// Lock waits until the lock is free and takes it.
func (m *Mutex) Lock() {
	if !atomic.CompareAndSwapUint32(&m.state, 0, 1) {
		m.lockSlow()
	}
	Acquired()
}

func (m *Mutex) lockSlow() {
	for begin := Now(); ; Pause(2) {
		if atomic.LoadUint32(&m.state) == 0 && atomic.CompareAndSwapUint32(&m.state, 0, 1) {
			return
		}
		if Now()-begin > uint64(SpinMutex) {
			break
		}
	}
	for atomic.SwapUint32(&m.state, 2) != 0 {
		FutexWait(&m.state, 2, 0)
	}
}

// Unlock gives the lock back.
func (m *Mutex) Unlock() {
	Releasing()
	if atomic.SwapUint32(&m.state, 0) == 2 {
		FutexWake(&m.state, 1)
	}
}
