package coll

import (
	"gompi/runtime/coll/partition"
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
		if err := partition.Distinct(send, recv); err != nil {
			return err
		}
	}
	return reducible(o, recv.Type)
}

// apart refuses MPI_IN_PLACE on an intercommunicator (MPI 5.0, 6.2.3).
func (t *Team) apart(send datatype.Buffer) error {
	if t.Comm.Inter() && send.InPlace() {
		return mpierr.New(mpierr.ErrBuffer, "the send buffer is MPI_IN_PLACE, which is not allowed on intercommunicator %q", t.Comm.Label())
	}
	return nil
}
