package mpi

import (
	"gompi/runtime/datatype"
	"gompi/runtime/file"
)

// Split collective accesses to files (MPI 5.0, 14.4.5).

func FileReadAtAllBegin(f *file.File, offset int64, b datatype.Buffer) error {
	return f.Begin(file.Explicit, offset, b, file.Read)
}

func FileReadAtAllEnd(f *file.File, buf uintptr, st *CallStatus) error {
	return f.End(file.Explicit, buf, file.Read, st)
}

func FileReadAllBegin(f *file.File, b datatype.Buffer) error {
	return f.Begin(file.Individual, 0, b, file.Read)
}

func FileReadAllEnd(f *file.File, buf uintptr, st *CallStatus) error {
	return f.End(file.Individual, buf, file.Read, st)
}

func FileReadOrderedBegin(f *file.File, b datatype.Buffer) error {
	return f.Begin(file.Ordered, 0, b, file.Read)
}

func FileReadOrderedEnd(f *file.File, buf uintptr, st *CallStatus) error {
	return f.End(file.Ordered, buf, file.Read, st)
}

func FileWriteAtAllBegin(f *file.File, offset int64, b datatype.Buffer) error {
	return f.Begin(file.Explicit, offset, b, file.Write)
}

func FileWriteAtAllEnd(f *file.File, buf uintptr, st *CallStatus) error {
	return f.End(file.Explicit, buf, file.Write, st)
}

func FileWriteAllBegin(f *file.File, b datatype.Buffer) error {
	return f.Begin(file.Individual, 0, b, file.Write)
}

func FileWriteAllEnd(f *file.File, buf uintptr, st *CallStatus) error {
	return f.End(file.Individual, buf, file.Write, st)
}

func FileWriteOrderedBegin(f *file.File, b datatype.Buffer) error {
	return f.Begin(file.Ordered, 0, b, file.Write)
}

func FileWriteOrderedEnd(f *file.File, buf uintptr, st *CallStatus) error {
	return f.End(file.Ordered, buf, file.Write, st)
}
