package main

import (
	"gompi/runtime/datatype"
	"gompi/runtime/file"
)

// Accesses to files that wait until they are done (MPI 5.0, 14.4). Those that do not are in
// file_nonblocking.go.

func mpiFile_read_at(f *file.File, offset int64, b datatype.Buffer, st *callStatus) error {
	return f.ReadWriteAt(offset, b, file.Read, st)
}

func mpiFile_read_at_all(f *file.File, offset int64, b datatype.Buffer, st *callStatus) error {
	return f.ReadWriteAllAt(offset, b, file.Read, st)
}

func mpiFile_read(f *file.File, b datatype.Buffer, st *callStatus) error {
	return f.ReadWrite(b, file.Read, st)
}

func mpiFile_read_all(f *file.File, b datatype.Buffer, st *callStatus) error {
	return f.ReadWriteAll(b, file.Read, st)
}

func mpiFile_read_shared(f *file.File, b datatype.Buffer, st *callStatus) error {
	return f.ReadWriteShared(b, file.Read, st)
}

func mpiFile_read_ordered(f *file.File, b datatype.Buffer, st *callStatus) error {
	return f.ReadWriteOrdered(b, file.Read, st)
}

func mpiFile_write_at(f *file.File, offset int64, b datatype.Buffer, st *callStatus) error {
	return f.ReadWriteAt(offset, b, file.Write, st)
}

func mpiFile_write_at_all(f *file.File, offset int64, b datatype.Buffer, st *callStatus) error {
	return f.ReadWriteAllAt(offset, b, file.Write, st)
}

func mpiFile_write(f *file.File, b datatype.Buffer, st *callStatus) error {
	return f.ReadWrite(b, file.Write, st)
}

func mpiFile_write_all(f *file.File, b datatype.Buffer, st *callStatus) error {
	return f.ReadWriteAll(b, file.Write, st)
}

func mpiFile_write_shared(f *file.File, b datatype.Buffer, st *callStatus) error {
	return f.ReadWriteShared(b, file.Write, st)
}

func mpiFile_write_ordered(f *file.File, b datatype.Buffer, st *callStatus) error {
	return f.ReadWriteOrdered(b, file.Write, st)
}
