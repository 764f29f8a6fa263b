package fast

import "gompi/shm"

// Area is what one rank knows of the areas of a communicator (layout.go). It is private to the rank, but it stands outside
// Go's heap, because the C stubs of the library carry out small collective operations by themselves, without a call into
// Go, which would take longer than the operation. Their view (capi/zz_fast.h) is generated from this one. Package area
// says what pairs with what; stubs and Go follow the same rules, so ranks of one operation need not take the same way.
type Area struct {
	Handle  uintptr // by which the program knows the communicator; 0 when the stubs do not know it
	Me, N   uint32
	Direct  uint32 // 1: all ranks can read each other's memory
	Begun   uint32 // 1: a stub has shown this rank's data of operation Seq, and has left the rest to Go
	Seq     uint64 // number of the last operation begun
	Lowest  uint64 // all others are done with the operations up to this one
	Head    uint32 // bytes of AreaBulk used so far, modulo 2^32
	Tail    uint32 // of those, what may be written again
	Stubbed uint64 // operations that stubs have done from beginning to end
	Peers   *AreaPeer

	// The largest data that stubs deal with, in bytes:
	Bcasts  uint32 // of one rank for all
	Gathers uint32 // of one rank for the root or for all
	Spreads uint32 // of one rank for all others together
	Reduces uint32 // of one rank, to be combined by those who want the outcome

	Marks [shm.AreaCount]uint32 // Head behind each of the last operations
}

// AreaPeer is one rank's area.
type AreaPeer struct {
	Base uintptr
	Bell *uint32
}

// AreaPlaces is how many communicators the stubs can know at a time.
const AreaPlaces = 64

// Kinds of elements that the stubs combine, beginning with 1: signed and unsigned integers of 1, 2, 4 and 8 bytes, float and
// double.
const (
	ElementInt8 = 1 + iota
	ElementUint8
	ElementInt16
	ElementUint16
	ElementInt32
	ElementUint32
	ElementInt64
	ElementUint64
	ElementFloat
	ElementDouble
	Elements
)

// AddArea lets the stubs use an area, if its place is empty.
func (e *Endpoint) AddArea(handle uintptr, a *Area) {
	at := &e.Areas[handle%AreaPlaces]
	if handle == 0 || *at != nil {
		return
	}
	a.Handle = handle
	*at = a
}

// dropArea makes the stubs forget the area behind a handle.
func (e *Endpoint) dropArea(handle uintptr) {
	if at := &e.Areas[handle%AreaPlaces]; *at != nil && (*at).Handle == handle {
		(*at).Handle = 0
		*at = nil
	}
}
