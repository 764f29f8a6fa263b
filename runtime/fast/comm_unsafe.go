//fast:go

package fast

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"gompi/shm"
)

// AddComm makes the record of a communicator, whose handle is c.Handle. row holds the node ranks of its
// targets where they do not follow each other evenly. This package carries out its messages if messages says
// so and all targets are on the node. An error is a *shm.NoMemory.
func (e *Endpoint) AddComm(c Comm, row []int32, messages bool) error {
	if err := grow(&e.Comms, c.Handle&objectMask); err != nil {
		return err
	}
	handle := c.Handle
	c.Handle, c.Messages, c.Row = 0, 0, nil
	away := func(node int32) bool { return uint32(node) >= e.N }
	if messages = messages && !slices.ContainsFunc(row, away); messages && len(row) > 0 {
		at, err := e.arena.get(rowSize(c.Targets))
		if err != nil {
			return err
		}
		c.Row = (*int32)(unsafe.Pointer(shm.Word32(at)))
		copy(unsafe.Slice(c.Row, len(row)), row)
	}
	record := e.commAt(handle)
	*record = c
	if messages {
		atomic.StoreUintptr(&record.Messages, handle)
	}
	atomic.StoreUintptr(&record.Handle, handle)
	return nil
}

func rowSize(targets uint32) uintptr { return uintptr(targets) * unsafe.Sizeof(int32(0)) }

// HideComm leaves the operations of the communicator behind a handle to the rooms above from now on. A thread
// that is about to use its record may do so.
func (e *Endpoint) HideComm(handle uintptr) {
	if c := e.known(handle); c != nil {
		atomic.StoreUintptr(&c.Messages, 0)
		c.Coll, c.Nbc = nil, nil
	}
}

// DropComm ends the record of the communicator behind a handle.
func (e *Endpoint) DropComm(handle uintptr) {
	c := e.known(handle)
	if c == nil {
		return
	}
	e.HideComm(handle)
	atomic.StoreUintptr(&c.Handle, 0)
	e.arena.put(uintptr(unsafe.Pointer(c.Row)), rowSize(c.Targets))
	*c = Comm{}
}

// AddCollRing lets this package carry out the blocking collective operations of the communicator behind a
// handle, if it has a record, on a ring.
func (e *Endpoint) AddCollRing(handle uintptr, s *CellRing) {
	if c := e.known(handle); c != nil {
		c.Coll = s
	}
}

// AddNbcRing is AddCollRing for nonblocking operations.
func (e *Endpoint) AddNbcRing(handle uintptr, s *CellRing) {
	if c := e.known(handle); c != nil {
		c.Nbc = s
	}
}
