package mpi

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/rma"
)

// What stands for null handles in the calls that ask for a name: they have one (MPI 5.0, 7.8).
var (
	nullComm = namedAs(new(comm.Comm), "MPI_COMM_NULL")
	nullWin  = namedAs(rma.Null(), "MPI_WIN_NULL")
	nullType = noType("MPI_DATATYPE_NULL")
)

func namedAs[T interface{ SetName(string) }](object T, name string) T {
	object.SetName(name)
	return object
}

func noType(name string) *datatype.Type {
	t, _ := datatype.Contiguous(0, datatype.ByHandle(typeByte), false)
	t.Named().Set(name)
	return t
}
