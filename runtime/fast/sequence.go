package fast

import "sync/atomic"

// What both languages change stands under a number that is odd while somebody writes. Who reads compares the
// number before and after, and leaves the call to Go where it has changed.

// unchanged reports whether nobody has written since the number was before.
func unchanged(number *uint32, before uint32) bool {
	loadsBefore()
	return before%2 == 0 && atomic.LoadUint32(number) == before
}

// seize makes the number odd, for one thread at a time; false when somebody else writes. release ends that.
func seize(number *uint32) bool {
	before := atomic.LoadUint32(number)
	return before%2 == 0 && atomic.CompareAndSwapUint32(number, before, before+1)
}

// release makes the number even.
func release(number *uint32) { atomic.AddUint32(number, 1) }
