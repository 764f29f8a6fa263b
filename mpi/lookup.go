package mpi

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/runtime/request"
)

// Predefined handles of the standard ABI (MPI 5.0, 20.3) that are compared with, not looked up.
const (
	opNull    = 0x20
	commNull  = 0x100
	commWorld = 0x101
	commSelf  = 0x102
	TypeNull  = 0x200
	typeByte  = 0x247
)

// lookupComm is the communicator that h names, nil when there is none. Preconditions: MPI is initialized, or
// h is not predefined.
func lookupComm(h uintptr) *comm.Comm {
	l := library.Load()
	if l == nil {
		return nil
	}
	if h == commWorld || h == commSelf {
		switch {
		case !l.open.Load():
			return nil
		case h == commSelf:
			return l.process.Self
		}
		return l.process.World
	}
	return comms.get(h)
}

func lookupType(h uintptr) *datatype.Type {
	if h <= maxPredefined {
		return datatype.ByHandle(uint32(h))
	}
	return datatypes.get(h)
}

func lookupOp(h uintptr) *op.Op {
	if h <= maxPredefined {
		return op.ByHandle(uint32(h))
	}
	return ops.get(h)
}

func lookupRequest(h uintptr) *request.Request { return engine().Named(h) }

func requestHandle(r *request.Request) uintptr { return engine().Handle(r) }

// badHandle is the error for a handle that names nothing: never made, or freed.
func badHandle(class mpierr.Class, name string, h uintptr, want string) error {
	return mpierr.New(class, "%s: handle %#x is not %s, or it has been freed", name, h, want)
}
