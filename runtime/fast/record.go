package fast

import "sync/atomic"

// Record is what the records of those kinds begin with of which C makes and frees objects.
//
// Go gives C free records ahead (Endpoint.Prepared), each with the handle that the next object there is to
// have. C fills one in, and Go has no object of its own for it before it needs one (Lone). A record that C
// ends before that is free again at once, for a handle of the next generation.
type Record struct {
	Handle uintptr // by which the program names the object; 0 when it is none. Written last
	Next   uintptr // handle in Endpoint.Retired, or of the next free record
	Lone   uint32  // 1: C has made the object, and Go has none for it
}

// Kinds of objects, in a handle from bit KindShift on (mpi/handle.go).
const (
	KindShift = 25

	KindErrhandler uintptr = 1
	KindDatatype   uintptr = 2
	KindGroup      uintptr = 5
	KindInfo       uintptr = 6
	KindOp         uintptr = 7
	KindKeyval     uintptr = 11
	kinds                  = 12
)

// NextHandle is the handle of the next object at the place of another one.
func NextHandle(handle uintptr) uintptr {
	const low, mask = 1 << ObjectBits, 1<<KindShift - 1<<ObjectBits
	return handle&^mask | (handle+low)&mask
}

// record is the record that a handle of a kind leads to, whether or not it names anything. Its chunk is
// there.
//
//fast:hot
func (o *Objects) record(kind, handle uintptr) *Record {
	chunk := handle & objectMask >> ChunkBits
	i := handle & chunkMask
	switch kind {
	case KindErrhandler:
		h := errhandlerOf(o.Handlers[chunk], i)
		return &h.Record
	case KindDatatype:
		t := typeOf(o.Types[chunk], i)
		return &t.Record
	case KindGroup:
		g := groupOf(o.Groups[chunk], i)
		return &g.Record
	case KindInfo:
		n := infoOf(o.Infos[chunk], i)
		return &n.Record
	case KindKeyval:
		k := keyvalOf(o.Keys[chunk], i)
		return &k.Record
	}
	op := opOf(o.Operations[chunk], i)
	return &op.Record
}

// takeRecord takes a free record of a kind, and is the handle that the object is to have; 0 where Go has to
// give more of them.
//
//fast:hot
func (o *Objects) takeRecord(kind uintptr) uintptr {
	for {
		head := atomic.LoadUint64(&o.Prepared[kind])
		h := uintptr(head & (1<<32 - 1))
		if h == 0 {
			return 0
		}
		r := o.record(kind, h)
		next := uint64(atomic.LoadUintptr(&r.Next))
		if atomic.CompareAndSwapUint64(&o.Prepared[kind], head, (head>>32+1)<<32|next) {
			r.Lone = 1
			return h
		}
	}
}

// giveRecord makes a record free for an object with that handle.
//
//fast:hot
func (o *Objects) giveRecord(kind uintptr, r *Record, handle uintptr) {
	for {
		head := atomic.LoadUint64(&o.Prepared[kind])
		atomic.StoreUintptr(&r.Next, uintptr(head&(1<<32-1)))
		if atomic.CompareAndSwapUint64(&o.Prepared[kind], head, (head>>32+1)<<32|uint64(handle)) {
			return
		}
	}
}

// publish gives an object that has been made its handle, and the program as well.
//
//fast:hot
func (r *Record) publish(handle, to uintptr) {
	*wordAt(to) = handle
	atomic.StoreUintptr(&r.Handle, handle)
}

// end ends an object, and reports false when another thread has.
//
//fast:hot
func (r *Record) end(handle uintptr) bool { return atomic.CompareAndSwapUintptr(&r.Handle, handle, 0) }

// isLone reports whether Go has no object for a record that C has made.
func (r *Record) isLone() bool { return atomic.LoadUint32(&r.Lone) != 0 }

// retire follows when C has ended an object. If Go has one as well, it stands in a list, Endpoint.Retired,
// until the next call into Go ends that (EndRetired). So freeing something takes no call of its own.
//
//fast:hot
func (o *Objects) retire(kind uintptr, r *Record, handle uintptr) {
	if r.isLone() {
		o.giveRecord(kind, r, NextHandle(handle))
		return
	}
	for {
		head := atomic.LoadUint64(&o.Retired)
		r.Next = uintptr(head)
		if atomic.CompareAndSwapUint64(&o.Retired, head, uint64(handle)) {
			return
		}
	}
}
