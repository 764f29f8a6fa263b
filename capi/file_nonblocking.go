package main

import (
	"gompi/runtime/datatype"
	"gompi/runtime/file"
	"gompi/runtime/request"
)

// Nonblocking accesses to files (MPI 5.0, 14.4).

func mpiFile_iread_at(f *file.File, offset int64, b datatype.Buffer) (*request.Request, error) {
	return f.StartAt(offset, b, file.Read)
}

func mpiFile_iread_at_all(f *file.File, offset int64, b datatype.Buffer) (*request.Request, error) {
	return f.StartAllAt(offset, b, file.Read)
}

func mpiFile_iread(f *file.File, b datatype.Buffer) (*request.Request, error) {
	return f.Start(b, file.Read)
}

func mpiFile_iread_all(f *file.File, b datatype.Buffer) (*request.Request, error) {
	return f.StartAll(b, file.Read)
}

func mpiFile_iread_shared(f *file.File, b datatype.Buffer) (*request.Request, error) {
	return f.StartShared(b, file.Read)
}

func mpiFile_iwrite_at(f *file.File, offset int64, b datatype.Buffer) (*request.Request, error) {
	return f.StartAt(offset, b, file.Write)
}

func mpiFile_iwrite_at_all(f *file.File, offset int64, b datatype.Buffer) (*request.Request, error) {
	return f.StartAllAt(offset, b, file.Write)
}

func mpiFile_iwrite(f *file.File, b datatype.Buffer) (*request.Request, error) {
	return f.Start(b, file.Write)
}

func mpiFile_iwrite_all(f *file.File, b datatype.Buffer) (*request.Request, error) {
	return f.StartAll(b, file.Write)
}

func mpiFile_iwrite_shared(f *file.File, b datatype.Buffer) (*request.Request, error) {
	return f.StartShared(b, file.Write)
}
