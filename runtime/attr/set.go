package attr

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
)

// Set is the attributes of one object. The zero Set is empty and ready for use, by several threads. No lock
// is held while a callback runs.
type Set struct {
	mu       sync.Mutex            // held by whoever uses what follows
	shared   fast.Attributes       // which C uses as well, without mu
	registry *Registry             // of the keys; nil before there is an attribute
	integers map[int]*atomic.Int64 // Value.Integer, by the key's number
}

// attribute is a copy of one.
type attribute struct {
	number int
	key    *Keyval
	value  Value
	order  uint64
}

// Value is what the program hangs on an object: a pointer, or an integer set in Fortran. C reads such an
// integer by its address, so that it has a place of its own (MPI 5.0, 19.3.7).
type Value struct {
	Pointer uintptr       // what C reads: the address of Integer where there is one
	Integer *atomic.Int64 // nil for a pointer
}

// Shared is what C reads.
func (s *Set) Shared() *fast.Attributes { return &s.shared }

// use calls f, which may read and change the attributes.
func (s *Set) use(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shared.Begin()
	defer s.shared.End()
	f()
}

// index is where the attribute with that number stands; -1 when there is none.
func (s *Set) index(number int) int {
	return slices.IndexFunc(s.shared.All(), func(a fast.Attribute) bool { return int(a.Keyval) == number })
}

// list is all attributes in the order of setting.
func (s *Set) list() (all []attribute) {
	if s.Len() == 0 {
		return nil
	}
	s.use(func() {
		all = make([]attribute, 0, s.Len())
		for _, a := range s.shared.All() {
			number := int(a.Keyval)
			value := Value{a.Value, s.integers[number]}
			all = append(all, attribute{number, s.registry.Find(number), value, a.Order})
		}
	})
	byOrder := func(a, b attribute) int { return cmp.Compare(a.order, b.order) }
	if !slices.IsSortedFunc(all, byOrder) {
		slices.SortFunc(all, byOrder)
	}
	return all
}

// anyCopies reports whether any key has a function that copies.
func (s *Set) anyCopies() bool { return atomic.LoadUint32(&s.shared.Copies) != 0 }

// Len is the number of attributes.
func (s *Set) Len() int { return int(atomic.LoadUint32(&s.shared.Count)) }

// Get is the value under a key; ok is false when there is none.
func (s *Set) Get(keyval int) (value Value, ok bool) {
	s.use(func() {
		if i := s.index(keyval); i >= 0 {
			value, ok = Value{s.shared.All()[i].Value, s.integers[keyval]}, true
		}
	})
	return value, ok
}

// put sets an attribute, which counts as set last. It reports whether that replaces one.
func (s *Set) put(k *Keyval, value Value) (replaced bool) {
	a := fast.Attribute{Keyval: int32(k.Number), Value: value.Pointer}
	if value.Integer == nil && k.record.InC != 0 {
		a.Plain = 1
	}
	s.use(func() {
		i := s.index(k.Number)
		if replaced = i >= 0; replaced { // under the same key
			s.shared.Replace(i, a)
		} else {
			s.registry = k.registry
			s.shared.Append(a, k.functions.Copies())
		}
		s.keep(k.Number, value.Integer)
	})
	return replaced
}

// keep keeps the integer under a key; nil for a pointer.
func (s *Set) keep(number int, integer *atomic.Int64) {
	switch {
	case integer == nil:
		delete(s.integers, number)
	case s.integers == nil:
		s.integers = map[int]*atomic.Int64{number: integer}
	default:
		s.integers[number] = integer
	}
}

// Put hangs a value on the object (MPI_Comm_set_attr and its kin). A value that is there already is deleted
// first, with the key's callback; if that fails it stays and Put fails with the callback's error. The
// attribute then counts as set last.
func (s *Set) Put(object any, k *Keyval, value Value) error {
	if err := k.hold(); err != nil {
		return err
	}
	if old, ok := s.Get(k.Number); ok {
		if err := k.functions.Delete(object, k.Number, old); err != nil {
			k.release()
			return err
		}
	}
	if s.put(k, value) {
		k.release() // the other value's
	}
	return nil
}

// Delete takes the value under a key away, after its callback has agreed (MPI_Comm_delete_attr and its kin).
func (s *Set) Delete(object any, k *Keyval) error {
	value, ok := s.Get(k.Number)
	if !ok {
		return mpierr.New(mpierr.ErrKeyval, "the object has no attribute under key %d", k.Number)
	}
	if err := k.functions.Delete(object, k.Number, value); err != nil {
		return err
	}
	if s.remove(k) {
		k.release()
	}
	return nil
}

// remove takes an attribute out of the list; false when another thread has been faster.
func (s *Set) remove(k *Keyval) (found bool) {
	s.use(func() {
		i := s.index(k.Number)
		if found = i >= 0; found {
			s.shared.Remove(i, k.functions.Copies())
			s.keep(k.Number, nil)
		}
	})
	return found
}

// CopyTo gives a duplicate its attributes, as the copy callbacks say, in the order in which they were set.
// When one fails, what has been copied is deleted again and CopyTo fails with the callback's error (MPI 5.0,
// 7.7.2). object is what s belongs to, duplicate what to belongs to.
func (s *Set) CopyTo(object any, to *Set, duplicate any) error {
	if !s.anyCopies() {
		return nil
	}
	for _, a := range s.list() {
		value, keep, err := a.key.functions.Copy(object, a.number, a.value)
		if err != nil {
			_ = to.Clear(duplicate) // the first error is the one to report
			return err
		}
		if !keep {
			continue
		}
		a.key.record.TakeCopiedUse()
		if to.put(a.key, value) {
			a.key.release()
		}
	}
	return nil
}

// Rehearse calls the copy callbacks as CopyTo does, and keeps nothing. It ends with the first error.
func (s *Set) Rehearse(object any) error {
	if !s.anyCopies() {
		return nil
	}
	for _, a := range s.list() {
		if _, _, err := a.key.functions.Copy(object, a.number, a.value); err != nil {
			return err
		}
	}
	return nil
}

// Clear deletes all attributes, the one set last first, those included that callbacks add meanwhile. At a
// callback that fails it stops with its error; that attribute and the earlier ones stay.
func (s *Set) Clear(object any) error {
	for l := s.list(); len(l) > 0; l = s.list() {
		if err := s.Delete(object, l[len(l)-1].key); err != nil {
			return err
		}
	}
	return nil
}
