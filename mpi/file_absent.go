package mpi

import (
	"strings"

	"gompi/runtime/file"
	"gompi/runtime/object"
)

// Collective accesses whose arguments are wrong on one rank: the others cannot know, and wait for it.

// absent is called when the arguments of a call on files are wrong. In a collective access that waits, the
// rank takes part without data, so that all ranks return an error and none hangs. Errors of calls that are
// given no file go to the error handler of MPI_FILE_NULL (MPI 5.0, 14.7).
func absent(a *Args) {
	if a.on == nil || a.on.Kind != object.File {
		a.on = noFile
		return
	}
	f := files.get(a.on.Handle)
	if f == nil {
		return
	}
	dir := file.Read
	what, reads := strings.CutPrefix(a.Name, "MPI_File_read_")
	if !reads {
		dir = file.Write
		var writes bool
		if what, writes = strings.CutPrefix(a.Name, "MPI_File_write_"); !writes {
			return
		}
	}
	switch what {
	case "all", "at_all":
		f.Absent(file.Individual, dir, a.Err)
	case "ordered", "ordered_begin":
		f.Absent(file.Ordered, dir, a.Err)
	}
}
