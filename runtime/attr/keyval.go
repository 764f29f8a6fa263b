// Package attr is attribute caching (MPI 5.0, 7.7): keys that a program makes, and the values that it hangs
// on communicators, datatypes and windows under them. It knows neither these objects nor how a function of
// the program's is called: objects pass through as they are, and Functions stand for the program's.
package attr

import (
	"sync"
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
)

// Kind is what objects a key is for.
type Kind uint8

// The kinds of object that have attributes.
const (
	Comm Kind = iota
	Type
	Win

	_ = uint(Win-Kind(fast.WinKeys)) + uint(Kind(fast.WinKeys)-Win) // they are the same
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

// Kind is what objects the key is for.
func (k *Keyval) Kind() Kind { return k.kind }

// Freed reports whether the program has freed the key. It lasts as long as attributes hang on it: the program
// deletes them by its number (MPI 5.0, 7.7.2).
func (k *Keyval) Freed() bool { return atomic.LoadUint32(&k.freed) != 0 }

// Registry counts the uses of the keys of a process. The zero Registry is ready for use, by several threads.
type Registry struct {
	mu    sync.Mutex
	Ended func(*Keyval) // called when a key has no use any more, unless it is nil
}

// Create makes a key that the program knows by a number (MPI_Comm_create_keyval and its kin).
func (r *Registry) Create(kind Kind, number int, f Functions) *Keyval {
	return &Keyval{Number: number, kind: kind, functions: f, registry: r, refs: 1}
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

func (r *Registry) drop(k *Keyval) {
	if k.refs--; k.refs == 0 && r.Ended != nil {
		r.Ended(k)
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
