package attr

import (
	"slices"
	"sync"
	"sync/atomic"

	"gompi/runtime/mpierr"
)

// Set is the attributes of one object. The zero Set is empty and ready for use, by several threads. No lock
// is held while a callback runs.
type Set struct {
	mu   sync.Mutex
	list atomic.Pointer[[]attribute] // in the order of setting; never changed, only replaced
}

type attribute struct {
	number int
	key    *Keyval
	value  Value
}

// Value is what the program hangs on an object: a pointer, or an integer set in Fortran. C reads such an
// integer by its address, so that it has a place of its own (MPI 5.0, 19.3.7).
type Value struct {
	Pointer uintptr       // what C reads: the address of Integer where there is one
	Integer *atomic.Int64 // nil for a pointer
}

func (s *Set) load() []attribute {
	if l := s.list.Load(); l != nil {
		return *l
	}
	return nil
}

// Len is the number of attributes.
func (s *Set) Len() int { return len(s.load()) }

// Get is the value under a key; ok is false when there is none.
func (s *Set) Get(keyval int) (value Value, ok bool) {
	for _, a := range s.load() {
		if a.number == keyval {
			return a.value, true
		}
	}
	return Value{}, false
}

// Put hangs a value on the object (MPI_Comm_set_attr and its kin). A value that is there already is deleted
// first, with the key's callback; if that fails it stays and Put fails with the callback's error. The
// attribute then counts as set last.
func (s *Set) Put(object any, k *Keyval, value Value) error {
	if err := k.hold(true); err != nil {
		return err
	}
	if _, ok := s.Get(k.Number); ok {
		if err := s.Delete(object, k); err != nil {
			k.release()
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l := append(slices.Clip(s.load()), attribute{k.Number, k, value})
	s.list.Store(&l)
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
	if s.remove(k.Number) {
		k.release()
	}
	return nil
}

// remove takes an attribute out of the list; false when another thread has been faster.
func (s *Set) remove(number int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.load()
	i := slices.IndexFunc(old, func(a attribute) bool { return a.number == number })
	if i < 0 {
		return false
	}
	l := slices.Concat(old[:i], old[i+1:])
	s.list.Store(&l)
	return true
}

// CopyTo gives a duplicate its attributes, as the copy callbacks say, in the order in which they were set.
// When one fails, what has been copied is deleted again and CopyTo fails with the callback's error (MPI 5.0,
// 7.7.2). object is what s belongs to, duplicate what to belongs to.
func (s *Set) CopyTo(object any, to *Set, duplicate any) error {
	for _, a := range s.load() {
		value, keep, err := a.key.functions.Copy(object, a.number, a.value)
		if err != nil {
			_ = to.Clear(duplicate) // the first error is the one to report
			return err
		}
		if !keep {
			continue
		}
		_ = a.key.hold(false) // fails for the program only
		to.mu.Lock()
		l := append(slices.Clip(to.load()), attribute{a.number, a.key, value})
		to.list.Store(&l)
		to.mu.Unlock()
	}
	return nil
}

// Rehearse calls the copy callbacks as CopyTo does, and keeps nothing. It ends with the first error.
func (s *Set) Rehearse(object any) error {
	for _, a := range s.load() {
		if _, _, err := a.key.functions.Copy(object, a.number, a.value); err != nil {
			return err
		}
	}
	return nil
}

// Clear deletes all attributes, the one set last first, those included that callbacks add meanwhile. At a
// callback that fails it stops with its error; that attribute and the earlier ones stay.
func (s *Set) Clear(object any) error {
	for l := s.load(); len(l) > 0; l = s.load() {
		if err := s.Delete(object, l[len(l)-1].key); err != nil {
			return err
		}
	}
	return nil
}
