// Package attr is attribute caching (MPI 5.0, 7.7): keys that a program makes, and the values that it hangs
// on communicators, datatypes and windows under them. It knows neither these objects nor how a function of
// the program's is called: objects pass through as they are, and Functions stand for the program's.
package attr

import (
	"math"
	"sync"
	"sync/atomic"

	"gompi/runtime/mpierr"
)

// Kind is what objects a key is for.
type Kind uint8

// The kinds of object that have attributes.
const (
	Comm Kind = iota
	Type
	Win
)

// Functions are the two callbacks of a key (MPI 5.0, 7.7.2). object is the object as it was given to the
// method of Set that calls them. They may call MPI, this package included.
type Functions interface {
	// Copy makes the value for a duplicate of object; keep is false when the duplicate gets none.
	Copy(object any, keyval int, value Value) (out Value, keep bool, err error)
	// Delete is called before the value goes. When it fails the value stays.
	Delete(object any, keyval int, value Value) error
	// Copies reports whether Copy may keep a value, Deletes whether Delete does anything.
	Copies() bool
	Deletes() bool
}

// Keyval is one key.
type Keyval struct {
	Number int // as the program knows it

	kind      Kind
	functions Functions
	registry  *Registry
	refs      int    // attributes under this key, and one for the program; guarded by registry.mu
	freed     uint32 // 1 when the program has freed it; written under registry.mu
}

// firstNumber is the number of the first key; those below are predefined (MPI 5.0, 20.3).
const firstNumber = 4096

// Registry holds the keys of a process. The zero Registry is empty and ready for use, by several threads.
type Registry struct {
	mu      sync.RWMutex
	keyvals map[int]*Keyval
	made    int // keys ever made: a number is never used twice
}

// Create makes a key (MPI_Comm_create_keyval and its kin).
func (r *Registry) Create(kind Kind, f Functions) (*Keyval, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.made >= math.MaxInt32-firstNumber {
		return nil, mpierr.New(mpierr.ErrNoMem, "more than %d attribute keys", r.made)
	}
	k := &Keyval{Number: firstNumber + r.made, kind: kind, functions: f, registry: r, refs: 1}
	if r.keyvals == nil {
		r.keyvals = map[int]*Keyval{}
	}
	r.keyvals[k.Number] = k
	r.made++
	return k, nil
}

// Lookup is the key of that kind and number, nil when there is none. A freed key is found as long as
// attributes hang on it: the program deletes them by its number (MPI 5.0, 7.7.2).
func (r *Registry) Lookup(kind Kind, number int) *Keyval {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if k := r.keyvals[number]; k != nil && k.kind == kind {
		return k
	}
	return nil
}

// Free gives up the program's reference to a key (MPI_Comm_free_keyval and its kin). Doing so again, while
// attributes still hang on the key, changes nothing.
func (r *Registry) Free(k *Keyval) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if k.freed == 0 {
		atomic.StoreUint32(&k.freed, 1)
		r.drop(k)
	}
}

// Live lists the numbers of the keys that the program has not freed, in no order.
func (r *Registry) Live() (numbers []int) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, k := range r.keyvals {
		if k.freed == 0 {
			numbers = append(numbers, k.Number)
		}
	}
	return numbers
}

func (r *Registry) drop(k *Keyval) {
	if k.refs--; k.refs == 0 {
		delete(r.keyvals, k.Number)
	}
}

// hold notes that one more attribute hangs on k; byUser says that the program puts it there, which it cannot
// under a key that it has freed.
func (k *Keyval) hold(byUser bool) error {
	k.registry.mu.Lock()
	defer k.registry.mu.Unlock()
	if byUser && k.freed != 0 {
		return mpierr.New(mpierr.ErrKeyval, "attribute key %d has been freed", k.Number)
	}
	k.refs++
	return nil
}

func (k *Keyval) release() {
	k.registry.mu.Lock()
	defer k.registry.mu.Unlock()
	k.registry.drop(k)
}
