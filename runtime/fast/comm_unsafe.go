//fast:go

package fast

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"gompi/shm"
)

// CommLists are numbers that belong to a communicator.
type CommLists struct {
	Row      []int32 // node ranks of the targets where they do not follow each other evenly
	Topology []int32 // Topology.Numbers
}

// AddComm makes the record of a communicator, whose handle is c.Handle. This package carries out its messages
// between ranks of the node if messages says so and no target belongs to another job. An error is a
// *shm.NoMemory.
func (e *Endpoint) AddComm(c Comm, lists CommLists, messages bool) (err error) {
	if err := grow(&e.Comms, c.Handle&objectMask); err != nil {
		return err
	}
	handle := c.Handle
	c.Handle, c.Messages = 0, 0
	away := func(node int32) bool { return uint32(node) >= e.N && node != OtherNode }
	if messages = messages && !slices.ContainsFunc(lists.Row, away); !messages {
		lists.Row = nil
	}
	if c.Row, err = e.arena.ints(lists.Row); err == nil {
		c.Topology.Numbers, err = e.arena.ints(lists.Topology)
	}
	if err == nil && messages && c.Size == 1 && c.Flags&CommInter == 0 {
		c.Alone, err = e.newAlone()
	}
	if err != nil {
		e.dropLists(&c)
		return err
	}
	record := e.commAt(handle)
	*record = c
	if messages {
		atomic.StoreUintptr(&record.Messages, handle)
	}
	atomic.StoreUintptr(&record.Handle, handle)
	return nil
}

// dropLists gives back what a record points to.
func (o *Objects) dropLists(c *Comm) {
	o.arena.putInts(c.Row, int(c.Targets))
	o.arena.putInts(c.Topology.Numbers, int(c.Topology.count()))
	if c.Alone != nil {
		c.Alone.DropNeighbors(o)
		o.arena.put(uintptr(unsafe.Pointer(c.Alone)), ringHeader)
	}
}

// newAlone is what stands for the ring of a communicator of one rank, which has no cells.
func (o *Objects) newAlone() (*CellRing, error) {
	at, err := o.arena.get(ringHeader)
	if err != nil {
		return nil, err
	}
	s := (*CellRing)(unsafe.Pointer(shm.Word64(at)))
	s.N = 1
	return s, nil
}

// CarriedAlone is how many collective operations have been carried out here on the communicator behind a
// handle, which has one rank, by pattern. Any thread may ask.
func (o *Objects) CarriedAlone(handle uintptr) (n [Patterns]uint64) {
	if c := o.known(handle); c != nil && c.Alone != nil {
		return c.Alone.CarriedNow()
	}
	return n
}

// HideComm leaves the operations of the communicator behind a handle to the rooms above from now on. A thread
// that is about to use its record may do so.
func (o *Objects) HideComm(handle uintptr) {
	if c := o.known(handle); c != nil {
		atomic.StoreUintptr(&c.Messages, 0)
		c.Coll, c.Nbc = nil, nil
	}
}

// DropComm ends the record of the communicator behind a handle. It returns the handle of the group that
// KeepCommGroup has noted, 0 if none.
func (o *Objects) DropComm(handle uintptr) (group uintptr) {
	c := o.known(handle)
	if c == nil {
		return 0
	}
	o.HideComm(handle)
	atomic.StoreUintptr(&c.Handle, 0)
	group = atomic.LoadUintptr(&c.Group)
	o.dropLists(c)
	*c = Comm{}
	return group
}

// AddCollRing lets this package carry out the blocking collective operations of the communicator behind a
// handle, if it has a record, on a ring.
func (o *Objects) AddCollRing(handle uintptr, s *CellRing) {
	if c := o.known(handle); c != nil {
		c.Coll = s
	}
}

// AddNbcRing is AddCollRing for nonblocking operations.
func (o *Objects) AddNbcRing(handle uintptr, s *CellRing) {
	if c := o.known(handle); c != nil {
		c.Nbc = s
	}
}
