package mpi

import (
	"math"

	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
)

// Reduction operations (MPI 5.0, 6.9.5 to 6.9.7).

var ops = table[op.Op]{kind: kindOp}

// OpCell is an operation's handle that a call may take away.
type OpCell uintptr

func PutOp(addr, handle uintptr) { StoreWord(addr, handle) }

func OpCreate(function uintptr, wide, commutes bool) (uintptr, error) {
	if function == 0 {
		return 0, mpierr.New(mpierr.ErrArg, "user_fn is NULL")
	}
	ops.prepare()
	h := ops.put(newOp(function, wide, commutes))
	if h == 0 {
		return 0, tooMany("reduction operations")
	}
	if err := addOp(library.Load().process.Endpoint, h, commutes, function, wide); err != nil {
		ops.remove(h)
		return 0, err
	}
	return h, nil
}

// newOp is an operation of a function of the program's.
func newOp(function uintptr, wide, commutes bool) *op.Op {
	apply := func(v op.Vectors) {
		defer reduces()()
		t := typeReference(v.Type)
		if wide {
			host.ReduceLarge(function, v.In, v.Inout, v.Count, t)
			return
		}
		for v.Count > 0 { // the function counts in ints
			n := min(v.Count, math.MaxInt32)
			host.Reduce(function, v.In, v.Inout, int(n), t)
			step := uintptr(n * v.Type.Extent())
			v.In, v.Inout, v.Count = v.In+step, v.Inout+step, v.Count-n
		}
	}
	return op.New("a reduction operation of the program's", commutes, apply)
}

// addOp lets the C stubs tell of an operation that has a handle.
func addOp(endpoint *fast.Endpoint, h uintptr, commutes bool, function uintptr, wide bool) error {
	if checking.Load() != nil {
		return nil
	}
	var o fast.Op
	if commutes {
		o.Commutes = 1
	}
	if wide {
		o.Large = function
	} else {
		o.Function = function
	}
	if err := endpoint.AddOp(h, o); err != nil {
		return mpierr.New(mpierr.ErrNoMem, "%v", err)
	}
	return nil
}

// OpFree takes away the handle; operations that are on their way keep the object.
func OpFree(cell OpCell) error {
	h := LoadWord(uintptr(cell))
	switch o := lookupOp(h); {
	case h == opNull:
		return mpierr.New(mpierr.ErrOp, "op is MPI_OP_NULL")
	case o == nil:
		return badHandle(mpierr.ErrOp, "op", h, "a reduction operation")
	case o.Handle() != 0:
		return mpierr.New(mpierr.ErrOp, "op is %s, which is predefined and cannot be freed", o.Name())
	}
	removeOp(h)
	StoreWord(uintptr(cell), opNull)
	return nil
}

// removeOp takes a handle back.
func removeOp(h uintptr) {
	p := library.Load().process
	p.Engine.ReleaseRecords()
	p.Endpoint.DropOp(h)
	ops.remove(h)
}

func OpCommutative(o *op.Op) (bool, error) { return o.Commutative(), nil }
