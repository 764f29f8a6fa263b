package mpi

import (
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
)

// Error handlers of files (MPI 5.0, 9.3.3 and 14.7). MPI_FILE_NULL has one too, which files begin with.

// Anyfile is the holder of the error handler of a file, or of MPI_FILE_NULL. For a bad handle it is nil, and
// the error goes to the handler of MPI_FILE_NULL.
func (a *Args) Anyfile(name string, h uintptr) *object.Base {
	b := lookupFileBase(h)
	if b == nil {
		a.badFile(name, h)
	} else if a.on == nil {
		a.on = b
	}
	return b
}

// badFile refuses a file's handle. The error goes to the handler of MPI_FILE_NULL (MPI 5.0, 14.7).
func (a *Args) badFile(name string, h uintptr) {
	if a.on == nil {
		a.on = noFile
	}
	if h == fileNull {
		a.wrong(mpierr.ErrFile, "%s is MPI_FILE_NULL", name)
	} else if a.Err == nil {
		a.Err = badHandle(mpierr.ErrFile, name, h, "a file")
	}
}

// lookupFileBase is the holder of the error handler of MPI_FILE_NULL or of an open file, nil when h names
// neither.
func lookupFileBase(h uintptr) *object.Base {
	if h == fileNull {
		return noFile
	}
	if f := files.get(h); f != nil {
		return &f.Base
	}
	return nil
}

func FileSetErrhandler(b *object.Base, e *Errhandler) error { return setErrhandler(b, e) }

func FileGetErrhandler(b *object.Base) (uintptr, error) { return getErrhandler(b) }

func FileCallErrhandler(b *object.Base, code int) error {
	return callErrhandler("MPI_File_call_errhandler", b, code)
}
