package mpi

import (
	"sync"
	"sync/atomic"

	"gompi/runtime/fast"
)

// A handle is an integer of 30 bits that stands instead of a C pointer. Values below 4096 are predefined
// (MPI 5.0, 20.3). The others name objects that the program made:
//
//	bit 29   28..22           21..0
//	1        generation (7)   index (22)                requests: an index in the pool of runtime/request
//	bit 29   28..25   24..18           17..0
//	0        kind     generation (7)   index (18)       everything else: an index in a table
//
// Indices below 4096 are left to the predefined handles, each of which is its own index, so that one look-up
// finds the records of both (package fast).
//
// The generation changes each time a slot is used again, so a freed handle is found out. Nothing is locked
// to look one up.
const (
	maxPredefined = 4095

	requestFlag = 1 << 29

	KindShift  = fast.KindShift
	kindMask   = 0x1f // bit 29 included, so that no request passes for another object
	genShift   = fast.ObjectBits
	genMask    = 1<<(KindShift-genShift) - 1
	IndexMask  = 1<<genShift - 1
	most       = IndexMask + 1 - fast.FirstObject // objects of a kind
	chunkShift = 8
	chunkSize  = 1 << chunkShift
)

// Kinds of objects with a table. Kind 0 is left out so that no handle is a predefined one.
const (
	kindErrhandler = 1 + iota
	KindDatatype
	_ // messages have handles of another shape (fast.Endpoint.MessageHandle)
	kindComm
	kindGroup
	kindInfo
	kindOp
	kindWin
	kindFile
	kindSession
	kindKeyval
)

// Package fast knows the kinds of what C frees.
var (
	_ = [1]struct{}{}[kindErrhandler-fast.KindErrhandler]
	_ = [1]struct{}{}[KindDatatype-fast.KindDatatype]
	_ = [1]struct{}{}[kindGroup-fast.KindGroup]
	_ = [1]struct{}{}[kindInfo-fast.KindInfo]
	_ = [1]struct{}{}[kindOp-fast.KindOp]
	_ = [1]struct{}{}[kindKeyval-fast.KindKeyval]
)

// table holds the objects of one kind.
type table[T any] struct {
	kind   uintptr
	chunks [(IndexMask + 1) / chunkSize]atomic.Pointer[[chunkSize]slot[T]]

	mu    sync.Mutex
	used  uintptr   // slots ever used, the first one for index fast.FirstObject
	free  []uintptr // handles whose slots are free, with their next generation
	ahead int       // how many free records C got when it had none
}

type slot[T any] struct {
	handle atomic.Uintptr // of the object that lives here; 0 when there is none
	object atomic.Pointer[T]
}

// get is the object that h names, nil when there is none.
func (t *table[T]) get(h uintptr) *T {
	if h>>KindShift != t.kind {
		return nil
	}
	p := t.at(h & IndexMask)
	if p == nil {
		return nil
	}
	if p.handle.Load() != h {
		return t.adopt(p, h)
	}
	return p.object.Load()
}

func (t *table[T]) at(index uintptr) *slot[T] {
	chunk := t.chunks[index>>chunkShift].Load()
	if chunk == nil {
		return nil
	}
	return &chunk[index&(chunkSize-1)]
}

// put gives an object a handle; 0 when all are in use.
func (t *table[T]) put(object *T) uintptr {
	h := t.reserve()
	if h != 0 {
		t.fill(h, object)
	}
	return h
}

// reserve takes a handle that names nothing until fill is called; 0 when all are in use.
func (t *table[T]) reserve() uintptr {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.free); n > 0 {
		h := t.free[n-1]
		t.free = t.free[:n-1]
		return h
	}
	if t.used >= most {
		return 0
	}
	index := fast.FirstObject + t.used
	h := t.kind<<KindShift | index
	if index%chunkSize == 0 {
		t.chunks[index>>chunkShift].Store(new([chunkSize]slot[T]))
	}
	t.used++
	return h
}

// fill gives a reserved handle its object.
func (t *table[T]) fill(h uintptr, object *T) {
	p := t.at(h & IndexMask)
	p.object.Store(object)
	p.handle.Store(h)
}

// hold keeps the object to be at a reserved handle, which still names nothing, for held.
func (t *table[T]) hold(h uintptr, object *T) { t.at(h & IndexMask).object.Store(object) }

// held is the object that is kept in the slot of h, which may be that of another handle; nil when there is
// none.
func (t *table[T]) held(h uintptr) *T {
	if h>>KindShift != t.kind {
		return nil
	}
	if p := t.at(h & IndexMask); p != nil {
		return p.object.Load()
	}
	return nil
}

// giveUp returns a reserved handle that gets no object.
func (t *table[T]) giveUp(h uintptr) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.at(h & IndexMask).object.Store(nil)
	t.recycle(h)
}

// recycle makes a slot free for a handle of the next generation. The lock is held.
func (t *table[T]) recycle(h uintptr) {
	t.free = append(t.free, fast.NextHandle(h))
}

// remove takes the handle away; it returns the object, nil when the handle named none.
func (t *table[T]) remove(h uintptr) *T {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.at(h & IndexMask)
	if h>>KindShift != t.kind || p == nil || p.handle.Load() != h {
		return nil
	}
	object := p.object.Load()
	p.handle.Store(0)
	p.object.Store(nil)
	t.recycle(h)
	return object
}

// each calls f for every object with its handle.
func (t *table[T]) each(f func(h uintptr, object *T)) {
	t.mu.Lock()
	var handles []uintptr
	for i := range t.used {
		if h := t.at(fast.FirstObject + i).handle.Load(); h != 0 {
			handles = append(handles, h)
		}
	}
	t.mu.Unlock()
	for _, h := range handles {
		if object := t.get(h); object != nil {
			f(h, object)
		}
	}
}
