package main

import (
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
)

// Datatypes (MPI 5.0, 5.1).

func mpiType_size(t *datatype.Type) (int64, error) { return t.Size(), nil }

func mpiType_get_extent(t *datatype.Type) (lb, extent int64, err error) {
	return t.LB(), t.Extent(), nil
}

func mpiType_get_true_extent(t *datatype.Type) (lb, extent int64, err error) {
	return t.TrueLB(), t.TrueExtent(), nil
}

func mpiType_get_name(t *datatype.Type) (string, error) { return t.Name(), nil }

// mpiType_commit has nothing to do for predefined types.
func mpiType_commit(cell typeCell) error {
	if h := loadWord(uintptr(cell)); lookupType(h) == nil {
		return badHandle(mpierr.ErrType, "datatype", h, "a datatype")
	}
	return nil
}

// The upper bound and the older names of bounds and extent (MPI 2.2, 16.1).

func mpiType_extent(t *datatype.Type) (int64, error) { return t.Extent(), nil }

func mpiType_lb(t *datatype.Type) (int64, error) { return t.LB(), nil }

func mpiType_ub(t *datatype.Type) (int64, error) { return t.LB() + t.Extent(), nil }
