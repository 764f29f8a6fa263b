// Package attr is attribute caching (MPI 5.0, 7.7): keys that a program makes, and the values that it hangs
// on communicators, datatypes and windows under them. It knows neither these objects nor how a function of
// the program's is called: objects pass through as they are, and Functions stand for the program's.
package attr

import (
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
	// Copies reports whether Copy may keep a value.
	Copies() bool
}

// Keyval is one key.
type Keyval struct {
	Number int // as the program knows it

	functions Functions
	registry  *Registry
	record    *fast.Keyval // which C may use as well
}

// Kind is what objects the key is for.
func (k *Keyval) Kind() Kind { return Kind(k.record.Kind) }

// Freed reports whether the program has freed the key. It lasts as long as attributes hang on it: the program
// deletes them by its number (MPI 5.0, 7.7.2).
func (k *Keyval) Freed() bool { return k.record.IsFreed() }

// Registry is the keys of a process. Its functions may be called by several threads.
type Registry struct {
	Find  func(number int) *Keyval // the key under which an attribute hangs
	Ended func(*Keyval)            // called when a key has no use any more, unless it is nil
}

// Create makes a key that the program knows by a number (MPI_Comm_create_keyval and its kin), and whose uses
// stand in a record.
func (r *Registry) Create(number int, f Functions, record *fast.Keyval) *Keyval {
	return &Keyval{Number: number, functions: f, registry: r, record: record}
}

// Free gives up the program's reference to a key (MPI_Comm_free_keyval and its kin). Doing so again, while
// attributes still hang on the key, changes nothing.
func (r *Registry) Free(k *Keyval) {
	if k.record.MarkFreed() {
		k.release()
	}
}

// hold notes that one more attribute of the program's hangs on k, which must not be freed.
func (k *Keyval) hold() error {
	if !k.record.TakeUse() {
		return mpierr.New(mpierr.ErrKeyval, "attribute key %d has been freed", k.Number)
	}
	return nil
}

// release notes that an attribute is gone.
func (k *Keyval) release() {
	if k.record.EndUse() && k.registry.Ended != nil {
		k.registry.Ended(k)
	}
}
