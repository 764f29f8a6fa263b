// Package object is what communicators, windows, files and sessions have in common on one rank: a name,
// attributes, hints, and an error handler (MPI 5.0, 7.7, 7.8, 9.3 and chapter 10). They embed a Base. It
// knows nothing of what they are for, and calls no function of the program's.
package object

import (
	"sync"

	"gompi/runtime/attr"
	"gompi/runtime/fast"
	"gompi/runtime/info"
)

// Kind is the kind of object that a Base is a part of.
type Kind uint8

// The kinds of object that have error handlers.
const (
	Comm Kind = 1 + iota
	Win
	File
	Session
)

// Base is the part of an object that does not depend on its kind. Its zero value has no name, no attributes,
// no hints and MPI_ERRORS_ARE_FATAL; Kind and Origin are set before it is used, and Handle when the layer
// above gives it one.
type Base struct {
	Kind       Kind
	Handle     uintptr // by which the layer above knows it; 0 when it does not, or not any more
	Origin     string  // the MPI function that made it
	Attributes attr.Set

	shared fast.Object       // which C uses as well
	mu     sync.Mutex        // guards what follows
	hints  map[string]string // those that were set
	listed *info.Info        // what Hints has listed; nil when that has to be listed anew
}

// Shared is what C reads.
func (b *Base) Shared() *fast.Object { return &b.shared }

// Name is the object's name (MPI 5.0, 7.8).
func (b *Base) Name() string {
	return b.shared.Name.String()
}

// SetName gives the object a name on this rank (MPI 5.0, 7.8).
func (b *Base) SetName(name string) {
	b.shared.Name.Set(name)
}

// Label is what messages for people call the object: its name, or else who made it.
func (b *Base) Label() string {
	if n := b.Name(); n != "" {
		return n
	}
	return "from " + b.Origin
}
