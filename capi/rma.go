package main

import (
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/runtime/request"
	"gompi/runtime/rma"
)

// One-sided operations (MPI 5.0, 12.3).

const opNoOp = 0x3d

// operand is the buffer of an accumulate, which does not matter when the operation is MPI_NO_OP.
func (a *args) operand(o *op.Op, names string, addr uintptr, count int64,
	datatypeHandle uintptr) datatype.Buffer {
	if o != nil && o.Handle() == opNoOp {
		return noBuffer
	}
	return a.buffer(names, addr, count, datatypeHandle)
}

// ready refuses a target's datatype that has not been committed.
func ready(t *datatype.Type) error {
	if !t.Committed() {
		return mpierr.New(mpierr.ErrType, "target_datatype is %s that has not been committed", t.Name())
	}
	return nil
}

func mpiPut(o datatype.Buffer, rank int, disp, count int64, t *datatype.Type, w *rma.Window) error {
	if err := ready(t); err != nil {
		return err
	}
	return w.Put(o, rank, disp, count, t)
}

func mpiGet(o datatype.Buffer, rank int, disp, count int64, t *datatype.Type, w *rma.Window) error {
	if err := ready(t); err != nil {
		return err
	}
	return w.Get(o, rank, disp, count, t)
}

func mpiAccumulate(o datatype.Buffer, rank int, disp, count int64, t *datatype.Type, f *op.Op,
	w *rma.Window) error {
	if err := ready(t); err != nil {
		return err
	}
	return w.Accumulate(o, rank, disp, count, t, f)
}

func mpiGet_accumulate(o, result datatype.Buffer, rank int, disp, count int64, t *datatype.Type, f *op.Op,
	w *rma.Window) error {
	if err := ready(t); err != nil {
		return err
	}
	return w.GetAccumulate(o, result, rank, disp, count, t, f)
}

// element checks a buffer of one element of a predefined type.
func element(name string, addr uintptr, t *datatype.Type) error {
	if !t.Predefined() {
		return mpierr.New(mpierr.ErrType, "datatype is %s, where a predefined type is wanted", t.Name())
	}
	return reach(mpierr.ErrBuffer, name, addr, t.Size(), touch)
}

func mpiFetch_and_op(origin, result uintptr, t *datatype.Type, rank int, disp int64, f *op.Op,
	w *rma.Window) error {
	if f.Handle() != opNoOp {
		if err := element("origin_addr", origin, t); err != nil {
			return err
		}
	}
	if err := element("result_addr", result, t); err != nil {
		return err
	}
	return w.FetchAndOp(origin, result, t, rank, disp, f)
}

func mpiCompare_and_swap(origin, compare, result uintptr, t *datatype.Type, rank int, disp int64,
	w *rma.Window) error {
	for _, b := range [...]struct {
		name string
		addr uintptr
	}{{"origin_addr", origin}, {"compare_addr", compare}, {"result_addr", result}} {
		if err := element(b.name, b.addr, t); err != nil {
			return err
		}
	}
	return w.CompareAndSwap(origin, compare, result, t, rank, disp)
}

// finished is the request of an operation that is complete when its call returns (MPI 5.0, 12.3.5).
type finished struct{}

// Advance implements request.Operation.
func (finished) Advance(*request.Request) (bool, error) { return true, nil }

// asRequest is the request of an operation that has ended so.
func asRequest(err error) (*request.Request, error) {
	if err != nil {
		return nil, err
	}
	return engine().Begin(finished{}, 0)
}

func mpiRput(o datatype.Buffer, rank int, disp, count int64, t *datatype.Type,
	w *rma.Window) (*request.Request, error) {
	if err := w.Passive(rank); err != nil {
		return nil, err
	}
	return asRequest(mpiPut(o, rank, disp, count, t, w))
}

func mpiRget(o datatype.Buffer, rank int, disp, count int64, t *datatype.Type,
	w *rma.Window) (*request.Request, error) {
	if err := w.Passive(rank); err != nil {
		return nil, err
	}
	return asRequest(mpiGet(o, rank, disp, count, t, w))
}

func mpiRaccumulate(o datatype.Buffer, rank int, disp, count int64, t *datatype.Type, f *op.Op,
	w *rma.Window) (*request.Request, error) {
	if err := w.Passive(rank); err != nil {
		return nil, err
	}
	return asRequest(mpiAccumulate(o, rank, disp, count, t, f, w))
}

func mpiRget_accumulate(o, result datatype.Buffer, rank int, disp, count int64, t *datatype.Type, f *op.Op,
	w *rma.Window) (*request.Request, error) {
	if err := w.Passive(rank); err != nil {
		return nil, err
	}
	return asRequest(mpiGet_accumulate(o, result, rank, disp, count, t, f, w))
}
