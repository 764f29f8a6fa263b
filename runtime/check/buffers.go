package check

import "sync"

// Buffers is the memory that operations under way use. Its methods may be called by any thread.
type Buffers struct {
	mu     sync.Mutex
	memory intervals
}

type use struct {
	o *Operation
	u *Use
}

// mostApart is how many runs of one use stand by themselves. Of memory in more runs than that all between the
// first and the last one stands there, and is looked at run by run.
const mostApart = 16

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
		u.stands = u.stands[:0:0] // those of an operation that this one is a copy of are its own
		for _, r := range u.stretches() {
			u.stands = append(u.stands, b.memory.add(r.lo, r.hi, use{o, u}))
		}
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
		for _, n := range u.stands {
			b.memory.remove(n)
		}
		u.stands = nil
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
	for _, r := range u.stretches() {
		overlaps := func(n *interval) bool { return n.u.Overlaps(&u.Memory) }
		if n := b.memory.overlapping(r.lo, r.hi, u.Writes, overlaps); n != nil {
			return Conflict{u, n.u, n.o}, true
		}
	}
	if o != nil && u.Writes && u.Twice() {
		return Conflict{u, u, o}, true
	}
	return c, false
}
