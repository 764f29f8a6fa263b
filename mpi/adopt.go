package mpi

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/group"
	"gompi/runtime/info"
)

// Objects that C has made (fast.Record) become objects of Go's when a call into Go needs them.

// adopt gives Go an object for what C has made, and is that; nil when there is none. p is the slot of h.
func (t *table[T]) adopt(p *slot[T], h uintptr) *T {
	endpoint := records.Load()
	if endpoint == nil {
		return nil
	}
	object, _ := fromRecord(endpoint, h).(*T)
	t.mu.Lock()
	defer t.mu.Unlock()
	if object != nil && claim(endpoint, h, object) {
		p.object.Store(object)
		p.handle.Store(h)
	}
	if p.handle.Load() != h { // another thread may have been first
		return nil
	}
	return p.object.Load()
}

// fromRecord is an object as C has made it; nil when there is none.
func fromRecord(endpoint *fast.Endpoint, h uintptr) any {
	switch h >> KindShift {
	case kindErrhandler:
		if r := endpoint.LoneErrhandler(h); r != nil {
			return errhandlerOf(r, h)
		}
	case KindDatatype:
		if r := endpoint.LoneType(h); r != nil {
			return typeFromRecord(r, h)
		}
	case kindGroup:
		if r := endpoint.LoneGroup(h); r != nil {
			return group.FromForm(int(r.Size), int(r.Base), int(r.Stride), r.Processes()).From(r.Session)
		}
	case kindInfo:
		if endpoint.IsLoneInfo(h) {
			return new(info.Info)
		}
	case kindOp:
		if r := endpoint.LoneOp(h); r != nil {
			return newOp(r.Function|r.Large, r.Large != 0, r.Commutes != 0)
		}
	case kindKeyval:
		if r := endpoint.LoneKeyval(h); r != nil {
			return keys.Create(int(h), &functions{copy: r.Copy, delete: r.Delete, extra: r.Extra}, r)
		}
	}
	return nil
}

// typeFromRecord is a datatype as C has made it.
func typeFromRecord(r *fast.Type, h uintptr) *datatype.Type {
	c := datatype.Contents{Combiner: datatype.Combiner(r.Combiner)}
	var types []int64
	c.Integers, c.Addresses, types = r.Arguments()
	for _, old := range types {
		part := lookupType(uintptr(old))
		if part == nil {
			return nil // another thread has adopted it, and freed this one
		}
		c.Types = append(c.Types, part)
	}
	t, err := datatype.FromContents(c)
	if err != nil {
		return nil // it is not the record of that type any more
	}
	t.SetReference(h)
	t.ShareCommitment(&r.Committed)
	return t
}

// claim notes that Go has an object for what C has made, unless that has ended or Go has one already.
func claim(endpoint *fast.Endpoint, h uintptr, object any) bool {
	switch x := object.(type) {
	case *info.Info:
		return endpoint.ClaimInfo(h, x.Shared())
	case *datatype.Type:
		record := endpoint.LoneType(h)
		if record == nil || !endpoint.Claim(h) {
			return false
		}
		endpoint.LetGo(record, h)
		return true
	}
	return endpoint.Claim(h)
}

// How many free records C gets when it needs one and there is none: more each time.
const (
	leastAhead = 8
	mostAhead  = chunkSize
)

// prepare gives C free records, to make objects of, where it has none.
func (t *table[T]) prepare() {
	endpoint := recording()
	if endpoint == nil || endpoint.HasPrepared(t.kind) {
		return
	}
	t.mu.Lock()
	t.ahead = min(max(2*t.ahead, leastAhead), mostAhead)
	n := t.ahead
	t.mu.Unlock()
	for range n {
		h := t.reserve()
		if h == 0 {
			return
		}
		if !endpoint.Prepare(h) {
			t.giveUp(h)
			return
		}
	}
}
