//fast:go

package fast

import "runtime"

// loadsBefore keeps loads that stand before it from being carried out after those behind it.
//
//fast:c __atomic_thread_fence(__ATOMIC_ACQUIRE)
func loadsBefore() {}

// await is seize that waits for whoever writes.
func await(number *uint32) {
	for !seize(number) {
		runtime.Gosched()
	}
}
