package mpi

import (
	"gompi/runtime/mpierr"
	"gompi/runtime/tool"
)

// The objects that performance variables belong to (MPI 5.0, 15.3.2).

// countersFor is where a handle of a variable finds what it counts: in the process, or in the object whose
// handle stands at an address.
func countersFor(p *tool.Performance, object uintptr) (func() tool.Counters, error) {
	switch {
	case p.Bind == tool.NoObject:
		return counters, nil
	case object == 0:
		return nil, mpierr.New(mpierr.TErrInvalid, "obj_handle is NULL; performance variable %s belongs to an object", p.Name)
	}
	h := LoadWord(object)
	if p.Bind == tool.BindWin {
		if w := wins.get(h); w != nil {
			return func() tool.Counters { return tool.Counters{RMA: w.RMA()} }, nil
		}
		return nil, badHandle(mpierr.TErrInvalidHandle, "obj_handle", h, "a window")
	}
	if c := lookupComm(h); c != nil {
		done := c.Watch()
		return func() tool.Counters { return tool.Counters{Collectives: done()} }, nil
	}
	return nil, badHandle(mpierr.TErrInvalidHandle, "obj_handle", h, "a communicator")
}
