package check

import (
	"slices"
	"sync"
)

// Buffers is the memory that operations under way use. Its methods may be called by any thread.
type Buffers struct {
	mu    sync.Mutex
	near  map[uintptr][]use // by the blocks of memory that they touch
	large []use             // those that touch many
}

type use struct {
	o *Operation
	u *Use
}

// Memory is looked for by blocks of 64 KiB; what touches more than a few stands in a list.
const (
	blockShift = 16
	mostBlocks = 16
)

// Conflict is two uses of the same memory, of which at least one writes.
type Conflict struct {
	Own   *Use // of the operation that begins
	Other *Use
	With  *Operation // whose use the other one is; the one that begins itself if both are
}

// Begin notes that an operation is under way, with the content of what must not change if it outlasts its
// call, and returns the first conflict with others and within itself.
func (b *Buffers) Begin(o *Operation, lasts bool) (c Conflict, found bool) {
	if lasts {
		o.seal()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range o.Uses {
		u := &o.Uses[i]
		if u.Empty() {
			continue
		}
		if !found {
			c, found = b.conflict(o, u)
		}
		b.each(u, func(list []use) []use { return append(list, use{o, u}) })
	}
	o.active = true
	return c, found
}

// End notes that an operation has ended.
func (b *Buffers) End(o *Operation) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !o.active {
		return
	}
	o.active = false
	for i := range o.Uses {
		u := &o.Uses[i]
		if u.Empty() {
			continue
		}
		b.each(u, func(list []use) []use {
			if at := slices.Index(list, use{o, u}); at >= 0 {
				list = slices.Delete(list, at, at+1)
			}
			return list
		})
	}
}

// Touch is the first operation under way that uses some memory, which a call is about to write to; nil when
// there is none.
func (b *Buffers) Touch(m Memory) *Operation {
	b.mu.Lock()
	defer b.mu.Unlock()
	c, found := b.conflict(nil, &Use{Memory: m, Writes: true})
	if !found {
		return nil
	}
	return c.With
}

// conflict looks for a use that u must not overlap. The lock is held.
func (b *Buffers) conflict(o *Operation, u *Use) (c Conflict, found bool) {
	look := func(list []use) {
		for _, x := range list {
			if !found && (x.u.Writes || u.Writes) && x.u.Overlaps(&u.Memory) {
				c, found = Conflict{u, x.u, x.o}, true
			}
		}
	}
	first, last := u.lo>>blockShift, (u.hi-1)>>blockShift
	if last-first < mostBlocks {
		for k := first; k <= last; k++ {
			look(b.near[k])
		}
	} else {
		for k, list := range b.near {
			if first <= k && k <= last {
				look(list)
			}
		}
	}
	look(b.large)
	if !found && o != nil && u.Writes && u.Twice() {
		c, found = Conflict{u, u, o}, true
	}
	return c, found
}

// each changes the lists that u belongs to. The lock is held.
func (b *Buffers) each(u *Use, change func([]use) []use) {
	first, last := u.lo>>blockShift, (u.hi-1)>>blockShift
	if last-first >= mostBlocks {
		b.large = change(b.large)
		return
	}
	if b.near == nil {
		b.near = map[uintptr][]use{}
	}
	for k := first; k <= last; k++ {
		if list := change(b.near[k]); len(list) == 0 {
			delete(b.near, k)
		} else {
			b.near[k] = list
		}
	}
}
