package coll

import (
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
)

// reducible checks that an operation can be applied to a type (MPI 5.0, 6.9.2).
func reducible(o *op.Op, t *datatype.Type) error {
	if !o.Collective() {
		return mpierr.New(mpierr.ErrOp, "%s is for accumulates alone, not for reductions", o.Name())
	}
	if !o.Valid(t) {
		return mpierr.New(mpierr.ErrOp, "%s", o.Misfit(t))
	}
	return nil
}

// combinable checks the arguments of an operation in which each rank both contributes and receives.
func combinable(o *op.Op, send, recv datatype.Buffer) error {
	if !send.InPlace() {
		if err := distinct(send, recv); err != nil {
			return err
		}
	}
	return reducible(o, recv.Type)
}

// apart refuses MPI_IN_PLACE on an intercommunicator (MPI 5.0, 6.2.3).
func (t *Team) apart(send datatype.Buffer) error {
	if t.c.Inter() && send.InPlace() {
		return mpierr.New(mpierr.ErrBuffer, "the send buffer is MPI_IN_PLACE, which is not allowed on intercommunicator %q", t.c.Label())
	}
	return nil
}

// distinct checks that data is not read where other data is to be written: in and out may not be the same
// buffer, which is what MPI_IN_PLACE is for (MPI 5.0, 6.2). Address 0 says nothing: it is MPI_BOTTOM.
func distinct(in, out datatype.Buffer) error {
	if in.Addr == out.Addr && in.Addr != 0 && in.Bytes() > 0 && out.Bytes() > 0 {
		return mpierr.New(mpierr.ErrBuffer, "the send buffer is the receive buffer; use MPI_IN_PLACE for that")
	}
	return nil
}

// copied puts this rank's own contribution where it belongs, unless it stands there already. It fails as a
// message of the wrong length would.
func (t *Team) copied(dst, src datatype.Buffer) {
	if dst.InPlace() || src.InPlace() {
		return
	}
	if n, room := src.Bytes(), dst.Bytes(); n != room {
		t.note(mpierr.New(mpierr.ErrTruncate, "this rank sends itself %d bytes and expects %d", n, room))
	}
	t.copy(dst, src)
}

// copiedForAll is copied for what is sent to others from there.
func (t *Team) copiedForAll(dst, src datatype.Buffer) {
	t.copied(dst, src)
	t.partFailed = t.partFailed || isLength(t.err)
}

// keep is copied for buffers of which it is not known that they are distinct.
func (t *Team) keep(dst, src datatype.Buffer) error {
	if err := distinct(src, dst); err != nil {
		return err
	}
	t.copied(dst, src)
	return nil
}

// keepForAll is keep for what is sent to the others from there.
func (t *Team) keepForAll(dst, src datatype.Buffer) error {
	err := t.keep(dst, src)
	t.partFailed = t.partFailed || isLength(t.err)
	return err
}
