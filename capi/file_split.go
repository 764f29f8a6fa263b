package main

import (
	"gompi/runtime/datatype"
	"gompi/runtime/file"
)

// Split collective accesses to files (MPI 5.0, 14.4.5).

func mpiFile_read_at_all_begin(f *file.File, offset int64, b datatype.Buffer) error {
	return f.Begin(file.AtAll, offset, b, file.Read)
}

func mpiFile_read_at_all_end(f *file.File, buf uintptr, st *callStatus) error {
	return f.End(file.AtAll, buf, file.Read, st)
}

func mpiFile_read_all_begin(f *file.File, b datatype.Buffer) error {
	return f.Begin(file.All, 0, b, file.Read)
}

func mpiFile_read_all_end(f *file.File, buf uintptr, st *callStatus) error {
	return f.End(file.All, buf, file.Read, st)
}

func mpiFile_read_ordered_begin(f *file.File, b datatype.Buffer) error {
	return f.Begin(file.Ordered, 0, b, file.Read)
}

func mpiFile_read_ordered_end(f *file.File, buf uintptr, st *callStatus) error {
	return f.End(file.Ordered, buf, file.Read, st)
}

func mpiFile_write_at_all_begin(f *file.File, offset int64, b datatype.Buffer) error {
	return f.Begin(file.AtAll, offset, b, file.Write)
}

func mpiFile_write_at_all_end(f *file.File, buf uintptr, st *callStatus) error {
	return f.End(file.AtAll, buf, file.Write, st)
}

func mpiFile_write_all_begin(f *file.File, b datatype.Buffer) error {
	return f.Begin(file.All, 0, b, file.Write)
}

func mpiFile_write_all_end(f *file.File, buf uintptr, st *callStatus) error {
	return f.End(file.All, buf, file.Write, st)
}

func mpiFile_write_ordered_begin(f *file.File, b datatype.Buffer) error {
	return f.Begin(file.Ordered, 0, b, file.Write)
}

func mpiFile_write_ordered_end(f *file.File, buf uintptr, st *callStatus) error {
	return f.End(file.Ordered, buf, file.Write, st)
}
