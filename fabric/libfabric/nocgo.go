//go:build !cgo

package libfabric

import (
	"fmt"

	"gompi/fabric"
)

// Programs that are built without C, as the launcher is, have no libfabric.

// Library is libfabric, opened.
type Library struct{}

// Offers are the endpoints that can be had here.
type Offers struct{ List []fabric.Offer }

var errNoC = fmt.Errorf("%w: this program was built without C", fabric.ErrNoLibrary)

// Prepare has nothing to do.
func Prepare() {}

// Open opens the library.
func Open(string) (*Library, error) { return nil, errNoC }

// Version is that of the library.
func (*Library) Version() fabric.Version { return 0 }

// Offers asks for what can be had.
func (*Library) Offers(string) (*Offers, error) { return nil, errNoC }

// Close gives the list back.
func (*Offers) Close() {}

// Connect is a fabric.Opener.
func Connect(fabric.Opening) (fabric.Opened, error) { return fabric.Opened{}, errNoC }
