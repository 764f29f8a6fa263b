package fast

import "gompi/shm"

// CollSegment is what one rank knows of the coll segments of a communicator: the shared memory in which each
// rank publishes what it contributes to blocking collective operations (shm/layout.go). It is private to the
// rank and used by one thread at a time. Package area says what pairs with what.
type CollSegment struct {
	Handle  uintptr // by which the program knows the communicator; 0 when this package does not know it
	Me, N   uint32
	Direct  uint32 // 1: all ranks can read each other's memory
	Begun   uint32 // 1: operation Seq has been left to package coll after this rank had published its data
	Seq     uint64 // number of the last operation begun
	Lowest  uint64 // all others are done with the operations up to this one
	Head    uint32 // bytes of the payload area used so far, modulo 2^32
	Tail    uint32 // of those, what may be written again
	Carried uint64 // operations carried out here from beginning to end
	Peers   *CollPeer

	// The largest data that is dealt with here, in bytes:
	Bcasts  uint32 // of one rank for all
	Gathers uint32 // of one rank for the root or for all
	Spreads uint32 // of one rank for all others together
	Reduces uint32 // of one rank, to be combined by those who want the result

	Marks    [shm.CollCellCount]uint32 // Head behind each of the last operations
	combiner combiner
}

// CollPeer is one rank's segment.
type CollPeer struct {
	Base uintptr
	Bell *uint32
}

// Cell is a rank's place for its contribution to one operation: one cache line.
type Cell struct {
	Number uint64 // of the operation. Written last
	Length uint64 // size of the data in bytes, and what it is (shm.CellInPayload, ...)
	Data   [shm.CellInline / 8]uint64
}

// CommPlaces is how many communicators this package can know at a time.
const CommPlaces = 64

// AddCollSegment makes a coll segment known here, if its place is empty.
func (e *Endpoint) AddCollSegment(handle uintptr, s *CollSegment) {
	at := &e.CollSegments[handle%CommPlaces]
	if handle == 0 || *at != nil {
		return
	}
	s.Handle = handle
	*at = s
}

// dropCollSegment forgets the coll segment behind a handle.
func (e *Endpoint) dropCollSegment(handle uintptr) {
	at := &e.CollSegments[handle%CommPlaces]
	if *at != nil && (*at).Handle == handle {
		(*at).Handle = 0
		*at = nil
	}
}

// collSegment is the coll segment of a communicator; nil when package coll has to use it. One in which
// package coll has refused to end what was begun here is left to it until the program calls again.
func (e *Endpoint) collSegment(comm uintptr) *CollSegment {
	s := e.CollSegments[comm%CommPlaces]
	if s == nil || s.Handle != comm || s.Begun != 0 || e.Open == Closed || e.Open == Random && e.refuses() {
		return nil
	}
	return s
}
