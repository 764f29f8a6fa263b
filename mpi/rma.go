package mpi

import (
	"gompi/runtime/check"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/runtime/request"
	"gompi/runtime/rma"
)

// One-sided operations (MPI 5.0, 12.3).

const opNoOp = 0x3d

// Operand is the buffer of an accumulate, which does not matter when the operation is MPI_NO_OP.
func (a *Args) Operand(o *op.Op, names string, addr uintptr, count int64,
	datatypeHandle uintptr) datatype.Buffer {
	if o != nil && o.Handle() == opNoOp {
		return NoBuffer
	}
	return a.Buffer(names, addr, count, datatypeHandle)
}

// ready refuses a target's datatype that has not been committed.
func ready(t *datatype.Type) error {
	if !t.Committed() {
		return mpierr.New(mpierr.ErrType, "target_datatype is %s that has not been committed", t.Name())
	}
	return nil
}

func Put(o datatype.Buffer, rank int, disp, count int64, t *datatype.Type, w *rma.Window) error {
	if err := ready(t); err != nil {
		return err
	}
	return access(w, check.Write, rank, disp, count, t, nil, o).did(w.Put(o, rank, disp, count, t))
}

func Get(o datatype.Buffer, rank int, disp, count int64, t *datatype.Type, w *rma.Window) error {
	if err := ready(t); err != nil {
		return err
	}
	return access(w, check.Read, rank, disp, count, t, nil, o).did(w.Get(o, rank, disp, count, t))
}

func Accumulate(o datatype.Buffer, rank int, disp, count int64, t *datatype.Type, f *op.Op,
	w *rma.Window) error {
	if err := ready(t); err != nil {
		return err
	}
	return access(w, check.Update, rank, disp, count, t, f, o).did(w.Accumulate(o, rank, disp, count, t, f))
}

func GetAccumulate(o, result datatype.Buffer, rank int, disp, count int64, t *datatype.Type, f *op.Op,
	w *rma.Window) error {
	if err := ready(t); err != nil {
		return err
	}
	return access(w, check.Update, rank, disp, count, t, f, o).did(
		w.GetAccumulate(o, result, rank, disp, count, t, f))
}

// element checks a buffer of one element of a predefined type.
func element(name string, addr uintptr, t *datatype.Type) error {
	if !t.Predefined() {
		return mpierr.New(mpierr.ErrType, "datatype is %s, where a predefined type is wanted", t.Name())
	}
	return reach(mpierr.ErrBuffer, name, addr, t.Size(), touch)
}

func FetchAndOp(origin, result uintptr, t *datatype.Type, rank int, disp int64, f *op.Op,
	w *rma.Window) error {
	if f.Handle() != opNoOp {
		if err := element("origin_addr", origin, t); err != nil {
			return err
		}
	}
	if err := element("result_addr", result, t); err != nil {
		return err
	}
	a := access(w, check.Update, rank, disp, 1, t, f, NoBuffer)
	if f.Handle() == opNoOp {
		a.uses(t, result)
	} else {
		a.uses(t, result, origin)
	}
	return a.did(w.FetchAndOp(origin, result, t, rank, disp, f))
}

func CompareAndSwap(origin, compare, result uintptr, t *datatype.Type, rank int, disp int64,
	w *rma.Window) error {
	for _, b := range [...]struct {
		name string
		addr uintptr
	}{{"origin_addr", origin}, {"compare_addr", compare}, {"result_addr", result}} {
		if err := element(b.name, b.addr, t); err != nil {
			return err
		}
	}
	a := access(w, check.Update, rank, disp, 1, t, nil, NoBuffer)
	a.uses(t, result, origin, compare)
	return a.did(w.CompareAndSwap(origin, compare, result, t, rank, disp))
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
	return engine().Ops.Begin(finished{}, 0)
}

func Rput(o datatype.Buffer, rank int, disp, count int64, t *datatype.Type,
	w *rma.Window) (*request.Request, error) {
	if err := w.Passive(rank); err != nil {
		return nil, err
	}
	return asRequest(Put(o, rank, disp, count, t, w))
}

func Rget(o datatype.Buffer, rank int, disp, count int64, t *datatype.Type,
	w *rma.Window) (*request.Request, error) {
	if err := w.Passive(rank); err != nil {
		return nil, err
	}
	return asRequest(Get(o, rank, disp, count, t, w))
}

func Raccumulate(o datatype.Buffer, rank int, disp, count int64, t *datatype.Type, f *op.Op,
	w *rma.Window) (*request.Request, error) {
	if err := w.Passive(rank); err != nil {
		return nil, err
	}
	return asRequest(Accumulate(o, rank, disp, count, t, f, w))
}

func RgetAccumulate(o, result datatype.Buffer, rank int, disp, count int64, t *datatype.Type, f *op.Op,
	w *rma.Window) (*request.Request, error) {
	if err := w.Passive(rank); err != nil {
		return nil, err
	}
	return asRequest(GetAccumulate(o, result, rank, disp, count, t, f, w))
}
