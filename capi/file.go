package main

import (
	"gompi/runtime/comm"
	"gompi/runtime/file"
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
)

// Files as objects: opened, asked, changed and closed (MPI 5.0, 14.2, 14.6). Accesses are in file_access.go,
// views in file_view.go.

var files = table[file.File]{kind: kindFile}

func (a *args) file(name string, h uintptr) *file.File {
	f := files.get(h)
	if f == nil {
		a.badFile(name, h)
	} else if a.on == nil {
		a.on = &f.Base
	}
	return f
}

// fileCell is a file's handle that a call takes away.
type fileCell uintptr

func putFile(addr, handle uintptr) { storeWord(addr, handle) }

// onNoFile sends an error to the error handler of MPI_FILE_NULL: there is no file yet, or none any more.
func onNoFile(err error) error { return object.Locate(noFile, err) }

func mpiFile_open(c *comm.Comm, name string, mode int, i *info.Info) (uintptr, error) {
	f, err := file.Open(library.Load().process.Files, c, name, file.Mode(mode), i)
	if err != nil {
		return fileNull, onNoFile(err)
	}
	f.SetErrhandler(noFile.Errhandler())
	if f.Handle = files.put(f); f.Handle == 0 {
		_, _ = f.Close() // the other ranks close theirs as well
		return fileNull, onNoFile(tooMany("files"))
	}
	return f.Handle, nil
}

func mpiFile_close(cell fileCell) error {
	h := loadWord(uintptr(cell))
	f := files.get(h)
	switch {
	case f == nil && h == fileNull:
		return onNoFile(mpierr.New(mpierr.ErrFile, "fh is MPI_FILE_NULL"))
	case f == nil:
		return onNoFile(badHandle(mpierr.ErrFile, "fh", h, "a file"))
	}
	closed, err := f.Close()
	if closed {
		files.remove(h)
		storeWord(uintptr(cell), fileNull)
	}
	return object.Locate(&f.Base, err)
}

func mpiFile_delete(name string, _ *info.Info) error { return onNoFile(file.Delete(name)) }

func mpiFile_get_amode(f *file.File) (int, error) { return int(f.Mode()), nil }

func mpiFile_get_group(f *file.File) (uintptr, error) { return newGroup(f.Group(), nil) }

func mpiFile_get_size(f *file.File) (int64, error) { return f.Size() }

func mpiFile_set_size(f *file.File, size int64) error { return f.SetSize(size) }

func mpiFile_preallocate(f *file.File, size int64) error { return f.Preallocate(size) }

func mpiFile_get_info(f *file.File) (uintptr, error) { return newInfo(f.Info()) }

func mpiFile_set_info(f *file.File, i *info.Info) error { return f.SetInfo(i) }

func mpiFile_get_atomicity(f *file.File) (bool, error) { return f.Atomicity(), nil }

func mpiFile_set_atomicity(f *file.File, on bool) error { return f.SetAtomicity(on) }

func mpiFile_sync(f *file.File) error { return f.Sync() }
