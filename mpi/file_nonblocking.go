package mpi

import (
	"gompi/runtime/datatype"
	"gompi/runtime/file"
	"gompi/runtime/request"
)

// Nonblocking accesses to files (MPI 5.0, 14.4).

func FileIreadAt(f *file.File, offset int64, b datatype.Buffer) (*request.Request, error) {
	return f.Start(file.Explicit, offset, b, file.Read)
}

func FileIreadAtAll(f *file.File, offset int64, b datatype.Buffer) (*request.Request, error) {
	return f.StartAll(file.Explicit, offset, b, file.Read)
}

func FileIread(f *file.File, b datatype.Buffer) (*request.Request, error) {
	return f.Start(file.Individual, 0, b, file.Read)
}

func FileIreadAll(f *file.File, b datatype.Buffer) (*request.Request, error) {
	return f.StartAll(file.Individual, 0, b, file.Read)
}

func FileIreadShared(f *file.File, b datatype.Buffer) (*request.Request, error) {
	return f.Start(file.Shared, 0, b, file.Read)
}

func FileIwriteAt(f *file.File, offset int64, b datatype.Buffer) (*request.Request, error) {
	return f.Start(file.Explicit, offset, b, file.Write)
}

func FileIwriteAtAll(f *file.File, offset int64, b datatype.Buffer) (*request.Request, error) {
	return f.StartAll(file.Explicit, offset, b, file.Write)
}

func FileIwrite(f *file.File, b datatype.Buffer) (*request.Request, error) {
	return f.Start(file.Individual, 0, b, file.Write)
}

func FileIwriteAll(f *file.File, b datatype.Buffer) (*request.Request, error) {
	return f.StartAll(file.Individual, 0, b, file.Write)
}

func FileIwriteShared(f *file.File, b datatype.Buffer) (*request.Request, error) {
	return f.Start(file.Shared, 0, b, file.Write)
}
