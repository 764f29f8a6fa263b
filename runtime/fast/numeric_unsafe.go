//fast:go

package fast

import (
	"sync/atomic"
	"unsafe"
)

// numericAt is the type at an address.
//
//fast:c ((struct fast_numeric *)(%0))
func numericAt(addr uintptr) *Numeric { return (*Numeric)(at(addr)) }

// AddNumeric lets C find a type, which one thread at a time does. Without memory there is none.
func (o *Objects) AddNumeric(combiner, p, r int32, handle uintptr) {
	addr := o.arena.piece(uint64(unsafe.Sizeof(Numeric{})))
	if addr == 0 {
		return
	}
	bucket := &o.Numerics[numericBucket(combiner, p, r)]
	*numericAt(addr) = Numeric{Combiner: combiner, P: p, R: r, Handle: handle, Next: *bucket}
	atomic.StoreUintptr(bucket, addr)
}
