package mpi

import (
	"gompi/runtime/datatype"
	"gompi/runtime/file"
)

// Accesses to files that wait until they are done (MPI 5.0, 14.4). Those that do not are in
// file_nonblocking.go.

func FileReadAt(f *file.File, offset int64, b datatype.Buffer, st *CallStatus) error {
	return f.ReadWrite(file.Explicit, offset, b, file.Read, st)
}

func FileReadAtAll(f *file.File, offset int64, b datatype.Buffer, st *CallStatus) error {
	return f.ReadWriteAll(file.Explicit, offset, b, file.Read, st)
}

func FileRead(f *file.File, b datatype.Buffer, st *CallStatus) error {
	return f.ReadWrite(file.Individual, 0, b, file.Read, st)
}

func FileReadAll(f *file.File, b datatype.Buffer, st *CallStatus) error {
	return f.ReadWriteAll(file.Individual, 0, b, file.Read, st)
}

func FileReadShared(f *file.File, b datatype.Buffer, st *CallStatus) error {
	return f.ReadWrite(file.Shared, 0, b, file.Read, st)
}

func FileReadOrdered(f *file.File, b datatype.Buffer, st *CallStatus) error {
	return f.ReadWriteOrdered(b, file.Read, st)
}

func FileWriteAt(f *file.File, offset int64, b datatype.Buffer, st *CallStatus) error {
	return f.ReadWrite(file.Explicit, offset, b, file.Write, st)
}

func FileWriteAtAll(f *file.File, offset int64, b datatype.Buffer, st *CallStatus) error {
	return f.ReadWriteAll(file.Explicit, offset, b, file.Write, st)
}

func FileWrite(f *file.File, b datatype.Buffer, st *CallStatus) error {
	return f.ReadWrite(file.Individual, 0, b, file.Write, st)
}

func FileWriteAll(f *file.File, b datatype.Buffer, st *CallStatus) error {
	return f.ReadWriteAll(file.Individual, 0, b, file.Write, st)
}

func FileWriteShared(f *file.File, b datatype.Buffer, st *CallStatus) error {
	return f.ReadWrite(file.Shared, 0, b, file.Write, st)
}

func FileWriteOrdered(f *file.File, b datatype.Buffer, st *CallStatus) error {
	return f.ReadWriteOrdered(b, file.Write, st)
}
