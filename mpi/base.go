package mpi

import (
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
)

// What communicators, windows, files and sessions have in common, as the program sees it.

// nullHandles are the null handles of objects with a Base (MPI 5.0, 20.3).
var nullHandles = [...]uintptr{object.Comm: commNull, object.Win: 0x110, object.File: fileNull,
	object.Session: sessionNull}

// baseHandle is the handle of an object, for callbacks; the null handle once the program has freed it.
func baseHandle(b *object.Base) uintptr {
	if b.Handle == 0 {
		return nullHandles[b.Kind]
	}
	return b.Handle
}

// setName names an object; argument is the name's own in the call.
func setName(b *object.Base, argument, name string) error {
	if len(name) > MaxObjectName-1 {
		return mpierr.New(mpierr.ErrArg, "%s has %d characters, at most %d are allowed", argument, len(name), MaxObjectName-1)
	}
	b.SetName(name)
	return nil
}

// fileNull is MPI_FILE_NULL.
const fileNull = 0x118

// noFile is MPI_FILE_NULL as the holder of an error handler: that of calls on no valid file, and the one that
// files begin with (MPI 5.0, 14.7).
var noFile = fileDefaults()

func fileDefaults() *object.Base {
	b := &object.Base{Kind: object.File, Origin: "MPI_Init"}
	b.SetErrhandler(object.Errhandler{Mode: object.Return})
	return b
}
